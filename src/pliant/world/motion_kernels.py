# mypy: disallow-untyped-defs=False, check-untyped-defs=False
"""Kernels of damping and of bouncing: what an actor does as a whole.

Damping takes away what deviates from the actor's rigid motion, so a thrown body keeps flying and turning.
But which rigid motion? The nearest one (least squares by mass) is right in free flight only. A body that
bounces or rocks on the ground without leaving it is deforming, yet almost all of that motion looks rigid, and
damping by the nearest rigid motion let it rock for minutes; it also gave particles that lie still a velocity.
So we take the nearest rigid motion *that what holds the actor allows*: particles that pins or friction hold
keep the velocity they have, those that slide on an obstacle keep the part of it along the normal. Motion over
a foot that stands is damped, sliding and flying are not, a pendulum swings on its pin. It is a projection, so
damping never adds energy, and held particles are left alone.

(Slowing all motion while in contact was rejected: it brakes a body that slides. Viscosity between neighbours
was not taken: it needs a second pass over all rings, and it damps short waves much more than long ones, so
that the wobble of the whole body, the one that is seen, would last longest.)"""

import math

import numpy as np

from pliant.runtime.instructions import room
from pliant.runtime.jit import inner, part
from pliant.world.bounce_kernels import angular_velocity_of, bounce, factor_inertia, invert_inertia
from pliant.world.layout import (
    ADDED,
    ANGULAR_SUM,
    ANGULAR_VELOCITY,
    BODY_CENTRE,
    BODY_HELD,
    BODY_MASS,
    BOUNCE,
    BOUNCE_APPROACH,
    CENTRE_SUM,
    DAMPING_FACTOR,
    DEVIATION,
    DRAG_FACTOR,
    ENERGY_SUM,
    IMPACT_SUMS,
    INERTIA,
    LAST_CENTRE,
    LAST_VELOCITY,
    MASS_SUM,
    MOMENTUM_SUM,
    MOTION,
    NORMAL_SUMS,
    PINNED_SUMS,
    RMS_SPEED,
    SECOND_SUM,
    SLIDING_LOAD,
    STANDS,
    STICKING_LOAD,
    STUCK_SUMS,
    SUMS,
    VELOCITY,
)

HELD_WEIGHT = 1e5  # how much heavier a held particle counts: enough to be obeyed, too little to lose digits
FEW_SLIDING = 0.05  # part of the load that may slide
SYSTEM = 36  # six by six numbers


@inner
def add_mechanics(s, at, m, r0, r1, r2, v0, v1, v2):
    """One more particle in sums of mechanics (layout.py)."""
    mr0 = m * r0
    mr1 = m * r1
    mr2 = m * r2
    s[at + MASS_SUM] += m
    s[at + CENTRE_SUM] += mr0
    s[at + CENTRE_SUM + 1] += mr1
    s[at + CENTRE_SUM + 2] += mr2
    s[at + MOMENTUM_SUM] += m * v0
    s[at + MOMENTUM_SUM + 1] += m * v1
    s[at + MOMENTUM_SUM + 2] += m * v2
    s[at + ANGULAR_SUM] += mr1 * v2 - mr2 * v1
    s[at + ANGULAR_SUM + 1] += mr2 * v0 - mr0 * v2
    s[at + ANGULAR_SUM + 2] += mr0 * v1 - mr1 * v0
    s[at + SECOND_SUM] += mr0 * r0
    s[at + SECOND_SUM + 1] += mr1 * r1
    s[at + SECOND_SUM + 2] += mr2 * r2
    s[at + SECOND_SUM + 3] += mr0 * r1
    s[at + SECOND_SUM + 4] += mr0 * r2
    s[at + SECOND_SUM + 5] += mr1 * r2


@inner
def add_normal(s, m, n0, n1, n2, r0, r1, r2, v0, v1, v2):
    """One more contact: along its normal the rigid motion is to have the velocity of the particle at r. With
    a = (n, r x n) that is  a . (v, w) = n . v_i ;  the normal equations get  m a a^T  and  m (n . v_i) a."""
    row = (n0, n1, n2, r1 * n2 - r2 * n1, r2 * n0 - r0 * n2, r0 * n1 - r1 * n0)
    goal = m * (n0 * v0 + n1 * v1 + n2 * v2)
    at = NORMAL_SUMS
    for i in range(6):
        for j in range(i + 1):
            s[at] += m * row[i] * row[j]
            at += 1
    for i in range(6):
        s[at + i] += row[i] * goal


