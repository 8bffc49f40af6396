"""Where particles touch obstacles. The world pushes them out and forgets; here it is found out anew, when asked."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from pliant.collision.layout import BOX, CAPSULE, PLANE
from pliant.world.mesh import Mesh

if TYPE_CHECKING:
    from pliant.world import Collider

Array = NDArray[np.float64]

TOUCHING = 1e-3  # of the size of a body: nearer than this counts
MOST_CONTACTS = 4096  # contacts that are told


def signed_distance(collider: "Collider", points: Array, time: float) -> tuple[Array, Array]:
    """Distance (N,) of points from the surface of an obstacle, negative inside, and outward normals (N, 3).

    >>> from pliant import Sphere
    >>> d, n = signed_distance(Sphere(radius=2.0), np.array([[3.0, 0, 0]]), 0.0)
    >>> d.tolist(), n.tolist()
    ([1.0], [[1.0, 0.0, 0.0]])
    """
    if isinstance(collider, Mesh):
        return collider.probe(points, time)
    kind, sizes, _, _ = collider.shape()
    turn, centre = collider.placed(time)
    local = (points - centre) @ turn
    normals = np.zeros_like(local)
    if kind == PLANE:
        distances = local[:, 1]
        normals[:, 1] = 1.0
    elif kind == BOX:
        depths = np.abs(local) - sizes
        face, rows = depths.argmax(axis=1), np.arange(len(local))
        distances = depths[rows, face]
        normals[rows, face] = np.copysign(1.0, local[rows, face])
    else:
        if kind == CAPSULE:
            local[:, 1] -= np.clip(local[:, 1], -sizes[1], sizes[1])
        length = np.linalg.norm(local, axis=1)
        distances = length - sizes[0]
        normals[:, 1] = 1.0  # at the very centre any will do
        inside = length > 1e-12
        normals[inside] = local[inside] / length[inside, None]
    return distances, normals @ turn.T


def contacts(colliders: Sequence["Collider"], points: Array, sizes: Array, time: float) -> NDArray[np.float32]:
    """(C, 6): a point of an obstacle's surface and the normal there, for each particle (N, 3) that touches it.
    `sizes` (N,) are those of the bodies that the particles belong to."""
    found = []
    for each in colliders:
        distances, normals = signed_distance(each, points, time)
        near = np.flatnonzero(distances < TOUCHING * sizes)
        places = points[near] - distances[near, None] * normals[near]
        found.append(np.column_stack([places, normals[near]]))
    rows = np.concatenate(found) if found else np.empty((0, 6))
    return rows[:MOST_CONTACTS].astype(np.float32)
