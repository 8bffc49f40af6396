"""Kernels that part what touches, and friction.

A contact is an inequality between two centres,  n . (c_1 - c_2) >= r_1 + r_2 , and a push along n that is never
negative; friction is a second push across n, at most so many times the first, against the slip of this sub-step. All
are found together by sweeps of projected Gauss and Seidel in the order of the contacts: each push takes the whole error
of its contact, and may take back what it gave before. A push is an impulse times the sub-step (kg m), equal and
opposite on the two, so momentum is kept whatever the number of sweeps. The sweeps begin with the pushes of the last
sub-step (memory_kernels): what rests is found at rest.

Soft bodies are pushed particle by particle. A firm one, so stiff that a push reaches all of it within a sub-step, moves
as a whole (firm_kernels): one of its particles is too light, and the others would take the push back.

Whoever is inside another already when the sub-step begins must not be thrown out at once: that would turn the overlap
into speed. It comes out slowly (RECOVER in find_kernels). (Moving places out without their velocities was tried: a
stiff body takes its particles back into the overlap in each step, and creeps sideways over the bumps of the other.)"""

import math

import numpy as np

from pliant.runtime.jit import part
from pliant.world.contact.layout import (
    APART,
    CONTACT,
    DRAG,
    END,
    FIRM,
    GIVE,
    HOLDS,
    MANNERS,
    NORMAL,
    OFFSET,
    ONE,
    OTHER,
    OTHERS_YIELD,
    PLACE,
    PUSH,
    RUB,
    SLIP,
    STIFF,
    STILL,
    YIELD,
)  # fmt: skip
from pliant.world.contact.memory_kernels import recollect
from pliant.world.contact.place_kernels import tied
from pliant.world.contact.shove_kernels import ease_of, point_of, shove, way_at
from pliant.world.layout import MOTION, WAY


@part
def move(p, inverse, riders, shares, s, d0, d1, d2):
    """Give a push to a sphere: each particle takes its share by its mass."""
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
def give_push(p, inverse, riders, shares, owners, places, motion, row, d0, d1, d2):
    """A push on the one of a contact, and its opposite on the other."""
    for side in range(2):
        s = np.int64(row[ONE + side])
        if row[YIELD + side] > 0.0:
            if places[PLACE * s + STILL] == 0.0:
                move(p, inverse, riders, shares, s, d0, d1, d2)
            else:
                actor = np.int64(owners[s])
                q0, q1, q2 = point_of(row, places)
                m = MOTION * actor
                shove(motion, actor, WAY, d0, d1, d2, q0 - motion[m + 6], q1 - motion[m + 7], q2 - motion[m + 8])
        d0, d1, d2 = -d0, -d1, -d2


@part
def centre_of(p, riders, shares, owners, places, motion, row, side):
    """Where a sphere of a contact is now."""
    s = np.int64(row[ONE + side])
    at = PLACE * s
    if places[at + STILL] == 0.0:
        c0, c1, c2 = tied(p, riders, shares, s)
        return c0 + places[at + OFFSET], c1 + places[at + OFFSET + 1], c2 + places[at + OFFSET + 2]
    at += END
    if row[YIELD + side] == 0.0:
        return places[at], places[at + 1], places[at + 2]
    actor = np.int64(owners[s])
    q0, q1, q2 = point_of(row, places)
    m = MOTION * actor
    w0, w1, w2 = way_at(motion, actor, q0 - motion[m + 6], q1 - motion[m + 7], q2 - motion[m + 8])
    return places[at] + w0, places[at + 1] + w1, places[at + 2] + w2


@part
def ease_across(owners, places, motion, row, t0, t1, t2):
    """How far both sides together go along t for a push of 1 along it."""
    total = 0.0
    for side in range(2):
        s = np.int64(row[ONE + side])
        if row[YIELD + side] > 0.0:
            if places[PLACE * s + STILL] == 0.0:
                total += row[YIELD + side]
            else:
                actor = np.int64(owners[s])
                q0, q1, q2 = point_of(row, places)
                m = MOTION * actor
                total += ease_of(motion, actor, t0, t1, t2, q0 - motion[m + 6], q1 - motion[m + 7], q2 - motion[m + 8])
    return total


