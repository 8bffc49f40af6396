"""Coarse to fine: nodes are drawn to the closest points of the target, both ways, while neighbours keep their shape.

Each round is two least-squares problems: rotations of the nodes for given places, then places for given rotations,

    sum_s c_s ((y_s - q_s) . n_s)^2 + f c_s |y_s - q_s|^2 + a sum_edges |x_i - x_j - R_j (g_i - g_j)|^2 + given points

with q_s the closest point of the target and n_s its normal: points may slide along the target (f is small), which lets
the shape of the neighbours say where they belong. Points of the target that nothing is near to ask for the closest
point of the surface, too, so that an arm that was left behind is drawn out."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import block_array, coo_array, csc_array, csr_array
from scipy.sparse.linalg import splu
from scipy.spatial import cKDTree

from pliant.geometry.normals import vertex_normals
from pliant.volume.draft import point_areas
from pliant.volume.fine import Fine
from pliant.volume.matching.nodes import Nodes, nodes_on
from pliant.volume.matching.target import TargetSurface

Array = NDArray[np.float64]
Numbers = NDArray[np.int64]

# (nodes, stiffness of the neighbours at the beginning and at the end, rounds). The stiffness is a part of all pulls; a
# tenth of the last one lets points slide along the surface to where its facets fit best, three times as far off
LEVELS = ((24, 30.0, 3.0, 16), (80, 3.0, 0.3, 16), (240, 0.3, 0.1, 14), (700, 0.3, 0.1, 10))
SLIDE = 0.005  # f: of the pull along the normal, what pulls along the surface
SAME_SIDE = 0.3  # cosine of the normals from which points may belong together
OUTLIER = 4.0  # times the median gap: what is farther has nothing to go to yet
GIVEN = 10.0  # times the pull of all points together: pairs that are given are kept
UNREACHABLE = 0.15  # of the diagonal: what is still so far after the second level is not reached by finer ones
BACKWARD = 0.5  # of the pulls: those from the target


@dataclass(frozen=True, eq=False)
class Registered:
    """Of the last level: the nodes, where they are (K, 3), and how they are turned (K, 3, 3)."""

    nodes: Nodes
    at: Array
    rotations: Array


def register(
    surface: Fine,
    start: Array,
    target: TargetSurface,
    pairs: tuple[Numbers, Array],
    order: Numbers,
    progress: Callable[[int, int], None] | None = None,
) -> Registered:
    """Draw the surface, which stands at `start` (N, 3), onto the target. pairs: points of the surface and where they
    belong; order: points as far apart as can be, of which the first of each level are the nodes."""
    shares = point_areas(surface.points, surface.faces.astype(np.int32))
    shares = shares / shares.sum()
    places = start
    total, done = sum(level[3] for level in LEVELS), 0
    nodes = None
    for count, first, last, rounds in LEVELS:
        if nodes is not None and (len(order) <= len(nodes.rest) or _is_hopeless(len(nodes.rest), places, target)):
            break
        nodes = nodes_on(surface, order[:count])
        at = places[order[:count]]
        for number, stiffness in enumerate(np.geomspace(first, last, rounds)):
            at, places = _round(surface, nodes, at, places, target, shares, pairs, stiffness)
            done += 1
            if progress and number % 4 == 3:
                progress(done, total)
    assert nodes is not None
    return Registered(nodes, at, nodes.rotations(at))


def _is_hopeless(count: int, places: Array, target: TargetSurface) -> bool:
    """Whether finer levels would only take time: what they move is small."""
    if count < LEVELS[1][0]:
        return False
    away = cKDTree(places).query(target.points)[0]
    return bool(np.quantile(away, 0.95) > UNREACHABLE * np.linalg.norm(np.ptp(target.points, axis=0)))


def _round(
    surface: Fine,
    nodes: Nodes,
    at: Array,
    places: Array,
    target: TargetSurface,
    shares: Array,
    pairs: tuple[Numbers, Array],
    stiffness: float,
) -> tuple[Array, Array]:
    """New places of the nodes (K, 3) and of all points (N, 3)."""
    rotations = nodes.rotations(at)
    rows, goals, normals, weights = _pulls(surface, places, target, shares)
    given, where = pairs
    offsets = nodes.carry(surface.points, np.zeros_like(at), rotations)  # y = W x + offsets
    matrix = nodes.matrix
    count = len(at)
    system = _arap(nodes, stiffness)
    right = _arap_right(nodes, rotations, stiffness)
    w = matrix[rows]
    wish = goals - offsets[rows]
    planes = [[None] * 3 for _ in range(3)]
    for i in range(3):
        for j in range(3):
            scale = weights * ((SLIDE if i == j else 0.0) + normals[:, i] * normals[:, j])
            planes[i][j] = (w.T @ (w * scale[:, None])) + (system if i == j else 0 * system)
            right[:, i] += w.T @ (scale * wish[:, j])
    if len(given):
        v = matrix[given]
        pull = GIVEN / len(given)
        for i in range(3):
            planes[i][i] = planes[i][i] + pull * (v.T @ v)
            right[:, i] += pull * (v.T @ (where - offsets[given])[:, i])
    solution = splu(csc_array(block_array(planes))).solve(right.T.ravel())
    found = solution.reshape(3, count).T
    return found, nodes.carry(surface.points, found, nodes.rotations(found))


def _pulls(surface: Fine, places: Array, target: TargetSurface, shares: Array) -> tuple[Numbers, Array, Array, Array]:
    """Which points (P,) are drawn to which places (P, 3), with which normals and weights, which add up to about 1."""
    normals = vertex_normals(places, surface.faces.astype(np.int32))
    goals, there = target.closest(places)
    gaps = np.linalg.norm(goals - places, axis=1)
    near = gaps <= OUTLIER * np.median(gaps) + 1e-12
    forward = shares * near * (np.einsum("ni,ni->n", normals, there) > SAME_SIDE)
    backward = cKDTree(places).query(target.points)[1]
    behind = np.linalg.norm(places[backward] - target.points, axis=1)
    facing = np.einsum("ni,ni->n", normals[backward], target.normals) > SAME_SIDE
    back = BACKWARD * target.shares / target.shares.sum() * facing * (behind > np.median(behind))
    rows = np.concatenate([np.arange(len(places)), backward])
    weights = np.concatenate([forward, back])
    used = weights > 0
    return (
        rows[used],
        np.concatenate([goals, target.points])[used],
        np.concatenate([there, target.normals])[used],
        weights[used],
    )


def _arap(nodes: Nodes, stiffness: float) -> csr_array:
    """(K, K): the Laplacian of the neighbours, its sum over edges being the stiffness."""
    i, j = nodes.ends.T
    weight = np.full(len(i), stiffness / len(i))
    count = len(nodes.rest)
    rows, columns = np.concatenate([i, j, i, j]), np.concatenate([i, j, j, i])
    values = np.concatenate([weight, weight, -weight, -weight])
    return csr_array(coo_array((values, (rows, columns)), shape=(count, count)))


def _arap_right(nodes: Nodes, rotations: Array, stiffness: float) -> Array:
    i, j = nodes.ends.T
    wish = np.einsum("eab,eb->ea", rotations[j], nodes.rest[i] - nodes.rest[j]) * (stiffness / len(i))
    right = np.zeros_like(nodes.rest)
    np.add.at(right, i, wish)
    np.add.at(right, j, -wish)
    return right
