"""Where the points of a surface are in a pose that another mesh shows, and how well that is known."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.sparse import csr_array, diags_array
from scipy.spatial import cKDTree

from pliant.geometry.nearest import closest_on_triangles
from pliant.geometry.normals import vertex_normals
from pliant.runtime.errors import SettingsError
from pliant.volume.draft import point_areas
from pliant.volume.filling.rotations import rigid_motion
from pliant.volume.fine import Fine, cut_finer, finest
from pliant.volume.landmarks import spread_points
from pliant.volume.matching.nodes import nodes_on
from pliant.volume.matching.placing import placed, size_ratio
from pliant.volume.matching.registering import LEVELS, SAME_SIDE, register
from pliant.volume.matching.target import TargetSurface, target_surface

Array = NDArray[np.float64]
Indices = NDArray[np.int32]
Numbers = NDArray[np.int64]

WORKING_EDGE = 0.04  # of the diagonal: longer edges of the rest surface are cut while it is matched
WORKING_POINTS = 3000  # more are carried along by those
REACHED = 0.02  # of the diagonal: the 99th percentile of the gaps, both ways, of a match that is taken
TURNED_OVER = 0.03  # of the faces: more that look the other way than the target mean a wrong match
LAST_ROUNDS, LAST_SMOOTHING = 4, 6  # going to the closest points at the end, the ways there evened out among neighbours


@dataclass(frozen=True, eq=False)
class Match:
    """positions (N, 3) m of the points of the rest surface in the other mesh's shape, where the other mesh is.

    forward, backward: the 99th percentile of the distance from the surface to the target, and back, as a part of the
    diagonal; stretch: the 1st and the 99th percentile of an edge's length over that at rest; turned: the part of the
    faces that look the other way than the target; scale: by how much the rest surface was made larger for it. problem:
    why it cannot be taken, in a line, or nothing.
    """

    positions: Array
    forward: float
    backward: float
    stretch: tuple[float, float]
    turned: float
    scale: float
    problem: str


def match_surfaces(
    points: Array,
    faces: Indices,
    other_points: Array,
    other_faces: Indices,
    pairs: tuple[ArrayLike, ArrayLike] | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Match:
    """Find where the points (N, 3) of a surface are on another that shows it in another shape, cut into other faces,
    in another place. pairs: places on the first (P, 3) and where they are on the other (P, 3), three at least; without
    them the placement is found by trying."""
    target = target_surface(other_points, other_faces)
    size = float(np.linalg.norm(np.ptp(points[np.unique(faces)], axis=0)))
    whole = cut_finer(points, faces, finest(points, faces, WORKING_EDGE * size, WORKING_POINTS))
    shares = point_areas(whole.points, whole.faces.astype(np.int32))
    scale = size_ratio(whole.points, shares, target)
    whole = Fine(scale * whole.points, whole.faces, whole.mix)
    given = _pairs(whole, target, pairs, scale)
    order, owner = spread_points(whole, WORKING_POINTS)
    work = whole if len(order) == len(whole.points) else _coarser(whole, order, owner)
    seeds = spread_points(work, LEVELS[-1][0])[0]
    start = _start(work, target, (whole.points[given[0]], given[1]))
    local = cKDTree(work.points).query(whole.points[given[0]])[1] if len(given[0]) else given[0]
    found = register(work, start, target, (local, given[1]), seeds, progress)
    nodes = found.nodes if work is whole else nodes_on(whole, order[seeds[: len(found.at)]])
    places = _finished(whole, nodes.carry(whole.points, found.at, found.rotations), target)
    used = np.unique(faces)
    positions = scale * points  # points that no face uses stay in place
    positions[used] = places[: len(used)]
    return _judged(whole, places, positions, target, scale, float(np.linalg.norm(np.ptp(target.points, axis=0))))


def _pairs(
    whole: Fine, target: TargetSurface, pairs: tuple[ArrayLike, ArrayLike] | None, scale: float
) -> tuple[Numbers, Array]:
    """The points (P,) of the surface that are nearest to those given, and where they belong (P, 3)."""
    if pairs is None:
        return np.zeros(0, np.int64), np.zeros((0, 3))
    here, there = (np.asarray(each, np.float64).reshape(-1, 3) for each in pairs)
    if len(here) != len(there) or len(here) < 3:
        raise SettingsError(
            f"points of a match: {len(here)} on the rest shape and {len(there)} on the other mesh; give at least three "
            "pairs"
        )
    flat = np.linalg.svd(here - here.mean(axis=0), compute_uv=False)
    if flat[1] < 1e-3 * max(flat[0], 1e-300):
        raise SettingsError("points of a match: all of them are on one line; give one that is beside it")
    return cKDTree(whole.points).query(scale * here)[1].astype(np.int64), target.closest(there)[0]


def _start(work: Fine, target: TargetSurface, given: tuple[Array, Array]) -> Array:
    """The surface (N, 3), laid over the target: by the pairs, or as it goes best."""
    shares = point_areas(work.points, work.faces.astype(np.int32))
    if len(given[0]):
        turn, shift = rigid_motion(given[0], given[1], np.ones(len(given[0])))
        return work.points @ turn.T + shift
    return placed(work.points, vertex_normals(work.points, work.faces.astype(np.int32)), shares, target)


def _coarser(whole: Fine, order: Numbers, owner: Numbers) -> Fine:
    """A surface of some of the points only, with a face wherever three of their cells meet."""
    corners = owner[whole.faces]
    distinct = (corners[:, 0] != corners[:, 1]) & (corners[:, 1] != corners[:, 2]) & (corners[:, 0] != corners[:, 2])
    _, first = np.unique(np.sort(corners[distinct], axis=1), axis=0, return_index=True)
    return Fine(whole.points[order], corners[distinct][np.sort(first)], csr_array((len(order), 1)))


def _finished(whole: Fine, places: Array, target: TargetSurface) -> Array:
    """The points, gone to the closest ones of the target where these are near and look the same way."""
    a, b = whole.edges.ends.T
    count = len(places)
    ones = np.ones(2 * len(a))
    joined = csr_array((ones, (np.concatenate([a, b]), np.concatenate([b, a]))), shape=(count, count))
    mean = diags_array(1 / np.maximum(joined.sum(axis=1), 1)) @ joined
    for _ in range(LAST_ROUNDS):
        goals, there = target.closest(places)
        away = goals - places
        gaps = np.linalg.norm(away, axis=1)
        normals = vertex_normals(places, whole.faces.astype(np.int32))
        keep = (np.einsum("ni,ni->n", normals, there) > SAME_SIDE) & (gaps <= 4 * np.median(gaps) + 1e-12)
        away[~keep] = 0.0
        for _ in range(LAST_SMOOTHING):
            away = 0.5 * away + 0.5 * (mean @ away)
        places = places + away
    goals, there = target.closest(places)
    normals = vertex_normals(places, whole.faces.astype(np.int32))
    near = np.linalg.norm(goals - places, axis=1) <= REACHED * np.linalg.norm(np.ptp(places, axis=0))
    return np.where((near & (np.einsum("ni,ni->n", normals, there) > SAME_SIDE))[:, None], goals, places)


def _judged(whole: Fine, places: Array, positions: Array, target: TargetSurface, scale: float, size: float) -> Match:
    goals, there = target.closest(places)
    shares = point_areas(whole.points, whole.faces.astype(np.int32))
    forward = _percentile(np.linalg.norm(goals - places, axis=1), shares)
    corners = places[whole.faces]
    tree = cKDTree(corners.mean(axis=1))
    near = tree.query(target.points, k=min(8, len(corners)))[1].reshape(len(target.points), -1)
    flat = corners[near.ravel()]
    many = np.repeat(target.points, near.shape[1], axis=0)
    feet = np.einsum("nk,nkj->nj", closest_on_triangles(many, flat), flat)
    gaps = np.linalg.norm(feet - many, axis=1).reshape(len(target.points), -1).min(axis=1)
    backward = _percentile(gaps, target.shares)
    a, b = whole.edges.ends.T
    lengths = np.linalg.norm(places[a] - places[b], axis=1) / np.linalg.norm(whole.points[a] - whole.points[b], axis=1)
    facing = np.einsum("ni,ni->n", vertex_normals(places, whole.faces.astype(np.int32)), there)
    turned = float(shares[facing < 0].sum() / shares.sum())
    worst = target.points[int(gaps.argmax())]
    problem = ""
    if backward > REACHED * size:
        where = ", ".join(f"{value:.3g}" for value in worst)
        problem = f"a part of it is reached by nothing (near {where}, {gaps.max() / size:.1%} of its diagonal away)"
    elif forward > REACHED * size:
        problem = f"a part of the rest shape finds nothing there ({forward / size:.1%} of the diagonal away)"
    elif turned > TURNED_OVER:
        problem = f"{turned:.0%} of the surface would be inside out"
    low, high = np.quantile(lengths, (0.01, 0.99)).tolist()
    return Match(positions, forward / size, backward / size, (low, high), turned, scale, problem)


def _percentile(values: Array, shares: Array, part: float = 0.99) -> float:
    order = np.argsort(values, kind="stable")
    held = np.cumsum(shares[order]) / shares.sum()
    return float(values[order[min(int(np.searchsorted(held, part)), len(order) - 1)]])
