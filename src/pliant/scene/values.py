"""What the values of a scene file are made of."""

from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray
from pydantic import AfterValidator, BaseModel, ConfigDict, Field, create_model
from pydantic_core import PydanticCustomError

from pliant.scene.choices import by_type, choice
from pliant.shapes.lengths import LONGEST, SHORTEST
from pliant.world.paths import rotation as about
from pliant.world.validation import FARTHEST, as_matrix

Array = NDArray[np.float64]


class Table(BaseModel):
    """A table of a scene file: frozen, no key but those that are named, and no guessing ("3" is not a number)."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True, allow_inf_nan=False)


def made_table(title: str, about: str, fields: dict[str, Any], base: type[Any] = Table) -> type[Any]:
    """A table whose fields, as pydantic takes them, are put together while running."""
    return create_model(title, __base__=base, __doc__=about, **fields)


def unit(name: str) -> dict[str, Any]:
    """For the schema: the unit of a field."""
    return {"unit": name}


def mistake(message: str, *key: str | int) -> PydanticCustomError:
    """An error with a message of our own, to be raised by a check; `key` is what is to blame, below what is checked."""
    return PydanticCustomError("said", "{said}", {"said": message, "key": list(key)})


def worded(kind: Any, wording: str) -> Any:
    """A type with its own wording, where that of the schema would not be understood."""
    return Annotated[kind, Field(json_schema_extra={"wording": wording})]


def listed(kind: Any, wording: str) -> Any:
    """A list of fixed length: TOML has lists only, here they are tuples."""
    return Annotated[kind, Field(strict=False, json_schema_extra={"wording": wording})]


def _not_zero(quaternion: tuple[float, ...]) -> tuple[float, ...]:
    if max(map(abs, quaternion)) < 1e-6:
        raise mistake("a quaternion of length 0 turns nothing; give [0, 0, 0, 1] for no rotation")
    return quaternion


Length = Annotated[float, Field(ge=SHORTEST, le=LONGEST)]
Density = Annotated[float, Field(ge=1e-6, le=1e9)]
Coordinate = Annotated[float, Field(ge=-FARTHEST, le=FARTHEST)]
Share = Annotated[float, Field(ge=0, le=1)]
Seconds = Annotated[float, Field(ge=0, le=1e6)]
# One line, with something to see on it.
Name = Annotated[str, Field(max_length=200, pattern=r"^[^\x00-\x1f]*[^\x00-\x20][^\x00-\x1f]*$")]
AxisName = Literal["x", "y", "z", "-x", "-y", "-z"]

if TYPE_CHECKING:
    File: TypeAlias = str
    Vector: TypeAlias = tuple[float, float, float]
    Degrees: TypeAlias = tuple[float, float, float]
    Rotation: TypeAlias = tuple[float, ...]
    Axis: TypeAlias = str | Vector
    Colour: TypeAlias = str | Vector
else:
    File = Annotated[str, Field(min_length=1, json_schema_extra={"wording": "a path"})]
    Vector = listed(tuple[Coordinate, Coordinate, Coordinate], "three numbers [x, y, z]")
    Degrees = listed(tuple[Coordinate, Coordinate, Coordinate], "three numbers, degrees about x, y and z")
    Quaternion = Annotated[
        listed(tuple[Coordinate, Coordinate, Coordinate, Coordinate], "a quaternion [x, y, z, w]"),
        AfterValidator(_not_zero),
    ]
    Rotation = choice(
        lambda value: "quaternion" if isinstance(value, list | tuple) and len(value) == 4 else "degrees",
        {"degrees": Degrees, "quaternion": Quaternion},
    )
    Axis = by_type(text=AxisName, list=Vector)
    Colour = by_type(
        text=worded(Annotated[str, Field(pattern=r"^#[0-9a-fA-F]{6}$")], 'a colour such as "#e8833a"'),
        list=listed(tuple[Share, Share, Share], "[red, green, blue] from 0 to 1"),
    )


def matrix(rotation: tuple[float, ...]) -> Array:
    """The 3x3 rotation of degrees about x, then y, then z (fixed axes), or of a quaternion x, y, z, w.

    >>> matrix((0, 0, 90)).round(6).tolist()
    [[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]]
    """
    if len(rotation) == 4:
        return as_matrix(rotation, "rotation")
    turn = np.eye(3)
    for axis, degrees in enumerate(rotation):
        turn = about(np.eye(3)[axis] * np.radians(degrees)) @ turn
    return turn


def rgb(colour: str | tuple[float, float, float]) -> tuple[float, float, float]:
    """Red, green and blue from 0 to 1.

    >>> rgb("#ff8000")
    (1.0, 0.5019607843137255, 0.0)
    """
    if isinstance(colour, str):
        red, green, blue = (int(colour[k : k + 2], 16) / 255 for k in (1, 3, 5))
        return red, green, blue
    return colour
