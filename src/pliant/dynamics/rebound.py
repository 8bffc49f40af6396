# mypy: disallow-untyped-defs=False, check-untyped-defs=False
"""Restitution of what deforms: a body that was stopped leaves with its part of the speed as a whole.

A particle that bounces is too light to carry its body along: most of the energy of an impact goes into wobbling, and a
ball on a floor with e = 0.9 comes back with half of its speed. So of each body its hardest impact is remembered
(collision/layout.py): how fast the two rigid motions came together along the normal of the contact, before it. When
they go apart and their springs do not push them any faster, an impulse at the middle of their contacts, equal and
opposite on the two as a whole, gives what is missing of e times that speed; on an obstacle also what gravity takes
while the body stretches to where it was when it came. Both momenta are kept. Its energy is taken out of what deviates
from the rigid motions, as far as that goes; it is never more than the impact took, because e <= 1. Between rigid
bodies each contact bounces by itself (contact.py)."""

import math

import numpy as np

from pliant.collision.layout import (
    BODY,
    BODY_END,
    BODY_FIRST,
    BODY_ROW,
    DIRECTION_KEYS,
    FOUND,
    IMPACT,
    IMPACT_AGE,
    IMPACT_APPROACH,
    IMPACT_HEIGHT,
    IMPACT_LAST,
    IMPACT_LOADED,
    IMPACT_NORMAL,
    IMPACT_PARTNER,
    IMPACT_POINT,
    IMPACT_RESTITUTION,
    IMPACT_SURFACE,
    IMPULSES,
    KEY,
    NO_PARTNER,
    NORMAL,
    OBSTACLE,
    OBSTACLE_RESTITUTION,
    OF_OBSTACLES,
    POINT,
    RESTITUTION,
    ROW,
    ROW_RESTITUTION,
    ROW_SIDES,
    STEP_GRAVITY,
    STRENGTH,
    SUBSTEP,
    SURFACE,
)
from pliant.dynamics.constants import BOUNCE
from pliant.dynamics.damping_between import change_motion, note_motion
from pliant.dynamics.layout import ANGULAR, BODY_NODE, INVERSE_MASS, PIVOT, UNDAMPED, VELOCITY
from pliant.dynamics.rigid_nodes import add_inertia, invert
from pliant.dynamics.rows import is_stiff
from pliant.dynamics.sides import body_spin
from pliant.dynamics.sleep import resting_time
from pliant.runtime.instructions import room
from pliant.runtime.jit import inner, part

NINE, SIX = 9, 6


@part
def motion_before(shapes, nodes, v, body, out):
    """The rigid motion of a body as it began the sub-step: its velocity at the centre and its angular velocity (6).
    Returns the centre."""
    first, last = shapes.bodies[BODY * body + BODY_FIRST], shapes.bodies[BODY * body + BODY_END]
    x, total = nodes.x, 0.0
    c0 = c1 = c2 = p0 = p1 = p2 = l0 = l1 = l2 = 0.0
    for i in range(first, last):
        f, m = 4 * i, float(nodes.masses[i])
        total += m
        c0 += m * x[f]
        c1 += m * x[f + 1]
        c2 += m * x[f + 2]
    c0, c1, c2 = c0 / total, c1 / total, c2 / total
    inertia, inverse = room(np.float64, NINE), room(np.float64, NINE)
    inertia[:] = 0.0
    for i in range(first, last):
        f, m = 4 * i, float(nodes.masses[i])
        r0, r1, r2 = x[f] - c0, x[f + 1] - c1, x[f + 2] - c2
        u0, u1, u2 = m * v[f], m * v[f + 1], m * v[f + 2]
        p0 += u0
        p1 += u1
        p2 += u2
        l0 += r1 * u2 - r2 * u1
        l1 += r2 * u0 - r0 * u2
        l2 += r0 * u1 - r1 * u0
        add_inertia(inertia, m, r0, r1, r2)
    invert(inertia, inverse)
    out[0], out[1], out[2] = p0 / total, p1 / total, p2 / total
    for k in range(3):
        out[3 + k] = inverse[3 * k] * l0 + inverse[3 * k + 1] * l1 + inverse[3 * k + 2] * l2
    return c0, c1, c2


