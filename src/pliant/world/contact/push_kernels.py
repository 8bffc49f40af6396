"""Kernels that part what touches, and friction.

A contact is an inequality between two centres,  n . (c_1 - c_2) >= r_1 + r_2 , and a push along n that is never
negative; friction is a second push across n, at most so many times the first, against the slip of this sub-step. All
are found together by sweeps of projected Gauss and Seidel in the order of the contacts: each push takes the whole error
of its contact, and may take back what it gave before. A push is an impulse times the sub-step (kg m), equal and
opposite on the two, so momentum is kept whatever the number of sweeps.

Whoever is inside another already when the sub-step begins must not be thrown out at once: that would turn the overlap
into speed. It comes out slowly (RECOVER in grid_kernels). (Moving places out without their velocities was tried: a
stiff body takes its particles back into the overlap in each step, and creeps sideways over the bumps of the other.)"""

import math

import numpy as np

from pliant.jit import part
from pliant.world.contact.firm_kernels import both_firm
from pliant.world.contact.layout import (
    APART,
    BEGIN,
    CONTACT,
    DRAG,
    END,
    FIRM,
    GIVE,
    HOLDS,
    MANNERS,
    MEETING,
    NORMAL,
    OFFSET,
    ONE,
    OTHER,
    OTHERS_YIELD,
    PLACE,
    PUSH,
    RUB,
    STIFF,
    STILL,
    TURN,
    YIELD,
)  # fmt: skip
from pliant.world.contact.place_kernels import tied
from pliant.world.contact.shove_kernels import ease_of, point_of
from pliant.world.layout import HELD, MOTION


@part
def move(p, inverse, riders, shares, places, s, give, d0, d1, d2):
    """Give a push to a sphere: each particle takes its share by its mass. If its body takes the push as a whole (see
    after_kernels), the sphere goes alone, to where its body would take it."""
    if places[PLACE * s + STILL] > 0.0:
        at = PLACE * s + END
        places[at] += give * d0
        places[at + 1] += give * d1
        places[at + 2] += give * d2
        return
    real = p.dtype.type
    for k in range(2):
        w = float(shares[2 * s + k])
        if w != 0.0:
            i = np.int64(riders[2 * s + k])
            w *= inverse[i]
            p[4 * i] = real(p[4 * i] + w * d0)
            p[4 * i + 1] = real(p[4 * i + 1] + w * d1)
            p[4 * i + 2] = real(p[4 * i + 2] + w * d2)


@part
def between(p, riders, shares, places, a, b):
    """From the centre of b to that of a, now."""
    i, j = PLACE * a + OFFSET, PLACE * b + OFFSET
    if places[PLACE * a + STILL] == 0.0:
        a0, a1, a2 = tied(p, riders, shares, a)
        a0, a1, a2 = a0 + places[i], a1 + places[i + 1], a2 + places[i + 2]
    else:
        a0, a1, a2 = places[PLACE * a + END], places[PLACE * a + END + 1], places[PLACE * a + END + 2]
    if places[PLACE * b + STILL] == 0.0:
        b0, b1, b2 = tied(p, riders, shares, b)
        return a0 - b0 - places[j], a1 - b1 - places[j + 1], a2 - b2 - places[j + 2]
    at = PLACE * b + END
    return a0 - places[at], a1 - places[at + 1], a2 - places[at + 2]


@part
def weigh_contacts(owners, manners, places, motion, contacts, count, meetings):
    """How much each side yields to a push: by the mass of its particles, or of its body where that is firm,
    1/M + (r x n) . I^-1 (r x n) as it was in the last sub-step. Each of its k contacts may count on one part in k of
    the body only, or they would push k times too hard together."""
    meetings[:] = 0.0
    for c in range(count):
        for side in (ONE, OTHER):
            meetings[MEETING * np.int64(owners[np.int64(contacts[CONTACT * c + side])]) + 3] += 1.0
    for c in range(count):
        row = contacts[CONTACT * c : CONTACT * (c + 1)]
        q0, q1, q2 = point_of(row, places)
        for side in range(2):
            s = np.int64(row[ONE + side])
            actor = np.int64(owners[s])
            give = places[PLACE * s + GIVE]
            m = MOTION * actor
            if manners[MANNERS * actor + FIRM] > 0.0 and give > 0.0:
                give = 0.0
                if motion[m + HELD] == 0.0:
                    give = meetings[MEETING * actor + 3] * ease_of(
                        motion, actor, row[NORMAL], row[NORMAL + 1], row[NORMAL + 2],
                        q0 - motion[m + 6], q1 - motion[m + 7], q2 - motion[m + 8],
                    )  # fmt: skip
            row[YIELD + side] = give
        both = row[YIELD] + row[OTHERS_YIELD]
        row[STIFF] = 1.0 / both if both > 0.0 and not both_firm(row, owners, manners, places) else 0.0


@part
def push_apart(p, inverse, riders, shares, places, contacts, count):
    """One sweep over all contacts. Returns the largest change of a place, in metres."""
    most = 0.0
    for c in range(count):
        row = contacts[CONTACT * c : CONTACT * (c + 1)]
        a, b = np.int64(row[ONE]), np.int64(row[OTHER])
        d0, d1, d2 = between(p, riders, shares, places, a, b)
        n0, n1, n2 = row[NORMAL], row[NORMAL + 1], row[NORMAL + 2]
        stiff = row[STIFF]
        push = max(0.0, row[PUSH] + (row[APART] - n0 * d0 - n1 * d1 - n2 * d2) * stiff)
        if (push == 0.0 and row[PUSH] == 0.0) or stiff == 0.0:
            continue
        more = push - row[PUSH]
        row[PUSH] = push
        i, j = PLACE * a + BEGIN, PLACE * b + BEGIN
        s0 = d0 - places[i] + places[j] + row[TURN]
        s1 = d1 - places[i + 1] + places[j + 1] + row[TURN + 1]
        s2 = d2 - places[i + 2] + places[j + 2] + row[TURN + 2]
        along = s0 * n0 + s1 * n1 + s2 * n2
        t0 = row[DRAG] - (s0 - along * n0) * stiff
        t1 = row[DRAG + 1] - (s1 - along * n1) * stiff
        t2 = row[DRAG + 2] - (s2 - along * n2) * stiff
        pull = t0 * t0 + t1 * t1 + t2 * t2
        grip = row[RUB] * push
        row[HOLDS] = 1.0
        if pull > grip * grip:
            row[HOLDS] = 0.0
            part = grip / math.sqrt(pull)
            t0, t1, t2 = part * t0, part * t1, part * t2
        d0 = more * n0 + t0 - row[DRAG]
        d1 = more * n1 + t1 - row[DRAG + 1]
        d2 = more * n2 + t2 - row[DRAG + 2]
        row[DRAG], row[DRAG + 1], row[DRAG + 2] = t0, t1, t2
        move(p, inverse, riders, shares, places, a, row[YIELD], d0, d1, d2)
        move(p, inverse, riders, shares, places, b, row[OTHERS_YIELD], -d0, -d1, -d2)
        both = row[YIELD] + row[OTHERS_YIELD]
        most = max(most, (d0 * d0 + d1 * d1 + d2 * d2) * both * both)
    return math.sqrt(most)
