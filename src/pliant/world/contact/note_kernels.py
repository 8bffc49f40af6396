"""Kernels that write a contact down: a row for each pair that is in sight."""

import math

import numpy as np

from pliant.runtime.jit import inner
from pliant.world.contact.deep_kernels import DEEP
from pliant.world.contact.layout import (
    ACTIVE,
    APART,
    ARM,
    BEFORE,
    BEGIN,
    BOUNCE,
    CLOSING,
    CONTACT,
    DEEPS,
    DEPTH,
    FALLING,
    FRICTION,
    GIVE,
    HOLDS,
    INSIDE,
    INSIDES,
    LIGHT,
    MANNERS,
    MANY,
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
    SINGLE,
    SLIP,
    STIFF,
    TRAITS,
    YIELD,
)  # fmt: skip
from pliant.world.layout import BOUNCE as MEMORY

U = np.uint64  # unsigned indices: Numba then leaves out the test for negative ones
RECOVER = 0.5  # 1/s: how fast those that are inside one another come out, in reaches
PART = 0.2  # of the overlap that is taken back in one sub-step, at most
SLOP = 0.002  # of the reach: overlap that is left alone, so that resting contacts do not come and go


@inner
def note_all(
    riders, traits, owners, manners, bounces, spins, places, sights, first, last, contacts, at, end, a, b, h
):  # fmt: skip
    """Rows from `at` to `end` for the sights of two actors from first to last. Returns where the rows end, and how many
    sights were left out."""
    if first == last:
        return at, 0
    real = contacts.dtype.type
    i, j = MANNERS * a, MANNERS * b
    rub = real(math.sqrt(manners[i + FRICTION] * manners[j + FRICTION]))
    bounce = real(max(manners[i + RESTITUTION], manners[j + RESTITUTION]))
    w0, w1, w2 = spin_of(riders, owners, bounces, spins, np.int64(sights[SIGHT * first]))
    u0, u1, u2 = spin_of(riders, owners, bounces, spins, np.int64(sights[SIGHT * first + 1]))
    w0, w1, w2, u0, u1, u2 = real(-h * w0), real(-h * w1), real(-h * w2), real(-h * u0), real(-h * u1), real(-h * u2)
    recover = real(RECOVER * h)
    begin, missed = at, 0
    for sight in range(first, last):
        if at == end:
            missed = last - sight
            break
        at += note_down(traits, places, sights, sight, contacts, at, rub, bounce, w0, w1, w2, u0, u1, u2, recover)
    sum_up(contacts, begin, at)
    return at, missed


@inner
def sum_up(contacts, first, last):
    """Into the first row of two actors: what all their rows tell together."""
    if first == last:
        return
    real = contacts.dtype.type
    closing, falling = real(0), real(-1)
    deeps = insides = 0
    for c in range(U(first), U(last)):
        row = U(CONTACT) * c
        before, ra, rb = contacts[row + U(BEFORE)], contacts[row + U(REACH)], contacts[row + U(OTHERS_REACH)]
        nearer = max(real(0), before + contacts[row + U(DEPTH)])
        deep = before < real(-DEEP) * (ra + rb)
        closing = max(closing, nearer)
        falling = max(falling, nearer if deep else real(-1))
        deeps += deep
        insides += before < real(-INSIDE) * min(ra, rb)
    row = U(CONTACT) * U(first)
    contacts[row + U(MANY)], contacts[row + U(CLOSING)] = last - first, closing
    contacts[row + U(DEEPS)], contacts[row + U(FALLING)], contacts[row + U(INSIDES)] = deeps, falling, insides


@inner
def note_down(traits, places, sights, number, contacts, at, rub, bounce, w0, w1, w2, u0, u1, u2, recover):
    """Row `at` for a sight, if the two touch or may be pushed into touch. rub, bounce: friction and restitution; w, u:
    how the bodies of both turn back in the sub-step; recover: how far those that are inside one another come out in it,
    in reaches. Returns how many rows that makes."""
    real = contacts.dtype.type
    zero = real(0)
    s = U(SIGHT) * U(number)
    n0, n1, n2, ra, rb = sights[s + U(2)], sights[s + U(3)], sights[s + U(4)], sights[s + U(5)], sights[s + U(6)]
    a, b = U(np.int64(sights[s])), U(np.int64(sights[s + U(1)]))
    i, j = U(PLACE) * a, U(PLACE) * b
    reach = ra + rb
    now = n0 * (places[i] - places[j]) + n1 * (places[i + U(1)] - places[j + U(1)])
    now += n2 * (places[i + U(2)] - places[j + U(2)]) - reach
    if now > real(ACTIVE) * reach:
        return 0
    k, m = i + U(BEGIN), j + U(BEGIN)
    b0, b1, b2 = places[k] - places[m], places[k + U(1)] - places[m + U(1)], places[k + U(2)] - places[m + U(2)]
    before = n0 * b0 + n1 * b1 + n2 * b2 - reach
    row = U(CONTACT) * U(at)
    contacts[row + U(ONE)], contacts[row + U(OTHER)] = sights[s], sights[s + U(1)]
    contacts[row + U(NORMAL)], contacts[row + U(NORMAL + 1)], contacts[row + U(NORMAL + 2)] = n0, n1, n2
    inside = real(PART) * max(zero, -before - real(SLOP) * reach)
    contacts[row + U(APART)] = reach + min(zero, before + min(recover * reach, inside))
    give, others = places[i + U(GIVE)], places[j + U(GIVE)]
    contacts[row + U(YIELD)], contacts[row + U(OTHERS_YIELD)] = give, others
    contacts[row + U(STIFF)] = real(1) / (give + others) if give + others > zero else zero
    contacts[row + U(LIGHT)] = places[i + U(SINGLE)] * places[j + U(SINGLE)]
    for k in range(U(4)):  # push and friction
        contacts[row + U(PUSH) + k] = zero
    contacts[row + U(HOLDS)] = zero
    contacts[row + U(BEFORE)], contacts[row + U(DEPTH)] = before, -now
    contacts[row + U(REACH)], contacts[row + U(OTHERS_REACH)] = ra, rb
    contacts[row + U(RUB)] = rub if before > real(-DEEP) * reach else zero
    contacts[row + U(BOUNCE)] = bounce
    # Slip is what the way between the centres changes; and the skin at the point of contact turns with its body. (What
    # rides on a particle of the skin slips as that does.)
    ra = ra if traits[U(TRAITS) * a + U(ARM)] == zero else zero
    rb = rb if traits[U(TRAITS) * b + U(ARM)] == zero else zero
    s0, s1, s2 = ra * w0 + rb * u0, ra * w1 + rb * u1, ra * w2 + rb * u2
    contacts[row + U(SLIP)] = s1 * n2 - s2 * n1 - b0
    contacts[row + U(SLIP + 1)] = s2 * n0 - s0 * n2 - b1
    contacts[row + U(SLIP + 2)] = s0 * n1 - s1 * n0 - b2
    return 1


@inner
def spin_of(riders, owners, bounces, spins, s):
    """Angular velocity of a sphere: that of its body, or its own where it is a body by itself."""
    f = 4 * np.int64(riders[2 * s])
    if len(spins) > 0 and spins[f + 3] > 0:
        return float(spins[f]), float(spins[f + 1]), float(spins[f + 2])
    at = MEMORY * np.int64(owners[s]) + 13
    return bounces[at], bounces[at + 1], bounces[at + 2]
