"""A show being played: its world, what is held, what was tuned. Knows nothing of threads or pages."""

import zlib
from collections.abc import Hashable
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from pliant.models.settings import StiffnessOrYoung
from pliant.session.player.bars import Bar
from pliant.session.player.paint import images_of
from pliant.session.player.setup import pack_setup
from pliant.viewer.protocol.commands import (
    Command,
    Continue,
    Defaults,
    Drag,
    GoTo,
    Grab,
    Keep,
    Move,
    Redo,
    Release,
    Reset,
    Settle,
    Tune,
    Undo,
    Unpin,
    UseModel,
)
from pliant.viewer.protocol.group_commands import GroupCommand
from pliant.viewer.protocol.layers import Insight
from pliant.viewer.protocol.packing import camera_for, numbers_of, pack_frame
from pliant.viewer.protocol.studio_commands import CloseStudio, StudioCommand
from pliant.viewer.recording.playback import Playback
from pliant.viewer.recording.recorder import nearly
from pliant.viewer.simulation.comparison import Comparison
from pliant.viewer.simulation.continuing import go_on_from
from pliant.viewer.simulation.editor import Editor
from pliant.viewer.simulation.grip import Grip
from pliant.viewer.simulation.grouping import Grouping
from pliant.viewer.simulation.history import History, lasts
from pliant.viewer.simulation.model_change import UNDOES, ModelChange
from pliant.viewer.simulation.moments import Register, bars_shown
from pliant.viewer.simulation.opened import Opened, Tell, show_for
from pliant.viewer.simulation.origin import SessionOrigin
from pliant.viewer.simulation.studio import Studio
from pliant.viewer.simulation.towing import Tow, Towing
from pliant.world import Actor

if TYPE_CHECKING:
    from pliant.gallery.exhibit import Exhibit

STEP = 1 / 60  # seconds
MOST_HELD = 10  # grips of one page: the fingers of two hands


