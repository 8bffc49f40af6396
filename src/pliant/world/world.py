"""The world: a cast of actors, obstacles, and time."""

from collections.abc import Iterable
from dataclasses import dataclass
from math import exp
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pliant import jit
from pliant.body import Body
from pliant.errors import SettingsError
from pliant.models import Model, Role, model_of, models
from pliant.models.settings import Settings
from pliant.threads import Crew
from pliant.world.actor import Actor
from pliant.world.colliders import ROW, Collider
from pliant.world.constraints import Handle, Pin
from pliant.world.frame import Frame
from pliant.world.paths import as_matrix, as_quaternion, as_vector
from pliant.world.state import State
from pliant.world.step import substep

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Snapshot:
    """Everything that a world needs to go on from here exactly as it did."""

    time: float
    cast: tuple[Actor, ...]
    arrays: dict[str, NDArray[Any]]
    own: dict[str, list[NDArray[Any]]]
    pins: tuple[Pin, ...]
    handles: tuple[tuple[Handle, Array, Any], ...]
    forces: tuple[Any, ...]
    settings: tuple[Settings, ...]


class World:
    """Bodies that move. SI units, y up, right-handed.

    gravity: m/s^2.  colliders: obstacles, a list that may be changed between steps.  precision: "single" is fast,
    "double" is for research.  threads: results are the same bits for any number.

    >>> import pliant
    >>> world = World(colliders=[pliant.Plane()])
    >>> ball = world.add(pliant.shapes.ball(particles=100), pliant.ShapeMatching(), name="ball", position=(0, 1, 0))
    >>> for _ in range(3):
    ...     world.step(1 / 60)
    >>> bool(ball.centre[1] < 1)
    True
    """

    def __init__(
        self,
        gravity: ArrayLike = (0.0, -9.81, 0.0),
        colliders: Iterable[Collider] = (),
        precision: str = "single",
        threads: int = 1,
    ) -> None:
        if precision not in jit.PRECISIONS:
            raise SettingsError(f'World: precision = {precision!r}; give "single" or "double"')
        if not isinstance(threads, int) or threads < 1:
            raise SettingsError(f"World: threads = {threads!r}; give a whole number from 1")
        self.gravity = gravity
        self.colliders = list(colliders)
        self.precision = precision
        self.time = 0.0
        self._dtype = jit.PRECISIONS[precision]
        self._crew = Crew(threads)
        self._cast: list[Actor] = []
        self._packs: list[tuple[Model, Any]] = []
        self._state = State.empty([], self._dtype)
        self._stale = False
        self._pins: list[Pin] = []
        self._handles: list[Handle] = []
        self._pinned = np.empty(0, np.int64)
        models()  # their kernels must be known before they are made ready
        jit.make_ready(precision)

    # ---- the cast ------------------------------------------------------------------------------------------------

    @property
    def gravity(self) -> Array:
        """m/s^2; may be set at any time."""
        return self._gravity

    @gravity.setter
    def gravity(self, value: ArrayLike) -> None:
        self._gravity = as_vector(value, "World: gravity")

    @property
    def actors(self) -> tuple[Actor, ...]:
        """All actors."""
        return tuple(self._cast)

    def __getitem__(self, name: str) -> Actor:
        for actor in self._cast:
            if actor.name == name:
                return actor
        raise SettingsError(f'there is no actor "{name}"; there are: {", ".join(a.name for a in self._cast) or "none"}')

    def add(
        self,
        body: Body,
        settings: Settings,
        *,
        name: str | None = None,
        position: ArrayLike = (0.0, 0.0, 0.0),
        rotation: ArrayLike = (0.0, 0.0, 0.0, 1.0),
        scale: float = 1.0,
        velocity: ArrayLike = (0.0, 0.0, 0.0),
        angular_velocity: ArrayLike = (0.0, 0.0, 0.0),
    ) -> Actor:
        """Put a body into the world: scaled, turned about its own origin (quaternion x, y, z, w or 3x3), moved to
        `position`, flying with `velocity` (m/s) and spinning with `angular_velocity` (rad/s) about its centre."""
        model = model_of(settings)
        if not isinstance(body, Body) or model is None:
            known = ", ".join(m.settings.__name__ for m in models().values())
            raise SettingsError(f"World.add takes a Body and the settings of a model ({known}); got {body!r} and {settings!r}")
        name = self._free_name(body.name) if name is None else name
        if any(actor.name == name for actor in self._cast):
            raise SettingsError(f'there is an actor "{name}" already; give each actor its own name')
        who = f'actor "{name}"'
        body = body if scale == 1.0 else body.scaled(scale)
        turn = as_matrix(rotation, who)
        positions = body.rest @ turn.T + as_vector(position, f"{who}: position")
        centre = body.masses @ positions / body.mass
        spin = as_vector(angular_velocity, f"{who}: angular_velocity")
        velocities = as_vector(velocity, f"{who}: velocity") + np.cross(spin, positions - centre)
        actor = Actor(self, name, body, settings, model, as_quaternion(turn))
        actor._initial = (positions, velocities)
        model.cohort(body, settings)
        self._cast.append(actor)
        self._stale = True
        try:
            model.prepare([Role(name, body, settings, 0, actor._rotation)], self._dtype)  # wrong settings speak up here
        except Exception:
            self._cast.remove(actor)
            raise
        return actor

    def remove(self, actor: Actor) -> None:
        """Take an actor out; its pins and handles go with it."""
        if actor not in self._cast:
            raise SettingsError(f'actor "{actor.name}" is not in this world')
        self._ready()
        self._keep()
        self._cast.remove(actor)
        self._pins = [pin for pin in self._pins if pin.actor is not actor]
        self._handles = [handle for handle in self._handles if handle.actor is not actor]
        self._stale = True

    def _free_name(self, wish: str) -> str:
        taken = {actor.name for actor in self._cast}
        number = 2
        name = wish
        while name in taken:
            name, number = f"{wish} {number}", number + 1
        return name

    # ---- time ----------------------------------------------------------------------------------------------------

    def step(self, dt: float = 1 / 60, substeps: int = 1) -> None:
        """Go on by `dt` seconds in equal sub-steps. Raises `Diverged` before anything that is not finite is kept."""
        if not (np.isfinite(dt) and dt > 0) or substeps < 1 or int(substeps) != substeps:
            raise SettingsError(f"World.step: dt = {dt!r}, substeps = {substeps!r}; give positive seconds and a whole number")
        self._ready()
        if not self._cast:
            self.time += dt
            return
        h = dt / substeps
        for _ in range(int(substeps)):
            self._gather_forces()
            substep(self, h)
            self.time += h

    def frame(self) -> Frame:
        """An immutable copy of this moment."""
        self._ready()

        def copies(rows: str) -> dict[str, Array]:
            return {actor.name: np.array(actor._rows(rows), dtype=np.float64) for actor in self._cast}

        return Frame(self.time, copies("x"), copies("v"), {actor.name: actor.weights for actor in self._cast})

    def snapshot(self) -> Snapshot:
        """Everything needed to go on from here; give it to `restore` as often as you like."""
        self._ready()
        s = self._state
        return Snapshot(
            self.time,
            tuple(self._cast),
            {name: getattr(s, name).copy() for name in ("x", "v")},
            {name: [a.copy() for a in arrays] for name, arrays in s.own.items()},
            tuple(self._pins),
            tuple((handle, handle.target.copy(), handle.path) for handle in self._handles),
            tuple(actor._force for actor in self._cast),
            tuple(actor.settings for actor in self._cast),
        )

    def restore(self, snapshot: Snapshot) -> None:
        """Go back to a snapshot of this world with the same cast."""
        self._ready()
        if tuple(self._cast) != snapshot.cast:
            raise SettingsError("World.restore: actors have come or gone since this snapshot; take a new one")
        for actor, settings in zip(self._cast, snapshot.settings, strict=True):
            if actor.settings is not settings:
                self._recast(actor, settings)
        self._ready()
        self.time = snapshot.time
        for name, values in snapshot.arrays.items():
            getattr(self._state, name)[:] = values
        for name, arrays in snapshot.own.items():
            for mine, saved in zip(self._state.own[name], arrays, strict=True):
                mine[:] = saved
        self._pins = list(snapshot.pins)
        self._handles = [handle for handle, _, _ in snapshot.handles]
        for handle, target, path in snapshot.handles:
            handle.target, handle.path = target.copy(), path
        for actor, force in zip(self._cast, snapshot.forces, strict=True):
            actor._force = force
        self._note_pins()

    # ---- what the step asks for ----------------------------------------------------------------------------------

    def _collider_rows(self, h: float) -> Array:
        if not self.colliders:
            return _NO_COLLIDERS
        moving = any(c.path is not None for c in self.colliders)
        key = (tuple(map(id, self.colliders)), moving)
        if moving or key != getattr(self, "_rows_key", None):
            self._rows = np.concatenate([c.row(self.time, self.time + h) for c in self.colliders])
            self._rows_key = key
        return self._rows

    def _damping(self, h: float) -> None:
        if self._damped_for != h:
            rates = self._state.motion.reshape(-1, 12)
            rates[:, 9] = [exp(-actor.settings.damping * h) for actor in self._cast]
            rates[:, 10] = [exp(-actor.settings.drag * h) for actor in self._cast]
            self._damped_for = h

    def _pin_places(self, time: float) -> Array:
        return np.concatenate([pin.targets(time) for pin in self._pins])

    def _handle_rows(self, time: float) -> tuple[NDArray[np.uint32], Array]:
        particles = np.concatenate([h.particles + h.actor._first for h in self._handles]).astype(np.uint32)
        rows = [np.concatenate([[h.stiffness], h.goal(time), h.weights]) for h in self._handles]
        return particles, np.concatenate(rows)

    def _gather_forces(self) -> None:
        pushed = [actor for actor in self._cast if actor._force is not None]
        if not pushed:
            if len(self._state.acceleration):
                self._state.acceleration = np.zeros(0, self._dtype)
            return
        rows = np.zeros((len(self._state), 4), self._dtype)
        for actor in pushed:
            force = actor._force(actor) if callable(actor._force) else actor._force
            rows[actor._slice, :3] = actor._acceleration(np.asarray(force, dtype=np.float64))
        self._state.acceleration = rows.reshape(-1)

    # ---- keeping the flat arrays in step with the cast -------------------------------------------------------------

    def _take(self, thing: Pin | Handle) -> None:
        if isinstance(thing, Pin):
            self._pins.append(thing)
            self._note_pins()
        else:
            self._handles.append(thing)

    def _drop(self, thing: Pin | Handle) -> None:
        kept: list[Any] = self._pins if isinstance(thing, Pin) else self._handles
        if thing in kept:
            kept.remove(thing)
        self._note_pins()

    def _note_pins(self) -> None:
        s = self._state
        s.inverse[:] = 1.0 / s.masses
        self._pinned = np.concatenate([pin.particles + pin.actor._first for pin in self._pins] or [np.empty(0, np.int64)])
        s.inverse[self._pinned] = 0.0

    def _pack_of(self, model: Model) -> Any:
        self._ready()
        return next(pack for known, pack in self._packs if known is model)

    def _recast(self, actor: Actor, settings: Settings) -> None:
        """New settings for an actor: tuned in place where that is enough, else everything is laid out anew."""
        model = model_of(settings)
        if model is None:
            raise SettingsError(f'actor "{actor.name}": {settings!r} are not the settings of a model')
        self._ready()
        old = actor._settings
        same = model is actor._model and model.cohort(actor.body, settings) == model.cohort(actor.body, old)
        if same and getattr(settings, "examples", None) is getattr(old, "examples", None):
            actor._settings = settings
            model.retune(self._pack_of(model), actor._number, settings)
            self._damped_for = -1.0
            return
        model.prepare([Role(actor.name, actor.body, settings, 0, actor._rotation)], self._dtype)
        self._keep(forget=actor if model is not actor._model else None)
        actor._settings, actor._model = settings, model
        self._stale = True

    def _keep(self, forget: Actor | None = None) -> None:
        """Before the arrays are laid out anew, each actor takes what belongs to it."""
        for actor in self._cast:
            actor._initial = (np.array(actor._rows("x"), np.float64), np.array(actor._rows("v"), np.float64))
            own = self._state.own[actor._model.name]
            pack = self._pack_of(actor._model)
            actor._memory = None if actor is forget else actor._model.remember(pack, own, actor._number)  # type: ignore[attr-defined]

    def _ready(self) -> None:
        """Lay out the flat arrays if the cast has changed."""
        if not self._stale:
            return
        old = [actor for actor in self._cast if actor._initial is None]
        self._stale = False
        if old:
            state, cast = self._state, self._cast
            self._cast = [actor for actor in cast if actor._initial is None]
            self._keep()
            self._cast = cast
            del state
        names = {model.name: i for i, model in enumerate(models().values())}
        keys: dict[Any, int] = {}
        for actor in self._cast:
            keys.setdefault((actor._model.name, actor._model.cohort(actor.body, actor.settings)), len(keys))
        order = {
            id(actor): (
                names[actor._model.name],
                keys[(actor._model.name, actor._model.cohort(actor.body, actor.settings))],
                i,
            )
            for i, actor in enumerate(self._cast)
        }
        self._cast.sort(key=lambda actor: order[id(actor)])
        self._state = s = State.empty([len(actor.body.rest) for actor in self._cast], self._dtype)
        for actor, first in zip(self._cast, s.origins, strict=True):
            actor._first = int(first)
            assert actor._initial is not None
            s.x.reshape(-1, 4)[actor._slice, :3], s.v.reshape(-1, 4)[actor._slice, :3] = actor._initial
            s.masses[actor._slice] = actor.body.masses
            actor._initial = None
        self._packs = []
        for model in models().values():
            mine = [actor for actor in self._cast if actor._model is model]
            if not mine:
                continue
            roles = [Role(a.name, a.body, a.settings, a._first, a._rotation) for a in mine]
            pack = model.prepare(roles, self._dtype)
            own = model.start(pack)
            for number, actor in enumerate(mine):
                actor._number = number
                memory = getattr(actor, "_memory", None)
                if memory is not None:
                    model.recall(pack, own, number, memory)
            s.own[model.name] = own
            self._packs.append((model, pack))
        self._damped_for = -1.0
        self._note_pins()


_NO_COLLIDERS = np.zeros(0 * ROW)
