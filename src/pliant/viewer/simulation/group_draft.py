"""Groups of particles as they are being drawn: painted with a brush, enclosed in a box, split in halves."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from pliant.body import Body
from pliant.geometry.boundary import boundary_triangles
from pliant.runtime.errors import SettingsError
from pliant.viewer.protocol.group_commands import (
    AddGroup,
    DeleteGroup,
    Enclose,
    Grouped,
    PaintGroup,
    RenameGroup,
    Share,
    SplitGroups,
)
from pliant.viewer.protocol.heat import particles_in
from pliant.world import Actor

Labels = NDArray[np.int16]

NONE = -1  # in no group: such a particle has no examples
SHOWN_GROUPS = 8  # that a page has colours and room for
LEAST_HALF = 0.02  # of the particles: a half with fewer is none


@dataclass(frozen=True, eq=False)
class GroupDraft:
    """Groups as they are being painted: names, and for each particle the number of its group, or NONE. Some groups may
    be empty still."""

    names: tuple[str, ...]
    labels: Labels

    @property
    def counts(self) -> tuple[int, ...]:
        return tuple(int((self.labels == number).sum()) for number in range(len(self.names)))

    def examples(self) -> "dict[str, tuple[int, ...]] | str":
        """What the settings of a model take: groups that have particles; all together if none has. They are
        tuples, since settings are compared."""
        found = {name: tuple(np.flatnonzero(self.labels == n).tolist()) for n, name in enumerate(self.names)}
        return {name: members for name, members in found.items() if members} or "global"

    def painted(self, particles: NDArray[Any], group: int | None) -> "GroupDraft":
        labels = self.labels.copy()
        labels[particles] = NONE if group is None else group
        return replace(self, labels=labels)


def changed(draft: GroupDraft, command: Grouped, actor: Actor) -> GroupDraft | None:
    """The draft after a command; None if it changes nothing."""
    match command:
        case Share():
            return draft if any(draft.counts) else split(actor.body)
        case SplitGroups():
            return split(actor.body)
        case AddGroup(name=name):
            _check_name(draft, name.strip())
            if len(draft.names) >= SHOWN_GROUPS:
                raise SettingsError(f"there are {SHOWN_GROUPS} groups already; delete one first")
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
            return GroupDraft((*draft.names[:group], *draft.names[group + 1 :]), labels)
        case PaintGroup(vertex=vertex, radius=radius, group=group):
            _check_number(draft, group)
            return draft.painted(brushed(actor.body, vertex, radius), group)
        case Enclose(view=view, low=low, high=high, group=group):
            _check_number(draft, group)
            inside = enclosed(np.asarray(actor.positions, np.float64), np.array(view).reshape(4, 4).T, low, high)
            return draft.painted(inside, group) if inside.any() else None
    return None


def _check_number(draft: GroupDraft, group: int | None) -> None:
    if group is not None and group >= len(draft.names):
        raise SettingsError("there is no such group any more; choose another")


def _check_name(draft: GroupDraft, name: str) -> None:
    if not name or not name.isprintable():
        raise SettingsError("a group needs a name; type one")
    if name in draft.names:
        raise SettingsError(f'there is a group "{name}" already; give it another name')


def draft_of(body: Body, examples: Mapping[str, Any]) -> GroupDraft:
    """Groups as settings have them."""
    labels = np.full(len(body.rest), NONE, np.int16)
    for number, chosen in enumerate(examples.values()):
        labels[particles_in(body, chosen)] = number
    return GroupDraft(tuple(map(str, examples)), labels)


def split(body: Body) -> GroupDraft:
    """Left and right of the plane x = 0 of the rest shape, or of its centre where that plane misses the body.

    >>> import pliant
    >>> split(pliant.shapes.cuboid(cells=(1, 1, 1))).counts
    (4, 4)
    """
    x = body.rest[:, 0].round(9)
    if min((x < 0).mean(), (x > 0).mean()) < LEAST_HALF:
        x = (x - body.masses @ x / body.mass).round(9)
    return GroupDraft(("left", "right"), (x >= 0).astype(np.int16))


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
