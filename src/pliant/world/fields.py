"""Force fields: what pulls and turns bodies from afar. Each is one record that gives accelerations.

    Attractor    towards a point, or away from it
    Vortex       round an axis, with a pull inwards and along it
    Turbulence   this way and that, like eddies; no point gains or loses what flows in it
    Upright      turns one body so that its own axis points up, and pushes it nowhere

Bodies are moved by their mass: a heavy one as fast as a light one, unlike in wind."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pliant.geometry.regions import proper_rotations
from pliant.runtime.errors import SettingsError
from pliant.world.validation import as_vector, between, formatted

if TYPE_CHECKING:
    from pliant.dynamics.state import State
    from pliant.world.actor import Actor

Array = NDArray[np.float64]

EDDIES = 12  # waves of which turbulence is the sum: fewer show as stripes
PLUMMER = 1.5 * 3.0**0.5  # one over the largest value of r / (r^2 + 1)^1.5, at r = 1 / sqrt 2
OCTAVE = 2.0  # the finest wave is so many times finer than the coarsest


def _checked(field: object, numbers: dict[str, tuple[float, float]], vectors: tuple[str, ...]) -> None:
    """Puts the numbers and vectors of a record right, or says what is wrong with them."""
    who = type(field).__name__
    for name in vectors:
        object.__setattr__(field, name, tuple(as_vector(getattr(field, name), f"{who}: {name}").tolist()))
    for name, (low, high) in numbers.items():
        object.__setattr__(field, name, between(getattr(field, name), f"{who}: {name}", low, high))
    if "axis" in vectors and not any(field.axis):  # type: ignore[attr-defined]
        raise SettingsError(f"{who}: axis = (0, 0, 0) points nowhere; give a direction, such as (0, 1, 0)")


@dataclass(frozen=True)
class Attractor:
    """Pulls towards a point; below zero it pushes away. centre m; strength m/s^2, which it reaches about a radius away;
    radius m: nearer it fades to nothing, farther it falls as the square of the distance.

    >>> Attractor((0, 2, 0), strength=5.0).acceleration(np.array([[0.0, 0, 0]]), 0.0).round(3).tolist()
    [[0.0, 2.324, 0.0]]
    """

    centre: ArrayLike = (0.0, 0.0, 0.0)
    strength: float = 5.0
    radius: float = 1.0
    changes: ClassVar[bool] = False

    def __post_init__(self) -> None:
        _checked(self, {"strength": (-1e6, 1e6), "radius": (1e-6, 1e6)}, ("centre",))

    def acceleration(self, x: Array, time: float) -> Array:
        """(N, 3) m/s^2 at points (N, 3). Plummer's field, scaled so that its largest value is the strength."""
        away = (np.asarray(self.centre) - x) / self.radius
        square = np.square(away).sum(axis=1, keepdims=True)
        return self.strength * PLUMMER * away / (square + 1.0) ** 1.5


@dataclass(frozen=True)
class Vortex:
    """Turns round an axis through a point. centre m; axis: a direction; strength m/s^2 round it, which it reaches a
    radius away; inward and along m/s^2: pulls to the axis, and along it; radius m: beyond three of them nothing is
    left."""

    centre: ArrayLike = (0.0, 0.0, 0.0)
    axis: ArrayLike = (0.0, 1.0, 0.0)
    strength: float = 5.0
    inward: float = 0.0
    along: float = 0.0
    radius: float = 1.0
    changes: ClassVar[bool] = False

    def __post_init__(self) -> None:
        limits = (-1e6, 1e6)
        numbers = {"strength": limits, "inward": limits, "along": limits, "radius": (1e-6, 1e6)}
        _checked(self, numbers, ("centre", "axis"))

    def acceleration(self, x: Array, time: float) -> Array:
        """(N, 3) m/s^2 at points (N, 3)."""
        axis = np.asarray(self.axis) / np.linalg.norm(self.axis)
        from_centre = x - np.asarray(self.centre)
        arms = from_centre - np.outer(from_centre @ axis, axis)
        far = np.linalg.norm(arms, axis=1, keepdims=True) / self.radius
        fade = np.exp(0.5 * (1.0 - far**2))  # times `far` it is 1 at the radius
        out = arms / self.radius
        return fade * (self.strength * np.cross(axis, out) - self.inward * out + self.along * axis)


