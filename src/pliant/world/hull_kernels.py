# mypy: disallow-untyped-defs=False, check-untyped-defs=False
"""Kernels of contact for particles that are ellipsoids and turn [Choi+17, section 4].

An ellipsoid reaches r(n) = sqrt(n^T H n), H = E diag(a^2, b^2, c^2) E^T, in the direction n. Against a plane it touches
exactly when its centre is r(n) away; against round things and boxes we take r along the normal below its centre. So the
obstacle is grown by r and the centre is a point again. Friction then acts where they touch, at -r n from the centre:
it slows that point, and so turns the particle as well as it brakes it."""

import math

from pliant.runtime.jit import inner, part
from pliant.world.contact_kernels import (
    FREE,
    OBSTACLE_PASSES,
    RECOVERY_SPEED,
    SLIDING,
    STICKING,
    distance,
    meet,
    to_local,
    to_world,
)
from pliant.world.grid_kernels import near_grid, sample
from pliant.world.layout import (
    BOX,
    COLLIDER,
    COLLIDER_CENTRE,
    COLLIDER_FRICTION,
    COLLIDER_RESTITUTION,
    GRID_START,
    GROWN,
    KIND,
    LAST_ANGULAR_VELOCITY,
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

BARELY = 1.0001  # of the square of the reach: room for rounding


@part
def reach(hull, n0, n1, n2):
    """How far the ellipsoid goes along a unit vector, and the point where it touches a plane across it, from its
    centre against n."""
    t0 = hull[0] * n0 + hull[3] * n1 + hull[4] * n2
    t1 = hull[3] * n0 + hull[1] * n1 + hull[5] * n2
    t2 = hull[4] * n0 + hull[5] * n1 + hull[2] * n2
    r = math.sqrt(max(t0 * n0 + t1 * n1 + t2 * n2, 0.0))
    s = -1.0 / r if r > 0.0 else 0.0
    return r, s * t0, s * t1, s * t2


@inner
def near_hull(c, grids, hull, x0, x1, x2, p0, p1, p2):
    """Whether any collider might touch an ellipsoid that goes from x to p. On a plane that is almost certain."""
    for n in range(len(c) // COLLIDER):
        at = COLLIDER * n
        d0, d1, d2 = p0 - c[at + COLLIDER_CENTRE], p1 - c[at + COLLIDER_CENTRE + 1], p2 - c[at + COLLIDER_CENTRE + 2]
        if c[at + KIND] == PLANE:
            n0, n1, n2 = c[at + NORMAL_X], c[at + NORMAL_Y], c[at + NORMAL_Z]
            away = n0 * d0 + n1 * d1 + n2 * d2
            cross = hull[3] * n0 * n1 + hull[4] * n0 * n2 + hull[5] * n1 * n2
            if away < 0.0 or away * away < BARELY * (
                hull[0] * n0 * n0 + hull[1] * n1 * n1 + hull[2] * n2 * n2 + cross + cross
            ):
                return True
        else:
            size = math.sqrt(hull[0] + hull[1] + hull[2])
            travel = abs(p0 - x0) + abs(p1 - x1) + abs(p2 - x2) + c[at + TOUCH_RANGE] + size
            if d0 * d0 + d1 * d1 + d2 * d2 < travel * travel:
                if c[at + KIND] != MESH:
                    return True
                q0, q1, q2 = to_local(c, at + ROTATION, d0, d1, d2)
                if near_grid(grids, int(c[at + GRID_START]), travel - c[at + TOUCH_RANGE] + c[at + MOVED], q0, q1, q2):
                    return True
    return False


@inner
def lengthened(hull, t0, t1, t2, n0, n1, n2, r):
    """How much farther than before it turned by t (rad) an ellipsoid goes along a unit vector, r now: with Q the turn,
    it went  sqrt(n^T Q^T H Q n) ."""
    m0, m1, m2 = n0 + t1 * n2 - t2 * n1, n1 + t2 * n0 - t0 * n2, n2 + t0 * n1 - t1 * n0
    square = hull[0] * m0 * m0 + hull[1] * m1 * m1 + hull[2] * m2 * m2
    square += 2.0 * (hull[3] * m0 * m1 + hull[4] * m0 * m2 + hull[5] * m1 * m2)
    return max(0.0, r - math.sqrt(max(square, 0.0) / (m0 * m0 + m1 * m1 + m2 * m2)))


@part
def grown(c, grids, hull, t0, t1, t2, p0, p1, p2, row):
    """The collider grown by the reach of the ellipsoid towards it, in `row`. Returns the arm to where they touch, and
    how much longer that is than before it turned by t in this step: what turns into an obstacle was not inside it
    before, and must not stay there."""
    for m in range(COLLIDER):
        row[m] = c[m]
    if c[KIND] == PLANE:
        n0, n1, n2 = to_world(c, ROTATION, 0.0, 1.0, 0.0)
        r, a0, a1, a2 = reach(hull, n0, n1, n2)
        o0, o1, o2 = to_world(c, OLD_ROTATION, 0.0, 1.0, 0.0)
        row[COLLIDER_CENTRE] += r * n0
        row[COLLIDER_CENTRE + 1] += r * n1
        row[COLLIDER_CENTRE + 2] += r * n2
        row[OLD_CENTRE] += r * o0
        row[OLD_CENTRE + 1] += r * o1
        row[OLD_CENTRE + 2] += r * o2
        return a0, a1, a2, lengthened(hull, t0, t1, t2, n0, n1, n2, r)
    q0, q1, q2 = to_local(
        c, ROTATION, p0 - c[COLLIDER_CENTRE], p1 - c[COLLIDER_CENTRE + 1], p2 - c[COLLIDER_CENTRE + 2]
    )
    if c[KIND] == MESH:
        _, l0, l1, l2 = sample(grids, int(c[GRID_START]), q0, q1, q2)
    else:
        _, l0, l1, l2 = distance(c, q0, q1, q2)
    n0, n1, n2 = to_world(c, ROTATION, l0, l1, l2)
    r, a0, a1, a2 = reach(hull, n0, n1, n2)
    if c[KIND] == MESH:
        row[GROWN] += r
    else:
        row[SIZES] += r
    if c[KIND] == BOX:
        row[SIZES + 1] += r
        row[SIZES + 2] += r
    row[TOUCH_RANGE] += r
    row[MOVED] += r
    return a0, a1, a2, lengthened(hull, t0, t1, t2, n0, n1, n2, r)


@part
def apply_friction(mass, hull, w, b, friction, push, x0, x1, x2, p0, p1, p2, n0, n1, n2, m0, m1, m2, a0, a1, a2, h):
    """Coulomb's law at the point of contact: its slip in this step, rotation included, is taken away, at most by
    friction times the push, and the force acts at that point, so it turns the particle too. One that is a body by
    itself rolls: displacement and rotation share what is taken as their inertias say. One among others cannot turn on
    its own: it has the angular velocity of its body b, and its displacement takes it all; else bodies creep down slopes
    by the rotation that neighbours take back. Returns whether it sticks, and the new place; the angular velocity w is
    changed."""
    w0, w1, w2 = float(w[0]), float(w[1]), float(w[2])
    alone = w[3] > 0
    at = LAST_ANGULAR_VELOCITY
    t0, t1, t2 = (w0, w1, w2) if alone else (b[at], b[at + 1], b[at + 2])
    s0 = p0 - x0 - h * m0 + h * (t1 * a2 - t2 * a1)
    s1 = p1 - x1 - h * m1 + h * (t2 * a0 - t0 * a2)
    s2 = p2 - x2 - h * m2 + h * (t0 * a1 - t1 * a0)
    along = s0 * n0 + s1 * n1 + s2 * n2
    s0 -= along * n0
    s1 -= along * n1
    s2 -= along * n2
    slip = math.sqrt(s0 * s0 + s1 * s1 + s2 * s2)
    if slip == 0.0:
        return STICKING, p0, p1, p2
    t0, t1, t2 = s0 / slip, s1 / slip, s2 / slip
    # r x t, and J^-1 of it: J = m/5 (tr(H) 1 - H)
    c0, c1, c2 = a1 * t2 - a2 * t1, a2 * t0 - a0 * t2, a0 * t1 - a1 * t0
    k = mass / 5.0
    j0, j1, j2 = k * (hull[1] + hull[2]), k * (hull[0] + hull[2]), k * (hull[0] + hull[1])
    j3, j4, j5 = -k * hull[3], -k * hull[4], -k * hull[5]
    least = 1e-9 * (j0 + j1 + j2) + 1e-300
    d0 = max(float(j0), least)
    l10, l20 = j3 / d0, j4 / d0
    d1 = max(j1 - l10 * j3, least)
    l21 = (j5 - l20 * j3) / d1
    d2 = max(j2 - l20 * j4 - l21 * l21 * d1, least)
    e1 = c1 - l10 * c0
    e2 = (c2 - l20 * c0 - l21 * e1) / d2
    e1 = e1 / d1 - l21 * e2
    e0 = c0 / d0 - l10 * e1 - l20 * e2
    lightness = 1.0 + mass * (c0 * e0 + c1 * e1 + c2 * e2) if alone else 1.0
    grip = friction * push
    held = STICKING if slip <= grip * lightness else SLIDING
    taken = min(slip / lightness, grip)
    impulse = mass * taken / h
    real = w.dtype.type
    w[0] = real(w0 - impulse * e0)
    w[1] = real(w1 - impulse * e1)
    w[2] = real(w2 - impulse * e2)
    return held, p0 - taken * t0, p1 - taken * t1, p2 - taken * t2


@part
def meet_all_hull(colliders, grids, hull, mass, w, b, row, x0, x1, x2, p0, p1, p2, h):
    """One ellipsoid against all colliders, told as `meet_all` tells it of a point."""
    count = len(colliders) // COLLIDER
    held = FREE
    t0, t1, t2 = h * w[0], h * w[1], h * w[2]
    n0 = n1 = n2 = push = m0 = m1 = m2 = bounce = friction = 0.0
    for again in range(OBSTACLE_PASSES):
        hits = 0
        for n in range(count):
            c = colliders[COLLIDER * n : COLLIDER * (n + 1)]
            arm0, arm1, arm2, more = grown(c, grids, hull, t0, t1, t2, p0, p1, p2, row)
            recovery = RECOVERY_SPEED * h + more
            now, p0, p1, p2, a0, a1, a2, d, o0, o1, o2 = meet(row, grids, x0, x1, x2, p0, p1, p2, 0.0, recovery, h)
            if now != FREE:
                hits += 1
                if again == 0:
                    now, p0, p1, p2 = apply_friction(
                        mass, hull, w, b, c[COLLIDER_FRICTION], d, x0, x1, x2, p0, p1, p2, a0, a1, a2, o0, o1, o2,
                        arm0, arm1, arm2, h,
                    )  # fmt: skip
                    held = max(held, now)
                    n0, n1, n2, push, m0, m1, m2 = a0, a1, a2, d, o0, o1, o2
                    bounce, friction = c[COLLIDER_RESTITUTION], c[COLLIDER_FRICTION]
        if hits == 0 or (count == 1 and colliders[KIND] != MESH):
            break
    return held, p0, p1, p2, n0, n1, n2, push, m0, m1, m2, bounce, friction
