# mypy: disallow-untyped-defs=False, check-untyped-defs=False
"""Rigid bodies as nodes: from the momenta of their particles to velocity and angular velocity, and back.

The inertia of a rigid body is that of its particles. Momentum P = sum m u and angular momentum L = sum m r x u about
the centre give V = P / M and w = I^-1 L; contacts change these; then c' = c + h V, R' = exp(h w) R, and because L stays
while the body turns, w' = I'^-1 I w. A body that pins hold turns about them: three that are not in a line hold it fast,
two leave an axis, one a point."""

import math

import numpy as np

from pliant.collision.frames import fit_frame, set_frame
from pliant.collision.layout import BODY, BODY_END, BODY_FIRST, BODY_FRAME, CENTRE, CENTRE_AT_REST, QUATERNION
from pliant.dynamics.layout import (
    ANGULAR,
    BODY_NODE,
    INERTIA,
    INVERSE_INERTIA,
    INVERSE_MASS,
    PIVOT,
    VELOCITY,
)
from pliant.maths.quaternion import product
from pliant.maths.symmetric import pseudo_inverse
from pliant.runtime.instructions import room
from pliant.runtime.jit import inner, part

FOUR = 4
MIDWAY_ROUNDS = 4  # each is nearer by the angle of half a sub-step
SLENDER = 1e-6  # determinant of an inertia, in cubes of its trace: below it cofactors lose more than ten digits


@part
def invert(m, out):
    """The inverse of an inertia (9); nothing about an axis without inertia, such as that of a straight rope.
    Returns whether there is one, or nearly."""
    c00 = m[4] * m[8] - m[5] * m[7]
    c01 = m[5] * m[6] - m[3] * m[8]
    c02 = m[3] * m[7] - m[4] * m[6]
    det = m[0] * c00 + m[1] * c01 + m[2] * c02
    size = m[0] + m[4] + m[8]
    if not (det > SLENDER * size * size * size):
        pseudo_inverse(m, out)
        return True
    k = 1.0 / det
    out[0], out[1], out[2] = k * c00, k * c01, k * c02
    out[3], out[4], out[5] = k * c01, k * (m[0] * m[8] - m[2] * m[6]), k * (m[1] * m[6] - m[0] * m[7])
    out[6], out[7], out[8] = k * c02, k * (m[1] * m[6] - m[0] * m[7]), k * (m[0] * m[4] - m[1] * m[3])
    return False


@part
def add_inertia(m, mass, r0, r1, r2):
    m[0] += mass * (r1 * r1 + r2 * r2)
    m[4] += mass * (r0 * r0 + r2 * r2)
    m[8] += mass * (r0 * r0 + r1 * r1)
    m[1] -= mass * r0 * r1
    m[2] -= mass * r0 * r2
    m[5] -= mass * r1 * r2
    m[3], m[6], m[7] = m[1], m[2], m[5]


@part
def take_rigid(shapes, nodes, frames, body, index):
    """The node of a rigid body from the velocities u of its particles, at the begin of the sub-step."""
    fit_frame(shapes, nodes, frames, body)
    node = nodes.rigid[BODY_NODE * index : BODY_NODE * (index + 1)]
    at = BODY_FRAME * body
    c0, c1, c2 = frames[at + CENTRE], frames[at + CENTRE + 1], frames[at + CENTRE + 2]
    first, last = shapes.bodies[BODY * body + BODY_FIRST], shapes.bodies[BODY * body + BODY_END]
    inertia, inverse = node[INERTIA : INERTIA + 9], node[INVERSE_INERTIA : INVERSE_INERTIA + 9]
    inertia[:] = 0.0
    total = p0 = p1 = p2 = l0 = l1 = l2 = 0.0
    pinned = False
    for i in range(first, last):
        m, f = float(nodes.masses[i]), 4 * i
        r0, r1, r2 = nodes.x[f] - c0, nodes.x[f + 1] - c1, nodes.x[f + 2] - c2
        u0, u1, u2 = m * nodes.u[f], m * nodes.u[f + 1], m * nodes.u[f + 2]
        total += m
        p0 += u0
        p1 += u1
        p2 += u2
        l0 += r1 * u2 - r2 * u1
        l1 += r2 * u0 - r0 * u2
        l2 += r0 * u1 - r1 * u0
        add_inertia(inertia, m, r0, r1, r2)
        pinned = pinned or nodes.inverse[i] == 0.0
    invert(inertia, inverse)
    node[PIVOT], node[PIVOT + 1], node[PIVOT + 2] = c0, c1, c2
    node[VELOCITY], node[VELOCITY + 1], node[VELOCITY + 2] = p0 / total, p1 / total, p2 / total
    for k in range(3):
        node[ANGULAR + k] = inverse[3 * k] * l0 + inverse[3 * k + 1] * l1 + inverse[3 * k + 2] * l2
    node[INVERSE_MASS] = 1.0 / total
    if pinned:
        hold(shapes, nodes, node, body, total)


