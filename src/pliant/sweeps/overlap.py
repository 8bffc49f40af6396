"""How deep bodies are inside one another and inside obstacles, in one number."""

from collections.abc import Mapping, Sequence
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from pliant.body import Body
from pliant.files.take import Take, Track
from pliant.gallery.touching import between_ellipsoids, depth_in, ellipsoids
from pliant.geometry.boundary import boundary_triangles
from pliant.geometry.measures import diagonal
from pliant.graph import Graph
from pliant.session.frames import frame_at
from pliant.world import Box, Capsule, Collider, Frame, Mesh, Plane, Sphere

Array = NDArray[np.float64]
MOST_LOOKED_AT = 60  # frames of a take: what is deep is so for longer than a frame


def deepest_overlap(take: Take, colliders: Sequence[Collider]) -> float:
    """How deep any body is in another one, or its skin in an obstacle, at the worst moment that is looked at; as a part
    of the diagonal of a body at rest, the median of them."""
    bodies = {track.name: track.body for track in take.tracks}
    size = float(np.median([diagonal(body.rest) for body in bodies.values()]))
    worst = 0.0
    for at in range(0, take.frames, max(1, -(-take.frames // MOST_LOOKED_AT))):
        frame = frame_at(take, at)
        worst = max(worst, _between_bodies(bodies, frame), *(_in_obstacles(each, at, colliders, frame.time)
                                                             for each in take.tracks))  # fmt: skip
    return worst / size if size > 0.0 else 0.0


def _between_bodies(bodies: Mapping[str, Body], frame: Frame) -> float:
    """Solids by their tets, graphs by their ellipsoids. Sheets and ropes have no inside to be in."""
    graphs = {name: body for name, body in bodies.items() if isinstance(body, Graph)}
    deepest = 0.0
    if len(graphs) > 1:
        deepest = max(0.0, float(between_ellipsoids(*ellipsoids(graphs, frame))[0].max(initial=0.0)))
    boxes = {name: (x.min(axis=0), x.max(axis=0)) for name, x in frame.positions.items()}
    for pair in combinations(bodies, 2):
        (low, high), (other_low, other_high) = (boxes[name] for name in pair)
        if (low <= other_high).all() and (other_low <= high).all():
            for one, other in (pair, pair[::-1]):
                if bodies[other].kind == "solid" and not isinstance(bodies[other], Graph):
                    points = _outside(bodies[one], frame.positions[one])
                    deepest = max(deepest, depth_in(points, bodies[other], frame.positions[other]))
    return deepest


def _outside(body: Body, positions: Array) -> Array:
    if body.kind == "solid" and not isinstance(body, Graph):
        return positions[np.unique(boundary_triangles(body.elements))]
    return positions


def _in_obstacles(track: Track, at: int, colliders: Sequence[Collider], time: float) -> float:
    points = track.surface(at) if len(track.body.skin.vertices) else np.asarray(track.positions[at], np.float64)
    return max((-float(distances(each, points, time).min(initial=0.0)) for each in colliders), default=0.0)


def distances(collider: Collider, points: Array, time: float) -> Array:
    """Signed distances (N,) m of points (N, 3) from the surface of an obstacle, below 0 inside.

    >>> distances(Box(half_size=(1, 1, 1)), np.array([[0, 0.9, 0], [3, 0, 0]]), 0.0).round(3).tolist()
    [-0.1, 2.0]
    """
    if isinstance(collider, Mesh):
        return collider.distances(points, time)
    turn, centre = collider.placed(time)
    local = (points - centre) @ turn
    if isinstance(collider, Plane):
        return local[:, 1]
    if isinstance(collider, Sphere):
        return np.linalg.norm(local, axis=1) - collider.radius
    if isinstance(collider, Box):
        beyond = np.abs(local) - np.asarray(collider.half_size)
        return np.linalg.norm(np.maximum(beyond, 0.0), axis=1) + np.minimum(beyond.max(axis=1), 0.0)
    if isinstance(collider, Capsule):
        half = float(np.linalg.norm(np.asarray(collider.end) - np.asarray(collider.start))) / 2
        local[:, 1] -= np.clip(local[:, 1], -half, half)
        return np.linalg.norm(local, axis=1) - collider.radius
    raise TypeError(f"{type(collider).__name__} has no distance")
