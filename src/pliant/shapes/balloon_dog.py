"""A dog twisted from one long balloon."""

from functools import lru_cache

import numpy as np

from pliant.body.body import Body
from pliant.geometry.distance import Field, mirror, sphere, tube, union
from pliant.shapes.sculpt import recast, sculpt

RUBBER = (0.93, 0.27, 0.47)

Point = tuple[float, float, float]


def balloon_dog(*, particles: int = 700, density: float = 1000.0, name: str = "balloon_dog") -> Body:
    """A balloon dog that stands on four legs and looks along +x, 1.3 m tall.

    >>> 630 <= len(balloon_dog().rest) <= 770
    True
    """
    return recast(_build(int(particles)), float(density), name)


@lru_cache(maxsize=8)
def _build(particles: int) -> Body:
    return sculpt(
        _shape(),
        (-0.95, -0.1, -0.5),
        (1.05, 1.5, 0.5),
        cell=0.025,
        particles=particles,
        mirror=2,
        base=RUBBER,
        name="balloon_dog",
    )


def _bubble(start: Point, end: Point, radius: float, *, free: bool = False) -> Field:
    """A bulge of the balloon: full over most of its length, drawn in at its twists; a free end is simply
    round."""
    a, b = np.array(start), np.array(end)
    t = np.array([0.0, 0.1, 0.26, 0.5, 0.74, 0.9, 1.0])
    width = radius * np.array([0.42, 0.80, 0.98, 1.0, 0.98, 0.80, 0.42])
    if free:
        width[-3:] = radius * np.array([1.0, 0.98, 0.95])
    return tube(a + t[:, None] * (b - a), width)


def _shape() -> Field:
    shoulder, hip, crown = (0.33, 0.62, 0.0), (-0.37, 0.60, 0.0), (0.47, 1.04, 0.0)
    body = _bubble(hip, shoulder, 0.15)
    neck = _bubble(shoulder, crown, 0.12)
    snout = _bubble(crown, (0.89, 0.99, 0.0), 0.13)
    tail = _bubble(hip, (-0.62, 1.00, 0.0), 0.075)
    legs = [
        _bubble((x, y, 0.03), (x + dx, 0.17, 0.19), 0.135, free=True)
        for x, y, dx in ((0.35, 0.58, 0.05), (-0.39, 0.56, -0.05))
    ]
    ear = _bubble((0.46, 1.06, 0.02), (0.32, 1.30, 0.145), 0.10, free=True)
    knot = union(sphere((0.90, 0.99, 0), 0.05), sphere((0.965, 0.985, 0), 0.038), blend=0.03)
    tip = union(sphere((-0.62, 1.00, 0), 0.042), sphere((-0.645, 1.045, 0), 0.05), blend=0.02)
    return union(body, neck, snout, tail, mirror(union(*legs, ear), axis=2), knot, tip, blend=0.03)
