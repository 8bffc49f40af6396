"""The bar of METHODS: 1 x 3 x 1 m, 5 x 13 x 5 particles, E 1e5, nu 0.3, with an example twisted by 90 degrees and a
fifth shorter."""

from functools import cache

import numpy as np

import pliant
from pliant.body import Body


@cache
def plain(cells=(4, 12, 4)):
    box = pliant.shapes.cuboid(size=(1, 3, 1), cells=cells)
    return Body(box.rest, tets=box.elements, density=200.0, name="bar")


@cache
def twisted(cells=(4, 12, 4)):
    body = plain(cells)
    return body.with_pose("twist", pliant.poses.twist(body, 90, axis="y", shorten=0.2, keep_volume=False))


def ends(body):
    """Masks of the particles at the bottom and at the top."""
    height = body.rest[:, 1]
    return height < height.min() + 1e-9, height > height.max() - 1e-9


def angle(body, positions):
    """Degrees by which the top is turned against the bottom, about the bar's length; the example has -90."""

    def turn(end):
        a, b = body.rest[end][:, [0, 2]], positions[end][:, [0, 2]]
        a, b = a - a.mean(axis=0), b - b.mean(axis=0)
        return np.arctan2((a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0]).sum(), (a * b).sum())

    bottom, top = ends(body)
    return float(np.degrees(turn(top) - turn(bottom)))


def squashed(body, by=0.2):
    """Start and what is held: the ends are pressed together and may widen and turn, their middles stay on the axis."""
    bottom, top = ends(body)
    on_axis = (np.abs(body.rest[:, [0, 2]]) < 1e-9).all(axis=1)
    fixed = np.zeros(body.rest.shape, bool)
    fixed[bottom | top, 1] = True
    fixed[(bottom | top) & on_axis] = True
    fixed[bottom & (body.rest[:, 0] > 0.4) & (np.abs(body.rest[:, 2]) < 1e-9), 2] = True  # the bottom does not turn
    return body.rest * (1, 1 - by, 1), fixed
