# mypy: disallow-untyped-defs=False, check-untyped-defs=False
"""Damping between bodies: one that bounces or rocks on another without leaving it is deforming, though almost all of
that motion looks rigid (damping.py has the same for obstacles).

An impulse at each contact that carries load, equal and opposite on the rigid motions of both bodies, takes away a part
of the velocity between these: along the normal, and across it where the contact sticks. The parts of the contacts of a
pair are as their loads, and together what damping takes from a deviation in the sub-step. So momentum and angular
momentum are kept, and energy is only lost: a rigid motion and the deviations from it do not mix in it."""

import math

from pliant.collision.layout import (
    ARM_A,
    ARM_B,
    BODY,
    BODY_END,
    BODY_FIRST,
    BY_BODY,
    BY_PARTICLES,
    COLOUR_COUNT,
    IMPULSES,
    NORMAL,
    OTHER_TANGENT,
    POINT,
    ROW,
    ROW_FRICTION,
    TANGENT,
)
from pliant.dynamics.colouring import COLOURS
from pliant.dynamics.damping import STICKS
from pliant.dynamics.layout import ANGULAR, BODY_NODE, PIVOT, UNDAMPED, VELOCITY
from pliant.dynamics.sides import inverse_mass, push, side_a, side_b, velocity
from pliant.runtime.jit import inner, part
from pliant.runtime.waiting import all_through


@inner
def as_a_whole(nodes, found, kind, index, arm, row):
    """What takes an impulse in place of particles: their body. Its arm goes from its centre to the contact."""
    if kind != BY_PARTICLES:
        return kind
    r, at, point = found.rows, BODY_NODE * index + PIVOT, ROW * row + POINT
    for k in range(3):
        r[arm + k] = r[point + k] - nodes.rigid[at + k]
    return BY_BODY


@inner
def damp_along(nodes, found, row, kind_a, a, kind_b, b, direction, part_taken):
    """Take away a part of the velocity between the two sides of a row along one of its directions."""
    r, at = found.rows, ROW * row
    d0, d1, d2 = r[at + direction], r[at + direction + 1], r[at + direction + 2]
    u0, u1, u2 = velocity(nodes, found, kind_a, a, 0, at + ARM_A)
    v0, v1, v2 = velocity(nodes, found, kind_b, b, 0, at + ARM_B)
    yields = inverse_mass(nodes, found, kind_a, a, 0, at + ARM_A, d0, d1, d2)
    yields += inverse_mass(nodes, found, kind_b, b, 0, at + ARM_B, d0, d1, d2)
    if yields == 0.0:
        return
    j = -part_taken * (d0 * (u0 - v0) + d1 * (u1 - v1) + d2 * (u2 - v2)) / yields
    push(nodes, found, kind_a, a, 0, at + ARM_A, j * d0, j * d1, j * d2)
    push(nodes, found, kind_b, b, 0, at + ARM_B, -j * d0, -j * d1, -j * d2)


@inner
def damp_pair(nodes, found, first, last, taken):
    """The rows of a pair of bodies. taken: what damping takes of a velocity in the sub-step."""
    r, load = found.rows, 0.0
    for n in range(first, last):
        load += r[ROW * n + IMPULSES]
    for n in range(first, last):
        at = ROW * n
        push_n, i, j = r[at + IMPULSES], r[at + IMPULSES + 1], r[at + IMPULSES + 2]
        if push_n == 0.0:
            continue
        kind_a, a, _, arm = side_a(found, n)
        kind_a = as_a_whole(nodes, found, kind_a, a, arm, n)
        kind_b, b, _, arm = side_b(found, n)
        kind_b = as_a_whole(nodes, found, kind_b, b, arm, n)
        share = taken * push_n / load
        damp_along(nodes, found, n, kind_a, a, kind_b, b, NORMAL, share)
        grip = r[at + ROW_FRICTION] * push_n
        if i * i + j * j < STICKS * grip * grip:
            damp_along(nodes, found, n, kind_a, a, kind_b, b, TANGENT, share)
            damp_along(nodes, found, n, kind_a, a, kind_b, b, OTHER_TANGENT, share)


@part
def damp_pairs(work, nodes, found, board, piece, pieces):
    """Of all pairs of bodies, whose nodes hold their rigid motions: by colours, as in the solver."""
    for colour in range(work.counts[COLOUR_COUNT]):
        first, last, by = work.starts[colour] + piece, work.starts[colour + 1], pieces
        if colour == COLOURS - 1:
            first, by = (work.starts[colour], 1) if piece == 0 else (last, 1)
        for k in range(first, last, by):
            m = work.by_colour[k]
            a, b = work.pairs[2 * m], work.pairs[2 * m + 1]
            taken = 1.0 - math.sqrt(work.factors[2 * a] * work.factors[2 * b])
            if a != b and taken > 0.0:
                damp_pair(nodes, found, found.spans[2 * m], found.spans[2 * m + 1], taken)
        all_through(board, piece, pieces)


@inner
def note_motion(nodes, body):
    """The rigid motion of a body before others damp it."""
    at = BODY_NODE * body
    for k in range(6):
        nodes.rigid[at + UNDAMPED + k] = nodes.rigid[at + VELOCITY + k]


@part
def change_motion(shapes, nodes, p, body):
    """The particles of a body go as its node has changed."""
    node = nodes.rigid[BODY_NODE * body : BODY_NODE * (body + 1)]
    v0, v1 = node[VELOCITY] - node[UNDAMPED], node[VELOCITY + 1] - node[UNDAMPED + 1]
    v2 = node[VELOCITY + 2] - node[UNDAMPED + 2]
    w0, w1 = node[ANGULAR] - node[UNDAMPED + 3], node[ANGULAR + 1] - node[UNDAMPED + 4]
    w2 = node[ANGULAR + 2] - node[UNDAMPED + 5]
    if v0 == 0.0 and v1 == 0.0 and v2 == 0.0 and w0 == 0.0 and w1 == 0.0 and w2 == 0.0:
        return
    u = nodes.u
    for i in range(shapes.bodies[BODY * body + BODY_FIRST], shapes.bodies[BODY * body + BODY_END]):
        if nodes.inverse[i] > 0.0:
            f = 4 * i
            r0, r1, r2 = p[f] - node[PIVOT], p[f + 1] - node[PIVOT + 1], p[f + 2] - node[PIVOT + 2]
            u[f] += v0 + w1 * r2 - w2 * r1
            u[f + 1] += v1 + w2 * r0 - w0 * r2
            u[f + 2] += v2 + w0 * r1 - w1 * r0
