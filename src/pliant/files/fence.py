"""Folders of files that strangers gave: what is read from there may lead to nothing outside.

An asset names others: pictures, materials, layers. A file of one's own may name whatever it likes, but one that came
through a page must not bring in files of the machine.
"""

import os
from pathlib import Path

INHERITED = "PLIANT_FENCES"  # for processes that read files for us
_fences: set[Path] = {Path(each) for each in os.environ.get(INHERITED, "").split(os.pathsep) if each}


def put_fence(folder: Path) -> None:
    """From now on files in a folder lead only to files in it."""
    _fences.add(folder.resolve())


def remove_fence(folder: Path) -> None:
    _fences.discard(folder.resolve())


def may_reach(file: Path, other: Path) -> bool:
    """Whether a file that is being read may bring in another one."""
    try:
        reading, wanted = file.resolve(), other.resolve()
    except (OSError, RuntimeError, ValueError):  # links that go round, names that no file can have
        return False
    return all(wanted.is_relative_to(fence) for fence in tuple(_fences) if reading.is_relative_to(fence))


def inherited() -> dict[str, str]:
    """The environment variable that tells another process about the fences."""
    return {INHERITED: os.pathsep.join(map(str, sorted(_fences)))}
