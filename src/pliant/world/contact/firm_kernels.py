"""Kernels of contact between two firm bodies: sequential impulses on their rigid motions.

Neither of them can give way within a sub-step, so pushes on particles would be taken back. Here the velocities of the
two rigid motions at each contact are what is solved for: along the normal they must not come nearer than they may,
across it friction takes the slip, both by sweeps over all such contacts, each push as large as its contact needs and
never pulling. All of it is equal and opposite."""

import math

import numpy as np

from pliant.jit import part
from pliant.world.contact.layout import (
    APART,
    BEFORE,
    CONTACT,
    DRAG,
    FIRM,
    GIVE,
    HOLDS,
    MANNERS,
    NORMAL,
    ONE,
    OTHER,
    OTHERS_REACH,
    PLACE,
    PUSH,
    REACH,
    RUB,
)
from pliant.world.contact.shove_kernels import ease_of, point_of, shove, velocity_at
from pliant.world.layout import MOTION, STANDS

SWEEPS = 12
STEEP = 0.5  # cosine: a normal that leans more is no ground


@part
def both_firm(row, owners, manners, places):
    """Whether neither side gives way: two firm bodies, or one of them and what cannot move at all."""
    a, b = np.int64(row[ONE]), np.int64(row[OTHER])
    one = manners[MANNERS * np.int64(owners[a]) + FIRM] > 0.0 or places[PLACE * a + GIVE] == 0.0
    other = manners[MANNERS * np.int64(owners[b]) + FIRM] > 0.0 or places[PLACE * b + GIVE] == 0.0
    return one and other


@part
def bear(row, places, owners, awake, motion, up0, up1, up2, h):
    """One contact, once. A body that stands on an obstacle does not give way downwards: the obstacle will have the last
    word, and a stack whose lowest body is thought to give way sinks into it."""
    one, two = np.int64(owners[np.int64(row[ONE])]), np.int64(owners[np.int64(row[OTHER])])
    upwards = row[NORMAL] * up0 + row[NORMAL + 1] * up1 + row[NORMAL + 2] * up2
    move_one = awake[one] != 0 and not (upwards < -STEEP and motion[MOTION * one + STANDS] > 0.0)
    move_two = awake[two] != 0 and not (upwards > STEEP and motion[MOTION * two + STANDS] > 0.0)
    q0, q1, q2 = point_of(row, places)
    k, m = MOTION * one + 6, MOTION * two + 6
    r0, r1, r2 = q0 - motion[k], q1 - motion[k + 1], q2 - motion[k + 2]
    s0, s1, s2 = q0 - motion[m], q1 - motion[m + 1], q2 - motion[m + 2]
    n0, n1, n2 = row[NORMAL], row[NORMAL + 1], row[NORMAL + 2]
    v0 = v1 = v2 = 0.0
    if awake[one]:
        v0, v1, v2 = velocity_at(motion, one, r0, r1, r2)
        if not move_one:
            along = v0 * n0 + v1 * n1 + v2 * n2
            v0, v1, v2 = v0 - along * n0, v1 - along * n1, v2 - along * n2
    if awake[two]:
        u0, u1, u2 = velocity_at(motion, two, s0, s1, s2)
        if not move_two:
            along = u0 * n0 + u1 * n1 + u2 * n2
            u0, u1, u2 = u0 - along * n0, u1 - along * n1, u2 - along * n2
        v0, v1, v2 = v0 - u0, v1 - u1, v2 - u2
    give = 0.0
    if move_one:
        give += ease_of(motion, one, n0, n1, n2, r0, r1, r2)
    if move_two:
        give += ease_of(motion, two, n0, n1, n2, s0, s1, s2)
    if not give > 0.0:
        return
    along = v0 * n0 + v1 * n1 + v2 * n2
    least = (row[APART] - row[REACH] - row[OTHERS_REACH] - row[BEFORE]) / h
    push = max(0.0, row[PUSH] + h * (least - along) / give)
    more = (push - row[PUSH]) / h
    row[PUSH] = push
    v0, v1, v2 = v0 - along * n0, v1 - along * n1, v2 - along * n2
    slip = math.sqrt(v0 * v0 + v1 * v1 + v2 * v2)
    t0, t1, t2 = row[DRAG], row[DRAG + 1], row[DRAG + 2]
    if slip > 1e-12:
        d0, d1, d2 = v0 / slip, v1 / slip, v2 / slip
        across = 0.0
        if move_one:
            across += ease_of(motion, one, d0, d1, d2, r0, r1, r2)
        if move_two:
            across += ease_of(motion, two, d0, d1, d2, s0, s1, s2)
        if across > 0.0:
            t0, t1, t2 = t0 - h * v0 / across, t1 - h * v1 / across, t2 - h * v2 / across
    pull = math.sqrt(t0 * t0 + t1 * t1 + t2 * t2)
    row[HOLDS] = 1.0
    if pull > row[RUB] * push:
        row[HOLDS] = 0.0
        t0, t1, t2 = t0 * row[RUB] * push / pull, t1 * row[RUB] * push / pull, t2 * row[RUB] * push / pull
    j0 = more * n0 + (t0 - row[DRAG]) / h
    j1 = more * n1 + (t1 - row[DRAG + 1]) / h
    j2 = more * n2 + (t2 - row[DRAG + 2]) / h
    row[DRAG], row[DRAG + 1], row[DRAG + 2] = t0, t1, t2
    if move_one:
        shove(motion, one, j0, j1, j2, r0, r1, r2)
    if move_two:
        shove(motion, two, -j0, -j1, -j2, s0, s1, s2)


@part
def bear_all(contacts, count, places, owners, manners, awake, motion, up0, up1, up2, h):
    """All contacts between firm bodies. Returns how many there are."""
    found = 0
    for _sweep in range(SWEEPS):
        for c in range(count):
            row = contacts[CONTACT * c : CONTACT * (c + 1)]
            if both_firm(row, owners, manners, places):
                bear(row, places, owners, awake, motion, up0, up1, up2, h)
                found += 1
        if found == 0:
            break
    return found
