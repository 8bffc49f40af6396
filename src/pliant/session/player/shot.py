"""A shot: what was recorded, and what it is shown among."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pliant.files.take import Take, Track
from pliant.session.frames import frame_at
from pliant.session.player.bars import Bar, Weighted, bars_for, mean_or_group
from pliant.session.render.camera import Camera
from pliant.session.render.stage import Stage
from pliant.world import Collider, Frame

CAMERA_FRAMES = 60  # frames that the camera is chosen by: what is between them is hardly elsewhere
ASPECT = 1.6  # width over height that the camera is chosen for, as on the page


@dataclass(frozen=True, eq=False)
class Shot:
    """A take among colliders.  camera: a direction to look from, (eye, target), or a Camera; None for the usual one.
    title: what is written over it."""

    take: Take
    colliders: Sequence[Collider] = ()
    camera: Any = None
    title: str = ""
    # As one side of what is drawn (setup.py): a shot stands alone.
    shift: tuple[float, float, float] = (0.0, 0.0, 0.0)
    name: str = ""

    @property
    def actors(self) -> Sequence[Track]:
        return self.take.tracks

    @cached_property
    def bars(self) -> Sequence[Bar]:
        """Which weights are shown."""
        return bars_for([Weighted(track.name, track.body, track.groups) for track in self.take.tracks])

    def numbers(self) -> NDArray[np.float32]:
        """The numbers of all bars (T, B), one bar after the other."""
        tracks = {track.name: track for track in self.take.tracks}
        columns = [np.empty((self.take.frames, 0), np.float32)]
        columns += [mean_or_group(np.asarray(tracks[bar.actor].weights), bar) for bar in self.bars]
        return np.concatenate(columns, axis=1).astype(np.float32)

    def frame(self, number: int) -> Frame:
        """A moment, for pictures."""
        return frame_at(self.take, number)

    @property
    def stage(self) -> Stage:
        """For pictures."""
        return Stage({track.name: track.body for track in self.take.tracks}, tuple(self.colliders))

    @cached_property
    def seen_from(self) -> Camera:
        """A camera that sees all of it."""
        count = self.take.frames
        frames = np.linspace(0, count - 1, min(count, CAMERA_FRAMES)).round().astype(int).tolist()
        return self.stage.camera(map(self.frame, frames), self.camera, ASPECT)
