# mypy: disallow-untyped-defs=False, check-untyped-defs=False
"""Kernels of firm bodies, which move as wholes while contacts are parted: how heavy they are, and where they end."""

import numpy as np

from pliant.runtime.jit import inner, part
from pliant.world.bounce_kernels import invert_inertia
from pliant.world.contact.layout import (
    CONTACT,
    DEEP_CLOSING,
    DEEP_COUNT,
    FIRM,
    INSIDE_COUNT,
    MATERIAL,
    MEETING,
    ONE,
    PAIR_CONTACTS,
)  # fmt: skip
from pliant.world.contact.penetration_kernels import end_of_body_pair, restrain
from pliant.world.contact.side_kernels import ACROSS, rows_of
from pliant.world.layout import BODY_CENTRE, BODY_HELD, BODY_MASS, BOUNCE, CORRECTION, INERTIA, LAST_VELOCITY, MOTION

U = np.uint64  # unsigned indices: Numba then leaves out the test for negative ones


@part
def begin_corrections(owners, sides, contacts, bounds, motion, meetings, side, h):
    """For a side: no actor has been pushed yet; and how many contacts has each, is it inside another, and how fast do
    those come that are deep?"""
    for actor in range(len(meetings) // MEETING):
        if sides[actor] == side:
            at = MOTION * actor + CORRECTION
            for k in range(6):
                motion[at + k] = 0.0
            meet = MEETING * actor
            meetings[meet + 1], meetings[meet + 2], meetings[meet + 3] = 0.0, -1.0, 0.0
    for turn in range(2):
        first, last = rows_of(bounds, 2 * side if turn == 0 else ACROSS)
        while first < last:
            tell_both(owners, sides, contacts, meetings, first, side, h)
            first = end_of_body_pair(contacts, first)


@inner
def tell_both(owners, sides, contacts, meetings, c, side, h):
    """Of two actors whose contacts begin with c, to those that are on a side."""
    row = U(CONTACT) * U(c)
    for k in range(U(2)):
        actor = np.int64(owners[U(np.int64(contacts[row + U(ONE) + k]))])
        if sides[actor] == side:
            at = MEETING * actor
            meetings[at + 3] += contacts[row + U(PAIR_CONTACTS)]
            if contacts[row + U(INSIDE_COUNT)] > 0.0:
                meetings[at + 1] = 1.0
            if contacts[row + U(DEEP_COUNT)] > 0.0:
                meetings[at + 2] = max(meetings[at + 2], contacts[row + U(DEEP_CLOSING)] / h)


@part
def span_of(origins, inverse, actor):
    """Its first particle, and the one after its last."""
    last = np.int64(origins[actor + 1]) if actor + 1 < len(origins) else len(inverse)
    return np.int64(origins[actor]), last


@part
def weigh_firm(p, inverse, origins, motion, actor):
    """Mass, centre and inertia (as in bounce_kernels) of a firm actor as it stands now. None of it is pinned."""
    first, last = span_of(origins, inverse, actor)
    o0, o1, o2 = float(p[4 * first]), float(p[4 * first + 1]), float(p[4 * first + 2])
    mass = c0 = c1 = c2 = q0 = q1 = q2 = q3 = q4 = q5 = 0.0
    for i in range(first, last):
        m = 1.0 / inverse[i]
        r0, r1, r2 = p[4 * i] - o0, p[4 * i + 1] - o1, p[4 * i + 2] - o2
        mass += m
        c0 += m * r0
        c1 += m * r1
        c2 += m * r2
        q0 += m * r0 * r0
        q1 += m * r1 * r1
        q2 += m * r2 * r2
        q3 += m * r0 * r1
        q4 += m * r0 * r2
        q5 += m * r1 * r2
    c0, c1, c2 = c0 / mass, c1 / mass, c2 / mass
    q0, q1, q2 = q0 - mass * c0 * c0, q1 - mass * c1 * c1, q2 - mass * c2 * c2
    j01, j02, j12 = mass * c0 * c1 - q3, mass * c0 * c2 - q4, mass * c1 * c2 - q5
    least = 1e-9 * (q0 + q1 + q2) + 1e-300
    d0 = max(q1 + q2, least)
    l10, l20 = j01 / d0, j02 / d0
    d1 = max(q0 + q2 - l10 * j01, least)
    l21 = (j12 - l20 * j01) / d1
    d2 = max(q0 + q1 - l20 * j02 - l21 * l21 * d1, least)
    row = motion[MOTION * actor : MOTION * (actor + 1)]
    row[BODY_CENTRE], row[BODY_CENTRE + 1], row[BODY_CENTRE + 2] = c0 + o0, c1 + o1, c2 + o2
    row[BODY_MASS], row[BODY_HELD] = mass, 0.0
    k = INERTIA
    row[k], row[k + 1], row[k + 2], row[k + 3], row[k + 4], row[k + 5] = d0, d1, d2, l10, l20, l21
    invert_inertia(row)


@part
def weigh_all_firm(p, inverse, origins, sides, materials, awake, motion, meetings, side):
    """Mass, centre and inertia of all firm actors of a side that touch others."""
    for actor in range(len(meetings) // MEETING):
        if sides[actor] != side:
            continue
        if meetings[MEETING * actor + 3] > 0.0 and materials[MATERIAL * actor + FIRM] > 0.0 and awake[actor] != 0:
            weigh_firm(p, inverse, origins, motion, actor)


@part
def carry(x, p, inverse, origins, motion, actor):
    """All particles of an actor go where pushes have taken it as a whole; x: where they were when it was weighed."""
    m = motion[MOTION * actor : MOTION * (actor + 1)]
    real = p.dtype.type
    first, last = span_of(origins, inverse, actor)
    for i in range(first, last):
        f = 4 * i
        r0, r1, r2 = x[f] - m[BODY_CENTRE], x[f + 1] - m[BODY_CENTRE + 1], x[f + 2] - m[BODY_CENTRE + 2]
        p[f] = real(p[f] + m[CORRECTION] + m[CORRECTION + 4] * r2 - m[CORRECTION + 5] * r1)
        p[f + 1] = real(p[f + 1] + m[CORRECTION + 1] + m[CORRECTION + 5] * r0 - m[CORRECTION + 3] * r2)
        p[f + 2] = real(p[f + 2] + m[CORRECTION + 2] + m[CORRECTION + 3] * r1 - m[CORRECTION + 4] * r0)


@part
def carry_all(p, inverse, origins, sides, materials, awake, motion, meetings, bounces, side, h):
    """All firm actors of a side that touch others go where pushes have taken them."""
    for actor in range(len(meetings) // MEETING):
        if sides[actor] != side:
            continue
        if meetings[MEETING * actor + 3] > 0.0 and materials[MATERIAL * actor + FIRM] > 0.0 and awake[actor] != 0:
            came = meetings[MEETING * actor + 2]
            if came >= 0.0:
                at = BOUNCE * actor + LAST_VELOCITY
                restrain(motion[MOTION * actor : MOTION * (actor + 1)], bounces[at : at + 6], came, h)
            carry(p, p, inverse, origins, motion, actor)


@inner
def both_firm(row, owners, materials):
    """Whether both bodies of a contact are firm."""
    one, two = np.int64(owners[np.int64(row[ONE])]), np.int64(owners[np.int64(row[ONE + 1])])
    return materials[MATERIAL * one + FIRM] > 0.0 and materials[MATERIAL * two + FIRM] > 0.0
