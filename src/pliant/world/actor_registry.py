"""The actor registry: the actors of a world by name, and where each stands in the flat arrays.

The arrays are laid out when they are next needed, not when an actor comes or goes: a thousand actors can be
added for the price of one layout. Until then each actor holds what belongs to it (ActorState)."""

from typing import Any

import numpy as np

from pliant.dynamics.state import State
from pliant.dynamics.step_context import Scratch
from pliant.dynamics.step_inputs import Handles, StepInputs
from pliant.models import Model, Role, models
from pliant.runtime import jit
from pliant.runtime.errors import SettingsError
from pliant.world.actor import Actor
from pliant.world.actor_state import ActorState
from pliant.world.contact_system import ContactSystem, kernels_of
from pliant.world.cues import Fades, still_fading
from pliant.world.frame import Frame, FrameLayout
from pliant.world.substepping import Substepping
from pliant.world.weight_layout import WeightLayout

NOT_HELD = Handles.room(0)


class ActorRegistry:
    """`actors` are in the order in which they came, `order` is that of the state."""

    def __init__(self, dtype: Any) -> None:
        self.dtype = dtype
        self.actors: dict[str, Actor] = {}
        self.order: list[Actor] = []
        self.state = State.empty([], dtype)
        self.packs: dict[str, Any] = {}  # of each model that is played
        self.solvers: list[tuple[Model, Any]] = []  # the same, for the step
        self.weight_layout = WeightLayout(self)
        self._frame_layout: FrameLayout | None = None
        self.contact_system: ContactSystem | None = None  # None where there are no actors
        self.contact = True
        self.cued: list[Actor] = []  # those with weights that are on their way to what they are forced to
        self.substepping = Substepping()
        self.stale = False
        self.scratch = Scratch()
        self._held_for = -1  # the version of the inputs whose handles the models have
        self._numbers: dict[str, int] = {}

    def add(self, actor: Actor) -> None:
        self.actors[actor.name] = actor
        self.stale = True

    def remove(self, actor: Actor) -> None:
        del self.actors[actor.name]
        self.stale = True

    def has(self, actor: Actor) -> bool:
        return self.actors.get(actor.name) is actor

    def named(self, name: str) -> Actor:
        if name not in self.actors:
            names = ", ".join(list(self.actors)[:12]) + (", …" if len(self.actors) > 12 else "")
            raise SettingsError(f'there is no actor "{name}"; there are: {names or "none"}')
        return self.actors[name]

    def free_name(self, wish: str) -> str:
        """The wish itself, or the wish and a number."""
        name, number = wish, self._numbers.get(wish, 1)
        while name in self.actors:
            number += 1
            name = f"{wish} {number}"
        self._numbers[wish] = number
        return name

    def save(self, actor: Actor) -> None:
        """The actor takes what belongs to it out of the state."""
        if actor._saved_state is not None:
            return
        s, rows = self.state, slice(4 * actor._first, 4 * (actor._first + len(actor.body.rest)))
        model = actor._model
        memory = model.memory.remember(self.packs[model.name], s.own[model.name], actor._number)
        actor._saved_state = ActorState(
            s.x[rows].reshape(-1, 4)[:, :3].copy(),
            s.v[rows].reshape(-1, 4)[:, :3].copy(),
            memory,
            s.q[rows].reshape(-1, 4).copy() if actor._model.node.turns else None,
            s.w[rows].reshape(-1, 4)[:, :3].copy() if actor._model.node.turns else None,
        )

    def lay_out(self, order: tuple[Actor, ...] | None = None) -> None:
        """Give every actor its place: those of a model together, and among them those that one kernel call can serve;
        or that in an order which was found so before."""
        for actor in self.actors.values():
            self.save(actor)
        before, self.state.contacts = self.contact_system, None  # no circle: what is gone is not kept alive
        self.order = _in_order(list(self.actors.values())) if order is None else list(order)
        self._make_kernels_ready()
        turning = any(actor._model.node.turns for actor in self.order)
        self.state = s = State.empty([len(actor.body.rest) for actor in self.order], self.dtype, turning)
        self.packs, self.solvers = {}, []
        x, v = s.x.reshape(-1, 4), s.v.reshape(-1, 4)
        for place, actor in enumerate(self.order):
            saved = actor._saved_state
            assert saved is not None
            actor._place, actor._first = place, int(s.origins[place])
            rows = slice(actor._first, actor._first + len(actor.body.rest))
            x[rows, :3], v[rows, :3] = saved.positions, saved.velocities
            s.masses[rows] = actor.body.masses
            if saved.rotations is not None and saved.angular_velocities is not None:
                s.q.reshape(-1, 4)[rows], s.w.reshape(-1, 4)[rows, :3] = saved.rotations, saved.angular_velocities
        for model in models().values():
            self._prepare_model(model, [actor for actor in self.order if actor._model is model])
        for actor in self.order:
            actor._saved_state = None
        self.cued = [actor for actor in self.order if actor._fades]
        self.weight_layout, self._frame_layout = WeightLayout(self), None
        self.enter(before)
        self.substepping.ask(self.order)
        self._held_for = -1
        self.stale = False

    def frame(self, time: float) -> Frame:
        """This moment of a state that is laid out."""
        if self._frame_layout is None:
            self._frame_layout = FrameLayout(self.actors, self.weight_layout.spans, self.state)
        return self._frame_layout.frame(time, self.state, self.weight_layout.row(self))

    @property
    def meet(self) -> bool:
        """Whether bodies may meet. One that is alone has no other body to meet."""
        return self.contact and (len(self.order) > 1 or any(actor.self_contact for actor in self.order))

    def _make_kernels_ready(self) -> None:
        """Those that a step needs, all at once; others, such as those of pins, when they are first called."""
        if not self.order:
            return
        played = {f"pliant.models.{actor._model.name}." for actor in self.order}
        jit.make_ready("single" if self.dtype == np.float32 else "double", *sorted(played), *kernels_of(self.meet))

    def enter(self, before: Any = None) -> None:
        """Let bodies meet, or not; all of them are awake then. before: the contact system of the last layout; where
        contacts go on from it, so does sleep."""
        self._make_kernels_ready()
        self.state.sleep_timers[:] = 0.0
        self.state.sleep_version = 0
        self.contact_system = None
        if self.order:
            self.contact_system = ContactSystem(self.order, self.state, self.meet, self.actors.values(), before)

    def _prepare_model(self, model: Model, actors: list[Actor]) -> None:
        if not actors:
            return
        roles = [Role(a.name, a.body, a._playing, a._first, a._rotation) for a in actors]
        pack = model.prepare(roles, self.dtype)
        own = model.memory.start(pack)
        for number, actor in enumerate(actors):
            actor._number = number
            if actor._saved_state is not None and actor._saved_state.memory is not None:
                model.memory.recall(pack, own, number, actor._saved_state.memory)
        self.state.own[model.name] = own
        self.packs[model.name] = pack
        self.solvers.append((model, pack))

    def cue(self, actor: Actor, fades: Fades, time: float) -> None:
        """Weights of an actor are on their way from now on, or not any more."""
        actor._lead(fades, time)
        self.cued = [each for each in self.cued if each is not actor] + ([actor] if fades else [])

    def lead(self, time: float, h: float) -> list[Actor]:
        """Before the sub-step from `time` to `time + h`: models are told the weights that are in force at its end.
        Returns the actors that are on their way; the sub-step after the last one of a course stops them. They do not
        fall asleep."""
        for actor in self.cued:
            actor._lead(still_fading(actor._fades, time - h), time + h)
            self.tell_forced(actor)
            self._keep_awake(actor)
        self.cued = [actor for actor in self.cued if actor._fades]
        return self.cued

    def _keep_awake(self, actor: Actor) -> None:
        if self.contact_system is not None and not self.contact_system.awake[actor._place]:
            self.contact_system.wake([actor._place])
        self.state.sleep_timers[actor._place] = 0.0

    def tell_forced(self, actor: Actor) -> None:
        """The model of an actor is told the weights that are in force."""
        model = actor._model
        if model.examples is not None:
            model.examples.force(self.packs[model.name], actor._number, actor._playing)

    def hold(self, inputs: StepInputs) -> None:
        """Models that pull at handles by themselves are told when pins or handles have come or gone."""
        if self._held_for != inputs.version:
            for model, pack in self.solvers:
                if model.hold is not None:
                    model.hold(pack, inputs.held.get(model.name) or NOT_HELD, self.state)
            self._held_for = inputs.version

    def retuned(self) -> None:
        """Damping, drag or material of an actor may have changed."""
        self.substepping.ask(self.order)
        if self.contact_system is not None:
            self.contact_system.refresh_materials()


def _in_order(actors: list[Actor]) -> list[Actor]:
    """Those that one kernel call can serve together, from left to right: bodies that meet are near each other in
    memory."""
    known = {name: i for i, name in enumerate(models())}
    cohorts: dict[Any, int] = {}
    keys = []
    for actor in actors:
        cohort = actor._model.name, actor._model.cohort(actor.body, actor.settings)
        assert actor._saved_state is not None
        left = float(actor._saved_state.positions[0, 0])
        keys.append((known[actor._model.name], cohorts.setdefault(cohort, len(cohorts)), left))
    return [actors[i] for i in sorted(range(len(actors)), key=keys.__getitem__)]
