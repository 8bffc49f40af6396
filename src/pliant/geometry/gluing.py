"""Shells of one model that belong together: eyes in a head, a lid on a pot, buttons on a coat.

Drawn as pieces of their own, they would fall apart when simulated. Where two shells overlap they are one solid. A
shell that overlaps nothing is glued to the one it nearly touches, and only where it does.
"""

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components
from scipy.spatial import cKDTree

Array = NDArray[np.float64]
Indices = NDArray[np.int64]


def glue(points: Array, inside: int, links: Indices, overlaps: Indices, reach: float, spread: float) -> Indices:
    """Further links (L, 2) between samples that `links` leave unconnected.

    points (N, 3) m, the first `inside` of them inside, the others on the surface. `overlaps` are links through a
    surface between samples that both lie inside: used between pieces that have a surface each. A piece that is left
    is linked to its nearest neighbour within `reach` metres, wherever the gap is at most `spread` wider than at its
    narrowest.

    >>> row = np.array([[0.0, 0, 0], [1, 0, 0], [3, 0, 0], [4, 0, 0]])
    >>> glue(row, 0, np.array([[0, 1], [2, 3]]), np.empty((0, 2), int), reach=2.5, spread=0.1).tolist()
    [[1, 2]]
    """
    pieces, piece = _pieces(links, len(points))
    if pieces == 1:
        return np.empty((0, 2), dtype=np.int64)
    with_surface = np.bincount(piece[inside:], minlength=pieces) > 0
    first, second = piece[overlaps].T
    through = overlaps[(first != second) & with_surface[first] & with_surface[second]]
    found = [through]
    pieces, piece = _pieces(np.concatenate([links, through]), len(points))
    members = dict(enumerate(_members(piece, pieces)))
    alone: set[int] = set()
    while len(members) - len(alone) > 1:
        # The smallest first: it goes to its neighbour, not the neighbour to it.
        small = min((k for k in members if k not in alone), key=lambda k: (len(members[k]), k))
        mine = members[small]
        low, high = points[mine].min(axis=0) - reach, points[mine].max(axis=0) + reach
        others = np.flatnonzero((piece != small) & ((points >= low) & (points <= high)).all(axis=1))
        distance, near = np.empty(0), np.empty(0, dtype=np.int64)
        if len(others):
            distance, near = cKDTree(points[mine]).query(points[others], distance_upper_bound=reach)
        if not np.isfinite(distance).any():
            alone.add(small)
            continue
        home = piece[others[int(np.argmin(distance))]]
        touching = (piece[others] == home) & (distance <= distance.min() + spread)
        found.append(np.stack([mine[near[touching]], others[touching]], axis=1))
        piece[mine] = home
        members[home] = np.concatenate([members[home], members.pop(small)])
        alone.discard(home)
    return np.concatenate(found)


def _pieces(links: Indices, count: int) -> tuple[int, NDArray[np.int32]]:
    graph = coo_array((np.ones(len(links), dtype=bool), (links[:, 0], links[:, 1])), shape=(count, count))
    return connected_components(graph, directed=False)


def _members(piece: NDArray[np.int32], pieces: int) -> list[Indices]:
    order = np.argsort(piece, kind="stable")
    return np.split(order, np.searchsorted(piece[order], np.arange(1, pieces)))