@part
def hold(shapes, nodes, node, body, total):
    """A body that is pinned turns about what holds it, if at all; its velocities are what the pins and its own motion
    gave the particles."""
    first, last = shapes.bodies[BODY * body + BODY_FIRST], shapes.bodies[BODY * body + BODY_END]
    count = 0
    a0 = a1 = a2 = 0.0
    for i in range(first, last):
        if nodes.inverse[i] == 0.0:
            count += 1
            a0 += nodes.x[4 * i]
            a1 += nodes.x[4 * i + 1]
            a2 += nodes.x[4 * i + 2]
    a0, a1, a2 = a0 / count, a1 / count, a2 / count
    e0 = e1 = e2 = widest = 0.0  # from the middle of the pins to the farthest of them
    for i in range(first, last):
        if nodes.inverse[i] == 0.0:
            d0, d1, d2 = nodes.x[4 * i] - a0, nodes.x[4 * i + 1] - a1, nodes.x[4 * i + 2] - a2
            far = d0 * d0 + d1 * d1 + d2 * d2
            if far > widest:
                e0, e1, e2, widest = d0, d1, d2, far
    aside = 0.0
    for i in range(first, last):
        if nodes.inverse[i] == 0.0 and widest > 0.0:
            d0, d1, d2 = nodes.x[4 * i] - a0, nodes.x[4 * i + 1] - a1, nodes.x[4 * i + 2] - a2
            along = d0 * e0 + d1 * e1 + d2 * e2
            aside = max(aside, d0 * d0 + d1 * d1 + d2 * d2 - along * along / widest)
    inertia, inverse = node[INERTIA : INERTIA + 9], node[INVERSE_INERTIA : INVERSE_INERTIA + 9]
    r0, r1, r2 = node[PIVOT] - a0, node[PIVOT + 1] - a1, node[PIVOT + 2] - a2
    add_inertia(inertia, total, r0, r1, r2)
    w0, w1, w2 = node[ANGULAR], node[ANGULAR + 1], node[ANGULAR + 2]
    node[VELOCITY] -= w1 * r2 - w2 * r1
    node[VELOCITY + 1] -= w2 * r0 - w0 * r2
    node[VELOCITY + 2] -= w0 * r1 - w1 * r0
    node[PIVOT], node[PIVOT + 1], node[PIVOT + 2] = a0, a1, a2
    node[INVERSE_MASS] = 0.0
    invert(inertia, inverse)
    if aside > 1e-9 * widest:
        inverse[:] = 0.0
    elif widest > 0.0:  # about the axis only
        about = e0 * (inertia[0] * e0 + inertia[1] * e1 + inertia[2] * e2)
        about += e1 * (inertia[3] * e0 + inertia[4] * e1 + inertia[5] * e2)
        about += e2 * (inertia[6] * e0 + inertia[7] * e1 + inertia[8] * e2)
        k = 1.0 / about if about > 0.0 else 0.0
        inverse[0], inverse[1], inverse[2] = k * e0 * e0, k * e0 * e1, k * e0 * e2
        inverse[3], inverse[4], inverse[5] = k * e1 * e0, k * e1 * e1, k * e1 * e2
        inverse[6], inverse[7], inverse[8] = k * e2 * e0, k * e2 * e1, k * e2 * e2


