"""A dinosaur with a long neck and a long tail."""

from functools import lru_cache

from pliant.body.body import Body
from pliant.geometry.distance import Field, ellipsoid, mirror, sphere, subtract, tube, union
from pliant.shapes.sculpt import Colour, recast, sculpt

GREEN = (0.42, 0.68, 0.46)
BELLY = (0.93, 0.90, 0.70)
SPOT = (0.27, 0.52, 0.38)
DARK = (0.12, 0.12, 0.13)
NAIL = (0.97, 0.94, 0.84)
CHEEK = (0.93, 0.62, 0.55)


def dinosaur(*, particles: int = 800, density: float = 1000.0, name: str = "dinosaur") -> Body:
    """A friendly sauropod on four legs, looking along +x, 1.4 m tall and 2.3 m long.

    >>> 720 <= len(dinosaur().rest) <= 880
    True
    """
    return recast(_build(int(particles)), float(density), name)


@lru_cache(maxsize=8)
def _build(particles: int) -> Body:
    return sculpt(
        _shape(),
        (-1.6, -0.1, -0.55),
        (1.3, 1.65, 0.55),
        cell=0.027,
        particles=particles,
        mirror=2,
        base=GREEN,
        paint=_paint(),
        name="dinosaur",
    )


def _shape() -> Field:
    trunk = ellipsoid((-0.05, 0.56, 0), (0.50, 0.32, 0.31))
    neck = tube(
        [(0.18, 0.60, 0), (0.46, 0.74, 0), (0.60, 0.98, 0), (0.66, 1.22, 0)], [0.24, 0.175, 0.13, 0.115]
    )
    tail = tube(
        [(-0.22, 0.56, 0), (-0.62, 0.46, 0), (-1.00, 0.38, 0), (-1.38, 0.50, 0)], [0.26, 0.175, 0.105, 0.045]
    )
    head = union(
        ellipsoid((0.71, 1.33, 0), (0.205, 0.19, 0.185)),
        ellipsoid((0.90, 1.27, 0), (0.165, 0.12, 0.145)),
        blend=0.08,
    )
    legs = [
        tube([(x, 0.50, 0.13), (x + 0.01, 0.30, 0.20), (x + 0.02, 0.10, 0.21)], [0.16, 0.135, 0.13])
        for x in (0.22, -0.34)
    ]
    feet = [ellipsoid((x + 0.045, 0.075, 0.21), (0.155, 0.085, 0.135)) for x in (0.22, -0.34)]
    body = union(trunk, neck, tail, blend=0.12)
    body = union(body, head, mirror(union(*legs, *feet, blend=0.05), axis=2), blend=0.07)
    body = subtract(body, mirror(_smile(0.010), axis=2), blend=0.02)
    return union(body, mirror(union(_eye(), _nails(0.0)), axis=2), blend=0.012)


def _eye() -> Field:
    return ellipsoid((0.79, 1.395, 0.142), (0.046, 0.054, 0.038))


def _smile(radius: float) -> Field:
    return tube([(1.065, 1.245, 0), (1.02, 1.23, 0.085), (0.93, 1.225, 0.142), (0.84, 1.255, 0.172)], radius)


def _nails(grow: float) -> Field:
    return union(
        *(
            sphere((x + 0.185 - 0.042 * abs(k), 0.048, 0.21 + 0.075 * k), 0.04 + grow)
            for x in (0.22, -0.34)
            for k in (-1, 0, 1)
        )
    )


def _paint() -> list[tuple[Colour, Field]]:
    under = union(
        ellipsoid((-0.05, 0.32, 0), (0.50, 0.20, 0.19)),
        tube([(0.30, 0.46, 0), (0.60, 0.66, 0), (0.735, 0.95, 0), (0.80, 1.14, 0)], [0.15, 0.12, 0.09, 0.08]),
        tube([(-0.40, 0.34, 0), (-0.75, 0.28, 0), (-1.1, 0.27, 0)], [0.14, 0.10, 0.05]),
        blend=0.05,
    )
    spots = [
        sphere((0.10, 0.90, 0.10), 0.085),
        sphere((-0.12, 0.85, 0.22), 0.075),
        sphere((-0.30, 0.88, 0.05), 0.095),
        sphere((-0.50, 0.70, 0.14), 0.065),
        sphere((-0.72, 0.63, 0.05), 0.075),
        sphere((-0.98, 0.49, 0.05), 0.055),
        sphere((0.36, 0.86, 0.09), 0.06),
        sphere((0.46, 1.02, 0.03), 0.06),
    ]
    return [
        (BELLY, under),
        (SPOT, mirror(union(*spots), axis=2)),
        (CHEEK, mirror(sphere((0.81, 1.295, 0.195), 0.05), axis=2)),
        (DARK, mirror(_smile(0.016), axis=2)),
        (DARK, mirror(ellipsoid((0.795, 1.395, 0.155), (0.053, 0.061, 0.05)), axis=2)),
        (DARK, mirror(sphere((1.035, 1.335, 0.05), 0.02), axis=2)),
        (NAIL, mirror(_nails(0.012), axis=2)),
    ]