@part
def weigh_contact(p, inverse, riders, shares, owners, manners, places, motion, row, memory, h):
    """How much each side of a contact yields to a push: by the mass of its particles, or of its body where that is
    firm. And its push as it was in the last sub-step."""
    rigid = False
    for side in range(2):
        s = np.int64(row[ONE + side])
        row[YIELD + side] = places[PLACE * s + GIVE]
        rigid = rigid or (row[YIELD + side] > 0.0 and manners[MANNERS * np.int64(owners[s]) + FIRM] > 0.0)
    for _again in range(2 if rigid else 0):  # where they touch depends on it
        q0, q1, q2 = point_of(row, places)
        for side in range(2):
            s = np.int64(row[ONE + side])
            actor = np.int64(owners[s])
            give = places[PLACE * s + GIVE]
            if give > 0.0 and manners[MANNERS * actor + FIRM] > 0.0:
                m = MOTION * actor
                give = ease_of(
                    motion, actor, row[NORMAL], row[NORMAL + 1], row[NORMAL + 2],
                    q0 - motion[m + 6], q1 - motion[m + 7], q2 - motion[m + 8],
                )  # fmt: skip
            row[YIELD + side] = give
    both = row[YIELD] + row[OTHERS_YIELD]
    row[STIFF] = 1.0 / both if both > 0.0 else 0.0
    if both > 0.0 and recollect(memory, row, h):
        give_push(
            p, inverse, riders, shares, owners, places, motion, row,
            row[PUSH] * row[NORMAL] + row[DRAG], row[PUSH] * row[NORMAL + 1] + row[DRAG + 1],
            row[PUSH] * row[NORMAL + 2] + row[DRAG + 2],
        )  # fmt: skip


@part
def push_apart(p, inverse, riders, shares, owners, places, motion, contacts, listed, count):
    """One sweep over the contacts in a list. Returns the square of the largest change of a place, in metres."""
    most = 0.0
    for each in range(count):
        c = np.int64(listed[each])
        row = contacts[CONTACT * c : CONTACT * (c + 1)]
        a0, a1, a2 = centre_of(p, riders, shares, owners, places, motion, row, 0)
        b0, b1, b2 = centre_of(p, riders, shares, owners, places, motion, row, 1)
        d0, d1, d2 = a0 - b0, a1 - b1, a2 - b2
        n0, n1, n2 = row[NORMAL], row[NORMAL + 1], row[NORMAL + 2]
        stiff = row[STIFF]
        push = max(0.0, row[PUSH] + (row[APART] - n0 * d0 - n1 * d1 - n2 * d2) * stiff)
        if push == 0.0 and row[PUSH] == 0.0:
            continue
        more = push - row[PUSH]
        row[PUSH] = push
        i, j = PLACE * np.int64(row[ONE]), PLACE * np.int64(row[OTHER])
        s0, s1, s2 = d0 + row[SLIP], d1 + row[SLIP + 1], d2 + row[SLIP + 2]
        along = s0 * n0 + s1 * n1 + s2 * n2
        s0, s1, s2 = s0 - along * n0, s1 - along * n1, s2 - along * n2
        if places[i + STILL] + places[j + STILL] > 0.0:
            slip = math.sqrt(s0 * s0 + s1 * s1 + s2 * s2)
            if slip > 0.0:
                ease = ease_across(owners, places, motion, row, s0 / slip, s1 / slip, s2 / slip)
                stiff = 1.0 / ease if ease > 0.0 else 0.0
        t0, t1, t2 = row[DRAG] - s0 * stiff, row[DRAG + 1] - s1 * stiff, row[DRAG + 2] - s2 * stiff
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
        give_push(p, inverse, riders, shares, owners, places, motion, row, d0, d1, d2)
        both = row[YIELD] + row[OTHERS_YIELD]
        most = max(most, (d0 * d0 + d1 * d1 + d2 * d2) * both * both)
    return most
