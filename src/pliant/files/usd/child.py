"""The process in which a USD file is read: `python -m pliant.files.usd.child FILE ANSWER TIME ...`."""

import faulthandler
import os
import pickle
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

from pliant.runtime.errors import PliantError

MEMORY = 2_000_000_000  # bytes that any file may take to read
MEMORY_PER_BYTE = 40  # and this much more for each byte of it
CHILD_CPU_SECONDS = 60  # of computing that any file may take
BYTES_PER_SECOND = 500_000  # and a second more for this much of it
CHILD_WAIT_FACTOR = 4  # seconds for each of computing, where only these can be counted: a machine has other work too
OUT_OF_TIME = 1  # exit code: of that limit
NO_ROOM = 3  # exit code: the answer could not be written


def allow(size: int) -> None:
    """Limits this process to what reading `size` bytes of files should take, counted from now on."""
    if sys.platform == "win32":
        _end_after(CHILD_WAIT_FACTOR * (CHILD_CPU_SECONDS + size // BYTES_PER_SECOND))
        return
    import resource

    _lower(resource.RLIMIT_AS, _held() + MEMORY + MEMORY_PER_BYTE * size)
    used = resource.getrusage(resource.RUSAGE_SELF)
    _lower(resource.RLIMIT_CPU, int(used.ru_utime + used.ru_stime) + CHILD_CPU_SECONDS + size // BYTES_PER_SECOND)


def _end_after(seconds: float) -> None:
    """Windows has no limit that a process could set itself: a thread of the interpreter, which waits for no turn of
    ours, ends it after so many seconds. (How much memory it takes is not limited there.)"""
    faulthandler.dump_traceback_later(seconds, exit=True, file=open(os.devnull, "w"))  # noqa: SIM115 (until the end)


def _lower(what: int, most: int) -> None:
    """Sets the limit that may be moved again; the machine's own stays."""
    import resource

    hard = resource.getrlimit(what)[1]
    with suppress(ValueError, OSError):  # macOS keeps no limit on memory
        resource.setrlimit(what, (most if hard == resource.RLIM_INFINITY else min(most, hard), hard))


def _held() -> int:
    """Bytes of address space in use, as the limit counts them."""
    try:
        return int(Path("/proc/self/statm").read_text().split()[0]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError):
        return 4_000_000_000


def answer(path: Path, times: list[float]) -> Any:
    """The asset, or what is wrong with the file."""
    from pliant.files.reading import guarded
    from pliant.files.usd.reader import read_stage

    try:
        return guarded(path, lambda: read_stage(path, times, allow))
    except PliantError as error:
        return str(error)


def main(arguments: list[str]) -> None:
    path, target = Path(arguments[0]), Path(arguments[1])
    try:
        allow(path.stat().st_size)
    except OSError:
        allow(0)
    found = answer(path, [float(time) for time in arguments[2:]])
    unfinished = target.with_suffix(".part")
    try:
        with open(unfinished, "wb") as file:
            pickle.dump(found, file, protocol=5)
        unfinished.rename(target)
    except OSError:
        os._exit(NO_ROOM)


if __name__ == "__main__":
    main(sys.argv[1:])
    os._exit(0)  # the answer is out; what a damaged file did to the library need not be tidied up
