# mypy: disallow-untyped-defs=False, check-untyped-defs=False
"""Kernels of two bodies as rigid ones: velocities, corrections and impulses where they touch."""

import numpy as np

from pliant.runtime.jit import inner, part
from pliant.world.contact.layout import (
    EFFECTIVE_MASS,
    INV_MASS,
    NORMAL,
    ONE,
    OTHER,
    OTHERS_INV_MASS,
    OTHERS_REACH,
    PROXY_PLACE,
    REACH,
    START_CENTRE,
)
from pliant.world.layout import ADDED, BODY_HELD, BODY_INV_MASS, CORRECTION, INERTIA, INVERSE_INERTIA, MOTION


@inner
def times_inverse_inertia(m, l0, l1, l2):
    """I^-1 l, by L D L^T."""
    l1 -= m[INERTIA + 3] * l0
    l2 -= m[INERTIA + 4] * l0 + m[INERTIA + 5] * l1
    w2 = l2 * m[INVERSE_INERTIA + 2]
    w1 = l1 * m[INVERSE_INERTIA + 1] - m[INERTIA + 5] * w2
    return l0 * m[INVERSE_INERTIA] - m[INERTIA + 3] * w1 - m[INERTIA + 4] * w2, w1, w2


@part
def apply_impulse(motion, actor, to, j0, j1, j2, r0, r1, r2):
    """An impulse j at r from the centre of an actor: its velocity and angular velocity are added at `to` in its row,
    ADDED (what the commit adds) or CORRECTION (then j is an impulse times the sub-step). One that is held is not
    moved."""
    m = motion[MOTION * actor : MOTION * (actor + 1)]
    if m[BODY_HELD] > 0.0:
        return
    w0, w1, w2 = times_inverse_inertia(m, r1 * j2 - r2 * j1, r2 * j0 - r0 * j2, r0 * j1 - r1 * j0)
    give = m[BODY_INV_MASS]
    m[to] += give * j0
    m[to + 1] += give * j1
    m[to + 2] += give * j2
    m[to + 3] += w0
    m[to + 4] += w1
    m[to + 5] += w2


@part
def inverse_effective_mass(motion, actor, n0, n1, n2, r0, r1, r2):
    """How much velocity along n an impulse of 1 along n at r gives there: 1/M + (r x n) . I^-1 (r x n)."""
    m = motion[MOTION * actor : MOTION * (actor + 1)]
    if m[BODY_HELD] > 0.0:
        return 0.0
    t0, t1, t2 = r1 * n2 - r2 * n1, r2 * n0 - r0 * n2, r0 * n1 - r1 * n0
    w0, w1, w2 = times_inverse_inertia(m, t0, t1, t2)
    return m[BODY_INV_MASS] + t0 * w0 + t1 * w1 + t2 * w2


@inner
def velocity_at(motion, actor, r0, r1, r2):
    """Of the rigid motion of an actor, with what was added, at r from its centre."""
    m = motion[MOTION * actor : MOTION * (actor + 1)]
    w0, w1, w2 = m[3] + m[ADDED + 3], m[4] + m[ADDED + 4], m[5] + m[ADDED + 5]
    return (
        m[0] + m[ADDED] + w1 * r2 - w2 * r1,
        m[1] + m[ADDED + 1] + w2 * r0 - w0 * r2,
        m[2] + m[ADDED + 2] + w0 * r1 - w1 * r0,
    )


@part
def correction_at(motion, actor, r0, r1, r2):
    """How far pushes have taken a firm actor so far in this sub-step, at r from its centre."""
    at = MOTION * actor + CORRECTION
    w0, w1, w2 = motion[at + 3], motion[at + 4], motion[at + 5]
    return motion[at] + w1 * r2 - w2 * r1, motion[at + 1] + w2 * r0 - w0 * r2, motion[at + 2] + w0 * r1 - w1 * r0


@part
def point_of(row, places):
    """Where the skins touch: between the nearest points of both, nearer to that of the one that yields more. (In the
    middle, a body on one that is pinned would be pushed beside its particles, and rocks.)"""
    both = row[INV_MASS] + row[OTHERS_INV_MASS]
    return between(row, places, row[INV_MASS] / both if both > 0.0 else 0.5)


@inner
def pushed_at(row, places):
    """As point_of, of a contact that has pushed: the mass that it moved is known."""
    return between(row, places, float(row[INV_MASS] * row[EFFECTIVE_MASS]))


@inner
def between(row, places, one):
    """Between the nearest points of both of a contact, nearer to that of the one by this part."""
    i, j = PROXY_PLACE * np.int64(row[ONE]) + START_CENTRE, PROXY_PLACE * np.int64(row[OTHER]) + START_CENTRE
    other = 1.0 - one
    apart = other * row[OTHERS_REACH] - one * row[REACH]
    return (
        one * places[i] + other * places[j] + apart * row[NORMAL],
        one * places[i + 1] + other * places[j + 1] + apart * row[NORMAL + 1],
        one * places[i + 2] + other * places[j + 2] + apart * row[NORMAL + 2],
    )
