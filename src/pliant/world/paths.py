"""Rigid motions over time: what pins, handles and colliders follow."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pliant.errors import SettingsError

Array = NDArray[np.float64]
Motion: TypeAlias = Callable[[float], Any]
STILL = (np.zeros(3), np.eye(3))


@dataclass(frozen=True, eq=False)
class Path:
    """Keyed motion relative to where a thing was placed: offsets (T, 3) m and, if wanted, turns (T, 3): rotation
    vectors in radians about the thing's own centre. Straight between keys and at rest outside them; `smooth` eases in
    and out of every key.

    >>> lift = Path([0, 1], [(0, 0, 0), (0, 2, 0)])
    >>> lift(0.25)[0].tolist()
    [0.0, 0.5, 0.0]
    """

    times: Array
    offsets: Array
    turns: Array
    smooth: bool

    def __init__(
        self, times: ArrayLike, offsets: ArrayLike | None = None, turns: ArrayLike | None = None, *, smooth: bool = False
    ) -> None:
        moments = np.atleast_1d(np.asarray(times, dtype=np.float64))
        if len(moments) == 0 or not np.isfinite(moments).all() or (np.diff(moments) <= 0).any():
            raise SettingsError("path: times must be finite and rise from key to key")
        object.__setattr__(self, "times", moments)
        object.__setattr__(self, "smooth", smooth)
        for name, given in (("offsets", offsets), ("turns", turns)):
            keys = np.zeros((len(moments), 3)) if given is None else np.asarray(given, dtype=np.float64)
            if keys.shape != (len(moments), 3) or not np.isfinite(keys).all():
                raise SettingsError(
                    f"path: {name} have shape {keys.shape}; give one finite (x, y, z) for each of the {len(moments)} times"
                )
            object.__setattr__(self, name, keys)

    def __call__(self, time: float) -> tuple[Array, Array]:
        last = len(self.times) - 1
        i = int(np.clip(np.searchsorted(self.times, time, side="right") - 1, 0, max(last - 1, 0)))
        j = min(i + 1, last)
        span = self.times[j] - self.times[i]
        s = float(np.clip((time - self.times[i]) / span, 0.0, 1.0)) if span > 0 else 0.0
        if self.smooth:
            s = s * s * (3.0 - 2.0 * s)
        return (1 - s) * self.offsets[i] + s * self.offsets[j], rotation((1 - s) * self.turns[i] + s * self.turns[j])


def at(path: Motion | None, time: float, who: str) -> tuple[Array, Array]:
    """Offset (3,) and rotation (3, 3) of a path: a `Path`, or any function of time that gives an offset or both."""
    if path is None:
        return STILL
    value = path(time)
    if isinstance(value, tuple) and len(value) == 2 and np.ndim(value[0]) == 1:
        offset, turn = np.asarray(value[0], dtype=np.float64), np.asarray(value[1], dtype=np.float64)
    else:
        offset, turn = np.asarray(value, dtype=np.float64), STILL[1]
    if offset.shape != (3,) or turn.shape != (3, 3) or not (np.isfinite(offset).all() and np.isfinite(turn).all()):
        raise SettingsError(
            f"{who}: the path gave {value!r} at {time:.4g} s; give a finite offset (x, y, z), or that and a 3x3 rotation"
        )
    return offset, turn


def rotation(vector: ArrayLike) -> Array:
    """The 3x3 rotation of a rotation vector (radians about its direction)."""
    v = np.asarray(vector, dtype=np.float64)
    angle = float(np.linalg.norm(v))
    if angle < 1e-12:
        return np.eye(3)
    x, y, z = v / angle
    k = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return np.eye(3) + np.sin(angle) * k + (1 - np.cos(angle)) * (k @ k)


def as_matrix(given: ArrayLike, who: str) -> Array:
    """A 3x3 rotation from a quaternion (x, y, z, w) or a 3x3 matrix."""
    r = np.asarray(given, dtype=np.float64)
    if r.shape == (4,) and np.isfinite(r).all() and np.linalg.norm(r) > 1e-9:
        x, y, z, w = r / np.linalg.norm(r)
        return np.array(
            [
                [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
                [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
                [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
            ]
        )
    if r.shape == (3, 3) and np.allclose(r @ r.T, np.eye(3), atol=1e-6) and np.linalg.det(r) > 0:
        return r
    raise SettingsError(f"{who}: rotation {np.array2string(r, precision=3)} is neither a quaternion (x, y, z, w) nor a 3x3 rotation")


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


def as_vector(given: ArrayLike, who: str) -> Array:
    """Three finite numbers."""
    v = np.asarray(given, dtype=np.float64)
    if v.shape != (3,) or not np.isfinite(v).all():
        raise SettingsError(f"{who} = {given!r}; give three finite numbers (x, y, z)")
    return v
