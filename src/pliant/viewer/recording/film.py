"""Films of the recording, drawn in a process of their own: neither the simulation nor the page waits for them.

`python -m pliant.viewer.recording.film` is that process. It takes a task on its standard input and says on its standard
output, a line of JSON each, how far it is and how it ended. It stops when its input ends, so it never outlives the
server.
"""

import json
import os
import pickle
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Sequence
from contextlib import suppress
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
from pliant.runtime.processes import ask_to_end
from pliant.viewer.protocol.commands import Point
from pliant.world import Collider

if TYPE_CHECKING:
    from pliant.session.render.camera import Camera

SIZE = (1280, 720)
MOMENTS_PER_PICTURE = 2  # moments for each picture: 30 a second
NEEDED = ("moderngl", "imageio_ffmpeg", "PIL")
FILM_PACKAGES = "Films need more packages; run: pip install 'pliant[render]'"
FILM_PATIENCE = 3.0  # seconds in which the process may clear up
_turn = threading.Lock()  # drawing takes all that the machine can give: one at a time


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
        self.cancelled = False
        self._process: subprocess.Popen[bytes] | None = None
        self._lock = threading.Lock()

    def draw(self) -> Path | None:
        """The file, or None if it was cancelled."""
        if not _turn.acquire(blocking=False):
            raise PliantError("another film is being made; wait until it is done")
        try:
            return self._draw()
        finally:
            _turn.release()

    def cancel(self) -> None:
        """Stop it; what there is of the file goes."""
        with self._lock:
            self.cancelled = True
            process = self._process
        if process is None or process.poll() is not None:
            return
        ask_to_end(process)
        try:
            process.wait(FILM_PATIENCE)
        except subprocess.TimeoutExpired:
            process.kill()

    def _draw(self) -> Path | None:
        command = [sys.executable, "-m", "pliant.viewer.recording.film"]
        pipe = subprocess.PIPE
        with tempfile.TemporaryFile() as errors:
            with self._lock:
                if self.cancelled:
                    return None
                self._process = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=errors)
            with self._process as process:
                problem = self._listen(process)
            if self.cancelled:
                return None
            if problem or process.returncode:
                errors.seek(0)
                last = errors.read().decode("utf-8", "replace").strip().rpartition("\n")[2]
                raise PliantError(problem or f"the film cannot be drawn ({last or 'its process was ended'}); try again")
        return self.task.path

    def _listen(self, process: subprocess.Popen[bytes]) -> str:
        """Hand the task over and wait until it is done; what was said to be wrong."""
        problem = ""
        try:
            assert process.stdin is not None and process.stdout is not None
            with suppress(BrokenPipeError):  # it has ended already
                pickle.dump(self.task, process.stdin, pickle.HIGHEST_PROTOCOL)
                process.stdin.flush()
            for line in process.stdout:
                said = json.loads(line)
                self.progress = said.get("progress", self.progress)
                problem = said.get("problem", problem)
            process.wait()  # its input stays open until then: the end of it means to stop
        except BaseException:
            process.kill()
            raise
        return problem


# ---- the other process -----------------------------------------------------------------------------------


def main() -> None:
    """Draw the film of the task on the standard input."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the server, which then ends us
    signal.signal(signal.SIGTERM, _leave)
    if hasattr(os, "nice"):
        os.nice(10)
    task: FilmTask = pickle.load(sys.stdin.buffer)  # from the server alone, which holds the other end of the pipe
    threading.Thread(target=_watch_input, daemon=True).start()
    try:
        from pliant.session.render.movie import write_movie

        write_movie(
            task.take,
            task.path,
            colliders=task.colliders,
            camera=task.camera,
            size=task.size,
            progress=lambda done, frames: _say(progress=done / frames),
        )
    except PliantError as error:
        _say(problem=str(error).removeprefix(f"{task.path}: "))


def _leave(_number: int, _frame: object) -> None:
    raise SystemExit(1)  # so that the encoder and its unfinished file are cleared up


def _watch_input() -> None:
    while os.read(sys.stdin.fileno(), 1):  # not by the buffer, whose lock the interpreter wants when it ends
        pass
    signal.raise_signal(signal.SIGTERM)


def _say(**news: Any) -> None:
    print(json.dumps(news), flush=True)


if __name__ == "__main__":
    main()
