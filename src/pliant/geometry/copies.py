"""Copies of lattice cells, one per connected part of the solid in a cell: which are one, and which corners
they share.

A copy has a place (three whole numbers) and joins to copies of neighbouring cells into which the solid runs
on.
"""

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from pliant.geometry.grid import CORNERS

Array = NDArray[np.float64]
Indices = NDArray[np.int32]


def without_crumbs(
    at: NDArray[np.int64], joins: NDArray[np.int64], hollow: NDArray[np.bool_]
) -> NDArray[np.int64]:
    """A new number for each copy: one with no sample inside becomes one with another copy of its cell if both
    border on the same copy. It is a bit of surface cut off by the sampling, not a part of its own."""
    neighbours: list[set[int]] = [set() for _ in at]
    for a, b in joins.tolist():
        neighbours[a].add(b)
        neighbours[b].add(a)
    in_cell: dict[tuple[int, ...], list[int]] = {}
    for c, place in enumerate(map(tuple, at.tolist())):
        in_cell.setdefault(place, []).append(c)
    number = np.arange(len(at))
    for copies in in_cell.values():
        # Full ones first, so that crumbs join them rather than each other.
        ordered = sorted(copies, key=lambda c: (bool(hollow[c]), c))
        for k, c in enumerate(ordered):
            if hollow[c]:
                home = next((other for other in ordered[:k] if neighbours[other] & neighbours[c]), c)
                number[c] = number[home]
    return np.unique(number, return_inverse=True)[1].reshape(-1)


def without_hinges(
    at: NDArray[np.int64], joins: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Where two copies hang together across an edge or a corner only, cells in between that make it a
    wall."""
    step = at[joins[:, 1]] - at[joins[:, 0]]
    straight = np.abs(step).sum(axis=1) == 1
    walls: dict[int, set[int]] = {}
    for a, b in joins[straight].tolist():
        walls.setdefault(a, set()).add(b)
        walls.setdefault(b, set()).add(a)
    near = {a: others.union(*(walls[b] for b in others)) for a, others in walls.items()}
    new_at, new_joins = [], []
    number = len(at)
    for (a, b), move in zip(joins[~straight].tolist(), step[~straight], strict=True):
        # A way over at most three walls makes the corner solid already.
        if b in near.get(a, ()) or near.get(a, set()) & walls.get(b, set()):
            continue
        here, previous = at[a].copy(), a
        for axis in np.flatnonzero(move)[:-1]:
            here = here.copy()
            here[axis] += move[axis]
            new_at.append(here)
            new_joins.append((previous, number))
            previous, number = number, number + 1
        new_joins.append((previous, b))
    if not new_at:
        return at, joins
    return np.concatenate([at, new_at]), np.concatenate([joins, new_joins])


def shared_corners(at: NDArray[np.int64], joins: NDArray[np.int64]) -> tuple[Indices, Array]:
    """Particle numbers (C, 8) of the corners of each copy, joined copies sharing theirs, and their grid
    points."""
    step = at[joins[:, 1]] - at[joins[:, 0]]
    here, there = [], []
    for corner, bits in enumerate(CORNERS):
        other = bits - step
        shared = ((other == 0) | (other == 1)).all(axis=1)
        here.append(joins[shared, 0] * 8 + corner)
        there.append(joins[shared, 1] * 8 + other[shared] @ np.array([4, 2, 1]))
    total = 8 * len(at)
    first, second = np.concatenate(here), np.concatenate(there)
    graph = coo_array((np.ones(len(first)), (first, second)), shape=(total, total))
    count, number = connected_components(graph, directed=False)
    places = (at[:, None] + CORNERS).reshape(-1, 3)
    points = np.zeros((count, 3))
    points[number] = places
    # Numbered as a grid is, copies of one corner side by side.
    order = np.lexsort((np.arange(count), points[:, 2], points[:, 1], points[:, 0]))
    return np.argsort(order)[number].reshape(-1, 8).astype(np.int32), points[order]
