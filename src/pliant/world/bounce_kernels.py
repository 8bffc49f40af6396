# mypy: disallow-untyped-defs=False, check-untyped-defs=False
"""Bodies as rigid ones: their inertia, and how they bounce as a whole."""

import math

from pliant.runtime.jit import part
from pliant.world.layout import (
    ADDED,
    ANGULAR_VELOCITY,
    BODY_CENTRE,
    BODY_INV_MASS,
    BODY_MASS,
    BOUNCE_AGE,
    BOUNCE_APPROACH,
    BOUNCE_HEIGHT,
    BOUNCE_NORMAL,
    BOUNCE_POINT,
    BOUNCE_RESTITUTION,
    CENTRE_SUM,
    DEVIATION,
    IMPACT_SUMS,
    INERTIA,
    INVERSE_INERTIA,
    LAST_ANGULAR_VELOCITY,
    LAST_VELOCITY,
    MASS_SUM,
    PINNED_SUMS,
    SECOND_SUM,
    VELOCITY,
)

IMPACT_LIFETIME = 1.0  # s: a body that rests this long after an impact has forgotten it
THIN_INERTIA = 1e-4  # of all the inertia
POINT_INERTIA = 1e-12  # m^2


@part
def factor_inertia(total, inertia):
    """The inertia about the centre of mass, I = tr(Q) 1 - Q with Q = sum m r r^T - M c c^T, as L D L^T: three
    of D, then L10 L20 L21. Not its inverse: what a straight rope lacks about its own line would spoil all
    digits of that, while here the angular velocity may be off along that line only and the momentum I w is right
    to rounding."""
    mass = total[MASS_SUM]
    c0, c1, c2 = total[CENTRE_SUM] / mass, total[CENTRE_SUM + 1] / mass, total[CENTRE_SUM + 2] / mass
    q0 = total[SECOND_SUM] - mass * c0 * c0
    q1 = total[SECOND_SUM + 1] - mass * c1 * c1
    q2 = total[SECOND_SUM + 2] - mass * c2 * c2
    j01 = -(total[SECOND_SUM + 3] - mass * c0 * c1)
    j02 = -(total[SECOND_SUM + 4] - mass * c0 * c2)
    j12 = -(total[SECOND_SUM + 5] - mass * c1 * c2)
    # a single particle: nothing but rounding
    if q0 + q1 + q2 <= 1e-12 * (total[SECOND_SUM] + total[SECOND_SUM + 1] + total[SECOND_SUM + 2]):
        inertia[0] = inertia[1] = inertia[2] = 1e-300
        inertia[3] = inertia[4] = inertia[5] = 0.0
        return
    least = 1e-12 * (q0 + q1 + q2) + 1e-300
    d0 = max(q1 + q2, least)
    l10 = j01 / d0
    l20 = j02 / d0
    d1 = max(q0 + q2 - l10 * j01, least)
    l21 = (j12 - l20 * j01) / d1
    d2 = max(q0 + q1 - l20 * j02 - l21 * l21 * d1, least)
    inertia[0], inertia[1], inertia[2], inertia[3], inertia[4], inertia[5] = d0, d1, d2, l10, l20, l21


@part
def invert_inertia(m):
    """Inverse mass and inverse inertia of an actor, once its mass and inertia stand in its row. But nothing turns it
    about what has next to no inertia: the axis of a straight rope, or a single particle (which turns by itself)."""
    least = max(THIN_INERTIA * (m[INERTIA] + m[INERTIA + 1] + m[INERTIA + 2]), POINT_INERTIA * m[BODY_MASS])
    for k in range(3):
        m[INVERSE_INERTIA + k] = 1.0 / m[INERTIA + k] if m[INERTIA + k] > least else 0.0
    m[BODY_INV_MASS] = 1.0 / m[BODY_MASS]


@part
def angular_velocity_of(inertia, l0, l1, l2):
    """I^-1 l; a single particle has no inertia as a body, and does not turn as one."""
    if inertia[0] < 1e-290:
        return 0.0, 0.0, 0.0
    l1 -= inertia[3] * l0
    l2 -= inertia[4] * l0 + inertia[5] * l1
    w2 = l2 / inertia[2]
    w1 = l1 / inertia[1] - inertia[5] * w2
    return l0 / inertia[0] - inertia[3] * w1 - inertia[4] * w2, w1, w2


