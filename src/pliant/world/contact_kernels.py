# mypy: disallow-untyped-defs=False, check-untyped-defs=False
"""Kernels of contact: where a particle meets a collider, how far it is pushed out and how much of its slip is
left.

A collider is a row of numbers (layout.py): its shape, its friction, and where it is before and after the step.
Everything is looked at in the collider's own frame: a particle goes from a, its place before the step as seen
from where the collider was, to b, its place after the step as seen from where the collider is. So a moving
collider costs nothing extra, and neither passes through the other however fast it is."""

import math

from pliant.runtime.jit import inline, part
from pliant.world.grid_kernels import near_grid, overlap_grid
from pliant.world.layout import (
    BOX,
    CAPSULE,
    COLLIDER,
    COLLIDER_CENTRE,
    COLLIDER_FRICTION,
    COLLIDER_RESTITUTION,
    GRID_START,
    KIND,
    MESH,
    MOVED,
    NORMAL_X,
    NORMAL_Y,
    NORMAL_Z,
    OLD_CENTRE,
    OLD_ROTATION,
    PLANE,
    ROTATION,
    SIZES,
    TOUCH_RANGE,
)

OBSTACLE_PASSES = 4  # pushed out of one collider a particle may be inside another
# A particle that starts inside an obstacle (placed there, or a pin let go) comes out at this speed, in m/s. At
# once would turn the overlap into a jolt of elastic energy that throws the body.
RECOVERY_SPEED = 1.0
# An approach slower than this (m/s), or than what gravity gives in a step and a half, does not bounce: a body
# that bounces on that never comes to rest.
GENTLE = 0.25
FREE, SLIDING, STICKING = 0, 1, 2


@part
def gentle_speed(gx, gy, gz, h):
    """Of the fastest approach that does not bounce."""
    return max(GENTLE, 1.5 * h * math.sqrt(gx * gx + gy * gy + gz * gz))


@part
def distance(c, q0, q1, q2):
    """Signed distance (for a box a lower bound outside) and outward normal at a point in the frame of a
    sphere, box or capsule."""
    kind = c[KIND]
    size = c[SIZES]
    if kind == BOX:
        d0 = abs(q0) - size
        d1 = abs(q1) - c[SIZES + 1]
        d2 = abs(q2) - c[SIZES + 2]
        if d0 >= d1 and d0 >= d2:
            return d0, math.copysign(1.0, q0), 0.0, 0.0
        if d1 >= d2:
            return d1, 0.0, math.copysign(1.0, q1), 0.0
        return d2, 0.0, 0.0, math.copysign(1.0, q2)
    if kind == CAPSULE:  # a sphere round the nearest point of the axis
        half = c[SIZES + 1]
        q1 -= min(max(q1, -half), half)
    length = math.sqrt(q0 * q0 + q1 * q1 + q2 * q2)
    if length < 1e-12:
        if kind == CAPSULE:
            return -size, 1.0, 0.0, 0.0
        return -size, 0.0, 1.0, 0.0
    return length - size, q0 / length, q1 / length, q2 / length


@part
def overlap(c, a0, a1, a2, b0, b1, b2):
    """How deep (negative) a particle that goes from a to b is inside at its end, how deep it was at its
    beginning, and the normal of the face through which it came.

    The nearest face is not always that one: a fast particle ends beyond the middle of a thin wall, or behind
    it. So the segment is walked through the distance field, each stride as long as it is surely free, until it
    arrives at the surface; the contact is the tangent plane there."""
    end, n0, n1, n2 = distance(c, b0, b1, b2)
    kind = c[KIND]
    t0 = b0 - a0
    t1 = b1 - a1
    t2 = b2 - a2
    travel = math.sqrt(t0 * t0 + t1 * t1 + t2 * t2)
    if end >= travel:
        return end, end, n0, n1, n2  # too far off
    begin, m0, m1, m2 = distance(c, a0, a1, a2)
    thin = min(c[SIZES], c[SIZES + 1], c[SIZES + 2]) if kind == BOX else c[SIZES]
    if kind != BOX and travel < 0.5 * thin:
        return end, begin, n0, n1, n2  # round and near: the nearest point of the surface
    if begin < 0.0:
        if begin < -0.1 * thin and (end >= 0.0 or kind != BOX):
            return end, begin, n0, n1, n2  # from deep inside any way out is good
        return begin + m0 * t0 + m1 * t1 + m2 * t2, begin, m0, m1, m2
    done = 0.0  # part of the way
    free = begin
    for _stride in range(32):
        if free <= 1e-4 * thin or done >= 1.0:
            break
        done += free / travel
        free, m0, m1, m2 = distance(c, a0 + done * t0, a1 + done * t1, a2 + done * t2)
    if done >= 1.0:
        return end, begin, n0, n1, n2
    return free + (1.0 - done) * (m0 * t0 + m1 * t1 + m2 * t2), begin, m0, m1, m2


