# mypy: disallow-untyped-defs=False, check-untyped-defs=False
"""Kernels for bodies that meet so fast that they would crush one another.

A push goes through a material at the speed of sound c, and a layer that is made to go at a speed u is compressed by
u / c when it has passed. Two bodies that meet at u_1 + u_2 press on each other equally: with the impedances  rho c ,
rho_1 c_1 u_1 = rho_2 c_2 u_2 , so
the first has  u_1 / c_1 = u / (c_1 (1 + rho_1 c_1 / rho_2 c_2)) . Towards one that means the end of a body: its skin,
which the skin of the other stops, cannot hold its inside, which has no contact spheres; that flies on, through both
skins, and drags them after it. Real material gets hard when it is crushed, springs do not. So the two meet as hard
bodies as far as their material could not bear it: an impulse between their rigid motions, equal and opposite where they
touch, takes away of the approach what would compress them by more than CRUSH; the rest of it is left to their springs.
That loses energy, as any impact of soft material faster than sound in it. It comes before contacts push particles:
those that touch first would else be stopped twice, and fly back through their own body.

A sheet or a rope has no inside, and gives way at once. (Tried and not taken: to keep tets from turning over, because
the inside then pushes the skins through one another; to damp the bodies' deviations, because that takes the spring
from gentler impacts too.)"""

import math

import numpy as np

from pliant.runtime.jit import part
from pliant.world.contact.firm_kernels import carry, span_of, weigh_firm
from pliant.world.contact.impulse_kernels import (
    apply_impulse,
    inverse_effective_mass,
    point_of,
    times_inverse_inertia,
    velocity_at,
)
from pliant.world.contact.layout import (
    BODY_IMPACT,
    CLOSING,
    CONTACT,
    CONTACT_RESTITUTION,
    CRUSH_SPEED,
    DEEP_COUNT,
    DEPTH,
    FIRM,
    IMPACT_POINT,
    IMPEDANCE,
    MATERIAL,
    NORMAL,
    OLD_GAP,
    ONE,
    OTHER,
)  # fmt: skip
from pliant.world.contact.penetration_kernels import end_of_body_pair
from pliant.world.contact.rebound_kernels import remember
from pliant.world.contact_kernels import GENTLE
from pliant.world.layout import ADDED, BODY_CENTRE, BODY_HELD, CORRECTION, MOTION, RMS_SPEED

CRUSH = 0.6  # of its length: how much a body is compressed by an impact, at most
WHIRL = 2.0  # no piece of a body that turns is faster than this, in root mean squares of its speed
# how much less two bear by the part of their contacts that is deep, and what is left of it
THROUGH, LEAST_BORNE = 2.0, 0.4
ALIGNED = 0.1  # of all contacts: if less is left of their normals together, they have no direction


@part
def bearable(materials, a, b):
    """The speed at which two actors may meet, m/s."""
    least = math.inf
    for one, two in ((MATERIAL * a, MATERIAL * b), (MATERIAL * b, MATERIAL * a)):
        if materials[one + CRUSH_SPEED] < math.inf and materials[two + IMPEDANCE] > 0.0:
            least = min(
                least, materials[one + CRUSH_SPEED] * (1.0 + materials[one + IMPEDANCE] / materials[two + IMPEDANCE])
            )
    return max(GENTLE, least)


@part
def slow_down(x, p, inverse, origins, owners, materials, awake, places, contacts, first, last, motion, impacts, h):
    """Bodies with contacts from first to last that would meet faster than they can bear are slowed down to that:
    changes p, or the correction of those that are firm. Contacts of two actors stand together."""
    while first < last:
        a = np.int64(owners[np.int64(contacts[CONTACT * first + ONE])])
        b = np.int64(owners[np.int64(contacts[CONTACT * first + OTHER])])
        end, came = end_of_body_pair(contacts, first), contacts[CONTACT * first + CLOSING]
        if a != b and awake[a] != 0 and awake[b] != 0:
            most = bearable(materials, a, b)
            if most < math.inf:  # limbs fold, and skins that get through each other stop the bodies less and less
                most *= max(LEAST_BORNE, 1.0 - THROUGH * contacts[CONTACT * first + DEEP_COUNT] / (end - first))
            fast = WHIRL * (motion[MOTION * a + RMS_SPEED] + motion[MOTION * b + RMS_SPEED])  # in the last sub-step
            if max(fast, came / h) > most:
                for actor in (a, b):
                    weigh_moving(x, p, inverse, origins, materials, motion, actor, h)
                if brake(contacts, first, end, owners, places, motion, impacts, a, b, most, h):
                    for actor in (a, b):
                        if materials[MATERIAL * actor + FIRM] == 0.0 and motion[MOTION * actor + BODY_HELD] == 0.0:
                            carry(x, p, inverse, origins, motion, actor)
                            for k in range(6):
                                motion[MOTION * actor + CORRECTION + k] = 0.0
        first = end


