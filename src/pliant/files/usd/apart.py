"""A file is read in a process of its own, so that a damaged one cannot take the memory, the time or the life of ours.

The USD library trusts the lengths that a file tells: a few changed bytes make it ask for gigabytes, or
work for minutes. It also writes what it thinks to the terminal. The child (`child.py`) sets itself limits and answers
with a pickle.
"""

import os
import pickle
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory, gettempdir
from time import monotonic
from typing import TYPE_CHECKING

from pliant.files.fence import inherited
from pliant.files.usd.child import CHILD_CPU_SECONDS, CHILD_WAIT_FACTOR, NO_ROOM, OUT_OF_TIME
from pliant.runtime.errors import FileError

if TYPE_CHECKING:
    from pliant.files.asset import Asset

CHILD_WAIT = 1800.0  # seconds; the child's own limit on computing time is far lower, this one ends a child that waits


def read_apart(path: Path, sample: Sequence[float]) -> "Asset":
    """The asset that the child makes of a file, or its error."""
    with TemporaryDirectory(prefix="pliant-usd-") as folder:
        answer = Path(folder) / "answer"
        command = [sys.executable, "-P", "-m", "pliant.files.usd.child", str(path), str(answer), *map(repr, sample)]
        silent = subprocess.DEVNULL
        begun = monotonic()
        try:
            code = subprocess.run(
                command, stdin=silent, stdout=silent, stderr=silent, env=_environment(), timeout=CHILD_WAIT
            ).returncode
        except subprocess.TimeoutExpired:
            raise _too_long(path) from None
        if not answer.exists():
            raise _failed(path, code, monotonic() - begun)
        with open(answer, "rb") as file:
            found = pickle.load(file)
    if isinstance(found, str):
        raise FileError(found)
    return found


def _environment() -> dict[str, str]:
    """The child finds the modules that we find. Threads reserve memory that its limit would count, so it has few."""
    places = os.pathsep.join(place for place in sys.path if place)
    few = {"PXR_WORK_THREAD_LIMIT": "2", "OPENBLAS_NUM_THREADS": "1"}
    return os.environ | {"PYTHONPATH": places} | few | inherited()


def _too_long(path: Path) -> FileError:
    return FileError(
        f"{path}: takes too long to read; it is damaged or far too large, export it again with fewer meshes"
    )


def _failed(path: Path, code: int, seconds: float) -> FileError:
    """Why a child ended without an answer."""
    stopped = sys.platform == "win32" and code == OUT_OF_TIME and seconds >= CHILD_WAIT_FACTOR * CHILD_CPU_SECONDS
    if stopped or code == -getattr(signal, "SIGXCPU", 0):
        return _too_long(path)
    if code == NO_ROOM:
        return FileError(f"{path}: does not fit into the folder for temporary files, {gettempdir()}; free some space")
    return FileError(f"{path}: cannot be read as USD, it may be damaged (the USD library broke down); export it again")
