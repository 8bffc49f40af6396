"""What people change in an exhibit while it plays: pins, poses and the conditions of its world; and what they keep."""

from collections.abc import Hashable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from pliant.body import Body
from pliant.viewer.protocol.commands import (
    AddPose,
    Arrange,
    Command,
    DeletePose,
    Force,
    Keep,
    MendPose,
    RenamePose,
    Settle,
    Unpin,
)
from pliant.viewer.recording.recorder import Moment, RecordedActor, Recorder
from pliant.viewer.simulation.conditions import Conditions
from pliant.viewer.simulation.grip import Grip
from pliant.viewer.simulation.mending import mended
from pliant.viewer.simulation.moments import colliders_of, moment_of, recorded_actors
from pliant.viewer.simulation.origin import Held
from pliant.viewer.simulation.panel_state import PanelState, PinMark
from pliant.viewer.simulation.posing import forced_anew, renamed, that_fits, with_moment, without_forced
from pliant.viewer.simulation.towing import Tow
from pliant.world import Actor

if TYPE_CHECKING:
    from pliant.viewer.simulation.simulation import Simulation

MOST_PINS = 32


class Editor:
    """Belongs to a simulation. `conditions` and edited bodies outlive a reset, pins do not."""

    def __init__(self, simulation: "Simulation") -> None:
        self.simulation = simulation
        self.recorder = Recorder()
        self.moment: Moment | None = None  # the present, if nothing was changed since it was noted
        self._arranged: dict[str, float] = {}
        self._bodies: dict[str, Body] = {}
        self._pins: dict[int, tuple[PinMark, Grip]] = {}
        self._numbers = 0

    # ---- called by the simulation ------------------------------------------------------------------------

    def rebuild(self) -> None:
        """There is a new world: bring back what was changed in the old one."""
        world = self.simulation.world
        self._own_gravity = world.gravity
        self._own_colliders = list(world.colliders)
        self.own_conditions = Conditions.of(world, self.simulation.show.substeps)
        self._pins.clear()
        for actor in world.actors:
            body = self._bodies.get(actor.name)
            if body is not None and len(body.rest) == len(actor.body.rest):  # a file may have been changed meanwhile
                world.recast(actor, body, that_fits(actor.settings, body))
        self.arrange()

    def changes(self) -> tuple[dict[Any, Any], ...]:
        """What outlives a reset."""
        return self._arranged, self._bodies

    def number_pins_like(self, other: "Editor") -> None:
        """So that hands which act on two copies can name a pin of both."""
        self._numbers = other._numbers

    def begin(self) -> None:
        """The first moment of a recording."""
        self.recorder.clear()
        self.note()

    def note(self) -> None:
        """Keep the present moment."""
        if not self.recorder.stopped:
            self.moment = moment_of(self.simulation)
            self.recorder.add(self.moment)

    def restore_conditions(self) -> None:
        """As the exhibit has them."""
        self._arranged.clear()
        self.arrange()

    def panel_state(self) -> PanelState:
        simulation = self.simulation
        actors = tuple(RecordedActor.of(actor) for actor in simulation.actors)
        studio = simulation.studio
        pins = tuple(mark for mark, _ in self._pins.values()) if studio.state is None else studio.pin_marks()
        return PanelState(
            conditions=self.conditions,
            own_conditions=self.own_conditions,
            own_settings=dict(simulation._own_settings),
            actors=actors,
            pins=pins,
            recorder=self.recorder,
            recorded=recorded_actors(simulation),
            colliders=colliders_of(simulation),
            models={actor.name: simulation.model_change.model_of(actor) for actor in simulation.actors},
            own_models={actor.name: simulation.model_change.own_model_of(actor) for actor in simulation.actors},
            settings=simulation.settings(),
            groups={actor.name: simulation.grouping.shown(actor) for actor in simulation.actors},
            held=tuple(Held.by(grip) for _, grip in self._pins.values()),
            towed=simulation.towing.goals(),
            origin=simulation.origin,
            studio=studio.shown(),
            steps=simulation.history.labels,
            step=simulation.history.place,
            second=simulation.comparison.panel_state(),
        )

    def pins(self) -> tuple[tuple[PinMark, Grip], ...]:
        """All that is pinned."""
        return tuple(self._pins.values())

    def set_pins(self, pins: Sequence[tuple[PinMark, Grip]]) -> None:
        """Have these in place of all others."""
        for _, grip in self._pins.values():
            grip.release()
        self._pins = {mark.number: (mark, grip) for mark, grip in pins}
        self._numbers = max([self._numbers, *(number + 1 for number in self._pins)])

    def apply(self, command: Command, owner: Hashable) -> None:
        """Do what a page asks."""
        match command:
            case Keep(handle=handle):
                self._keep(owner, handle)
            case Unpin(pin=number):
                if number is None:
                    self.simulation.towing.put_back()
                for each in list(self._pins) if number is None else [number]:
                    if each in self._pins:
                        self._pins.pop(each)[1].release()
            case Arrange(field=field, value=value):
                self.conditions.changed(field, value)  # raises before anything is kept
                self._arranged[field] = value
                self.arrange()
            case Force(actor=name, pose=pose):
                for actor in self._with_pose(name, pose):
                    self._force(actor, command)
            case AddPose(actor=name, name=pose, at=at):
                actor = self.simulation.world[name]
                shown = self.simulation.playback.shown_of(actor, at)
                self.recast(actor, with_moment(actor, pose, shown), actor.settings)
            case Settle(actor=name):
                self._settle(self.simulation.world[name])
            case MendPose(actor=name, pose=pose, finding=finding):
                actor = self.simulation.world[name]
                self.recast(actor, mended(actor.body, pose, finding), actor.settings)
            case RenamePose(actor=name, pose=pose, name=new):
                for actor in self._with_pose(name, pose):
                    settings = without_forced(actor.settings, pose, instead=new.strip())
                    self.recast(actor, renamed(actor.body, pose, new), settings)
            case DeletePose(actor=name, pose=pose):
                for actor in self._with_pose(name, pose):
                    self.recast(actor, actor.body.without_pose(pose), without_forced(actor.settings, pose))

    # ---- parts -------------------------------------------------------------------------------------------

    def _keep(self, owner: Hashable, handle: int) -> None:
        grip = self.simulation._held.pop((owner, handle), None)
        if grip is None or isinstance(grip, Tow):  # an obstacle stays where it was left anyway
            return
        if len(self._pins) >= MOST_PINS:
            grip.release()
            return
        grip.firm()
        x, y, z = np.asarray(grip.target, float).tolist()
        self._pins[self._numbers] = (PinMark(self._numbers, grip.actor.name, grip.vertex, (x, y, z)), grip)
        self._numbers += 1

    def _settle(self, actor: Actor) -> None:
        from pliant.viewer.simulation.settling import settled

        hands = [held for held in self.simulation._held.values() if isinstance(held, Grip)]  # others hold obstacles
        found = settled(actor, [*hands, *(grip for _, grip in self._pins.values())])
        actor.positions[:] = found
        actor.velocities[:] = 0.0
        self.simulation.look()

    def arrange(self) -> None:
        """The world has the conditions that were chosen."""
        conditions = self.own_conditions
        for field, value in self._arranged.items():
            conditions = conditions.changed(field, value)
        self.conditions = conditions
        world = self.simulation.world
        world.colliders[:] = self._own_colliders
        conditions.apply(world, self.own_conditions, self._own_gravity)
        self.simulation.towing.bring(world)

    def _with_pose(self, name: str | None, pose: str) -> list[Actor]:
        world = self.simulation.world
        actors = self.simulation.actors if name is None else (world[name],)
        return [actor for actor in actors if pose in actor.body.poses]

    def _force(self, actor: Actor, command: Force) -> None:
        if "forced" in type(actor.settings).model_fields:  # other models have no such thing
            before, weight = actor.settings.forced.get(command.pose), command.weight  # type: ignore[attr-defined]
            if command.toggle and before is not None and weight is not None and (before > 0) == (weight > 0):
                weight = None
            value = forced_anew(actor.settings.forced, command.pose, weight)  # type: ignore[attr-defined]
            actor.settings = actor.settings.changed(forced=value)
            self.simulation._tuned[actor.name, "forced"] = value

    def recast(self, actor: Actor, body: Body, settings: Any) -> None:
        """Give an actor a body with other poses."""
        self.simulation.world.recast(actor, body, settings)
        self._bodies[actor.name] = body
        key = (actor.name, "forced")
        if key in self.simulation._tuned:
            self.simulation._tuned[key] = dict(settings.forced)
        own = self.simulation._own_settings
        own[actor.name] = that_fits(own[actor.name], body)