@inner
def speed_of(motion, at, c0, c1, c2, q0, q1, q2, n0, n1, n2):
    """Of the point q along n, in a rigid motion (6) about the centre c."""
    r0, r1, r2 = q0 - c0, q1 - c1, q2 - c2
    w0, w1, w2 = motion[at + 3], motion[at + 4], motion[at + 5]
    return (
        n0 * (motion[at] + w1 * r2 - w2 * r1)
        + n1 * (motion[at + 1] + w2 * r0 - w0 * r2)
        + n2 * (motion[at + 2] + w0 * r1 - w1 * r0)
    )


@part
def note_impact(shapes, nodes, work, found, step, m):
    """A pair of which one deforms: where its load is now, and how fast it came, if that was the first body's hardest
    impact."""
    a, b = work.pairs[2 * m], work.pairs[2 * m + 1]
    if a == b or (is_stiff(shapes, a) and is_stiff(shapes, b)):
        return
    r, load = found.rows, 0.0
    n0 = n1 = n2 = q0 = q1 = q2 = e = surface = 0.0
    for n in range(found.spans[2 * m], found.spans[2 * m + 1]):
        at = ROW * n
        j = r[at + IMPULSES]
        if j == 0.0 or r[at + ROW_RESTITUTION] == 0.0:
            continue
        sign = -j if b >= 0 and found.sides[ROW_SIDES * n + KEY] >= DIRECTION_KEYS else j
        load += j
        e += j * r[at + ROW_RESTITUTION]
        n0 += sign * r[at + NORMAL]
        n1 += sign * r[at + NORMAL + 1]
        n2 += sign * r[at + NORMAL + 2]
        q0 += j * r[at + POINT]
        q1 += j * r[at + POINT + 1]
        q2 += j * r[at + POINT + 2]
        for k in range(3):
            surface += j * r[at + SURFACE + k] * r[at + NORMAL + k]
    length = math.sqrt(n0 * n0 + n1 * n1 + n2 * n2)
    if length == 0.0:
        return
    n0, n1, n2 = n0 / length, n1 / length, n2 / length
    q0, q1, q2, surface = q0 / load, q1 / load, q2 / load, surface / load
    i, partner = work.impacts[IMPACT * a : IMPACT * (a + 1)], b + 1.0 if b >= 0 else OF_OBSTACLES
    motion = room(np.float64, SIX)
    c0, c1, c2 = motion_before(shapes, nodes, step.v, a, motion)
    came = surface - speed_of(motion, 0, c0, c1, c2, q0, q1, q2, n0, n1, n2)
    height = n0 * c0 + n1 * c1 + n2 * c2
    if b >= 0:
        c0, c1, c2 = motion_before(shapes, nodes, step.v, b, motion)
        came += speed_of(motion, 0, c0, c1, c2, q0, q1, q2, n0, n1, n2)
    if came > i[IMPACT_APPROACH] and came > BOUNCE * step.numbers[SUBSTEP] * step.numbers[STRENGTH]:
        i[IMPACT_PARTNER], i[IMPACT_APPROACH], i[IMPACT_RESTITUTION] = partner, came, e / load
        i[IMPACT_AGE], i[IMPACT_HEIGHT], i[IMPACT_LAST] = 0.0, height, -came
        i[IMPACT_NORMAL], i[IMPACT_NORMAL + 1], i[IMPACT_NORMAL + 2] = n0, n1, n2
    if i[IMPACT_PARTNER] == partner:
        i[IMPACT_LOADED], i[IMPACT_SURFACE] = 1.0, surface
        i[IMPACT_POINT], i[IMPACT_POINT + 1], i[IMPACT_POINT + 2] = q0, q1, q2


