"""A teddy bear."""

from functools import lru_cache

from scipy.spatial.transform import Rotation

from pliant.body.body import Body
from pliant.geometry.distance import (
    Field,
    capsule,
    ellipsoid,
    mirror,
    sphere,
    subtract,
    tube,
    turned,
    union,
)
from pliant.shapes.sculpt import recast, sculpt

FUR = (0.76, 0.52, 0.31)
CREAM = (0.95, 0.84, 0.68)
DARK_BROWN = (0.16, 0.11, 0.10)


def teddy(*, particles: int = 1280, density: float = 1000.0, name: str = "teddy") -> Body:
    """A teddy bear that sits and looks along +z, 1.4 m tall.

    >>> 1152 <= len(teddy().rest) <= 1408
    True
    """
    return recast(_build(int(particles)), float(density), name)


@lru_cache(maxsize=8)
def _build(particles: int) -> Body:
    return sculpt(
        _shape(),
        (-0.75, -0.1, -0.6),
        (0.75, 1.55, 0.85),
        cell=0.028,
        particles=particles,
        mirror=0,
        base=FUR,
        paint=_paint(),
        name="teddy",
    )


def _shape() -> Field:
    belly = union(
        ellipsoid((0, 0.40, 0), (0.37, 0.40, 0.34)),
        ellipsoid((0, 0.64, 0.01), (0.27, 0.22, 0.24)),
        blend=0.15,
    )
    snout = ellipsoid((0, 0.945, 0.32), (0.155, 0.12, 0.13))
    ear = subtract(
        ellipsoid((0.285, 1.285, 0.02), (0.135, 0.135, 0.075)), sphere((0.29, 1.29, 0.135), 0.095), blend=0.04
    )
    arm = tube(
        [(0.24, 0.70, 0.02), (0.42, 0.64, 0.06), (0.54, 0.54, 0.15), (0.58, 0.47, 0.27)],
        [0.12, 0.115, 0.12, 0.13],
    )
    leg = tube([(0.18, 0.17, 0.10), (0.29, 0.15, 0.34), (0.36, 0.16, 0.54)], [0.15, 0.145, 0.135])
    foot = _foot()
    limbs = mirror(union(ear, arm, leg, foot, blend=0.05))
    body = union(belly, _head(), blend=0.08)
    body = union(body, limbs, sphere((0, 0.20, -0.36), 0.10), blend=0.05)
    face = union(body, snout, blend=0.07)
    face = subtract(face, _mouth(0.012), blend=0.02)
    return union(face, _nose(), mirror(_eye()), blend=0.01)


def _head(grow: float = 0.0) -> Field:
    return ellipsoid((0, 1.03, 0.05), (0.36 + grow, 0.315 + grow, 0.315 + grow))


def _foot() -> Field:
    return turned(
        ellipsoid((0.37, 0.185, 0.60), (0.15, 0.185, 0.10)),
        Rotation.from_euler("yx", [14, -8], degrees=True),
        (0.37, 0.185, 0.60),
    )


def _nose() -> Field:
    return ellipsoid((0, 1.0, 0.44), (0.062, 0.045, 0.04))


def _eye() -> Field:
    return ellipsoid((0.135, 1.075, 0.335), (0.038, 0.044, 0.03))


def _mouth(radius: float) -> Field:
    """A seam down from the nose and a smile to both sides."""
    return mirror(
        union(
            capsule((0, 0.99, 0.46), (0, 0.915, 0.45), radius),
            tube([(0, 0.915, 0.45), (0.05, 0.89, 0.435), (0.095, 0.905, 0.405)], radius, pieces=8),
        )
    )


def _paint() -> list[tuple[tuple[float, float, float], Field]]:
    return [
        (CREAM, ellipsoid((0, 0.935, 0.36), (0.175, 0.135, 0.16))),
        (CREAM, ellipsoid((0, 0.46, 0.32), (0.21, 0.23, 0.16))),
        (CREAM, mirror(subtract(sphere((0.29, 1.285, 0.115), 0.098), _head(0.025)))),
        (CREAM, mirror(sphere((0.395, 0.16, 0.73), 0.115))),
        (CREAM, mirror(sphere((0.585, 0.44, 0.39), 0.09))),
        (DARK_BROWN, _mouth(0.02)),
        (DARK_BROWN, ellipsoid((0, 1.0, 0.445), (0.068, 0.051, 0.05))),
        (DARK_BROWN, mirror(ellipsoid((0.135, 1.075, 0.34), (0.044, 0.05, 0.045)))),
    ]
