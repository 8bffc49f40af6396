"""Tables for what functions make: shapes, ready-made poses and colliders. They are made from the functions' own
parameters, so that a new shape is a new word of the scene file by itself; only what a parameter means is told here.
"""

import inspect
import re
from collections.abc import Callable, Mapping
from functools import cache
from types import NoneType
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

from numpy.typing import ArrayLike
from pydantic import Field

from pliant import poses, shapes
from pliant.poses.frame import Axis as PoseAxis
from pliant.scene.choices import by_name, by_type
from pliant.scene.tracks import MotionPath, keyed
from pliant.scene.values import Axis, Coordinate, File, Length, Name, Rotation, Share, Table, Vector, listed, made_table
from pliant.world import Mesh, colliders
from pliant.world.fields import FIELDS

Count = Annotated[int, Field(ge=1, le=1_000_000)]
Amount = Annotated[float, Field(ge=-1000, le=1000)]
Much = Annotated[float, Field(ge=0, le=1000)]
Below = Annotated[float, Field(ge=0, lt=1)]
BelowHalf = Annotated[float, Field(ge=0, lt=0.5)]
Cells = Annotated[int, Field(ge=8, le=256)]
AboveMinusOne = Annotated[float, Field(gt=-1, le=1000)]


def _about(text: str, unit: str = "", kind: Any = None) -> tuple[str, str, Any]:
    return text, unit, kind


# What the parameters mean, by name or by "function.name": wording, unit, and the type where it is narrower than
# the function's own.
PARAMETERS: dict[str, tuple[str, str, Any]] = {
    "size": _about("its edges", "m"),
    "cells": _about("cells along its edges"),
    "radius": _about("its radius", "m", Length),
    "attractor.centre": _about("to where it pulls", "m"),
    "attractor.strength": _about("at most, about a radius away; below 0 it pushes away", "m/s²", Coordinate),
    "attractor.radius": _about("nearer it fades, farther it falls as the square of the distance", "m", Length),
    "vortex.centre": _about("a point of its axis", "m"),
    "vortex.axis": _about("about which it turns", "", Vector),
    "vortex.strength": _about("round the axis, a radius away", "m/s²", Coordinate),
    "vortex.inward": _about("to the axis", "m/s²", Coordinate),
    "vortex.along": _about("along the axis", "m/s²", Coordinate),
    "vortex.radius": _about("beyond three of them nothing is left", "m", Length),
    "turbulence.strength": _about("the root of its mean square", "m/s²", Much),
    "turbulence.size": _about("of the largest eddies", "m", Length),
    "speed": _about("how often in a second the eddies are others", "1/s", Much),
    "seed": _about("which eddies", "", Annotated[int, Field(ge=0, le=999_999_999)]),
    "actor": _about("the name of the body that is kept upright", "", Name),
    "upright.strength": _about("about how fast it turns upright: 3 is a third of a second", "1/s", Much),
    "damping": _about("1 comes upright without swinging over", "", Annotated[float, Field(ge=0, le=100)]),
    "upright.axis": _about("what of the rest shape is to point up", "", Vector),
    "height": _about("along y", "m", Length),
    "tube": _about("radius of the tube, less than `radius`", "m", Length),
    "length": _about("along x", "m", Length),
    "cylinder.skin": _about("drawn as an open tube or closed; the body is solid in both cases"),
    "wall": _about("thickness of the wall of a tube; an eighth of the radius if not said", "m", Length),
    "torus.radius": _about("from its centre to the middle of the tube", "m", Length),
    "degrees": _about("how far, from end to end", "degrees"),
    "s_curve.degrees": _about("how far its middle leans", "degrees"),
    "axis": _about("along which; its longest side if not said"),
    "toward": _about("to which side; its thinnest if not said"),
    "shorten": _about("how much shorter it gets, 0.2 is a fifth", "", Below),
    "keep_volume": _about("wider or thinner by as much as it gets shorter or longer"),
    "squash.amount": _about("how much shorter, 0.3 is three tenths", "", Below),
    "stretch.amount": _about("how much longer, 0.3 is three tenths", "", Much),
    "shear.amount": _about("metres aside for each metre of length", "", Amount),
    "bulge.amount": _about("how much wider, 0.5 is half as wide again; below 0 a waist", "", AboveMinusOne),
    "bulge.centre": _about("where; its middle if not said", "m"),
    "bulge.width": _about("how much of the length takes part", "", Annotated[float, Field(ge=1e-3, le=1000)]),
    "waves": _about("dents around it", "", Annotated[int, Field(ge=2, le=1000)]),
    "rows": _about("rows of dents along it", "", Annotated[int, Field(ge=1, le=1000)]),
    "buckle.depth": _about("how deep the dents are, as a part of the radius", "", BelowHalf),
    "dent.centre": _about("where, before the body is placed", "m"),
    "dent.radius": _about("how far from there it reaches", "m", Length),
    "dent.depth": _about("how deep; below 0 a bump", "m", Coordinate),
    "direction": _about("where to push; towards the centre of mass if not said"),
    "friction": _about("Coulomb's coefficient, at rest and sliding", "", Annotated[float, Field(ge=0)]),
    "restitution": _about("the part of the speed with which a body leaves at least", "", Share),
    "path": _about("how it moves over time", "", MotionPath),
    "name": _about("its own, for `--set` and messages", "", Name),
    "point": _about("a point of the plane", "m"),
    "normal": _about("away from what is solid"),
    "centre": _about("its middle", "m"),
    "half_size": _about("half of its edges", "m"),
    "rotation": _about("how it is turned; about x first, then y, then z", "", Rotation),
    "start": _about("the middle of one round end", "m"),
    "end": _about("the middle of the other", "m"),
    "mesh.position": _about("where its origin is put", "m"),
    "mesh.scale": _about("how many times as large as in the file", "", Annotated[float, Field(ge=1e-6, le=1e6)]),
    "mesh.thickness": _about("of what is open, half on either side; two cells if not said", "m", Length),
    "mesh.cells": _about("of the grid of distances, along its longest side; 64 to 144 if not said", "", Cells),
    "mesh.solid": _about("all of it is solid (true) or a sheet (false); what is closed is solid if not said"),
}  # fmt: skip