@part
def equations(s, at, scale, matrix, z):
    """The normal equations of a fit to velocities in all directions follow from the mechanics: add them."""
    mass = scale * s[at + MASS_SUM]
    c0, c1, c2 = scale * s[at + CENTRE_SUM], scale * s[at + CENTRE_SUM + 1], scale * s[at + CENTRE_SUM + 2]
    matrix[0] += mass
    matrix[6 * 1 + 1] += mass
    matrix[6 * 2 + 2] += mass
    # rows of w, columns of v: w x r has the coefficients of -[r]
    matrix[6 * 3 + 1] -= c2
    matrix[6 * 3 + 2] += c1
    matrix[6 * 4 + 0] += c2
    matrix[6 * 4 + 2] -= c0
    matrix[6 * 5 + 0] -= c1
    matrix[6 * 5 + 1] += c0
    matrix[6 * 3 + 3] += scale * (s[at + SECOND_SUM + 1] + s[at + SECOND_SUM + 2])
    matrix[6 * 4 + 4] += scale * (s[at + SECOND_SUM] + s[at + SECOND_SUM + 2])
    matrix[6 * 5 + 5] += scale * (s[at + SECOND_SUM] + s[at + SECOND_SUM + 1])
    matrix[6 * 4 + 3] -= scale * s[at + SECOND_SUM + 3]
    matrix[6 * 5 + 3] -= scale * s[at + SECOND_SUM + 4]
    matrix[6 * 5 + 4] -= scale * s[at + SECOND_SUM + 5]
    for i in range(6):
        z[i] += scale * s[at + MOMENTUM_SUM + i]


@part
def held_motion(total, matrix, z):
    """The rigid motion nearest to all velocities that obeys the held ones: velocity at the actor's first
    particle and angular velocity, by Cholesky.

    In a body that slides some particles stick for a moment; that must not brake the others. So friction holds
    the rigid motion only where hardly anything slides."""
    matrix[:] = 0.0
    z[:] = 0.0
    equations(total, 0, 1.0, matrix, z)
    equations(total, PINNED_SUMS, HELD_WEIGHT, matrix, z)
    if total[SLIDING_LOAD] < FEW_SLIDING * total[STICKING_LOAD]:
        equations(total, STUCK_SUMS, HELD_WEIGHT, matrix, z)
    at = NORMAL_SUMS
    for i in range(6):
        for j in range(i + 1):
            matrix[6 * i + j] += HELD_WEIGHT * total[at]
            at += 1
    for i in range(6):
        z[i] += HELD_WEIGHT * total[at + i]
    for i in range(6):
        for j in range(i + 1):
            s = matrix[6 * i + j]
            for k in range(j):
                s -= matrix[6 * i + k] * matrix[6 * j + k]
            if i == j:
                # a straight rope has no inertia about its own line: a trace of it keeps the root real
                matrix[6 * i + i] = math.sqrt(max(s, 1e-12 * matrix[6 * i + i]) + 1e-300)
            else:
                matrix[6 * i + j] = s / matrix[6 * j + j]
    for i in range(6):
        for k in range(i):
            z[i] -= matrix[6 * i + k] * z[k]
        z[i] /= matrix[6 * i + i]
    for i in range(5, -1, -1):
        for k in range(i + 1, 6):
            z[i] -= matrix[6 * k + i] * z[k]
        z[i] /= matrix[6 * i + i]


