# mypy: disallow-untyped-defs=False, check-untyped-defs=False
"""Kernels that part what touches, and friction.

A contact is an inequality between two centres,  n . (c_1 - c_2) >= r_1 + r_2 , and a push along n that is never
negative; friction is a second push across n, at most so many times the first, against the slip of this sub-step. All
are found together by sweeps of projected Gauss and Seidel in the order of the contacts: each push takes the whole error
of its contact, and may take back what it gave before. A push is an impulse times the sub-step (kg m), equal and
opposite on the two, so momentum is kept whatever the number of sweeps. The sweeps begin with the pushes of the last
sub-step (warm_start_kernels): what rests is found at rest.

Soft bodies are pushed particle by particle. A firm one, so stiff that a push reaches all of it within a sub-step, moves
as a whole (firm_kernels): one of its particles is too light, and the others would take the push back.

A body that is inside another already when the sub-step begins must not be thrown out at once: that would turn the
overlap into speed. It comes out slowly (RECOVER in note_kernels). (Moving places out without their velocities was
tried: a stiff body takes its particles back into the overlap in each step, and creeps sideways over the bumps of the
other.)"""

import math

import numpy as np

from pliant.runtime.jit import part
from pliant.world.contact.impulse_kernels import apply_impulse, correction_at, inverse_effective_mass, point_of
from pliant.world.contact.layout import (
    CENTRE_OFFSET,
    CONTACT,
    CONTACT_FRICTION,
    EFFECTIVE_MASS,
    END_CENTRE,
    FIRM,
    FIXED,
    FRICTION_PUSH,
    INV_MASS,
    MATERIAL,
    MIN_DISTANCE,
    NORMAL,
    ONE,
    OTHER,
    OTHERS_INV_MASS,
    PROXY_INV_MASS,
    PROXY_PLACE,
    PUSH,
    SLIP_OFFSET,
    STICKS,
)  # fmt: skip
from pliant.world.contact.place_kernels import tied
from pliant.world.contact.warm_start_kernels import warm_start
from pliant.world.layout import BODY_CENTRE, CORRECTION, MOTION


@part
def move(p, inverse, attachments, attachment_weights, s, d0, d1, d2):
    """Give a push to a sphere: each particle takes its share by its mass."""
    real = p.dtype.type
    for k in range(2):
        w = float(attachment_weights[2 * s + k])
        if w != 0.0:
            i = np.int64(attachments[2 * s + k])
            w *= inverse[i]
            p[4 * i] = real(p[4 * i] + w * d0)
            p[4 * i + 1] = real(p[4 * i + 1] + w * d1)
            p[4 * i + 2] = real(p[4 * i + 2] + w * d2)


@part
def give_push(p, inverse, attachments, attachment_weights, owners, places, motion, row, d0, d1, d2):
    """A push on the one of a contact, and its opposite on the other."""
    for side in range(2):
        s = np.int64(row[ONE + side])
        if row[INV_MASS + side] > 0.0:
            if places[PROXY_PLACE * s + FIXED] == 0.0:
                move(p, inverse, attachments, attachment_weights, s, d0, d1, d2)
            else:
                actor = np.int64(owners[s])
                q0, q1, q2 = point_of(row, places)
                m = MOTION * actor + BODY_CENTRE
                apply_impulse(
                    motion, actor, CORRECTION, d0, d1, d2, q0 - motion[m], q1 - motion[m + 1], q2 - motion[m + 2]
                )
        d0, d1, d2 = -d0, -d1, -d2


@part
def centre_of(p, attachments, attachment_weights, owners, places, motion, row, side):
    """Where a sphere of a contact is now."""
    s = np.int64(row[ONE + side])
    at = PROXY_PLACE * s
    if places[at + FIXED] == 0.0:
        c0, c1, c2 = tied(p, attachments, attachment_weights, s)
        return c0 + places[at + CENTRE_OFFSET], c1 + places[at + CENTRE_OFFSET + 1], c2 + places[at + CENTRE_OFFSET + 2]
    at += END_CENTRE
    if row[INV_MASS + side] == 0.0:
        return places[at], places[at + 1], places[at + 2]
    actor = np.int64(owners[s])
    q0, q1, q2 = point_of(row, places)
    m = MOTION * actor + BODY_CENTRE
    w0, w1, w2 = correction_at(motion, actor, q0 - motion[m], q1 - motion[m + 1], q2 - motion[m + 2])
    return places[at] + w0, places[at + 1] + w1, places[at + 2] + w2


@part
def inverse_effective_mass_across(owners, places, motion, row, t0, t1, t2):
    """Of both sides together: how far they go along t for a push of 1 along it."""
    total = 0.0
    for side in range(2):
        s = np.int64(row[ONE + side])
        if row[INV_MASS + side] > 0.0:
            if places[PROXY_PLACE * s + FIXED] == 0.0:
                total += row[INV_MASS + side]
            else:
                actor = np.int64(owners[s])
                q0, q1, q2 = point_of(row, places)
                m = MOTION * actor + BODY_CENTRE
                total += inverse_effective_mass(
                    motion, actor, t0, t1, t2, q0 - motion[m], q1 - motion[m + 1], q2 - motion[m + 2]
                )
    return total


