"""Wind: air that moves through the world, and pushes at every body by its surface."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pliant.body import Body
from pliant.dynamics.state import State
from pliant.geometry.boundary import boundary_triangles
from pliant.graph import Graph
from pliant.runtime.errors import SettingsError
from pliant.world.validation import as_vector, between, formatted

if TYPE_CHECKING:
    from pliant.world.actor import Actor

Array = NDArray[np.float64]
Ints = NDArray[np.int64]
BOTH, OUTER = 2, 1  # sides of a triangle that air gets at
NO_CORNER = -1


@dataclass(frozen=True, eq=False)
class Wind:
    """velocity m/s of the air; drag and lift: coefficients of a surface that stands square or aslant to it; density
    kg/m^3, of air 1.2, of water 1000; gusts: how much it varies, as a part of its velocity; gust_size m.

    >>> Wind((8, 0, 0), gusts=0.2).drag
    1.0
    """

    velocity: ArrayLike
    drag: float = 1.0
    lift: float = 0.5
    density: float = 1.2
    gusts: float = 0.0
    gust_size: float = 2.0

    def __post_init__(self) -> None:
        object.__setattr__(self, "velocity", tuple(as_vector(self.velocity, "Wind: velocity").tolist()))
        for name, low, high in (
            ("drag", 0.0, 100.0), ("lift", 0.0, 100.0), ("density", 0.0, 1e5), ("gusts", 0.0, 10.0),
            ("gust_size", 1e-6, 1e6),
        ):  # fmt: skip
            object.__setattr__(self, name, between(getattr(self, name), f"Wind: {name}", low, high))

    def numbers(self, thickness: float) -> Array:
        """As the kernel takes them."""
        said = (self.density, self.drag, self.lift, self.gusts, self.gust_size, thickness)
        return np.array([*np.asarray(self.velocity), *said], np.float64)


def as_wind(value: Any) -> Wind | None:
    """A Wind as it is, a vector as the velocity of one, None as calm air that offers no resistance."""
    if value is None or isinstance(value, Wind):
        return value
    try:
        return Wind(value)
    except SettingsError:
        raise SettingsError(f"World: wind = {formatted(value)}; give m/s along x, y and z, or a Wind") from None


@dataclass(frozen=True, eq=False)
class _Surface:
    """What air gets at: faces (3 F,) of points, on how many sides."""

    faces: Ints
    sides: int


_kept: "WeakKeyDictionary[Body, _Surface]" = WeakKeyDictionary()


def _surface_of(body: Body) -> _Surface:
    if body not in _kept:
        if isinstance(body, Graph):
            faces, sides = body.skin.faces, OUTER
        elif body.tets is not None:
            faces, sides = boundary_triangles(body.tets), OUTER
        elif body.triangles is not None:
            faces, sides = body.triangles, BOTH
        else:
            ends = body.elements
            faces, sides = np.column_stack([ends, np.full(len(ends), NO_CORNER)]), BOTH
        _kept[body] = _Surface(np.ascontiguousarray(faces, np.int64).reshape(-1), sides)
    return _kept[body]


def add_wind(wind: Wind, actors: "list[Actor]", state: State, time: float, h: float) -> None:
    """Add what the air does to the accelerations of all particles.

    Where a particle is so light, or a step so long, that it would take up more than the whole speed of the air in it,
    it takes up that: the force is then held at what stays stable."""
    from pliant.world.wind_kernels import blow

    rows = state.acceleration.reshape(-1, 4)
    for actor in actors:
        body, surface = actor.body, _surface_of(actor.body)
        x, v = (np.ascontiguousarray(each, np.float64) for each in (actor.positions, actor.velocities))
        skin = body.skin if isinstance(body, Graph) else None
        if skin is not None:
            v = np.einsum("nk,nkj->nj", skin.weights, v[skin.indices])
            x = np.ascontiguousarray(actor.surface, np.float64)
        force, rate = np.zeros(x.size), np.zeros(len(x))
        numbers = wind.numbers(float(body.thickness or 0.0))
        blow(x.reshape(-1), v.reshape(-1), surface.faces, surface.sides, numbers, time, force, rate)
        pushes = force.reshape(-1, 3)
        if skin is not None:
            pushes = _carried(skin, pushes, len(body.rest))
            rate = _carried(skin, rate[:, None], len(body.rest))[:, 0]
        heavy = np.maximum(body.masses, h * rate)
        rows[actor._first : actor._first + len(body.rest), :3] += pushes / heavy[:, None]


def _carried(skin: Any, values: Array, count: int) -> Array:
    """What acts on the vertices of a skin (N, D), on the particles that carry them (P, D)."""
    shares = skin.weights[:, :, None] * values[:, None, :]
    where = skin.indices.reshape(-1)
    return np.stack(
        [np.bincount(where, shares[:, :, d].reshape(-1), count) for d in range(values.shape[1])], axis=1
    )
