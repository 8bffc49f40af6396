"""The connected pieces of a mesh and the skin that tells each how to move."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components
from scipy.spatial import cKDTree

Array = NDArray[np.float64]
Indices = NDArray[np.int32]
Members = NDArray[np.intp]

NEARBY = 32  # skin points around a piece that are heard where its own say too little


@dataclass(frozen=True, eq=False)
class Piece:
    """Particles that hang together, the skin points that ride on them, and the points nearest to them."""

    particles: Members
    points: Members
    nearby: Members


def components(tets: Indices, count: int) -> Indices:
    """Which piece each of `count` particles belongs to; one in no tet is a piece by itself.

    >>> components(np.array([[0, 1, 2, 3], [3, 4, 5, 6]]), 8).tolist()
    [0, 0, 0, 0, 0, 0, 0, 1]
    """
    first, second = np.repeat(tets[:, 0], 3), tets[:, 1:].ravel()
    links = coo_array((np.ones(len(first)), (first, second)), shape=(count, count))
    return connected_components(links, directed=False)[1].astype(np.int32)


def pieces(component: Indices, rest: Array, slots: Indices, weights: Array) -> tuple[Piece, ...]:
    """The pieces in order. A skin point rides on the piece of the particle with the largest share in it."""
    count = int(component.max()) + 1
    strongest = np.abs(weights).argmax(axis=1)
    of_point = component[slots[np.arange(len(slots)), strongest]]
    at_rest = np.einsum("nk,nkj->nj", weights, rest[slots])
    tree, wanted = cKDTree(at_rest), np.arange(1, min(NEARBY, len(at_rest)) + 1)
    found = []
    for particles, points in zip(_sorted_out(component, count), _sorted_out(of_point, count), strict=True):
        middle = (at_rest[points] if len(points) else rest[particles]).mean(axis=0)
        found.append(Piece(particles, points, tree.query(middle, k=wanted)[1]))
    return tuple(found)


def _sorted_out(labels: NDArray[np.integer], count: int) -> list[Members]:
    """The rows that carry each label."""
    order = np.argsort(labels, kind="stable")
    return np.split(order, np.searchsorted(labels[order], np.arange(1, count)))
