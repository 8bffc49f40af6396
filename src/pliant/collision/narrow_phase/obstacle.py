# mypy: disallow-untyped-defs=False, check-untyped-defs=False
"""A point against an obstacle, as it stands at the begin of the sub-step."""

import math

from pliant.collision.grid_kernels import sample
from pliant.collision.layout import (
    BOX,
    CAPSULE,
    CENTRE_AFTER,
    CENTRE_BEFORE,
    MESH,
    OBSTACLE_KIND,
    OBSTACLE_REACH,
    OBSTACLE_SIZES,
    OBSTACLE_WAY,
    PLANE,
    ROTATION_AFTER,
    ROTATION_BEFORE,
)
from pliant.runtime.jit import inner, part


@inner
def into_frame(c, rotation, d0, d1, d2):
    """R^T d."""
    return (
        c[rotation] * d0 + c[rotation + 3] * d1 + c[rotation + 6] * d2,
        c[rotation + 1] * d0 + c[rotation + 4] * d1 + c[rotation + 7] * d2,
        c[rotation + 2] * d0 + c[rotation + 5] * d1 + c[rotation + 8] * d2,
    )


@inner
def out_of_frame(c, rotation, q0, q1, q2):
    """R q."""
    return (
        c[rotation] * q0 + c[rotation + 1] * q1 + c[rotation + 2] * q2,
        c[rotation + 3] * q0 + c[rotation + 4] * q1 + c[rotation + 5] * q2,
        c[rotation + 6] * q0 + c[rotation + 7] * q1 + c[rotation + 8] * q2,
    )


@part
def distance_to(c, at, grids, q0, q1, q2):
    """Signed distance and outward normal at a point in the frame of an obstacle."""
    kind = c[at + OBSTACLE_KIND]
    size = c[at + OBSTACLE_SIZES]
    if kind == PLANE:
        return q1, 0.0, 1.0, 0.0
    if kind == MESH:
        return sample(grids, int(size), q0, q1, q2)
    if kind == BOX:
        d0 = abs(q0) - size
        d1 = abs(q1) - c[at + OBSTACLE_SIZES + 1]
        d2 = abs(q2) - c[at + OBSTACLE_SIZES + 2]
        o0, o1, o2 = max(d0, 0.0), max(d1, 0.0), max(d2, 0.0)
        beyond = math.sqrt(o0 * o0 + o1 * o1 + o2 * o2)
        if beyond > 0.0:
            k = 1.0 / beyond
            return beyond, k * math.copysign(o0, q0), k * math.copysign(o1, q1), k * math.copysign(o2, q2)
        if d0 >= d1 and d0 >= d2:
            return d0, math.copysign(1.0, q0), 0.0, 0.0
        if d1 >= d2:
            return d1, 0.0, math.copysign(1.0, q1), 0.0
        return d2, 0.0, 0.0, math.copysign(1.0, q2)
    if kind == CAPSULE:  # a sphere round the nearest point of the axis
        half = c[at + OBSTACLE_SIZES + 1]
        q1 -= min(max(q1, -half), half)
    length = math.sqrt(q0 * q0 + q1 * q1 + q2 * q2)
    if length < 1e-9 * size:
        return -size, (1.0 if kind == CAPSULE else 0.0), (0.0 if kind == CAPSULE else 1.0), 0.0
    return length - size, q0 / length, q1 / length, q2 / length


@part
def gap_to_obstacle(c, at, grids, q0, q1, q2):
    """Gap and normal at a point of the world, before the sub-step."""
    return gap_in_frame(c, at, at + ROTATION_BEFORE, at + CENTRE_BEFORE, grids, q0, q1, q2)


@part
def gap_in_frame(c, at, rotation, b, grids, q0, q1, q2):
    """Gap and normal at a point of the world, where an obstacle has this rotation and this centre."""
    l0, l1, l2 = into_frame(c, rotation, q0 - c[b], q1 - c[b + 1], q2 - c[b + 2])
    d, n0, n1, n2 = distance_to(c, at, grids, l0, l1, l2)
    n0, n1, n2 = out_of_frame(c, rotation, n0, n1, n2)
    return d, n0, n1, n2


@part
def apart_from_obstacle(c, at, boxes, b):
    """How far an obstacle is from what is in a box, at least (m)."""
    m0, m1 = 0.5 * (boxes[b] + boxes[b + 3]), 0.5 * (boxes[b + 1] + boxes[b + 4])
    m2 = 0.5 * (boxes[b + 2] + boxes[b + 5])
    e0, e1, e2 = boxes[b + 3] - m0, boxes[b + 4] - m1, boxes[b + 5] - m2
    d0, d1, d2 = m0 - c[at + CENTRE_AFTER], m1 - c[at + CENTRE_AFTER + 1], m2 - c[at + CENTRE_AFTER + 2]
    if c[at + OBSTACLE_KIND] == PLANE:
        r = at + ROTATION_AFTER
        extent = abs(c[r + 1]) * e0 + abs(c[r + 4]) * e1 + abs(c[r + 7]) * e2
        return c[r + 1] * d0 + c[r + 4] * d1 + c[r + 7] * d2 - extent - c[at + OBSTACLE_WAY]
    far = c[at + OBSTACLE_REACH]
    g0, g1, g2 = max(abs(d0) - e0, 0.0), max(abs(d1) - e1, 0.0), max(abs(d2) - e2, 0.0)
    return math.sqrt(g0 * g0 + g1 * g1 + g2 * g2) - far


@part
def surface_velocity(c, at, rate, a0, a1, a2):
    """How fast the matter of an obstacle goes that is at a point of the world. rate: 1 / h."""
    b = at + CENTRE_BEFORE
    l0, l1, l2 = into_frame(c, at + ROTATION_BEFORE, a0 - c[b], a1 - c[b + 1], a2 - c[b + 2])
    w0, w1, w2 = out_of_frame(c, at + ROTATION_AFTER, l0, l1, l2)
    return (
        rate * (w0 + c[at + CENTRE_AFTER] - a0),
        rate * (w1 + c[at + CENTRE_AFTER + 1] - a1),
        rate * (w2 + c[at + CENTRE_AFTER + 2] - a2),
    )
