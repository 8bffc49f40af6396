# mypy: disallow-untyped-defs=False, check-untyped-defs=False
"""Kernels for what two bodies that touch do to each other as wholes: between their rigid motions and the commit.

Contacts push particles, or firm bodies as wholes. Moments of pushes turn bodies (moment_kernels), or the particle where
that is a body by itself, which is done here. Two things are left to the bodies.

Damping: what bounces or rocks on another body without leaving it is deforming, though almost all of that motion looks
rigid (see motion_kernels). For obstacles the rigid motion is held at the contact, and the obstacle takes the momentum;
here an impulse at each contact, equal and opposite, takes away part of the velocity between the two rigid motions.

Restitution: rebound_kernels."""

import math

import numpy as np

from pliant.runtime.jit import inner, part
from pliant.world.contact.firm_kernels import both_firm
from pliant.world.contact.impulse_kernels import pushed_at, times_inverse_inertia
from pliant.world.contact.layout import (
    ACTOR_DAMPING,
    CENTRE_OFFSET,
    CONTACT,
    CONTACT_RESTITUTION,
    EFFECTIVE_MASS,
    FIRM,
    FRICTION_PUSH,
    INV_MASS,
    MATERIAL,
    MEETING,
    NORMAL,
    ONE,
    OTHER,
    OTHERS_REACH,
    PROXY_PLACE,
    PUSH,
    PUSH_MOMENT,
    PUSHING,
    REACH,
    START_CENTRE,
    STICKS,
)  # fmt: skip
from pliant.world.contact.moment_kernels import is_whole_body, moment_of
from pliant.world.contact.penetration_kernels import end_of_body_pair
from pliant.world.contact.rebound_kernels import remember
from pliant.world.contact.side_kernels import ACROSS, rows_of
from pliant.world.layout import ADDED, BODY_HELD, BODY_INV_MASS, DEVIATION, MOTION, RMS_SPEED

U = np.uint64  # unsigned indices: Numba then leaves out the test for negative ones
# What wobbles in a heap is mostly the bodies against each other, each of which has little of it: so that is damped
# faster than deviations within one of them, and a heap comes to rest in about the time that one body needs.
PAIR_DAMPING = 3.0
# What has almost come to rest on other bodies is brought to rest: pushes come and go as flat pieces, rims and
# ellipsoids take over from each other, and would keep a heap shivering for ever.
REST_RATE = 80.0  # 1/s: how fast
NEAR_REST_SPEED = 0.2  # m/s: from which speed on it begins


@part
def add_angular_velocity(masses, hulls, angular_velocities, i, t0, t1, t2):
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
    real = angular_velocities.dtype.type
    f = 4 * i
    angular_velocities[f], angular_velocities[f + 1], angular_velocities[f + 2] = (
        real(angular_velocities[f] + t0),
        real(angular_velocities[f + 1] + t1),
        real(angular_velocities[f + 2] + t2),
    )


@part
def turn_particle(x, masses, hulls, angular_velocities, attachments, attachment_weights, places, row, which, h):
    """The moment of a contact turns one of its two, which is a body by itself."""
    q0, q1, q2 = pushed_at(row, places)
    s, k = np.int64(row[ONE + which]), (1.0 if which == 0 else -1.0) / h
    j0, j1, j2 = (
        k * (row[PUSH] * row[NORMAL] + row[FRICTION_PUSH]),
        k * (row[PUSH] * row[NORMAL + 1] + row[FRICTION_PUSH + 1]),
        k * (row[PUSH] * row[NORMAL + 2] + row[FRICTION_PUSH + 2]),
    )
    t0, t1, t2 = moment_of(x, attachments, attachment_weights, s, j0, j1, j2, q0, q1, q2)
    add_angular_velocity(masses, hulls, angular_velocities, np.int64(attachments[2 * s]), t0, t1, t2)


