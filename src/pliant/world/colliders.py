"""Obstacles: plane, sphere, box and capsule, at rest or moving on a path, with friction and restitution."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pliant.errors import SettingsError
from pliant.world.paths import Motion, as_matrix, as_vector, at

Array = NDArray[np.float64]
PLANE, SPHERE, BOX, CAPSULE = range(4)
ROW = 32  # kind, friction, restitution, three sizes, then rotation (9) and centre (3) after and before the step


@dataclass(frozen=True, eq=False, kw_only=True)
class Collider:
    """What all obstacles have. `friction` is Coulomb's coefficient, static and sliding; `restitution` is the part of
    the speed of approach that is given back; `path` moves the obstacle (see `Path`)."""

    friction: float = 0.5
    restitution: float = 0.0
    path: Motion | None = None
    name: str = ""

    def __post_init__(self) -> None:
        who = type(self).__name__
        if not (np.isfinite(self.friction) and self.friction >= 0):
            raise SettingsError(f"{who}: friction = {self.friction!r}; give a number that is not negative")
        if not (np.isfinite(self.restitution) and 0 <= self.restitution <= 1):
            raise SettingsError(f"{who}: restitution = {self.restitution!r}; give a number from 0 to 1")
        if self.path is not None and not callable(self.path):
            raise SettingsError(f"{who}: path = {self.path!r}; give a Path or a function of time")

    def shape(self) -> tuple[int, Array, Array, Array]:
        """Kind, sizes (3,), centre (3,), rotation (3, 3) before any motion."""
        raise TypeError("use Plane, Sphere, Box or Capsule")

    def placed(self, time: float) -> tuple[Array, Array]:
        """Rotation and centre at a time."""
        _, _, centre, turn = self.shape()
        offset, more = at(self.path, time, type(self).__name__)
        return more @ turn, centre + offset

    def row(self, before: float, after: float) -> Array:
        """The numbers that the contact kernel reads for a step from one time to another."""
        kind, sizes, _, _ = self.shape()
        turn, centre = self.placed(after)
        old_turn, old_centre = (turn, centre) if self.path is None else self.placed(before)
        return np.concatenate(
            [[kind, self.friction, self.restitution], sizes, turn.ravel(), centre, old_turn.ravel(), old_centre, [0, 0]]
        )


def _with_axis(direction: Array) -> Array:
    """A rotation whose second column is the given unit vector."""
    helper = np.eye(3)[int(np.argmin(np.abs(direction)))]
    first = np.cross(helper, direction)
    first /= np.linalg.norm(first)
    return np.stack([first, direction, np.cross(first, direction)], axis=1)


def _unit(given: ArrayLike, who: str) -> Array:
    v = as_vector(given, who)
    length = np.linalg.norm(v)
    if length < 1e-12:
        raise SettingsError(f"{who} = {given!r} has no direction; give a vector that is not zero")
    return v / length


def _positive(value: Any, who: str) -> float:
    if not (np.isscalar(value) and np.isfinite(float(value)) and float(value) > 0):  # type: ignore[arg-type]
        raise SettingsError(f"{who} = {value!r}; give a positive number of metres")
    return float(value)


@dataclass(frozen=True, eq=False)
class Plane(Collider):
    """The half-space below a plane is solid. The default is the ground.

    >>> Plane(normal=(0, 2, 0)).normal.tolist()
    [0.0, 1.0, 0.0]
    """

    point: ArrayLike = (0.0, 0.0, 0.0)
    normal: ArrayLike = (0.0, 1.0, 0.0)

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "point", as_vector(self.point, "Plane: point"))
        object.__setattr__(self, "normal", _unit(self.normal, "Plane: normal"))

    def shape(self) -> tuple[int, Array, Array, Array]:
        return PLANE, np.zeros(3), self.point, _with_axis(self.normal)  # type: ignore[arg-type, return-value]


@dataclass(frozen=True, eq=False)
class Sphere(Collider):
    """A solid ball."""

    centre: ArrayLike = (0.0, 0.0, 0.0)
    radius: float = 1.0

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "centre", as_vector(self.centre, "Sphere: centre"))
        object.__setattr__(self, "radius", _positive(self.radius, "Sphere: radius"))

    def shape(self) -> tuple[int, Array, Array, Array]:
        return SPHERE, np.array([self.radius, 0, 0]), self.centre, np.eye(3)  # type: ignore[return-value]


@dataclass(frozen=True, eq=False)
class Box(Collider):
    """A solid box: centre, half of each edge, and a rotation (quaternion x, y, z, w or 3x3)."""

    centre: ArrayLike = (0.0, 0.0, 0.0)
    half_size: ArrayLike = (0.5, 0.5, 0.5)
    rotation: ArrayLike = (0.0, 0.0, 0.0, 1.0)

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "centre", as_vector(self.centre, "Box: centre"))
        half = as_vector(self.half_size, "Box: half_size")
        if (half <= 0).any():
            raise SettingsError(f"Box: half_size = {self.half_size!r}; give three positive numbers of metres")
        object.__setattr__(self, "half_size", half)
        object.__setattr__(self, "rotation", as_matrix(self.rotation, "Box"))

    def shape(self) -> tuple[int, Array, Array, Array]:
        return BOX, self.half_size, self.centre, self.rotation  # type: ignore[return-value]


@dataclass(frozen=True, eq=False)
class Capsule(Collider):
    """A solid rod with round ends, from `start` to `end`."""

    start: ArrayLike = (0.0, -0.5, 0.0)
    end: ArrayLike = (0.0, 0.5, 0.0)
    radius: float = 0.25

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "start", as_vector(self.start, "Capsule: start"))
        object.__setattr__(self, "end", as_vector(self.end, "Capsule: end"))
        object.__setattr__(self, "radius", _positive(self.radius, "Capsule: radius"))
        _unit(self.end - self.start, "Capsule: end - start")  # type: ignore[operator]

    def shape(self) -> tuple[int, Array, Array, Array]:
        along = self.end - self.start  # type: ignore[operator]
        half = np.linalg.norm(along) / 2
        middle = (self.start + self.end) / 2  # type: ignore[operator]
        return CAPSULE, np.array([self.radius, half, 0]), middle, _with_axis(along / (2 * half))
