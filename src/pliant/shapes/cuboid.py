"""A box, the bar of the papers."""

from functools import lru_cache

import numpy as np

from pliant.body.body import Body
from pliant.body.skin import Skin
from pliant.geometry.grid import five_tets, grid_cells
from pliant.geometry.ordering import ordered_if_large
from pliant.geometry.surfaces import rounded_box
from pliant.runtime.errors import BodyError
from pliant.shapes.lengths import check_lengths, check_proportions


def cuboid(
    size: tuple[float, float, float] = (1.0, 1.0, 2.0),
    cells: tuple[int, int, int] = (4, 4, 8),
    *,
    density: float = 1000.0,
    name: str = "cuboid",
) -> Body:
    """A box of `size` metres about the origin, cut into cubic cells of five tets each.

    Particles are numbered z fastest, then y, then x. The skin is a finer box with slightly rounded edges.

    >>> bar = cuboid()
    >>> len(bar.rest), len(bar.tets)
    (225, 640)
    """
    if min(cells) < 1 or min(size) <= 0:
        raise BodyError(
            f"a cuboid of size {size} in {cells} cells is empty; sizes must be positive, cells 1 or more"
        )
    check_lengths("cuboid", length=size[0], height=size[1], depth=size[2])
    edges = [side / count for side, count in zip(size, cells, strict=True)]
    check_proportions("cuboid", cell_length=edges[0], cell_height=edges[1], cell_depth=edges[2])
    return _build(tuple(map(float, size)), tuple(map(int, cells)), float(density), name)


@lru_cache(maxsize=32)
def _build(size: tuple[float, float, float], cells: tuple[int, int, int], density: float, name: str) -> Body:
    points, corners, places = grid_cells(cells)
    rest = (points / cells - 0.5) * size
    tets = five_tets(corners, places)
    rest, tets = ordered_if_large(rest, tets)
    sides = np.array(size)
    area = 2 * (sides[0] * sides[1] + sides[1] * sides[2] + sides[2] * sides[0])
    vertices, faces = rounded_box(size, radius=0.06 * sides.min(), step=float(np.sqrt(area / 3000)))
    return Body(
        rest, tets=tets, density=density, name=name, skin=Skin.bind(vertices, faces, rest, tets, "solid")
    )