@part
def answer_side(
    x, masses, hulls, angular_velocities, attachments, attachment_weights, owners, sides, materials, places, contacts,
    bounds, meetings, motion, impacts, gentle, side, h,
):  # fmt: skip
    """After the rigid motions are known, for the contacts of one side: damping between bodies, and the moments of all
    pushes. Writes the velocities and angular velocities that are added at the commit (motion), and angular velocities
    of particles that are bodies by themselves."""
    for actor in range(len(sides)):
        if sides[actor] == side:
            meetings[MEETING * actor + 3] = 0.0
            for k in range(3):
                meetings[MEETING * actor + PUSH_MOMENT + k] = 0.0
    for turn in range(2):
        first, last = rows_of(bounds, 2 * side if turn == 0 else ACROSS)
        while first < last:
            end = end_of_body_pair(contacts, first)
            count_pushes(
                x, masses, hulls, angular_velocities, attachments, attachment_weights, owners, sides, materials, places,
                contacts, first, end, meetings, side, h,
            )  # fmt: skip
            first = end
    for actor in range(len(sides)):
        if sides[actor] == side and meetings[MEETING * actor + 3] > 0.0:
            m = motion[MOTION * actor : MOTION * (actor + 1)]
            if m[RMS_SPEED] < NEAR_REST_SPEED:
                m[DEVIATION] *= math.exp(-REST_RATE * h * (1.0 - m[RMS_SPEED] / NEAR_REST_SPEED))
    first, last = rows_of(bounds, 2 * side)
    answer_body_pairs(
        angular_velocities, attachments, owners, materials, places, contacts, first, last, meetings, motion, impacts,
        gentle, h,
    )  # fmt: skip


@part
def answer_body_pairs(
    angular_velocities, attachments, owners, materials, places, contacts, first, last, meetings, motion, impacts,
    gentle, h
):  # fmt: skip
    """As `answer_side`, for the contacts from first to last."""
    while first < last:
        end = end_of_body_pair(contacts, first)
        if contacts[CONTACT * first + PUSHING] > 0.0:
            answer_body_pair(
                angular_velocities, attachments, owners, materials, places, contacts, first, end, meetings, motion, h
            )
        if contacts[CONTACT * first + CONTACT_RESTITUTION] > 0.0:
            for c in range(first, end):
                row = contacts[CONTACT * c : CONTACT * (c + 1)]
                if row[PUSH] > 0.0:
                    remember(row, places, owners, impacts, gentle)
        first = end


@inner
def count_pushes(
    x, masses, hulls, angular_velocities, attachments, attachment_weights, owners, sides, materials, places, contacts,
    first, end, meetings, side, h
):  # fmt: skip
    """How many contacts of two bodies, from first to end, push those of the two that are on a side. Those of bodies
    that are one particle turn it."""
    pushes = 0.0
    for c in range(U(first), U(end)):
        if contacts[U(CONTACT) * c + U(PUSH)] != 0.0:
            pushes += 1.0
    row = contacts[CONTACT * first : CONTACT * (first + 1)]
    row[PUSHING] = pushes
    if pushes == 0.0 or both_firm(row, owners, materials):
        return
    for which in range(2):
        s = np.int64(row[ONE + which])
        actor = np.int64(owners[s])
        if sides[actor] != side:
            continue
        meetings[MEETING * actor + 3] += pushes
        if is_whole_body(angular_velocities, attachments, s):
            for c in range(first, end):
                if contacts[CONTACT * c + PUSH] != 0.0:
                    row = contacts[CONTACT * c : CONTACT * (c + 1)]
                    turn_particle(
                        x, masses, hulls, angular_velocities, attachments, attachment_weights, places, row, which, h
                    )


