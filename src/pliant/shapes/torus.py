"""A ring."""

from functools import lru_cache

import numpy as np

from pliant.body.body import Body
from pliant.body.skin import Skin
from pliant.geometry.grid import disc_grid, grid_cells, six_tets
from pliant.geometry.ordering import ordered_if_large
from pliant.geometry.surfaces import ringed
from pliant.runtime.errors import BodyError
from pliant.shapes.cylinder import disc_layers
from pliant.shapes.lengths import check_lengths, check_proportions


def torus(
    radius: float = 0.5,
    tube: float = 0.2,
    *,
    particles: int = 800,
    density: float = 1000.0,
    name: str = "torus",
) -> Body:
    """A ring about the y axis: `radius` to the middle of the tube, which is `tube` metres in radius itself.

    >>> len(torus().rest)
    800
    """
    if not 0 < tube < radius or particles < 1:
        raise BodyError(
            f"a torus of radius {radius} and tube {tube} is no ring; the tube must be thinner than the radius"
        )
    check_lengths("torus", radius=radius, tube=tube)
    check_proportions("torus", radius=radius, tube=tube)
    return _build(float(radius), float(tube), int(particles), float(density), name)


@lru_cache(maxsize=32)
def _build(radius: float, tube: float, particles: int, density: float, name: str) -> Body:
    across, layers = disc_layers(particles, tube, 2 * np.pi * radius, closed=True)
    _, corners, places = grid_cells((across, across, layers))
    disc = tube * disc_grid(across)
    # The last layer of the grid is the first one again.
    column, layer = np.divmod(corners, layers + 1)
    corners = column * layers + layer % layers
    at, turn = np.divmod(np.arange(len(disc) * layers), layers)
    angle = 2 * np.pi * turn / layers
    out = radius + disc[at, 0]
    # Outwards, up, along the ring: right-handed, as x, y, z are where the ring begins.
    rest = np.stack([out * np.cos(angle), disc[at, 1], out * np.sin(angle)], axis=1)
    tets = six_tets(corners, places)
    rest, tets = ordered_if_large(rest, tets)

    along = np.linspace(0, 2 * np.pi, 96, endpoint=False)[:, None]
    around = np.linspace(0, 2 * np.pi, 36, endpoint=False)
    out, up = radius + tube * np.cos(around), tube * np.sin(around)
    rings = np.stack([np.cos(along) * out, np.tile(up, (len(along), 1)), np.sin(along) * out], axis=-1)
    vertices, faces = ringed(rings, closed=True)
    return Body(
        rest, tets=tets, density=density, name=name, skin=Skin.bind(vertices, faces, rest, tets, "solid")
    )
