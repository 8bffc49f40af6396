"""Whether an actor touches something, by the distance between them: for events of a scene, which no contact solver has
to know of."""

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray
from scipy.spatial import cKDTree

from pliant.body.spacing import spacing
from pliant.collision.layout import BOX, CAPSULE, PLANE
from pliant.geometry.measures import diagonal
from pliant.world.colliders import Collider
from pliant.world.mesh import Mesh

if TYPE_CHECKING:
    from pliant.world.actor import Actor

Array = NDArray[np.float64]

TOUCHING_AT = 0.01  # of the body's diagonal: contact holds skins apart by less; half of it misses soft landings
BODIES_AT = 0.75  # of the wider spacing of two bodies: their particles are so near when their surfaces meet


def collider_gaps(collider: Collider, points: Array, time: float) -> Array:
    """(N,) m: how far points are from an obstacle, below zero inside.

    >>> from pliant.world.colliders import Box
    >>> collider_gaps(Box(half_size=(1, 1, 1)), np.array([[0.0, 3, 0], [0, 0.75, 0], [4.0, 5, 0]]), 0.0).tolist()
    [2.0, -0.25, 5.0]
    """
    if isinstance(collider, Mesh):
        return collider.distances(points, time)
    kind, sizes, _, _ = collider.shape()
    turn, centre = collider.placed(time)
    local = (points - centre) @ turn
    if kind == PLANE:
        return local[:, 1]
    if kind == BOX:
        beyond = np.abs(local) - sizes
        outside = np.linalg.norm(np.maximum(beyond, 0.0), axis=1)
        return outside + np.minimum(beyond.max(axis=1), 0.0)
    if kind == CAPSULE:
        local[:, 1] -= np.clip(local[:, 1], -sizes[1], sizes[1])
    return np.linalg.norm(local, axis=1) - sizes[0]


def touches(actor: "Actor", name: str | None) -> bool:
    """Whether an actor touches the obstacle or the actor of a name now; without one, any obstacle."""
    world = actor.world
    points = np.asarray(actor.positions, np.float64)
    near = TOUCHING_AT * diagonal(actor.body.rest)
    for collider in world.colliders:
        if name in (None, collider.name) and collider_gaps(collider, points, world.time).min() <= near:
            return True
    for other in world.actors:
        if other.name == name and other is not actor:
            gap = cKDTree(np.asarray(other.positions, np.float64)).query(points)[0].min()
            return bool(gap <= BODIES_AT * max(spacing(actor.body), spacing(other.body)))
    return False
