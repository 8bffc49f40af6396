"""What a page may ask of a simulation: small frozen records, checked before anybody acts on them."""

from typing import Annotated, Any, Literal, TypeAlias

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

LONGEST = 2000  # characters of a message
FARTHEST = 1e5  # metres: nobody pulls a body farther

Coordinate = Annotated[float, Field(ge=-FARTHEST, le=FARTHEST)]
Point = tuple[Coordinate, Coordinate, Coordinate]
Name = Annotated[str, Field(max_length=200)]
Number = Annotated[int, Field(ge=0, lt=2**31)]
PoseName = Annotated[str, Field(min_length=1, max_length=40)]


class _Message(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", strict=True, allow_inf_nan=False)


class Play(_Message):
    """Let time run, stop it, or the other of the two."""

    do: Literal["play"] = "play"
    on: bool | None = None


class Step(_Message):
    """Stop, and go on by one step."""

    do: Literal["step"] = "step"


class Reset(_Message):
    """Begin anew; what was tuned stays tuned."""

    do: Literal["reset"] = "reset"


class Grab(_Message):
    """Take hold of a vertex of an actor's skin; `handle` is the page's own name for what it holds."""

    do: Literal["grab"] = "grab"
    handle: Number
    actor: Name
    vertex: Number
    target: Point


class Move(_Message):
    """Pull a handle to a point (metres)."""

    do: Literal["move"] = "move"
    handle: Number
    target: Point


class Release(_Message):
    """Let go of a handle, or of all that this page holds."""

    do: Literal["release"] = "release"
    handle: Number | None = None


class Credit(_Message):
    """The page has drawn a frame and can take another."""

    do: Literal["credit"] = "credit"


class Speed(_Message):
    """Seconds of the world in a second of the clock."""

    do: Literal["speed"] = "speed"
    factor: Annotated[float, Field(ge=0.01, le=1.0)]


class Keep(_Message):
    """Let go of a handle, but leave the point pinned where it was pulled to."""

    do: Literal["keep"] = "keep"
    handle: Number


class Unpin(_Message):
    """Take a pin away, or all of them."""

    do: Literal["unpin"] = "unpin"
    pin: Number | None = None


class Arrange(_Message):
    """Change one of the conditions of the world: gravity, friction, sub-steps. `Conditions` checks the value."""

    do: Literal["arrange"] = "arrange"
    field: Name
    value: float


class Force(_Message):
    """Give a pose a weight of its own, of one actor or of all that have it: 0 is off, 1 holds it, None frees it."""

    do: Literal["force"] = "force"
    actor: Name | None
    pose: Name
    weight: Annotated[float, Field(ge=0, le=1)] | None


class AddPose(_Message):
    """Make this moment of an actor an example."""

    do: Literal["add pose"] = "add pose"
    actor: Name
    name: PoseName


class RenamePose(_Message):
    """Call an example something else, in one actor or in all that have it."""

    do: Literal["rename pose"] = "rename pose"
    actor: Name | None
    pose: Name
    name: PoseName


class DeletePose(_Message):
    """Take an example away, from one actor or from all that have it."""

    do: Literal["delete pose"] = "delete pose"
    actor: Name | None
    pose: Name


class Tune(_Message):
    """Change a setting of one actor, or of all (None). The value is checked by the settings class itself."""

    do: Literal["tune"] = "tune"
    actor: Name | None
    field: Name
    value: Any


class Defaults(_Message):
    """All settings as the exhibit has them."""

    do: Literal["defaults"] = "defaults"


Transport: TypeAlias = Play | Step | Reset | Speed
Hand: TypeAlias = Grab | Move | Release | Keep | Unpin
Posing: TypeAlias = Force | AddPose | RenamePose | DeletePose
Command: TypeAlias = Transport | Hand | Posing | Credit | Arrange | Tune | Defaults

# The panel's buttons and sliders reach Python through NiceGUI; a socket carries keys, pulls and credits only.
_FROM_SOCKET: TypeAdapter[Any] = TypeAdapter(Annotated[Play | Step | Reset | Hand | Credit, Field(discriminator="do")])


def parse(message: object) -> Command | None:
    """The command in a message of a socket, or None where there is none.

    >>> parse('{"do": "move", "handle": 1, "target": [0, 2, 0]}')
    Move(do='move', handle=1, target=(0.0, 2.0, 0.0))
    >>> parse('{"do": "move", "handle": 1, "target": [0, 2, NaN]}') is None
    True
    """
    if not isinstance(message, str) or len(message) > LONGEST:
        return None
    try:
        command: Command = _FROM_SOCKET.validate_json(message)
    except (ValidationError, ValueError, RecursionError):
        return None
    return command