# These are keys of the body itself, whether it is a shape or comes from a file.
BODY_PARAMETERS = ("particles", "density", "thickness", "name")


def _type(hint: Any) -> Any:
    """A function's type as TOML can write it."""
    if hint == PoseAxis:
        return Axis
    if hint == ArrayLike or hint == ArrayLike | None:
        return Vector
    if get_origin(hint) is tuple:
        size = len(get_args(hint))
        part = Length if get_args(hint)[0] is float else Count
        wording = {2: "two", 3: "three"}[size] + (" numbers" if part is Length else " whole numbers")
        return listed(tuple[(part,) * size], wording)  # type: ignore[misc]
    if NoneType in get_args(hint):
        rest = tuple(each for each in get_args(hint) if each is not NoneType)
        return Union[rest]  # noqa: UP007 (made while running)
    return hint


def _field(function: str, name: str, parameter: inspect.Parameter, hint: Any) -> tuple[Any, Any]:
    text, unit, kind = PARAMETERS.get(f"{function}.{name}") or PARAMETERS[name]
    kind = _type(hint) if kind is None else kind
    extra: dict[str, Any] = {"unit": unit} if unit else {}
    if parameter.default is inspect.Parameter.empty:
        return kind, Field(description=text, json_schema_extra=extra)
    if parameter.default in (None, ""):
        return kind | None, Field(None, description=text, json_schema_extra=extra)
    return kind, Field(parameter.default, description=text, json_schema_extra=extra)


def table_of(
    function: Callable[..., Any], name: str, title: str, without: tuple[str, ...] = (), **more: Any
) -> type[Table]:
    """The table that says `type = name` and the parameters of a function or a dataclass."""
    hints = get_type_hints(function.__init__ if inspect.isclass(function) else function)
    parameters = inspect.signature(function).parameters
    fields = {key: _field(name, key, p, hints[key]) for key, p in parameters.items() if key not in without}
    about = re.split(r"\n\n|[:;.]\s", inspect.getdoc(function) or "")[0]
    return made_table(
        title,
        " ".join(about.split()).rstrip(".") + ".",
        {"type": (Literal[name], Field(description="what it is")), **fields, **more},
    )


def arguments(table: Table, *without: str) -> dict[str, Any]:
    """What was said, as arguments of the function."""
    return {key: getattr(table, key) for key in table.model_fields_set if key not in ("type", *without)}


def _camel(name: str) -> str:
    return "".join(word.capitalize() for word in name.split("_"))


@cache
def shape_tables() -> Mapping[str, type[Table]]:
    return {
        name: table_of(getattr(shapes, name), name, f"{_camel(name)}Shape", without=BODY_PARAMETERS)
        for name in shapes.__all__
    }


@cache
def pose_tables() -> Mapping[str, type[Table]]:
    return {
        name: table_of(getattr(poses, name), name, f"{_camel(name)}Pose", without=("body",)) for name in poses.FORMULAS
    }


COLLIDERS = {
    "plane": colliders.Plane,
    "sphere": colliders.Sphere,
    "box": colliders.Box,
    "capsule": colliders.Capsule,
    "mesh": Mesh,
}
# A scene names the file of a mesh; its arrays are not for people to write.
OF_THE_FILE = ("vertices", "triangles", "file", "_made")
COLLIDER_KEYS = made_table(
    "ColliderKeys",
    "What of a collider may change over time.",
    {
        name: (
            keyed(PARAMETERS[name][2], f"{name.capitalize()}Keys") | None,
            Field(None, description=PARAMETERS[name][0]),
        )
        for name in ("friction", "restitution")
    },
)


@cache
def collider_tables() -> Mapping[str, type[Table]]:
    keys = (COLLIDER_KEYS | None, Field(None, description="values that change over time"))
    file = (File, Field(description="the file: any that a body may come from"))
    return {
        name: table_of(
            kind, name, f"{_camel(name)}Collider", OF_THE_FILE, **({"file": file} if kind is Mesh else {}), keys=keys
        )
        for name, kind in COLLIDERS.items()
    }


@cache
def field_tables() -> Mapping[str, type[Table]]:
    return {name: table_of(kind, name, f"{_camel(name)}Field") for name, kind in FIELDS.items()}


def field_type() -> Any:
    return by_name(field_tables())


def shape_type() -> Any:
    """The name of a shape, or a table with its name and parameters."""
    return by_type(text=Literal[tuple(shape_tables())], table=by_name(shape_tables()))


def collider_type() -> Any:
    return by_name(collider_tables())
