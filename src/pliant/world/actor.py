"""An actor: a body in a world, as a view of the world's state."""

from collections.abc import Callable, Collection
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pliant.body import Body
from pliant.geometry.selection import Selection
from pliant.models import Model
from pliant.models.settings import Settings
from pliant.runtime.errors import SettingsError
from pliant.world import holding
from pliant.world.actor_state import ActorState
from pliant.world.constraints import Aim, Handle, Pin
from pliant.world.cues import Fades, fades_after, fades_of_newcomer, in_force
from pliant.world.distances import pose_distances
from pliant.world.paths import Motion
from pliant.world.validation import between, floats, formatted

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
        self._fades: Fades = fades_of_newcomer(settings, world.time)  # weights that are on their way
        self._playing = in_force(settings, self._fades, world.time)  # settings as the model has them
        self._rotation = rotation  # as it was placed: quaternion x, y, z, w
        self._friction, self._restitution, self._self_contact = 0.5, 0.0, False
        self._may_sleep = True
        self._force: Force | None = None
        self._first = 0  # its first particle in the state
        self._place = 0  # among all actors, in the order of the state
        self._number = 0  # among the actors of its model
        # What belongs to it while the state is laid out anew; None while the state has it.
        self._saved_state: ActorState | None = None

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
    def turns(self) -> bool:
        """Whether its particles have rotations."""
        return self._model.node.turns

    @property
    def rotations(self) -> NDArray[Any] | None:
        """How each particle is turned from rest: (V, 4) quaternions x, y, z, w; None if its particles have none."""
        if not self._model.node.turns:
            return None
        return self._fours(self.world._ready().q)

    @property
    def angular_velocities(self) -> NDArray[Any] | None:
        """Angular velocities (V, 3) in rad/s of particles that turn, else None; a view as `positions` is."""
        if not self._model.node.turns:
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
        own, examples = self.world._ready().own[self._model.name], self._model.examples
        if examples is None:
            return np.eye(1, 1 + len(self.body.poses))
        return examples.weights(self.world._registry.packs[self._model.name], own, self._number)

    @property
    def plastic_weights(self) -> Array:
        """Weights of the examples that have stayed, where there is `plasticity` (groups, 1 + poses), rest first."""
        self._check_presence()
        own, examples = self.world._ready().own[self._model.name], self._model.examples
        if examples is None or examples.plastic is None:
            return np.tile(np.eye(1, 1 + len(self.body.poses)), (len(self.group_names), 1))
        return examples.plastic(self.world._registry.packs[self._model.name], own, self._number)

    def anneal(self, seconds: float = 0.0) -> None:
        """What has stayed (`plastic_weights`) goes back to rest, evenly in so many seconds; 0: at once."""
        over = between(seconds, f'actor "{self.name}": anneal', 0.0)
        self._check_presence()
        own, examples = self.world._ready().own[self._model.name], self._model.examples
        if getattr(self._settings, "plasticity", None) is None or examples is None or examples.anneal is None:
            raise SettingsError(
                f'actor "{self.name}": anneal: nothing of it stays; give its settings a plasticity, such as '
                "pliant.ShapeMatching(plasticity=pliant.Plasticity())"
            )
        examples.anneal(self.world._registry.packs[self._model.name], own, self._number, over)
        self.wake()

    @property
    def distances(self) -> Array:
        """How far the skin is from rest and from each pose (1 + poses,), rest first: the root mean square distance
        after the best rigid fit, as a part of the diagonal at rest. 0.01 is hardly seen."""
        return pose_distances(self.body, self.surface)

    @property
    def group_names(self) -> tuple[str, ...]:
        """Names of the rows of `weights`."""
        self._check_presence()
        self.world._ready()
        examples = self._model.examples
        if examples is None:
            return ("all",)
        return examples.groups(self.world._registry.packs[self._model.name], self._number)

    @property
    def solver(self) -> Any:
        """How its last step was solved, where its model can tell: iterations, converged, residual (m), energy (J);
        None for other models."""
        self._check_presence()
        self.world._ready()
        if self._model.solved is None:
            return None
        return self._model.solved(self.world._registry.packs[self._model.name], self._number)

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

    def _follow(self, settings: Settings, poses: Collection[str]) -> None:
        """Other settings, where the forced weights of some poses are on a course of their own."""
        self.world._tune(self, settings, poses)

    def _fades_under(self, settings: Settings, followed: Collection[str] = ()) -> Fades:
        """What fades if it is given other settings now. A pose that was free has the mean of its weights over groups:
        what is given, is given to all of them."""

        def found() -> dict[str, float]:
            return dict(zip(self.body.poses, self.weights.mean(axis=0)[1:].tolist(), strict=True))

        return fades_after(self._settings, self._fades, settings, self.world.time, found, followed)

    def _lead(self, fades: Fades, time: float) -> None:
        """The weights that are in force at a time, for the model to be told."""
        self._fades, self._playing = fades, in_force(self._settings, fades, time)

    @property
    def friction(self) -> float:
        """Coulomb's coefficient against other bodies; a pair has the geometric mean of both."""
        return self._friction

    @friction.setter
    def friction(self, value: float) -> None:
        self._friction = between(value, f'actor "{self.name}": friction', 0.0)
        self._material_changed()

    @property
    def restitution(self) -> float:
        """Against other bodies: the part of the speed of approach with which it leaves at least (0 to 1); a pair has
        the larger of both."""
        return self._restitution

    @restitution.setter
    def restitution(self, value: float) -> None:
        self._restitution = between(value, f'actor "{self.name}": restitution', 0.0, 1.0)
        self._material_changed()

    @property
    def self_contact(self) -> bool:
        """Whether its parts touch one another."""
        return self._self_contact

    @self_contact.setter
    def self_contact(self, value: bool) -> None:
        if not isinstance(value, bool):
            raise SettingsError(f'actor "{self.name}": self_contact = {formatted(value)}; give True or False')
        self._self_contact = value
        self._material_changed()

    @property
    def may_sleep(self) -> bool:
        """Whether it falls asleep when it, and all that it touches, has come to rest: it then stands still and costs
        nothing until something that moves touches it, or it is grabbed, pinned, pushed or changed."""
        return self._may_sleep

    @may_sleep.setter
    def may_sleep(self, value: bool) -> None:
        if not isinstance(value, bool):
            raise SettingsError(f'actor "{self.name}": may_sleep = {formatted(value)}; give True or False')
        self._may_sleep = value
        self._material_changed()

    @property
    def asleep(self) -> bool:
        """Whether it sleeps. Only where bodies touch one another do they sleep."""
        contact_system = self.world._registry.contact_system
        return not self.world._registry.stale and contact_system is not None and not contact_system.awake[self._place]

    def wake(self) -> None:
        """Wake it, such as after writing to `positions` or `velocities`; the sleep timer of one that is awake begins
        anew."""
        contact_system = self.world._registry.contact_system
        if not self.world._registry.stale and contact_system is not None:
            contact_system.wake([self._place])

    def _material_changed(self) -> None:
        """Its friction, its restitution, or whether it may sleep or touch itself has changed."""
        if self.world._registry.has(self) and not self.world._registry.stale:
            self.world._registry.enter()
            self.wake()

    def pin(self, selection: Selection, path: Motion | None = None) -> Pin:
        """Hold particles where they are now, or move them along a path that begins now; and how they are turned now, if
        they turn."""
        pin = holding.pin(self, selection, path)
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
        handle = holding.handle(self, particle, skin, stiffness, path)
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
        handle = holding.aim(self, direction, particle, skin, stiffness, path)
        self.world._inputs.take_handle(handle)
        return handle

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
        what = formatted(force) if newtons is None else f"shape {newtons.shape}"
        raise SettingsError(
            f'actor "{self.name}": push: the force has {what}; give (3,) or ({len(self.body.rest)}, 3) newtons'
        )

    def _rows(self, rows: NDArray[Any]) -> NDArray[Any]:
        self._check_presence()
        return rows.reshape(-1, 4)[self._first : self._first + len(self.body.rest), :3]

    def _fours(self, rows: NDArray[Any]) -> NDArray[Any]:
        self._check_presence()
        return rows.reshape(-1, 4)[self._first : self._first + len(self.body.rest)]

    def _rotations_here(self) -> NDArray[Any]:
        """Rotations to read, of particles that turn."""
        self._check_presence()
        if self._saved_state is None:
            return self._fours(self.world._ready().q)
        assert self._saved_state.rotations is not None
        return self._saved_state.rotations

    def _here(self) -> NDArray[Any]:
        """Positions to read. Does not ask for a place in the state, so that a thousand actors can be added
        and pinned before it is laid out once."""
        self._check_presence()
        return self.positions if self._saved_state is None else self._saved_state.positions

    def _check_presence(self) -> None:
        if not self.world._registry.has(self):
            raise SettingsError(f'actor "{self.name}" is no longer in its world; add its body again')

    def __repr__(self) -> str:
        return f'Actor "{self.name}": {self.body!r}, {type(self._settings).__name__}'
