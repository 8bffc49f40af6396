# mypy: disallow-untyped-defs=False, check-untyped-defs=False
"""Kernels of rigid bodies. A body is its centre c and its rotation R; its particles are at c + R q.

The world works with particles: velocities are (p - x) / h, so the angular momentum after a step is sum m x' cross p'
/ h (x' and p' from the centres), while inertia would give sum m x' cross y' / h. The R of the nearest placement to y
keeps this but for the third order of the turn; here it is kept exactly: R solves

    sum m x' cross R q = sum m x' cross y'     (1)

with Newton's method. With B = sum m x' (R q)^T the left side is the axial vector of B, and a turn by w changes it by
(tr(B) 1 - B^T) w."""

import math

import numpy as np

from pliant.maths.polar import best_rotation
from pliant.maths.quaternion import product, rotation_matrix
from pliant.models.rigid.layout import (
    HEAD_COUNT,
    HEAD_FIRST,
    HEAD_REST,
    RIGID_CONSTANTS,
    RIGID_HEAD,
    RIGID_INVERSE_INERTIA,
    RIGID_MASS,
)
from pliant.runtime.jit import kernel, part

PINNED_WEIGHT = 1e6  # how much heavier a pinned particle counts where a body is placed
NEWTON_ROUNDS = 12
SMALL_REMAINDER = 1e-15  # of what is to be turned: less is rounding
WIDE_ANGLE = 1.0  # rad: a solution farther than this from the nearest placement is none


@part
def set_matrix(q, r):
    """R (9) of a quaternion."""
    r[0], r[1], r[2], r[3], r[4], r[5], r[6], r[7], r[8] = rotation_matrix(q[0], q[1], q[2], q[3], 1.0)


@part
def turn(q, w0, w1, w2):
    """The quaternion turned by a rotation vector (rad, world axes)."""
    angle = math.sqrt(w0 * w0 + w1 * w1 + w2 * w2)
    s = 0.5 if angle < 1e-9 else math.sin(0.5 * angle) / angle
    a, b, c, d = product(s * w0, s * w1, s * w2, math.cos(0.5 * angle), q[0], q[1], q[2], q[3])
    length = 1.0 / math.sqrt(a * a + b * b + c * c + d * d)
    q[0], q[1], q[2], q[3] = a * length, b * length, c * length, d * length


@part
def solve_three(m, l0, l1, l2):
    """m w = l for a 3x3 matrix (9); zero where it has no inverse."""
    c0 = m[4] * m[8] - m[5] * m[7]
    c1 = m[5] * m[6] - m[3] * m[8]
    c2 = m[3] * m[7] - m[4] * m[6]
    det = m[0] * c0 + m[1] * c1 + m[2] * c2
    size = abs(m[0]) + abs(m[4]) + abs(m[8])
    if not (abs(det) > 1e-18 * size * size * size):
        return 0.0, 0.0, 0.0
    k = 1.0 / det
    return (
        k * (c0 * l0 + (m[2] * m[7] - m[1] * m[8]) * l1 + (m[1] * m[5] - m[2] * m[4]) * l2),
        k * (c1 * l0 + (m[0] * m[8] - m[2] * m[6]) * l1 + (m[2] * m[3] - m[0] * m[5]) * l2),
        k * (c2 * l0 + (m[1] * m[6] - m[0] * m[7]) * l1 + (m[0] * m[4] - m[1] * m[3]) * l2),
    )


