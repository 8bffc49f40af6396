# mypy: disallow-untyped-defs=False, check-untyped-defs=False
"""Kernels of settling: from where the models and handles put the particles to where they are after the step."""

import math

import numpy as np

from pliant.runtime.instructions import room
from pliant.runtime.jit import inner, part
from pliant.world.contact_kernels import FREE, STICKING, box_near, meet_all, near
from pliant.world.hull_kernels import BARELY, meet_all_hull, near_hull
from pliant.world.layout import (
    ANGULAR_SUM,
    BOUNCE,
    CENTRE_SUM,
    COLLIDER,
    ENERGY_SUM,
    FARTHEST,
    IMPACT_SUMS,
    LAST_ANGULAR_VELOCITY,
    LAST_CENTRE,
    LAST_VELOCITY,
    MARK,
    MARK_FRICTION,
    MARK_NORMAL,
    MARK_OBSTACLE,
    MARK_PLACE,
    MARK_PUSH,
    MARK_SPEED,
    MARK_TOUCHES,
    MARK_VELOCITY,
    MASS_SUM,
    MOMENTUM_SUM,
    PINNED_SUMS,
    SECOND_SUM,
    SLIDING_LOAD,
    STICKING_LOAD,
    STUCK_SUMS,
    SUMS,
)
from pliant.world.motion_kernels import add_mechanics, add_normal


@part
def contact(
    colliders, grids, gentle, s, b, m, x0, x1, x2, p0, p1, p2, v0, v1, v2, u0, u1, u2, o0, o1, o2, h, marks, mark,
):  # fmt: skip
    """One particle that came with velocity u and would leave with v, against all colliders: where it ends, and with
    which velocity. Adds to the sums s of its chunk what is held there and what bounces. b: its actor so far."""
    met = meet_all(colliders, grids, x0, x1, x2, p0, p1, p2, h)
    if met[0] == FREE:
        return p0, p1, p2, v0, v1, v2
    done = answer(gentle, s, b, m, x0, x1, x2, v0, v1, v2, u0, u1, u2, o0, o1, o2, h, met)
    if mark > 0:
        _, _, _, _, n0, n1, n2, push, m0, m1, m2, _, friction = met
        _, _, _, e0, e1, e2 = done
        row = marks[mark : mark + MARK]
        row[MARK_TOUCHES], row[MARK_SPEED] = 1.0, e0 * n0 + e1 * n1 + e2 * n2
        row[MARK_NORMAL], row[MARK_NORMAL + 1], row[MARK_NORMAL + 2] = n0, n1, n2
        row[MARK_OBSTACLE], row[MARK_OBSTACLE + 1], row[MARK_OBSTACLE + 2] = m0, m1, m2
        row[MARK_FRICTION], row[MARK_PUSH] = friction, push
        row[MARK_VELOCITY], row[MARK_VELOCITY + 1], row[MARK_VELOCITY + 2] = v0, v1, v2
        row[MARK_PLACE], row[MARK_PLACE + 1], row[MARK_PLACE + 2] = p0, p1, p2
    return done


@part
def answer(gentle, s, b, m, x0, x1, x2, v0, v1, v2, u0, u1, u2, o0, o1, o2, h, met):
    """The velocity after a contact, and its entries in the sums."""
    held, p0, p1, p2, n0, n1, n2, push, m0, m1, m2, e, _ = met
    v0 = (p0 - x0) / h
    v1 = (p1 - x1) / h
    v2 = (p2 - x2) / h
    # Being pushed out must not throw a particle: it leaves with what restitution gives, no more; and it keeps
    # approaching if it only just arrived.
    approach = -((u0 - m0) * n0 + (u1 - m1) * n1 + (u2 - m2) * n2)
    out = (v0 - m0) * n0 + (v1 - m1) * n1 + (v2 - m2) * n2
    bounces = e > 0.0 and approach > gentle
    if bounces:
        # A particle bounces only in an impact of its body. In one that shivers on the ground the bounces of
        # single particles would keep each other going.
        r0 = x0 - b[LAST_CENTRE]
        r1 = x1 - b[LAST_CENTRE + 1]
        r2 = x2 - b[LAST_CENTRE + 2]
        w0 = b[LAST_VELOCITY] + b[LAST_ANGULAR_VELOCITY + 1] * r2 - b[LAST_ANGULAR_VELOCITY + 2] * r1 - m0
        w1 = b[LAST_VELOCITY + 1] + b[LAST_ANGULAR_VELOCITY + 2] * r0 - b[LAST_ANGULAR_VELOCITY] * r2 - m1
        w2 = b[LAST_VELOCITY + 2] + b[LAST_ANGULAR_VELOCITY] * r1 - b[LAST_ANGULAR_VELOCITY + 1] * r0 - m2
        bounces = -(w0 * n0 + w1 * n1 + w2 * n2) > gentle
    more = (e * approach if bounces else min(out, 0.0)) - out
    v0 += more * n0
    v1 += more * n1
    v2 += more * n2
    r0 = p0 - o0
    r1 = p1 - o1
    r2 = p2 - o2
    w = m * push
    if e > 0.0:
        s[IMPACT_SUMS] += w
        s[IMPACT_SUMS + 1] += w * n0
        s[IMPACT_SUMS + 2] += w * n1
        s[IMPACT_SUMS + 3] += w * n2
        s[IMPACT_SUMS + 4] += w * r0
        s[IMPACT_SUMS + 5] += w * r1
        s[IMPACT_SUMS + 6] += w * r2
        s[IMPACT_SUMS + 7] += w * e
        s[IMPACT_SUMS + 8] += w * (m0 * n0 + m1 * n1 + m2 * n2)
    if not bounces:
        add_normal(s, m, n0, n1, n2, r0, r1, r2, v0, v1, v2)
        if held == STICKING:
            s[STICKING_LOAD] += w
            add_mechanics(s, STUCK_SUMS, m, r0, r1, r2, v0, v1, v2)
        else:
            s[SLIDING_LOAD] += w
    return p0, p1, p2, v0, v1, v2


