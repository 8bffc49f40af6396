# mypy: disallow-untyped-defs=False, check-untyped-defs=False
"""The frame of a body: where its rest shape is in the world, as well as one rotation can say it."""

import numpy as np

from pliant.collision.layout import (
    BODY,
    BODY_END,
    BODY_FIRST,
    BODY_FRAME,
    CENTRE,
    CENTRE_AT_REST,
    FIELD,
    KIND,
    QUATERNION,
    STIFF,
    SUBSTEP_NUMBER,
)
from pliant.maths.polar import best_rotation
from pliant.maths.quaternion import rotation_matrix
from pliant.runtime.instructions import breathe, room, swap, tell, told
from pliant.runtime.jit import part

NINE, FOUR = 9, 4


@part
def set_frame(frames, at, c0, c1, c2, q):
    """From a centre and a quaternion."""
    r = frames[at : at + 9]
    r[0], r[1], r[2], r[3], r[4], r[5], r[6], r[7], r[8] = rotation_matrix(q[0], q[1], q[2], q[3], 1.0)
    frames[at + CENTRE], frames[at + CENTRE + 1], frames[at + CENTRE + 2] = c0, c1, c2
    for k in range(4):
        frames[at + QUATERNION + k] = q[k]


@part
def centre_of_mass(nodes, first, last):
    """Mass of the particles from first to last, and where its centre is."""
    total = c0 = c1 = c2 = 0.0
    for i in range(first, last):
        m = float(nodes.masses[i])
        total += m
        c0 += m * nodes.x[4 * i]
        c1 += m * nodes.x[4 * i + 1]
        c2 += m * nodes.x[4 * i + 2]
    return total, c0 / total, c1 / total, c2 / total


@part
def fit_frame(shapes, nodes, frames, body):
    """Of a soft body: the rigid motion of its rest shape that is nearest to its particles."""
    at, rest = BODY_FRAME * body, shapes.particle_rest
    first, last = shapes.bodies[BODY * body + BODY_FIRST], shapes.bodies[BODY * body + BODY_END]
    _, c0, c1, c2 = centre_of_mass(nodes, first, last)
    o0, o1, o2 = frames[at + CENTRE_AT_REST], frames[at + CENTRE_AT_REST + 1], frames[at + CENTRE_AT_REST + 2]
    a, q, old = room(np.float64, NINE), room(np.float64, FOUR), room(np.float64, FOUR)
    a[:] = 0.0
    for i in range(first, last):
        m = float(nodes.masses[i])
        x0, x1, x2 = m * (nodes.x[4 * i] - c0), m * (nodes.x[4 * i + 1] - c1), m * (nodes.x[4 * i + 2] - c2)
        r0, r1, r2 = rest[3 * i] - o0, rest[3 * i + 1] - o1, rest[3 * i + 2] - o2
        a[0] += x0 * r0
        a[1] += x0 * r1
        a[2] += x0 * r2
        a[3] += x1 * r0
        a[4] += x1 * r1
        a[5] += x1 * r2
        a[6] += x2 * r0
        a[7] += x2 * r1
        a[8] += x2 * r2
    for k in range(4):
        old[k] = frames[at + QUATERNION + k]
    best_rotation(a, old, q)
    set_frame(frames, at, c0, c1, c2, q)


@part
def frame_body(shapes, nodes, work, body):
    """The frame of a body, once in a sub-step, by the thread that is first to need it. That of a rigid body that is
    awake is known."""
    number, known = work.counts[SUBSTEP_NUMBER], told(work.framed, body)
    if known == number:
        return
    if known == -number or swap(work.framed, body, known, -number) != known:
        while told(work.framed, body) != number:
            breathe()
        return
    stiff = shapes.bodies[BODY * body + KIND] == STIFF
    if (not stiff and shapes.bodies[BODY * body + FIELD] >= 0) or (stiff and work.awake[body] == 0):
        fit_frame(shapes, nodes, work.frames, body)
    tell(work.framed, body, number)