@part
def turned_by(q, w0, w1, w2):
    """The quaternion turned by a rotation vector (rad, world axes)."""
    angle = math.sqrt(w0 * w0 + w1 * w1 + w2 * w2)
    s = 0.5 if angle < 1e-9 else math.sin(0.5 * angle) / angle
    a, b, c, d = product(s * w0, s * w1, s * w2, math.cos(0.5 * angle), q[0], q[1], q[2], q[3])
    k = 1.0 / math.sqrt(a * a + b * b + c * c + d * d)
    q[0], q[1], q[2], q[3] = k * a, k * b, k * c, k * d


@inner
def turned_vector(w0, w1, w2, v0, v1, v2):
    """A vector turned by a rotation vector (rad): by Rodrigues."""
    square = w0 * w0 + w1 * w1 + w2 * w2
    angle = math.sqrt(square)
    s = 1.0 - square / 6.0 if angle < 1e-4 else math.sin(angle) / angle
    c = 0.5 - square / 24.0 if angle < 1e-4 else (1.0 - math.cos(angle)) / square
    a0, a1, a2 = w1 * v2 - w2 * v1, w2 * v0 - w0 * v2, w0 * v1 - w1 * v0
    return (
        v0 + s * a0 + c * (w1 * a2 - w2 * a1),
        v1 + s * a1 + c * (w2 * a0 - w0 * a2),
        v2 + s * a2 + c * (w0 * a1 - w1 * a0),
    )


@part
def midway(node, h):
    """The angular velocity in the middle of the sub-step, of a body whose angular momentum L stays: w = D I^-1 D^T L, D
    being the turn by h / 2 w (implicit midpoint). With that of the begin a brick that tumbles gains energy."""
    i, j = node[INERTIA : INERTIA + 9], node[INVERSE_INERTIA : INVERSE_INERTIA + 9]
    w0, w1, w2 = node[ANGULAR], node[ANGULAR + 1], node[ANGULAR + 2]
    l0 = i[0] * w0 + i[1] * w1 + i[2] * w2
    l1 = i[3] * w0 + i[4] * w1 + i[5] * w2
    l2 = i[6] * w0 + i[7] * w1 + i[8] * w2
    for _round in range(MIDWAY_ROUNDS):
        k = 0.5 * h
        b0, b1, b2 = turned_vector(-k * w0, -k * w1, -k * w2, l0, l1, l2)
        w0, w1, w2 = turned_vector(
            k * w0, k * w1, k * w2,
            j[0] * b0 + j[1] * b1 + j[2] * b2, j[3] * b0 + j[4] * b1 + j[5] * b2, j[6] * b0 + j[7] * b1 + j[8] * b2,
        )  # fmt: skip
    return w0, w1, w2


