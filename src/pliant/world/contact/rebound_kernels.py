# mypy: disallow-untyped-defs=False, check-untyped-defs=False
"""Restitution between bodies: they leave each other with at least e times the speed with which they met.

A particle that bounces is too light to carry its body along (see bounce_kernels), so it is the bodies that do. Each
actor remembers its hardest impact with another: the fastest approach of the two rigid motions at a contact, along its
normal. When they part with less than e times that, or are no longer in touch, an impulse, equal and opposite at the
contact, makes up for it. Its energy is taken from the wobble of both as far as that goes; it is never more than the
impact took, because e <= 1."""

import math

import numpy as np

from pliant.runtime.jit import part
from pliant.world.bounce_kernels import IMPACT_LIFETIME
from pliant.world.contact.impulse_kernels import apply_impulse, inverse_effective_mass, point_of, velocity_at
from pliant.world.contact.layout import (
    APPROACH,
    BODY_IMPACT,
    CAME,
    CONTACT,
    CONTACT_RESTITUTION,
    IMPACT_AGE,
    IMPACT_LOAD,
    IMPACT_NORMAL,
    IMPACT_NOW,
    IMPACT_POINT,
    IMPACT_RESTITUTION,
    NORMAL,
    ONE,
    OTHER,
    PARTNER,
    PUSH,
)
from pliant.world.layout import (
    ADDED,
    BODY_CENTRE,
    BODY_HELD,
    BODY_MASS,
    BOUNCE,
    DEVIATION,
    INERTIA,
    LAST_VELOCITY,
    MOTION,
    RMS_SPEED,
)


@part
def notice(contacts, first, last, owners, places, bounces):
    """Before the bodies answer: how fast did they come, where they may bounce?"""
    for c in range(first, last):
        if contacts[CONTACT * c + CONTACT_RESTITUTION] == 0.0:
            continue
        row = contacts[CONTACT * c : CONTACT * (c + 1)]
        q0, q1, q2 = point_of(row, places)
        row[CAME] = 0.0
        for side in range(2):
            at = BOUNCE * np.int64(owners[np.int64(row[ONE + side])]) + LAST_VELOCITY
            m = bounces[at : at + 9]  # the rigid motion after the last sub-step
            r0, r1, r2 = q0 - m[6], q1 - m[7], q2 - m[8]
            v0, v1, v2 = m[0] + m[4] * r2 - m[5] * r1, m[1] + m[5] * r0 - m[3] * r2, m[2] + m[3] * r1 - m[4] * r0
            along = row[NORMAL] * v0 + row[NORMAL + 1] * v1 + row[NORMAL + 2] * v2
            row[CAME] += along if side == 1 else -along


@part
def remember(row, places, owners, impacts, gentle):
    """A contact of two bodies that bounce: the hardest one counts."""
    a, b = np.int64(owners[np.int64(row[ONE])]), np.int64(owners[np.int64(row[OTHER])])
    if a == b:
        return
    i = impacts[BODY_IMPACT * a : BODY_IMPACT * (a + 1)]
    if row[CAME] > gentle and row[CAME] > i[APPROACH]:
        if i[PARTNER] != b + 1.0:
            i[IMPACT_LOAD] = i[IMPACT_LOAD + 1] = i[IMPACT_LOAD + 2] = i[IMPACT_LOAD + 3] = 0.0
        i[PARTNER], i[APPROACH], i[IMPACT_RESTITUTION], i[IMPACT_AGE] = (
            b + 1.0,
            row[CAME],
            row[CONTACT_RESTITUTION],
            0.0,
        )
        i[IMPACT_NORMAL], i[IMPACT_NORMAL + 1], i[IMPACT_NORMAL + 2] = row[NORMAL], row[NORMAL + 1], row[NORMAL + 2]
    if i[PARTNER] == b + 1.0:
        q0, q1, q2 = point_of(row, places)
        i[IMPACT_NOW] = 1.0
        i[IMPACT_LOAD] += row[PUSH]
        i[IMPACT_LOAD + 1] += row[PUSH] * q0
        i[IMPACT_LOAD + 2] += row[PUSH] * q1
        i[IMPACT_LOAD + 3] += row[PUSH] * q2


