"""Kernels of damping and of bouncing: what an actor does as a whole.

Damping takes away what deviates from the actor's rigid motion, so a thrown body keeps flying and spinning.
But which rigid motion? The nearest one (least squares by mass) is right in free flight only. A body that
bounces or rocks on the ground without leaving it is deforming, yet almost all of that motion looks rigid, and
damping by the nearest rigid motion let it rock for minutes; it also gave particles that lie still a velocity.
So we take the nearest rigid motion *that what holds the actor allows*: particles that pins or friction hold
keep the velocity they have, those that slide on an obstacle keep the part of it along the normal. Motion over
a foot that stands is damped, sliding and flying are not, a pendulum swings on its pin. It is a projection, so
damping never adds energy, and held particles are left alone.

(Slowing all motion while in contact was rejected: it brakes a body that slides. Viscosity between neighbours
was rejected: it takes a second pass over all rings and dies out like the square of the size of a wobble, so
that the whole body wobbles for ever while its details do not.)"""

import math

import numpy as np

from pliant.jit import part
from pliant.world.bounce_kernels import bounce, factor_inertia, spin_of
from pliant.world.layout import BOUNCE, HELD, IMPACT, MOTION, SLIPPING, STUCK, SUMS

HOLD = 1e5  # how much heavier a held particle counts: enough to be obeyed, not so much that digits are lost
FEW = 0.05


@part
def hold(sums, at, mass, d0, d1, d2, r0, r1, r2, v0, v1, v2):
    """One more row of the normal equations: along d the rigid motion is to have the velocity v of the
    particle at r."""
    row = (d0, d1, d2, r1 * d2 - r2 * d1, r2 * d0 - r0 * d2, r0 * d1 - r1 * d0)
    goal = d0 * v0 + d1 * v1 + d2 * v2
    at += 1
    for i in range(6):
        for j in range(i + 1):
            sums[at] += mass * row[i] * row[j]
            at += 1
    for i in range(6):
        sums[at] += mass * row[i] * goal
        at += 1


@part
def hold_fully(sums, at, mass, r0, r1, r2, v0, v1, v2):
    hold(sums, at, mass, 1.0, 0.0, 0.0, r0, r1, r2, v0, v1, v2)
    hold(sums, at, mass, 0.0, 1.0, 0.0, r0, r1, r2, v0, v1, v2)
    hold(sums, at, mass, 0.0, 0.0, 1.0, r0, r1, r2, v0, v1, v2)


@part
def held_motion(total, matrix, z):
    """The rigid motion nearest to all velocities that obeys the held ones: velocity at the actor's first
    particle and angular velocity. Cholesky on  sum m a a^T + HOLD * (the same over held rows).

    In a body that slides some particles stick for a moment; that must not brake the others. So friction holds
    the rigid motion only where hardly anything slides."""
    mass = total[0]
    if total[SLIPPING] < FEW * total[STUCK]:
        for j in range(1, 28):
            total[HELD + j] += total[STUCK + j]
    c0, c1, c2 = total[1], total[2], total[3]
    matrix[:] = 0.0
    matrix[0, 0] = matrix[1, 1] = matrix[2, 2] = mass
    # rows of w, columns of v: w x r has the coefficients of -[r]
    matrix[3, 1], matrix[3, 2] = -c2, c1
    matrix[4, 0], matrix[4, 2] = c2, -c0
    matrix[5, 0], matrix[5, 1] = -c1, c0
    matrix[3, 3] = total[11] + total[12]
    matrix[4, 4] = total[10] + total[12]
    matrix[5, 5] = total[10] + total[11]
    matrix[4, 3], matrix[5, 3], matrix[5, 4] = -total[13], -total[14], -total[15]
    at = HELD + 1
    for i in range(6):
        for j in range(i + 1):
            matrix[i, j] += HOLD * total[at]
            at += 1
    for i in range(6):
        z[i] = total[4 + i] + HOLD * total[at]
        at += 1
    for i in range(6):
        for j in range(i + 1):
            s = matrix[i, j]
            for k in range(j):
                s -= matrix[i, k] * matrix[j, k]
            if i == j:
                # a straight rope has no inertia about its own line: a trace of it keeps the root real
                matrix[i, i] = math.sqrt(max(s, 1e-12 * matrix[i, i]) + 1e-300)
            else:
                matrix[i, j] = s / matrix[j, j]
    for i in range(6):
        for k in range(i):
            z[i] -= matrix[i, k] * z[k]
        z[i] /= matrix[i, i]
    for i in range(5, -1, -1):
        for k in range(i + 1, 6):
            z[i] -= matrix[k, i] * z[k]
        z[i] /= matrix[i, i]


