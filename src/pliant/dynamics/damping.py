# mypy: disallow-untyped-defs=False, check-untyped-defs=False
"""Damping takes away what deviates from the rigid motion of a body; drag slows all of it.

In free flight that is the nearest rigid motion, which keeps momentum and angular momentum. A body that bounces or
rocks on the ground without leaving it is deforming, yet almost all of that motion looks rigid. So what is pinned or
lies on obstacles takes the nearest rigid motion that pins and contacts allow: where it is pinned or sticks, the
velocity that is there; where it slides, the part along the normal. A pendulum swings on its pin. It is a projection, so
damping never adds energy."""

import math

import numpy as np

from pliant.collision.layout import (
    BODY,
    BODY_END,
    BODY_FIRST,
    IMPULSES,
    KIND,
    MASSES,
    NORMAL,
    POINT,
    ROW,
    ROW_FRICTION,
    STIFF,
)
from pliant.dynamics.layout import ANGULAR, BODY_NODE, INVERSE_INERTIA, INVERSE_MASS, PIVOT, VELOCITY
from pliant.dynamics.rigid_nodes import add_inertia, invert
from pliant.dynamics.sides import side_a, velocity
from pliant.maths.symmetric import solve_turn
from pliant.runtime.instructions import room
from pliant.runtime.jit import inner, part

NINE, MOTION_NUMBERS, SYSTEM = 9, 6, 36
HELD_WEIGHT = 1e5  # how much heavier a held point counts: enough to be obeyed, too little to lose digits
FEW_SLIDING = 0.05  # part of the load that may slide
STICKS = 0.998  # of the square of the greatest friction: a contact below it sticks


@part
def add_row(matrix, z, weight, n0, n1, n2, r0, r1, r2, speed):
    """One more velocity that the rigid motion is to have: with a = (n, r x n), a . (v, w) = speed."""
    a = (n0, n1, n2, r1 * n2 - r2 * n1, r2 * n0 - r0 * n2, r0 * n1 - r1 * n0)
    for i in range(6):
        for j in range(i + 1):
            matrix[6 * i + j] += weight * a[i] * a[j]
        z[i] += weight * speed * a[i]


@part
def solve_six(matrix, z):
    """By Cholesky, in place; the lower half of the matrix is given."""
    for i in range(6):
        for j in range(i + 1):
            s = matrix[6 * i + j]
            for k in range(j):
                s -= matrix[6 * i + k] * matrix[6 * j + k]
            if i == j:
                # a straight rope has no inertia about its own line: a trace of it keeps the root real
                matrix[6 * i + i] = math.sqrt(max(s, 1e-12 * matrix[6 * i + i]) + 1e-300)
            else:
                matrix[6 * i + j] = s / matrix[6 * j + j]
    for i in range(6):
        for k in range(i):
            z[i] -= matrix[6 * i + k] * z[k]
        z[i] /= matrix[6 * i + i]
    for i in range(5, -1, -1):
        for k in range(i + 1, 6):
            z[i] -= matrix[6 * k + i] * z[k]
        z[i] /= matrix[6 * i + i]


@inner
def add_point(m, z, weight, r0, r1, r2, u0, u1, u2):
    """A point r of the body that is to have the velocity u: three such rows, along the axes, of which most products are
    0."""
    s0, s1, s2 = weight * r0, weight * r1, weight * r2
    m[0] += weight
    m[7] += weight
    m[14] += weight
    m[19] -= s2
    m[20] += s1
    m[21] += s1 * r1 + s2 * r2
    m[24] += s2
    m[26] -= s0
    m[27] -= s0 * r1
    m[28] += s0 * r0 + s2 * r2
    m[30] -= s1
    m[31] += s0
    m[33] -= s0 * r2
    m[34] -= s1 * r2
    m[35] += s0 * r0 + s1 * r1
    z[0] += weight * u0
    z[1] += weight * u1
    z[2] += weight * u2
    z[3] += s1 * u2 - s2 * u1
    z[4] += s2 * u0 - s0 * u2
    z[5] += s0 * u1 - s1 * u0


@part
def held_motion(shapes, nodes, found, p, body, first, last, o0, o1, o2, mass, inertia, matrix, z):
    """The rigid motion (velocity at o, angular velocity) nearest to z, given as momentum and angular momentum, that
    pins and the contacts from first to last allow."""
    for i in range(6):
        for j in range(i + 1):
            matrix[6 * i + j] = 0.0
        matrix[6 * i + i] = mass
    for i in range(3):
        for j in range(i + 1):
            matrix[6 * (3 + i) + 3 + j] = inertia[3 * i + j]
    for i in range(shapes.bodies[BODY * body + BODY_FIRST], shapes.bodies[BODY * body + BODY_END]):
        if nodes.inverse[i] == 0.0:
            f, weight = 4 * i, HELD_WEIGHT * nodes.masses[i]
            add_point(
                matrix, z, weight, p[f] - o0, p[f + 1] - o1, p[f + 2] - o2, nodes.u[f], nodes.u[f + 1], nodes.u[f + 2]
            )
    r, sticking, sliding = found.rows, 0.0, 0.0
    for n in range(first, last):
        at = ROW * n
        load, grip = r[at + IMPULSES], r[at + ROW_FRICTION] * r[at + IMPULSES]
        i, j = r[at + IMPULSES + 1], r[at + IMPULSES + 2]
        if i * i + j * j < STICKS * grip * grip:
            sticking += load
        else:
            sliding += load
    sticks = sliding < FEW_SLIDING * sticking
    for n in range(first, last):
        at = ROW * n
        if r[at + IMPULSES] == 0.0:
            continue
        kind, index, four, arm = side_a(found, n)
        u0, u1, u2 = velocity(nodes, found, kind, index, four, arm)
        r0, r1, r2 = r[at + POINT] - o0, r[at + POINT + 1] - o1, r[at + POINT + 2] - o2
        weight = HELD_WEIGHT * r[at + MASSES]
        grip = r[at + ROW_FRICTION] * r[at + IMPULSES]
        i, j = r[at + IMPULSES + 1], r[at + IMPULSES + 2]
        if sticks and i * i + j * j < STICKS * grip * grip:
            add_point(matrix, z, weight, r0, r1, r2, u0, u1, u2)
        else:
            n0, n1, n2 = r[at + NORMAL], r[at + NORMAL + 1], r[at + NORMAL + 2]
            add_row(matrix, z, weight, n0, n1, n2, r0, r1, r2, n0 * u0 + n1 * u1 + n2 * u2)
    solve_six(matrix, z)


