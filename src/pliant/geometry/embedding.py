"""Where points lie in a mesh: the nearest element of each point and the weights of its corners.

Candidates come from a tree of element centres; every answer is exact. An element whose centre is further
away than the best distance found plus its own radius cannot be nearer, so two rounds suffice: a few nearest
centres give the bound, ball queries within it give the rest. Elements of like radius share a tree, so that
one sliver across the mesh does not widen the balls of all.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.spatial import cKDTree

from pliant.geometry.boundary import OUTWARD_FACES, boundary_faces
from pliant.geometry.nearest import barycentric_in_tet, closest_on_segments, closest_on_triangles

Array = NDArray[np.float64]
Pairs = tuple[NDArray[np.intp], NDArray[np.intp]]  # (point, element) row by row, points rising

FIRST_LOOK = 12  # nearest centres tried first: covers the tets round a point of an even mesh
PAIRS_AT_ONCE = 400_000  # bounds the memory of the second round
INSIDE = -1e-10  # a point on a face shared by two tets is inside both, whatever the rounding says


@dataclass(frozen=True, eq=False)
class Location:
    """Where N points lie: element (N,), weights of its corners (N, K) and distance to it (N,) in metres.

    The weights give the *closest point* of the element, so they are never below zero (but for rounding).
    """

    elements: NDArray[np.int32]
    weights: Array
    distances: Array


def locate(points: Array, rest: Array, elements: NDArray[np.int32]) -> Location:
    """The nearest tet, triangle or segment of each point; a point in several tets goes to one of them.

    >>> at = locate(np.array([[0.25, 2.0, 0.0]]), np.eye(2, 3, -1), np.array([[0, 1]]))
    >>> at.weights.tolist(), at.distances.tolist()
    ([[0.75, 0.25]], [2.0])
    """
    points = np.ascontiguousarray(points, dtype=np.float64)
    if len(points) == 0:
        return Location(np.empty(0, np.int32), np.empty((0, elements.shape[1])), np.empty(0))
    if elements.shape[1] == 4:
        return _locate_in_tets(points, rest, elements)
    closest = closest_on_triangles if elements.shape[1] == 3 else closest_on_segments
    return _nearest(points, rest, elements, closest)


def _locate_in_tets(points: Array, rest: Array, tets: NDArray[np.int32]) -> Location:
    corners = rest[tets]
    found = np.full(len(points), -1, dtype=np.int64)
    weights = np.zeros((len(points), 4))

    def keep_inside(pairs: Pairs) -> None:
        who, tet = pairs
        w = barycentric_in_tet(points[who], corners[tet])
        depth = w.min(axis=1)
        best = _best_per_point(who, -depth)
        best = best[depth[best] >= INSIDE]
        found[who[best]], weights[who[best]] = tet[best], w[best]

    centres, radii = _balls(corners)
    reach, first_pairs = _first_look(points, centres)
    keep_inside(first_pairs)
    bound = np.zeros(len(points))  # a tet that holds the point has its centre within its radius
    for layer in _layers(centres, radii):
        unsure = np.flatnonzero((found < 0) & (reach < layer.radius))
        for pairs in _within(points, unsure, bound, layer):
            keep_inside(pairs)

    outside = np.flatnonzero(found < 0)
    distances = np.zeros(len(points))
    if len(outside):
        # The nearest point of the mesh lies on its boundary, which has far fewer triangles than the mesh
        # has tets.
        faces, owners = boundary_faces(tets)
        at = _nearest(points[outside], rest, faces, closest_on_triangles)
        found[outside] = owners[at.elements]
        distances[outside] = at.distances
        opposite = np.argmin(
            (tets[found[outside]][:, :, None] == faces[at.elements][:, None, :]).any(axis=2), axis=1
        )
        weights[outside[:, None], OUTWARD_FACES[opposite]] = at.weights
    return Location(found.astype(np.int32), weights, distances)


def _nearest(
    points: Array, rest: Array, elements: NDArray[np.int32], closest: Callable[[Array, Array], Array]
) -> Location:
    corners = rest[elements]
    found = np.zeros(len(points), dtype=np.int64)
    weights = np.zeros((len(points), elements.shape[1]))
    distances = np.full(len(points), np.inf)

    def keep_closer(pairs: Pairs) -> None:
        who, element = pairs
        w = closest(points[who], corners[element])
        gap = np.linalg.norm(points[who] - np.einsum("nk,nkj->nj", w, corners[element]), axis=1)
        best = _best_per_point(who, gap)
        best = best[gap[best] < distances[who[best]]]
        found[who[best]], weights[who[best]], distances[who[best]] = element[best], w[best], gap[best]

    centres, radii = _balls(corners)
    reach, first_pairs = _first_look(points, centres)
    keep_closer(first_pairs)
    for layer in _layers(centres, radii):
        unsure = np.flatnonzero(reach < distances + layer.radius)
        for pairs in _within(points, unsure, distances.copy(), layer):
            keep_closer(pairs)
    return Location(found.astype(np.int32), weights, distances)


def _balls(corners: Array) -> tuple[Array, Array]:
    """A ball round each element; a hair larger than needed, so that rounding never loses an element."""
    centres = corners.mean(axis=1)
    return centres, np.linalg.norm(corners - centres[:, None], axis=2).max(axis=1) * (1 + 1e-9)


@dataclass(frozen=True, eq=False)
class _Layer:
    """Elements whose radii are within a factor of two, in one tree."""

    tree: cKDTree
    elements: NDArray[np.intp]
    radii: Array
    radius: float


def _layers(centres: Array, radii: Array) -> Iterator[_Layer]:
    exponents = np.frexp(radii)[1]
    for exponent in np.unique(exponents):
        elements = np.flatnonzero(exponents == exponent)
        yield _Layer(cKDTree(centres[elements]), elements, radii[elements], float(radii[elements].max()))


def _first_look(points: Array, centres: Array) -> tuple[Array, Pairs]:
    """Each point with its nearest centres, and the distance beyond which it was not looked (inf: all were
    tried).
    """
    count = min(FIRST_LOOK, len(centres))
    distances, candidates = cKDTree(centres).query(points, k=np.arange(1, count + 1))
    reach = np.full(len(points), np.inf) if count == len(centres) else distances[:, -1]
    return reach, (np.repeat(np.arange(len(points)), count), candidates.ravel())


def _within(points: Array, who: NDArray[np.intp], bound: Array, layer: _Layer) -> Iterator[Pairs]:
    """Pairs of the points `who` with the elements that may come within `bound`, a bearable number at a
    time.
    """
    reach = bound[who] + layer.radius
    starts = np.concatenate(
        [[0], np.cumsum(layer.tree.query_ball_point(points[who], reach, return_length=True))]
    )
    first = 0
    while first < len(who):
        last = max(first + 1, int(np.searchsorted(starts, starts[first] + PAIRS_AT_ONCE, side="right")) - 1)
        rows = layer.tree.query_ball_point(points[who[first:last]], reach[first:last])
        element = np.fromiter((e for row in rows for e in row), np.intp, int(starts[last] - starts[first]))
        owner = np.repeat(who[first:last], np.diff(starts[first : last + 1]))
        away = np.linalg.norm(points[owner] - layer.tree.data[element], axis=1)
        near = away <= bound[owner] + layer.radii[element]
        if near.any():
            yield owner[near], layer.elements[element[near]]
        first = last


def _best_per_point(who: NDArray[np.intp], score: Array) -> NDArray[np.intp]:
    """The row of the lowest score of each point; `who` rises, the first of equals wins."""
    order = np.lexsort((score, who))
    sorted_who = who[order]
    return order[np.concatenate([[True], sorted_who[1:] != sorted_who[:-1]])]
