"""What a page may ask about the groups of an actor: particles that share the weights of the examples."""

from typing import Annotated, Literal, TypeAlias

from pydantic import Field

from pliant.viewer.protocol.message import FARTHEST_PULL, Message, Name, Number, PoseName

Group = Annotated[int, Field(ge=0, lt=100)]
GroupName = PoseName
Entry = Annotated[float, Field(ge=-1e9, le=1e9)]
Corner = tuple[Annotated[float, Field(ge=-1e3, le=1e3)], Annotated[float, Field(ge=-1e3, le=1e3)]]


class GroupCommand(Message):
    """About one actor; where two copies are compared, of the first or the second."""

    actor: Name
    second: bool = False


class Share(GroupCommand):
    """Who shares weights: all particles, none, or those of a group. The groups are as they were painted last; left and
    right where nothing is painted."""

    do: Literal["share"] = "share"
    mode: Literal["global", "regions", "groups"]


class AddGroup(GroupCommand):
    """One more group, empty until it is painted."""

    do: Literal["add group"] = "add group"
    name: GroupName


class RenameGroup(GroupCommand):
    """Call a group something else; groups go by number from 0."""

    do: Literal["rename group"] = "rename group"
    group: Group
    name: GroupName


class DeleteGroup(GroupCommand):
    """Take a group away; its particles are in none then."""

    do: Literal["delete group"] = "delete group"
    group: Group


class SplitGroups(GroupCommand):
    """Two groups in place of all others: left and right."""

    do: Literal["split groups"] = "split groups"


class PaintGroup(GroupCommand):
    """Put what is within a radius (m) of a vertex of the skin, at rest, into a group; None takes it out of all."""

    do: Literal["paint"] = "paint"
    vertex: Number
    radius: Annotated[float, Field(ge=0, le=FARTHEST_PULL)]
    group: Group | None


class Painted(GroupCommand):
    """A stroke of the brush has ended."""

    do: Literal["painted"] = "painted"


class Enclose(GroupCommand):
    """Put all that is seen in a box of the picture into a group. view: the matrix to clip space, column by column;
    low, high: corners of the box, from -1 to 1."""

    do: Literal["enclose"] = "enclose"
    view: Annotated[tuple[Entry, ...], Field(min_length=16, max_length=16)]
    low: Corner
    high: Corner
    group: Group | None


class UndoPaint(GroupCommand):
    """As the groups were before the last stroke, box or change of the list."""

    do: Literal["undo paint"] = "undo paint"


Grouped: TypeAlias = (
    Share | AddGroup | RenameGroup | DeleteGroup | SplitGroups | PaintGroup | Painted | Enclose | UndoPaint
)