@inner
def some_near(x, p, hulls, colliders, begin, end):
    """Whether any of the particles from begin to end might touch a collider: by the box round all of them, from x to p.
    Most bodies of a heap are above the ground, and this is less work than to ask for each particle."""
    if len(colliders) == 0 or begin == end:
        return False
    turning = len(hulls) > 0
    real = x.dtype.type
    f = np.uint64(4) * begin
    l0, l1, l2 = x[f], x[f + np.uint64(1)], x[f + np.uint64(2)]
    h0, h1, h2 = l0, l1, l2
    r0 = r1 = r2 = real(0)
    for i in range(begin, end):
        f = np.uint64(4) * i
        x0, x1, x2 = x[f], x[f + np.uint64(1)], x[f + np.uint64(2)]
        p0, p1, p2 = p[f], p[f + np.uint64(1)], p[f + np.uint64(2)]
        l0, l1, l2 = min(l0, min(x0, p0)), min(l1, min(x1, p1)), min(l2, min(x2, p2))
        h0, h1, h2 = max(h0, max(x0, p0)), max(h1, max(x1, p1)), max(h2, max(x2, p2))
        if turning:
            h = np.uint64(6) * i
            r0, r1, r2 = max(r0, hulls[h]), max(r1, hulls[h + np.uint64(1)]), max(r2, hulls[h + np.uint64(2)])
    r0, r1, r2 = math.sqrt(BARELY * r0), math.sqrt(BARELY * r1), math.sqrt(BARELY * r2)
    if not (h0 - l0 < FARTHEST and h1 - l1 < FARTHEST and h2 - l2 < FARTHEST):
        return True
    return box_near(colliders, l0 - r0, l1 - r1, l2 - r2, h0 + r0, h1 + r1, h2 + r2)


