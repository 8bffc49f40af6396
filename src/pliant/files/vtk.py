"""Legacy VTK files: unstructured grids and polygonal data, text and binary."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from pliant.files import limits
from pliant.files.asset import Asset
from pliant.files.cells import Cells, strips
from pliant.files.numbering import Numbering
from pliant.files.surface import Surface, asset_of
from pliant.files.tets import tet_asset_of
from pliant.runtime.errors import FileError

Array = NDArray[np.float64]
Numbers = NDArray[np.int64]
Lists = tuple[Numbers, Numbers]  # lengths, and all values

VTK_TYPES = {
    "bit": "u1", "unsigned_char": "u1", "char": "i1", "unsigned_short": "u2", "short": "i2", "unsigned_int": "u4",
    "int": "i4", "unsigned_long": "u8", "long": "i8", "float": "f4", "double": "f8", "vtkidtype": "i8",
    "vtktypeint32": "i4", "vtktypeint64": "i8", "vtktypeuint32": "u4", "vtktypeuint64": "u8",
}  # fmt: skip

# Cells by their number in VTK: kind and points. Pixels and voxels are quads and hexahedra in another order, and wedges
# stand on their head.
CELL_TYPES = {
    1: ("point", 1), 3: ("line", 2), 5: ("triangle", 3), 8: ("quad", 4), 9: ("quad", 4), 10: ("tetra", 4),
    11: ("hexahedron", 8), 12: ("hexahedron", 8), 13: ("wedge", 6), 14: ("pyramid", 5), 21: ("line", 3),
    22: ("triangle", 6), 23: ("quad", 8), 24: ("tetra", 10), 25: ("hexahedron", 20), 26: ("wedge", 15),
    27: ("pyramid", 13), 28: ("quad", 9), 29: ("hexahedron", 27), 32: ("wedge", 18), 34: ("triangle", 7),
}  # fmt: skip
WEDGE = [0, 2, 1, 3, 5, 4]
SHUFFLED = {8: [0, 1, 3, 2], 11: [0, 1, 3, 2, 4, 5, 7, 6], 13: WEDGE, 26: WEDGE, 32: WEDGE}
VTK_POINTS, POLYLINE, VTK_STRIP, POLYGON = 2, 4, 6, 7
OLD_LISTS = {"VERTICES": VTK_POINTS, "LINES": POLYLINE, "POLYGONS": POLYGON, "TRIANGLE_STRIPS": VTK_STRIP}


def read(path: Path, sample: Sequence[float] = ()) -> Asset:
    return read_numbered(path)[0]


def read_numbered(path: Path) -> tuple[Asset, Numbering]:
    """The tets, if there are any; else the surface; else the lines. Data on points and cells is left out."""
    file = _File(path)
    cells = Cells()
    for kind, (lengths, values) in file.blocks():
        _sort_in(path, cells, kind, lengths, values)
    return from_cells(path, file.points, cells)


def from_cells(path: Path, positions: Array, cells: Cells) -> tuple[Asset, Numbering]:
    """The most solid thing that the cells make."""
    sizes, corners = cells.faces
    tets, segments = cells.all_tets, cells.all_segments
    notes = list(cells.notes)
    if len(tets):
        if len(sizes) or len(segments):
            notes.append("faces and lines beside the tets were left out; the outside of the tets is drawn")
        return tet_asset_of(path, positions, tets, {}, notes)
    return asset_of(path, Surface(positions, sizes, corners, segments=segments, notes=notes))


def _sort_in(path: Path, cells: Cells, kind: int, lengths: Numbers, values: Numbers) -> None:
    if kind in CELL_TYPES:
        name, points = CELL_TYPES[kind]
        if (lengths != points).any():
            raise FileError(f"{path}: a {name} has {lengths[lengths != points][0]} points; export it again")
        rows = values.reshape(-1, points)
        if kind in SHUFFLED:
            order = SHUFFLED[kind]
            rows = np.concatenate([rows[:, order], rows[:, len(order) :]], axis=1)
        cells.add(name, rows)
    elif kind == POLYGON:
        cells.polygons.append((lengths, values))
    elif kind in (POLYLINE, VTK_STRIP):
        for row in np.split(values, np.cumsum(lengths)[:-1]):
            if kind == POLYLINE:
                cells.segments.append(np.stack([row[:-1], row[1:]], axis=1))
            elif len(row) > 2:
                triangles = strips(row)
                cells.polygons.append((np.full(len(triangles), 3), triangles.ravel()))
    elif kind != VTK_POINTS:
        cells.notes[f"cells of VTK type {kind} were left out"] = None


class _File:
    """The geometry of a file, read from the front; it comes before any data."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.data = path.read_bytes()
        self.at = 0
        self.points: Array = np.zeros((0, 3))
        self.lists: dict[str, Lists] = {}
        self.types: Numbers | None = None
        heading = self._line()
        if not heading.startswith("# vtk DataFile Version"):
            raise self._error("it does not begin as a legacy VTK file does")
        self.new = heading.split()[-1].startswith("5")  # cells as offsets and connectivity
        self._line()  # the title
        form = self._line().strip().upper()
        if form not in ("ASCII", "BINARY"):
            raise self._error("its third line is neither ASCII nor BINARY")
        self.text = form == "ASCII"
        while self._section():
            pass

    def _error(self, what: str) -> FileError:
        return FileError(f"{self.path}: {what}; export it again")

    def _line(self) -> str:
        end = self.data.find(b"\n", self.at)
        end = len(self.data) if end < 0 else end
        line, self.at = self.data[self.at : end], end + 1
        return line[:1000].decode("latin-1")

    def _section(self) -> bool:
        """Reads the next section; whether there may be another one."""
        words: list[str] = []
        while not words:
            if self.at >= len(self.data):
                return False
            words = self._line().split()
        key = words[0].upper()
        try:
            if key == "DATASET":
                self._dataset(words[1].upper())
            elif key == "POINTS":
                count = limits.check(self.path, "vertices", int(words[1]), limits.MOST_VERTICES)
                self.points = self._numbers(3 * count, words[2]).astype(np.float64).reshape(-1, 3)
            elif key == "CELLS" or key in OLD_LISTS:
                self.lists[key] = self._cell_lists(int(words[1]), int(words[2]))
            elif key == "CELL_TYPES":
                self.types = self._numbers(int(words[1]), "int").astype(np.int64)
            elif key == "METADATA":
                while self._line().strip():
                    pass
            elif key == "FIELD":
                self._skip_field(int(words[2]))
            else:
                if key not in ("POINT_DATA", "CELL_DATA"):
                    raise self._error(f"its section {key[:40]!r} is not understood")
                return False
        except (IndexError, KeyError, ValueError, OverflowError) as error:
            if isinstance(error, FileError):
                raise
            raise self._error(f"its section {key[:40]} is not understood") from None
        return True

    def _dataset(self, kind: str) -> None:
        if kind not in ("UNSTRUCTURED_GRID", "POLYDATA"):
            raise FileError(
                f"{self.path}: it holds {kind[:40]!r}; give an unstructured grid or polygonal data (in ParaView, the "
                f"filter Tetrahedralize makes one)"
            )

    def _numbers(self, count: int, name: str) -> NDArray[np.float64] | Numbers:
        """The next so many numbers, of a type that VTK calls by this name; binary ones are big-endian."""
        dtype = np.dtype(">" + VTK_TYPES[name.lower()])
        left = len(self.data) - self.at
        if count < 0 or count * (1 if self.text else dtype.itemsize) > left:
            raise self._error("it ends before its numbers do")
        if not self.text:
            values = np.frombuffer(self.data, dtype, count, self.at)
            self.at += count * dtype.itemsize
            return values
        words: list[bytes] = []
        while len(words) < count:
            if self.at >= len(self.data):
                raise self._error("it ends before its numbers do")
            end = self.data.find(b"\n", self.at)
            end = len(self.data) if end < 0 else end
            words += self.data[self.at : end].split()
            self.at = end + 1
        if len(words) > count:
            raise self._error("it has more numbers in a section than it tells")
        if dtype.kind == "f":
            return np.array(list(map(float, words)))
        return np.array(list(map(int, words)), dtype=np.int64)

    def _cell_lists(self, count: int, size: int) -> Lists:
        if self.new and self.data[self.at : self.at + 7].upper() == b"OFFSETS":
            offsets = self._numbers(count, self._line().split()[1]).astype(np.int64)
            heading = self._line().split() or self._line().split()  # binary numbers end with a line of their own
            if heading[0].upper() != "CONNECTIVITY":
                raise self._error("its cells have no connectivity")
            values = self._numbers(size, heading[1]).astype(np.int64)
            lengths = np.diff(offsets)
            if count and (offsets[0] != 0 or offsets[-1] != size or (lengths < 0).any()):
                raise self._error("the offsets of its cells do not fit")
            return lengths, values
        return self._counted(self._numbers(size, "int").astype(np.int64), count)

    def _counted(self, flat: Numbers, count: int) -> Lists:
        """Lists that are each headed by their length."""
        if count == 0 and len(flat) == 0:
            return flat, flat
        step = int(flat[0]) + 1
        if step > 0 and count * step == len(flat) and (flat[::step] == step - 1).all():
            return np.full(count, step - 1), flat.reshape(count, step)[:, 1:].ravel()
        heads, at, numbers = [], 0, flat.tolist()
        while at < len(numbers):
            heads.append(at)
            if numbers[at] < 0:
                break
            at += numbers[at] + 1
        if at != len(numbers) or len(heads) != count:
            raise self._error("the lengths of its cells do not fit")
        return flat[heads], np.delete(flat, heads)

    def _skip_field(self, arrays: int) -> None:
        for _ in range(arrays):
            words = self._line().split() or self._line().split()
            self._numbers(int(words[1]) * int(words[2]), words[3])

    def blocks(self) -> list[tuple[int, Lists]]:
        """Cells by their number in VTK."""
        blocks = [(kind, self.lists[name]) for name, kind in OLD_LISTS.items() if name in self.lists]
        if "CELLS" not in self.lists:
            return [(kind, lists) for kind, lists in blocks if len(lists[0])]
        lengths, values = self.lists["CELLS"]
        if self.types is None or len(self.types) != len(lengths):
            raise self._error("its cells and their types do not fit")
        for kind in np.unique(self.types).tolist():
            chosen = self.types == kind
            blocks.append((int(kind), (lengths[chosen], values[np.repeat(chosen, lengths)])))
        return [(kind, lists) for kind, lists in blocks if len(lists[0])]
