"""From a distance function to a painted body: skin, tets, colours."""

from collections.abc import Sequence
from functools import lru_cache
from typing import TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pliant.body.body import Body
from pliant.body.skin import Skin
from pliant.geometry.distance import Field
from pliant.geometry.isosurface import isosurface
from pliant.geometry.lattice import carry
from pliant.geometry.measures import volumes

Array = NDArray[np.float64]
Colour: TypeAlias = tuple[float, float, float]


def sculpt(
    field: Field,
    low: ArrayLike,
    high: ArrayLike,
    *,
    cell: float,
    particles: int,
    mirror: int,
    base: Colour,
    paint: Sequence[tuple[Colour, Field]] = (),
    name: str,
) -> Body:
    """A body of the solid where `field` is negative: skin facets of about `cell` metres, about `particles`
    particles.

    Each entry of `paint` colours what lies inside its field, later ones over earlier ones; colours are as
    shown on a screen (sRGB). The solid is symmetric along the axis `mirror`. The centre of mass comes to lie
    at the origin.
    """
    vertices, faces = isosurface(field, low, high, cell)
    colours = np.tile(np.asarray(base, dtype=np.float64), (len(vertices), 1))
    for colour, where in paint:
        # A blend half a facet wide: the edge of the paint does not show the facets as teeth.
        cover = np.clip(0.5 - where(vertices) / (0.7 * cell), 0.0, 1.0)[:, None]
        colours = (1 - cover) * colours + cover * np.asarray(colour)
    made = carry(vertices, faces, particles, mirror=mirror)
    rest, tets = made.rest, made.tets
    share = volumes(rest, tets)
    centre = share @ rest[tets].mean(axis=1) / share.sum()
    rest, vertices = rest - centre, vertices - centre
    skin = Skin.bind(vertices, faces, rest, tets, "solid", colours=colours, carriers=made.carriers)
    return Body(rest, tets=tets, skin=skin, name=name)


@lru_cache(maxsize=64)
def recast(body: Body, density: float, name: str) -> Body:
    """The same body of another density and name: neither is worth sculpting it again."""
    return Body(body.rest, tets=body.tets, skin=body.skin, density=density, name=name)
