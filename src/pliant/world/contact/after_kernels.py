"""Kernels for what two bodies that touch do to each other as wholes: between their rigid motions and the commit.

Contacts push particles, or firm bodies as wholes. Moments of pushes turn bodies (moment_kernels), or the particle where
that is a body by itself, which is done here. Two things are left to the bodies.

Damping: what bounces or rocks on another body without leaving it is deforming, though almost all of that motion looks
rigid (see motion_kernels). For obstacles the rigid motion is held at the contact, and the obstacle takes the momentum;
here an impulse at each contact, equal and opposite, takes away part of the velocity between the two rigid motions.

Restitution: rebound_kernels."""

import math

import numpy as np

from pliant.jit import inner, part
from pliant.world.contact.deep_kernels import end_of_couple
from pliant.world.contact.firm_kernels import both_firm
from pliant.world.contact.layout import (
    BOUNCE,
    CALM,
    CONTACT,
    DRAG,
    HOLDS,
    MANNERS,
    MEETING,
    NORMAL,
    ONE,
    OTHER,
    PUSH,
)  # fmt: skip
from pliant.world.contact.moment_kernels import alone, moment_of
from pliant.world.contact.rebound_kernels import rebound, remember
from pliant.world.contact.shove_kernels import pushed_at, turned, velocity_at
from pliant.world.layout import ADDED, DEVIATION, HELD, LIGHT, MOTION, SPEED

# What wobbles in a heap is mostly the bodies against each other, each of which has little of it: so that is damped
# faster than deviations within one of them, and a heap comes to rest in about the time that one body needs.
CALMING = 3.0
# What has almost come to rest on other bodies is brought to rest: pushes come and go as flat pieces, rims and
# ellipsoids take over from each other, and would keep a heap shivering for ever.
REST = 80.0  # 1/s: how fast
STILL = 0.2  # m/s: from which speed on it begins


@part
def spin_up(masses, hulls, spins, i, t0, t1, t2):
    """A moment of impulse on a particle that is a body by itself: J = m/5 (tr(H) 1 - H)."""
    k = masses[i] / 5.0
    h = hulls[6 * i : 6 * i + 6]
    j3, j4, j5 = -k * h[3], -k * h[4], -k * h[5]
    d0 = k * (h[1] + h[2]) + 1e-300
    l10, l20 = j3 / d0, j4 / d0
    d1 = k * (h[0] + h[2]) - l10 * j3 + 1e-300
    l21 = (j5 - l20 * j3) / d1
    d2 = k * (h[0] + h[1]) - l20 * j4 - l21 * l21 * d1 + 1e-300
    t1 -= l10 * t0
    t2 = (t2 - l20 * t0 - l21 * t1) / d2
    t1 = t1 / d1 - l21 * t2
    t0 = t0 / d0 - l10 * t1 - l20 * t2
    real = spins.dtype.type
    f = 4 * i
    spins[f], spins[f + 1], spins[f + 2] = real(spins[f] + t0), real(spins[f + 1] + t1), real(spins[f + 2] + t2)


@part
def spin_both(x, masses, hulls, spins, riders, shares, places, row, h):
    """The moments of a contact turn those of its two that are bodies by themselves."""
    q0, q1, q2 = pushed_at(row, places)
    for side in range(2):
        s, k = np.int64(row[ONE + side]), (1.0 if side == 0 else -1.0) / h
        if alone(spins, riders, s):
            j0, j1, j2 = (
                k * (row[PUSH] * row[NORMAL] + row[DRAG]),
                k * (row[PUSH] * row[NORMAL + 1] + row[DRAG + 1]),
                k * (row[PUSH] * row[NORMAL + 2] + row[DRAG + 2]),
            )
            t0, t1, t2 = moment_of(x, riders, shares, s, j0, j1, j2, q0, q1, q2)
            spin_up(masses, hulls, spins, np.int64(riders[2 * s]), t0, t1, t2)


