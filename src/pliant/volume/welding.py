"""Drawn vertices that are one point: a file splits them where uv or normals jump, a body must not."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components
from scipy.spatial import cKDTree

from pliant.geometry.normals import unit

Array = NDArray[np.float64]
Indices = NDArray[np.int32]

NEAR = 1e-6  # of the diagonal: exporters round
NEIGHBOURS = 8
MOST_TWINS = 64  # normals of one point that are compared with each other
SAME_DIRECTION = 0.9998  # cosine between normals that are one (1.1 degrees)


@dataclass(frozen=True, eq=False)
class Welded:
    """points: for each drawn vertex the point (N,) it is; vertices: for each point a drawn vertex (P,) that is it;
    faces (M, 3) of points, one for each that was given (some may have become a line)."""

    points: Indices
    vertices: Indices
    faces: Indices


def weld(vertices: Array, faces: Indices, poses: Mapping[str, Array]) -> Welded:
    """Vertices that lie in one place at rest and in every pose become one point. A mouth whose lips touch at rest
    and part in a pose stays two.

    >>> square = np.array([[0.0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 0, 0], [1, 1, 0], [0, 1, 0]])
    >>> weld(square, np.array([[0, 1, 2], [3, 4, 5]], dtype=np.int32), {}).points.tolist()
    [0, 1, 2, 0, 2, 3]
    >>> weld(square, np.array([[0, 1, 2], [3, 4, 5]], dtype=np.int32), {"cut": np.eye(6, 3)}).points.tolist()
    [0, 1, 2, 3, 4, 5]
    """
    shapes = [np.ascontiguousarray(shape, dtype=np.float64) + 0.0 for shape in (vertices, *poses.values())]
    group = np.zeros(len(vertices), dtype=np.int64)
    for shape in shapes:  # equal to the last bit
        rows = shape.view([("", np.float64)] * 3).reshape(-1)
        place = np.unique(rows, return_inverse=True)[1].reshape(-1)
        group = np.unique(group * len(vertices) + place, return_inverse=True)[1].reshape(-1)
    group = _near_as_well(shapes, group)
    # Numbered as they come in the file.
    _, first, which = np.unique(group, return_index=True, return_inverse=True)
    order = np.argsort(first)
    points = np.argsort(order)[which.reshape(-1)].astype(np.int32)
    return Welded(points, first[order].astype(np.int32), points[faces].reshape(-1, 3))


def _near_as_well(shapes: list[Array], group: NDArray[np.int64]) -> NDArray[np.int64]:
    """The same groups, joined where they are within rounding of each other in all shapes."""
    _, first = np.unique(group, return_index=True)
    size = float(np.linalg.norm(np.ptp(shapes[0], axis=0)))
    places = shapes[0][first]
    # A few neighbours each join a crowd as well as all pairs would, which may be more than memory holds.
    distance, near = cKDTree(places).query(places, k=NEIGHBOURS, distance_upper_bound=max(NEAR * size, 1e-300))
    who, which = np.nonzero(np.isfinite(distance))
    pairs = np.stack([who, near[who, which]], axis=1)
    pairs = pairs[pairs[:, 0] != pairs[:, 1]]
    for shape in shapes[1:]:
        apart = np.linalg.norm(shape[first[pairs[:, 0]]] - shape[first[pairs[:, 1]]], axis=1)
        pairs = pairs[apart <= NEAR * size]
    return _joined(pairs, len(first))[group]


def twins(points: Indices, normals: Array | None) -> Indices:
    """For each drawn vertex the first that is the same one for shading: the same point with the same normal.

    Where a hard edge gives a point two normals they stay two. Without normals all that are one point are twins.

    >>> twins(np.array([0, 1, 0], dtype=np.int32), None).tolist()
    [0, 1, 0]
    >>> twins(np.array([0, 1, 0], dtype=np.int32), np.eye(3)).tolist()
    [0, 1, 2]
    """
    order = np.argsort(points, kind="stable")
    group = points.astype(np.int64)
    if normals is not None:
        normals = unit(normals)
        pairs = [np.empty((0, 2), dtype=np.int64)]
        for step in range(1, MOST_TWINS):  # each with the next of its point, the next but one, ...
            same = np.flatnonzero(points[order[:-step]] == points[order[step:]])
            if len(same) == 0:
                break
            pair = np.stack([order[same], order[same + step]], axis=1)
            alike = np.einsum("nx,nx->n", normals[pair[:, 0]], normals[pair[:, 1]]) > SAME_DIRECTION
            pairs.append(pair[alike])
        group = _joined(np.concatenate(pairs), len(points))
    _, first, which = np.unique(group, return_index=True, return_inverse=True)
    return first[which.reshape(-1)].astype(np.int32)


def _joined(pairs: NDArray[np.int64], count: int) -> NDArray[np.int64]:
    graph = coo_array((np.ones(len(pairs), dtype=bool), (pairs[:, 0], pairs[:, 1])), shape=(count, count))
    return connected_components(graph, directed=False)[1].astype(np.int64)