@part
def bounce(total, origin, inertia, wobble, m, b, gentle, gx, gy, gz, h):
    """Restitution of the body as a whole.

    A particle that bounces back is too light to carry the rest of the body with it: most of the energy of an
    impact goes into wobbling, and a ball on a floor with e = 0.9 came back to a quarter of its height. So the
    fastest approach of the rigid motion at the contact is remembered, and when the body has left the
    obstacle, or gets no faster any more, with less than e times that (and what it takes to stretch up again
    against gravity), an impulse at the contact makes up for it. Its energy is taken from the wobble as far as
    that goes; it is never more than what the impact took, because e <= 1. True if that happened: the body is
    then in flight."""
    weight = total[IMPACT_SUMS]
    b[BOUNCE_AGE] += h
    if total[PINNED_SUMS] > 0.0 or b[BOUNCE_AGE] > IMPACT_LIFETIME:
        b[BOUNCE_APPROACH] = b[BOUNCE_AGE] = 0.0
    if weight > 0.0:
        n0, n1, n2 = total[IMPACT_SUMS + 1], total[IMPACT_SUMS + 2], total[IMPACT_SUMS + 3]
        length = math.sqrt(n0 * n0 + n1 * n1 + n2 * n2) + 1e-300
        b[BOUNCE_NORMAL], b[BOUNCE_NORMAL + 1], b[BOUNCE_NORMAL + 2] = n0 / length, n1 / length, n2 / length
        for i in range(3):
            b[BOUNCE_POINT + i] = total[IMPACT_SUMS + 4 + i] / weight + origin[i]
    n0, n1, n2 = b[BOUNCE_NORMAL], b[BOUNCE_NORMAL + 1], b[BOUNCE_NORMAL + 2]
    r0 = b[BOUNCE_POINT] - m[BODY_CENTRE]
    r1 = b[BOUNCE_POINT + 1] - m[BODY_CENTRE + 1]
    r2 = b[BOUNCE_POINT + 2] - m[BODY_CENTRE + 2]
    t0, t1, t2 = r1 * n2 - r2 * n1, r2 * n0 - r0 * n2, r0 * n1 - r1 * n0
    speed = (
        m[VELOCITY] * n0 + m[VELOCITY + 1] * n1 + m[VELOCITY + 2] * n2
        + m[ANGULAR_VELOCITY] * t0 + m[ANGULAR_VELOCITY + 1] * t1 + m[ANGULAR_VELOCITY + 2] * t2
    )  # fmt: skip
    before = (
        b[LAST_VELOCITY] * n0 + b[LAST_VELOCITY + 1] * n1 + b[LAST_VELOCITY + 2] * n2
        + b[LAST_ANGULAR_VELOCITY] * t0 + b[LAST_ANGULAR_VELOCITY + 1] * t1 + b[LAST_ANGULAR_VELOCITY + 2] * t2
    )  # fmt: skip
    faster = speed > before
    height = m[BODY_CENTRE] * n0 + m[BODY_CENTRE + 1] * n1 + m[BODY_CENTRE + 2] * n2
    if weight > 0.0:
        obstacle = total[IMPACT_SUMS + 8] / weight
        speed -= obstacle
        approach = obstacle - before
        if approach > b[BOUNCE_APPROACH] and approach > gentle:
            b[BOUNCE_APPROACH], b[BOUNCE_RESTITUTION] = approach, total[IMPACT_SUMS + 7] / weight
            b[BOUNCE_AGE], b[BOUNCE_HEIGHT] = 0.0, height
    rise = max(0.0, b[BOUNCE_HEIGHT] - height) * max(0.0, -gx * n0 - gy * n1 - gz * n2)
    goal = math.sqrt(b[BOUNCE_APPROACH] * b[BOUNCE_APPROACH] + 2.0 * rise) * b[BOUNCE_RESTITUTION]
    if speed <= 0.0 or b[BOUNCE_APPROACH] == 0.0 or (weight > 0.0 and faster):
        return False
    more = speed < goal
    if more:
        u0, u1, u2 = angular_velocity_of(inertia, t0, t1, t2)
        push = (goal - speed) / (1.0 / total[MASS_SUM] + t0 * u0 + t1 * u1 + t2 * u2)
        gain = 0.5 * push * (goal + speed)
        m[DEVIATION] = math.sqrt(max(0.0, 1.0 - gain / wobble)) if wobble > 0.0 else 1.0
        m[ADDED] = push * n0 / total[MASS_SUM]
        m[ADDED + 1] = push * n1 / total[MASS_SUM]
        m[ADDED + 2] = push * n2 / total[MASS_SUM]
        m[ADDED + 3], m[ADDED + 4], m[ADDED + 5] = push * u0, push * u1, push * u2
    b[BOUNCE_APPROACH] = 0.0
    return more