@inner
def turn_by(inertia, inverse, slender, l0, l1, l2):
    """The angular velocity that goes with an angular momentum."""
    if slender:
        return solve_turn(inertia, l0, l1, l2)
    return (
        inverse[0] * l0 + inverse[1] * l1 + inverse[2] * l2,
        inverse[3] * l0 + inverse[4] * l1 + inverse[5] * l2,
        inverse[6] * l0 + inverse[7] * l1 + inverse[8] * l2,
    )


@part
def damp_body(shapes, nodes, found, p, body, held, held_end, keep, drag, touched):
    """keep: what is left of deviations after the sub-step; drag: of everything. Before that the body turns by what
    contacts left to it as a whole (`spins`), unless pins hold it. Its node then has its free rigid motion, for
    damping_between.py: also that of a body without damping, if it is touched by one that has some."""
    s = 3 * body
    spun = nodes.spins[s] != 0.0 or nodes.spins[s + 1] != 0.0 or nodes.spins[s + 2] != 0.0
    known = not touched or shapes.bodies[BODY * body + KIND] == STIFF
    if keep == 1.0 and drag == 1.0 and known and not spun:
        return
    node = nodes.rigid[BODY_NODE * body : BODY_NODE * (body + 1)]
    first, last = shapes.bodies[BODY * body + BODY_FIRST], shapes.bodies[BODY * body + BODY_END]
    u, pinned = nodes.u, False
    f = 4 * first
    o0, o1, o2 = float(p[f]), float(p[f + 1]), float(p[f + 2])  # near the body: squares stay small
    m = c0 = c1 = c2 = v0 = v1 = v2 = l0 = l1 = l2 = i00 = i11 = i22 = i01 = i02 = i12 = 0.0
    for i in range(first, last):
        f = 4 * i
        mass = float(nodes.masses[i])
        pinned = pinned or nodes.inverse[i] == 0.0
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
    slender = invert(inertia, inverse)
    w0, w1, w2 = turn_by(inertia, inverse, slender, l0, l1, l2)
    if spun and not pinned:
        s0, s1, s2 = nodes.spins[s], nodes.spins[s + 1], nodes.spins[s + 2]
        e0, e1, e2 = turn_by(inertia, inverse, False, s0, s1, s2)
        for i in range(first, last):
            f = 4 * i
            r0, r1, r2 = p[f] - o0 - c0, p[f + 1] - o1 - c1, p[f + 2] - o2 - c2
            u[f] += e1 * r2 - e2 * r1
            u[f + 1] += e2 * r0 - e0 * r2
            u[f + 2] += e0 * r1 - e1 * r0
        w0, w1, w2, l0, l1, l2 = w0 + e0, w1 + e1, w2 + e2, l0 + s0, l1 + s1, l2 + s2
    left, rigid = keep * drag, drag - keep * drag
    o0, o1, o2 = o0 + c0, o1 + c1, o2 + c2
    node[PIVOT], node[PIVOT + 1], node[PIVOT + 2] = o0, o1, o2
    node[VELOCITY], node[VELOCITY + 1], node[VELOCITY + 2] = v0, v1, v2
    node[ANGULAR], node[ANGULAR + 1], node[ANGULAR + 2] = w0, w1, w2
    node[INVERSE_MASS] = 0.0 if pinned else 1.0 / m
    for k in range(9):
        node[INVERSE_INERTIA + k] = 0.0 if pinned else inverse[k]
    load = 0.0
    for n in range(held, held_end):
        load += found.rows[ROW * n + IMPULSES]
    if load > 0.0 or pinned:
        matrix, z = room(np.float64, SYSTEM), room(np.float64, MOTION_NUMBERS)
        z[0], z[1], z[2], z[3], z[4], z[5] = m * v0, m * v1, m * v2, l0, l1, l2
        held_motion(shapes, nodes, found, p, body, held, held_end, o0, o1, o2, m, inertia, matrix, z)
        v0, v1, v2, w0, w1, w2 = z[0], z[1], z[2], z[3], z[4], z[5]
    v0, v1, v2, w0, w1, w2 = rigid * v0, rigid * v1, rigid * v2, rigid * w0, rigid * w1, rigid * w2
    for i in range(first, last):
        if nodes.inverse[i] > 0.0:
            f = 4 * i
            r0, r1, r2 = p[f] - o0, p[f + 1] - o1, p[f + 2] - o2
            u[f] = left * u[f] + v0 + w1 * r2 - w2 * r1
            u[f + 1] = left * u[f + 1] + v1 + w2 * r0 - w0 * r2
            u[f + 2] = left * u[f + 2] + v2 + w0 * r1 - w1 * r0
