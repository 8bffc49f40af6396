"""Faces that pass through each other."""

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Indices = NDArray[np.int64]

MOST_FACES = 400_000  # of larger surfaces the crossings are not counted
MOST_PAIRS = 4_000_000  # looked at
CROSSINGS_AT_ONCE = 200_000
DEEP = 1e-9  # of the cube of the longest edge: less is touching, not crossing


def count_crossings(points: Array, faces: NDArray[np.int32]) -> tuple[int, bool]:
    """How many pairs of faces pass through each other, and whether all were looked at (else there are at least so
    many). Faces that share an edge do not count.

    >>> cross = np.array([[0.0, 0, 0], [2, 0, 0], [0, 2, 0], [0.5, 0.5, -1], [0.5, 0.5, 1], [3, 3, 0]])
    >>> count_crossings(cross, np.array([[0, 1, 2], [3, 4, 5]], dtype=np.int32))
    (1, True)
    """
    if len(faces) < 2:
        return 0, True
    if len(faces) > MOST_FACES:
        return 0, False
    pairs, complete = _near_pairs(points[faces])
    total = 0
    for first in range(0, len(pairs), CROSSINGS_AT_ONCE):
        total += int(_cross(points, faces, pairs[first : first + CROSSINGS_AT_ONCE]).sum())
    return total, complete


def _near_pairs(corners: Array) -> tuple[Indices, bool]:
    """Pairs of triangles (P, 2) whose boxes meet, and whether these are all: a tree of boxes against itself."""
    low, high = corners.min(axis=1), corners.max(axis=1)
    order = _curve_order((low + high) / 2)
    depth = int(np.ceil(np.log2(len(order))))
    # Level by level from the leaves: a box holds the two below it. Empty leaves meet nothing.
    filler = ((0, (1 << depth) - len(order)), (0, 0))
    lows = [np.pad(low[order], filler, constant_values=np.inf)]
    highs = [np.pad(high[order], filler, constant_values=-np.inf)]
    for _ in range(depth):
        lows.append(lows[-1].reshape(-1, 2, 3).min(axis=1))
        highs.append(highs[-1].reshape(-1, 2, 3).max(axis=1))
    pairs, complete = np.zeros((1, 2), dtype=np.int64), True
    for level in range(depth - 1, -1, -1):
        a, b = 2 * pairs[:, :1] + [0, 0, 1, 1], 2 * pairs[:, 1:] + [0, 1, 0, 1]
        a, b = a.ravel(), b.ravel()
        once = a <= b
        a, b = a[once], b[once]
        meet = ((lows[level][a] <= highs[level][b]) & (lows[level][b] <= highs[level][a])).all(axis=1)
        pairs = np.stack([a[meet], b[meet]], axis=1)
        if len(pairs) > MOST_PAIRS:
            pairs, complete = pairs[:MOST_PAIRS], False
    pairs = pairs[pairs[:, 0] != pairs[:, 1]]
    return order[pairs], complete


def _curve_order(places: Array) -> Indices:
    """Places sorted along a curve that keeps near ones together (Morton's: the bits of x, y and z by turns)."""
    span = np.maximum(np.ptp(places, axis=0).max(), 1e-300)
    grid = ((places - places.min(axis=0)) / span * 1023).astype(np.int64)
    code = np.zeros(len(places), dtype=np.int64)
    for bit in range(10):
        for axis in range(3):
            code |= ((grid[:, axis] >> bit) & 1) << (3 * bit + axis)
    return np.argsort(code, kind="stable")


def _cross(points: Array, faces: NDArray[np.int32], pairs: Indices) -> NDArray[np.bool_]:
    """Whether the two triangles of each pair pass through each other: an edge of one through the other."""
    a, b = faces[pairs[:, 0]], faces[pairs[:, 1]]
    shared = (a[:, :, None] == b[:, None, :]).any(axis=2)
    number = shared.sum(axis=1)
    found = np.zeros(len(pairs), dtype=bool)
    for one, two in ((a, b), (b, a)):
        touching = (one[:, :, None] == two[:, None, :]).any(axis=2)
        for k in range(3):
            # Of faces that meet in a point only the edges away from it can pass through the other.
            ends = one[:, [k, (k + 1) % 3]]
            free = (number < 2) & ~touching[:, k] & ~touching[:, (k + 1) % 3] & ~found
            rows = np.flatnonzero(free)
            if len(rows):
                found[rows] = _pierces(points[ends[rows]], points[two[rows]])
    return found


def _pierces(ends: Array, corners: Array) -> NDArray[np.bool_]:
    """Whether each segment (N, 2, 3) passes through the inside of its triangle (N, 3, 3)."""

    def volume(p: Array, q: Array, r: Array, s: Array) -> Array:
        return np.einsum("ij,ij->i", np.cross(q - p, r - p), s - p)

    a, b, c = (corners[:, k] for k in range(3))
    p, q = ends[:, 0], ends[:, 1]
    size = np.maximum(np.ptp(corners, axis=1).max(axis=1), np.ptp(ends, axis=1).max(axis=1)) ** 3
    above, below = volume(a, b, c, p), volume(a, b, c, q)
    apart = (above * below < 0) & (np.minimum(np.abs(above), np.abs(below)) > DEEP * size)
    sides = np.stack([volume(p, q, a, b), volume(p, q, b, c), volume(p, q, c, a)], axis=1)
    least = (DEEP * size)[:, None]
    return apart & ((sides > least).all(axis=1) | (sides < -least).all(axis=1))
