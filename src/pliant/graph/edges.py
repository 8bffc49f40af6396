"""Edges of the graph: where shares touch."""

import numpy as np
from numpy.typing import NDArray

from pliant.graph.cells import Indices, SimplexCells, pieces, summed
from pliant.graph.sides import sides_of

Array = NDArray[np.float64]

TOUCH = 0.25  # of the largest side of either share: those that meet in less merely meet at a corner
OPEN_PART = 0.5  # of what a share shows in some direction: so much of it may be without an edge


def edges_of(cells: SimplexCells, share: Indices, count: int) -> Indices:
    """(E, 2) pairs of shares that have sides in common, the lower number first, sorted.

    Shares that hardly meet get no edge, unless it takes one to keep together what is connected in the body, or many
    small sides make a large one: of layers that stand askew on one another, each share meets four of the next.
    """
    pairs = np.sort(share[cells.touching], axis=1)
    between = pairs[:, 0] != pairs[:, 1]
    keys, inverse = np.unique(pairs[between, 0] * count + pairs[between, 1], return_inverse=True)
    touch = summed(inverse, cells.sides[between], len(keys))
    found = np.stack([keys // count, keys % count], axis=1)
    kept = touch > TOUCH * _reference(found, touch, count)
    _closed(cells, share, count, found, kept)
    kept[_bridges(found, touch, kept, count)] = True
    return found[kept]


def _reference(found: Indices, touch: Array, count: int) -> Array:
    """The largest touch of the two shares of each pair, the smaller of both: what a proper side of theirs is like."""
    largest = np.zeros(count)
    for k in range(2):
        np.maximum.at(largest, found[:, k], touch)
    return np.minimum(largest[found[:, 0]], largest[found[:, 1]])


def _bridges(found: Indices, touch: Array, kept: NDArray[np.bool_], count: int) -> list[int]:
    """The dropped pairs that join what would fall apart without them, the strongest first."""
    piece = pieces(found[kept], count)
    bridges = []
    for edge in np.flatnonzero(~kept)[np.argsort(-touch[~kept], kind="stable")]:
        a, b = piece[found[edge]]
        if a != b:
            piece[piece == b] = a
            bridges.append(int(edge))
    return bridges


def _closed(cells: SimplexCells, share: Indices, count: int, found: Indices, kept: NDArray[np.bool_]) -> None:
    """Keep the largest of the dropped sides that are together most of what a share shows where one of them looks."""
    areas = sides_of(cells, share, count).of_edges(found).areas
    sizes = np.linalg.norm(areas, axis=1)
    mine: list[list[int]] = [[] for _ in range(count)]
    for edge, pair in enumerate(found.tolist()):
        for one in pair:
            mine[one].append(edge)
    dropped = np.flatnonzero(~kept & (sizes > 0))
    for edge in dropped[np.argsort(-sizes[dropped], kind="stable")]:
        for one in found[edge]:
            around = np.array(mine[one])
            same_way = (found[around, 0] == one) == (found[edge, 0] == one)
            seen = np.maximum(np.where(same_way, 1.0, -1.0) * (areas[around] @ areas[edge]), 0.0)
            kept[edge] |= seen[~kept[around]].sum() > OPEN_PART * seen.sum()
