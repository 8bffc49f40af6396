"""Groups of particles that find their weights by themselves: painted, boxed or split while the body moves."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from pliant.graph import Graph
from pliant.runtime.errors import SettingsError
from pliant.viewer.protocol.group_commands import (
    Grouped,
    Painted,
    PaintGroup,
    Share,
    UndoPaint,
)
from pliant.viewer.simulation.choices import offers
from pliant.viewer.simulation.group_draft import NONE, GroupDraft, changed, draft_of
from pliant.world import Actor

if TYPE_CHECKING:
    from pliant.viewer.simulation.simulation import Simulation

MOST_UNDO = 50  # strokes


@dataclass(frozen=True)
class GroupsShown:
    """What a panel shows of an actor. mode: "global", "regions" or "groups"; None where its model has no groups."""

    mode: str | None = None
    names: tuple[str, ...] = ()
    counts: tuple[int, ...] = ()
    without: int = 0  # particles in no group
    undo: bool = False
    regions: bool = True  # its model can give each particle weights of its own


@dataclass(eq=False)
class _Own:
    """What is known of an actor's groups."""

    draft: GroupDraft
    told: Any = None  # the groups that the settings got from it
    past: list[GroupDraft] = field(default_factory=list)
    stroke: bool = False  # under way: the settings do not have it yet
    chosen: bool = False  # rather than one for all or each by itself


class Grouping:
    """Belongs to a simulation. Groups outlive a reset: the settings are tuned with them."""

    def __init__(self, simulation: "Simulation") -> None:
        self.simulation = simulation
        self._own: dict[str, _Own] = {}

    def apply(self, command: Grouped) -> bool:
        """Do what a page asks. Whether settings have changed: a stroke changes them when it ends."""
        actor = self.simulation.world[command.actor]
        if "examples" not in type(actor.settings).model_fields:
            raise SettingsError(f'"{actor.name}": its model has no groups; use shape matching')
        own = self._of(actor)
        own.chosen = not isinstance(command, Share) or command.mode == "groups"
        if isinstance(command, Share) and command.mode != "groups":
            own.stroke = False
            self._tell(actor, own, command.mode)
            return True
        if isinstance(command, Painted):
            return self._end_stroke(actor, own)
        if isinstance(command, UndoPaint):
            if own.past:
                own.draft = own.past.pop()
        else:
            draft = changed(own.draft, command, actor)
            if draft is None:
                return False
            if not own.stroke:
                own.past = [*own.past, own.draft][-MOST_UNDO:] if not isinstance(command, Share) else own.past
            own.draft = draft
        if isinstance(command, PaintGroup):
            own.stroke = True
            return False
        own.stroke = False
        self._tell(actor, own, own.draft.examples())
        return True

    def finish(self) -> bool:
        """End all strokes: the page that made one may have gone. Whether there were any."""
        ended = [self._end_stroke(self.simulation.world[name], own) for name, own in self._own.items()]
        return any(ended)

    def kept(self) -> "dict[str, _Own]":
        """What is known of all groups, to bring back."""
        return {name: replace(own, past=list(own.past)) for name, own in self._own.items()}

    def bring_back(self, kept: "Mapping[str, _Own]") -> None:
        """As it was then; settings have the groups already."""
        self._own = {name: replace(own, past=list(own.past), stroke=False) for name, own in kept.items()}

    def rebuild(self) -> None:
        """There is a new world: forget the actors that are not in it, or are others."""
        sizes = {actor.name: len(actor.body.rest) for actor in self.simulation.actors}
        for name, own in list(self._own.items()):
            own.stroke = False
            if sizes.get(name) != len(own.draft.labels):
                del self._own[name]

    def shown(self, actor: Actor) -> GroupsShown:
        """As the panel shows it."""
        examples = getattr(actor.settings, "examples", None)
        if examples is None:
            return GroupsShown()
        own = self._known(actor)
        names: tuple[str, ...] = () if own is None else own.draft.names
        counts: tuple[int, ...] = () if own is None else own.draft.counts
        without = 0 if own is None else int((own.draft.labels == NONE).sum())
        empty = own is not None and own.chosen and not any(counts)  # painting has just begun
        drawn = isinstance(examples, Mapping) or (own is not None and own.stroke) or (empty and examples == "global")
        mode = "groups" if drawn else str(examples)
        undo = own is not None and bool(own.past)
        return GroupsShown(mode, names, counts, without, undo, offers(type(actor.settings), "examples", "regions"))

    def labels(self, actors: Sequence[Actor]) -> bytes:
        """A byte for each particle: the number of its group, 255 for none."""
        parts = []
        for actor in actors:
            own = self._known(actor)
            parts.append(np.full(len(actor.body.rest), NONE, np.int16) if own is None else own.draft.labels)
        return np.concatenate(parts or [np.empty(0, np.int16)]).astype(np.uint8).tobytes()

    def _of(self, actor: Actor) -> _Own:
        """What is known of its groups; a first draft where nothing is."""
        own = self._known(actor)
        if own is None:
            own = self._own[actor.name] = _Own(GroupDraft((), np.full(len(actor.body.rest), NONE, np.int16)))
        return own

    def _known(self, actor: Actor) -> _Own | None:
        """Groups that came from elsewhere, such as the exhibit, replace those that were painted."""
        examples = getattr(actor.settings, "examples", None)
        own = self._own.get(actor.name)
        if isinstance(examples, Mapping) and (own is None or not (own.stroke or own.told is examples)):
            if own is None or not _same(examples, own.told):
                own = self._own[actor.name] = _Own(draft_of(actor.body, examples))
            own.told = examples
        return own

    def _end_stroke(self, actor: Actor, own: _Own) -> bool:
        if own.stroke:
            own.stroke = False
            self._tell(actor, own, own.draft.examples())
            return True
        return False

    def _tell(self, actor: Actor, own: _Own, examples: Any) -> None:
        if isinstance(examples, Mapping) and isinstance(actor.body, Graph):
            examples = {name: tuple(actor.body.of_source(chosen).tolist()) for name, chosen in examples.items()}
        actor.settings = actor.settings.changed(examples=examples)
        self.simulation._tuned[actor.name, "examples"] = examples
        if not isinstance(examples, str):
            own.told = actor.settings.examples  # type: ignore[attr-defined]


def _same(one: Any, other: Any) -> bool:
    """Whether two mappings have the same groups: a copy of settings has a copy of them."""
    if not isinstance(one, Mapping) or not isinstance(other, Mapping) or list(one) != list(other):
        return False
    return all(one[name] is other[name] or bool(np.array_equal(one[name], other[name])) for name in one)
