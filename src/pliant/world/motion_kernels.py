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
was not taken: it needs a second pass over all rings, and it damps short waves much more than long ones, so
that the wobble of the whole body, the one that is seen, would last longest.)"""

import math

import numpy as np

from pliant.runtime.instructions import room
from pliant.runtime.jit import inner, part
from pliant.world.bounce_kernels import bounce, ease, factor_inertia, spin_of
from pliant.world.layout import (
    BOUNCE,
    ENERGY,
    GRIP,
    HELD,
    IMPACT,
    INERTIA,
    MASS,
    MOTION,
    NORMALS,
    PINNED,
    SLIP,
    SPEED,
    STANDS,
    STUCK,
    SUMS,
)  # fmt: skip

HOLD = 1e5  # how much heavier a held particle counts: enough to be obeyed, not so much that digits are lost
FEW = 0.05  # part of the load that may slide
SYSTEM = 36  # six by six numbers


@inner
def add_mechanics(s, at, m, r0, r1, r2, v0, v1, v2):
    """One more particle in sums of mechanics (layout.py)."""
    mr0 = m * r0
    mr1 = m * r1
    mr2 = m * r2
    s[at] += m
    s[at + 1] += mr0
    s[at + 2] += mr1
    s[at + 3] += mr2
    s[at + 4] += m * v0
    s[at + 5] += m * v1
    s[at + 6] += m * v2
    s[at + 7] += mr1 * v2 - mr2 * v1
    s[at + 8] += mr2 * v0 - mr0 * v2
    s[at + 9] += mr0 * v1 - mr1 * v0
    s[at + 10] += mr0 * r0
    s[at + 11] += mr1 * r1
    s[at + 12] += mr2 * r2
    s[at + 13] += mr0 * r1
    s[at + 14] += mr0 * r2
    s[at + 15] += mr1 * r2


@inner
def add_normal(s, m, n0, n1, n2, r0, r1, r2, v0, v1, v2):
    """One more contact: along its normal the rigid motion is to have the velocity of the particle at r. With
    a = (n, r x n) that is  a . (v, w) = n . v_i ;  the normal equations get  m a a^T  and  m (n . v_i) a."""
    row = (n0, n1, n2, r1 * n2 - r2 * n1, r2 * n0 - r0 * n2, r0 * n1 - r1 * n0)
    goal = m * (n0 * v0 + n1 * v1 + n2 * v2)
    at = NORMALS
    for i in range(6):
        for j in range(i + 1):
            s[at] += m * row[i] * row[j]
            at += 1
    for i in range(6):
        s[at + i] += row[i] * goal


@part
def equations(s, at, scale, matrix, z):
    """The normal equations of a fit to velocities in all directions follow from the mechanics: add them."""
    mass = scale * s[at]
    c0, c1, c2 = scale * s[at + 1], scale * s[at + 2], scale * s[at + 3]
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
    matrix[6 * 3 + 3] += scale * (s[at + 11] + s[at + 12])
    matrix[6 * 4 + 4] += scale * (s[at + 10] + s[at + 12])
    matrix[6 * 5 + 5] += scale * (s[at + 10] + s[at + 11])
    matrix[6 * 4 + 3] -= scale * s[at + 13]
    matrix[6 * 5 + 3] -= scale * s[at + 14]
    matrix[6 * 5 + 4] -= scale * s[at + 15]
    for i in range(6):
        z[i] += scale * s[at + 4 + i]


@part
def held_motion(total, matrix, z):
    """The rigid motion nearest to all velocities that obeys the held ones: velocity at the actor's first
    particle and angular velocity, by Cholesky.

    In a body that slides some particles stick for a moment; that must not brake the others. So friction holds
    the rigid motion only where hardly anything slides."""
    matrix[:] = 0.0
    z[:] = 0.0
    equations(total, 0, 1.0, matrix, z)
    equations(total, PINNED, HOLD, matrix, z)
    if total[SLIP] < FEW * total[GRIP]:
        equations(total, STUCK, HOLD, matrix, z)
    at = NORMALS
    for i in range(6):
        for j in range(i + 1):
            matrix[6 * i + j] += HOLD * total[at]
            at += 1
    for i in range(6):
        z[i] += HOLD * total[at + i]
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
        mass = total[0]
        if mass == 0.0:  # it sleeps
            continue
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
        for i in range(6):
            m[INERTIA + i] = inertia[i]
        m[MASS] = mass
        ease(m)
        m[SPEED] = math.sqrt(total[ENERGY] / mass)
        m[HELD] = total[PINNED]
        m[STANDS] = total[GRIP] + total[SLIP]
        b = bounces[BOUNCE * actor : BOUNCE * (actor + 1)]
        bounced = False
        if m[9] > 0.0 and (b[0] > 0.0 or total[IMPACT] > 0.0):  # a rigid one bounces by its own impulses
            wobble = 0.5 * (total[ENERGY] - mass * (v0 * v0 + v1 * v1 + v2 * v2) - (l0 * w0 + l1 * w1 + l2 * w2))
            bounced = bounce(total, x[origin : origin + 3], inertia, wobble, m, b, gentle, gx, gy, gz, h)
        for i in range(6):
            b[10 + i] = m[i] + m[12 + i]
        b[16], b[17], b[18] = m[6], m[7], m[8]
        if total[PINNED] + total[GRIP] + total[SLIP] > 0.0 and not bounced:
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
        added = m[12] != 0.0 or m[13] != 0.0 or m[14] != 0.0 or m[15] != 0.0 or m[16] != 0.0 or m[17] != 0.0
        plain = keep == 1.0 and rigid == 0.0 and not added
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
