"""The studio: time stands still, one body is in the hand, and what is drawn of it becomes a pose."""

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from pliant.body import Body
from pliant.poses import blend
from pliant.runtime.errors import SettingsError
from pliant.viewer.protocol.commands import Grab, Keep, Move, Release, Unpin
from pliant.viewer.protocol.studio_commands import (
    BlendDraft,
    BrushDraft,
    CloseStudio,
    DraftFrom,
    FixDraft,
    KeepDraft,
    MirrorDraft,
    OpenStudio,
    ReadyPose,
    RestDraft,
    StudioCommand,
    StudioPull,
)
from pliant.viewer.simulation.brushes import brushed_shape
from pliant.viewer.simulation.draft_files import shape_in_file
from pliant.viewer.simulation.mending import with_changed
from pliant.viewer.simulation.mirroring import mirrored
from pliant.viewer.simulation.panel_state import PinMark
from pliant.viewer.simulation.posing import NO_POSE, checked_name, with_shape
from pliant.viewer.simulation.pulling import HeldPatch, elastic_body, pulled
from pliant.viewer.simulation.ready_poses import drawn_by, turns_of
from pliant.viewer.simulation.settling import Hold, own_holds
from pliant.world import Actor

if TYPE_CHECKING:
    from pliant.viewer.simulation.simulation import Simulation

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Draft:
    """A pose that is being made.  base: the shape (V, 3) without the formula that is tried at the moment, `ready`.
    shape: with it.  pose: the pose of the body that is being changed.  weights: those of the blend that is tried.
    pins: what holds it.  offset (3,): from the places of the rest shape to where it is drawn."""

    actor: str
    base: Array
    shape: Array
    offset: Array
    pose: str | None = None
    ready: ReadyPose | None = None
    weights: Mapping[str, float] | None = None
    pins: tuple[HeldPatch, ...] = ()


@dataclass(frozen=True, eq=False)
class DraftShown:
    """What panels show of a draft.  may_be_kept: it is far enough from rest to be a pose."""

    actor: str
    pose: str | None
    ready: ReadyPose | None
    weights: Mapping[str, float]
    offset: tuple[float, float, float]
    may_be_kept: bool


