"""A ball."""

from functools import lru_cache

from pliant.body.body import Body
from pliant.body.skin import Skin
from pliant.geometry.grid import ball_grid, grid_cells, six_tets
from pliant.geometry.ordering import ordered_if_large
from pliant.geometry.surfaces import ball as ball_surface
from pliant.runtime.errors import BodyError
from pliant.shapes.lengths import check_lengths


def ball(radius: float = 0.5, *, particles: int = 343, density: float = 1000.0, name: str = "ball") -> Body:
    """A ball about the origin: a cube of n x n x n particles made round, n odd and n^3 nearest to
    `particles`.

    >>> len(ball().rest), round(ball().volume, 2)
    (343, 0.51)
    """
    if radius <= 0 or particles < 1:
        raise BodyError(
            f"a ball of radius {radius} with {particles} particles is empty; give positive numbers"
        )
    check_lengths("ball", radius=radius)
    return _build(float(radius), int(particles), float(density), name)


@lru_cache(maxsize=32)
def _build(radius: float, particles: int, density: float, name: str) -> Body:
    across = min(range(2, 102, 2), key=lambda n: abs((n + 1) ** 3 - particles))
    _, corners, places = grid_cells((across, across, across))
    rest, tets = radius * ball_grid(across), six_tets(corners, places)
    rest, tets = ordered_if_large(rest, tets)
    vertices, faces = ball_surface(radius, radius * 0.07)
    return Body(
        rest, tets=tets, density=density, name=name, skin=Skin.bind(vertices, faces, rest, tets, "solid")
    )
