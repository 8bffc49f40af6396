"""Validation of what users give: numbers, vectors and rotations. A wrong one is told in one line."""

from math import isfinite
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pliant.runtime.errors import SettingsError

Array = NDArray[np.float64]
FARTHEST = 1e9  # larger numbers (m, m/s, m/s^2) are mistakes, and single precision cannot work with them


def formatted(value: Any) -> str:
    """A value as it stands in a message: on one line, and not a long one."""
    text = " ".join(repr(value).split())
    return text if len(text) <= 60 else text[:57] + "..."


def floats(value: ArrayLike) -> Array | None:
    """An array of floats, or None where there is none to be made."""
    try:
        return np.asarray(value, dtype=np.float64)
    except (TypeError, ValueError, OverflowError):
        return None


def is_number(value: Any) -> bool:
    kinds = int | float | np.integer | np.floating
    return isinstance(value, kinds) and not isinstance(value, bool) and isfinite(value)


def positive(value: Any, who: str, unit: str) -> float:
    """A finite number above zero."""
    if not is_number(value) or value <= 0:
        raise SettingsError(f"{who} = {formatted(value)}; give a positive number of {unit}")
    return float(value)


def between(value: Any, who: str, low: float, high: float = np.inf) -> float:
    """A finite number from low to high."""
    if not is_number(value) or not low <= value <= high:
        limits = f"from {low:g} to {high:g}" if isfinite(high) else f"from {low:g} up"
        raise SettingsError(f"{who} = {formatted(value)}; give a number {limits}")
    return float(value)


def whole(value: Any, who: str, low: int, high: int | None = None) -> int:
    """A whole number from low to high."""
    if not is_number(value) or value != int(value) or value < low or (high is not None and value > high):
        limits = f"from {low} up" if high is None else f"from {low} to {high}"
        raise SettingsError(f"{who} = {formatted(value)}; give a whole number {limits}")
    return int(value)


def as_vector(value: ArrayLike, who: str) -> Array:
    """Three finite numbers."""
    v = floats(value)
    if v is None or v.shape != (3,) or not (np.abs(v) <= FARTHEST).all():
        raise SettingsError(f"{who} = {formatted(value)}; give three finite numbers (x, y, z)")
    return v.copy()


def as_matrix(value: ArrayLike, who: str) -> Array:
    """A 3x3 rotation from a quaternion (x, y, z, w) or a 3x3 matrix.

    >>> as_matrix((0, 0, 1, 0), "box").tolist()
    [[-1.0, 0.0, 0.0], [0.0, -1.0, 0.0], [0.0, 0.0, 1.0]]
    """
    r = floats(value)
    if r is not None and r.shape == (4,) and 1e-9 < np.abs(r).max() < FARTHEST:
        x, y, z, w = r / np.linalg.norm(r)
        return np.array(
            [
                [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
                [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
                [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
            ]
        )
    if r is not None and is_rotation(r, 1e-6):
        return r.copy()
    raise SettingsError(f"{who}: rotation = {formatted(value)}; give a quaternion (x, y, z, w) or a 3x3 rotation")


def is_rotation(matrix: Array, tolerance: float) -> bool:
    """Whether a matrix is 3x3, orthogonal and proper; False for anything that is not finite."""
    if matrix.shape != (3, 3) or not (np.abs(matrix) < 2).all():
        return False
    a, b, c = matrix
    off = np.abs(matrix @ matrix.T - np.eye(3)).max()
    return bool(off < tolerance and a @ np.cross(b, c) > 0)


def as_quaternion(matrix: Array) -> Array:
    """The quaternion (x, y, z, w) of a 3x3 rotation."""
    m = matrix
    four = np.array(
        [
            [1 + m[0, 0] - m[1, 1] - m[2, 2], m[0, 1] + m[1, 0], m[0, 2] + m[2, 0], m[2, 1] - m[1, 2]],
            [m[0, 1] + m[1, 0], 1 - m[0, 0] + m[1, 1] - m[2, 2], m[1, 2] + m[2, 1], m[0, 2] - m[2, 0]],
            [m[0, 2] + m[2, 0], m[1, 2] + m[2, 1], 1 - m[0, 0] - m[1, 1] + m[2, 2], m[1, 0] - m[0, 1]],
            [m[2, 1] - m[1, 2], m[0, 2] - m[2, 0], m[1, 0] - m[0, 1], 1 + m[0, 0] + m[1, 1] + m[2, 2]],
        ]
    )  # 4 q q^T: the row with the largest diagonal is q up to its length
    q = four[np.argmax(np.diagonal(four))]
    return q / np.linalg.norm(q)