class Studio:
    """Belongs to a simulation. `state` is replaced whole; None while time goes on."""

    def __init__(self, simulation: "Simulation") -> None:
        self.simulation = simulation
        self.state: Draft | None = None
        self._hands: dict[tuple[Hashable, int], HeldPatch] = {}
        self._moved = False  # a hand, since the body followed it last
        self._solid: tuple[Array, Body | None] | None = None  # the body at rest in the base of the draft
        self._turns: tuple[Array, Array | None] | None = None

    # ---- what pages ask for ------------------------------------------------------------------------------

    def apply(self, command: StudioCommand | CloseStudio) -> None:
        """Draw, or keep what is drawn."""
        if isinstance(command, CloseStudio):
            return self.close()
        if isinstance(command, OpenStudio):
            return self._open(command)
        draft, actor = self._draft(command.actor)
        body = actor.body
        match command:
            case RestDraft():
                self.state = Draft(draft.actor, body.rest, body.rest, draft.offset)
            case ReadyPose():
                shape = drawn_by(body, draft.base, command)
                self.state = replace(draft, shape=shape, ready=command, weights=None)
            case FixDraft():
                self._set(draft.shape)
            case MirrorDraft(how=how):
                self._set(mirrored(body, draft.shape, how))
            case BlendDraft(weights=weights):
                self._blend(draft, body, weights)
            case DraftFrom(path=path):
                self._set(shape_in_file(self.simulation.origin, actor, path))
            case BrushDraft():
                shape = brushed_shape(body, draft.shape, command)
                self.state = replace(draft, base=shape, shape=shape, ready=None, weights=None, pins=())
            case KeepDraft(name=name, instead=instead):
                self._keep(draft, actor, name.strip(), instead)

    def takes(self, command: Grab | Move | Release | Keep | Unpin, owner: Hashable) -> bool:
        """Whether a hand is one on the draft, and what it does then."""
        if self.state is None:
            return False
        match command:
            case Grab(handle=number, actor=name, vertex=vertex, target=target):
                if name == self.state.actor and not self._hands:
                    body = self.simulation.world[name].body
                    if self.state.ready is not None or self.state.weights is not None:
                        self._set(self.state.shape)
                    hand = HeldPatch.of(body, self.state.shape, vertex)
                    self._hands[owner, number] = replace(hand, target=np.array(target) - self.state.offset)
                return True
            case Move(handle=number, target=target) if (owner, number) in self._hands:
                hand = self._hands[owner, number]
                self._hands[owner, number] = replace(hand, target=np.array(target) - self.state.offset)
                self._moved = True
                return True
            case Release(handle=number) | Keep(handle=number):
                keys = [key for key in self._hands if key[0] == owner and number in (None, key[1])]
                for key in keys:
                    self._let_go(key, pin=isinstance(command, Keep))
                return bool(keys) or isinstance(command, Keep)
            case Unpin(pin=number):
                pins = tuple(each for n, each in enumerate(self.state.pins) if number not in (None, n))
                self.state = replace(self.state, pins=pins)
                return True
        return False

    def follow(self) -> None:
        """The body follows the hands, if they have moved: once for all that they did meanwhile."""
        if self.state is not None and self._moved:
            self._pull(done=False)

    def close(self) -> None:
        """The body is again where time stood still."""
        self.state, self._moved = None, False
        self._hands.clear()

    def bring_back(self, state: Draft | None) -> None:
        """As it was then; if the body is another by now there is no studio."""
        self.close()
        sizes = {actor.name: len(actor.body.rest) for actor in self.simulation.actors}
        if state is not None and sizes.get(state.actor) == len(state.shape):
            self.state = state

    def check(self) -> None:
        """After a change of models: a body of other particles cannot be in the hand any more."""
        self.bring_back(self.state)

    # ---- what pages are shown ----------------------------------------------------------------------------

    def drawn(self, rows: NDArray[np.float32]) -> NDArray[np.float32]:
        """All particles (P, 4), those of the body in the hand as they are drawn."""
        assert self.state is not None
        made, first = rows.copy(), 0
        for actor in self.simulation.actors:
            count = len(actor.body.rest)
            if actor.name == self.state.actor:
                made[first : first + count, :3] = self.state.shape + self.state.offset
            first += count
        return made

    def turned(self, rows: NDArray[np.float32]) -> NDArray[np.float32]:
        """The rotations (T, 4) of all particles that turn."""
        assert self.state is not None
        made, first = rows.copy(), 0
        for actor in self.simulation.actors:
            count = len(actor.body.rest) if actor.turns else 0
            if actor.name == self.state.actor and count:
                if self._turns is None or self._turns[0] is not self.state.shape:
                    self._turns = self.state.shape, turns_of(actor.body, self.state.shape)
                made[first : first + count] = self._turns[1]
            first += count
        return made

    def pin_marks(self) -> tuple[PinMark, ...]:
        """What is pinned in the draft."""
        assert self.state is not None
        marks = []
        for number, pin in enumerate(self.state.pins):
            x, y, z = (pin.target + self.state.offset).tolist()
            marks.append(PinMark(number, self.state.actor, pin.vertex, (x, y, z)))
        return tuple(marks)

    def shown(self) -> DraftShown | None:
        if self.state is None:
            return None
        body = self.simulation.world[self.state.actor].body
        moved = np.linalg.norm(self.state.shape - body.rest, axis=1).max() / np.linalg.norm(body.size)
        x, y, z = self.state.offset.tolist()
        draft, shown = self.state, bool(moved > NO_POSE)
        return DraftShown(draft.actor, draft.pose, draft.ready, dict(draft.weights or {}), (x, y, z), shown)

    # ---- parts -------------------------------------------------------------------------------------------

    def _open(self, command: OpenStudio) -> None:
        actor = self.simulation.world[command.actor]
        if self.simulation.comparison.second is not None:
            raise SettingsError("poses are made of one body; end the comparison first")
        body = actor.body
        if command.pose is not None and command.pose not in body.poses:
            raise SettingsError(f'there is no pose "{command.pose}" any more; choose another')
        shape = body.rest if command.pose is None else np.asarray(body.poses[command.pose])
        here = np.asarray(actor.positions, np.float64)
        offset = body.masses @ (here - body.rest) / body.mass
        offset[1] = here[:, 1].min() - body.rest[:, 1].min()  # it stands where it lies
        if self.state is not None and self.state.actor == actor.name:
            offset = self.state.offset
        self.close()
        self.state = Draft(actor.name, shape, shape, offset, command.pose)

    def _draft(self, name: str) -> tuple[Draft, Actor]:
        if self.state is None or self.state.actor != name:
            raise SettingsError(f'"{name}" is not in the studio; open it there first')
        return self.state, self.simulation.world[name]

    def _set(self, shape: Array) -> None:
        """What is drawn next comes on top of this shape."""
        assert self.state is not None
        pins = self.state.pins if shape is self.state.shape else ()
        self.state = replace(self.state, base=shape, shape=shape, ready=None, weights=None, pins=pins)

    def _blend(self, draft: Draft, body: Body, weights: Mapping[str, float]) -> None:
        total = max(sum(weights.values()), 1.0)
        wanted = {name: weight / total for name, weight in weights.items() if name in body.poses and weight > 0}
        shape = blend(body, wanted) if wanted else body.rest
        self.state = replace(draft, base=body.rest, shape=shape, ready=None, weights=dict(weights), pins=())

    def _keep(self, draft: Draft, actor: Actor, name: str, instead: str | None) -> None:
        body = actor.body
        if np.abs(draft.shape - body.rest).max() < NO_POSE * np.linalg.norm(body.size):
            raise SettingsError("this is the rest shape itself; draw something first")
        if instead is None or instead not in body.poses:
            body = with_shape(body, name, draft.shape)
        else:
            if name != instead:
                checked_name(body, name)
            body = with_changed(body, instead, draft.shape, name)
        self.simulation.editor.recast(actor, body, actor.settings)
        self.state = replace(draft, base=draft.shape, pose=name, ready=None, weights=None)

    def _pull(self, done: bool) -> None:
        assert self.state is not None
        self._moved = False
        draft, actor = self.state, self.simulation.world[self.state.actor]
        if self._solid is None or self._solid[0] is not draft.base:
            self._solid = draft.base, elastic_body(actor.body, draft.base)
        held = [*self._hands.values(), *draft.pins]
        shape = pulled(self._solid[1], actor.body, draft.base, draft.shape, held, self._own(actor, draft.base),
                       settings=actor.settings, done=done)  # fmt: skip
        self.state = replace(draft, shape=shape)

    def _own(self, actor: Actor, base: Array) -> list[Hold]:
        """What the exhibit itself holds stays where the draft had it."""
        pins, handles = own_holds(actor, [grip for _, grip in self.simulation.editor.pins()])
        return [(particles, base[particles]) for particles, _ in (*pins, *handles)]

    def _let_go(self, key: tuple[Hashable, int], pin: bool) -> None:
        """The body comes to rest with the hand where it is; without a pin nothing holds it any more, but its shape
        stays. What comes next is drawn on top of it, unless pins go on holding it."""
        assert self.state is not None
        self._pull(done=True)
        hand = self._hands.pop(key)
        draft = self.state
        if pin:
            self.state = replace(draft, pins=(*draft.pins, hand))
        elif not draft.pins:
            self.state = replace(draft, base=draft.shape)
        self.simulation.history.note(StudioPull(actor=draft.actor))
