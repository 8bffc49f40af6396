# mypy: disallow-untyped-defs=False, check-untyped-defs=False
"""Kernels of contact with colliders that are given by distances on a grid (geometry/distance_grid.py).

All grids stand in one array of float32, each with a head (layout.py) and then its distances, z fastest. A collider's
row says where its grid begins (GRID_START) and how much it is grown (GROWN, for ellipsoids)."""

import math

from pliant.runtime.jit import part
from pliant.world.layout import (
    FARTHEST,
    GRID,
    GRID_HIGH,
    GRID_LOW,
    GRID_ORIGIN,
    GRID_POINTS,
    GRID_SPACING,
    GRID_START,
    GROWN,
)

STEEP = 1.75  # the interpolated distance changes by no more than this on a metre (in a corner of a cell: sqrt(3))
SHORT = 0.25  # of a cell: the shortest stride; no wall that a grid can hold is thinner
STRIDES = 400
SUNK = 0.01  # of a cell: less is rounding


@part
def sample(g, at, q0, q1, q2):
    """Distance and outward normal at a point in the frame of the collider."""
    spacing = float(g[at + GRID_SPACING])
    if not (abs(q0) + abs(q1) + abs(q2) < FARTHEST):  # NaN as well
        return FARTHEST, 0.0, 1.0, 0.0
    u0 = min(max((q0 - g[at + GRID_ORIGIN]) / spacing, 0.0), g[at + GRID_POINTS] - 1.0)
    u1 = min(max((q1 - g[at + GRID_ORIGIN + 1]) / spacing, 0.0), g[at + GRID_POINTS + 1] - 1.0)
    u2 = min(max((q2 - g[at + GRID_ORIGIN + 2]) / spacing, 0.0), g[at + GRID_POINTS + 2] - 1.0)
    e0 = q0 - g[at + GRID_ORIGIN] - spacing * u0
    e1 = q1 - g[at + GRID_ORIGIN + 1] - spacing * u1
    e2 = q2 - g[at + GRID_ORIGIN + 2] - spacing * u2
    i = min(int(u0), int(g[at + GRID_POINTS]) - 2)
    j = min(int(u1), int(g[at + GRID_POINTS + 1]) - 2)
    k = min(int(u2), int(g[at + GRID_POINTS + 2]) - 2)
    u0 -= i
    u1 -= j
    u2 -= k
    rows = int(g[at + GRID_POINTS + 2])
    layers = rows * int(g[at + GRID_POINTS + 1])
    a = at + GRID + i * layers + j * rows + k
    b = a + layers
    # along z, then y, then x
    z00 = float(g[a + 1]) - float(g[a])
    z01 = float(g[a + rows + 1]) - float(g[a + rows])
    z10 = float(g[b + 1]) - float(g[b])
    z11 = float(g[b + rows + 1]) - float(g[b + rows])
    d00 = float(g[a]) + u2 * z00
    d01 = float(g[a + rows]) + u2 * z01
    d10 = float(g[b]) + u2 * z10
    d11 = float(g[b + rows]) + u2 * z11
    y0 = d01 - d00
    y1 = d11 - d10
    d0 = d00 + u1 * y0
    n0 = d10 + u1 * y1 - d0
    n1 = y0 + u0 * (y1 - y0)
    z0 = z00 + u1 * (z01 - z00)
    n2 = z0 + u0 * (z10 + u1 * (z11 - z10) - z0)
    d = d0 + u0 * n0
    length = math.sqrt(n0 * n0 + n1 * n1 + n2 * n2)
    if length < 1e-6 * spacing:
        n0, n1, n2 = 0.0, 1.0, 0.0
    else:
        n0, n1, n2 = n0 / length, n1 / length, n2 / length
    beyond = e0 * e0 + e1 * e1 + e2 * e2
    if beyond > 1e-12 * spacing * spacing:
        return outside(d, n0, n1, n2, e0, e1, e2, beyond)
    return d, n0, n1, n2


@part
def outside(d, n0, n1, n2, e0, e1, e2, beyond):
    """The same at a point that is e from the nearest one of the grid, where there are d and n. The surface lies within
    the box of the grid, so the angle between e and the line to it is blunt: sqrt(d^2 + e^2) is never too much. Nor can
    the distance be more than d + |e|; between these it goes on as it does at the edge."""
    far = d + n0 * e0 + n1 * e1 + n2 * e2
    far = min(max(far, math.sqrt(d * d + beyond)), d + math.sqrt(beyond))
    n0, n1, n2 = d * n0 + e0, d * n1 + e1, d * n2 + e2
    length = math.sqrt(n0 * n0 + n1 * n1 + n2 * n2)
    if length == 0.0:
        return far, 0.0, 1.0, 0.0
    return far, n0 / length, n1 / length, n2 / length


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
