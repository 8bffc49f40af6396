"""Kernels that write a contact down: a row for each pair that is in sight."""

import math

import numpy as np

from pliant.jit import part
from pliant.world.contact.deep_kernels import DEEP
from pliant.world.contact.layout import (
    ACTIVE,
    APART,
    ARM,
    BEFORE,
    BEGIN,
    BOUNCE,
    CONTACT,
    DEPTH,
    DRAG,
    END,
    FRICTION,
    GIVE,
    HOLDS,
    MANNERS,
    NORMAL,
    ONE,
    OTHER,
    OTHERS_REACH,
    OTHERS_YIELD,
    PLACE,
    PUSH,
    REACH,
    RESTITUTION,
    RUB,
    SIGHT,
    STIFF,
    TRAITS,
    TURN,
    YIELD,
)  # fmt: skip
from pliant.world.layout import BOUNCE as MEMORY

RECOVER = 0.5  # 1/s: how fast those that are inside one another come out, in reaches
PART = 0.2  # of the overlap that is taken back in one sub-step, at most
SLOP = 0.002  # of the reach: overlap that is left alone, so that resting contacts do not come and go


@part
def note_down(riders, traits, owners, manners, bounces, spins, places, sights, number, contacts, at, h):
    """Row `at` for a sight, if the two touch or may be pushed into touch. Returns how many rows that makes."""
    sight = sights[SIGHT * number : SIGHT * (number + 1)]
    a, b = np.int64(sight[0]), np.int64(sight[1])
    n0, n1, n2, ra, rb = sight[2], sight[3], sight[4], sight[5], sight[6]
    one, two = places[PLACE * a : PLACE * (a + 1)], places[PLACE * b : PLACE * (b + 1)]
    now = n0 * (one[END] - two[END]) + n1 * (one[END + 1] - two[END + 1]) + n2 * (one[END + 2] - two[END + 2]) - ra - rb
    if now > ACTIVE * (ra + rb):
        return 0
    before = (
        n0 * (one[BEGIN] - two[BEGIN]) + n1 * (one[BEGIN + 1] - two[BEGIN + 1]) + n2 * (one[BEGIN + 2] - two[BEGIN + 2])
        - ra - rb
    )  # fmt: skip
    row = contacts[CONTACT * at : CONTACT * (at + 1)]
    row[ONE], row[OTHER] = a, b
    row[NORMAL], row[NORMAL + 1], row[NORMAL + 2] = n0, n1, n2
    row[APART] = ra + rb + min(0.0, before + min(RECOVER * h * (ra + rb), PART * max(0.0, -before - SLOP * (ra + rb))))
    row[YIELD], row[OTHERS_YIELD] = one[GIVE], two[GIVE]
    row[PUSH] = row[DRAG] = row[DRAG + 1] = row[DRAG + 2] = row[HOLDS] = row[STIFF] = 0.0
    row[BEFORE], row[DEPTH] = before, -now
    row[REACH], row[OTHERS_REACH] = ra, rb
    i, j = MANNERS * np.int64(owners[a]), MANNERS * np.int64(owners[b])
    row[RUB] = math.sqrt(manners[i + FRICTION] * manners[j + FRICTION]) if before > -DEEP * (ra + rb) else 0.0
    row[BOUNCE] = max(manners[i + RESTITUTION], manners[j + RESTITUTION])
    # The skin at the point of contact turns with its body: that is part of the slip. (What rides on a particle of the
    # skin slips as that does.)
    ra, rb = (ra if traits[TRAITS * a + ARM] == 0 else 0.0), (rb if traits[TRAITS * b + ARM] == 0 else 0.0)
    w0, w1, w2 = spin_of(riders, owners, bounces, spins, a)
    u0, u1, u2 = spin_of(riders, owners, bounces, spins, b)
    s0, s1, s2 = -h * (ra * w0 + rb * u0), -h * (ra * w1 + rb * u1), -h * (ra * w2 + rb * u2)
    row[TURN], row[TURN + 1], row[TURN + 2] = s1 * n2 - s2 * n1, s2 * n0 - s0 * n2, s0 * n1 - s1 * n0
    return 1


@part
def spin_of(riders, owners, bounces, spins, s):
    """Angular velocity of a sphere: that of its body, or its own where it is a body by itself."""
    f = 4 * np.int64(riders[2 * s])
    if len(spins) > 0 and spins[f + 3] > 0:
        return float(spins[f]), float(spins[f + 1]), float(spins[f + 2])
    at = MEMORY * np.int64(owners[s]) + 13
    return bounces[at], bounces[at + 1], bounces[at + 2]
