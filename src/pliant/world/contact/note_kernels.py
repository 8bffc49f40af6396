# mypy: disallow-untyped-defs=False, check-untyped-defs=False
"""Kernels that write a contact down: a row for each candidate pair."""

import math

import numpy as np

from pliant.runtime.jit import inner
from pliant.world.contact.layout import (
    CANDIDATE,
    CLOSING,
    CONTACT,
    CONTACT_FRICTION,
    CONTACT_RANGE,
    CONTACT_RESTITUTION,
    DEEP_CLOSING,
    DEEP_COUNT,
    DEPTH,
    EFFECTIVE_MASS,
    FRICTION,
    INSIDE_COUNT,
    INSIDE_DEPTH,
    INV_MASS,
    MATERIAL,
    MIN_DISTANCE,
    NORMAL,
    OLD_GAP,
    ONE,
    ONE_PARTICLE,
    OTHER,
    OTHERS_INV_MASS,
    OTHERS_REACH,
    PAIR_CONTACTS,
    PARTICLES_ONLY,
    PROXY,
    PROXY_ARM,
    PROXY_INV_MASS,
    PROXY_PLACE,
    PUSH,
    REACH,
    RESTITUTION,
    SLIP_OFFSET,
    START_CENTRE,
    STICKS,
)  # fmt: skip
from pliant.world.contact.penetration_kernels import DEEP_PENETRATION
from pliant.world.layout import BOUNCE, LAST_ANGULAR_VELOCITY

U = np.uint64  # unsigned indices: Numba then leaves out the test for negative ones
RECOVER = 0.5  # 1/s: how fast those that are inside one another come out, in reaches
RECOVERED_PART = 0.2  # of the overlap that is taken back in one sub-step, at most
SLOP = 0.002  # of the reach: overlap that is left alone, so that resting contacts do not come and go


@inner
def note_all(
    attachments, proxies, owners, materials, bounces, angular_velocities, places, candidates, first, last, contacts, at,
    end, a, b, h
):  # fmt: skip
    """Rows from `at` to `end` for the candidates of two actors from first to last. Returns where the rows end, and how
    many candidates were left out."""
    if first == last:
        return at, 0
    real = contacts.dtype.type
    i, j = MATERIAL * a, MATERIAL * b
    friction = real(math.sqrt(materials[i + FRICTION] * materials[j + FRICTION]))
    bounce = real(max(materials[i + RESTITUTION], materials[j + RESTITUTION]))
    w0, w1, w2 = angular_velocity_of(
        attachments, owners, bounces, angular_velocities, np.int64(candidates[CANDIDATE * first])
    )
    u0, u1, u2 = angular_velocity_of(
        attachments, owners, bounces, angular_velocities, np.int64(candidates[CANDIDATE * first + 1])
    )
    w0, w1, w2, u0, u1, u2 = real(-h * w0), real(-h * w1), real(-h * w2), real(-h * u0), real(-h * u1), real(-h * u2)
    recover = real(RECOVER * h)
    begin, missed = at, 0
    for sight in range(first, last):
        if at == end:
            missed = last - sight
            break
        at += note_down(
            proxies, places, candidates, sight, contacts, at, friction, bounce, w0, w1, w2, u0, u1, u2, recover
        )
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
        before, ra, rb = contacts[row + U(OLD_GAP)], contacts[row + U(REACH)], contacts[row + U(OTHERS_REACH)]
        nearer = max(real(0), before + contacts[row + U(DEPTH)])
        deep = before < real(-DEEP_PENETRATION) * (ra + rb)
        closing = max(closing, nearer)
        falling = max(falling, nearer if deep else real(-1))
        deeps += deep
        insides += before < real(-INSIDE_DEPTH) * min(ra, rb)
    row = U(CONTACT) * U(first)
    contacts[row + U(PAIR_CONTACTS)], contacts[row + U(CLOSING)] = last - first, closing
    contacts[row + U(DEEP_COUNT)], contacts[row + U(DEEP_CLOSING)], contacts[row + U(INSIDE_COUNT)] = (
        deeps,
        falling,
        insides,
    )


