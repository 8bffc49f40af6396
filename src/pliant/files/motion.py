"""An animation in a file: when something moves in it, and where some vertices are at many moments."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from pliant.files.asset import Asset
from pliant.files.reading import ANIMATED, guarded, read_asset, reader_module
from pliant.runtime.errors import FileError

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Motion:
    """asset: what the file shows at rest. first, last (s): from when to when something moves."""

    asset: Asset
    first: float
    last: float

    def times(self, fps: float, most: int) -> Array:
        """Moments (s) from the first to the last, `fps` of them a second, or fewer so that they are at most `most`.
        They are whole microseconds, so that a name with its digits finds each again."""
        count = min(int(np.floor((self.last - self.first) * fps + 1e-6)) + 1, most)
        return np.unique(np.round(np.linspace(self.first, self.last, max(count, 2)), 6))

    def places(self, times: Array, rows: NDArray[np.intp]) -> Array:
        """(T, R, 3) m: where some vertices of the asset are at these times."""
        path = self.asset.source
        found: Array = guarded(path, lambda: reader_module(path).places(path, times.tolist(), rows))
        if not np.isfinite(found).all():
            raise FileError(f"{path}: its animation takes a vertex beyond all numbers; export it again")
        return found


def read_motion(path: str | Path) -> Motion:
    """The animation of a file, with the mesh that it moves."""
    path = Path(path)
    asset = read_asset(path)
    if path.suffix.lower() not in ANIMATED:
        raise FileError(f"{path}: {path.suffix.lower()} files have no animation; give a .glb or .usd file")
    span = guarded(path, lambda: reader_module(path).span(path))
    if span is None or span[1] <= span[0]:
        raise FileError(f"{path}: nothing in it moves over time; export it with its animation")
    return Motion(asset, *span)
