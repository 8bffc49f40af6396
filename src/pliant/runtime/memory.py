"""How much memory there is for us, so that what does not fit is refused before it is made: a system that has promised
more than it has ends the process without a word."""

import ctypes
import os
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

PROCESSES = Path("/proc")
GROUPS = Path("/sys/fs/cgroup")


def available() -> int | None:
    """Bytes that this process may still take: what the machine has left, and what its container and its own limits
    leave of that. None where the system does not tell."""
    return min((max(found, 0) for found in (*_of_machine(), *_of_group(), *_of_process())), default=None)


def _of_machine() -> Iterator[int]:
    with suppress(OSError, ValueError):
        for line in (PROCESSES / "meminfo").read_text().splitlines():
            if line.startswith("MemAvailable:"):
                yield 1024 * int(line.split()[1])
                return
    if sys.platform == "win32":
        with suppress(AttributeError, OSError):
            yield _of_windows()
        return
    with suppress(AttributeError, OSError, ValueError):  # not what is left, but what there is
        yield os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")


def _of_windows() -> int:
    """What is left, of memory and of what the system may move to the disk for it."""
    status = _MemoryStatus()
    status.length = ctypes.sizeof(status)
    if not ctypes.windll.kernel32.GlobalMemoryStatusEx(ctypes.byref(status)):  # type: ignore[attr-defined, unused-ignore]
        raise OSError("Windows does not tell")
    return min(status.free_memory, status.free_pages)


class _MemoryStatus(ctypes.Structure):
    """MEMORYSTATUSEX, by its documentation: two 32-bit and seven 64-bit numbers, all in bytes but for the load."""

    _fields_ = (
        ("length", ctypes.c_uint32),
        ("load", ctypes.c_uint32),
        ("memory", ctypes.c_uint64),
        ("free_memory", ctypes.c_uint64),
        ("pages", ctypes.c_uint64),
        ("free_pages", ctypes.c_uint64),
        ("addresses", ctypes.c_uint64),
        ("free_addresses", ctypes.c_uint64),
        ("extended", ctypes.c_uint64),
    )


def _of_group() -> Iterator[int]:
    """The limits of the group of processes that a container is, and of those around it."""
    with suppress(OSError, ValueError, IndexError):
        own = next(line for line in (PROCESSES / "self/cgroup").read_text().splitlines() if line.startswith("0::"))
        group = GROUPS / own.split("::", 1)[1].strip("/")
        for folder in (group, *group.parents):
            if not folder.is_relative_to(GROUPS):
                break
            with suppress(OSError, ValueError, StopIteration):
                most = int((folder / "memory.max").read_text())  # "max", which is no number, where there is none
                lines = (folder / "memory.stat").read_text().splitlines()
                idle = next(int(line.split()[1]) for line in lines if line.startswith("inactive_file "))
                yield most - int((folder / "memory.current").read_text()) + idle  # files can be let go


def _of_process() -> Iterator[int]:
    with suppress(ImportError, OSError, ValueError):
        import resource

        most = resource.getrlimit(resource.RLIMIT_AS)[0]
        if most != resource.RLIM_INFINITY:
            taken = int((PROCESSES / "self/statm").read_text().split()[0]) * os.sysconf("SC_PAGE_SIZE")
            yield most - taken