@part
def weigh_moving(x, p, inverse, origins, materials, motion, actor, h):
    """Mass, centre, inertia and rigid motion of an actor as its model would have it go in this sub-step; as it stood
    before, so that angular momentum is kept, but for a firm one as it will be carried. Of one that pins hold the motion
    is that of the last sub-step."""
    m = motion[MOTION * actor : MOTION * (actor + 1)]
    first, last = span_of(origins, inverse, actor)
    for i in range(first, last):
        if inverse[i] == 0:
            m[BODY_HELD] = 1.0
            return
    arms = p if materials[MATERIAL * actor + FIRM] > 0.0 else x
    weigh_firm(arms, inverse, origins, motion, actor)
    v0 = v1 = v2 = l0 = l1 = l2 = mass = 0.0
    for i in range(first, last):
        f = 4 * i
        k = 1.0 / inverse[i]
        u0, u1, u2 = k * (p[f] - x[f]), k * (p[f + 1] - x[f + 1]), k * (p[f + 2] - x[f + 2])
        r0, r1, r2 = arms[f] - m[6], arms[f + 1] - m[7], arms[f + 2] - m[8]
        mass += k
        v0, v1, v2 = v0 + u0, v1 + u1, v2 + u2
        l0, l1, l2 = l0 + r1 * u2 - r2 * u1, l1 + r2 * u0 - r0 * u2, l2 + r0 * u1 - r1 * u0
    w0, w1, w2 = times_inverse_inertia(m, l0 / h, l1 / h, l2 / h)
    m[0], m[1], m[2], m[3], m[4], m[5] = v0 / (h * mass), v1 / (h * mass), v2 / (h * mass), w0, w1, w2
    for k in range(6):  # a firm one may have been pushed by a third body already
        m[ADDED + k] = m[CORRECTION + k] / h


@part
def brake(contacts, first, end, owners, places, motion, impacts, a, b, most, h):
    """Two actors with the contacts from first to end: take away what they approach faster than `most`, in the middle of
    where they meet; but until they touch they go on. False if they do not meet so fast."""
    gap = math.inf
    total = n0 = n1 = n2 = q0 = q1 = q2 = 0.0
    for c in range(first, end):
        row = contacts[CONTACT * c : CONTACT * (c + 1)]
        deep = row[DEPTH]
        if deep > 0.0:
            p0, p1, p2 = point_of(row, places)
            total += deep
            gap = min(gap, max(0.0, row[OLD_GAP]))
            n0, n1, n2 = n0 + deep * row[NORMAL], n1 + deep * row[NORMAL + 1], n2 + deep * row[NORMAL + 2]
            q0, q1, q2 = q0 + deep * p0, q1 + deep * p1, q2 + deep * p2
    length = math.sqrt(n0 * n0 + n1 * n1 + n2 * n2)
    if length <= ALIGNED * total:
        return False
    n0, n1, n2 = n0 / length, n1 / length, n2 / length
    q0, q1, q2 = q0 / total, q1 / total, q2 / total
    k, m = MOTION * a + BODY_CENTRE, MOTION * b + BODY_CENTRE
    r0, r1, r2 = q0 - motion[k], q1 - motion[k + 1], q2 - motion[k + 2]
    s0, s1, s2 = q0 - motion[m], q1 - motion[m + 1], q2 - motion[m + 2]
    v0, v1, v2 = velocity_at(motion, a, r0, r1, r2)
    u0, u1, u2 = velocity_at(motion, b, s0, s1, s2)
    speed = n0 * (u0 - v0) + n1 * (u1 - v1) + n2 * (u2 - v2)
    give = inverse_effective_mass(motion, a, n0, n1, n2, r0, r1, r2) + inverse_effective_mass(
        motion, b, n0, n1, n2, s0, s1, s2
    )
    most = max(most, gap / h)
    if speed <= most or give == 0.0:
        return False
    push = h * (speed - most) / give
    apply_impulse(motion, a, CORRECTION, push * n0, push * n1, push * n2, r0, r1, r2)
    apply_impulse(motion, b, CORRECTION, -push * n0, -push * n1, -push * n2, s0, s1, s2)
    for c in range(first, end):  # they may be apart again before any contact has pushed: so remember where they bounce
        row = contacts[CONTACT * c : CONTACT * (c + 1)]
        if row[CONTACT_RESTITUTION] > 0.0 and row[DEPTH] > 0.0:
            remember(row, places, owners, impacts, GENTLE)
            spot = BODY_IMPACT * a + IMPACT_POINT
            impacts[spot], impacts[spot + 1], impacts[spot + 2] = q0, q1, q2
    return True
