"""A small round car."""

from functools import lru_cache

from pliant.body.body import Body
from pliant.geometry.distance import (
    Field,
    disc,
    ellipsoid,
    mirror,
    rounded_box,
    sphere,
    subtract,
    tube,
    union,
)
from pliant.shapes.sculpt import Colour, recast, sculpt

RED = (0.86, 0.24, 0.20)
GLASS = (0.16, 0.21, 0.27)
TYRE = (0.13, 0.13, 0.14)
STEEL = (0.80, 0.82, 0.84)
LAMP = (1.0, 0.95, 0.78)
TAIL = (0.62, 0.06, 0.07)

AXLES = (-0.50, 0.52)  # x
WHEEL = 0.185  # radius
TRACK = 0.35  # z of a wheel's middle


def car(*, particles: int = 192, density: float = 1000.0, name: str = "car") -> Body:
    """A little car, 1.8 m long, that drives along +x.

    >>> 172 <= len(car().rest) <= 212
    True
    """
    return recast(_build(int(particles)), float(density), name)


@lru_cache(maxsize=8)
def _build(particles: int) -> Body:
    return sculpt(
        _shape(),
        (-1.1, -0.1, -0.6),
        (1.1, 1.0, 0.6),
        cell=0.027,
        particles=particles,
        mirror=2,
        base=RED,
        paint=_paint(),
        name="car",
    )


def _shape() -> Field:
    body = union(_hull(), _cabin(), blend=0.10)
    return union(body, _wheels(), _bumpers(), mirror(_headlamp(), axis=2), blend=0.02)


def _hull(grow: float = 0.0) -> Field:
    floor = union(
        rounded_box((0, 0.31, 0), (0.86 + grow, 0.17 + grow, 0.34 + grow), 0.15),
        ellipsoid((0.52, 0.35, 0), (0.40 + grow, 0.21 + grow, 0.33 + grow)),
        ellipsoid((-0.54, 0.36, 0), (0.38 + grow, 0.23 + grow, 0.33 + grow)),
        blend=0.12,
    )
    fenders = [ellipsoid((x, 0.31, 0.28), (0.31 + grow, 0.20 + grow, 0.13 + grow)) for x in AXLES]
    return union(floor, mirror(union(*fenders), axis=2), blend=0.05)


def _cabin(grow: float = 0.0) -> Field:
    return ellipsoid((-0.10, 0.50, 0), (0.52 + grow, 0.36 + grow, 0.31 + grow))


def _wheels() -> Field:
    return union(*(mirror(disc((x, WHEEL, TRACK), WHEEL, 0.075, 0.045, (0, 0, 1)), axis=2) for x in AXLES))


def _bumpers() -> Field:
    front = [
        (0.78, 0.24, -0.30),
        (0.89, 0.23, -0.16),
        (0.915, 0.23, 0),
        (0.89, 0.23, 0.16),
        (0.78, 0.24, 0.30),
    ]
    return union(tube(front, 0.045), tube([(-x, y, z) for x, y, z in front], 0.045))


def _headlamp() -> Field:
    return sphere((0.80, 0.40, 0.21), 0.075)


def _paint() -> list[tuple[Colour, Field]]:
    # Panes: what lies between two heights and outside the posts.
    side = subtract(
        mirror(rounded_box((-0.10, 0.66, 0.36), (0.42, 0.10, 0.20), 0.05), axis=2),
        rounded_box((-0.09, 0.66, 0), (0.028, 0.30, 0.6), 0.01),
    )
    front = rounded_box((0.38, 0.66, 0), (0.22, 0.10, 0.185), 0.05)
    back = rounded_box((-0.58, 0.66, 0), (0.22, 0.09, 0.17), 0.05)
    hubs = [mirror(disc((x, WHEEL, TRACK + 0.09), 0.085, 0.06, 0.01, (0, 0, 1)), axis=2) for x in AXLES]
    tyres = [mirror(disc((x, WHEEL, TRACK), WHEEL + 0.012, 0.10, 0.02, (0, 0, 1)), axis=2) for x in AXLES]
    return [
        (GLASS, subtract(union(side, front, back), _hull(0.05))),
        (STEEL, _grown(_bumpers(), 0.012)),
        (LAMP, mirror(sphere((0.83, 0.41, 0.21), 0.072), axis=2)),
        (TAIL, mirror(sphere((-0.86, 0.40, 0.22), 0.065), axis=2)),
        (TYRE, union(*tyres)),
        (STEEL, union(*hubs)),
    ]


def _grown(field: Field, by: float) -> Field:
    return lambda points: field(points) - by
