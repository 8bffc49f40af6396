"""STL: loose triangles, welded where their corners are exactly the same."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from pliant.files.asset import Asset
from pliant.files.limits import MOST_ELEMENTS, check
from pliant.files.numbering import Numbering, first_of_equal_rows, outlines
from pliant.files.surface import Surface, Tag, asset_of, check_points
from pliant.runtime.errors import FileError

Array = NDArray[np.float64]
Numbers = NDArray[np.int64]

MOST_SOLIDS = 1000
TRIANGLE = np.dtype([("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("attribute", "<u2")])


def read(path: Path, sample: Sequence[float] = ()) -> Asset:
    return read_numbered(path)[0]


def read_numbered(path: Path) -> tuple[Asset, Numbering]:
    """The welded surface. Its own numbers are those of the loose corners, so that a pose may bring two corners
    together without being taken for another mesh."""
    corners, solids, names, whole = _soup(path)
    check_points(path, corners)
    firsts, welded = np.unique(first_of_equal_rows(corners), return_inverse=True)
    surface = Surface(corners[firsts], np.full(len(corners) // 3, 3), welded)
    if not whole:
        surface.notes.append("the file does not end as it should, with endsolid: it may be cut off")
    if 1 < len(names) <= MOST_SOLIDS:
        surface.tags = solids
        surface.kinds = [Tag(part=name, groups=(name,)) for name in names]
    asset, numbering = asset_of(path, surface)
    return asset, Numbering(corners, firsts[numbering.origin], lambda: outlines(surface.sizes, firsts[welded]))


def read_numbering(path: Path) -> Numbering:
    """The loose corners: what a file that gives a pose is needed for."""
    corners = _soup(path)[0]
    check_points(path, corners)
    return Numbering(corners, np.arange(len(corners)))


def _soup(path: Path) -> tuple[Array, Numbers, list[str], bool]:
    """Corners (3 F, 3), the solid (F,) each triangle belongs to, the names of the solids, whether the file is whole."""
    data = path.read_bytes()
    count = int.from_bytes(data[80:84], "little")
    if len(data) >= 84 and len(data) == 84 + TRIANGLE.itemsize * count:  # also if it begins with "solid": some do
        pass
    elif data[:512].lstrip()[:5].lower() == b"solid" and b"facet" in data[:4096].lower():
        return _text(path, data)
    elif len(data) < 84 + TRIANGLE.itemsize * count:
        raise FileError(
            f"{path}: a binary STL of {count:,} triangles has {84 + TRIANGLE.itemsize * count:,} bytes, this one "
            f"{len(data):,}; it is cut off, export it again"
        )
    if count == 0:
        raise FileError(f"{path}: there is no triangle in it; export a mesh with faces")
    check(path, "triangles", count, MOST_ELEMENTS)
    triangles = np.frombuffer(data, TRIANGLE, count, 84)
    return triangles["corners"].reshape(-1, 3).astype(np.float64), np.zeros(count, np.int64), [""], True


def _text(path: Path, data: bytes) -> tuple[Array, Numbers, list[str], bool]:
    values: list[bytes] = []
    solids: list[int] = []
    names: list[str] = []
    for number, line in enumerate(data.splitlines(), 1):
        words = line.split()
        key = words[0].lower() if words else b""
        if key == b"vertex":
            if len(words) != 4:
                raise FileError(f"{path}: line {number}: a vertex has three numbers; export it again")
            values += words[1:]
        elif key == b"endfacet":
            if len(values) != 9 * (len(solids) + 1):
                raise FileError(f"{path}: line {number}: a facet has three vertices; export it again")
            solids.append(max(len(names) - 1, 0))
        elif key == b"solid":
            name = line.strip()[5:].decode("utf-8", errors="replace").strip()
            names.append(_unused(name or f"solid {len(names) + 1}", names))
    if not solids or len(values) != 9 * len(solids):
        raise FileError(f"{path}: there is no whole triangle in it; export it again")
    try:
        corners = np.array(list(map(float, values))).reshape(-1, 3)
    except ValueError as error:
        raise FileError(f"{path}: among its numbers is {str(error)[-40:]}; export it again") from None
    return corners, np.array(solids), names or [""], b"endsolid" in data[-1000:].lower()


def _unused(name: str, names: list[str]) -> str:
    """Two solids may have the same name; their parts may not."""
    return name if name not in names[-64:] else f"{name} {len(names) + 1}"
