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
from pliant.world.constraints import Handle, Pin, handle_stiffness
from pliant.world.paths import Motion

if TYPE_CHECKING:
    from pliant.world.world import World

Array = NDArray[np.float64]
Force = ArrayLike | Callable[["Actor"], ArrayLike]


class Actor:
    """Made by `World.add`. Arrays are views: writing to `positions[:]` or `velocities[:]` moves the actor."""

    def __init__(self, world: "World", name: str, body: Body, settings: Settings, model: Model, rotation: Array) -> None:
        self.world, self.name, self.body = world, name, body
        self._settings, self._model = settings, model
        self._rotation = rotation
        self._first = 0  # particle in the state
        self._number = 0  # among the actors of its model
        self._initial: tuple[Array, Array] | None = None  # positions and velocities until the state takes them
        self._force: Force | None = None

    @property
    def _slice(self) -> slice:
        return slice(self._first, self._first + len(self.body.rest))

    def _rows(self, name: str) -> NDArray[Any]:
        self.world._ready()
        if self not in self.world._cast:
            raise SettingsError(f'actor "{self.name}" is no longer in its world; add its body again')
        return getattr(self.world._state, name).reshape(-1, 4)[self._slice, :3]

    @property
    def positions(self) -> NDArray[Any]:
        """Particles (V, 3) in metres; a view, until an actor comes or goes."""
        return self._rows("x")

    @property
    def velocities(self) -> NDArray[Any]:
        """Velocities (V, 3) in m/s; a view, until an actor comes or goes."""
        return self._rows("v")

    @property
    def surface(self) -> Array:
        """The skin (N, 3) as it is now."""
        return self.body.skin.deform(np.asarray(self.positions, dtype=np.float64))

    @property
    def surface_normals(self) -> Array:
        """Unit normals of the skin (N, 3) as it is now."""
        return self.body.skin.normals(self.surface)

    @property
    def weights(self) -> Array:
        """Weights of the examples used in the last step (groups, 1 + poses), rest first; rows sum to 1."""
        pack = self.world._pack_of(self._model)
        return self._model.weights(pack, self.world._state.own[self._model.name], self._number)

    @property
    def group_names(self) -> tuple[str, ...]:
        """Names of the rows of `weights`."""
        return self._model.groups(self.world._pack_of(self._model), self._number)

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
        self.world._recast(self, settings)

    def pin(self, selection: Selection, path: Motion | None = None) -> Pin:
        """Hold particles where they are now, or move them along a path that begins now."""
        chosen = select(selection, self.body.rest, f'actor "{self.name}": pin')
        pin = Pin(self, chosen, np.array(self.positions[chosen], dtype=np.float64), path)
        pin.targets(self.world.time)  # a path that gives nonsense should say so here
        self.world._take(pin)
        return pin

    def grab(
        self, particle: int | None = None, *, skin: int | None = None, stiffness: float | None = None, path: Motion | None = None
    ) -> Handle:
        """Take hold of a particle, or of a vertex of the skin, with a spring (N/m) to a point that can be moved."""
        if (particle is None) == (skin is None):
            raise SettingsError(f'actor "{self.name}": grab: give a particle or skin=vertex, one of them')
        weights = np.zeros(4)
        if particle is not None:
            _in_range(particle, len(self.body.rest), f'actor "{self.name}": grab: particle')
            particles = np.array([particle] * 4, dtype=np.int32)
            weights[0] = 1.0
        else:
            assert skin is not None
            _in_range(skin, len(self.body.skin.indices), f'actor "{self.name}": grab: skin vertex')
            particles = np.asarray(self.body.skin.indices[skin])
            weights[:] = self.body.skin.weights[skin]
        strength = handle_stiffness(stiffness, self.mass, f'actor "{self.name}"')
        target = weights @ np.asarray(self.positions[particles], dtype=np.float64)
        handle = Handle(self, particles, weights, target, strength, path)
        handle.goal(self.world.time)
        self.world._take(handle)
        return handle

    def push(self, force: Force | None) -> None:
        """An external force in newtons until further notice: (3,) on the whole actor shared by mass, (V, 3) on each
        particle, or a function of the actor that gives either at each step; None ends it."""
        if force is not None and not callable(force):
            self._acceleration(np.asarray(force, dtype=np.float64))
        self._force = force

    def _acceleration(self, force: Array) -> Array:
        """(V, 3) m/s^2."""
        if force.shape == (3,):
            return np.broadcast_to(force / self.mass, (len(self.body.rest), 3))
        if force.shape == self.body.rest.shape:
            return force / self.body.masses[:, None]
        raise SettingsError(
            f'actor "{self.name}": push: force has shape {force.shape}; give (3,) or ({len(self.body.rest)}, 3) newtons'
        )

    def __repr__(self) -> str:
        return f'Actor "{self.name}": {self.body!r}, {type(self._settings).__name__}'


def _in_range(value: Any, count: int, who: str) -> None:
    if not isinstance(value, int | np.integer) or not 0 <= value < count:
        raise SettingsError(f"{who} {value!r}; there are {count}, numbered 0 to {count - 1}")
