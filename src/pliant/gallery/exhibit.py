"""An exhibit: a world that plays for some seconds, and what must be seen in it, in numbers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from pliant.world import Frame, World

Array = NDArray[np.float64]
Mask = NDArray[np.bool_]


@dataclass(frozen=True)
class Check:
    """One thing that the eye should see: what, the number measured, and whether it is as it should be."""

    text: str
    value: float
    passed: bool


@dataclass(frozen=True, eq=False)
class Record:
    """What was played: times (T,) in seconds and a frame for each, the first before the first step."""

    times: Array
    frames: tuple[Frame, ...]

    def at(self, time: float) -> Frame:
        """The frame nearest to a time."""
        return self.frames[int(np.abs(self.times - time).argmin())]

    def between(self, start: float, end: float) -> tuple[Frame, ...]:
        """The frames of a span of time."""
        return tuple(f for f in self.frames if start - 1e-9 <= f.time <= end + 1e-9)

    def weights(self, actor: str, pose: int = 1, group: int | None = None) -> Array:
        """(T,) weight of a pose over time, 1 being the first example and 0 the rest shape; of one group, or
        the mean of all."""
        rows = np.array([frame.weights[actor][:, pose] for frame in self.frames])
        return rows.mean(axis=1) if group is None else rows[:, group]


@dataclass(frozen=True, eq=False)
class Exhibit:
    """A figure of a paper as a world that moves.

    name: as on the command line.  paper: which figure.  about: what there is to see, for people.  seconds:
    how long it plays.  build: makes the world.  check: measures a record.  stills: the moments worth a
    picture.  camera: the direction to look from.  substeps: of each frame.  captions: under the stills,
    instead of their times.  columns: stills in a row of the picture; all if not said.  grips: for a frame the
    pairs of points (held, pulled to) of the handles that a picture should show.
    """

    name: str
    title: str
    paper: str
    about: str
    seconds: float
    build: Callable[[], World]
    check: Callable[[Record], Sequence[Check]]
    stills: tuple[float, ...]
    camera: tuple[float, float, float] = (0.55, 0.42, 1.0)
    substeps: int = 1
    captions: tuple[str, ...] = ()
    columns: int | None = None
    grips: Callable[[Frame], Sequence[tuple[Array, Array]]] | None = None


def play(exhibit: Exhibit, fps: int = 60, progress: Callable[[int, int], None] | None = None) -> Record:
    """Builds the world and steps it through; `progress(done, all)` is called after each frame."""
    world = exhibit.build()
    frames = [world.frame()]
    count = round(exhibit.seconds * fps)
    for done in range(1, count + 1):
        world.step(1 / fps, substeps=exhibit.substeps)
        frames.append(world.frame())
        if progress:
            progress(done, count)
    return Record(np.array([frame.time for frame in frames]), tuple(frames))
