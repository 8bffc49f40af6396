# mypy: disallow-untyped-defs=False, check-untyped-defs=False
"""Damping: velocities are pulled towards the rigid motion of their body, which keeps its momentum and angular
momentum; drag slows all of it."""

import numpy as np

from pliant.collision.layout import BODY, BODY_END, BODY_FIRST
from pliant.dynamics.rigid_nodes import add_inertia, invert
from pliant.runtime.instructions import room
from pliant.runtime.jit import part

NINE = 9


@part
def damp_body(shapes, nodes, p, body, keep, drag):
    """keep: what is left of deviations after the sub-step; drag: of everything."""
    if keep == 1.0 and drag == 1.0:
        return
    first, last = shapes.bodies[BODY * body + BODY_FIRST], shapes.bodies[BODY * body + BODY_END]
    u = nodes.u
    f = 4 * first
    o0, o1, o2 = float(p[f]), float(p[f + 1]), float(p[f + 2])  # near the body: squares stay small
    m = c0 = c1 = c2 = v0 = v1 = v2 = l0 = l1 = l2 = i00 = i11 = i22 = i01 = i02 = i12 = 0.0
    for i in range(first, last):
        f = 4 * i
        mass = float(nodes.masses[i])
        r0, r1, r2 = p[f] - o0, p[f + 1] - o1, p[f + 2] - o2
        u0, u1, u2 = mass * u[f], mass * u[f + 1], mass * u[f + 2]
        m += mass
        v0 += u0
        v1 += u1
        v2 += u2
        l0 += r1 * u2 - r2 * u1
        l1 += r2 * u0 - r0 * u2
        l2 += r0 * u1 - r1 * u0
        s0, s1, s2 = mass * r0, mass * r1, mass * r2
        c0 += s0
        c1 += s1
        c2 += s2
        i00 += s0 * r0
        i11 += s1 * r1
        i22 += s2 * r2
        i01 += s0 * r1
        i02 += s0 * r2
        i12 += s1 * r2
    c0, c1, c2, v0, v1, v2 = c0 / m, c1 / m, c2 / m, v0 / m, v1 / m, v2 / m
    l0 -= m * (c1 * v2 - c2 * v1)
    l1 -= m * (c2 * v0 - c0 * v2)
    l2 -= m * (c0 * v1 - c1 * v0)
    inertia, inverse = room(np.float64, NINE), room(np.float64, NINE)
    inertia[0], inertia[4], inertia[8] = i11 + i22, i00 + i22, i00 + i11
    inertia[1], inertia[2], inertia[5] = -i01, -i02, -i12
    inertia[3], inertia[6], inertia[7] = -i01, -i02, -i12
    add_inertia(inertia, -m, c0, c1, c2)
    invert(inertia, inverse)
    w0 = inverse[0] * l0 + inverse[1] * l1 + inverse[2] * l2
    w1 = inverse[3] * l0 + inverse[4] * l1 + inverse[5] * l2
    w2 = inverse[6] * l0 + inverse[7] * l1 + inverse[8] * l2
    left, rigid = keep * drag, drag - keep * drag
    o0, o1, o2 = o0 + c0, o1 + c1, o2 + c2
    v0, v1, v2, w0, w1, w2 = rigid * v0, rigid * v1, rigid * v2, rigid * w0, rigid * w1, rigid * w2
    for i in range(first, last):
        if nodes.inverse[i] > 0.0:
            f = 4 * i
            r0, r1, r2 = p[f] - o0, p[f + 1] - o1, p[f + 2] - o2
            u[f] = left * u[f] + v0 + w1 * r2 - w2 * r1
            u[f + 1] = left * u[f + 1] + v1 + w2 * r0 - w0 * r2
            u[f + 2] = left * u[f + 2] + v2 + w0 * r1 - w1 * r0
