"""A lattice of cubic cells over a solid, one copy of a cell per connected part of the solid in it."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components
from scipy.spatial import cKDTree

from pliant.geometry.carrying import Parts
from pliant.geometry.carving import carve
from pliant.geometry.copies import shared_corners, without_crumbs, without_hinges
from pliant.geometry.grid import six_tets, within_six
from pliant.geometry.measures import areas
from pliant.geometry.solid import Solid, unique_pairs
from pliant.geometry.symmetry import both_sides

Array = NDArray[np.float64]
Indices = NDArray[np.int32]

STICKS_OUT = 0.5  # of a cell: as far as the surface may stick out of what stays


@dataclass(frozen=True, eq=False)
class CellMesh:
    """Corner points and tets of the copied cells; the twin of each particle if they are to be symmetric; which
    tets are whose; and the copy in which each surface sample lies."""

    rest: Array
    tets: Indices
    twin: NDArray[np.int64] | None
    parts: Parts
    copy: NDArray[np.int64]


def cage(solid: Solid, cell: float, sparse: float, mirror: int | None = None) -> CellMesh:
    """Cells of `cell` metres round the middle of the surface, without the outer tets of which less than the part
    `sparse` is filled by the solid (0: with all)."""
    count = len(solid.points)
    low, high = solid.points[solid.inside :].min(axis=0), solid.points[solid.inside :].max(axis=0)
    middle = (low + high) / 2
    place = np.floor((solid.points - middle) / cell).astype(np.int64)
    first, second = solid.links.T
    same = (place[first] == place[second]).all(axis=1)
    within = coo_array((np.ones(same.sum()), (first[same], second[same])), shape=(count, count))
    copies, copy = connected_components(within, directed=False)
    at = np.zeros((copies, 3), dtype=np.int64)
    at[copy] = place
    joins = unique_pairs(np.stack([copy[first[~same]], copy[second[~same]]], axis=1), copies)
    hollow = np.bincount(copy[: solid.inside], minlength=copies) == 0
    merged = without_crumbs(at, joins, hollow)
    copy, at, joins = merged[copy], at[np.unique(merged, return_index=True)[1]], merged[joins]
    joins = unique_pairs(joins[joins[:, 0] != joins[:, 1]], len(at))
    at, joins = without_hinges(at, joins)
    corners, points = shared_corners(at, joins)
    tets = six_tets(corners, at)
    # Copies whose corners were all shared in a roundabout way are one cell.
    unique, tet_number = _unique_rows(tets)
    tets = tets[unique]
    kept = np.arange(len(tets))
    wall = None
    if mirror is not None:
        kept, wall = _upper_half(tets, points[:, mirror], at[unique // 6, mirror] >= 0)
    if sparse > 0:
        local = (solid.points - middle) / cell
        tet, weights = within_six(local - place, place)
        tet = tet_number[6 * copy + tet]
        inside = np.bincount(tet[: solid.inside], minlength=len(tets)).astype(np.float64)
        fill = 6 * (solid.spacing / cell) ** 3 * inside
        sure = np.flatnonzero(fill >= sparse)
        surface = slice(solid.inside, None)
        beside = _beside(local[surface], copy[surface], points[tets[sure]].mean(axis=1), unique[sure] // 6, joins)
        alone = solid.inside + np.flatnonzero(~beside)
        reach = _reach(tets, points, tet[alone], weights[alone])
        # Of a symmetric solid one half only is carved; the other will be its image.
        kept = kept[carve(tets[kept], fill[kept], reach[kept], sparse, wall)]
    twin = None
    if mirror is not None and wall is not None:
        points, tets, twin = both_sides(points, tets[kept], mirror, 0.0, wall)
    else:
        used, compact = np.unique(tets[kept], return_inverse=True)
        points, tets = points[used], compact.reshape(-1, 4).astype(np.int32)
    number = np.full(len(unique), -1)
    number[kept] = np.arange(len(kept))
    homes = np.stack([np.arange(len(tet_number)) // 6, number[tet_number]], axis=1)
    parts = Parts(homes[homes[:, 1] >= 0], joins, len(at))
    return CellMesh(middle + cell * points, tets, twin, parts, copy[solid.inside :])


def _upper_half(tets: Indices, height: Array, above: NDArray[np.bool_]) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """The tets above the plane of symmetry, and the particles in it that the solid joins to the other side. Where it
    does not, as between two legs, each side has a particle of its own."""
    both = np.zeros((2, len(height)), dtype=bool)
    both[0, tets[above]] = True
    both[1, tets[~above]] = True
    return np.flatnonzero(above), both.all(axis=0) & (height == 0)


def _unique_rows(tets: Indices) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The first tet of each set of corners, in order, and for every tet which of those it equals."""
    a, b, c, d = np.sort(tets, axis=1).T.astype(np.int64)
    count = int(tets.max()) + 1
    _, low = np.unique(a * count + b, return_inverse=True)
    _, high = np.unique(c * count + d, return_inverse=True)
    _, first, same = np.unique(low * len(tets) + high, return_index=True, return_inverse=True)
    order = np.argsort(first)
    return first[order], np.argsort(order)[same]


def _beside(
    samples: Array,
    copy: NDArray[np.int64],
    centres: Array,
    home: NDArray[np.int64],
    joins: NDArray[np.int64],
) -> NDArray[np.bool_]:
    """Which samples have, close by, the centre of a tet of their own copy or of one joined to it. In
    cells."""
    if len(centres) == 0:
        return np.zeros(len(samples), dtype=bool)
    distance, near = cKDTree(centres).query(samples, k=np.arange(1, min(8, len(centres)) + 1))
    close = distance < STICKS_OUT + 0.25
    mine, theirs = np.broadcast_to(copy[:, None], near.shape)[close], home[near[close]]
    # One number for a pair; searching the sorted joins is far quicker than comparing all with all.
    count = int(max(joins.max(initial=0), copy.max(), home.max())) + 1
    known = np.sort(joins.min(axis=1) * count + joins.max(axis=1))
    pairs = np.minimum(mine, theirs) * count + np.maximum(mine, theirs)
    at = np.minimum(np.searchsorted(known, pairs), len(known) - 1)
    close[close] = (mine == theirs) | (known[at] == pairs if len(known) else False)
    return close.any(axis=1)


def _reach(tets: Indices, points: Array, tet: NDArray[np.int64], weights: Array) -> Array:
    """How far the samples in each tet lie from each of its faces, as a share of the distance that is
    allowed."""
    reach = np.zeros((len(tets), 4))
    np.maximum.at(reach, tet, weights)
    # A corner's weight times its height above the opposite face (3 V / area) is the distance to that face.
    for k in range(4):
        reach[:, k] *= 3 * (1 / 6) / areas(points, np.delete(tets, k, axis=1)) / STICKS_OUT
    return reach
