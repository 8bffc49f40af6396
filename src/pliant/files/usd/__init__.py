"""Universal Scene Description: .usd, .usda, .usdc and .usdz in and out, by the extra `usd`.

Files are read in a process of their own (`apart.py`), because a damaged one can make the USD library take all memory.
"""

from collections.abc import Callable, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from pliant.runtime.errors import FileError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from pliant.files.asset import Asset
    from pliant.files.take import Take

__all__ = ["places", "read", "span", "write"]

TIMES_AT_ONCE = 200  # moments that the child answers in one go


def read(path: Path, sample: Sequence[float] = ()) -> "Asset":
    """What a USD stage shows. `sample`: times in seconds at which its animation becomes a pose, "at 1.25 s"."""
    from pliant.files.usd.apart import read_apart

    _have_library(Path(path))
    return read_apart(Path(path), sample)


def span(path: Path) -> "tuple[float, float] | None":
    """From when to when (s) something moves; None if nothing does."""
    return read(path).span


def places(path: Path, times: Sequence[float], rows: "NDArray[np.intp]") -> "NDArray[np.float64]":
    """(T, R, 3): where some vertices of the asset are at these times (s)."""
    import numpy as np

    found = np.empty((len(times), len(rows), 3))
    for first in range(0, len(times), TIMES_AT_ONCE):
        part = times[first : first + TIMES_AT_ONCE]
        poses = read(path, part).poses
        for number, time in enumerate(part, first):
            found[number] = poses[f"at {time:g} s"][rows]
    return found


def write(take: "Take", path: Path, *, progress: Callable[[int, int], None] | None = None) -> None:
    """A stage with a mesh for each actor, moving; .usd is written as .usdc is. Pictures lie in a folder beside the
    file, or in the file if it is a .usdz."""
    _have_library(Path(path))
    from pliant.files.usd.writer import write_stage

    write_stage(take, Path(path), progress)


def _have_library(path: Path) -> None:
    if find_spec("pxr") is None:
        raise FileError(f'{path}: USD files need the USD library; pip install "pliant[usd]"')