@part
def weigh_contact(p, inverse, attachments, attachment_weights, owners, materials, places, motion, row, warm_pushes, h):
    """How much each side of a contact yields to a push: by the mass of its particles, or of its body where that is
    firm. And its push as it was in the last sub-step."""
    rigid = False
    for side in range(2):
        s = np.int64(row[ONE + side])
        row[INV_MASS + side] = places[PROXY_PLACE * s + PROXY_INV_MASS]
        rigid = rigid or (row[INV_MASS + side] > 0.0 and materials[MATERIAL * np.int64(owners[s]) + FIRM] > 0.0)
    for _again in range(2 if rigid else 0):  # where they touch depends on it
        q0, q1, q2 = point_of(row, places)
        for side in range(2):
            s = np.int64(row[ONE + side])
            actor = np.int64(owners[s])
            give = places[PROXY_PLACE * s + PROXY_INV_MASS]
            if give > 0.0 and materials[MATERIAL * actor + FIRM] > 0.0:
                m = MOTION * actor + BODY_CENTRE
                give = inverse_effective_mass(
                    motion, actor, row[NORMAL], row[NORMAL + 1], row[NORMAL + 2],
                    q0 - motion[m], q1 - motion[m + 1], q2 - motion[m + 2],
                )  # fmt: skip
            row[INV_MASS + side] = give
    both = row[INV_MASS] + row[OTHERS_INV_MASS]
    row[EFFECTIVE_MASS] = 1.0 / both if both > 0.0 else 0.0
    if both > 0.0 and warm_start(warm_pushes, row, h):
        give_push(
            p, inverse, attachments, attachment_weights, owners, places, motion, row,
            row[PUSH] * row[NORMAL] + row[FRICTION_PUSH], row[PUSH] * row[NORMAL + 1] + row[FRICTION_PUSH + 1],
            row[PUSH] * row[NORMAL + 2] + row[FRICTION_PUSH + 2],
        )  # fmt: skip


@part
def push_apart(p, inverse, attachments, attachment_weights, owners, places, motion, contacts, listed, count):
    """One sweep over the contacts in a list. Returns the square of the largest change of a place, in metres."""
    most = 0.0
    for each in range(count):
        c = np.int64(listed[each])
        row = contacts[CONTACT * c : CONTACT * (c + 1)]
        a0, a1, a2 = centre_of(p, attachments, attachment_weights, owners, places, motion, row, 0)
        b0, b1, b2 = centre_of(p, attachments, attachment_weights, owners, places, motion, row, 1)
        d0, d1, d2 = a0 - b0, a1 - b1, a2 - b2
        n0, n1, n2 = row[NORMAL], row[NORMAL + 1], row[NORMAL + 2]
        stiff = row[EFFECTIVE_MASS]
        push = max(0.0, row[PUSH] + (row[MIN_DISTANCE] - n0 * d0 - n1 * d1 - n2 * d2) * stiff)
        if push == 0.0 and row[PUSH] == 0.0:
            continue
        more = push - row[PUSH]
        row[PUSH] = push
        i, j = PROXY_PLACE * np.int64(row[ONE]), PROXY_PLACE * np.int64(row[OTHER])
        s0, s1, s2 = d0 + row[SLIP_OFFSET], d1 + row[SLIP_OFFSET + 1], d2 + row[SLIP_OFFSET + 2]
        along = s0 * n0 + s1 * n1 + s2 * n2
        s0, s1, s2 = s0 - along * n0, s1 - along * n1, s2 - along * n2
        if places[i + FIXED] + places[j + FIXED] > 0.0:
            slip = math.sqrt(s0 * s0 + s1 * s1 + s2 * s2)
            if slip > 0.0:
                inverse_mass = inverse_effective_mass_across(
                    owners, places, motion, row, s0 / slip, s1 / slip, s2 / slip
                )
                stiff = 1.0 / inverse_mass if inverse_mass > 0.0 else 0.0
        t0, t1, t2 = (
            row[FRICTION_PUSH] - s0 * stiff,
            row[FRICTION_PUSH + 1] - s1 * stiff,
            row[FRICTION_PUSH + 2] - s2 * stiff,
        )
        pull = t0 * t0 + t1 * t1 + t2 * t2
        grip = row[CONTACT_FRICTION] * push
        row[STICKS] = 1.0
        if pull > grip * grip:
            row[STICKS] = 0.0
            part = grip / math.sqrt(pull)
            t0, t1, t2 = part * t0, part * t1, part * t2
        d0 = more * n0 + t0 - row[FRICTION_PUSH]
        d1 = more * n1 + t1 - row[FRICTION_PUSH + 1]
        d2 = more * n2 + t2 - row[FRICTION_PUSH + 2]
        row[FRICTION_PUSH], row[FRICTION_PUSH + 1], row[FRICTION_PUSH + 2] = t0, t1, t2
        give_push(p, inverse, attachments, attachment_weights, owners, places, motion, row, d0, d1, d2)
        both = row[INV_MASS] + row[OTHERS_INV_MASS]
        most = max(most, (d0 * d0 + d1 * d1 + d2 * d2) * both * both)
    return most
