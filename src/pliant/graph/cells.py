"""The cells that shares are made of: the elements of a body, cut until there are many more of them than particles."""

from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array, eye_array, vstack
from scipy.sparse.csgraph import connected_components

from pliant.body.body import Body
from pliant.geometry.measures import element_volumes

Array = NDArray[np.float64]
Indices = NDArray[np.integer[Any]]

# The cut of a simplex at the middles of its edges, as pairs of corners (a pair of equal ones is the corner itself).
CUTS = {
    2: [[(0, 0), (0, 1)], [(0, 1), (1, 1)]],
    3: [
        [(0, 0), (0, 1), (0, 2)],
        [(0, 1), (1, 1), (1, 2)],
        [(0, 2), (1, 2), (2, 2)],
        [(0, 1), (1, 2), (0, 2)],
    ],
    4: [
        [(0, 0), (0, 1), (0, 2), (0, 3)],
        [(0, 1), (1, 1), (1, 2), (1, 3)],
        [(0, 2), (1, 2), (2, 2), (2, 3)],
        [(0, 3), (1, 3), (2, 3), (3, 3)],
        # the octahedron in the middle, round its diagonal from 02 to 13
        [(0, 2), (1, 3), (0, 1), (1, 2)],
        [(0, 2), (1, 3), (1, 2), (2, 3)],
        [(0, 2), (1, 3), (2, 3), (0, 3)],
        [(0, 2), (1, 3), (0, 3), (0, 1)],
    ],
}


@dataclass(frozen=True, eq=False)
class SimplexCells:
    """M simplices with K corners each, which fill the body.

    points (Q, 3) m = weights (Q, V) @ the source's particles, in any pose; corners (M, K) of points; elements (M,):
    the element of the source that each is cut from; volumes (M,) m^3; touching (T, 2): cells that have a side in
    common, then such as merely meet in a corner where nothing else holds the body together; sides (T,): the size of
    that side (m^2, m or 1), 0 for those corners.
    """

    points: Array
    weights: csr_array
    corners: Indices
    elements: Indices
    volumes: Array
    touching: Indices
    sides: Array

    @cached_property
    def centres(self) -> Array:
        """(M, 3) m."""
        return self.points[self.corners].mean(axis=1)

    @cached_property
    def inertia(self) -> float:
        """m^5: the sum of volume times squared distance from the origin."""
        return float(self.volumes @ np.einsum("mj,mj->m", self.centres, self.centres))

    @property
    def area(self) -> float:
        """m^2, of a shell."""
        a, b, c = (self.points[self.corners[:, k]] for k in range(3))
        return float(np.linalg.norm(np.cross(b - a, c - a), axis=1).sum()) / 2

    @cached_property
    def neighbours(self) -> Indices:
        """(M, most) the cells that touch each, -1 where there are no more."""
        pairs = np.concatenate([self.touching, self.touching[:, ::-1]])
        pairs = pairs[np.argsort(pairs[:, 0], kind="stable")]
        counts = np.bincount(pairs[:, 0], minlength=len(self.corners))
        place = np.arange(len(pairs)) - np.repeat(np.cumsum(counts) - counts, counts)
        table = np.full((len(self.corners), max(1, int(counts.max(initial=0)))), -1)
        table[pairs[:, 0], place] = pairs[:, 1]
        return table

    @cached_property
    def edges(self) -> csr_array:
        """(Q, Q) m: the lengths of the edges between points, a graph to walk along inside the body."""
        k = self.corners.shape[1]
        pairs = np.unique(
            np.sort(np.concatenate([self.corners[:, [a, b]] for a, b in combinations(range(k), 2)])), axis=0
        )
        lengths = np.linalg.norm(self.points[pairs[:, 0]] - self.points[pairs[:, 1]], axis=1)
        return symmetric(pairs, lengths, len(self.points))


