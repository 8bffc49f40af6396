"""One bake at a time for an output. The system lets go of the lock when a process ends, however it ends."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
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
        if sys.platform == "win32":
            _remove_empty(folder)


def _remove_empty(folder: Path) -> None:
    """A folder that was discarded while it was held: on Windows an open file stays, so the lock is still there. Another
    bake may have opened it by now; then the system refuses."""
    with suppress(OSError):
        if os.listdir(folder) == [LOCK]:
            os.unlink(folder / LOCK)
            folder.rmdir()


def _open(folder: Path, what: Path) -> int:
    while True:
        folder.mkdir(parents=True, exist_ok=True)
        try:
            handle = os.open(folder / LOCK, os.O_RDWR | os.O_CREAT, 0o644)
        except FileNotFoundError:
            continue  # another bake has just finished and removed the folder
        except PermissionError:
            if sys.platform == "win32" and not folder.exists():
                continue  # it was about to
            raise
        if not _take(handle):
            os.close(handle)
            raise FileError(f"{what}: another bake is writing it; wait for it to end, or choose another name")
        if _is_still(handle, folder / LOCK):
            return handle
        os.close(handle)  # it was removed between opening and locking


def _take(handle: int) -> bool:
    if sys.platform == "win32":
        import msvcrt

        try:
            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
            return True
        except OSError:
            return False
    import fcntl

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