@part
def touch(
    x, v, y, p, inverse, masses, acceleration, chunks, origins, sums, bounces, angular_velocities, hulls, colliders,
    grids, marks, gentle, gx, gy, gz, h, first, last,
):  # fmt: skip
    """Contacts, velocities (kept in y until all is known to be well) and the sums for the rigid motion.
    Returns the first particle that leaves the finite world, or -1."""
    real = x.dtype.type
    rate = 1.0 / h
    hg0 = h * gx
    hg1 = h * gy
    hg2 = h * gz
    forced = len(acceleration) > 0
    turning = len(hulls) > 0
    first_marked = np.int64(marks[0])
    last_marked = np.int64(marks[1])
    row = room(np.float64, COLLIDER)
    bad = -1
    for chunk in range(first, last):
        begin = np.uint64(chunks[3 * chunk])
        end = np.uint64(chunks[3 * chunk + 1])
        actor = np.int64(chunks[3 * chunk + 2])
        origin = 4 * np.int64(origins[actor])
        b = bounces[BOUNCE * actor : BOUNCE * (actor + 1)]
        s = sums[SUMS * chunk : SUMS * (chunk + 1)]
        s[:] = 0.0
        o0 = float(x[origin])
        o1 = float(x[origin + 1])
        o2 = float(x[origin + 2])
        close = some_near(x, p, hulls, colliders, begin, end)
        mass = c0 = c1 = c2 = l0 = l1 = l2 = t0 = t1 = t2 = i0 = i1 = i2 = i3 = i4 = i5 = energy = 0.0
        for i in range(begin, end):
            f = np.uint64(4) * i
            g = f + np.uint64(1)
            k = f + np.uint64(2)
            x0 = float(x[f])
            x1 = float(x[g])
            x2 = float(x[k])
            p0 = float(p[f])
            p1 = float(p[g])
            p2 = float(p[k])
            m = float(masses[i])
            if inverse[i] == 0:
                v0 = (p0 - x0) * rate
                v1 = (p1 - x1) * rate
                v2 = (p2 - x2) * rate
                add_mechanics(s, PINNED_SUMS, m, p0 - o0, p1 - o1, p2 - o2, v0, v1, v2)
            else:
                # (p - x) / h, but without the rounding of x + h v: far from the origin that is worth more
                # than a whole velocity of a body at rest.
                v0 = v[f] + hg0 + (p0 - y[f]) * rate
                v1 = v[g] + hg1 + (p1 - y[g]) * rate
                v2 = v[k] + hg2 + (p2 - y[k]) * rate
                if forced:
                    v0 += h * acceleration[f]
                    v1 += h * acceleration[g]
                    v2 += h * acceleration[k]
            mark = MARK * (np.int64(i) - first_marked + 1) if first_marked <= i < last_marked else 0
            if mark > 0:
                marks[mark + MARK_TOUCHES] = 0.0
            if not close:
                pass
            elif turning and hulls[np.uint64(6) * i] > 0:
                hull = hulls[np.uint64(6) * i : np.uint64(6) * i + np.uint64(6)]
                if inverse[i] > 0 and near_hull(colliders, grids, hull, x0, x1, x2, p0, p1, p2):
                    met = meet_all_hull(
                        colliders, grids, hull, m, angular_velocities[f : f + np.uint64(4)], b, row,
                        x0, x1, x2, p0, p1, p2, h,
                    )  # fmt: skip
                    if met[0] != FREE:
                        p0, p1, p2, v0, v1, v2 = answer(
                            gentle, s, b, m, x0, x1, x2, v0, v1, v2, v[f], v[g], v[k], o0, o1, o2, h, met
                        )
                        p[f] = real(p0)
                        p[g] = real(p1)
                        p[k] = real(p2)
            elif inverse[i] > 0 and near(colliders, grids, x0, x1, x2, p0, p1, p2):
                p0, p1, p2, v0, v1, v2 = contact(
                    colliders, grids, gentle, s, b, m, x0, x1, x2, p0, p1, p2, v0, v1, v2, v[f], v[g], v[k],
                    o0, o1, o2, h, marks, mark,
                )  # fmt: skip
                p[f] = real(p0)
                p[g] = real(p1)
                p[k] = real(p2)
            if not (abs(p0) < FARTHEST and abs(p1) < FARTHEST and abs(p2) < FARTHEST) and bad < 0:
                bad = np.int64(i)
            y[f] = real(v0)
            y[g] = real(v1)
            y[k] = real(v2)
            r0 = p0 - o0
            r1 = p1 - o1
            r2 = p2 - o2
            mr0 = m * r0
            mr1 = m * r1
            mr2 = m * r2
            mass += m
            c0 += mr0
            c1 += mr1
            c2 += mr2
            l0 += m * v0
            l1 += m * v1
            l2 += m * v2
            t0 += mr1 * v2 - mr2 * v1
            t1 += mr2 * v0 - mr0 * v2
            t2 += mr0 * v1 - mr1 * v0
            i0 += mr0 * r0
            i1 += mr1 * r1
            i2 += mr2 * r2
            i3 += mr0 * r1
            i4 += mr0 * r2
            i5 += mr1 * r2
            energy += m * (v0 * v0 + v1 * v1 + v2 * v2)
        s[MASS_SUM], s[ENERGY_SUM] = mass, energy
        s[CENTRE_SUM], s[CENTRE_SUM + 1], s[CENTRE_SUM + 2] = c0, c1, c2
        s[MOMENTUM_SUM], s[MOMENTUM_SUM + 1], s[MOMENTUM_SUM + 2] = l0, l1, l2
        s[ANGULAR_SUM], s[ANGULAR_SUM + 1], s[ANGULAR_SUM + 2] = t0, t1, t2
        s[SECOND_SUM], s[SECOND_SUM + 1], s[SECOND_SUM + 2] = i0, i1, i2
        s[SECOND_SUM + 3], s[SECOND_SUM + 4], s[SECOND_SUM + 5] = i3, i4, i5
    return bad