def cells_of(body: Body, wanted: int) -> SimplexCells:
    """The elements of a body, all cut in the same way until there are at least as many as wanted.

    Cells of a finer cut follow in the order of those they are cut from, equally many of each.
    """
    corners: Indices = body.elements.astype(np.int64)
    weights = csr_array(eye_array(len(body.rest), format="csr"))
    while len(corners) < wanted:
        corners, weights = _cut(corners, weights)
    elements = np.repeat(np.arange(len(body.elements)), len(corners) // len(body.elements))
    points = weights @ body.rest
    touching, sides = _touching(points, corners)
    volumes = element_volumes(points, corners.astype(np.int32), body.thickness)
    return SimplexCells(points, weights, corners, elements, volumes, touching, sides)


def summed(owners: Indices, values: Array, count: int) -> Array:
    """(count,) the sum of the values of each owner."""
    return np.bincount(owners, values, minlength=count).astype(np.float64)


def symmetric(pairs: Indices, values: Array, count: int) -> csr_array:
    """(count, count) with each value at both places of its pair."""
    both = np.concatenate([pairs, pairs[:, ::-1]])
    return csr_array((np.tile(values, 2), (both[:, 0], both[:, 1])), shape=(count, count))


def pieces(pairs: Indices, count: int) -> Indices:
    """(count,) the number of the connected piece of each of `count` things, joined in pairs."""
    return connected_components(symmetric(pairs, np.ones(len(pairs)), count), directed=False)[1].astype(np.int64)


def _cut(corners: Indices, weights: csr_array) -> tuple[Indices, csr_array]:
    """Every simplex into 2, 4 or 8 of equal size; neighbours share the middles of their common edges."""
    k, before = corners.shape[1], weights.shape[0]
    ends = list(combinations(range(k), 2))
    edges = np.sort(np.concatenate([corners[:, pair] for pair in ends]), axis=1)
    keys, middle = np.unique(edges[:, 0] * before + edges[:, 1], return_inverse=True)
    number = {pair: before + middle.reshape(len(ends), -1)[i] for i, pair in enumerate(ends)}
    number |= {(a, a): corners[:, a] for a in range(k)}
    parts = np.stack([np.stack([number[pair] for pair in part], axis=1) for part in CUTS[k]], axis=1)
    halves = weights[keys // before] * 0.5 + weights[keys % before] * 0.5
    return parts.reshape(-1, k), csr_array(vstack([weights, halves], format="csr"))


def _touching(points: Array, corners: Indices) -> tuple[Indices, Array]:
    k, count = corners.shape[1], len(corners)
    sides = np.sort(np.concatenate([np.delete(corners, a, axis=1) for a in range(k)]), axis=1)
    owners = np.tile(np.arange(count), k)
    order = np.lexsort(sides.T)
    sides, owners = sides[order], owners[order]
    same = (sides[1:] == sides[:-1]).all(axis=1)
    pairs, rows = np.stack([owners[:-1][same], owners[1:][same]], axis=1), sides[1:][same]
    sizes = _sizes(points[rows])
    hinges = _hinges(corners, pairs, len(points))
    return np.concatenate([pairs, hinges]), np.concatenate([sizes, np.zeros(len(hinges))])


def _sizes(sides: Array) -> Array:
    if sides.shape[1] == 1:
        return np.ones(len(sides))
    along = sides[:, 1:] - sides[:, :1]
    if sides.shape[1] == 2:
        return np.linalg.norm(along[:, 0], axis=1)
    return np.linalg.norm(np.cross(along[:, 0], along[:, 1]), axis=1) / 2


def _hinges(corners: Indices, pairs: Indices, count: int) -> Indices:
    """Pairs of cells that meet in a point while no path over common sides joins them."""
    piece = pieces(pairs, len(corners))
    if piece.max(initial=0) == 0:
        return np.empty((0, 2), np.int64)
    cells = np.repeat(np.arange(len(corners)), corners.shape[1])
    keys, first = np.unique(corners.ravel() * (piece.max() + 1) + piece[cells], return_index=True)
    at, cells = keys // (piece.max() + 1), cells[first]
    shared = at[1:] == at[:-1]
    return np.stack([cells[:-1][shared], cells[1:][shared]], axis=1)
