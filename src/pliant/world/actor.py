"""An actor: a body in a world, as a view of the world's state."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pliant.body import Body
from pliant.errors import SettingsError
from pliant.geometry.selection import Selection, select
from pliant.models import Model
from pliant.models.settings import Settings
from pliant.world.constraints import Aim, Handle, Pin, held_point, turned_arms
from pliant.world.given import as_vector, floats, shown, whole
from pliant.world.paths import Motion

if TYPE_CHECKING:
    from pliant.world.world import World

Array = NDArray[np.float64]
Force = ArrayLike | Callable[["Actor"], ArrayLike]


class Actor:
    """Made by `World.add`. Arrays are views: writing to `positions[:]` or `velocities[:]` moves the actor."""

    def __init__(
        self, world: "World", name: str, given: Body, body: Body, settings: Settings, model: Model, rotation: Array
    ) -> None:
        self.world, self.body = world, body
        self.given = given  # the body as it was added; its model may play it with fewer particles
        self._name, self._settings, self._model = name, settings, model
        self._rotation = rotation  # as it was placed: quaternion x, y, z, w
        self._force: Force | None = None
        self._first = 0  # its first particle in the state
        self._place = 0  # among all actors, in the order of the state
        self._number = 0  # among the actors of its model
        # What it brings along when the state is laid out anew; None while the state has it.
        self._luggage: Luggage | None = None

    @property
    def name(self) -> str:
        """Its own in this world."""
        return self._name

    @property
    def positions(self) -> NDArray[Any]:
        """Particles (V, 3) in metres; a view, until an actor comes or goes."""
        return self._rows(self.world._ready().x)

    @property
    def velocities(self) -> NDArray[Any]:
        """Velocities (V, 3) in m/s; a view, until an actor comes or goes."""
        return self._rows(self.world._ready().v)

    @property
    def rotations(self) -> NDArray[Any] | None:
        """How each particle is turned from rest: (V, 4) quaternions x, y, z, w; None if its particles have none."""
        if not self._model.oriented:
            return None
        return self._fours(self.world._ready().q)

    @property
    def spins(self) -> NDArray[Any] | None:
        """Angular velocities (V, 3) in rad/s of particles that turn, else None; a view as `positions` is."""
        if not self._model.oriented:
            return None
        return self._fours(self.world._ready().w)[:, :3]

    @property
    def surface(self) -> Array:
        """The skin (N, 3) as it is now."""
        return self.body.skin.deform(np.asarray(self.positions, dtype=np.float64), self.rotations)

    @property
    def surface_normals(self) -> Array:
        """Unit normals of the skin (N, 3) as it is now."""
        return self.body.skin.normals(self.surface)

    @property
    def weights(self) -> Array:
        """Weights of the examples used in the last step (groups, 1 + poses), rest first; rows sum to 1."""
        self._check_presence()
        own = self.world._ready().own[self._model.name]
        return self._model.weights(self.world._cast.packs[self._model.name], own, self._number)

    @property
    def group_names(self) -> tuple[str, ...]:
        """Names of the rows of `weights`."""
        self._check_presence()
        self.world._ready()
        return self._model.groups(self.world._cast.packs[self._model.name], self._number)

    @property
    def solver(self) -> Any:
        """How its last step was solved, where its model can tell: iterations, converged, residual (m), energy (J);
        None for other models."""
        self._check_presence()
        self.world._ready()
        if self._model.solved is None:
            return None
        return self._model.solved(self.world._cast.packs[self._model.name], self._number)

    @property
    def mass(self) -> float:
        """Kilograms."""
        return self.body.mass

    @property
    def centre(self) -> Array:
        """The centre of mass (3,) now."""
        return self.body.masses @ np.asarray(self.positions, dtype=np.float64) / self.mass

    @property
    def settings(self) -> Settings:
        """The model's settings. Assign others at any time; the same model or another."""
        return self._settings

    @settings.setter
    def settings(self, settings: Settings) -> None:
        self._check_presence()
        self.world._tune(self, settings)

    def pin(self, selection: Selection, path: Motion | None = None) -> Pin:
        """Hold particles where they are now, or move them along a path that begins now; and how they are turned now, if
        they turn."""
        who = f'actor "{self.name}": pin'
        try:
            listed = selection if callable(selection) else np.asarray(selection)
        except ValueError:
            raise SettingsError(f"{who} = {shown(selection)}; give indices, a mask or a function") from None
        chosen = select(listed, self.body.rest, who)
        pin = Pin(self, chosen, np.array(self._here()[chosen], dtype=np.float64), path)
        self.world._inputs.take_pin(pin)
        return pin

    def grab(
        self,
        particle: int | None = None,
        *,
        skin: int | None = None,
        stiffness: float | None = None,
        path: Motion | None = None,
    ) -> Handle:
        """Take hold of a particle, or of a vertex of the skin, with a spring (N/m) to a point that can be
        moved."""
        who = f'actor "{self.name}": grab'
        if (particle is None) == (skin is None):
            raise SettingsError(f"{who}: give a particle or skin=vertex, one of them")
        if particle is not None:
            number = whole(particle, f"{who}: particle", 0, len(self.body.rest) - 1)
            particles = np.full(4, number, dtype=np.int32)
            weights = np.array([1.0, 0.0, 0.0, 0.0])
            arms = np.zeros((4, 3)) if self._model.oriented else None
        else:
            number, particles, weights = self._skin_point(skin, who)
            arms = self.body.skin.vertices[number] - self.body.rest[particles] if self._model.oriented else None
        origin = held_point(self, particles, weights, arms)
        handle = Handle(self, particles, weights, origin, stiffness, path, arms)
        self.world._inputs.take_handle(handle)
        return handle

    def aim(
        self,
        direction: ArrayLike,
        *,
        particle: int | None = None,
        skin: int | None = None,
        stiffness: float | None = None,
        path: Motion | None = None,
    ) -> Aim:
        """Hold a direction of the rest shape at a particle or a vertex of the skin where it points now, with a
        stiffness in N m, to be turned with `move_to` or along a path. For models whose particles turn."""
        who = f'actor "{self.name}": aim'
        if not self._model.oriented:
            raise SettingsError(f"{who}: the particles of this model do not turn; use OrientedParticles")
        if (particle is None) == (skin is None):
            raise SettingsError(f"{who}: give a particle or skin=vertex, one of them")
        rest = as_vector(direction, f"{who}: direction")
        length = float(np.linalg.norm(rest))
        if length == 0:
            raise SettingsError(f"{who}: direction = (0, 0, 0); give a direction")
        if particle is not None:
            number = whole(particle, f"{who}: particle", 0, len(self.body.rest) - 1)
            particles, weights = np.full(4, number, dtype=np.int32), np.array([1.0, 0.0, 0.0, 0.0])
        else:
            number, particles, weights = self._skin_point(skin, who)
        now = weights @ turned_arms(self, particles, np.tile(rest / length, (4, 1)))
        now = now / max(float(np.linalg.norm(now)), 1e-12)
        handle = Aim(self, particles, weights, rest / length, now, stiffness, path)
        self.world._inputs.take_handle(handle)
        return handle

    def _skin_point(self, skin: int | None, who: str) -> tuple[int, NDArray[np.int32], Array]:
        number = whole(skin, f"{who}: skin", 0, len(self.body.skin.indices) - 1)
        return number, np.array(self.body.skin.indices[number]), np.array(self.body.skin.weights[number])

    def push(self, force: Force | None) -> None:
        """An external force in newtons until further notice: (3,) on the whole actor shared by mass, (V, 3)
        on each particle, or a function of the actor that gives either at each step; None ends it."""
        self._check_presence()
        if force is not None and not callable(force):
            force = np.array(force) if floats(force) is not None else force
            self._acceleration(force)  # a wrong shape should be told here
        self._force = force
        self.world._inputs.take_force(self)

    def _acceleration(self, force: ArrayLike) -> Array:
        """(V, 3) m/s^2."""
        newtons = floats(force)
        if newtons is not None and newtons.shape == (3,):
            return np.broadcast_to(newtons / self.mass, (len(self.body.rest), 3))
        if newtons is not None and newtons.shape == self.body.rest.shape:
            return newtons / self.body.masses[:, None]
        what = shown(force) if newtons is None else f"shape {newtons.shape}"
        raise SettingsError(
            f'actor "{self.name}": push: the force has {what}; give (3,) or ({len(self.body.rest)}, 3) newtons'
        )

    def _rows(self, rows: NDArray[Any]) -> NDArray[Any]:
        self._check_presence()
        return rows.reshape(-1, 4)[self._first : self._first + len(self.body.rest), :3]

    def _fours(self, rows: NDArray[Any]) -> NDArray[Any]:
        self._check_presence()
        return rows.reshape(-1, 4)[self._first : self._first + len(self.body.rest)]

    def _turns_here(self) -> NDArray[Any]:
        """Rotations to read, of particles that turn."""
        self._check_presence()
        if self._luggage is None:
            return self._fours(self.world._ready().q)
        assert self._luggage.turns is not None
        return self._luggage.turns

    def _here(self) -> NDArray[Any]:
        """Positions to read. Does not ask for a place in the state, so that a thousand actors can be added
        and pinned before it is laid out once."""
        self._check_presence()
        return self.positions if self._luggage is None else self._luggage.positions

    def _check_presence(self) -> None:
        if not self.world._cast.has(self):
            raise SettingsError(f'actor "{self.name}" is no longer in its world; add its body again')

    def __repr__(self) -> str:
        return f'Actor "{self.name}": {self.body!r}, {type(self._settings).__name__}'


class Luggage:
    """What an actor takes along while the state is laid out anew."""

    def __init__(
        self,
        positions: NDArray[Any],
        velocities: NDArray[Any],
        bounce: NDArray[Any] | None = None,
        memory: Any = None,
        turns: NDArray[Any] | None = None,
        spins: NDArray[Any] | None = None,
    ) -> None:
        self.positions, self.velocities = positions, velocities
        self.turns, self.spins = turns, spins  # of particles that turn: quaternions (V, 4), rad/s (V, 3)
        self.bounce = bounce  # what it remembers of its last impact
        self.memory = memory  # what its model remembers of it
