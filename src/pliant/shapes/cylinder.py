"""A round bar, drawn as a thin-walled tube or solid."""

from functools import lru_cache
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from pliant.body.body import Body
from pliant.body.skin import Skin
from pliant.geometry.grid import disc_grid, grid_cells, six_tets
from pliant.geometry.ordering import ordered_if_large
from pliant.geometry.surfaces import ringed
from pliant.runtime.errors import BodyError
from pliant.shapes.lengths import check_lengths, check_proportions

Array = NDArray[np.float64]
_AROUND = 80  # skin vertices round the circumference


def cylinder(
    radius: float = 0.5,
    height: float = 2.0,
    *,
    particles: int = 2025,
    skin: Literal["tube", "solid"] = "tube",
    wall: float | None = None,
    density: float = 1000.0,
    name: str = "cylinder",
) -> Body:
    """A solid cylinder about the origin, axis along y, of about `particles` particles in round layers.

    With `skin="tube"` it is drawn as an open tube whose wall is `wall` metres thick (an eighth of the radius
    unless given): the solid only carries it, as in Koyama's Fig. 8. The mass is that of the solid.

    >>> len(cylinder().rest)
    2025
    """
    if radius <= 0 or height <= 0 or particles < 8:
        raise BodyError(
            f"a cylinder of radius {radius} and height {height} with {particles} particles is empty"
        )
    wall = radius / 8 if wall is None else wall
    if skin not in ("tube", "solid") or not 0 < wall < radius:
        raise BodyError(
            f'cylinder: skin is "tube" or "solid" (not {skin!r}), its wall thinner than {radius} (not {wall})'
        )
    check_lengths("cylinder", radius=radius, height=height, wall=wall)
    check_proportions("cylinder", radius=radius, height=height)
    return _build(float(radius), float(height), int(particles), skin, float(wall), float(density), name)


@lru_cache(maxsize=32)
def _build(
    radius: float, height: float, particles: int, skin: str, wall: float, density: float, name: str
) -> Body:
    across, layers = disc_layers(particles, radius, height)
    points, corners, places = grid_cells((across, across, layers))
    disc = radius * disc_grid(across)
    # The grid's third axis is the cylinder's axis y: (u, v, w) -> (v, w, u) keeps the tets the right way
    # round.
    at = np.arange(len(points)) // (layers + 1)
    rest = np.stack([disc[at, 1], (points[:, 2] / layers - 0.5) * height, disc[at, 0]], axis=1)
    tets = six_tets(corners, places)
    rest, tets = ordered_if_large(rest, tets)
    profile = _tube_profile(radius, height, wall) if skin == "tube" else _solid_profile(radius, height)
    vertices, faces = ringed(revolved(profile, _AROUND), closed=skin == "tube")
    return Body(
        rest, tets=tets, density=density, name=name, skin=Skin.bind(vertices, faces, rest, tets, "solid")
    )


def disc_layers(particles: int, radius: float, length: float, closed: bool = False) -> tuple[int, int]:
    """Cells across a disc (even) and layers along `length` that give about `particles` of nearly cubic
    cells."""
    choices = []
    for across in range(2, 66, 2):
        layers = max(round(particles / (across + 1) ** 2) - (not closed), 1)
        if closed:
            layers = max(layers // 2 * 2, 4)  # a loop of mirrored cells closes after an even number
        count = (across + 1) ** 2 * (layers + (not closed))
        aspect = (np.sqrt(np.pi) * radius / across) / (length / layers)
        choices.append((abs(np.log(aspect)) + 10 * abs(count / particles - 1), across, layers))
    _, across, layers = min(choices)
    return across, layers


def revolved(profile: Array, around: int) -> Array:
    """Rings (R, around, 3) about y of a profile (R, 2) of radius and height."""
    angle = np.linspace(0, 2 * np.pi, around, endpoint=False)
    x, z = np.cos(angle), np.sin(angle)
    return np.stack(
        [profile[:, :1] * x, np.repeat(profile[:, 1:], around, axis=1), profile[:, :1] * z], axis=-1
    )


def _tube_profile(radius: float, height: float, wall: float) -> Array:
    """Up the outer wall, over the round rim, down the inner wall, round the lower rim."""
    bend = min(wall / 2, height / 2)
    straight = np.linspace(-1, 1, 38) * (height / 2 - bend)
    angle = np.linspace(0, np.pi, 9)[1:-1]
    rim = np.stack(
        [radius - wall / 2 + wall / 2 * np.cos(angle), height / 2 - bend + bend * np.sin(angle)], axis=1
    )
    outer = np.stack([np.full_like(straight, radius), straight], axis=1)
    inner = np.stack([np.full_like(straight, radius - wall), straight[::-1]], axis=1)
    return np.concatenate([outer, rim, inner, (rim * [1, -1])[::-1]])


def _solid_profile(radius: float, height: float) -> Array:
    """From the middle of the bottom, round the slightly rounded edge, up the wall and back on top."""
    bend = 0.06 * min(2 * radius, height)
    edge = np.linspace(0, np.pi / 2, 5)
    flat = np.linspace(0, radius - bend, 13)[1:-1]
    wall = np.linspace(-1, 1, 34)[1:-1] * (height / 2 - bend)
    corner = np.stack([radius - bend + bend * np.sin(edge), -height / 2 + bend - bend * np.cos(edge)], axis=1)
    bottom = np.concatenate([np.stack([flat, np.full_like(flat, -height / 2)], axis=1), corner])
    side = np.stack([np.full_like(wall, radius), wall], axis=1)
    return np.concatenate([bottom, side, (bottom * [1, -1])[::-1]])
