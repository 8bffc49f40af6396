"""Bodies as rigid ones: their inertia, and how they bounce as a whole."""

import math

from pliant.runtime.jit import part
from pliant.world.layout import EASE, IMPACT, INERTIA, LIGHT, MASS, PINNED

MEMORY = 1.0  # s: a body that rests this long after an impact has forgotten it
THIN = 1e-4  # of all the inertia
POINT = 1e-12  # m^2


@part
def factor_inertia(total, inertia):
    """The inertia about the centre of mass, I = tr(Q) 1 - Q with Q = sum m r r^T - M c c^T, as L D L^T: three
    of D, then L10 L20 L21. Not its inverse: what a straight rope lacks about its own line would spoil all
    digits of that, while here the spin may be off along that line only and the momentum I w is right to
    rounding."""
    mass = total[0]
    c0, c1, c2 = total[1] / mass, total[2] / mass, total[3] / mass
    q0 = total[10] - mass * c0 * c0
    q1 = total[11] - mass * c1 * c1
    q2 = total[12] - mass * c2 * c2
    j01 = -(total[13] - mass * c0 * c1)
    j02 = -(total[14] - mass * c0 * c2)
    j12 = -(total[15] - mass * c1 * c2)
    if q0 + q1 + q2 <= 1e-12 * (total[10] + total[11] + total[12]):  # a single particle: nothing but rounding
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
def ease(m):
    """How easily an actor is moved and turned by another one, once its mass and inertia stand in its row. But there is
    no spin about what has next to no inertia: the axis of a straight rope, or a single particle (which turns by
    itself)."""
    least = max(THIN * (m[INERTIA] + m[INERTIA + 1] + m[INERTIA + 2]), POINT * m[MASS])
    for k in range(3):
        m[EASE + k] = 1.0 / m[INERTIA + k] if m[INERTIA + k] > least else 0.0
    m[LIGHT] = 1.0 / m[MASS]


@part
def spin_of(inertia, l0, l1, l2):
    """I^-1 l; a single particle has no inertia as a body, and does not spin as one."""
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
    weight = total[IMPACT]
    b[2] += h
    if total[PINNED] > 0.0 or b[2] > MEMORY:
        b[0] = b[2] = 0.0
    if weight > 0.0:
        n0, n1, n2 = total[IMPACT + 1], total[IMPACT + 2], total[IMPACT + 3]
        length = math.sqrt(n0 * n0 + n1 * n1 + n2 * n2) + 1e-300
        b[3], b[4], b[5] = n0 / length, n1 / length, n2 / length
        for i in range(3):
            b[6 + i] = total[IMPACT + 4 + i] / weight + origin[i]
    n0, n1, n2 = b[3], b[4], b[5]
    r0, r1, r2 = b[6] - m[6], b[7] - m[7], b[8] - m[8]
    t0, t1, t2 = r1 * n2 - r2 * n1, r2 * n0 - r0 * n2, r0 * n1 - r1 * n0
    speed = m[0] * n0 + m[1] * n1 + m[2] * n2 + m[3] * t0 + m[4] * t1 + m[5] * t2
    before = b[10] * n0 + b[11] * n1 + b[12] * n2 + b[13] * t0 + b[14] * t1 + b[15] * t2
    faster = speed > before
    height = m[6] * n0 + m[7] * n1 + m[8] * n2
    if weight > 0.0:
        obstacle = total[IMPACT + 8] / weight
        speed -= obstacle
        approach = obstacle - before
        if approach > b[0] and approach > gentle:
            b[0], b[1], b[2], b[9] = approach, total[IMPACT + 7] / weight, 0.0, height
    rise = max(0.0, b[9] - height) * max(0.0, -gx * n0 - gy * n1 - gz * n2)
    goal = math.sqrt(b[0] * b[0] + 2.0 * rise) * b[1]
    if speed <= 0.0 or b[0] == 0.0 or (weight > 0.0 and faster):
        return False
    more = speed < goal
    if more:
        u0, u1, u2 = spin_of(inertia, t0, t1, t2)
        push = (goal - speed) / (1.0 / total[0] + t0 * u0 + t1 * u1 + t2 * u2)
        gain = 0.5 * push * (goal + speed)
        m[11] = math.sqrt(max(0.0, 1.0 - gain / wobble)) if wobble > 0.0 else 1.0
        m[12], m[13], m[14] = push * n0 / total[0], push * n1 / total[0], push * n2 / total[0]
        m[15], m[16], m[17] = push * u0, push * u1, push * u2
    b[0] = 0.0
    return more
