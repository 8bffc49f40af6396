"""Cells of simulation meshes, whatever their kind: what of them is a tet, a face or a segment."""

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.int64]

# How many points of a kind are corners; they come first. Others lie on curved edges and sides.
CELL_CORNERS = {"point": 1, "line": 2, "triangle": 3, "quad": 4, "tetra": 4, "hexahedron": 8, "wedge": 6, "pyramid": 5}

# The sides of solid cells, counter-clockwise from outside, their corners numbered as Gmsh numbers them.
CELL_SIDES = {
    "hexahedron": ((0, 3, 2, 1), (4, 5, 6, 7), (0, 1, 5, 4), (1, 2, 6, 5), (2, 3, 7, 6), (3, 0, 4, 7)),
    "wedge": ((0, 2, 1), (3, 4, 5), (0, 1, 4, 3), (1, 2, 5, 4), (2, 0, 3, 5)),
    "pyramid": ((0, 3, 2, 1), (0, 1, 4), (1, 2, 4), (2, 3, 4), (3, 0, 4)),
}


@dataclass
class Cells:
    """What has been found: tets (T, 4), polygons as lists of (sizes, corners), segments (S, 2), and notes."""

    tets: list[Numbers] = field(default_factory=list)
    polygons: list[tuple[Numbers, Numbers]] = field(default_factory=list)
    segments: list[Numbers] = field(default_factory=list)
    notes: dict[str, None] = field(default_factory=dict)

    def add(self, kind: str, points: Numbers) -> None:
        """Cells (N, k) of one kind; only the corners of curved ones are kept."""
        corners = points[:, : CELL_CORNERS[kind]]
        if points.shape[1] > corners.shape[1]:
            self.notes[f"curved {kind} cells were straightened: the points between their corners were left out"] = None
        if kind == "tetra":
            self.tets.append(corners)
        elif kind in CELL_SIDES:
            self.notes[f"{kind} cells were cut into tets"] = None
            self.tets.append(cut(kind, corners))
        elif kind == "line":
            self.segments.append(corners)
        elif kind != "point":
            self.polygons.append((np.full(len(corners), corners.shape[1]), corners.ravel()))

    @property
    def faces(self) -> tuple[Numbers, Numbers]:
        """Sizes (F,) and corners (C,) of all polygons."""
        none = np.zeros(0, np.int64)
        return (
            np.concatenate([sizes for sizes, _ in self.polygons] or [none]),
            np.concatenate([corners for _, corners in self.polygons] or [none]),
        )

    @property
    def all_tets(self) -> Numbers:
        return np.concatenate(self.tets or [np.zeros((0, 4), np.int64)])

    @property
    def all_segments(self) -> Numbers:
        return np.concatenate(self.segments or [np.zeros((0, 2), np.int64)])


def cut(kind: str, cells: Numbers) -> Numbers:
    """Tets (T, 4) of solid cells (N, k), right-handed if the cells are as Gmsh has them.

    From the smallest number among its corners a cell is seen as a fan of tets over the sides that do not touch it, and
    a side with four corners is cut from its own smallest. So neighbours cut the side they share alike [Dompierre+99].

    >>> len(cut("hexahedron", np.arange(8)[None]))
    6
    """
    tets = []
    smallest = cells.argmin(axis=1)
    for apex in range(cells.shape[1]):
        chosen = cells[smallest == apex]
        for side in CELL_SIDES[kind]:
            if apex not in side and len(chosen):
                tets.append(_over(chosen[:, apex], chosen[:, list(side)]))
    return np.concatenate(tets) if tets else np.zeros((0, 4), np.int64)


def _over(apex: Numbers, side: Numbers) -> Numbers:
    if side.shape[1] == 3:
        return np.concatenate([apex[:, None], side], axis=1)
    rounds = (side.argmin(axis=1)[:, None] + np.arange(4)) % 4
    a, b, c, d = np.take_along_axis(side, rounds, axis=1).T
    return np.concatenate([np.stack([apex, a, b, c], axis=1), np.stack([apex, a, c, d], axis=1)])


def strips(points: Numbers) -> Numbers:
    """Triangles (M, 3) of a strip of points."""
    k = np.arange(len(points) - 2)
    odd = k % 2
    return np.stack([points[k], points[k + 1 + odd], points[k + 2 - odd]], axis=1)
