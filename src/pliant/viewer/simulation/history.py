"""What people did, step by step: to take back, to do again, and to go to any step of it."""

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from pliant.viewer.protocol.commands import (
    AddPose,
    Arrange,
    Balance,
    Command,
    Compare,
    Continue,
    Defaults,
    DeletePose,
    Force,
    Keep,
    MendPose,
    OnSecond,
    RenamePose,
    Settle,
    Tune,
    Unpin,
    UseModel,
)
from pliant.viewer.protocol.group_commands import (
    AddGroup,
    DeleteGroup,
    Enclose,
    Painted,
    RenameGroup,
    Share,
    SplitGroups,
    UndoPaint,
)
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
)
from pliant.viewer.simulation.edits import Edits, bring_back, edits_of
from pliant.viewer.simulation.said import said, subject

if TYPE_CHECKING:
    from pliant.viewer.simulation.simulation import Simulation
    from pliant.world.snapshot import Snapshot

MOST_STEPS = 200
MOST_MOMENTS = 4  # worlds that are kept with them
ONE_GESTURE = 1.5  # s: the same thing changed again so soon is one step, such as a slider that is dragged


@dataclass(frozen=True, eq=False)
class Step:
    """One thing that was done.  edits: after it.  subject: what it was done to.  before: the world just before, where
    taking it back is to move bodies back, too."""

    label: str
    subject: str
    edits: Edits
    time: float  # s, of the clock
    before: "tuple[Snapshot, ...]" = ()


UNDOABLE = (
    AddGroup, AddPose, Arrange, Balance, BlendDraft, CloseStudio, Compare, Continue, Defaults, DeleteGroup, DeletePose,
    DraftFrom, Enclose, FixDraft, Force, Keep, KeepDraft, MendPose, MirrorDraft, OpenStudio, Painted, ReadyPose,
    RenameGroup, RenamePose, RestDraft, Settle, Share, SplitGroups, Tune, UndoPaint, Unpin,
    UseModel,
)  # fmt: skip


def lasts(command: Command) -> bool:
    """Whether a command can be taken back: it changes what people make, not only what they look at.

    >>> lasts(Arrange(field="gravity", value=1.62)), lasts(OnSecond(command=Settle(actor="bar")))
    (True, True)
    """
    if isinstance(command, OnSecond):
        return lasts(command.command)
    if isinstance(command, BrushDraft):
        return command.ends
    return isinstance(command, UNDOABLE)


class History:
    """Belongs to the first of the copies that are compared. `steps[0]` is how all began; `place` is where we are."""

    def __init__(self, simulation: "Simulation", clock: Callable[[], float] = time.monotonic) -> None:
        self.simulation, self._clock = simulation, clock
        self.steps: tuple[Step, ...] = ()  # replaced whole: panels read it
        self.labels: tuple[str, ...] = ()  # the same object until something is done
        self.place = 0
        self.stopped = False

    def begin(self) -> None:
        """Nothing has been done yet."""
        if self.stopped:
            return
        self.steps, self.place = (Step("As it began", "", edits_of(self.simulation), self._clock()),), 0
        self.labels = tuple(step.label for step in self.steps)

    def note(self, command: Command, before: "tuple[Snapshot, ...]" = ()) -> None:
        """A command was obeyed that can be taken back. What had been taken back cannot be done again then."""
        if self.stopped or not self.steps:
            return
        now, what = self._clock(), subject(command)
        steps = self.steps[: self.place + 1]
        last = steps[-1]
        if what and what == last.subject and now - last.time < ONE_GESTURE and self.place:
            steps, before = steps[:-1], last.before
        moved = [number for number, step in enumerate(steps) if step.before][: -MOST_MOMENTS + 1]
        steps = tuple(replace(step, before=()) if number in moved else step for number, step in enumerate(steps))
        steps = (*steps, Step(said(command), what, edits_of(self.simulation), now, before))
        self.steps = steps[-MOST_STEPS:]
        self.labels = tuple(step.label for step in self.steps)
        self.place = len(self.steps) - 1

    def stop(self) -> None:
        """Keep nothing: the history of the first copy has what is done to both."""
        self.stopped, self.steps = True, ()

    def go_to(self, place: int) -> bool:
        """Be at a step, by its number. Whether that is another than where we were; one that was stopped has none."""
        if self.stopped or not self.steps:
            return False
        place = min(max(place, 0), len(self.steps) - 1)
        if place == self.place:
            return False
        for number in range(self.place, place, -1):
            if self.steps[number].before:
                bring_back(self.simulation, self.steps[number - 1].edits)
                self._move_back(self.steps[number].before)
        bring_back(self.simulation, self.steps[place].edits)
        self.place = place
        return True

    def _move_back(self, before: "tuple[Snapshot, ...]") -> None:
        """Bodies are where they were, unless all has begun anew since."""
        worlds = self.simulation.comparison.worlds()
        if len(worlds) == len(before) and all(
            world.actors == tuple(actor for actor, *_ in snapshot.actors)
            for world, snapshot in zip(worlds, before, strict=True)
        ):
            for world, snapshot in zip(worlds, before, strict=True):
                world.restore(snapshot)
            self.simulation.look()
            self.simulation.editor.begin()  # what was recorded lies ahead, or behind