@inner
def speed_now(nodes, i, body):
    """Of a body at the point of its impact, along the normal."""
    r, at = nodes.rigid, BODY_NODE * body
    return speed_of(
        r, at + VELOCITY, r[at + PIVOT], r[at + PIVOT + 1], r[at + PIVOT + 2],
        i[IMPACT_POINT], i[IMPACT_POINT + 1], i[IMPACT_POINT + 2],
        i[IMPACT_NORMAL], i[IMPACT_NORMAL + 1], i[IMPACT_NORMAL + 2],
    )  # fmt: skip


@part
def yields_to(nodes, i, body):
    """How fast the point of impact goes along the normal after a unit impulse there."""
    r, at = nodes.rigid, BODY_NODE * body
    n0, n1, n2 = i[IMPACT_NORMAL], i[IMPACT_NORMAL + 1], i[IMPACT_NORMAL + 2]
    a0, a1 = i[IMPACT_POINT] - r[at + PIVOT], i[IMPACT_POINT + 1] - r[at + PIVOT + 1]
    a2 = i[IMPACT_POINT + 2] - r[at + PIVOT + 2]
    l0, l1, l2 = a1 * n2 - a2 * n1, a2 * n0 - a0 * n2, a0 * n1 - a1 * n0
    w0, w1, w2 = body_spin(nodes, body, l0, l1, l2)
    return r[at + INVERSE_MASS] + w0 * l0 + w1 * l1 + w2 * l2


@part
def push_body(nodes, i, body, impulse):
    """An impulse at the point of impact along the normal, on a body as a whole."""
    r, at = nodes.rigid, BODY_NODE * body
    n0, n1, n2 = i[IMPACT_NORMAL], i[IMPACT_NORMAL + 1], i[IMPACT_NORMAL + 2]
    a0, a1 = i[IMPACT_POINT] - r[at + PIVOT], i[IMPACT_POINT + 1] - r[at + PIVOT + 1]
    a2 = i[IMPACT_POINT + 2] - r[at + PIVOT + 2]
    w0, w1, w2 = body_spin(nodes, body, a1 * n2 - a2 * n1, a2 * n0 - a0 * n2, a0 * n1 - a1 * n0)
    s = impulse * r[at + INVERSE_MASS]
    r[at + VELOCITY] += s * n0
    r[at + VELOCITY + 1] += s * n1
    r[at + VELOCITY + 2] += s * n2
    r[at + ANGULAR] += impulse * w0
    r[at + ANGULAR + 1] += impulse * w1
    r[at + ANGULAR + 2] += impulse * w2


@part
def wobble(shapes, nodes, p, body, keep):
    """Twice the energy of what deviates from the rigid motion of a body, after so much of it is kept."""
    r, at, u, energy = nodes.rigid, BODY_NODE * body, nodes.u, 0.0
    v, w = at + UNDAMPED, at + UNDAMPED + 3
    for i in range(shapes.bodies[BODY * body + BODY_FIRST], shapes.bodies[BODY * body + BODY_END]):
        if nodes.inverse[i] == 0.0:
            continue
        f = 4 * i
        d0, d1, d2 = p[f] - r[at + PIVOT], p[f + 1] - r[at + PIVOT + 1], p[f + 2] - r[at + PIVOT + 2]
        e0 = r[v] + r[w + 1] * d2 - r[w + 2] * d1
        e1 = r[v + 1] + r[w + 2] * d0 - r[w] * d2
        e2 = r[v + 2] + r[w] * d1 - r[w + 1] * d0
        d0, d1, d2 = u[f] - e0, u[f + 1] - e1, u[f + 2] - e2
        energy += keep * keep * nodes.masses[i] * (d0 * d0 + d1 * d1 + d2 * d2)
        if keep != 1.0:
            u[f], u[f + 1], u[f + 2] = e0 + keep * d0, e1 + keep * d1, e2 + keep * d2
    return energy


