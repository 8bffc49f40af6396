"""What a page may ask of the studio, in which time stands still and poses are made."""

from collections.abc import Mapping
from typing import Annotated, Literal, TypeAlias

from pydantic import Field

from pliant.viewer.protocol.message import FARTHEST_PULL, Message, Name, Number, Point, PoseName

Formula = Literal["twist", "bend", "s_curve", "squash", "stretch", "bulge", "dent", "shear"]
Axis = Literal["x", "y", "z"]
BrushTool = Literal["move", "inflate", "deflate", "smooth", "relax"]
Share = Annotated[float, Field(ge=0, le=1)]


class StudioCommand(Message):
    """About the body in the hand."""

    actor: Name


class OpenStudio(StudioCommand):
    """Stop time and take a body in hand: at rest, or in one of its poses, which is changed then."""

    do: Literal["open studio"] = "open studio"
    pose: Name | None = None


class CloseStudio(Message):
    """Let time go on where it stood."""

    do: Literal["close studio"] = "close studio"


class RestDraft(StudioCommand):
    """Begin a new pose, from the body at rest."""

    do: Literal["rest draft"] = "rest draft"


class ReadyPose(StudioCommand):
    """A pose by formula on top of the shape there is, in place of the last one that was tried. numbers: those of the
    formula, by its own names. axis, toward: of the body; None is the formula's own choice. vertex: of the skin, where
    the place of a bulge or a dent is."""

    do: Literal["ready pose"] = "ready pose"
    formula: Formula
    numbers: Mapping[str, float] = {}
    axis: Axis | None = None
    toward: Axis | None = None
    vertex: Number | None = None


class FixDraft(StudioCommand):
    """Keep what a formula did, so that the next one comes on top of it."""

    do: Literal["fix draft"] = "fix draft"


class MirrorDraft(StudioCommand):
    """Left and right exchanged, or one of them made like the other."""

    do: Literal["mirror draft"] = "mirror draft"
    how: Literal["flip", "left", "right"] = "flip"


class BlendDraft(StudioCommand):
    """The shape between the poses that the body has; weights are brought down to one together."""

    do: Literal["blend draft"] = "blend draft"
    weights: Mapping[str, Share]


class DraftFrom(StudioCommand):
    """The shape that a file of the same mesh shows."""

    do: Literal["draft from"] = "draft from"
    path: Annotated[str, Field(max_length=4000)]


class BrushDraft(StudioCommand):
    """A dab on a vertex of the skin, that reaches so far (m) over the body as it is drawn. drag: how far the pointer
    has gone since the last dab (m), for `move`. strength: 0 to 1. ends: the stroke is over with it."""

    do: Literal["brush"] = "brush"
    tool: BrushTool
    vertex: Number
    radius: Annotated[float, Field(gt=0, le=FARTHEST_PULL)]
    drag: Point = (0.0, 0.0, 0.0)
    strength: Share = 0.5
    ends: bool = False


class StudioPull(StudioCommand):
    """A pull in the studio has ended (it is a handle as any other: `Grab`)."""

    do: Literal["studio pull"] = "studio pull"


class KeepDraft(StudioCommand):
    """Make the draft a pose; in place of the pose `instead`, if that is given."""

    do: Literal["keep draft"] = "keep draft"
    name: PoseName
    instead: Name | None = None


Studio: TypeAlias = (
    OpenStudio | CloseStudio | RestDraft | ReadyPose | FixDraft | MirrorDraft | BlendDraft | DraftFrom | BrushDraft
    | StudioPull | KeepDraft
)  # fmt: skip
