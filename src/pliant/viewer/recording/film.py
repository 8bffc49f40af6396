"""Films of the recording, drawn in a process of their own (helper_process.py):
`python -m pliant.viewer.recording.film`."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from importlib.util import find_spec
from math import atan, degrees, radians, tan
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from pliant.files.take import Take
from pliant.runtime.errors import PliantError
from pliant.viewer.protocol.commands import Point
from pliant.viewer.recording.helper_process import HelperProcess, say, serve
from pliant.world import Collider

if TYPE_CHECKING:
    from pliant.session.render.camera import Camera

SIZE = (1280, 720)
MOMENTS_PER_PICTURE = 2  # moments for each picture: 30 a second
NEEDED = ("moderngl", "imageio_ffmpeg", "PIL")
FILM_PACKAGES = "Films need more packages; run: pip install 'pliant[render]'"


def can_film() -> bool:
    """Whether what films need is installed."""
    return all(find_spec(each) is not None for each in NEEDED)


class Lens(BaseModel):
    """The camera of a page. fov: vertical, in degrees; aspect: width by height."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)
    eye: Point
    target: Point
    fov: Annotated[float, Field(ge=1, le=150)]
    aspect: Annotated[float, Field(ge=0.05, le=20)]

    @classmethod
    def of(cls, told: Any) -> "Lens":
        """What a page says, checked."""
        try:
            return cls.model_validate(told)
        except ValidationError:
            raise PliantError("the page does not say where its camera is; load it again") from None

    def camera(self) -> "Camera":
        """One for a film, which sees at least what the page sees."""
        from pliant.session.render.camera import Camera

        wider = max(self.aspect / (SIZE[0] / SIZE[1]), 1.0)
        fov = 2 * degrees(atan(tan(radians(self.fov) / 2) * wider))
        return Camera(self.eye, self.target, min(fov, 150.0))


@dataclass(frozen=True, eq=False)
class Sampled:
    """A path as a film needs it: where it is in each picture. Unlike a function it can be sent to another process."""

    fps: float
    offsets: NDArray[np.float64]
    rotations: NDArray[np.float64]

    def __call__(self, time: float) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        at = min(max(round(time * self.fps), 0), len(self.offsets) - 1)
        return self.offsets[at], self.rotations[at]


def sampled(
    colliders: Sequence[tuple[Collider, tuple[float, float, float]]], times: Sequence[float], fps: float
) -> tuple[Collider, ...]:
    """Colliders, each moved by so many metres, with the paths that they have at these times (s); the first is at 0."""
    from pliant.world.paths import at

    made = []
    for each, shift in colliders:
        if each.path is not None or any(shift):
            places = [at(each.path, time, type(each).__name__) for time in times]
            offsets = np.stack([np.asarray(offset, np.float64) + shift for offset, _ in places])
            rotations = np.stack([np.asarray(turn, np.float64) for _, turn in places])
            each = replace(each, path=Sampled(fps, offsets, rotations))
        made.append(each)
    return tuple(made)


@dataclass(frozen=True, eq=False)
class FilmTask:
    """What is to be drawn, from where, and into which file."""

    take: Take
    colliders: tuple[Collider, ...]
    camera: "Camera"
    path: Path
    size: tuple[int, int] = SIZE


class Film:
    """A film under way: `draw` waits for it in a thread, `progress` (0 to 1) and `cancel` are for others."""

    def __init__(self, task: FilmTask) -> None:
        self.task = task
        self.progress = 0.0
        self._helper = HelperProcess("pliant.viewer.recording.film", task, self._hear, "the film")

    @property
    def cancelled(self) -> bool:
        return self._helper.cancelled

    def draw(self) -> Path | None:
        """The file, or None if it was cancelled."""
        return self.task.path if self._helper.run() else None

    def cancel(self) -> None:
        """Stop it; what there is of the file goes."""
        self._helper.cancel()

    def _hear(self, said: dict[str, Any]) -> None:
        self.progress = said.get("progress", self.progress)


# ---- the other process -----------------------------------------------------------------------------------


def work(task: FilmTask) -> None:
    """Draw the film of a task."""
    from pliant.session.render.movie import write_movie

    try:
        write_movie(
            task.take,
            task.path,
            colliders=task.colliders,
            camera=task.camera,
            size=task.size,
            progress=lambda done, frames: say(progress=done / frames),
        )
    except PliantError as error:
        raise PliantError(str(error).removeprefix(f"{task.path}: ")) from error


if __name__ == "__main__":
    serve(work)
