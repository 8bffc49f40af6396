"""The distance to a surface on a grid of points: found once, then read off in an instant.

Between the points of the grid the distance is interpolated (trilinear), so that what is flat stays flat and what is
sharp is rounded by a part of the spacing.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import distance_transform_edt

from pliant.geometry.nearest import closest_on_triangles
from pliant.geometry.solid import inside_votes, refined

Array = NDArray[np.float64]
Indices = NDArray[np.int32]

MARGIN = 2  # cells round the surface
BAND = 2.0  # cells from the surface within which every face is asked for its distance
FACE_PAIRS_AT_ONCE = 1_000_000  # pairs of a point and a face
LONG_EDGE = 4.0  # cells: longer edges are cut, or the boxes round slanted faces would hold half of the grid


@dataclass(frozen=True, eq=False)
class DistanceGrid:
    """values (X, Y, Z) m, negative inside, at `origin` + `spacing` (i, j, k); low, high (3,) m: corners of the box
    round all that is solid. `accuracy` m: how far from the surface the interpolated distance vanishes, at most of the
    points that were tried."""

    values: NDArray[np.float32]
    origin: Array
    spacing: float
    low: Array
    high: Array
    accuracy: float = 0.0

    def at(self, points: Array) -> tuple[Array, Array]:
        """Distances (N,) and unit normals (N, 3) at points (N, 3)."""
        most = np.array(self.values.shape) - 1
        place = np.clip((points - self.origin) / self.spacing, 0, most)
        cell = np.minimum(place.astype(np.int64), most - 1)
        t = place - cell
        distances, normals = np.zeros(len(points)), np.zeros((len(points), 3))
        for corner in np.ndindex(2, 2, 2):
            value = self.values[tuple((cell + corner).T)].astype(np.float64)
            parts = np.where(corner, t, 1.0 - t)
            distances += value * parts.prod(axis=1)
            for axis in range(3):
                others = parts[:, [k for k in range(3) if k != axis]].prod(axis=1)
                normals[:, axis] += value * others * (1.0 if corner[axis] else -1.0)
        normals = _units(normals, 1e-6 * self.spacing)
        # Outside the grid: the surface lies within it, so the angle between the way to the grid and the way from there
        # to the surface is blunt. That bounds the distance; between the bounds it goes on as it does at the edge.
        away = points - self.origin - self.spacing * place
        beyond = np.linalg.norm(away, axis=1)
        ahead = distances + np.einsum("ij,ij->i", normals, away)
        far = np.clip(ahead, np.hypot(distances, beyond), distances + beyond)
        out = beyond > 1e-6 * self.spacing
        turned = _units(distances[:, None] * normals + away, 0.0)
        return np.where(out, far, distances), np.where(out[:, None], turned, normals)


def _units(vectors: Array, least: float) -> Array:
    length = np.linalg.norm(vectors, axis=1, keepdims=True)
    return np.where(length > least, vectors / np.where(length > least, length, 1.0), [0.0, 1.0, 0.0])


def grid_round(low: Array, high: Array, spacing: float) -> tuple[Array, NDArray[np.int64]]:
    """Origin (3,) and number of points along each axis of a grid that holds a box with some room to spare. It is
    centred, so that symmetric surfaces give symmetric grids."""
    counts = np.ceil((high - low) / spacing - 1e-9).astype(np.int64) + 1 + 2 * MARGIN
    return (low + high) / 2 - (counts - 1) / 2 * spacing, counts


def distances_to(points: Array, faces: Indices, origin: Array, spacing: float, counts: NDArray[np.int64]) -> Array:
    """Distance (X, Y, Z) m of each grid point to the surface of some faces: exact near it, elsewhere to the face that
    is nearest to the nearest point of the band where it is exact."""
    vertices, cut = refined(points, faces.astype(np.int64), LONG_EDGE * spacing)
    corners = vertices[cut]
    nearest, distance = np.full(counts, -1, np.int64), np.full(counts, np.inf)
    flat_nearest, flat_distance = nearest.reshape(-1), distance.reshape(-1)
    for who, at in _pairs((corners - origin) / spacing, counts):
        place = origin + spacing * np.stack(np.unravel_index(at, tuple(counts)), axis=1)
        found = _distance(place, corners[who])
        # Farther ones lie in the boxes of some faces and not in that of the nearest.
        close = found <= BAND * spacing
        who, at, found = who[close], at[close], found[close]
        # Of the faces that claim a point the nearest one; in what order they come does not matter.
        order = np.lexsort((found, at))
        first = order[np.concatenate([[True], at[order][1:] != at[order][:-1]])] if len(order) else order
        better = first[found[first] < flat_distance[at[first]]]
        flat_distance[at[better]], flat_nearest[at[better]] = found[better], who[better]
    unknown = nearest < 0
    if unknown.any():
        near = distance_transform_edt(unknown, return_distances=False, return_indices=True)
        for rows in _slices(np.flatnonzero(unknown)):
            source = np.ravel_multi_index(tuple(axis.reshape(-1)[rows] for axis in near), tuple(counts))
            place = origin + spacing * np.stack(np.unravel_index(rows, tuple(counts)), axis=1)
            flat_distance[rows] = _distance(place, corners[flat_nearest[source]])
    return distance


def inside_of(
    points: Array, faces: Indices, origin: Array, spacing: float, counts: NDArray[np.int64]
) -> NDArray[np.bool_]:
    """Whether each grid point (X, Y, Z) is inside: what most of six rays say."""
    return inside_votes((points - origin) / spacing, faces.astype(np.int64), counts)


def _pairs(corners: Array, counts: NDArray[np.int64]) -> Iterator[tuple[NDArray[np.int64], NDArray[np.int64]]]:
    """Faces and grid points (flat numbers) in the boxes round them, some at a time. Corners (M, 3, 3) in cells."""
    low = np.maximum(np.ceil(corners.min(axis=1) - BAND).astype(np.int64), 0)
    high = np.minimum(np.floor(corners.max(axis=1) + BAND).astype(np.int64), counts - 1)
    size = np.maximum(high - low + 1, 0)
    amount = size.prod(axis=1)
    starts = np.concatenate([[0], np.cumsum(amount)])
    cuts = np.unique(np.append(np.searchsorted(starts[:-1], np.arange(0, starts[-1], FACE_PAIRS_AT_ONCE)), len(amount)))
    for first, last in pairwise(cuts.tolist()):
        some = slice(first, last)
        who = np.repeat(np.arange(first, last), amount[some])
        within = np.arange(len(who)) - np.repeat(starts[some] - starts[first], amount[some])
        across, k = np.divmod(within, size[who, 2])
        i, j = np.divmod(across, size[who, 1])
        place = low[who] + np.stack([i, j, k], axis=1)
        yield who, np.ravel_multi_index(tuple(place.T), tuple(counts))


def _slices(rows: NDArray[np.int64]) -> list[NDArray[np.int64]]:
    return [rows[first : first + FACE_PAIRS_AT_ONCE] for first in range(0, len(rows), FACE_PAIRS_AT_ONCE)]


def _distance(places: Array, corners: Array) -> Array:
    weights = closest_on_triangles(places, corners)
    gap = places - np.einsum("nk,nkj->nj", weights, corners)
    return np.sqrt(np.einsum("ij,ij->i", gap, gap))
