"""A process that reads one file after the other, for the fuzz tests: `python fuzz_worker.py MEGABYTES`.

A line with a path and "whole" or "inner" comes in, a line of JSON goes out. It may not take more memory than told, and
what is printed while a file is read is told, too. "inner" reads USD here rather than in yet another process.
"""

import json
import os
import resource
import signal
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from typing import Any


def main(megabytes: int) -> None:
    answers = os.fdopen(os.dup(1), "w")
    printed = tempfile.TemporaryFile()  # noqa: SIM115
    os.dup2(printed.fileno(), 1)
    os.dup2(printed.fileno(), 2)
    warm_up()
    pages = int(Path("/proc/self/statm").read_text().split()[0]) if Path("/proc/self/statm").exists() else 0
    if pages:
        most = pages * os.sysconf("SC_PAGE_SIZE") + megabytes * 1_000_000
        resource.setrlimit(resource.RLIMIT_AS, (most, resource.getrlimit(resource.RLIMIT_AS)[1]))
    print(json.dumps({"ready": True}), file=answers, flush=True)
    for line in sys.stdin:
        path, how = line.rstrip("\n").split("\t")
        before = peak(anew=True)
        answer = read(Path(path), how)
        grown = (peak() - before) / 1000
        printed.seek(0)
        answer |= {"printed": printed.read().decode(errors="replace"), "megabytes": grown}
        printed.seek(0)
        printed.truncate()
        print(json.dumps(answer), file=answers, flush=True)


def peak(anew: bool = False) -> int:
    """The most memory in use (kB) so far; `anew`: since now, so that one large file does not hide the next."""
    status = Path("/proc/self/status")
    if not status.exists():
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    if anew:
        with suppress(OSError):
            Path("/proc/self/clear_refs").write_text("5")
    return int(next(line for line in status.read_text().splitlines() if line.startswith("VmHWM")).split()[1])


def warm_up() -> None:
    import pliant.files.body_npz
    import pliant.files.gltf
    import pliant.files.msh
    import pliant.files.obj
    import pliant.files.ply
    import pliant.files.siblings
    import pliant.files.stl
    import pliant.files.tetgen  # noqa: F401


# What a reader may not do; that it would be seen is tested, too.
MISDEEDS = {
    "raise": lambda: [][0],
    "exit": lambda: sys.exit("no"),
    "print": lambda: os.write(2, b"hello"),
    "die": lambda: os.kill(os.getpid(), signal.SIGSEGV),
    "hang": lambda: time.sleep(600),
    "take": lambda: bytearray(b"x") * 800_000_000,
    "take more": lambda: bytearray(4_000_000_000),
}


def read(path: Path, how: str) -> dict[str, Any]:
    from pliant.files.reading import read_asset
    from pliant.runtime.errors import PliantError

    try:
        if how in MISDEEDS:
            MISDEEDS[how]()
        if how == "inner":
            from pliant.files.usd.child import answer

            found = answer(path, [])
            if isinstance(found, str):
                return {"error": found}
        else:
            found = read_asset(path)
    except PliantError as error:
        return {"error": str(error)}
    except BaseException as error:
        return {"fault": f"{type(error).__name__}: {error}"}
    return {"asset": [len(found.vertices), len(found.faces), len(found.poses)]}


if __name__ == "__main__":
    main(int(sys.argv[1]))
