"""What a page may ask of a simulation: small frozen records, checked before they are acted on."""

from typing import Annotated, Any, Literal, TypeAlias

from pydantic import Field, TypeAdapter, ValidationError

from pliant.viewer.protocol.group_commands import Enclose, Grouped, Painted, PaintGroup
from pliant.viewer.protocol.message import Coordinate, Message, Name, Number, Point, PoseName
from pliant.viewer.protocol.studio_commands import BrushDraft, CloseStudio, Studio

LONGEST_MESSAGE = 2000  # characters of a message
FIRST, SECOND = "A", "B"  # two copies that are compared


class Play(Message):
    """Let time run, stop it, or the other of the two."""

    do: Literal["play"] = "play"
    on: bool | None = None


class Step(Message):
    """Stop, and go on by one step."""

    do: Literal["step"] = "step"


class Reset(Message):
    """Begin anew; what was tuned stays tuned."""

    do: Literal["reset"] = "reset"


class Grab(Message):
    """Take hold of a vertex of an actor's skin; `handle` is the page's own name for what it holds."""

    do: Literal["grab"] = "grab"
    handle: Number
    actor: Name
    vertex: Number
    target: Point


class Drag(Message):
    """Take hold of an obstacle, the `collider`-th of its world, at a point; then it is a handle as any other."""

    do: Literal["drag"] = "drag"
    handle: Number
    collider: Number
    target: Point


class Move(Message):
    """Pull a handle to a point (metres)."""

    do: Literal["move"] = "move"
    handle: Number
    target: Point


class Release(Message):
    """Let go of a handle, or of all that this page holds."""

    do: Literal["release"] = "release"
    handle: Number | None = None


class Credit(Message):
    """The page has drawn so many frames and can take as many again."""

    do: Literal["credit"] = "credit"
    frames: Annotated[int, Field(ge=1, le=4)] = 1


class ShowLayers(Message):
    """What a page wants to have on top of particles, to see inside (layers.py): a heat map, of a pose where it takes
    one (None: the nearest for a distance, the rest for weights); contacts; rotations of particles; bodies, once."""

    do: Literal["layers"] = "layers"
    heat: Literal["stretch", "weights", "groups", "distance"] | None = None
    pose: Name | None = None
    contacts: bool = False
    rotations: bool = False
    bodies: bool = False


class Speed(Message):
    """Seconds of the world in a second of the clock."""

    do: Literal["speed"] = "speed"
    factor: Annotated[float, Field(ge=0.01, le=1.0)]


class Follow(Message):
    """The page has a timeline: tell it of the recording."""

    do: Literal["follow"] = "follow"


class Seek(Message):
    """Stop, and show the recorded moment that is nearest to a time (s)."""

    do: Literal["seek"] = "seek"
    time: Coordinate


class Nudge(Message):
    """Stop, and show the recording so many moments later, or earlier, than what is shown."""

    do: Literal["nudge"] = "nudge"
    moments: Annotated[int, Field(ge=-10_000, le=10_000)]


class Live(Message):
    """Leave the recording, and go on."""

    do: Literal["live"] = "live"


class Mark(Message):
    """Choose a span of the recording (s) to loop and to save; None is its beginning or its end."""

    do: Literal["mark"] = "mark"
    start: Coordinate | None
    end: Coordinate | None


class Loop(Message):
    """Whether the recording begins again at its end."""

    do: Literal["loop"] = "loop"
    on: bool


class Keep(Message):
    """Let go of a handle, but leave the point pinned where it was pulled to."""

    do: Literal["keep"] = "keep"
    handle: Number


class Unpin(Message):
    """Take a pin away; or all of them, and put obstacles back that were dragged."""

    do: Literal["unpin"] = "unpin"
    pin: Number | None = None


class Arrange(Message):
    """Change one of the conditions of the world: gravity, friction, sub-steps. `Conditions` checks the value."""

    do: Literal["arrange"] = "arrange"
    field: Name
    value: float


class Force(Message):
    """Give a pose a weight of its own, of one actor or of all that have it: 0 is off, 1 holds it, None frees it.
    `toggle`: what is off or held already is freed; found when it is obeyed, so that two quick clicks are two."""

    do: Literal["force"] = "force"
    actor: Name | None
    pose: Name
    weight: Annotated[float, Field(ge=0, le=1)] | None
    toggle: bool = False