class Simulation:
    """`setup` describes what is drawn and stays the same for an `epoch`; `frame` gives a moment of it."""

    def __init__(self, exhibit: "Exhibit | Opened", progress: Tell | None = None) -> None:
        self.exhibit = exhibit
        self.progress = progress
        self.epoch, self.setup = 0, b""
        self.number = 0
        self._tuned: dict[tuple[str, str], Any] = {}  # (actor, field): value
        self.editor = Editor(self)
        self.model_change = ModelChange(self)
        self.grouping = Grouping(self)
        self.comparison = Comparison(self)
        self.playback = Playback(self.editor.recorder)
        self.insight = Insight()
        self.register: Register | None = None
        self.studio = Studio(self)
        self.history = History(self)
        self.reset()
        self.history.begin()

    def reset(self) -> None:
        """Build the world anew, with the settings as they were tuned."""
        self._labels: bytes | None = None
        self.show = show_for(self.exhibit, self.progress)
        self.world = self.show.world
        self.origin = SessionOrigin.of(self.exhibit, self.show)
        self.actors = self.world.actors  # in this order everywhere: the world may put them in another
        self.towing = Towing()
        self.editor.rebuild()
        self._own_settings = self.settings()
        self.model_change.rebuild()
        self.grouping.rebuild()
        self._held: dict[tuple[Hashable, int], Grip | Tow] = {}
        self.studio.close()
        for (name, field), value in self._tuned.items():
            if name in self._own_settings:  # the file may have been changed meanwhile
                self._set(name, field, value)
        self._camera = camera_for(self.world, self.show.camera)
        self.now = self._before = self.world.frame()
        self.comparison.reset()
        self._note_setup()
        self.editor.begin()

    def begin_again(self) -> None:
        """Reset, as a person asks for it: pins go, which can be taken back."""
        held = bool(self.editor.pins() or self.towing.goals())
        self.reset()
        if held:
            self.history.note(Reset())

    def step(self) -> None:
        """Go on by a 60th of a second."""
        self._before = self.now
        animate, substeps = self.show.animate, self.editor.conditions.substeps
        self.towing.step(self.world.time, STEP)
        if animate is None:
            self.world.step(STEP, substeps)
        else:
            for _ in range(substeps):
                animate(self.world.time)
                self.world.step(STEP / substeps, 1)
        self.now = self.world.frame()
        self.comparison.step()
        self.editor.note()

    def look(self) -> None:
        """Something was moved by hand: what is shown is where it is now."""
        self.now = self._before = self.world.frame()

    def frame(self, part: float = 1.0) -> bytes:
        """A moment between the last two steps (0: the one before, 1: the last), for a gliding slow motion."""
        self.number += 1
        time = self._before.time + part * (self.now.time - self._before.time)
        rows = self.comparison.rows(part)
        rotations = self.comparison.rotations(part)
        self.insight.note(self._sides, rows, rotations, time, self.weights_of)
        known = self.editor.moment  # its numbers are those of now, and need not be found again
        numbers = numbers_of(self.comparison.frames(), self._sides) if known is None else known.numbers
        return pack_frame(self._sides, rows, rotations, self.epoch, self.number, time, numbers)

    def weights_of(self, actor: Actor) -> NDArray[np.float64]:
        """The weights (groups, 1 + poses) of an actor of either copy, in the last step."""
        second = self.comparison.second
        shown = self.now if second is None or actor.world is self.world else second.now
        return shown.weights[actor.name]

    def rows(self, part: float = 1.0) -> NDArray[np.float32]:
        """The particles (P, 4) at a moment between the last two steps; of the body in the studio, as it is drawn."""
        if self.studio.state is not None:
            return self.studio.drawn(self.now.particle_rows)
        if part >= 1.0:
            return self.now.particle_rows
        before = self._before.particle_rows
        return before + np.float32(part) * (self.now.particle_rows - before)

    def rotations(self, part: float = 1.0) -> NDArray[np.float32]:
        """The rotations (T, 4) of the particles that turn, at such a moment."""
        now = self.now.rotation_rows
        if self.studio.state is not None:
            return self.studio.turned(now)
        return now if part >= 1.0 else nearly(self._before.rotation_rows, now, part)

    def apply(self, command: Command, owner: Hashable = None) -> None:
        """Do what a page asks; handles belong to the page that made them. What can be taken back is noted."""
        noted = lasts(command) and not self.history.stopped
        moves = noted and isinstance(command, Settle | Continue)
        before = tuple(world.snapshot() for world in self.comparison.worlds()) if moves else ()
        pins = self.editor.pins()
        self._obey(command, owner)
        if noted and not (isinstance(command, Keep | Unpin) and pins == self.editor.pins()):
            self.history.note(command, before)

    def _obey(self, command: Command, owner: Hashable) -> None:
        self.editor.moment = self._labels = None
        if self.comparison.takes(command, owner):
            self._note_setup()
            return
        match command:
            case Grab():
                if not self.studio.takes(command, owner):
                    self._grab(command, owner)
            case Move() | Release() | Keep() | Unpin() if self.studio.takes(command, owner):
                pass
            case Undo() | Redo() | GoTo():
                near = self.history.place + (1 if isinstance(command, Redo) else -1)
                if self.history.go_to(command.step if isinstance(command, GoTo) else near):
                    self.look()
                    self._note_setup()
            case Continue():
                go_on_from(self)
                self._note_setup()
            case StudioCommand() | CloseStudio():
                self.studio.apply(command)
                self._note_setup()
            case Drag(handle=number, collider=collider, target=target):
                self._release(owner, number)
                if self._hands_of(owner) < MOST_HELD:
                    self._held[owner, number] = self.towing.take(self.world, collider, target)
            case Move(handle=number, target=target):
                if grip := self._held.get((owner, number)):
                    grip.move_to(target)
            case Release(handle=number):
                self._release(owner, number)
                if number is None and self.grouping.finish():
                    self._note_setup()
            case Tune(actor=name, field=field, value=value):
                self._tune(name, field, value)
            case GroupCommand(second=second):
                side = self.comparison.second if second else self
                if side is not None and side.grouping.apply(command):
                    self._note_setup()
            case UseModel(actor=name, model=model):
                self.model_change.use(name, model)
                self._note_setup()
            case Keep() | Unpin():
                self.editor.apply(command, owner)
            case Defaults():
                self._tuned.clear()
                self.model_change.restore()
                self.editor.restore_conditions()
                self._note_setup()
            case _:
                self.editor.apply(command, owner)
                self._note_setup()

    def changes(self) -> tuple[dict[Any, Any], ...]:
        """All that people have changed and that outlives a reset."""
        return self._tuned, self.model_change.chosen, self.model_change.put_away, *self.editor.changes()

    def labels(self) -> bytes:
        """The group of each particle, in the order of the frame; the same object until one of them changes."""
        if self._labels is None:
            second = self.comparison.second
            mine = self.grouping.labels(self.actors)
            self._labels = mine if second is None else mine + second.grouping.labels(second.actors)
        return self._labels

    def bars(self) -> tuple[Bar, ...]:
        """All bars that are shown, in the order of their numbers in a frame."""
        return bars_shown(self._sides)

    @property
    def sleepers(self) -> int:
        """How many bodies have come to rest and wait for something that wakes them."""
        return sum(actor.asleep for actor in self.actors)

    def settings(self) -> dict[str, Any]:
        """The settings of each actor."""
        return {actor.name: actor.settings for actor in self.actors}

    def _grab(self, command: Grab, owner: Hashable) -> None:
        self._release(owner, command.handle)
        if self._hands_of(owner) >= MOST_HELD:
            return
        grip = Grip(self.world[command.actor], command.vertex)
        grip.move_to(command.target)
        self._held[owner, command.handle] = grip

    def _hands_of(self, owner: Hashable) -> int:
        return sum(1 for who, _ in self._held if who == owner)

    def _release(self, owner: Hashable, number: int | None) -> None:
        for key in [(who, n) for who, n in self._held if who == owner and number in (None, n)]:
            held = self._held.pop(key)
            held.release()
            if isinstance(held, Tow) and held.moved:
                self.history.note(Drag(handle=0, collider=0, target=(0.0, 0.0, 0.0)))

    def _tune(self, name: str | None, field: str, value: Any) -> None:
        names = [actor.name for actor in self.actors] if name is None else [name]
        for each in names:
            self._set(each, field, value)
            self._tuned[each, field] = value
            if isinstance(self.world[each].settings, StiffnessOrYoung) and field in UNDOES:
                self._tuned.pop((each, UNDOES[field]), None)
        self._note_setup()

    def _set(self, name: str, field: str, value: Any) -> None:
        actor = self.world[name]
        if field in type(actor.settings).model_fields:  # actors of other models have other fields
            values = {field: value}
            own = self._own_settings.get(name)
            if field == "young" and value is None and type(own) is type(actor.settings):
                values |= own.model_dump(include={"stiffness"})  # as the show has it
            actor.settings = actor.settings.changed(**values)

    def _note_setup(self) -> None:
        """A new epoch begins only where something is drawn differently."""
        before, self.now = self.now, self.world.frame()  # groups and poses may be others
        rows = [(len(each.particle_rows), len(each.rotation_rows)) for each in (before, self.now)]
        if rows[0] != rows[1]:  # a model that has other particles
            self._before = self.now
            self._held.clear()  # the world has let go of what was held by those that are no more
            self.editor.apply(Unpin(pin=None), None)
        self.studio.check()
        self._sides = self.comparison.sides()
        if self.playback.recorder is self.editor.recorder:  # a second copy is in the recording of the first
            self.playback.actors = [actor for side in self._sides for actor in side.actors]
        self.images = images_of(actor.body.skin for actor in self.actors)
        setup = pack_setup(self._sides, self._camera)
        if setup != self.setup:
            self.setup, self.epoch = setup, zlib.crc32(setup)
