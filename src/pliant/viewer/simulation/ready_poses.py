"""Poses by formula, with the numbers that a slider gives them."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

import numpy as np
from numpy.typing import NDArray

from pliant import poses
from pliant.graph import Graph
from pliant.poses.dent import STEEPEST
from pliant.viewer.protocol.studio_commands import ReadyPose

if TYPE_CHECKING:
    from pliant.body import Body

Array = NDArray[np.float64]

NEVER_FOLDED = 0.95  # of the depth at which a dent would fold


@dataclass(frozen=True)
class Number:
    """A slider: the argument of the formula, its ends, where it stands first, and its unit."""

    name: str
    title: str
    low: float
    high: float
    first: float
    unit: str = ""


@dataclass(frozen=True)
class Ready:
    """A formula as the panel offers it. axis, toward: whether it has these directions.  placed: whether it is somewhere
    on the body."""

    title: str
    icon: str
    numbers: tuple[Number, ...]
    axis: bool = True
    toward: bool = False
    placed: bool = False


READY: Mapping[str, Ready] = {
    "twist": Ready(
        "Twist", "cyclone", (Number("degrees", "Turn", -360, 360, 90, "°"), Number("shorten", "Shorten", 0, 0.6, 0.2))
    ),
    "bend": Ready("Bend", "turn_right", (Number("degrees", "Bend", -180, 180, 60, "°"),), toward=True),
    "s_curve": Ready("S", "gesture", (Number("degrees", "Lean", -90, 90, 40, "°"),), toward=True),
    "squash": Ready("Squash", "compress", (Number("amount", "Shorter by", 0, 0.8, 0.3),)),
    "stretch": Ready("Stretch", "expand", (Number("amount", "Longer by", 0, 2, 0.4),)),
    "bulge": Ready(
        "Bulge", "circle", (Number("amount", "Wider by", -0.8, 2, 0.5), Number("width", "Reach", 0.1, 2, 0.6)),
        placed=True,
    ),
    "dent": Ready(
        "Dent", "lens_blur", (Number("depth", "Depth", -0.3, 0.3, 0.1), Number("radius", "Reach", 0.05, 0.8, 0.35)),
        axis=False, placed=True,
    ),
    "shear": Ready("Shear", "call_made", (Number("amount", "Slant", -2, 2, 0.5),), toward=True),
}  # fmt: skip


@dataclass(frozen=True, eq=False)
class Posable:
    """What a formula needs of a body, with another shape in the place of its rest."""

    name: str
    rest: Array
    masses: Array
    mass: float
    size: Array


def drawn_by(body: "Body", shape: Array, asked: ReadyPose) -> Array:
    """A shape (V, 3) of a body with a formula on top of it. Depth and reach of a dent are parts of the diagonal."""
    posable = cast("Body", Posable(body.name, shape, body.masses, body.mass, np.ptp(shape, axis=0)))
    ready = READY[asked.formula]
    values: dict[str, Any] = {each.name: asked.numbers.get(each.name, each.first) for each in ready.numbers}
    if ready.axis:
        values["axis"] = asked.axis
    if ready.toward:
        values["toward"] = asked.toward
    if ready.placed:
        skin = skin_of(body, shape)
        values["centre"] = skin[top_of(body) if asked.vertex is None else min(asked.vertex, len(skin) - 1)]
    if asked.formula == "dent":
        diagonal = float(np.linalg.norm(body.size))
        radius = values["radius"] * diagonal
        least = float(np.linalg.norm(shape - values["centre"], axis=1).min())
        values["radius"] = radius = max(radius, 1.2 * least)
        most = NEVER_FOLDED * radius / STEEPEST
        values["depth"] = float(np.clip(values["depth"] * diagonal, -most, most))
    drawn: Array = getattr(poses, asked.formula)(posable, **values)
    return drawn


def skin_of(body: "Body", shape: Array) -> Array:
    """The skin (N, 3) of a body in a shape."""
    return body.skin.deform(shape, turns_of(body, shape))


def turns_of(body: "Body", shape: Array) -> Array | None:
    """How the particles of a graph are turned in a shape (V, 4); None for other bodies."""
    if not isinstance(body, Graph):
        return None
    from pliant.geometry.turning import quaternions
    from pliant.graph.turns import fitted_rotations

    return quaternions(fitted_rotations(body.rest, shape, body.elements, body.ellipsoids))


def top_of(body: "Body") -> int:
    """The vertex of the skin that is highest, and of those the one nearest to the middle."""
    skin = body.skin.vertices
    height = (skin[:, 1] - skin[:, 1].min()) / max(float(np.ptp(skin[:, 1])), 1e-300)
    away = np.linalg.norm((skin - skin.mean(axis=0))[:, [0, 2]], axis=1) / max(float(np.linalg.norm(body.size)), 1e-300)
    return int(np.argmax(height - away))
