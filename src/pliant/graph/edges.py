"""Edges of the graph: where shares touch."""

import numpy as np
from numpy.typing import NDArray

from pliant.graph.cells import Indices, SimplexCells, pieces, summed

Array = NDArray[np.float64]

TOUCH = 0.25  # of the largest side of either share: those that meet in less merely meet at a corner


def edges_of(cells: SimplexCells, share: Indices, count: int) -> Indices:
    """(E, 2) pairs of shares that have sides in common, the lower number first, sorted.

    Shares that hardly meet get no edge, unless it takes one to keep together what is connected in the body.
    """
    pairs = np.sort(share[cells.touching], axis=1)
    between = pairs[:, 0] != pairs[:, 1]
    keys, inverse = np.unique(pairs[between, 0] * count + pairs[between, 1], return_inverse=True)
    touch = summed(inverse, cells.sides[between], len(keys))
    found = np.stack([keys // count, keys % count], axis=1)
    kept = touch > TOUCH * _reference(found, touch, count)
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
