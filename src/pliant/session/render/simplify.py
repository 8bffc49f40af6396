"""Meshes made finer or coarser for their light: finer where it is told to vertices, coarser where it only throws
shade."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array, eye_array, vstack

from pliant.geometry.normals import vertex_normals

Array = NDArray[np.float64]
Faces = NDArray[np.int32]


def is_closed(vertices: Array, faces: Faces) -> bool:
    """Whether the surface has an inside: along each edge two triangles meet, running in opposite directions.

    Vertices at one place count as one, so seams are no holes.

    >>> corners = np.array([[0.0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]])
    >>> is_closed(corners, np.array([[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]]))
    True
    >>> is_closed(corners, np.array([[0, 2, 1], [0, 1, 3], [1, 2, 3]]))
    False
    """
    if not len(faces):
        return False
    size = max(float(np.abs(vertices).max()), 1e-30)
    _, place = np.unique(np.round(vertices / size, 7), axis=0, return_inverse=True)
    corners = place.ravel()[faces].astype(np.int64)
    corners = corners[(corners != np.roll(corners, 1, axis=1)).all(axis=1)]  # no triangles without area
    tails, heads = corners.ravel(), np.roll(corners, -1, axis=1).ravel()
    count = len(vertices)
    there, back = tails * count + heads, heads * count + tails
    return len(there) > 0 and np.array_equal(np.sort(there), np.sort(back)) and len(np.unique(there)) == len(there)


def refined(vertices: Array, faces: Faces, longest: float, most: int = 30_000) -> tuple[csr_array, Faces] | None:
    """Edges longer than `longest` are halved until there are none, or `most` triangles.

    Returns the new vertices as a blend of the old ones (a matrix to multiply anything by that vertices have) and the
    new faces; None where nothing is too long. Neighbours split a common edge alike, so no gaps open.
    """
    blend, points = eye_array(len(vertices), format="csr"), np.asarray(vertices, np.float64)
    corners = np.asarray(faces, np.int64)
    changed = False
    while len(corners):
        edges = np.sort(np.stack([corners, np.roll(corners, -1, axis=1)], axis=2), axis=2)  # (M, 3, 2)
        lengths = np.linalg.norm(points[edges[..., 0]] - points[edges[..., 1]], axis=2)
        cut = lengths > longest
        if not cut.any() or len(corners) + cut.sum() > most:
            break
        halves, number = np.unique(edges[cut], axis=0, return_inverse=True)
        middle = np.full(cut.shape, -1, np.int64)
        middle[cut] = len(points) + number.ravel()
        rows = np.repeat(np.arange(len(halves)), 2)
        mean = csr_array((np.full(rows.shape, 0.5), (rows, halves.ravel())), shape=(len(halves), len(points)))
        blend, points = vstack([blend, mean @ blend], format="csr"), np.concatenate([points, mean @ points])
        corners, changed = _split(corners, middle), True
    return (csr_array(blend), corners.astype(np.int32)) if changed else None


def _split(corners: NDArray[np.int64], middle: NDArray[np.int64]) -> NDArray[np.int64]:
    """Triangles cut at the middles of their edges (edge k runs from corner k to the next; -1: not cut)."""
    pieces = []
    for cuts in range(8):
        chosen = (((middle >= 0) * [1, 2, 4]).sum(axis=1)) == cuts
        if not chosen.any():
            continue
        flags = [bool(cuts >> k & 1) for k in range(3)]
        # Turned so that a lone cut edge, or a lone uncut one, comes first.
        turn = flags.index(sum(flags) == 1) if sum(flags) in (1, 2) else 0
        (a, b, c), (ab, bc, ca) = (np.roll(x[chosen], -turn, axis=1).T for x in (corners, middle))
        match sum(flags):
            case 0:
                found = [(a, b, c)]
            case 1:
                found = [(a, ab, c), (ab, b, c)]
            case 2:
                found = [(a, b, bc), (a, bc, ca), (ca, bc, c)]
            case _:
                found = [(a, ab, ca), (ab, b, bc), (ca, bc, c), (ab, bc, ca)]
        pieces += [np.stack(triangle, axis=1) for triangle in found]
    return np.concatenate(pieces)


def coarse(vertices: Array, faces: Faces, most: int) -> Faces:
    """At most about `most` triangles between some of the same vertices.

    Vertices in one cell of a grid that look the same way become one: thin things keep both their sides.
    """
    if len(faces) <= most:
        return faces
    normals = vertex_normals(vertices, faces)
    axis = np.abs(normals).argmax(axis=1)
    side = 2 * axis + (np.take_along_axis(normals, axis[:, None], axis=1)[:, 0] < 0)
    doubled = np.cross(vertices[faces[:, 1]] - vertices[faces[:, 0]], vertices[faces[:, 2]] - vertices[faces[:, 0]])
    area = 0.5 * float(np.linalg.norm(doubled, axis=1).sum())
    cell = np.sqrt(2.0 * area / most)
    for _ in range(12):
        found = _clustered(vertices, faces, side, cell)
        if len(found) <= most:
            break
        cell *= 1.2
    return found


def _clustered(vertices: Array, faces: Faces, side: NDArray[Any], cell: float) -> Faces:
    keys = np.column_stack([np.floor((vertices - vertices.min(axis=0)) / cell).astype(np.int64), side])
    _, cluster = np.unique(keys, axis=0, return_inverse=True)
    cluster = cluster.ravel()
    counts = np.bincount(cluster)
    means = np.stack([np.bincount(cluster, vertices[:, k]) / counts for k in range(3)], axis=1)
    # The vertex nearest to the middle stands for all: sorted by cluster and then by distance, the first of each.
    order = np.lexsort((np.linalg.norm(vertices - means[cluster], axis=1), cluster))
    first = order[np.r_[True, np.diff(cluster[order]) > 0]]
    corners = first[cluster][faces]
    kept = corners[(corners != np.roll(corners, 1, axis=1)).all(axis=1)]
    turned = np.take_along_axis(kept, (kept.argmin(axis=1)[:, None] + np.arange(3)) % 3, axis=1)
    return np.unique(turned, axis=0).astype(np.int32)
