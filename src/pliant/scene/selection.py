"""Which particles: selections as a scene says them, and what they select."""

from collections.abc import Mapping
from difflib import get_close_matches
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from pliant.body import Body
from pliant.graph import Graph
from pliant.runtime.errors import BodyError
from pliant.scene.choices import by_key
from pliant.scene.values import Name, Table, Vector, listed, worded

Indices = NDArray[np.int32]
Mask = NDArray[np.bool_]
Side: TypeAlias = Literal["left", "right", "bottom", "top", "back", "front"]
SIDES = {"left": (0, -1), "right": (0, 1), "bottom": (1, -1), "top": (1, 1), "back": (2, -1), "front": (2, 1)}

Index = Annotated[int, Field(ge=0)]
if TYPE_CHECKING:
    Corners: TypeAlias = tuple[Vector, Vector]
else:
    Corners = listed(tuple[Vector, Vector], "two corners [[x, y, z], [x, y, z]]")


class BoxSelection(Table):
    """The particles in a box."""

    box: Corners = Field(description="two opposite corners", json_schema_extra={"unit": "m"})


class SphereSelection(Table):
    """The particles in a ball."""

    sphere: Vector = Field(description="the centre", json_schema_extra={"unit": "m"})
    radius: float = Field(gt=0, description="how far from the centre", json_schema_extra={"unit": "m"})


class NearestSelection(Table):
    """The particles nearest to a point, however coarse the body is."""

    nearest: Vector = Field(description="the point", json_schema_extra={"unit": "m"})
    count: int = Field(1, ge=1, description="how many particles")


class SideSelection(Table):
    """The particles towards one side of the body's bounding box."""

    side: Side = Field(description="left is -x, right +x, bottom -y, top +y, back -z, front +z")
    fraction: float = Field(0.5, gt=0, le=1, description="how much of the body, measured from that side")


class GroupSelection(Table):
    """The particles of a named group: a vertex group of the file, or one of the body's `groups`."""

    group: Name = Field(description="its name")


class IndexSelection(Table):
    """Particles by number, as the file or the shape has them."""

    indices: list[Index] = Field(min_length=1, description="numbers of particles, from 0")


class AllOf(Table):
    """The particles that are in every one of several selections."""

    all_of: list["Selection"] = Field(min_length=1, description="selections")


class AnyOf(Table):
    """The particles that are in at least one of several selections."""

    any_of: list["Selection"] = Field(min_length=1, description="selections")


class NoneOf(Table):
    """The particles that are in none of several selections."""

    none_of: list["Selection"] = Field(min_length=1, description="selections")


TABLES: Mapping[str, type[Table]] = {
    "box": BoxSelection,
    "sphere": SphereSelection,
    "nearest": NearestSelection,
    "side": SideSelection,
    "group": GroupSelection,
    "indices": IndexSelection,
    "all_of": AllOf,
    "any_of": AnyOf,
    "none_of": NoneOf,
}

if TYPE_CHECKING:
    Selection: TypeAlias = Table | str
else:
    # A name alone is a group.
    Selection = worded(by_key(TABLES, text=Name), 'a selection such as { side = "top" }, or the name of a group')

for _table in (AllOf, AnyOf, NoneOf):
    _table.model_rebuild()


def chosen(selection: "Selection", body: Body, what: str) -> Indices:
    """The selected particles of a body as rising indices. `what` begins an error.

    Places are looked for among its own particles. Numbers and groups are those of the body that was given: of a graph
    that plays it, particles are selected in whose shares they lie. So a number means the same place under every model,
    and a small group is never lost between a few large particles.
    """
    particles = np.flatnonzero(_mask(selection, body, what)).astype(np.int32)
    if len(particles) == 0:
        low, high = (", ".join(f"{x:.3g}" for x in corner) for corner in (body.rest.min(axis=0), body.rest.max(axis=0)))
        if isinstance(body, Graph):
            raise BodyError(
                f"{what} holds none of the {len(body.rest)} particles that play it, whose centres reach from ({low}) "
                f"to ({high}) m before it is placed; select the `nearest`, or give the model more `particles`"
            )
        raise BodyError(f"{what} holds no particle; the body reaches from ({low}) to ({high}) m before it is placed")
    return particles


def _mask(selection: Any, body: Body, what: str) -> Mask:
    rest = body.rest
    match selection:
        case BoxSelection():
            corners = np.array(selection.box)
            return ((rest >= corners.min(axis=0)) & (rest <= corners.max(axis=0))).all(axis=1)
        case SphereSelection():
            return np.linalg.norm(rest - selection.sphere, axis=1) <= selection.radius
        case NearestSelection():
            order = np.argsort(np.linalg.norm(rest - selection.nearest, axis=1), kind="stable")
            return _marked(order[: selection.count], body)
        case SideSelection():
            return _beside(selection, rest)
        case GroupSelection(group=name) | str(name):
            return _marked(_group(name, body, what), body)
        case IndexSelection():
            return _marked(_numbered(selection.indices, body, what), body)
        case AllOf():
            return np.all([_mask(each, body, what) for each in selection.all_of], axis=0)
        case AnyOf():
            return np.any([_mask(each, body, what) for each in selection.any_of], axis=0)
        case NoneOf():
            return ~np.any([_mask(each, body, what) for each in selection.none_of], axis=0)
    raise TypeError(f"{selection!r} is not a selection")


def _marked(particles: NDArray[Any], body: Body) -> Mask:
    mask = np.zeros(len(body.rest), dtype=bool)
    mask[particles] = True
    return mask


def _beside(selection: SideSelection, rest: NDArray[np.float64]) -> Mask:
    """Rounded, so that noise in the last digits does not decide; left and right halves have no particle in common."""
    axis, sign = SIDES[selection.side]
    along = rest[:, axis]
    low, extent = along.min(), np.ptp(along)
    if extent <= 1e-9 * np.ptp(rest, axis=0).max():
        return np.ones(len(rest), dtype=bool)  # a sheet has no left and right across its plane
    place = ((along - low) / extent).round(9)
    return place >= 1 - selection.fraction if sign > 0 else (place < selection.fraction) | (selection.fraction == 1)


def _numbered(numbers: list[int], body: Body, what: str) -> NDArray[Any]:
    """The particles of these numbers; of a graph, those in whose shares they lie."""
    shares = body.shares if isinstance(body, Graph) else None
    count = len(body.rest if shares is None else shares.owners)
    if max(numbers) >= count:
        raise BodyError(f"{what} holds particle {max(numbers)}; there are {count}, numbered from 0")
    return np.array(numbers) if shares is None else shares.owners[numbers]


def _group(name: str, body: Body, what: str) -> Indices:
    if name in body.groups:
        return body.groups[name]
    names = ", ".join(f'"{each}"' for each in body.groups) or "none"
    close = get_close_matches(name, list(body.groups), n=1)
    meant = f'; did you mean "{close[0]}"?' if close else ""
    raise BodyError(f'{what}: there is no group "{name}"{meant} (the body has {names})')
