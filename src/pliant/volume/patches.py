"""A surface shared out evenly among a number of its points, and the triangles between them.

Each point owns the patch of the surface that is nearer to it, along the surface, than to any other (a Voronoi cell).
Where three patches meet is a triangle of their owners. If every patch is a disc and no two meet in two places, the
triangles hang together as the surface does; points are added where that is not so, such as round a thin finger.
"""

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from pliant.volume.fine import Fine

Array = NDArray[np.float64]
Numbers = NDArray[np.int64]

PATCH_ROUNDS = 12  # of moving each owner to the middle of its patch
MENDS = 12  # rounds of adding owners
MOST_OWNERS = 2.0  # times as many owners as wanted, at which adding stops
SHARP = 0.5  # cosine: a border that turns by more than 60 degrees has a corner there


def share_out(fine: Fine, count: int) -> tuple[Numbers, Numbers]:
    """About `count` owners, spread evenly, and the owner (its row) of each point of the surface."""
    corners = _border_corners(fine)
    seeds = np.unique(np.concatenate([_first_owners(fine, max(count - len(corners), 4)), corners]))
    fixed = np.isin(seeds, corners)
    for _ in range(PATCH_ROUNDS):
        _, label = fine.nearest_of(seeds)
        moved = _middles(fine, seeds, label)
        seeds, first = np.unique(np.where(fixed, seeds, moved), return_index=True)
        fixed = fixed[first]
    for _ in range(MENDS):
        distance, label = fine.nearest_of(seeds)
        wrong = _wrong_patches(fine, label, len(seeds))
        if len(wrong) == 0 or len(seeds) > MOST_OWNERS * count:
            break
        seeds = np.unique(np.concatenate([seeds, _farthest(distance, label, wrong)]))
    return seeds, fine.nearest_of(seeds)[1]


def triangles_between(fine: Fine, label: Numbers) -> NDArray[np.int32]:
    """The triangles of owners, turned as the surface is, each once."""
    corners = label[fine.faces]
    found = corners[_three(corners) & (corners >= 0).all(axis=1)]
    _, first = np.unique(np.sort(found, axis=1), axis=0, return_index=True)
    return found[np.sort(first)].astype(np.int32)


def _three(corners: Numbers) -> NDArray[np.bool_]:
    a, b, c = corners.T
    return (a != b) & (b != c) & (c != a)


def _first_owners(fine: Fine, count: int) -> Numbers:
    """One owner for each connected bit of the surface in a cell of a grid, whose cells are made as large as gives the
    wanted number."""
    low, high = 1e-3, 1.0
    size = float(np.linalg.norm(np.ptp(fine.points, axis=0)))
    for _ in range(18):
        middle = (low * high) ** 0.5
        if _bits(fine, middle * size)[0] > count:
            low = middle
        else:
            high = middle
    bits, bit = _bits(fine, high * size)
    return _nearest_members(fine.points, bit, bits, np.ones(len(fine.points), dtype=bool))


def _bits(fine: Fine, cell: float) -> tuple[int, NDArray[np.int32]]:
    place = np.floor((fine.points - fine.points.min(axis=0)) / cell + 0.37).astype(np.int64)
    a, b = fine.edges.ends.T
    same = (place[a] == place[b]).all(axis=1)
    count = len(fine.points)
    graph = coo_array((np.ones(same.sum(), dtype=bool), (a[same], b[same])), shape=(count, count))
    return connected_components(graph, directed=False)


def _nearest_members(points: Array, group: NDArray[np.integer], groups: int, allowed: NDArray[np.bool_]) -> Numbers:
    """For each group the allowed member nearest to the mean of the allowed ones (-1 if there is none)."""
    who = np.flatnonzero(allowed & (group >= 0))
    number = np.maximum(np.bincount(group[who], minlength=groups), 1)
    mean = np.stack([np.bincount(group[who], points[who, k], minlength=groups) / number for k in range(3)], axis=1)
    away = np.linalg.norm(points[who] - mean[group[who]], axis=1)
    order = np.lexsort((away, group[who]))
    sorted_group = group[who][order]
    first = np.concatenate([[True], sorted_group[1:] != sorted_group[:-1]]) if len(order) else np.empty(0, bool)
    result = np.full(groups, -1)
    result[sorted_group[first]] = who[order[first]]
    return result