@part
def rigid_motion(x, chunks, origins, sums, motion, bounces, gx, gy, gz, h):
    """The rigid motion of each actor from the sums of its chunks, and what a bounce adds to it."""
    total = np.zeros(SUMS)
    matrix = np.zeros((6, 6))
    inertia = np.zeros(6)
    z = np.zeros(6)
    chunk = 0
    count = len(chunks) // 3
    for actor in range(len(origins)):
        total[:] = 0.0
        while chunk < count and np.int64(chunks[3 * chunk + 2]) == actor:
            for j in range(SUMS):
                total[j] += sums[SUMS * chunk + j]
            chunk += 1
        m = motion[MOTION * actor : MOTION * (actor + 1)]
        origin = 4 * np.int64(origins[actor])
        mass = total[0]
        c0, c1, c2 = total[1] / mass, total[2] / mass, total[3] / mass
        v0, v1, v2 = total[4] / mass, total[5] / mass, total[6] / mass
        # about the centre: L = sum m r x v - M c x v
        l0 = total[7] - mass * (c1 * v2 - c2 * v1)
        l1 = total[8] - mass * (c2 * v0 - c0 * v2)
        l2 = total[9] - mass * (c0 * v1 - c1 * v0)
        factor_inertia(total, inertia)
        w0, w1, w2 = spin_of(inertia, l0, l1, l2)
        m[0], m[1], m[2], m[3], m[4], m[5] = v0, v1, v2, w0, w1, w2
        m[6], m[7], m[8] = c0 + x[origin], c1 + x[origin + 1], c2 + x[origin + 2]
        m[11:18] = 0.0
        m[11] = 1.0
        b = bounces[BOUNCE * actor : BOUNCE * (actor + 1)]
        bounced = False
        if b[0] > 0.0 or total[IMPACT] > 0.0:
            wobble = 0.5 * (total[16] - mass * (v0 * v0 + v1 * v1 + v2 * v2) - (l0 * w0 + l1 * w1 + l2 * w2))
            bounced = bounce(total, x[origin : origin + 3], inertia, wobble, m, b, gx, gy, gz, h)
        for i in range(6):
            b[10 + i] = m[i] + m[12 + i]
        if total[HELD] > 0.0 and not bounced:
            held_motion(total, matrix, z)
            m[0] = z[0] + z[4] * c2 - z[5] * c1
            m[1] = z[1] + z[5] * c0 - z[3] * c2
            m[2] = z[2] + z[3] * c1 - z[4] * c0
            m[3], m[4], m[5] = z[3], z[4], z[5]


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
        keep = m[9] * m[10] * m[11]
        rigid = m[10] - keep
        plain = keep == 1.0 and rigid == 0.0
        v0, v1, v2 = rigid * m[0] + m[12], rigid * m[1] + m[13], rigid * m[2] + m[14]
        w0, w1, w2 = rigid * m[3] + m[15], rigid * m[4] + m[16], rigid * m[5] + m[17]
        for i in range(begin, end):
            f = np.uint64(4 * i)
            g = f + np.uint64(1)
            k = f + np.uint64(2)
            if plain or inverse[i] == 0:
                v[f] = y[f]
                v[g] = y[g]
                v[k] = y[k]
            else:
                r0 = p[f] - m[6]
                r1 = p[g] - m[7]
                r2 = p[k] - m[8]
                v[f] = real(keep * y[f] + v0 + w1 * r2 - w2 * r1)
                v[g] = real(keep * y[g] + v1 + w2 * r0 - w0 * r2)
                v[k] = real(keep * y[k] + v2 + w0 * r1 - w1 * r0)
            x[f] = p[f]
            x[g] = p[g]
            x[k] = p[k]