class AddPose(Message):
    """Make a moment of an actor an example: that which the page showed (`at`, s) when it was asked, else this one."""

    do: Literal["add pose"] = "add pose"
    actor: Name
    name: PoseName
    at: Coordinate | None = None


class Settle(Message):
    """Let an actor come to rest at once as an elastic solid, while hands and pins hold it where they are."""

    do: Literal["settle"] = "settle"
    actor: Name


class RenamePose(Message):
    """Call an example something else, in one actor or in all that have it."""

    do: Literal["rename pose"] = "rename pose"
    actor: Name | None
    pose: Name
    name: PoseName


class DeletePose(Message):
    """Take an example away, from one actor or from all that have it."""

    do: Literal["delete pose"] = "delete pose"
    actor: Name | None
    pose: Name


class MendPose(Message):
    """Do what the report advises about a pose. finding: its kind (see `pliant.body.findings.Finding`)."""

    do: Literal["mend pose"] = "mend pose"
    actor: Name
    pose: Name
    finding: Name


class Tune(Message):
    """Change a setting of one actor, or of all (None). The value is checked by the settings class itself."""

    do: Literal["tune"] = "tune"
    actor: Name | None
    field: Name
    value: Any


class UseModel(Message):
    """Another deformable model (by its folder's name) under the same body, of one actor or of all (None)."""

    do: Literal["use model"] = "use model"
    actor: Name | None
    model: Name


class Defaults(Message):
    """All models and settings as the exhibit has them."""

    do: Literal["defaults"] = "defaults"


class Compare(Message):
    """Play a second copy of everything beside the first, or end that. Both begin anew."""

    do: Literal["compare"] = "compare"
    on: bool


class OnSecond(Message):
    """Do something to the second copy only: any command that changes settings, poses or conditions."""

    do: Literal["on second"] = "on second"
    command: Any


class Balance(Message):
    """Between the two copies: give the second all that was changed in the first, or exchange them. Both begin anew."""

    do: Literal["balance"] = "balance"
    how: Literal["copy", "swap"]


class Continue(Message):
    """Go on from the moment of the recording that is shown; what came after it is forgotten."""

    do: Literal["continue"] = "continue"


class Undo(Message):
    """Take back what was done last."""

    do: Literal["undo"] = "undo"


class Redo(Message):
    """Do again what was taken back last."""

    do: Literal["redo"] = "redo"


class GoTo(Message):
    """As it was after a step of the history, by its number; 0 is how all began."""

    do: Literal["go to"] = "go to"
    step: Number


Transport: TypeAlias = Play | Step | Reset | Speed
Watching: TypeAlias = Seek | Nudge | Live | Mark | Loop
Hand: TypeAlias = Grab | Drag | Move | Release | Keep | Unpin
Posing: TypeAlias = Force | AddPose | Settle | RenamePose | DeletePose | MendPose
Stepping: TypeAlias = Undo | Redo | GoTo | Continue
Comparing: TypeAlias = Compare | OnSecond | Balance
Command: TypeAlias = (
    Transport | Watching | Hand | Posing | Grouped | Comparing | ShowLayers
    | Follow | Credit | Arrange | Tune | UseModel | Defaults | Stepping | Studio
)

# The panel's buttons and sliders reach Python through NiceGUI; a socket carries keys, pulls, strokes and layers.
_FROM_SOCKET: TypeAdapter[Any] = TypeAdapter(
    Annotated[
        Play | Step | Reset | Watching | Follow | Hand | PaintGroup | Enclose | Painted | ShowLayers | Credit
        | Undo | Redo | Continue | BrushDraft | CloseStudio,
        Field(discriminator="do"),
    ]
)

CREDIT = '{"do":"credit","frames":2}'  # as a page writes it
_CREDIT = Credit(frames=2)


def parse(message: object) -> Command | None:
    """The command in a message of a socket, or None where there is none.

    >>> parse('{"do": "move", "handle": 1, "target": [0, 2, 0]}')
    Move(do='move', handle=1, target=(0.0, 2.0, 0.0))
    >>> parse('{"do": "move", "handle": 1, "target": [0, 2, NaN]}') is None
    True
    """
    if message == CREDIT:  # most of what comes
        return _CREDIT
    if not isinstance(message, str) or len(message) > LONGEST_MESSAGE:
        return None
    try:
        command: Command = _FROM_SOCKET.validate_json(message)
    except (ValidationError, ValueError, RecursionError):
        return None
    return command
