"""Turning vectors: along with a direction, or by quaternions."""

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


def rotation_matrices(quaternions: Array) -> Array:
    """(N, 3, 3) of unit quaternions (N, 4), x, y, z, w. Those that rounding made longer or shorter count as unit.

    >>> rotation_matrices(np.array([[0.0, 0, 1, 0]]))[0].round(6).tolist()
    [[-1.0, 0.0, 0.0], [0.0, -1.0, 0.0], [0.0, 0.0, 1.0]]
    """
    q = np.asarray(quaternions, dtype=np.float64)
    square = np.einsum("ni,ni->n", q, q)
    x, y, z, w = (q * np.sqrt(2.0 / np.where(square > 0, square, 1.0))[:, None]).T
    rows = [
        [1 - y * y - z * z, x * y - w * z, x * z + w * y],
        [x * y + w * z, 1 - x * x - z * z, y * z - w * x],
        [x * z - w * y, y * z + w * x, 1 - x * x - y * y],
    ]
    return np.moveaxis(np.array(rows), 2, 0)


def quaternions(matrices: Array) -> Array:
    """Unit quaternions (N, 4), x, y, z, w with w >= 0, of rotation matrices (N, 3, 3).

    >>> quaternions(np.eye(3)[None]).tolist()
    [[0.0, 0.0, 0.0, 1.0]]
    """
    m = np.asarray(matrices, dtype=np.float64)
    trace = np.trace(m, axis1=1, axis2=2)
    # 4 x^2, 4 y^2, 4 z^2, 4 w^2: divide by the largest, the others may be nearly 0.
    squares = np.concatenate([1 + 2 * np.diagonal(m, axis1=1, axis2=2) - trace[:, None], 1 + trace[:, None]], axis=1)
    xy, yz, zx = m[:, 0, 1] + m[:, 1, 0], m[:, 1, 2] + m[:, 2, 1], m[:, 2, 0] + m[:, 0, 2]
    wx, wy, wz = m[:, 2, 1] - m[:, 1, 2], m[:, 0, 2] - m[:, 2, 0], m[:, 1, 0] - m[:, 0, 1]
    xx, yy, zz, ww = squares.T
    # Row k is 4 q_k q: any of them at length one is q.
    rows = np.array([[xx, xy, zx, wx], [xy, yy, yz, wy], [zx, yz, zz, wz], [wx, wy, wz, ww]])
    q = rows[np.argmax(squares, axis=1), :, np.arange(len(m))]
    q = q / np.linalg.norm(q, axis=1, keepdims=True)
    return np.where(q[:, 3:] < 0, -q, q)


def quaternion_products(a: Array, b: Array) -> Array:
    """Quaternions (N, 4): first b, then a."""
    vector = a[:, 3:] * b[:, :3] + b[:, 3:] * a[:, :3] + np.cross(a[:, :3], b[:, :3])
    scalar = a[:, 3] * b[:, 3] - np.einsum("ni,ni->n", a[:, :3], b[:, :3])
    return np.concatenate([vector, scalar[:, None]], axis=1)


def turned_by(quaternions: Array, vectors: Array) -> Array:
    """Quaternions (N, 4) turned further by rotation vectors (N, 3) in radians.

    >>> turned_by(np.array([[0.0, 0, 0, 1]]), np.array([[0, 0, np.pi]])).round(6).tolist()
    [[0.0, 0.0, 1.0, 0.0]]
    """
    angle = np.linalg.norm(vectors, axis=1, keepdims=True)
    half = np.concatenate([0.5 * np.sinc(angle / (2 * np.pi)) * vectors, np.cos(angle / 2)], axis=1)
    return quaternion_products(half, quaternions)


def rotation_vectors(start: Array, end: Array) -> Array:
    """The shortest rotations (N, 3), in radians, that take the quaternions `start` to `end`."""
    q = quaternion_products(end, start * (-1.0, -1.0, -1.0, 1.0))
    q = np.where(q[:, 3:] < 0, -q, q)
    sine = np.linalg.norm(q[:, :3], axis=1, keepdims=True)
    return q[:, :3] * np.where(sine > 1e-9, 2 * np.arctan2(sine, q[:, 3:]) / np.maximum(sine, 1e-300), 2.0)
