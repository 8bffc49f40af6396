"""Turning vectors along with a direction."""

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


def turned(vectors: Array, start: Array, end: Array) -> Array:
    """Vectors turned by the smallest rotation that takes the unit vectors `start` to `end`, row by row.

    Rodrigues' formula without trigonometry: u + k x u + k x (k x u) / (1 + cos), k = start x end. Half a
    turn has no smallest axis; there we take one that leaves the part across `start` in place.

    >>> turned(np.array([[1.0, 0, 0]]), np.array([[0, 1.0, 0]]), np.array([[-1.0, 0, 0]])).tolist()
    [[0.0, 1.0, 0.0]]
    """
    cosine = np.einsum("nj,nj->n", start, end)[:, None]
    k = np.cross(start, end)
    once = np.cross(k, vectors)
    opposite = 1.0 + cosine < 1e-12
    result = vectors + once + np.cross(k, once) / np.where(opposite, 1.0, 1.0 + cosine)
    along = np.einsum("nj,nj->n", vectors, start)[:, None]
    return np.where(opposite, vectors - 2.0 * along * start, result)