@part
def keep_angular_momentum(big, l0, l1, l2, q, r, b, m):
    """R of (1), from the nearest placement on; big: sum m x' q^T (9). Where a body turns so fast that there is none
    (more than a radian in a step), the nearest placement stays."""
    s0, s1, s2, s3 = q[0], q[1], q[2], q[3]
    size = 0.0
    for k in range(9):
        size += abs(big[k])
    good = False
    for _round in range(NEWTON_ROUNDS):
        set_matrix(q, r)
        for i in range(3):
            for j in range(3):
                b[3 * i + j] = big[3 * i] * r[3 * j] + big[3 * i + 1] * r[3 * j + 1] + big[3 * i + 2] * r[3 * j + 2]
        e0 = l0 - (b[5] - b[7])
        e1 = l1 - (b[6] - b[2])
        e2 = l2 - (b[1] - b[3])
        if abs(e0) + abs(e1) + abs(e2) <= SMALL_REMAINDER * size:
            good = True
            break
        trace = b[0] + b[4] + b[8]
        for i in range(3):
            for j in range(3):
                m[3 * i + j] = -b[3 * j + i]
            m[4 * i] += trace
        w0, w1, w2 = solve_three(m, e0, e1, e2)
        small = abs(w0) + abs(w1) + abs(w2)
        if not (small < WIDE_ANGLE):
            break
        turn(q, w0, w1, w2)
        good = small < 1e-7  # the next round would reach rounding
    along = abs(q[0] * s0 + q[1] * s1 + q[2] * s2 + q[3] * s3)
    if not good or along < math.cos(0.5 * WIDE_ANGLE):
        q[0], q[1], q[2], q[3] = s0, s1, s2, s3