@part
def rebound(shapes, nodes, work, step, body):
    """A body with an impact that is not over, whose node and that of its partner have their rigid motions."""
    i, numbers = work.impacts[IMPACT * body : IMPACT * (body + 1)], step.numbers
    other = int(i[IMPACT_PARTNER]) - 1 if i[IMPACT_PARTNER] > 0.0 else -1
    loaded, i[IMPACT_LOADED] = i[IMPACT_LOADED], 0.0
    i[IMPACT_AGE] += numbers[SUBSTEP]
    if work.awake[body] == 0 or i[IMPACT_AGE] > resting_time(shapes, body, numbers[STRENGTH]):
        i[:] = 0.0
        return
    speed, rise = speed_now(nodes, i, body), 0.0
    if other >= 0 and work.awake[other]:
        speed -= speed_now(nodes, i, other)
    elif other < 0:
        at, down = BODY_NODE * body + PIVOT, 0.0
        height = i[IMPACT_HEIGHT]
        for k in range(3):
            height -= i[IMPACT_NORMAL + k] * nodes.rigid[at + k]
            down -= i[IMPACT_NORMAL + k] * numbers[STEP_GRAVITY + k]
        speed -= i[IMPACT_SURFACE]
        rise = 2.0 * max(height, 0.0) * max(down, 0.0)
    goal = i[IMPACT_RESTITUTION] * math.sqrt(i[IMPACT_APPROACH] * i[IMPACT_APPROACH] + rise)
    faster, i[IMPACT_LAST] = speed > i[IMPACT_LAST], speed
    if speed <= 0.0 or (loaded and faster and speed < goal):
        return  # they still come, or push each other away by themselves
    yields = yields_to(nodes, i, body)
    if other >= 0 and work.awake[other]:
        yields += yields_to(nodes, i, other)
    if speed < goal and yields > 0.0:
        impulse = (goal - speed) / yields
        energy = wobble(shapes, nodes, step.p, body, 1.0)
        if other >= 0:
            energy += wobble(shapes, nodes, step.p, other, 1.0)
        keep = math.sqrt(max(0.0, 1.0 - impulse * (goal + speed) / energy)) if energy > 0.0 else 1.0
        wobble(shapes, nodes, step.p, body, keep)
        push_body(nodes, i, body, impulse)
        if other >= 0 and work.awake[other]:
            wobble(shapes, nodes, step.p, other, keep)
            push_body(nodes, i, other, -impulse)
    i[:] = 0.0


@inner
def any_bounces(obstacles):
    """Whether any obstacle has a restitution."""
    most = 0.0
    for c in range(len(obstacles) // OBSTACLE):
        most = max(most, obstacles[OBSTACLE * c + OBSTACLE_RESTITUTION])
    return most > 0.0


@inner
def may_bounce(shapes, work, m, of_obstacles):
    """Whether a pair has a restitution."""
    a, b, r = work.pairs[2 * m], work.pairs[2 * m + 1], shapes.materials
    if b < 0:
        return of_obstacles
    return r[BODY_ROW * a + RESTITUTION] > 0.0 or r[BODY_ROW * b + RESTITUTION] > 0.0


@part
def rebound_all(shapes, nodes, work, found, step):
    """After damping between bodies: all pairs of the sub-step, and all bodies with an impact that is not over."""
    of_obstacles = any_bounces(step.obstacles)
    for m in range(work.counts[FOUND]):
        if found.spans[2 * m] < found.spans[2 * m + 1] and may_bounce(shapes, work, m, of_obstacles):
            note_impact(shapes, nodes, work, found, step, m)
    for body in range(len(work.awake)):
        if work.impacts[IMPACT * body + IMPACT_PARTNER] != NO_PARTNER:
            rebound(shapes, nodes, work, step, body)


@part
def rebound_one(shapes, nodes, work, found, step, body):
    """The same of one body that meets obstacles only, whose pair with them has its number."""
    note_motion(nodes, body)
    if found.spans[2 * body] < found.spans[2 * body + 1] and any_bounces(step.obstacles):
        note_impact(shapes, nodes, work, found, step, body)
    if work.impacts[IMPACT * body + IMPACT_PARTNER] != NO_PARTNER:
        rebound(shapes, nodes, work, step, body)
        change_motion(shapes, nodes, step.p, body)