@inner
def answer_body_pair(
    angular_velocities, attachments, owners, materials, places, contacts, first, end, meetings, motion, h
):
    """Two bodies with the contacts from first to end. Part of the velocity between them is taken away at each contact:
    that of approach, or all of it where friction holds; all of them see the velocities that the two had before. And the
    moments of the pushes about the particles that took them: of the one, and, against them, of the other."""
    row = U(CONTACT) * U(first)
    a, b = np.int64(contacts[row + U(ONE)]), np.int64(contacts[row + U(OTHER)])
    one, two = np.int64(owners[a]), np.int64(owners[b])
    firm, others_firm = materials[MATERIAL * one + FIRM] > 0.0, materials[MATERIAL * two + FIRM] > 0.0
    turns, others_rotate = (
        not (firm or is_whole_body(angular_velocities, attachments, a)),
        not (others_firm or is_whole_body(angular_velocities, attachments, b)),
    )
    i, j = motion[MOTION * one : MOTION * (one + 1)], motion[MOTION * two : MOTION * (two + 1)]
    give = (i[BODY_INV_MASS] if i[BODY_HELD] == 0.0 else 0.0) + (j[BODY_INV_MASS] if j[BODY_HELD] == 0.0 else 0.0)
    damps = one != two and give > 0.0 and not (firm and others_firm)
    if not (turns or others_rotate or damps):
        return
    calm = PAIR_DAMPING * (materials[MATERIAL * one + ACTOR_DAMPING] + materials[MATERIAL * two + ACTOR_DAMPING])
    least = min(meetings[MEETING * one + 3], meetings[MEETING * two + 3])
    v0, v1, v2 = i[0] + i[ADDED] - j[0] - j[ADDED], i[1] + i[ADDED + 1] - j[1] - j[ADDED + 1], i[2] + i[ADDED + 2]
    v2 -= j[2] + j[ADDED + 2]
    w0, w1, w2 = i[3] + i[ADDED + 3], i[4] + i[ADDED + 4], i[5] + i[ADDED + 5]
    u0, u1, u2 = j[3] + j[ADDED + 3], j[4] + j[ADDED + 4], j[5] + j[ADDED + 5]
    c0, c1, c2, d0, d1, d2 = i[6], i[7], i[8], j[6], j[7], j[8]
    a0 = a1 = a2 = l0 = l1 = l2 = m0 = m1 = m2 = 0.0  # impulse on the one, moments of it on both
    f0 = f1 = f2 = g0 = g1 = g2 = 0.0  # moments of the pushes about the particles of both
    for c in range(U(first), U(end)):
        row = U(CONTACT) * c
        push = float(contacts[row + U(PUSH)])
        if push == 0.0:
            continue
        n0, n1, n2 = (
            float(contacts[row + U(NORMAL)]), float(contacts[row + U(NORMAL + 1)]), float(contacts[row + U(NORMAL + 2)])
        )  # fmt: skip
        s, t = U(np.int64(contacts[row + U(ONE)])), U(np.int64(contacts[row + U(OTHER)]))
        part = float(contacts[row + U(INV_MASS)] * contacts[row + U(EFFECTIVE_MASS)])
        rest = 1.0 - part
        apart = rest * contacts[row + U(OTHERS_REACH)] - part * contacts[row + U(REACH)]
        k, m = U(PROXY_PLACE) * s + U(START_CENTRE), U(PROXY_PLACE) * t + U(START_CENTRE)
        q0 = part * places[k] + rest * places[m] + apart * n0
        q1 = part * places[k + U(1)] + rest * places[m + U(1)] + apart * n1
        q2 = part * places[k + U(2)] + rest * places[m + U(2)] + apart * n2
        if turns or others_rotate:
            j0 = push * n0 + contacts[row + U(FRICTION_PUSH)]
            j1 = push * n1 + contacts[row + U(FRICTION_PUSH + 1)]
            j2 = push * n2 + contacts[row + U(FRICTION_PUSH + 2)]
            # arms from what the spheres are attached to: their centres before, less the offset from it to these
            o, z = U(PROXY_PLACE) * s + U(CENTRE_OFFSET), U(PROXY_PLACE) * t + U(CENTRE_OFFSET)
            r0, r1, r2 = q0 - places[k], q1 - places[k + U(1)], q2 - places[k + U(2)]
            r0, r1, r2 = r0 + places[o], r1 + places[o + U(1)], r2 + places[o + U(2)]
            f0, f1, f2 = f0 + r1 * j2 - r2 * j1, f1 + r2 * j0 - r0 * j2, f2 + r0 * j1 - r1 * j0
            r0, r1, r2 = q0 - places[m], q1 - places[m + U(1)], q2 - places[m + U(2)]
            r0, r1, r2 = r0 + places[z], r1 + places[z + U(1)], r2 + places[z + U(2)]
            g0, g1, g2 = g0 + r1 * j2 - r2 * j1, g1 + r2 * j0 - r0 * j2, g2 + r0 * j1 - r1 * j0
        if not damps:
            continue
        r0, r1, r2, s0, s1, s2 = q0 - c0, q1 - c1, q2 - c2, q0 - d0, q1 - d1, q2 - d2
        x0 = v0 + w1 * r2 - w2 * r1 - u1 * s2 + u2 * s1
        x1 = v1 + w2 * r0 - w0 * r2 - u2 * s0 + u0 * s2
        x2 = v2 + w0 * r1 - w1 * r0 - u0 * s1 + u1 * s0
        if contacts[row + U(STICKS)] == 0.0:
            along = min(0.0, x0 * n0 + x1 * n1 + x2 * n2)  # what slides and leaves is not held back: it would tip over
            x0, x1, x2 = along * n0, along * n1, along * n2
        square = x0 * x0 + x1 * x1 + x2 * x2
        if square < 1e-24:
            continue
        # an impulse j along v gives  j (1/M_1 + 1/M_2 + (r x v) . I_1^-1 (r x v) / v^2 + ...)  against v
        t0, t1, t2 = r1 * x2 - r2 * x1, r2 * x0 - r0 * x2, r0 * x1 - r1 * x0
        z0, z1, z2 = s1 * x2 - s2 * x1, s2 * x0 - s0 * x2, s0 * x1 - s1 * x0
        inverse_mass = give * square
        if i[BODY_HELD] == 0.0:
            y0, y1, y2 = times_inverse_inertia(i, t0, t1, t2)
            inverse_mass += t0 * y0 + t1 * y1 + t2 * y2
        if j[BODY_HELD] == 0.0:
            y0, y1, y2 = times_inverse_inertia(j, z0, z1, z2)
            inverse_mass += z0 * y0 + z1 * y1 + z2 * y2
        rate = calm + REST_RATE * max(0.0, 1.0 - math.sqrt(square) / NEAR_REST_SPEED)
        less = -faded(h * rate) * square / (inverse_mass * least)
        a0, a1, a2 = a0 + less * x0, a1 + less * x1, a2 + less * x2
        l0, l1, l2 = l0 + less * t0, l1 + less * t1, l2 + less * t2
        m0, m1, m2 = m0 - less * z0, m1 - less * z1, m2 - less * z2
    if damps:
        take(i, a0, a1, a2, l0, l1, l2)
        take(j, -a0, -a1, -a2, m0, m1, m2)
    if turns:
        add_moment(meetings, one, f0, f1, f2, 1.0 / h)
    if others_rotate:
        add_moment(meetings, two, g0, g1, g2, -1.0 / h)


@inner
def add_moment(meetings, actor, t0, t1, t2, rate):
    """One more moment (kg m^2) on an actor, as one of impulse."""
    k = MEETING * actor + PUSH_MOMENT
    meetings[k] += rate * t0
    meetings[k + 1] += rate * t1
    meetings[k + 2] += rate * t2


@inner
def take(m, j0, j1, j2, l0, l1, l2):
    """What an impulse and a moment give to the actor of a row."""
    if m[BODY_HELD] == 0.0:
        w0, w1, w2 = times_inverse_inertia(m, l0, l1, l2)
        m[ADDED] += m[BODY_INV_MASS] * j0
        m[ADDED + 1] += m[BODY_INV_MASS] * j1
        m[ADDED + 2] += m[BODY_INV_MASS] * j2
        m[ADDED + 3] += w0
        m[ADDED + 4] += w1
        m[ADDED + 5] += w2


@inner
def faded(x):
    """1 - exp(-x), to a per mille where it matters, without an exponential for every contact."""
    return x / (1.0 + x * (0.5 + x * (1.0 / 12.0))) if x < 2.0 else 1.0 - math.exp(-x)