@part
def answer_bodies(
    x, masses, hulls, spins, riders, shares, owners, manners, awake, places, contacts, count, meetings, motion,
    impacts, gentle, h,
):  # fmt: skip
    """After the rigid motions are known: damping between bodies, restitution. Writes the velocities and spins that are
    added at the commit (motion), and spins of particles that are bodies by themselves."""
    meetings[:] = 0.0
    first = 0
    while first < count:
        end = end_of_couple(owners, contacts, first, count)
        count_pushes(
            x, masses, hulls, spins, riders, shares, owners, manners, places, contacts, first, end, meetings, h
        )
        first = end
    for actor in range(len(meetings) // MEETING):
        m = motion[MOTION * actor : MOTION * (actor + 1)]
        at = MEETING * actor
        if meetings[at + 3] > 0.0 and m[SPEED] < STILL:
            m[DEVIATION] *= math.exp(-REST * h * (1.0 - m[SPEED] / STILL))
    first = 0
    while first < count:
        end = end_of_couple(owners, contacts, first, count)
        soothe(contacts, first, end, places, owners, manners, meetings, motion, h)
        for c in range(first, end):
            row = contacts[CONTACT * c : CONTACT * (c + 1)]
            if row[BOUNCE] > 0.0 and row[PUSH] > 0.0:
                remember(row, places, owners, impacts, gentle)
        first = end
    rebound(motion, impacts, awake, h)


@inner
def count_pushes(x, masses, hulls, spins, riders, shares, owners, manners, places, contacts, first, end, meetings, h):
    """How many contacts of two bodies, from first to end, push. Those of bodies that are one particle turn it."""
    row = contacts[CONTACT * first : CONTACT * (first + 1)]
    if both_firm(row, owners, manners):
        return
    a, b = np.int64(row[ONE]), np.int64(row[OTHER])
    turns = alone(spins, riders, a) or alone(spins, riders, b)
    pushes = 0.0
    for c in range(first, end):
        if contacts[CONTACT * c + PUSH] != 0.0:
            pushes += 1.0
            if turns:
                row = contacts[CONTACT * c : CONTACT * (c + 1)]
                spin_both(x, masses, hulls, spins, riders, shares, places, row, h)
    meetings[MEETING * np.int64(owners[a]) + 3] += pushes
    meetings[MEETING * np.int64(owners[b]) + 3] += pushes


@inner
def soothe(contacts, first, end, places, owners, manners, meetings, motion, h):
    """Take away part of the velocity between two bodies at each of their contacts, from first to end: that of approach,
    or all of it where friction holds. All of them see the velocities that the two had before."""
    row = contacts[CONTACT * first : CONTACT * (first + 1)]
    one, two = np.int64(owners[np.int64(row[ONE])]), np.int64(owners[np.int64(row[OTHER])])
    i, j = motion[MOTION * one : MOTION * (one + 1)], motion[MOTION * two : MOTION * (two + 1)]
    give = (i[LIGHT] if i[HELD] == 0.0 else 0.0) + (j[LIGHT] if j[HELD] == 0.0 else 0.0)
    if one == two or give == 0.0 or both_firm(row, owners, manners):
        return
    calm = CALMING * (manners[MANNERS * one + CALM] + manners[MANNERS * two + CALM])
    least = min(meetings[MEETING * one + 3], meetings[MEETING * two + 3])
    c0, c1, c2, d0, d1, d2 = i[6], i[7], i[8], j[6], j[7], j[8]
    a0 = a1 = a2 = l0 = l1 = l2 = m0 = m1 = m2 = 0.0  # impulse on the one, moments on both
    for c in range(first, end):
        row = contacts[CONTACT * c : CONTACT * (c + 1)]
        if row[PUSH] == 0.0:
            continue
        q0, q1, q2 = pushed_at(row, places)
        r0, r1, r2, s0, s1, s2 = q0 - c0, q1 - c1, q2 - c2, q0 - d0, q1 - d1, q2 - d2
        v0, v1, v2 = velocity_at(motion, one, r0, r1, r2)
        u0, u1, u2 = velocity_at(motion, two, s0, s1, s2)
        v0, v1, v2 = v0 - u0, v1 - u1, v2 - u2
        if row[HOLDS] == 0.0:
            n0, n1, n2 = float(row[NORMAL]), float(row[NORMAL + 1]), float(row[NORMAL + 2])
            along = min(0.0, v0 * n0 + v1 * n1 + v2 * n2)  # what slides and leaves is not held back: it would tip over
            v0, v1, v2 = along * n0, along * n1, along * n2
        square = v0 * v0 + v1 * v1 + v2 * v2
        if square < 1e-24:
            continue
        # an impulse j along v gives  j (1/M_1 + 1/M_2 + (r x v) . I_1^-1 (r x v) / v^2 + ...)  against v
        t0, t1, t2 = r1 * v2 - r2 * v1, r2 * v0 - r0 * v2, r0 * v1 - r1 * v0
        z0, z1, z2 = s1 * v2 - s2 * v1, s2 * v0 - s0 * v2, s0 * v1 - s1 * v0
        ease = give * square
        if i[HELD] == 0.0:
            w0, w1, w2 = turned(i, t0, t1, t2)
            ease += t0 * w0 + t1 * w1 + t2 * w2
        if j[HELD] == 0.0:
            w0, w1, w2 = turned(j, z0, z1, z2)
            ease += z0 * w0 + z1 * w1 + z2 * w2
        rate = calm + REST * max(0.0, 1.0 - math.sqrt(square) / STILL)
        push = -faded(h * rate) * square / (ease * least)
        a0, a1, a2 = a0 + push * v0, a1 + push * v1, a2 + push * v2
        l0, l1, l2 = l0 + push * t0, l1 + push * t1, l2 + push * t2
        m0, m1, m2 = m0 - push * z0, m1 - push * z1, m2 - push * z2
    take(i, a0, a1, a2, l0, l1, l2)
    take(j, -a0, -a1, -a2, m0, m1, m2)


@inner
def take(m, j0, j1, j2, l0, l1, l2):
    """What an impulse and a moment give to the actor of a row."""
    if m[HELD] == 0.0:
        w0, w1, w2 = turned(m, l0, l1, l2)
        m[ADDED] += m[LIGHT] * j0
        m[ADDED + 1] += m[LIGHT] * j1
        m[ADDED + 2] += m[LIGHT] * j2
        m[ADDED + 3] += w0
        m[ADDED + 4] += w1
        m[ADDED + 5] += w2


@inner
def faded(x):
    """1 - exp(-x), to a per mille where it matters, without an exponential for every contact."""
    return x / (1.0 + x * (0.5 + x * (1.0 / 12.0))) if x < 2.0 else 1.0 - math.exp(-x)
