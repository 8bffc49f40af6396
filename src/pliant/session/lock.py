"""One bake at a time for an output. The system lets go of the lock when a process ends, however it ends."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from pliant.runtime.errors import FileError

LOCK = "lock"


@contextmanager
def held(folder: Path, what: Path) -> Iterator[None]:
    """The folder, made if it is not there, is ours while the block runs. Refused while another process has it."""
    handle = _open(folder, what)
    try:
        yield
    finally:
        os.close(handle)


def _open(folder: Path, what: Path) -> int:
    while True:
        folder.mkdir(parents=True, exist_ok=True)
        try:
            handle = os.open(folder / LOCK, os.O_RDWR | os.O_CREAT, 0o644)
        except FileNotFoundError:
            continue  # another bake has just finished and removed the folder
        if not _take(handle):
            os.close(handle)
            raise FileError(f"{what}: another bake is writing it; wait for it to end, or choose another name")
        if _is_still(handle, folder / LOCK):
            return handle
        os.close(handle)  # it was removed between opening and locking


def _take(handle: int) -> bool:
    try:
        import fcntl
    except ImportError:  # Windows
        import msvcrt

        try:
            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined, unused-ignore]
            return True
        except OSError:
            return False
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        return True
    except BlockingIOError:
        return False


def _is_still(handle: int, path: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(handle), os.stat(path))
    except FileNotFoundError:
        return False
