"""Rigid motions over time: what pins, handles and colliders follow."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pliant.runtime.errors import SettingsError
from pliant.world.validation import FARTHEST, floats, formatted, is_rotation

Array = NDArray[np.float64]
Motion: TypeAlias = Callable[[float], Any]
AT_REST = (np.zeros(3), np.eye(3))


@dataclass(frozen=True, eq=False)
class Path:
    """Keyed motion relative to where a thing was placed: offsets (T, 3) m and, if wanted, turns (T, 3):
    rotation vectors in radians about the thing's own centre. Straight between keys and at rest outside them;
    `smooth` eases in and out of every key.

    >>> lift = Path([0, 1], [(0, 0, 0), (0, 2, 0)])
    >>> lift(0.25)[0].tolist()
    [0.0, 0.5, 0.0]
    """

    times: Array
    offsets: Array
    turns: Array
    smooth: bool

    def __init__(
        self,
        times: ArrayLike,
        offsets: ArrayLike | None = None,
        turns: ArrayLike | None = None,
        *,
        smooth: bool = False,
    ) -> None:
        moments = floats(times)
        if moments is None or moments.ndim > 1 or moments.size == 0:
            raise SettingsError(f"path: times = {formatted(times)}; give a list of seconds")
        moments = np.atleast_1d(moments).copy()
        if not np.isfinite(moments).all() or (np.diff(moments) <= 0).any():
            raise SettingsError("path: times must be finite and rise from key to key")
        object.__setattr__(self, "times", moments)
        object.__setattr__(self, "smooth", bool(smooth))
        for name, given in (("offsets", offsets), ("turns", turns)):
            keys = floats(np.zeros((len(moments), 3)) if given is None else given)
            if keys is None or keys.shape != (len(moments), 3) or not (np.abs(keys) <= FARTHEST).all():
                raise SettingsError(
                    f"path: {name} = {formatted(given)}; give one finite (x, y, z) for each of the {len(moments)} times"
                )
            object.__setattr__(self, name, keys.copy())

    def __call__(self, time: float) -> tuple[Array, Array]:
        last = len(self.times) - 1
        i = int(np.clip(np.searchsorted(self.times, time, side="right") - 1, 0, max(last - 1, 0)))
        j = min(i + 1, last)
        span = self.times[j] - self.times[i]
        s = float(np.clip((time - self.times[i]) / span, 0.0, 1.0)) if span > 0 else 0.0
        if self.smooth:
            s = s * s * (3.0 - 2.0 * s)
        offset = (1 - s) * self.offsets[i] + s * self.offsets[j]
        return offset, rotation((1 - s) * self.turns[i] + s * self.turns[j])


def as_path(given: Any, who: str) -> Motion | None:
    """A path, or none."""
    if given is not None and not callable(given):
        raise SettingsError(f"{who}: path = {formatted(given)}; give a Path or a function of time")
    return given


def at(path: Motion | None, time: float, who: str) -> tuple[Array, Array]:
    """Offset (3,) and rotation (3, 3) of a path: a `Path`, or any function of time that gives an offset or
    both."""
    if path is None:
        return AT_REST
    if isinstance(path, Path):
        return path(time)  # was checked when it was made
    value = path(time)
    both = isinstance(value, tuple) and len(value) == 2
    offset, turn = (floats(value[0]), floats(value[1])) if both else (floats(value), AT_REST[1])
    if (
        offset is None
        or turn is None
        or offset.shape != (3,)
        or not (np.abs(offset) <= FARTHEST).all()
        or not (turn is AT_REST[1] or is_rotation(turn, 1e-3))
    ):
        raise SettingsError(
            f"{who}: the path gave {formatted(value)} at {time:.4g} s; "
            "give a finite offset (x, y, z), or that and a 3x3 rotation"
        )
    return offset, turn


def rotation(vector: ArrayLike) -> Array:
    """The 3x3 rotation of a rotation vector (radians about its direction).

    >>> rotation((0, 0, np.pi / 2)).round(6).tolist()
    [[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]]
    """
    v = np.asarray(vector, dtype=np.float64)
    angle = float(np.linalg.norm(v))
    if angle < 1e-12:
        return np.eye(3)
    x, y, z = v / angle
    k = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return np.eye(3) + np.sin(angle) * k + (1 - np.cos(angle)) * (k @ k)