@dataclass(frozen=True)
class Turbulence:
    """Eddies without sources. strength m/s^2, the root of the mean square; size m of the largest; speed: how often in a
    second they are others; seed: which."""

    strength: float = 5.0
    size: float = 1.0
    speed: float = 1.0
    seed: int = 0
    changes: ClassVar[bool] = True

    def __post_init__(self) -> None:
        _checked(self, {"strength": (0.0, 1e6), "size": (1e-6, 1e6), "speed": (0.0, 1e6)}, ())
        if not isinstance(self.seed, int) or isinstance(self.seed, bool) or self.seed < 0:
            raise SettingsError(f"Turbulence: seed = {formatted(self.seed)}; give a whole number, 0 or more")

    def acceleration(self, x: Array, time: float) -> Array:
        """(N, 3) m/s^2 at points (N, 3): waves across which it pushes, sum of e cos(k x - w t + phase), e across k, so
        that its divergence is zero."""
        chance = np.random.default_rng(self.seed)
        waves = chance.standard_normal((EDDIES, 3))
        waves /= np.linalg.norm(waves, axis=1, keepdims=True)
        across = np.cross(waves, chance.standard_normal((EDDIES, 3)))
        across /= np.linalg.norm(across, axis=1, keepdims=True)
        finer = np.geomspace(1.0, OCTAVE, EDDIES)[:, None]
        turns = 2 * np.pi * (x @ (finer * waves).T / self.size - self.speed * time * chance.uniform(0.5, 1.5, EDDIES))
        return self.strength * np.sqrt(2.0 / EDDIES) * np.cos(turns + chance.uniform(0, 2 * np.pi, EDDIES)) @ across


@dataclass(frozen=True)
class Upright:
    """Turns one body gently so that what was up at rest is up again; which way it looks is left to it. actor: its name;
    strength 1/s: about how fast, 3 is a third of a second; damping: 1 comes to rest without swinging over; axis: what
    of the rest shape is to point up."""

    actor: str
    strength: float = 3.0
    damping: float = 1.0
    axis: ArrayLike = (0.0, 1.0, 0.0)
    changes: ClassVar[bool] = False

    def __post_init__(self) -> None:
        _checked(self, {"strength": (0.0, 1e4), "damping": (0.0, 100.0)}, ("axis",))
        if not isinstance(self.actor, str) or not self.actor.strip():
            raise SettingsError(f"Upright: actor = {formatted(self.actor)}; give the name of an actor")

    def turning(self, actor: "Actor") -> Array:
        """(V, 3) m/s^2: alpha x r, alpha = s^2 (angle to up) - 2 d s (angular velocity across up). Its sum over the
        masses is no force."""
        masses = actor.body.masses / actor.body.mass
        x, v = (np.asarray(each, np.float64) for each in (actor.positions, actor.velocities))
        arms, spins = x - masses @ x, v - masses @ v
        rest = actor.body.rest - masses @ actor.body.rest
        turn = proper_rotations(((arms.T * masses) @ rest)[None])[0]
        now = turn @ (np.asarray(self.axis) / np.linalg.norm(self.axis))
        up = np.array([0.0, 1.0, 0.0])
        across = np.cross(now, up)
        sine = float(np.linalg.norm(across))
        if sine < 1e-9 and now @ up < 0:  # on its head: any way round will do
            across, sine = np.array([1.0, 0.0, 0.0]), 1.0
        angle = np.arctan2(sine, float(now @ up)) * across / max(sine, 1e-12)
        inertia = (masses * np.square(arms).sum(axis=1)).sum() * np.eye(3) - (arms.T * masses) @ arms
        spin = np.linalg.pinv(inertia, hermitian=True) @ (masses @ np.cross(arms, spins))
        spin = spin - (spin @ up) * up
        return np.cross(self.strength**2 * angle - 2 * self.damping * self.strength * spin, arms)


Field: TypeAlias = Attractor | Vortex | Turbulence | Upright
FIELDS = {"attractor": Attractor, "vortex": Vortex, "turbulence": Turbulence, "upright": Upright}


def as_fields(values: object, actors: Collection[str] | None = None) -> tuple[Field, ...]:
    """A list of force fields, checked; with the names of the actors, also whether those that are of one find it."""
    fields = tuple(values) if isinstance(values, list | tuple) else (values,)
    for each in fields:
        if not isinstance(each, Attractor | Vortex | Turbulence | Upright):
            known = ", ".join(kind.__name__ for kind in FIELDS.values())
            raise SettingsError(f"World: fields: {formatted(each)} is no force field; give {known}")
        if actors is not None and isinstance(each, Upright) and each.actor not in actors:
            known = ", ".join(f'"{name}"' for name in actors) or "none"
            raise SettingsError(f'Upright: there is no actor "{each.actor}" to keep upright (there are {known})')
    return fields


def add_fields(fields: tuple[Field, ...], actors: "list[Actor]", state: "State", time: float) -> None:
    """Add what the fields do to the accelerations of all particles."""
    rows = state.acceleration.reshape(-1, 4)
    as_fields(fields, [actor.name for actor in actors])
    for actor in actors:
        x = np.asarray(actor.positions, np.float64)
        total = np.zeros_like(x)
        for field in fields:
            if not isinstance(field, Upright):
                total += field.acceleration(x, time)
            elif field.actor == actor.name:
                total += field.turning(actor)
        rows[actor._first : actor._first + len(x), :3] += total
