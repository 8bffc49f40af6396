"""Gmsh .msh files, versions 2 and 4, text and binary: tets, or a surface; physical groups become groups."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from pliant.files.asset import Asset
from pliant.files.cells import Cells
from pliant.files.msh_body import Msh, parse
from pliant.files.numbering import Numbering
from pliant.files.vtk import from_cells
from pliant.runtime.errors import FileError

Numbers = NDArray[np.int64]

# Elements by their number in Gmsh: kind and points.
ELEMENT_TYPES = {
    1: ("line", 2), 2: ("triangle", 3), 3: ("quad", 4), 4: ("tetra", 4), 5: ("hexahedron", 8), 6: ("wedge", 6),
    7: ("pyramid", 5), 8: ("line", 3), 9: ("triangle", 6), 10: ("quad", 9), 11: ("tetra", 10),
    12: ("hexahedron", 27), 13: ("wedge", 18), 14: ("pyramid", 14), 15: ("point", 1), 16: ("quad", 8),
    17: ("hexahedron", 20), 18: ("wedge", 15), 19: ("pyramid", 13), 20: ("triangle", 9), 21: ("triangle", 10),
    22: ("triangle", 12), 23: ("triangle", 15), 24: ("triangle", 15), 25: ("triangle", 21), 26: ("line", 4),
    27: ("line", 5), 28: ("line", 6), 29: ("tetra", 20), 30: ("tetra", 35), 31: ("tetra", 56), 36: ("quad", 16),
    92: ("hexahedron", 64),
}  # fmt: skip
DIMENSIONS = {"point": 0, "line": 1, "triangle": 2, "quad": 2, "tetra": 3, "hexahedron": 3, "wedge": 3, "pyramid": 3}
MOST_GROUPS = 1000


def read(path: Path, sample: Sequence[float] = ()) -> Asset:
    return read_numbered(path)[0]


def read_numbered(path: Path) -> tuple[Asset, Numbering]:
    """The tets, if there are any; else the surface; else the lines."""
    msh = parse(path, {number: points for number, (_, points) in ELEMENT_TYPES.items()})
    order = np.argsort(msh.tags, kind="stable")
    cells = Cells()
    members: dict[str, list[Numbers]] = {}
    for block in msh.blocks:
        kind = ELEMENT_TYPES[block.type][0]
        points = _places(path, msh, order, block.points)
        cells.add(kind, points)
        for label in block.physical:
            name = _name(msh, DIMENSIONS[kind], label)
            if name and (name in members or len(members) < MOST_GROUPS):
                members.setdefault(name, []).append(points.ravel())
    asset, numbering = from_cells(path, msh.positions, cells)
    groups = {}
    for name, lists in members.items():
        inside = np.flatnonzero(np.isin(numbering.origin, np.concatenate(lists)))
        if len(inside):
            groups[name] = inside.astype(np.int32)
    return replace(asset, groups=groups), numbering


def _name(msh: Msh, dimension: int, label: int) -> str:
    """What a physical group is called; the number 0 means none."""
    return msh.names.get((dimension, label), f"physical {label}" if label else "")


def _places(path: Path, msh: Msh, order: Numbers, tags: Numbers) -> Numbers:
    """Which node has a tag; tags may leave numbers out, and come in any order, which `order` puts right."""
    ranked = msh.tags[order]
    at = np.searchsorted(ranked, tags)
    missing = np.append(ranked, -1)[at] != tags
    if missing.any():
        raise FileError(f"{path}: an element names node {tags[missing][0]}, which is not in it; save it again")
    return order[at]
