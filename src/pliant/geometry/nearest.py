"""The closest point of a triangle or a segment to a point, for many pairs at once, as barycentric weights."""

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

ONLY_ROUNDING = 1e-15  # the volume of a tet, as a part of that of a box of its size, below which only rounding is left
OUTSIDE = (-1.0, 1.0, 1.0, 0.0)  # add up to one, as weights do


def _dot(a: Array, b: Array) -> Array:
    return np.einsum("ij,ij->i", a, b)


def barycentric_in_tet(points: Array, corners: Array) -> Array:
    """Weights (N, 4) of each point in its own tet (N, 4, 3); negative outside.

    A tet without volume holds nothing: every point is outside it, and its weights, which cannot be told, are `OUTSIDE`.
    """
    a, b, c = (corners[:, k] - corners[:, 0] for k in (1, 2, 3))
    p = points - corners[:, 0]
    bc, ca, ab = np.cross(b, c), np.cross(c, a), np.cross(a, b)
    volume = _dot(a, bc)
    flat = np.abs(volume) <= ONLY_ROUNDING * np.sqrt(_dot(a, a) * _dot(bc, bc))
    w = np.stack([_dot(p, bc), _dot(p, ca), _dot(p, ab)], axis=1) / np.where(flat, 1.0, volume)[:, None]
    weights = np.concatenate([1.0 - w.sum(axis=1, keepdims=True), w], axis=1)
    weights[flat] = OUTSIDE
    return weights


def barycentric_in_plane(points: Array, corners: Array) -> Array:
    """Weights (N, 3) of each point's foot in the plane of its own triangle (N, 3, 3); negative outside."""
    a, b = corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]
    p = points - corners[:, 0]
    normal = np.cross(a, b)
    square = _dot(normal, normal)
    v = _dot(np.cross(p, b), normal) / square
    w = _dot(np.cross(a, p), normal) / square
    return np.stack([1.0 - v - w, v, w], axis=1)


def closest_on_segments(points: Array, corners: Array) -> Array:
    """Weights (N, 2) of the point of each segment (N, 2, 3) closest to its point."""
    along = corners[:, 1] - corners[:, 0]
    square = _dot(along, along)
    t = _dot(points - corners[:, 0], along) / np.where(square > 0, square, 1.0)
    t = np.clip(t, 0.0, 1.0)
    return np.stack([1.0 - t, t], axis=1)


def closest_on_triangles(points: Array, corners: Array) -> Array:
    """Weights (N, 3) of the point of each triangle (N, 3, 3) closest to its point.

    The foot in the plane where it lies inside; otherwise the best of the three edges. Which edge faces the
    point is not read off the signs of the weights: that fails at obtuse corners.
    """
    with np.errstate(divide="ignore", invalid="ignore"):  # a triangle without area gives NaN: see below
        weights = barycentric_in_plane(points, corners)
    # Asked this way round so that NaN, too, goes to the edges.
    outside = np.flatnonzero(~(weights >= 0.0).all(axis=1))
    if len(outside) == 0:
        return weights
    p, tri = points[outside], corners[outside]
    best = np.full(len(outside), np.inf)
    on_edges = np.zeros((len(outside), 3))
    for a, b in ((0, 1), (1, 2), (2, 0)):
        edge = tri[:, [a, b]]
        w = closest_on_segments(p, edge)
        gap = p - np.einsum("nk,nkj->nj", w, edge)
        square = _dot(gap, gap)
        closer = square < best
        best[closer] = square[closer]
        on_edges[closer] = 0.0
        on_edges[closer, a], on_edges[closer, b] = w[closer].T
    weights[outside] = on_edges
    return weights