def _middles(fine: Fine, seeds: Numbers, label: Numbers) -> Numbers:
    """The member of each patch nearest to its middle; for one at the border, to the middle of its piece of it, so
    that the border stays where it is."""
    inner = _nearest_members(fine.points, label, len(seeds), np.ones(len(label), dtype=bool))
    outer = _nearest_members(fine.points, label, len(seeds), fine.border)
    best = np.where(outer >= 0, outer, inner)
    return np.where(best >= 0, best, seeds)


def _border_corners(fine: Fine) -> Numbers:
    """Points where the border turns sharply."""
    ends = fine.edges.ends[fine.edges.uses == 1]
    there = np.concatenate([ends, ends[:, ::-1]])
    order = np.argsort(there[:, 0], kind="stable")
    there = there[order]
    twice = np.flatnonzero(np.bincount(there[:, 0], minlength=len(fine.points)) == 2)
    start = np.searchsorted(there[:, 0], twice)
    sides = fine.points[there[np.stack([start, start + 1]), 1]] - fine.points[twice]
    sides /= np.maximum(np.linalg.norm(sides, axis=2, keepdims=True), 1e-300)
    return twice[np.einsum("nx,nx->n", -sides[0], sides[1]) < SHARP]


def _wrong_patches(fine: Fine, label: Numbers, owners: int) -> Numbers:
    """Owners whose patch is no disc, or meets another one in more places than one."""
    ends = label[fine.edges.ends]
    within = (ends[:, 0] == ends[:, 1]) & (ends[:, 0] >= 0)
    corners = label[fine.faces]
    whole = (corners == corners[:, :1]).all(axis=1) & (corners[:, 0] >= 0)
    # Euler: points - edges + faces is 1 for a disc, 0 for a ring.
    euler = (
        np.bincount(label[label >= 0], minlength=owners)
        - np.bincount(ends[within, 0], minlength=owners)
        + np.bincount(corners[whole, 0], minlength=owners)
    )
    wrong = [np.flatnonzero(euler != 1)]
    meeting = np.sort(corners[_three(corners) & (corners >= 0).all(axis=1)], axis=1)
    triples, times = np.unique(meeting, axis=0, return_counts=True) if len(meeting) else (meeting, np.empty(0, int))
    wrong.append(triples[times > 1].ravel())
    # Neighbours share a side with a triangle on it, two at most.
    pairs = np.sort(ends[(ends[:, 0] != ends[:, 1]) & (ends >= 0).all(axis=1)], axis=1)
    neighbours = np.unique(pairs[:, 0] * owners + pairs[:, 1])
    sides = np.concatenate([triples[:, [0, 1]], triples[:, [1, 2]], triples[:, [0, 2]]]) @ np.array([owners, 1])
    keys, uses = np.unique(sides, return_counts=True)
    lonely = np.setdiff1d(neighbours, keys)
    crowded = keys[uses > 2] if (fine.edges.uses <= 2).all() else np.empty(0, np.int64)
    wrong += [np.stack(np.divmod(bad, owners)).ravel() for bad in (lonely, crowded)]
    return np.unique(np.concatenate(wrong))


def _farthest(distance: Array, label: Numbers, owners: Numbers) -> Numbers:
    """The point of each of these patches that is farthest from its owner, if there is one."""
    who = np.flatnonzero(np.isin(label, owners) & (distance > 0))
    order = np.lexsort((-distance[who], label[who]))
    sorted_label = label[who][order]
    first = np.concatenate([[True], sorted_label[1:] != sorted_label[:-1]]) if len(order) else np.empty(0, bool)
    return who[order[first]]
