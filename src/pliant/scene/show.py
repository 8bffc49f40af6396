"""A show: a world that is ready to play, with everything that happens in it."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from pliant.world import Frame, World

if TYPE_CHECKING:
    from pliant.scene.schema import Scene, SceneOutput
    from pliant.volume import Embodied

Array = NDArray[np.float64]
Grips = Callable[[Frame], Sequence[tuple[Array, Array]]]


@dataclass(eq=False)
class Show:
    """A world, how long and how finely it plays, and what animates it.

    seconds, fps: the frames are the moment before the first step and one after each of `seconds * fps` steps of a
    frame.  substeps: of each frame.  animate: sets everything that is keyed for a time; called before each sub-step.
    key: a hash of everything that determines the motion; equal keys play alike.  camera: the direction to look from.
    grips: for a frame the pairs of points (held, pulled to) of the handles.  output: what the scene wants written.
    embodied: what is known of bodies from files, by actor.  notes: what people should know.
    """

    name: str
    world: World
    seconds: float
    fps: float = 60.0
    substeps: int = 1
    animate: Callable[[float], None] | None = None
    key: str = ""
    camera: tuple[float, float, float] | None = None
    captions: tuple[str, ...] = ()
    title: str = ""
    grips: Grips | None = None
    output: "SceneOutput | None" = None
    folder: Path = field(default_factory=Path)
    embodied: "Mapping[str, Embodied]" = field(default_factory=dict)
    notes: tuple[str, ...] = ()

    @property
    def frames(self) -> int:
        """How many there are, with the first."""
        return round(self.seconds * self.fps) + 1

    def step(self) -> None:
        """Go on by one frame."""
        if self.animate is None:
            self.world.step(1.0 / self.fps, self.substeps)
            return
        h = 1.0 / self.fps / self.substeps
        for _ in range(self.substeps):
            self.animate(self.world.time)
            self.world.step(h, 1)

    def play(self, frames: int | None = None) -> Iterator[Frame]:
        """Frames from where the world is now; all of the show if not said how many."""
        for number in range(self.frames if frames is None else frames):
            if number:
                self.step()
            yield self.world.frame()


def show_of(
    target: "str | Path | Scene", *, progress: Callable[[int, int], None] | None = None, **overrides: Any
) -> Show:
    """The show of a scene file, of an asset (dropped on the floor), or of a scene.

    progress: told how far it is with filling bodies from files.
    overrides: seconds, frames, fps, substeps (of each frame), seed, precision, threads; for bodies from files kind,
    particles, mesher, density, thickness, and for the one body of a scene poses (name -> file), pose_folder and sample
    (seconds); changes: what `with_overrides` takes.
    """
    from pliant.scene.build import stage
    from pliant.scene.targets import scene_for

    scene = scene_for(target, progress=progress, **overrides)
    return stage(scene, scene.origin.folder, progress)