@part
def rigid_motion(x, chunks, origins, sums, motion, bounces, gentle, gx, gy, gz, h, first, last):
    """The rigid motion of each actor from first to last from the sums of its chunks, and what a bounce adds to it."""
    total, matrix = room(np.float64, SUMS), room(np.float64, SYSTEM)
    inertia, z = room(np.float64, 6), room(np.float64, 6)
    chunk = 0
    count = len(chunks) // 3
    while chunk < count and np.int64(chunks[3 * chunk + 2]) < first:
        chunk += 1
    for actor in range(first, last):
        total[:] = 0.0
        while chunk < count and np.int64(chunks[3 * chunk + 2]) == actor:
            for j in range(SUMS):
                total[j] += sums[SUMS * chunk + j]
            chunk += 1
        m = motion[MOTION * actor : MOTION * (actor + 1)]
        origin = 4 * np.int64(origins[actor])
        mass = total[MASS_SUM]
        if mass == 0.0:  # it sleeps
            continue
        c0, c1, c2 = total[CENTRE_SUM] / mass, total[CENTRE_SUM + 1] / mass, total[CENTRE_SUM + 2] / mass
        v0, v1, v2 = total[MOMENTUM_SUM] / mass, total[MOMENTUM_SUM + 1] / mass, total[MOMENTUM_SUM + 2] / mass
        # about the centre: L = sum m r x v - M c x v
        l0 = total[ANGULAR_SUM] - mass * (c1 * v2 - c2 * v1)
        l1 = total[ANGULAR_SUM + 1] - mass * (c2 * v0 - c0 * v2)
        l2 = total[ANGULAR_SUM + 2] - mass * (c0 * v1 - c1 * v0)
        factor_inertia(total, inertia)
        w0, w1, w2 = angular_velocity_of(inertia, l0, l1, l2)
        m[VELOCITY], m[VELOCITY + 1], m[VELOCITY + 2] = v0, v1, v2
        m[ANGULAR_VELOCITY], m[ANGULAR_VELOCITY + 1], m[ANGULAR_VELOCITY + 2] = w0, w1, w2
        m[BODY_CENTRE], m[BODY_CENTRE + 1], m[BODY_CENTRE + 2] = c0 + x[origin], c1 + x[origin + 1], c2 + x[origin + 2]
        m[DEVIATION : ADDED + 6] = 0.0
        m[DEVIATION] = 1.0
        for i in range(6):
            m[INERTIA + i] = inertia[i]
        m[BODY_MASS] = mass
        invert_inertia(m)
        m[RMS_SPEED] = math.sqrt(total[ENERGY_SUM] / mass)
        m[BODY_HELD] = total[PINNED_SUMS]
        m[STANDS] = total[STICKING_LOAD] + total[SLIDING_LOAD]
        b = bounces[BOUNCE * actor : BOUNCE * (actor + 1)]
        bounced = False
        # a rigid one, which has no deviation, bounces by its own impulses
        if m[DAMPING_FACTOR] > 0.0 and (b[BOUNCE_APPROACH] > 0.0 or total[IMPACT_SUMS] > 0.0):
            wobble = 0.5 * (total[ENERGY_SUM] - mass * (v0 * v0 + v1 * v1 + v2 * v2) - (l0 * w0 + l1 * w1 + l2 * w2))
            bounced = bounce(total, x[origin : origin + 3], inertia, wobble, m, b, gentle, gx, gy, gz, h)
        for i in range(6):
            b[LAST_VELOCITY + i] = m[VELOCITY + i] + m[ADDED + i]
        b[LAST_CENTRE], b[LAST_CENTRE + 1], b[LAST_CENTRE + 2] = m[BODY_CENTRE], m[BODY_CENTRE + 1], m[BODY_CENTRE + 2]
        if total[PINNED_SUMS] + total[STICKING_LOAD] + total[SLIDING_LOAD] > 0.0 and not bounced:
            held_motion(total, matrix, z)
            m[VELOCITY] = z[0] + z[4] * c2 - z[5] * c1
            m[VELOCITY + 1] = z[1] + z[5] * c0 - z[3] * c2
            m[VELOCITY + 2] = z[2] + z[3] * c1 - z[4] * c0
            m[ANGULAR_VELOCITY], m[ANGULAR_VELOCITY + 1], m[ANGULAR_VELOCITY + 2] = z[3], z[4], z[5]


@part
def commit(x, v, y, p, inverse, chunks, motion, first, last):
    """v (kept in y so far): the part beyond the rigid motion decays by one factor, everything by another;  x
    = p."""
    real = x.dtype.type
    for chunk in range(first, last):
        begin = np.int64(chunks[3 * chunk])
        end = np.int64(chunks[3 * chunk + 1])
        actor = np.int64(chunks[3 * chunk + 2])
        m = motion[MOTION * actor : MOTION * (actor + 1)]
        keep = m[DAMPING_FACTOR] * m[DRAG_FACTOR] * m[DEVIATION]
        rigid = m[DRAG_FACTOR] - keep
        added = m[ADDED] != 0.0 or m[ADDED + 1] != 0.0 or m[ADDED + 2] != 0.0
        added = added or m[ADDED + 3] != 0.0 or m[ADDED + 4] != 0.0 or m[ADDED + 5] != 0.0
        plain = keep == 1.0 and rigid == 0.0 and not added
        v0 = rigid * m[VELOCITY] + m[ADDED]
        v1 = rigid * m[VELOCITY + 1] + m[ADDED + 1]
        v2 = rigid * m[VELOCITY + 2] + m[ADDED + 2]
        w0 = rigid * m[ANGULAR_VELOCITY] + m[ADDED + 3]
        w1 = rigid * m[ANGULAR_VELOCITY + 1] + m[ADDED + 4]
        w2 = rigid * m[ANGULAR_VELOCITY + 2] + m[ADDED + 5]
        for i in range(begin, end):
            f = np.uint64(4 * i)
            g = f + np.uint64(1)
            k = f + np.uint64(2)
            if plain or inverse[i] == 0:
                v[f] = y[f]
                v[g] = y[g]
                v[k] = y[k]
            else:
                r0 = p[f] - m[BODY_CENTRE]
                r1 = p[g] - m[BODY_CENTRE + 1]
                r2 = p[k] - m[BODY_CENTRE + 2]
                v[f] = real(keep * y[f] + v0 + w1 * r2 - w2 * r1)
                v[g] = real(keep * y[g] + v1 + w2 * r0 - w0 * r2)
                v[k] = real(keep * y[k] + v2 + w0 * r1 - w1 * r0)
            x[f] = p[f]
            x[g] = p[g]
            x[k] = p[k]
