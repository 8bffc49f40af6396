"""Where handles pulled in each frame, for films: a line of JSON a frame beside the recording.

A handle may be taken and let go while the show plays; when the film is drawn, perhaps by another process, only this
tells where it was.
"""

import json
import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TextIO

import numpy as np
from numpy.typing import NDArray

from pliant.runtime.errors import FileError
from pliant.world import Frame

MARKS = "marks.jsonl"
Array = NDArray[np.float64]
Grips = Callable[[Frame], Sequence[tuple[Array, Array]]]


class Marks:
    """The lines of a folder, open for appending."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / MARKS
        self._file: TextIO | None = None

    def begin(self) -> None:
        self._file = open(self.path, "w", encoding="ascii", newline="\n")  # noqa: SIM115 (closed by `close`)

    def go_on(self, frames: int) -> None:
        """Behind so many lines; what comes after them is cut off."""
        lines = self.path.read_bytes().split(b"\n")[:-1][:frames] if self.path.exists() else []
        if len(lines) < frames:
            raise FileError(f"{self.path}: damaged, {frames - len(lines)} frames are missing; start anew")
        size = sum(len(line) + 1 for line in lines)
        self._file = open(self.path, "r+", encoding="ascii", newline="\n")  # noqa: SIM115
        self._file.truncate(size)
        self._file.seek(size)

    def append(self, grips: Sequence[tuple[Array, Array]]) -> None:
        assert self._file is not None
        points = [[np.asarray(point, np.float64).tolist() for point in grip] for grip in grips]
        self._file.write(json.dumps(points) + "\n")

    def flush(self) -> None:
        """Onto the disk itself."""
        assert self._file is not None
        self._file.flush()
        os.fsync(self._file.fileno())

    def close(self) -> None:
        if self._file is not None:
            self._file.close()
            self._file = None

    def grips(self, fps: float) -> Grips:
        """What was appended, by the time of a frame."""
        lines = self.path.read_text(encoding="ascii").splitlines()

        def at(frame: Frame) -> list[tuple[Array, Array]]:
            return [(np.array(held), np.array(target)) for held, target in json.loads(lines[round(frame.time * fps)])]

        return at
