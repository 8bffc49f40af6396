# mypy: disallow-untyped-defs=False, check-untyped-defs=False
"""Kernels of contact with colliders that are given by distances on a grid (geometry/distance_grid.py).

All grids stand in one array of float32, each with a head (layout.py) and then its distances, z fastest. A collider's
row says where its grid begins (GRID_START) and how much it is grown (GROWN, for ellipsoids)."""

import math

from pliant.collision.grid_kernels import sample
from pliant.runtime.jit import part
from pliant.world.layout import GRID_HIGH, GRID_LOW, GRID_SPACING, GRID_START, GROWN

STEEP = 1.75  # the interpolated distance changes by no more than this on a metre (in a corner of a cell: sqrt(3))
SHORT = 0.25  # of a cell: the shortest stride; no wall that a grid can hold is thinner
STRIDES = 400
SUNK = 0.01  # of a cell: less is rounding


@part
def near_grid(g, at, travel, q0, q1, q2):
    """Whether a point that travels so far (m) to q, in the frame of the collider, may come to the box round its
    surface."""
    return (
        q0 > g[at + GRID_LOW] - travel
        and q1 > g[at + GRID_LOW + 1] - travel
        and q2 > g[at + GRID_LOW + 2] - travel
        and q0 < g[at + GRID_HIGH] + travel
        and q1 < g[at + GRID_HIGH + 1] + travel
        and q2 < g[at + GRID_HIGH + 2] + travel
    )


@part
def overlap_grid(g, c, a0, a1, a2, b0, b1, b2):
    """As `overlap` of contact_kernels.py. A mesh need not be convex: a particle that lies on its floor may run against
    its wall in the same step. So the segment is walked even from a place on the surface, or a little below it, until it
    leads deeper than it began."""
    at = int(c[GRID_START])
    grown = c[GROWN]
    spacing = float(g[at + GRID_SPACING])
    end, n0, n1, n2 = sample(g, at, b0, b1, b2)
    end -= grown
    t0 = b0 - a0
    t1 = b1 - a1
    t2 = b2 - a2
    travel = math.sqrt(t0 * t0 + t1 * t1 + t2 * t2)
    if end >= STEEP * travel:
        return end, end, n0, n1, n2  # too far off
    begin, m0, m1, m2 = sample(g, at, a0, a1, a2)
    begin -= grown
    if travel < 0.5 * spacing:
        return end, begin, n0, n1, n2  # near: the nearest point of the surface
    level = min(begin, 0.0) - SUNK * spacing
    free = begin
    done = before = 0.0  # part of the segment
    for _stride in range(STRIDES):
        before = done
        done += max((free - level) / STEEP, SHORT * spacing) / travel
        if done >= 1.0:
            break
        free, m0, m1, m2 = sample(g, at, a0 + done * t0, a1 + done * t1, a2 + done * t2)
        free -= grown
        if free < level:
            break
    if done >= 1.0:
        if end >= level:
            return end, begin, n0, n1, n2
        done = 1.0
    for _halving in range(6):  # to where it arrives
        middle = 0.5 * (before + done)
        free, m0, m1, m2 = sample(g, at, a0 + middle * t0, a1 + middle * t1, a2 + middle * t2)
        free -= grown
        if free < level:
            done = middle
        else:
            before = middle
    free, m0, m1, m2 = sample(g, at, a0 + done * t0, a1 + done * t1, a2 + done * t2)
    return free - grown + (1.0 - done) * (m0 * t0 + m1 * t1 + m2 * t2), begin, m0, m1, m2