@part
def wobble_of(motion, actor):
    """Energy of what deviates from the rigid motion, J."""
    m = motion[MOTION * actor : MOTION * (actor + 1)]
    d = m[INERTIA : INERTIA + 6]
    u0, u1 = m[3] + d[3] * m[4] + d[4] * m[5], m[4] + d[5] * m[5]
    rigid = m[BODY_MASS] * (m[0] * m[0] + m[1] * m[1] + m[2] * m[2])
    rigid += d[0] * u0 * u0 + d[1] * u1 * u1 + d[2] * m[5] * m[5]
    return max(0.0, 0.5 * (m[BODY_MASS] * m[RMS_SPEED] * m[RMS_SPEED] - rigid))


@part
def rebound(motion, impacts, awake, h):
    """Bodies that part too slowly after an impact are given what is missing."""
    for a in range(len(impacts) // BODY_IMPACT):
        i = impacts[BODY_IMPACT * a : BODY_IMPACT * (a + 1)]
        if i[PARTNER] == 0.0:
            continue
        b = np.int64(i[PARTNER]) - 1
        touching = i[IMPACT_NOW] > 0.0
        if (
            i[IMPACT_LOAD] > 0.0
        ):  # in the middle of all their contacts: a push at one of them would mostly turn the bodies
            for k in range(3):
                i[IMPACT_POINT + k] = i[IMPACT_LOAD + 1 + k] / i[IMPACT_LOAD]
                i[IMPACT_LOAD + 1 + k] = 0.0
            i[IMPACT_LOAD] = 0.0
        i[IMPACT_NOW] = 0.0
        i[IMPACT_AGE] += h
        if awake[a] == 0 or i[IMPACT_AGE] > IMPACT_LIFETIME:
            i[PARTNER] = i[APPROACH] = 0.0
            continue
        n0, n1, n2 = i[IMPACT_NORMAL], i[IMPACT_NORMAL + 1], i[IMPACT_NORMAL + 2]
        k, m = MOTION * a + BODY_CENTRE, MOTION * b + BODY_CENTRE
        r0, r1, r2 = (
            i[IMPACT_POINT] - motion[k],
            i[IMPACT_POINT + 1] - motion[k + 1],
            i[IMPACT_POINT + 2] - motion[k + 2],
        )
        s0, s1, s2 = (
            i[IMPACT_POINT] - motion[m],
            i[IMPACT_POINT + 1] - motion[m + 1],
            i[IMPACT_POINT + 2] - motion[m + 2],
        )
        v0, v1, v2 = velocity_at(motion, a, r0, r1, r2)
        u0, u1, u2 = velocity_at(motion, b, s0, s1, s2)
        speed = n0 * (v0 - u0) + n1 * (v1 - u1) + n2 * (v2 - u2)
        goal = i[IMPACT_RESTITUTION] * i[APPROACH]
        last, i[IMPACT_AGE + 1] = i[IMPACT_AGE + 1], speed
        if speed <= 0.0 or (touching and speed > last and speed < goal):
            continue  # they are still coming, or push each other away by themselves
        if speed < goal:
            give = inverse_effective_mass(motion, a, n0, n1, n2, r0, r1, r2) + inverse_effective_mass(
                motion, b, n0, n1, n2, s0, s1, s2
            )
            if give > 0.0:
                push = (goal - speed) / give
                gain = 0.5 * push * (goal + speed)
                wobble = wobble_of(motion, a) + wobble_of(motion, b)
                keep = math.sqrt(max(0.0, 1.0 - gain / wobble)) if wobble > 0.0 else 1.0
                for actor in (a, b):
                    if motion[MOTION * actor + BODY_HELD] == 0.0:
                        motion[MOTION * actor + DEVIATION] *= keep
                apply_impulse(motion, a, ADDED, push * n0, push * n1, push * n2, r0, r1, r2)
                apply_impulse(motion, b, ADDED, -push * n0, -push * n1, -push * n2, s0, s1, s2)
        if not touching:  # else what they still do to each other may take some of it back
            i[PARTNER] = i[APPROACH] = 0.0