@kernel("u[] u[] d[] d[] u[] d[] d[] d[] x[] x[] x[] x[] d i i")
def place(asleep, heads, rest, constants, holds, springs, rotations, centres, x, y, p, inverse, h, first, last):
    """p: all particles of a body where its momentum, its pins and its handles take it; centres: 3 numbers a body."""
    real = x.dtype.type
    big, near, r, b, m = np.zeros(9), np.zeros(9), np.zeros(9), np.zeros(9), np.zeros(9)
    start = np.zeros(4)
    for n in range(first, last):
        if asleep[n]:
            continue
        begin = np.int64(heads[RIGID_HEAD * n + HEAD_FIRST])
        count = np.int64(heads[RIGID_HEAD * n + HEAD_COUNT])
        at = np.int64(heads[RIGID_HEAD * n + HEAD_REST])
        total = a0 = a1 = a2 = c0 = c1 = c2 = o0 = o1 = o2 = 0.0
        held = False
        for i in range(count):
            f = 4 * (begin + i)
            w = rest[at + 4 * i + 3]
            if inverse[begin + i] == 0:
                held = True
                w *= PINNED_WEIGHT
            total += w
            a0 += w * x[f]
            a1 += w * x[f + 1]
            a2 += w * x[f + 2]
            c0 += w * y[f]
            c1 += w * y[f + 1]
            c2 += w * y[f + 2]
            o0 += w * rest[at + 4 * i]
            o1 += w * rest[at + 4 * i + 1]
            o2 += w * rest[at + 4 * i + 2]
        k = 1.0 / total
        a0, a1, a2, c0, c1, c2, o0, o1, o2 = k * a0, k * a1, k * a2, k * c0, k * c1, k * c2, k * o0, k * o1, k * o2
        big[:] = 0.0
        near[:] = 0.0
        l0 = l1 = l2 = 0.0
        for i in range(count):
            f = 4 * (begin + i)
            w = rest[at + 4 * i + 3]
            if inverse[begin + i] == 0:
                w *= PINNED_WEIGHT
            q0, q1, q2 = w * (rest[at + 4 * i] - o0), w * (rest[at + 4 * i + 1] - o1), w * (rest[at + 4 * i + 2] - o2)
            x0, x1, x2 = x[f] - a0, x[f + 1] - a1, x[f + 2] - a2
            y0, y1, y2 = y[f] - c0, y[f + 1] - c1, y[f + 2] - c2
            add_outer(big, x0, x1, x2, q0, q1, q2)
            add_outer(near, y0, y1, y2, q0, q1, q2)
            l0 += w * (x1 * y2 - x2 * y1)
            l1 += w * (x2 * y0 - x0 * y2)
            l2 += w * (x0 * y1 - x1 * y0)
        q = rotations[4 * n : 4 * n + 4]
        start[:] = q
        best_rotation(near, start, q)
        if not held:
            keep_angular_momentum(big, l0, l1, l2, q, r, b, m)
        set_matrix(q, r)
        c0 -= r[0] * o0 + r[1] * o1 + r[2] * o2
        c1 -= r[3] * o0 + r[4] * o1 + r[5] * o2
        c2 -= r[6] * o0 + r[7] * o1 + r[8] * o2
        for g in range(len(springs) // 8):
            if np.int64(holds[5 * g]) == n:
                d0, d1, d2 = pull(constants, holds, springs, rest, g, n, at, q, r, b, m, c0, c1, c2, h)
                c0 += d0
                c1 += d1
                c2 += d2
        centres[3 * n], centres[3 * n + 1], centres[3 * n + 2] = c0, c1, c2
        for i in range(count):
            f = 4 * (begin + i)
            q0, q1, q2 = rest[at + 4 * i], rest[at + 4 * i + 1], rest[at + 4 * i + 2]
            p[f] = real(c0 + r[0] * q0 + r[1] * q1 + r[2] * q2)
            p[f + 1] = real(c1 + r[3] * q0 + r[4] * q1 + r[5] * q2)
            p[f + 2] = real(c2 + r[6] * q0 + r[7] * q1 + r[8] * q2)


@part
def add_outer(m, x0, x1, x2, q0, q1, q2):
    m[0] += x0 * q0
    m[1] += x0 * q1
    m[2] += x0 * q2
    m[3] += x1 * q0
    m[4] += x1 * q1
    m[5] += x1 * q2
    m[6] += x2 * q0
    m[7] += x2 * q1
    m[8] += x2 * q2


@part
def angular_velocity_of(constants, n, r, l0, l1, l2):
    """R J^-1 R^T l: the angular velocity that belongs to an angular momentum."""
    e0 = r[0] * l0 + r[3] * l1 + r[6] * l2
    e1 = r[1] * l0 + r[4] * l1 + r[7] * l2
    e2 = r[2] * l0 + r[5] * l1 + r[8] * l2
    j = constants[RIGID_CONSTANTS * n + RIGID_INVERSE_INERTIA : RIGID_CONSTANTS * (n + 1)]
    f0 = j[0] * e0 + j[1] * e1 + j[2] * e2
    f1 = j[3] * e0 + j[4] * e1 + j[5] * e2
    f2 = j[6] * e0 + j[7] * e1 + j[8] * e2
    return (
        r[0] * f0 + r[1] * f1 + r[2] * f2,
        r[3] * f0 + r[4] * f1 + r[5] * f2,
        r[6] * f0 + r[7] * f1 + r[8] * f2,
    )


@part
def pull(constants, holds, springs, rest, g, n, at, q, r, k, m, c0, c1, c2, h):
    """A handle as a spring solved implicitly: an impulse j at the point s of the body moves it by K j, K = 1/M -
    [s'] I^-1 [s'], and (K + 1 / (stiffness h^2)) j = t - s. Turns q and R; returns how far the centre moves."""
    s0 = s1 = s2 = 0.0
    for j in range(4):
        weight = springs[8 * g + 4 + j]
        row = at + 4 * np.int64(holds[5 * g + 1 + j])
        s0 += weight * rest[row]
        s1 += weight * rest[row + 1]
        s2 += weight * rest[row + 2]
    a0 = r[0] * s0 + r[1] * s1 + r[2] * s2
    a1 = r[3] * s0 + r[4] * s1 + r[5] * s2
    a2 = r[6] * s0 + r[7] * s1 + r[8] * s2
    light = 1.0 / constants[RIGID_CONSTANTS * n + RIGID_MASS]
    for j in range(3):  # a column of K: what a unit impulse along an axis does to the point
        e0, e1, e2 = 1.0 if j == 0 else 0.0, 1.0 if j == 1 else 0.0, 1.0 if j == 2 else 0.0
        w0, w1, w2 = angular_velocity_of(constants, n, r, a1 * e2 - a2 * e1, a2 * e0 - a0 * e2, a0 * e1 - a1 * e0)
        k[j] = w1 * a2 - w2 * a1
        k[3 + j] = w2 * a0 - w0 * a2
        k[6 + j] = w0 * a1 - w1 * a0
        k[4 * j] += light + 1.0 / (springs[8 * g] * h * h)
    j0, j1, j2 = solve_three(
        k, springs[8 * g + 1] - c0 - a0, springs[8 * g + 2] - c1 - a1, springs[8 * g + 3] - c2 - a2
    )
    w0, w1, w2 = angular_velocity_of(constants, n, r, a1 * j2 - a2 * j1, a2 * j0 - a0 * j2, a0 * j1 - a1 * j0)
    turn(q, w0, w1, w2)
    set_matrix(q, r)
    return light * j0, light * j1, light * j2
