"""The world: actors, obstacles, and time."""

from collections.abc import Collection, Iterable, Sequence

import numpy as np
from numpy.typing import ArrayLike

from pliant.body import Body
from pliant.body.sizes import scaled
from pliant.dynamics.state import State
from pliant.dynamics.step_context import StepContext
from pliant.models import Model, model_of, models, played
from pliant.models.settings import Settings
from pliant.runtime import jit
from pliant.runtime.errors import Diverged, SettingsError
from pliant.runtime.thread_pool import ThreadPool
from pliant.world.actor import Actor
from pliant.world.actor_registry import ActorRegistry
from pliant.world.actor_state import placed
from pliant.world.changing import moved_over, only_numbers_differ
from pliant.world.colliders import Collider
from pliant.world.contacts import Contacts
from pliant.world.cues import Fades
from pliant.world.fields import Field, as_fields
from pliant.world.frame import Frame
from pliant.world.inputs import Inputs
from pliant.world.snapshot import Snapshot, put_back, taken
from pliant.world.step import advance
from pliant.world.validation import Array, as_matrix, as_quaternion, as_vector, between, formatted, positive, whole
from pliant.world.wind import Wind, as_wind


class World:
    """Bodies that move. SI units, y up, right-handed.

    gravity: m/s^2.  wind: m/s, or a `Wind`.  fields: force fields such as `Vortex`.
    colliders: obstacles, a list that may be changed between steps.
    precision: "single" is fast, "double" is for research.  threads: results are the same bits for any number.

    >>> import pliant
    >>> world = World(colliders=[pliant.Plane()])
    >>> body = pliant.shapes.ball(particles=100)
    >>> ball = world.add(body, pliant.ShapeMatching(), name="ball", position=(0, 1, 0))
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
        contact: bool = True,
        wind: Wind | ArrayLike | None = None,
        fields: Sequence[Field] = (),
    ) -> None:
        if not isinstance(precision, str) or precision not in jit.PRECISIONS:
            raise SettingsError(f'World: precision = {formatted(precision)}; give "single" or "double"')
        try:
            self.colliders = list(colliders)
        except TypeError:
            raise SettingsError(
                f"World: colliders = {formatted(colliders)}; give a list of Plane, Sphere, Box, Capsule and Mesh"
            ) from None
        self._pool = ThreadPool(whole(threads, "World: threads", 1))
        self._registry = ActorRegistry(jit.PRECISIONS[precision])
        self._inputs = Inputs()
        self._inputs.blown = lambda: list(self._registry.actors.values())
        self.gravity = gravity
        self.wind = wind
        self.fields = fields
        self.precision = precision
        self.time = 0.0
        self.events: dict[str, float] = {}  # what happened in a scene, and when (s), of what is waited for
        self.contact = contact

    @property
    def gravity(self) -> Array:
        """m/s^2; may be set at any time."""
        return np.array(self._inputs.gravity)

    @gravity.setter
    def gravity(self, value: ArrayLike) -> None:
        x, y, z = as_vector(value, "World: gravity").tolist()
        self._inputs.gravity = (x, y, z)
        if self._registry.contact_system is not None:
            self._registry.contact_system.wake()

    @property
    def wind(self) -> Wind | None:
        """The air that pushes at all bodies: a `Wind`, or its velocity in m/s; may be set at any time. None: no air."""
        return self._inputs.wind

    @wind.setter
    def wind(self, value: Wind | ArrayLike | None) -> None:
        self._inputs.wind = as_wind(value)
        self._inputs.changed()
        if self._registry.contact_system is not None:
            self._registry.contact_system.wake()

    @property
    def fields(self) -> tuple[Field, ...]:
        """Force fields: `Attractor`, `Vortex`, `Turbulence`, `Upright`; may be set at any time."""
        return self._inputs.fields

    @fields.setter
    def fields(self, value: Sequence[Field]) -> None:
        self._inputs.fields = as_fields(value)
        self._inputs.changed()
        if self._registry.contact_system is not None:
            self._registry.contact_system.wake()

    @property
    def contact(self) -> bool:
        """Whether bodies touch one another; may be set at any time. What touches obstacles does so in any case."""
        return self._registry.contact

    @contact.setter
    def contact(self, value: bool) -> None:
        if not isinstance(value, bool):
            raise SettingsError(f"World: contact = {formatted(value)}; give True or False")
        self._registry.contact = value
        if not self._registry.stale:
            self._registry.enter()

    @property
    def contacts(self) -> Contacts:
        """Where bodies touched one another in the last sub-step."""
        self._ready()
        contact_system = self._registry.contact_system
        numbers = {actor._place: number for number, actor in enumerate(self.actors)}
        return Contacts.none() if contact_system is None else contact_system.told(numbers)

    # ---- actors --------------------------------------------------------------------------------------------

    @property
    def actors(self) -> tuple[Actor, ...]:
        """All actors, in the order in which they came."""
        return tuple(self._registry.actors.values())

    def __getitem__(self, name: str) -> Actor:
        return self._registry.named(name)

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
        friction: float = 0.5,
        restitution: float = 0.0,
        self_contact: bool = False,
        may_sleep: bool = True,
    ) -> Actor:
        """Put a body into the world: scaled, turned about its own origin (quaternion x, y, z, w or 3x3),
        moved to `position`, flying with `velocity` (m/s) and spinning with `angular_velocity` (rad/s) about
        its centre. How it meets other bodies: `friction` (a pair has the geometric mean of both), `restitution`
        (the larger of both), `self_contact` if its own parts are to touch one another, and `may_sleep` if it is
        to stand still, and cost nothing, once it has come to rest."""
        model = model_of(settings)
        if not isinstance(body, Body) or model is None:
            known = ", ".join(m.settings.__name__ for m in models().values())
            raise SettingsError(
                f"World.add takes a Body and the settings of a model ({known}); "
                f"got {formatted(body)} and {formatted(settings)}"
            )
        name = self._registry.free_name(body.name) if name is None else name
        if not isinstance(name, str) or not name.strip():
            raise SettingsError(f"World.add: name = {formatted(name)}; give a name")
        if name in self._registry.actors:
            raise SettingsError(f'there is an actor "{name}" already; give each actor a name of its own')
        who = f'actor "{name}"'
        factor = between(scale, f"{who}: scale", 1e-6, 1e6)
        given = scaled(body, factor)
        model.check(given, settings, name)
        body = played(given, model, settings)
        turn = as_matrix(rotation, who)
        actor = Actor(self, name, given, body, settings, model, as_quaternion(turn))
        actor._saved_state = placed(actor, turn, position, velocity, angular_velocity)
        actor.friction, actor.restitution, actor.self_contact = friction, restitution, self_contact
        actor.may_sleep = may_sleep
        self._registry.add(actor)
        return actor

    def remove(self, actor: Actor) -> None:
        """Take an actor out; its pins, handles and forces go with it."""
        if not isinstance(actor, Actor) or not self._registry.has(actor):
            raise SettingsError(f"World.remove: {formatted(actor)} is not in this world")
        self._registry.remove(actor)
        self._inputs.forget(actor)

    def recast(self, actor: Actor, body: Body, settings: Settings | None = None) -> None:
        """Give an actor another body of as many particles, such as one with more poses, and other settings if
        wanted. It goes on from where it is; pins, handles and forces stay, unless the model plays it with other
        particles than before."""
        if not isinstance(actor, Actor) or not self._registry.has(actor):
            raise SettingsError(f"World.recast: {formatted(actor)} is not in this world")
        who = f'World.recast: actor "{actor.name}"'
        have = {len(actor.body.rest), len(actor.given.rest)}
        if not isinstance(body, Body) or len(body.rest) not in have:
            got = f"{len(body.rest)} particles" if isinstance(body, Body) else formatted(body)
            raise SettingsError(f"{who} has {len(actor.body.rest)} particles; give a body of as many, not {got}")
        settings = actor.settings if settings is None else settings
        model = model_of(settings)
        if model is None:
            raise SettingsError(f"{who}: {formatted(settings)} are not the settings of a model")
        model.check(body, settings, actor.name)
        self._change(actor, body, settings, model, actor._fades_under(settings))

    def _change(self, actor: Actor, given: Body, settings: Settings, model: Model, fades: Fades) -> None:
        """Another body, or other settings that need another layout."""
        body = played(given, model, settings)
        self._ready()
        self._registry.save(actor)
        saved = actor._saved_state
        assert saved is not None
        if model is not actor._model:
            saved.memory = None
        if model.node.turns != actor._model.node.turns or len(body.rest) != len(actor.body.rest):
            self._inputs.forget(actor)
            actor._saved_state = moved_over(saved, actor.body, body)
        actor.given, actor.body, actor._settings, actor._model = given, body, settings, model
        actor._lead(fades, self.time)
        self._registry.stale = True

    def _tune(self, actor: Actor, settings: Settings, followed: Collection[str] = ()) -> None:
        """New settings for an actor: changed in place where that is enough, else all actors are laid out
        anew.  followed: poses whose forced weights are on a course of their own (cues.py)."""
        model = model_of(settings)
        if model is None:
            raise SettingsError(f'actor "{actor.name}": {formatted(settings)} are not the settings of a model')
        model.check(actor.given, settings, actor.name)
        self._ready()
        old, fades = actor._settings, actor._fades_under(settings, followed)
        same = model is actor._model and model.cohort(actor.body, settings) == model.cohort(actor.body, old)
        if same and only_numbers_differ(old, settings):
            actor._settings = settings
            self._registry.cue(actor, fades, self.time)
            model.retune(self._registry.packs[model.name], actor._number, actor._playing)
            self._registry.retuned()
            actor.wake()
            return
        self._change(actor, actor.given, settings, model, fades)

    # ---- time ----------------------------------------------------------------------------------------------

    def step(self, dt: float = 1 / 60, substeps: int = 1) -> None:
        """Go on by `dt` seconds in equal sub-steps; more of them than asked for where bodies that may meet are so fast
        that they would pass through one another (up to 16), or where a material needs them (`young` of shape matching;
        up to 64 in a 60th of a second, and a warning where that is not enough). Raises `Diverged` before anything that
        is not finite is kept: the world then stands at the end of the last good sub-step."""
        count = whole(substeps, "World.step: substeps", 1)
        dt = positive(dt, "World.step: dt", "seconds")
        state = self._ready()
        count = self._registry.substepping.substeps(dt, count)
        if self._registry.contact_system is not None:
            count = self._registry.contact_system.substeps(self._inputs.gravity, dt, count)
        h = dt / count
        context = StepContext(state, self._inputs, h, self._pool, self._registry.scratch)
        done = 0
        while done < count:
            gone, failure = 1, None
            led = self._registry.lead(self.time, h)
            at_once = 1 if led else count - done
            if len(state):
                self._inputs.take_along(led)
                self._inputs.gather(state, self.colliders, self.time, h, again=done > 0)
                gone, failure = self._advance(context, at_once)
            for _ in range(gone):
                self.time += h
            if self._registry.contact_system is not None:
                self._registry.contact_system.warn()
            if failure is not None:
                raise failure
            done += gone

    def _advance(self, context: StepContext, most: int) -> tuple[int, Diverged | None]:
        """At most so many sub-steps, and one if inputs may be others in the next."""
        if self._registry.contact_system is not None:
            self._registry.contact_system.watch(self._inputs)
        try:
            return advance(self._registry, context, self.time, most if self._inputs.steady else 1)
        except KeyboardInterrupt:
            if self._registry.contact_system is not None:
                self.time += context.h * self._registry.contact_system.gone
            raise

    def frame(self) -> Frame:
        """An immutable copy of this moment: the one way out for what is streamed, baked or drawn."""
        self._ready()
        return self._registry.frame(self.time)

    def snapshot(self) -> Snapshot:
        """Everything needed to go on from here; give it to `restore` as often as you like."""
        self._ready()
        return taken(self)

    def restore(self, snapshot: Snapshot) -> None:
        """Go back to a snapshot of this world with the same actors."""
        put_back(self, snapshot)

    def _ready(self, order: tuple[Actor, ...] | None = None) -> State:
        """The state, laid out anew if actors have come, gone or changed, or if they are to stand in another order."""
        if self._registry.stale or (order is not None and order != tuple(self._registry.order)):
            self._registry.lay_out(order)
            self._inputs.changed()
        return self._registry.state

    def __repr__(self) -> str:
        names = ", ".join(self._registry.actors)
        return f"World at {self.time:.4g} s: {formatted(names)[1:-1] or 'no actors'}"