@inline
def to_local(c, turn, d0, d1, d2):
    """R^T d, the rotation by rows from c[turn]."""
    return (
        c[turn] * d0 + c[turn + 3] * d1 + c[turn + 6] * d2,
        c[turn + 1] * d0 + c[turn + 4] * d1 + c[turn + 7] * d2,
        c[turn + 2] * d0 + c[turn + 5] * d1 + c[turn + 8] * d2,
    )


@inline
def to_world(c, turn, q0, q1, q2):
    """R q, the rotation by rows from c[turn]."""
    return (
        c[turn] * q0 + c[turn + 1] * q1 + c[turn + 2] * q2,
        c[turn + 3] * q0 + c[turn + 4] * q1 + c[turn + 5] * q2,
        c[turn + 6] * q0 + c[turn + 7] * q1 + c[turn + 8] * q2,
    )


@part
def near(c, grids, x0, x1, x2, p0, p1, p2):
    """Whether any collider might touch a particle that goes from x to p. Most are told apart here."""
    for n in range(len(c) // COLLIDER):
        at = COLLIDER * n
        d0 = p0 - c[at + COLLIDER_CENTRE]
        d1 = p1 - c[at + COLLIDER_CENTRE + 1]
        d2 = p2 - c[at + COLLIDER_CENTRE + 2]
        if c[at + KIND] == PLANE:
            if c[at + NORMAL_X] * d0 + c[at + NORMAL_Y] * d1 + c[at + NORMAL_Z] * d2 < 0.0:
                return True
        else:
            travel = abs(p0 - x0) + abs(p1 - x1) + abs(p2 - x2) + c[at + TOUCH_RANGE]
            if d0 * d0 + d1 * d1 + d2 * d2 >= travel * travel:
                continue
            if c[at + KIND] != BOX and c[at + KIND] != MESH:
                return True
            # The sphere round a wide plate holds much that is nowhere near it.
            travel -= c[at + TOUCH_RANGE] - c[at + MOVED]
            turn, size = at + ROTATION, at + SIZES
            if c[at + KIND] == MESH:
                q0, q1, q2 = to_local(c, turn, d0, d1, d2)
                if near_grid(grids, int(c[at + GRID_START]), travel, q0, q1, q2):
                    return True
            elif (
                abs(c[turn] * d0 + c[turn + 3] * d1 + c[turn + 6] * d2) < c[size] + travel
                and abs(c[turn + 1] * d0 + c[turn + 4] * d1 + c[turn + 7] * d2) < c[size + 1] + travel
                and abs(c[turn + 2] * d0 + c[turn + 5] * d1 + c[turn + 8] * d2) < c[size + 2] + travel
            ):
                return True
    return False


@part
def box_near(c, l0, l1, l2, h0, h1, h2):
    """Whether any collider might touch what is within a box, from its least corner to its greatest."""
    for n in range(len(c) // COLLIDER):
        at = COLLIDER * n
        if c[at + KIND] == PLANE:
            n0, n1, n2 = c[at + NORMAL_X], c[at + NORMAL_Y], c[at + NORMAL_Z]
            o = at + COLLIDER_CENTRE
            away = n0 * ((l0 if n0 > 0.0 else h0) - c[o]) + n1 * ((l1 if n1 > 0.0 else h1) - c[o + 1])
            if away + n2 * ((l2 if n2 > 0.0 else h2) - c[o + 2]) <= 0.0:
                return True
        else:
            g0 = max(0.0, max(l0 - c[at + COLLIDER_CENTRE], c[at + COLLIDER_CENTRE] - h0))
            g1 = max(0.0, max(l1 - c[at + COLLIDER_CENTRE + 1], c[at + COLLIDER_CENTRE + 1] - h1))
            g2 = max(0.0, max(l2 - c[at + COLLIDER_CENTRE + 2], c[at + COLLIDER_CENTRE + 2] - h2))
            if g0 * g0 + g1 * g1 + g2 * g2 <= c[at + TOUCH_RANGE] * c[at + TOUCH_RANGE]:
                return True
    return False


@inline
def meet(c, grids, x0, x1, x2, p0, p1, p2, friction_scale, recovery, h):
    """One particle against one collider: FREE, SLIDING or STICKING, its new place, the normal, how far it was
    pushed and the velocity of the obstacle there. friction_scale: 0 or 1, of the obstacle's friction; recovery: how
    far one that started inside comes out.

    Coulomb's law on displacements: the push d along the normal stands for the normal force (times h^2 / m)
    and the slip s in this step for the tangential one. s <= friction * d sticks; else the slip is shortened
    by friction * d. A particle that sticks ends exactly where the obstacle carries it, so nothing creeps.
    (Anchors that remember where a particle stuck were not needed: there is no drift for them to take back.)
    """
    b0, b1, b2 = to_local(
        c, ROTATION, p0 - c[COLLIDER_CENTRE], p1 - c[COLLIDER_CENTRE + 1], p2 - c[COLLIDER_CENTRE + 2]
    )
    a0, a1, a2 = to_local(c, OLD_ROTATION, x0 - c[OLD_CENTRE], x1 - c[OLD_CENTRE + 1], x2 - c[OLD_CENTRE + 2])
    if c[KIND] == PLANE:
        end, begin, l0, l1, l2 = b1, a1, 0.0, 1.0, 0.0
    elif c[KIND] == MESH:
        end, begin, l0, l1, l2 = overlap_grid(grids, c, a0, a1, a2, b0, b1, b2)
    else:
        end, begin, l0, l1, l2 = overlap(c, a0, a1, a2, b0, b1, b2)
    push = min(0.0, begin + recovery) - end
    if end >= 0.0 or push <= 0.0:
        return FREE, p0, p1, p2, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    rate = 1.0 / h
    n0, n1, n2 = to_world(c, ROTATION, l0, l1, l2)
    p0 += push * n0
    p1 += push * n1
    p2 += push * n2
    # the obstacle's own motion: where was this point of it before the step?
    o0, o1, o2 = to_world(c, OLD_ROTATION, b0 + push * l0, b1 + push * l1, b2 + push * l2)
    m0 = p0 - o0 - c[OLD_CENTRE]
    m1 = p1 - o1 - c[OLD_CENTRE + 1]
    m2 = p2 - o2 - c[OLD_CENTRE + 2]
    s0 = p0 - x0 - m0
    s1 = p1 - x1 - m1
    s2 = p2 - x2 - m2
    along = s0 * n0 + s1 * n1 + s2 * n2
    s0 -= along * n0
    s1 -= along * n1
    s2 -= along * n2
    slip = math.sqrt(s0 * s0 + s1 * s1 + s2 * s2)
    grip = push * c[COLLIDER_FRICTION] * friction_scale
    held = STICKING if slip <= grip else SLIDING
    if slip > 0.0:
        cut = min(1.0, grip / slip)
        p0 -= cut * s0
        p1 -= cut * s1
        p2 -= cut * s2
    return held, p0, p1, p2, n0, n1, n2, push, m0 * rate, m1 * rate, m2 * rate


@inline
def meet_all(colliders, grids, x0, x1, x2, p0, p1, p2, h):
    """One particle against all colliders. Of several contacts the last one is told; the place respects them
    all as far as a few passes go. Friction acts in the first pass only, or it would be counted twice."""
    count = len(colliders) // COLLIDER
    held = FREE
    n0 = n1 = n2 = push = m0 = m1 = m2 = bounce = friction = 0.0
    for again in range(OBSTACLE_PASSES):
        hits = 0
        friction_scale = 1.0 if again == 0 else 0.0
        for n in range(count):
            c = colliders[COLLIDER * n : COLLIDER * (n + 1)]
            now, p0, p1, p2, a0, a1, a2, d, b0, b1, b2 = meet(
                c, grids, x0, x1, x2, p0, p1, p2, friction_scale, RECOVERY_SPEED * h, h
            )
            if now != FREE:
                hits += 1
                if again == 0:
                    held = max(held, now)
                    n0, n1, n2, push, m0, m1, m2 = a0, a1, a2, d, b0, b1, b2
                    bounce, friction = c[COLLIDER_RESTITUTION], c[COLLIDER_FRICTION]
        if hits == 0 or (count == 1 and colliders[KIND] != MESH):
            break
    return held, p0, p1, p2, n0, n1, n2, push, m0, m1, m2, bounce, friction
