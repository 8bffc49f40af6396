"""Where the other surface is: the rigid motion, and if need be the scale, that lays the rest surface over it."""

from itertools import permutations, product

import numpy as np
from numpy.typing import NDArray
from scipy.spatial import cKDTree

from pliant.volume.filling.rotations import rigid_motion
from pliant.volume.matching.target import TargetSurface

Array = NDArray[np.float64]

SAME_SIZE = 1.5  # the other surface may be so many times larger or smaller before it is scaled
PLACED_BY = 300  # points with which placements are compared
TRY_ROUNDS, BEST_ROUNDS = 12, 40


def placed(points: Array, normals: Array, shares: Array, target: TargetSurface) -> Array:
    """The points (N, 3), laid rigidly over the target: the best of the 24 ways in which the axes of both may go
    together and of leaving them as they are, each tried by going to closest points a few times."""
    picks = np.linspace(0, len(points) - 1, min(PLACED_BY, len(points))).astype(np.int64)
    centre, axes = _axes(points, shares)
    there, axes_there = _axes(target.points, target.shares)
    turns = [np.eye(3)]
    for order in permutations(range(3)):
        for signs in product((1.0, -1.0), repeat=3):
            turn = axes_there[:, list(order)] * signs @ axes.T
            if np.linalg.det(turn) > 0:
                turns.append(turn)
    tried = []
    for turn in turns:
        motion = turn, there - turn @ centre
        motion, cost = _nearer(points[picks], normals[picks], target, motion, TRY_ROUNDS)
        tried.append((cost, motion))
    best = min(tried, key=lambda each: each[0])[1]
    every = np.linspace(0, len(points) - 1, min(10 * PLACED_BY, len(points))).astype(np.int64)
    (turn, shift), _ = _nearer(points[every], normals[every], target, best, BEST_ROUNDS)
    return points @ turn.T + shift


def size_ratio(points: Array, shares: Array, target: TargetSurface) -> float:
    """By how much the target is larger, by the root of the areas; 1 where that may be the pose."""
    ratio = float(np.sqrt(target.shares.sum() / max(float(shares.sum()), 1e-300)))
    return 1.0 if 1 / SAME_SIZE < ratio < SAME_SIZE else ratio


def _axes(points: Array, shares: Array) -> tuple[Array, Array]:
    part = shares / shares.sum()
    centre = part @ points
    away = points - centre
    axes = np.linalg.eigh(away.T @ (away * part[:, None]))[1]
    axes[:, 0] *= np.sign(np.linalg.det(axes))
    return centre, axes


def _nearer(
    points: Array, normals: Array, target: TargetSurface, motion: tuple[Array, Array], rounds: int
) -> tuple[tuple[Array, Array], float]:
    """The motion after some rounds of going to the closest points, and how far these are then, both ways."""
    turn, shift = motion
    for _ in range(rounds):
        moved = points @ turn.T + shift
        goals, there = target.closest(moved)
        facing = np.maximum(np.einsum("ni,ni->n", normals @ turn.T, there), 0.0) + 1e-3
        turn, shift = rigid_motion(points, goals, facing)
    moved = points @ turn.T + shift
    goals, there = target.closest(moved)
    facing = np.einsum("ni,ni->n", normals @ turn.T, there)
    back = cKDTree(moved).query(target.points[:: max(1, len(target.points) // PLACED_BY)])[0]
    gaps = np.linalg.norm(goals - moved, axis=1)
    size = float(np.linalg.norm(np.ptp(target.points, axis=0)))
    return (turn, shift), float(np.mean(gaps) + np.mean(back)) + 0.05 * size * float(np.mean(1 - facing))
