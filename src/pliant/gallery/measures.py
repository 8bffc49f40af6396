"""What checks measure: twist, distance to a pose, speed, lean."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pliant.body import Body
from pliant.geometry.turning import rotation_matrices
from pliant.graph import Graph

Array = NDArray[np.float64]


def layer_turns(body: Body, positions: ArrayLike, axis: int = 1) -> Array:
    """Degrees by which each layer of a body made of layers is turned about an axis (0 x, 1 y, 2 z).

    The lowest layer comes first. A layer's turn is the rotation that fits it best, seen along the axis.
    """
    across = [(axis + 1) % 3, (axis + 2) % 3]
    x = np.asarray(positions)
    heights = np.round(body.rest[:, axis], 9)
    turns = []
    for height in np.unique(heights):
        layer = heights == height
        before, after = body.rest[layer][:, across], x[layer][:, across]
        before, after = before - before.mean(axis=0), after - after.mean(axis=0)
        sine = np.sum(before[:, 0] * after[:, 1] - before[:, 1] * after[:, 0])
        turns.append(np.degrees(np.arctan2(sine, np.sum(before * after))))
    return np.unwrap(turns, period=360)


def twist(body: Body, positions: ArrayLike, axis: int = 1) -> float:
    """Degrees by which the top layer is turned against the bottom layer."""
    turns = layer_turns(body, positions, axis)
    return float(turns[-1] - turns[0])


def chain_twist(graph: Graph, rotations: ArrayLike, axis: int = 0) -> float:
    """Degrees by which particles in a row along an axis are turned about it, from the first to the last: the sum of
    what each is turned against the one before, so that it may be many turns."""
    order = np.argsort(graph.rest[:, axis])
    turns = rotation_matrices(np.asarray(rotations, np.float64))[order]
    steps = np.einsum("nji,njk->nik", turns[:-1], turns[1:])
    b, c = (axis + 1) % 3, (axis + 2) % 3
    return float(np.degrees(np.arctan2(steps[:, c, b] - steps[:, b, c], steps[:, b, b] + steps[:, c, c])).sum())


def mismatch(body: Body, positions: ArrayLike, shape: ArrayLike) -> float:
    """Root-mean-square distance (m, by mass) to a shape after the best rigid alignment [Kabsch 1976]."""
    mass = body.masses / body.mass
    a, b = np.asarray(shape, np.float64), np.asarray(positions, np.float64)
    a, b = a - mass @ a, b - mass @ b
    u, _, vt = np.linalg.svd((b * mass[:, None]).T @ a)
    turn = u @ np.diag([1, 1, np.sign(np.linalg.det(u @ vt))]) @ vt
    return float(np.sqrt(mass @ np.sum((b - a @ turn.T) ** 2, axis=1)))


def likeness(body: Body, positions: ArrayLike, pose: str) -> float:
    """1 in the example pose, 0 in the rest shape, below 0 where that pose is even farther away."""
    whole = mismatch(body, body.rest, body.poses[pose])
    return 1.0 - mismatch(body, positions, body.poses[pose]) / whole


def speed(body: Body, velocities: ArrayLike) -> float:
    """Root-mean-square speed (m/s, by mass)."""
    return float(np.sqrt(body.masses @ np.sum(np.asarray(velocities) ** 2, axis=1) / body.mass))


def height(positions: ArrayLike) -> float:
    """Metres from the lowest particle to the highest."""
    return float(np.ptp(np.asarray(positions)[:, 1]))


def diamonds(body: Body, positions: ArrayLike, margin: int, waves: int = 3) -> float:
    """Amplitude of so many waves round the wall of an upright tube where they are largest, as a part of its radius;
    without so many rows of particles at each end."""
    x = np.asarray(positions)
    away = np.hypot(body.rest[:, 0], body.rest[:, 2])
    radius = float(away.max())
    heights = np.round(body.rest[:, 1], 6)
    deepest = 0.0
    for level in np.unique(heights)[margin:-margin]:
        ring = (away > 0.99 * radius) & (heights == level)
        across = x[ring][:, [0, 2]] - x[ring][:, [0, 2]].mean(axis=0)
        angle = np.arctan2(body.rest[ring, 2], body.rest[ring, 0])
        wave = np.mean(np.hypot(*across.T) * np.exp(1j * waves * angle))
        deepest = max(deepest, 2 * abs(wave) / radius)
    return deepest