@part
def move_rigid(shapes, nodes, frames, p, body, index, h):
    """Where the node goes in the sub-step, and all particles with it; frames: as they are after it."""
    node = nodes.rigid[BODY_NODE * index : BODY_NODE * (index + 1)]
    at, rest = BODY_FRAME * body, shapes.particle_rest
    real = p.dtype.type
    w0, w1, w2 = node[ANGULAR], node[ANGULAR + 1], node[ANGULAR + 2]
    q = room(np.float64, FOUR)
    for k in range(4):
        q[k] = frames[at + QUATERNION + k]
    c0, c1, c2 = frames[at + CENTRE], frames[at + CENTRE + 1], frames[at + CENTRE + 2]
    a0, a1, a2 = node[PIVOT], node[PIVOT + 1], node[PIVOT + 2]
    # the centre about the pivot, before and after, in the frame that turns
    f = frames
    d0, d1, d2 = c0 - a0, c1 - a1, c2 - a2
    b0 = f[at] * d0 + f[at + 3] * d1 + f[at + 6] * d2
    b1 = f[at + 1] * d0 + f[at + 4] * d1 + f[at + 7] * d2
    b2 = f[at + 2] * d0 + f[at + 5] * d1 + f[at + 8] * d2
    m0, m1, m2 = midway(node, h) if node[INVERSE_MASS] > 0.0 else (w0, w1, w2)
    turned_by(q, h * m0, h * m1, h * m2)
    a0, a1, a2 = a0 + h * node[VELOCITY], a1 + h * node[VELOCITY + 1], a2 + h * node[VELOCITY + 2]
    set_frame(frames, at, 0.0, 0.0, 0.0, q)
    c0 = a0 + f[at] * b0 + f[at + 1] * b1 + f[at + 2] * b2
    c1 = a1 + f[at + 3] * b0 + f[at + 4] * b1 + f[at + 5] * b2
    c2 = a2 + f[at + 6] * b0 + f[at + 7] * b1 + f[at + 8] * b2
    f[at + CENTRE], f[at + CENTRE + 1], f[at + CENTRE + 2] = c0, c1, c2
    node[PIVOT], node[PIVOT + 1], node[PIVOT + 2] = a0, a1, a2
    o0, o1, o2 = f[at + CENTRE_AT_REST], f[at + CENTRE_AT_REST + 1], f[at + CENTRE_AT_REST + 2]
    first, last = shapes.bodies[BODY * body + BODY_FIRST], shapes.bodies[BODY * body + BODY_END]
    old, new = node[INERTIA : INERTIA + 9], node[INVERSE_INERTIA : INVERSE_INERTIA + 9]
    l0 = old[0] * w0 + old[1] * w1 + old[2] * w2
    l1 = old[3] * w0 + old[4] * w1 + old[5] * w2
    l2 = old[6] * w0 + old[7] * w1 + old[8] * w2
    free = node[INVERSE_MASS] > 0.0
    if free:
        old[:] = 0.0
    for i in range(first, last):
        s0, s1, s2 = rest[3 * i] - o0, rest[3 * i + 1] - o1, rest[3 * i + 2] - o2
        r0 = f[at] * s0 + f[at + 1] * s1 + f[at + 2] * s2
        r1 = f[at + 3] * s0 + f[at + 4] * s1 + f[at + 5] * s2
        r2 = f[at + 6] * s0 + f[at + 7] * s1 + f[at + 8] * s2
        p[4 * i], p[4 * i + 1], p[4 * i + 2] = real(c0 + r0), real(c1 + r1), real(c2 + r2)
        if free:
            add_inertia(old, float(nodes.masses[i]), r0, r1, r2)
    if free:
        invert(old, new)
        for k in range(3):
            node[ANGULAR + k] = new[3 * k] * l0 + new[3 * k + 1] * l1 + new[3 * k + 2] * l2


@part
def give_velocities(shapes, nodes, p, body, index):
    """The velocities of a rigid body's particles, where they are after the sub-step."""
    node = nodes.rigid[BODY_NODE * index : BODY_NODE * (index + 1)]
    w0, w1, w2 = node[ANGULAR], node[ANGULAR + 1], node[ANGULAR + 2]
    for i in range(shapes.bodies[BODY * body + BODY_FIRST], shapes.bodies[BODY * body + BODY_END]):
        f = 4 * i
        r0, r1, r2 = p[f] - node[PIVOT], p[f + 1] - node[PIVOT + 1], p[f + 2] - node[PIVOT + 2]
        nodes.u[f] = node[VELOCITY] + w1 * r2 - w2 * r1
        nodes.u[f + 1] = node[VELOCITY + 1] + w2 * r0 - w0 * r2
        nodes.u[f + 2] = node[VELOCITY + 2] + w0 * r1 - w1 * r0
