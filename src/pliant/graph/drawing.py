"""The plain skin of a graph: its ellipsoids."""

import numpy as np
from numpy.typing import NDArray

from pliant.body.skin import Skin
from pliant.graph.ellipsoids import Ellipsoids

Array = NDArray[np.float64]

ROUND, RINGS = 16, 9  # vertices round an ellipsoid, and rings between its poles


def drawn_ellipsoids(centres: Array, ellipsoids: Ellipsoids) -> Skin:
    """A closed surface of triangles round every ellipsoid, which rides on its own particle only."""
    sphere, triangles = _sphere()
    count, each = len(centres), len(sphere)
    local = sphere * ellipsoids.radii[:, None, :]
    vertices = centres[:, None] + np.einsum("nij,nvj->nvi", ellipsoids.axes, local)
    faces = triangles + each * np.arange(count)[:, None, None]
    slots = np.repeat(np.arange(count, dtype=np.int32), each)[:, None].repeat(4, axis=1)
    weights = np.tile([1.0, 0.0, 0.0, 0.0], (count * each, 1))
    return Skin(vertices.reshape(-1, 3), faces.reshape(-1, 3), slots, weights, kind="oriented", pivots=centres)


def _sphere() -> tuple[Array, NDArray[np.int64]]:
    """A ball of radius 1 about the origin: rings, then both poles."""
    tilt = np.pi * np.arange(1, RINGS + 1) / (RINGS + 1)
    turn = 2 * np.pi * np.arange(ROUND) / ROUND
    ring = np.stack([np.cos(turn), np.sin(turn)], axis=1)
    points = [np.concatenate([np.sin(t) * ring, np.full((ROUND, 1), np.cos(t))], axis=1) for t in tilt]
    here = np.arange(ROUND)
    after = (here + 1) % ROUND
    top, bottom = ROUND * RINGS, ROUND * RINGS + 1
    faces = [np.stack([np.full(ROUND, top), here, after], axis=1)]
    for row in range(RINGS - 1):
        a, b = row * ROUND, (row + 1) * ROUND
        faces += [np.stack([a + here, b + here, b + after], axis=1), np.stack([a + here, b + after, a + after], axis=1)]
    last = ROUND * (RINGS - 1)
    faces.append(np.stack([np.full(ROUND, bottom), last + after, last + here], axis=1))
    return np.concatenate([*points, [[0.0, 0.0, 1.0], [0.0, 0.0, -1.0]]]), np.concatenate(faces)
