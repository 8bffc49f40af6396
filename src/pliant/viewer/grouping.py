"""Groups of particles that find their weights by themselves: painted, boxed or split while the body moves."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from pliant.body import Body
from pliant.geometry.boundary import boundary_triangles
from pliant.graph import Graph
from pliant.runtime.errors import SettingsError
from pliant.viewer.controls import offers
from pliant.viewer.group_commands import (
    AddGroup,
    DeleteGroup,
    Enclose,
    Grouped,
    Paint,
    Painted,
    RenameGroup,
    Share,
    SplitGroups,
    UndoPaint,
)
from pliant.viewer.heat import particles_in
from pliant.world import Actor

if TYPE_CHECKING:
    from pliant.viewer.simulation import Simulation

Labels = NDArray[np.int16]

NONE = -1  # in no group: such a particle has no examples
MOST_GROUPS = 8  # that a page has colours and room for
MOST_UNDO = 50  # strokes
FEW = 0.02  # of the particles: a half with fewer is none


@dataclass(frozen=True, eq=False)
class Draft:
    """Groups as they are being painted: names, and for each particle the number of its group, or NONE. Some groups may
    be empty still."""

    names: tuple[str, ...]
    labels: Labels

    @property
    def counts(self) -> tuple[int, ...]:
        return tuple(int((self.labels == number).sum()) for number in range(len(self.names)))

    def examples(self) -> "dict[str, tuple[int, ...]] | str":
        """What the settings of a model take: groups that have someone in them; all together if none has. They are
        tuples, since settings are compared."""
        found = {name: tuple(np.flatnonzero(self.labels == n).tolist()) for n, name in enumerate(self.names)}
        return {name: members for name, members in found.items() if members} or "global"

    def painted(self, particles: NDArray[Any], group: int | None) -> "Draft":
        labels = self.labels.copy()
        labels[particles] = NONE if group is None else group
        return replace(self, labels=labels)


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

    draft: Draft
    told: Any = None  # the groups that the settings got from it
    past: list[Draft] = field(default_factory=list)
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
            draft = _changed(own.draft, command, actor)
            if draft is None:
                return False
            if not own.stroke:
                own.past = [*own.past, own.draft][-MOST_UNDO:] if not isinstance(command, Share) else own.past
            own.draft = draft
        if isinstance(command, Paint):
            own.stroke = True
            return False
        own.stroke = False
        self._tell(actor, own, own.draft.examples())
        return True

    def finish(self) -> bool:
        """End all strokes: the page that made one may have gone. Whether there were any."""
        ended = [self._end_stroke(self.simulation.world[name], own) for name, own in self._own.items()]
        return any(ended)

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
        empty = own is not None and own.chosen and not any(counts)  # somebody has just begun
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
            own = self._own[actor.name] = _Own(Draft((), np.full(len(actor.body.rest), NONE, np.int16)))
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


def _changed(draft: Draft, command: Grouped, actor: Actor) -> Draft | None:
    """The draft after a command; None if it changes nothing."""
    match command:
        case Share():
            return draft if any(draft.counts) else split(actor.body)
        case SplitGroups():
            return split(actor.body)
        case AddGroup(name=name):
            _check_name(draft, name.strip())
            if len(draft.names) >= MOST_GROUPS:
                raise SettingsError(f"there are {MOST_GROUPS} groups already; delete one first")
            return replace(draft, names=(*draft.names, name.strip()))
        case RenameGroup(group=group, name=name):
            _check_number(draft, group)
            if draft.names[group] == name.strip():
                return None
            _check_name(draft, name.strip())
            return replace(draft, names=(*draft.names[:group], name.strip(), *draft.names[group + 1 :]))
        case DeleteGroup(group=group):
            _check_number(draft, group)
            labels = np.where(draft.labels == group, NONE, draft.labels - (draft.labels > group)).astype(np.int16)
            return Draft((*draft.names[:group], *draft.names[group + 1 :]), labels)
        case Paint(vertex=vertex, radius=radius, group=group):
            _check_number(draft, group)
            return draft.painted(brushed(actor.body, vertex, radius), group)
        case Enclose(view=view, low=low, high=high, group=group):
            _check_number(draft, group)
            inside = enclosed(np.asarray(actor.positions, np.float64), np.array(view).reshape(4, 4).T, low, high)
            return draft.painted(inside, group) if inside.any() else None
    return None


def _check_number(draft: Draft, group: int | None) -> None:
    if group is not None and group >= len(draft.names):
        raise SettingsError("there is no such group any more; choose another")


def _check_name(draft: Draft, name: str) -> None:
    if not name or not name.isprintable():
        raise SettingsError("a group needs a name; type one")
    if name in draft.names:
        raise SettingsError(f'there is a group "{name}" already; give it another name')


def draft_of(body: Body, examples: Mapping[str, Any]) -> Draft:
    """Groups as settings have them."""
    labels = np.full(len(body.rest), NONE, np.int16)
    for number, chosen in enumerate(examples.values()):
        labels[particles_in(body, chosen)] = number
    return Draft(tuple(map(str, examples)), labels)


def split(body: Body) -> Draft:
    """Left and right of the plane x = 0 of the rest shape, or of its centre where that plane misses the body.

    >>> import pliant
    >>> split(pliant.shapes.cuboid(cells=(1, 1, 1))).counts
    (4, 4)
    """
    x = body.rest[:, 0].round(9)
    if min((x < 0).mean(), (x > 0).mean()) < FEW:
        x = (x - body.masses @ x / body.mass).round(9)
    return Draft(("left", "right"), (x >= 0).astype(np.int16))


def brushed(body: Body, vertex: int, radius: float) -> NDArray[np.int64]:
    """The particles that a brush on a vertex of the skin touches: those at most `radius` metres from it at rest, at
    least one; and below those of the surface whatever is nearest to them. What touches the brush only because the
    body is bent is left alone."""
    if vertex >= len(body.skin.vertices):
        raise SettingsError("there is no such point on the skin any more; paint again")
    distance = np.linalg.norm(body.rest - body.skin.vertices[vertex], axis=1)
    touched = distance <= max(radius, float(distance.min()))
    return np.flatnonzero(touched | touched[_covers(body)])


_covered: "WeakKeyDictionary[Body, NDArray[np.int64]]" = WeakKeyDictionary()


def _covers(body: Body) -> NDArray[np.int64]:
    """(V,): for each particle the nearest one of the surface, itself if it is there."""
    if body not in _covered:
        from scipy.spatial import cKDTree

        outside = np.unique(boundary_triangles(body.elements)) if body.kind == "solid" else np.arange(len(body.rest))
        nearest = outside[cKDTree(body.rest[outside]).query(body.rest)[1]]
        nearest[outside] = outside
        _covered[body] = nearest
    return _covered[body]


def enclosed(
    positions: NDArray[np.float64], view: NDArray[np.float64], low: Sequence[float], high: Sequence[float]
) -> NDArray[np.bool_]:
    """Which points a camera sees in a box of its picture, whatever is before them. view: the 4x4 matrix to clip space;
    low, high: corners of the box, from -1 to 1."""
    seen = np.column_stack([positions, np.ones(len(positions))]) @ view.T
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        place = seen[:, :2] / seen[:, 3:]
    inside: NDArray[np.bool_] = (seen[:, 3] > 0) & (place >= low).all(axis=1) & (place <= high).all(axis=1)
    return inside
