"""TetGen: points in a .node file, tets in an .ele file of the same name."""

from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from pliant.files.asset import Asset
from pliant.files.limits import MOST_ELEMENTS, MOST_VERTICES, check
from pliant.files.numbering import Numbering
from pliant.files.surface import check_points
from pliant.files.tets import tet_asset_of
from pliant.runtime.errors import FileError

Array = NDArray[np.float64]

MOST_MARKERS = 100


def read(path: Path, sample: Sequence[float] = ()) -> Asset:
    return read_numbered(path)[0]


def read_numbered(path: Path) -> tuple[Asset, Numbering]:
    """The tets; either file may be named. Points with the same boundary marker and tets with the same attribute are
    groups: "marker 1", "region 2". A .face file is not needed."""
    nodes, elements = (_beside(path, ending) for ending in (".node", ".ele"))
    positions, markers, first = _nodes(nodes)
    rows = _rows(elements, MOST_ELEMENTS, "tets")
    _, counts = next(rows)
    corners = int(counts[1]) if len(counts) > 1 else 4
    if corners not in (4, 10):
        raise FileError(f"{elements}: its tets have {corners} nodes; TetGen writes 4, or 10 for curved ones")
    table = _table(elements, rows, int(counts[0]), 1 + corners)
    tets = table[:, 1:5].astype(np.int64) - first
    notes = []
    if corners == 10:
        notes.append("curved tets were straightened: the nodes between their corners were left out")
    groups = _groups("marker", markers, np.arange(len(positions))[:, None])
    if table.shape[1] > 1 + corners:
        inside = ((tets >= 0) & (tets < len(positions))).all(axis=1)
        groups |= _groups("region", table[inside, 1 + corners], tets[inside])
    return tet_asset_of(nodes.with_suffix(path.suffix), positions, tets, groups, notes)


def read_numbering(path: Path) -> Numbering:
    """The points of a .node file: a pose needs no tets."""
    positions, _, _ = _nodes(path.with_suffix(".node") if path.suffix.lower() == ".ele" else path)
    check_points(path, positions, "node {}".format)
    return Numbering(positions, np.arange(len(positions)))


def _beside(path: Path, ending: str) -> Path:
    if path.suffix.lower() == ending:
        return path
    for other in (path.with_suffix(ending), path.with_suffix(ending.upper())):
        if other.is_file():
            return other
    missing = path.with_suffix(ending).name
    raise FileError(f"{path}: {missing} is missing beside it; TetGen writes both, keep them together")


def _nodes(path: Path) -> tuple[Array, Array, int]:
    """Positions (P, 3), boundary markers (P,), and the number that the first point has: 0 or 1."""
    rows = _rows(path, MOST_VERTICES, "nodes")
    number, counts = next(rows)
    dimension = int(counts[1]) if len(counts) > 1 else 3
    if dimension != 3:
        raise FileError(f"{path}: line {number}: its nodes have {dimension} coordinates; give a mesh in space")
    attributes = int(counts[2]) if len(counts) > 2 else 0
    table = _table(path, rows, int(counts[0]), 4)
    if len(table) == 0:
        raise FileError(f"{path}: there is no node in it; export it again")
    first = int(table[0, 0])
    if first not in (0, 1) or (table[:, 0] != first + np.arange(len(table))).any():
        raise FileError(f"{path}: its nodes are not numbered one by one from 0 or 1; export it again")
    column = 4 + attributes
    marked = len(counts) > 3 and counts[3] == 1 and table.shape[1] > column >= 4
    return table[:, 1:4], table[:, column] if marked else np.zeros(len(table)), first


def _rows(path: Path, most: int, what: str) -> Iterator[tuple[int, list[float]]]:
    """Numbers of a line and the line's own number; comments begin with #. The first line tells how many follow."""
    with open(path, "rb") as file:
        first = True
        for number, line in enumerate(file, 1):
            words = line.partition(b"#")[0].split()
            if not words:
                continue
            try:
                row = list(map(float, words))
                if first:
                    check(path, what, int(row[0]), most)
                    row = [float(int(value)) for value in row]
            except (ValueError, OverflowError) as error:
                if isinstance(error, FileError):
                    raise
                wrong = f"line {number}: these are not the numbers of {what}"
                raise FileError(f"{path}: {wrong}; export it again") from None
            first = False
            yield number, row
    if first:
        raise FileError(f"{path}: there is nothing in it; export it again")


def _table(path: Path, rows: Iterator[tuple[int, list[float]]], count: int, least: int) -> Array:
    """(count, at least `least`) numbers."""
    table: list[list[float]] = []
    width = 0
    for number, row in rows:
        if len(table) == count:
            break
        if not table:
            width = len(row)
        if len(row) < least or len(row) != width:
            raise FileError(f"{path}: line {number}: {len(row)} numbers, {max(least, width)} expected; export it again")
        table.append(row)
    if len(table) < count:
        raise FileError(f"{path}: it ends after {len(table):,} of {count:,} rows; export it again")
    return np.array(table).reshape(-1, max(width, least))


def _groups(noun: str, labels: Array, points: NDArray[np.int64]) -> dict[str, NDArray[np.int64]]:
    """Points (n, k) by their label (n,); 0 is no label, and hundreds of labels are no groups."""
    values = [value for value in np.unique(labels) if value != 0 and np.isfinite(value)]
    if not 0 < len(values) <= MOST_MARKERS:
        return {}
    return {f"{noun} {value:g}": np.unique(points[labels == value]) for value in values}
