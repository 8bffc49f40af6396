"""Obstacles: plane, sphere, box and capsule, at rest or moving on a path, with friction and restitution."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pliant.collision.layout import BOX, CAPSULE, PLANE, SPHERE
from pliant.runtime.errors import SettingsError
from pliant.world.paths import Motion, as_path, at
from pliant.world.validation import as_matrix, as_vector, between, formatted, positive

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False, kw_only=True)
class Collider:
    """What all obstacles have. `friction` is Coulomb's coefficient, static and sliding; `restitution` is the
    part of the speed of approach that a body has at least when it leaves (its own elasticity may give more);
    `path` moves the obstacle (see `Path`)."""

    friction: float = 0.5
    restitution: float = 0.0
    path: Motion | None = None
    name: str = ""

    def __post_init__(self) -> None:
        who = type(self).__name__
        object.__setattr__(self, "friction", between(self.friction, f"{who}: friction", 0.0))
        object.__setattr__(self, "restitution", between(self.restitution, f"{who}: restitution", 0.0, 1.0))
        as_path(self.path, who)

    def shape(self) -> tuple[int, Array, Array, Array]:
        """Kind, sizes (3,), centre (3,), rotation (3, 3) before any motion."""
        raise TypeError("use Plane, Sphere, Box, Capsule or Mesh")

    def size(self) -> float:
        """How far from its centre it goes (m); of a plane, which goes everywhere, nothing is asked."""
        kind, sizes, _, _ = self.shape()
        return float(np.linalg.norm(sizes)) if kind == BOX else float(sizes.sum())

    def placed(self, time: float) -> tuple[Array, Array]:
        """Rotation and centre at a time."""
        _, _, centre, turn = self.shape()
        offset, more = at(self.path, time, type(self).__name__)
        return more @ turn, centre + offset

    def row(self, before: float, after: float) -> Array:
        """The numbers that the contact kernel reads for a step from one time to another."""
        kind, sizes, _, _ = self.shape()
        turn, centre = self.placed(after)
        before_turn, before_centre = (turn, centre) if self.path is None else self.placed(before)
        # how far from its centre it may touch something: its size, and how far its outermost point goes
        size = self.size()
        moved = np.linalg.norm(centre - before_centre) + size * np.linalg.norm(turn - before_turn)
        places = (turn.ravel(), centre, before_turn.ravel(), before_centre)
        return np.concatenate([[kind, self.friction, self.restitution], sizes, *places, [size + moved, moved]])


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
        raise SettingsError(f"{who} = {formatted(given)} has no direction; give a vector that is not zero")
    return v / length


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
        return PLANE, np.zeros(3), np.asarray(self.point), _with_axis(np.asarray(self.normal))


@dataclass(frozen=True, eq=False)
class Sphere(Collider):
    """A solid ball."""

    centre: ArrayLike = (0.0, 0.0, 0.0)
    radius: float = 1.0

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "centre", as_vector(self.centre, "Sphere: centre"))
        object.__setattr__(self, "radius", positive(self.radius, "Sphere: radius", "metres"))

    def shape(self) -> tuple[int, Array, Array, Array]:
        return SPHERE, np.array([self.radius, 0, 0]), np.asarray(self.centre), np.eye(3)


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
            raise SettingsError(f"Box: half_size = {formatted(self.half_size)}; give three positive metres")
        object.__setattr__(self, "half_size", half)
        object.__setattr__(self, "rotation", as_matrix(self.rotation, "Box"))

    def shape(self) -> tuple[int, Array, Array, Array]:
        return BOX, np.asarray(self.half_size), np.asarray(self.centre), np.asarray(self.rotation)


@dataclass(frozen=True, eq=False)
class Capsule(Collider):
    """A solid rod with round ends, from `start` to `end`."""

    start: ArrayLike = (0.0, -0.5, 0.0)
    end: ArrayLike = (0.0, 0.5, 0.0)
    radius: float = 0.25

    def __post_init__(self) -> None:
        super().__post_init__()
        start, end = as_vector(self.start, "Capsule: start"), as_vector(self.end, "Capsule: end")
        object.__setattr__(self, "start", start)
        object.__setattr__(self, "end", end)
        object.__setattr__(self, "radius", positive(self.radius, "Capsule: radius", "metres"))
        _unit(end - start, "Capsule: end - start")

    def shape(self) -> tuple[int, Array, Array, Array]:
        start, end = np.asarray(self.start), np.asarray(self.end)
        half = np.linalg.norm(end - start) / 2
        turn = _with_axis((end - start) / (2 * half))
        return CAPSULE, np.array([self.radius, half, 0]), (start + end) / 2, turn