@inner
def note_down(proxies, places, candidates, number, contacts, at, friction, bounce, w0, w1, w2, u0, u1, u2, recover):
    """Row `at` for a candidate, if the two touch or may be pushed into touch. bounce: restitution; w, u: how the bodies
    of both turn back in the sub-step; recover: how far those that are inside one another come out in it, in reaches.
    Returns how many rows that makes."""
    real = contacts.dtype.type
    zero = real(0)
    s = U(CANDIDATE) * U(number)
    n0, n1, n2, ra, rb = (
        candidates[s + U(2)],
        candidates[s + U(3)],
        candidates[s + U(4)],
        candidates[s + U(5)],
        candidates[s + U(6)],
    )
    a, b = U(np.int64(candidates[s])), U(np.int64(candidates[s + U(1)]))
    i, j = U(PROXY_PLACE) * a, U(PROXY_PLACE) * b
    reach = ra + rb
    now = n0 * (places[i] - places[j]) + n1 * (places[i + U(1)] - places[j + U(1)])
    now += n2 * (places[i + U(2)] - places[j + U(2)]) - reach
    if now > real(CONTACT_RANGE) * reach:
        return 0
    k, m = i + U(START_CENTRE), j + U(START_CENTRE)
    b0, b1, b2 = places[k] - places[m], places[k + U(1)] - places[m + U(1)], places[k + U(2)] - places[m + U(2)]
    before = n0 * b0 + n1 * b1 + n2 * b2 - reach
    row = U(CONTACT) * U(at)
    contacts[row + U(ONE)], contacts[row + U(OTHER)] = candidates[s], candidates[s + U(1)]
    contacts[row + U(NORMAL)], contacts[row + U(NORMAL + 1)], contacts[row + U(NORMAL + 2)] = n0, n1, n2
    inside = real(RECOVERED_PART) * max(zero, -before - real(SLOP) * reach)
    contacts[row + U(MIN_DISTANCE)] = reach + min(zero, before + min(recover * reach, inside))
    give, others = places[i + U(PROXY_INV_MASS)], places[j + U(PROXY_INV_MASS)]
    contacts[row + U(INV_MASS)], contacts[row + U(OTHERS_INV_MASS)] = give, others
    contacts[row + U(EFFECTIVE_MASS)] = real(1) / (give + others) if give + others > zero else zero
    contacts[row + U(PARTICLES_ONLY)] = places[i + U(ONE_PARTICLE)] * places[j + U(ONE_PARTICLE)]
    for k in range(U(4)):  # push and friction
        contacts[row + U(PUSH) + k] = zero
    contacts[row + U(STICKS)] = zero
    contacts[row + U(OLD_GAP)], contacts[row + U(DEPTH)] = before, -now
    contacts[row + U(REACH)], contacts[row + U(OTHERS_REACH)] = ra, rb
    contacts[row + U(CONTACT_FRICTION)] = friction if before > real(-DEEP_PENETRATION) * reach else zero
    contacts[row + U(CONTACT_RESTITUTION)] = bounce
    # Slip is the change of the vector between the centres; and the skin at the point of contact turns with its body.
    # (What is attached to a particle of the skin slips as that does.)
    ra = ra if proxies[U(PROXY) * a + U(PROXY_ARM)] == zero else zero
    rb = rb if proxies[U(PROXY) * b + U(PROXY_ARM)] == zero else zero
    s0, s1, s2 = ra * w0 + rb * u0, ra * w1 + rb * u1, ra * w2 + rb * u2
    contacts[row + U(SLIP_OFFSET)] = s1 * n2 - s2 * n1 - b0
    contacts[row + U(SLIP_OFFSET + 1)] = s2 * n0 - s0 * n2 - b1
    contacts[row + U(SLIP_OFFSET + 2)] = s0 * n1 - s1 * n0 - b2
    return 1


@inner
def angular_velocity_of(attachments, owners, bounces, angular_velocities, s):
    """Angular velocity of a sphere: that of its body, or its own where it is a body by itself."""
    f = 4 * np.int64(attachments[2 * s])
    if len(angular_velocities) > 0 and angular_velocities[f + 3] > 0:
        return float(angular_velocities[f]), float(angular_velocities[f + 1]), float(angular_velocities[f + 2])
    at = BOUNCE * np.int64(owners[s]) + LAST_ANGULAR_VELOCITY
    return bounces[at], bounces[at + 1], bounces[at + 2]
