"""What may be asked, as tables: checked before anything is made of it."""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from pliant.serve.wire import WireError

Name = Annotated[str, Field(min_length=1, max_length=200)]
Vector = Annotated[list[Annotated[float, Field(ge=-1e6, le=1e6)]], Field(min_length=3, max_length=3)]
Frames = Annotated[int, Field(ge=1, le=1_000_000)]


class Request(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Hello(Request):
    do: Literal["hello"]
    protocol: int
    token: str


class PinTable(Request):
    """A group that is held; block `bodies/I/pins/J` (F, n, 3): where its vertices are in each frame, else they stay."""

    group: Name


class WireBody(Request):
    """A soft body. Blocks: `bodies/I/vertices` (N, 3), `faces` (M, 3) or `tets` (T, 4); `poses/J` (N, 3);
    `groups/J` (n,); `start` (N, 3), where it is in the first frame; `forced/J` (F,), NaN where free;
    `stiffness` (N,), times the usual."""

    name: Name
    kind: Literal["auto", "solid", "shell", "rod"] = "auto"
    particles: Annotated[int, Field(ge=4, le=200_000)] = 600
    density: Annotated[float, Field(gt=0, le=1e6)] = 1000.0
    thickness: Annotated[float, Field(gt=0, le=1e3)] | None = None
    model: dict[str, Any] = Field(default_factory=dict)
    poses: list[Name] = Field(default_factory=list, max_length=500)
    groups: list[Name] = Field(default_factory=list, max_length=500)
    examples: list[Name] = Field(default_factory=list, max_length=500)
    pins: list[PinTable] = Field(default_factory=list, max_length=100)
    forced: list[Name] = Field(default_factory=list, max_length=500)
    friction: Annotated[float, Field(ge=0, le=1e3)] = 0.5
    restitution: Annotated[float, Field(ge=0, le=1)] = 0.0
    self_contact: bool = False


class WireCollider(Request):
    """An obstacle. A mesh has blocks `colliders/I/vertices`, `faces` and `motion` (1 or F, 7): where its origin is and
    how it is turned, as a quaternion x, y, z, w."""

    name: Name
    type: Literal["mesh", "plane"] = "mesh"
    point: Vector = Field(default_factory=lambda: [0.0, 0.0, 0.0])
    normal: Vector = Field(default_factory=lambda: [0.0, 1.0, 0.0])
    friction: Annotated[float, Field(ge=0, le=1e3)] = 0.5
    restitution: Annotated[float, Field(ge=0, le=1)] = 0.0


class SceneRequest(Request):
    do: Literal["scene"]
    name: Name = "scene"
    fps: Annotated[float, Field(ge=1, le=1000)] = 24.0
    substeps: Annotated[int, Field(ge=1, le=1000)] | None = None
    gravity: Vector = Field(default_factory=lambda: [0.0, -9.81, 0.0])
    contact: bool = True
    precision: Literal["single", "double"] = "single"
    bodies: list[WireBody] = Field(min_length=1, max_length=1000)
    colliders: list[WireCollider] = Field(default_factory=list, max_length=1000)


class Play(Request):
    do: Literal["play"]
    frames: Frames


class Bake(Request):
    """name: of the bake in the folder of the server; resume: go on with what is there of the same scene."""

    do: Literal["bake"]
    name: Name
    frames: Frames
    resume: bool = True


class Forget(Request):
    do: Literal["forget"]
    name: Name


class ReportRequest(Request):
    do: Literal["report"]


class SettleRequest(Request):
    """Blocks `vertices` (n,) of a body and `places` (n, 3), where they are held."""

    do: Literal["settle"]
    body: int = 0
    gravity: bool = False


class Cancel(Request):
    do: Literal["cancel"]


class Bye(Request):
    do: Literal["bye"]


Asked = Hello | SceneRequest | Play | Bake | Forget | ReportRequest | SettleRequest | Cancel | Bye
_KINDS = {get.model_fields["do"].annotation.__args__[0]: TypeAdapter(get) for get in Asked.__args__}


def read_request(head: Any) -> Any:
    """What a head asks for; WireError if it is none of the requests, or says something that has no meaning."""
    what = head.get("do")
    if not isinstance(what, str) or what not in _KINDS:
        raise WireError(f'do = {str(what)[:60]!r} is no request; give one of {", ".join(_KINDS)}')
    try:
        return _KINDS[what].validate_python(head)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        raise WireError(f"{what}: {where or 'the head'}: {first['msg'][0].lower()}{first['msg'][1:]}") from None
