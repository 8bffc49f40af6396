# mypy: disallow-untyped-defs=False, check-untyped-defs=False
"""Kernels of rigid bodies after contact.

What other bodies do to one that is rigid the world tells as impulses on the whole (world/contact/). Out of obstacles it
pushes particles, one by one, and marks them (prepare.py): where, in what direction, with what friction and how fast the
particle may go along the normal. From these the impulses on the body are found together: each pushes and never pulls,
and friction stays within its cone (projected Gauss-Seidel)."""

import math

import numpy as np

from pliant.maths.polar import best_rotation
from pliant.models.rigid.kernels import PINNED_WEIGHT, add_outer, angular_velocity_of, set_matrix, turn
from pliant.models.rigid.layout import (
    HEAD_COUNT,
    HEAD_FIRST,
    HEAD_REST,
    MARK,
    MARK_FRICTION,
    MARK_IMPULSE,
    MARK_NORMAL,
    MARK_OBSTACLE,
    MARK_PUSH,
    MARK_SPEED,
    MARK_TOUCHES,
    MARK_VELOCITY,
    RIGID_CONSTANTS,
    RIGID_DRAG,
    RIGID_HEAD,
    RIGID_MASS,
)
from pliant.runtime.jit import kernel, part

IMPULSE_SWEEPS = 24
TOUCHING_WEIGHT = 1e4  # how much heavier a touching particle counts where a pinned body is placed


@part
def inverse_effective_mass(constants, n, r, a0, a1, a2, n0, n1, n2):
    """What a unit impulse along n at the arm a changes of the velocity there, along n."""
    c0, c1, c2 = a1 * n2 - a2 * n1, a2 * n0 - a0 * n2, a0 * n1 - a1 * n0
    w0, w1, w2 = angular_velocity_of(constants, n, r, c0, c1, c2)
    return 1.0 / constants[RIGID_CONSTANTS * n + RIGID_MASS] + c0 * w0 + c1 * w1 + c2 * w2


@part
def apply_impulse(constants, n, r, motion, a0, a1, a2, j0, j1, j2):
    """An impulse j at the arm a changes the motion (velocity, angular velocity)."""
    k = 1.0 / constants[RIGID_CONSTANTS * n + RIGID_MASS]
    motion[0] += k * j0
    motion[1] += k * j1
    motion[2] += k * j2
    w0, w1, w2 = angular_velocity_of(constants, n, r, a1 * j2 - a2 * j1, a2 * j0 - a0 * j2, a0 * j1 - a1 * j0)
    motion[3] += w0
    motion[4] += w1
    motion[5] += w2


@part
def bear(marks, at, count, rest, row, constants, n, r, motion):
    """The motion after the impulses of all contacts."""
    for sweep in range(IMPULSE_SWEEPS):
        for i in range(count):
            m = marks[at + MARK * i : at + MARK * (i + 1)]
            if m[MARK_TOUCHES] == 0.0:
                continue
            if sweep == 0:
                m[MARK_IMPULSE] = m[MARK_IMPULSE + 1] = m[MARK_IMPULSE + 2] = m[MARK_IMPULSE + 3] = 0.0
            q0, q1, q2 = rest[row + 4 * i], rest[row + 4 * i + 1], rest[row + 4 * i + 2]
            a0 = r[0] * q0 + r[1] * q1 + r[2] * q2
            a1 = r[3] * q0 + r[4] * q1 + r[5] * q2
            a2 = r[6] * q0 + r[7] * q1 + r[8] * q2
            n0, n1, n2 = m[MARK_NORMAL], m[MARK_NORMAL + 1], m[MARK_NORMAL + 2]
            v0 = motion[0] + motion[4] * a2 - motion[5] * a1
            v1 = motion[1] + motion[5] * a0 - motion[3] * a2
            v2 = motion[2] + motion[3] * a1 - motion[4] * a0
            along = v0 * n0 + v1 * n1 + v2 * n2
            inverse_mass = inverse_effective_mass(constants, n, r, a0, a1, a2, n0, n1, n2)
            more = max((m[MARK_SPEED] - along) / inverse_mass, -m[MARK_IMPULSE])
            m[MARK_IMPULSE] += more
            apply_impulse(constants, n, r, motion, a0, a1, a2, more * n0, more * n1, more * n2)
            # friction: what is left of the slip, within the cone
            v0 = motion[0] + motion[4] * a2 - motion[5] * a1 - m[MARK_OBSTACLE]
            v1 = motion[1] + motion[5] * a0 - motion[3] * a2 - m[MARK_OBSTACLE + 1]
            v2 = motion[2] + motion[3] * a1 - motion[4] * a0 - m[MARK_OBSTACLE + 2]
            along = v0 * n0 + v1 * n1 + v2 * n2
            v0 -= along * n0
            v1 -= along * n1
            v2 -= along * n2
            slip = math.sqrt(v0 * v0 + v1 * v1 + v2 * v2)
            k = 0.0
            if slip > 0.0:
                k = 1.0 / inverse_effective_mass(constants, n, r, a0, a1, a2, v0 / slip, v1 / slip, v2 / slip)
            j0, j1, j2 = m[MARK_IMPULSE + 1] - k * v0, m[MARK_IMPULSE + 2] - k * v1, m[MARK_IMPULSE + 3] - k * v2
            most = m[MARK_FRICTION] * m[MARK_IMPULSE]
            length = math.sqrt(j0 * j0 + j1 * j1 + j2 * j2)
            if length > most:
                k = most / length
                j0, j1, j2 = k * j0, k * j1, k * j2
            i0, i1, i2 = m[MARK_IMPULSE + 1], m[MARK_IMPULSE + 2], m[MARK_IMPULSE + 3]
            apply_impulse(constants, n, r, motion, a0, a1, a2, j0 - i0, j1 - i1, j2 - i2)
            m[MARK_IMPULSE + 1], m[MARK_IMPULSE + 2], m[MARK_IMPULSE + 3] = j0, j1, j2


@part
def clear(marks, at, count, rest, row, constants, n, r, correction):
    """The correction (m, rad) of the body's place on top of its motion, until no particle is deeper than it was pushed
    to. It leaves no velocity behind."""
    for sweep in range(IMPULSE_SWEEPS):
        for i in range(count):
            m = marks[at + MARK * i : at + MARK * (i + 1)]
            if m[MARK_TOUCHES] == 0.0:
                continue
            if sweep == 0:
                m[MARK_IMPULSE] = 0.0
            q0, q1, q2 = rest[row + 4 * i], rest[row + 4 * i + 1], rest[row + 4 * i + 2]
            a0 = r[0] * q0 + r[1] * q1 + r[2] * q2
            a1 = r[3] * q0 + r[4] * q1 + r[5] * q2
            a2 = r[6] * q0 + r[7] * q1 + r[8] * q2
            n0, n1, n2 = m[MARK_NORMAL], m[MARK_NORMAL + 1], m[MARK_NORMAL + 2]
            done = (
                (correction[0] + correction[4] * a2 - correction[5] * a1) * n0
                + (correction[1] + correction[5] * a0 - correction[3] * a2) * n1
                + (correction[2] + correction[3] * a1 - correction[4] * a0) * n2
            )
            inverse_mass = inverse_effective_mass(constants, n, r, a0, a1, a2, n0, n1, n2)
            more = max((m[MARK_PUSH] - done) / inverse_mass, -m[MARK_IMPULSE])
            m[MARK_IMPULSE] += more
            apply_impulse(constants, n, r, correction, a0, a1, a2, more * n0, more * n1, more * n2)


@kernel("u[] u[] d[] d[] d[] d[] d[] d[] x[] x[] x[] x[] d i i")
def gather(asleep, heads, rest, constants, rotations, centres, marks, others, x, v, y, inverse, h, first, last):
    """x, v: each body as one again, where pushes and impulses take it. y: the velocity of each particle by itself;
    others: what other bodies add to the motion of each as a whole (6), and how far they have pushed it (6); its
    particles and their velocities know of that."""
    real = x.dtype.type
    r = np.zeros(9)
    motion, correction = np.zeros(6), np.zeros(6)
    for n in range(first, last):
        if asleep[n]:
            continue
        begin = np.int64(heads[RIGID_HEAD * n + HEAD_FIRST])
        count = np.int64(heads[RIGID_HEAD * n + HEAD_COUNT])
        row = np.int64(heads[RIGID_HEAD * n + HEAD_REST])
        at = MARK * (begin - np.int64(marks[0]) + 1)
        held = False
        touching = False
        for i in range(count):
            held = held or inverse[begin + i] == 0
            touching = touching or marks[at + MARK * i + MARK_TOUCHES] != 0.0
        q = rotations[4 * n : 4 * n + 4]
        if held:
            follow(rest, row, marks, at, count, begin, x, inverse, q, r)
            continue
        set_matrix(q, r)
        c0, c1, c2 = centres[3 * n], centres[3 * n + 1], centres[3 * n + 2]
        motion[:] = 0.0
        l0 = l1 = l2 = 0.0
        for i in range(count):
            f = 4 * (begin + i)
            m = rest[row + 4 * i + 3]
            q0, q1, q2 = rest[row + 4 * i], rest[row + 4 * i + 1], rest[row + 4 * i + 2]
            a0 = r[0] * q0 + r[1] * q1 + r[2] * q2
            a1 = r[3] * q0 + r[4] * q1 + r[5] * q2
            a2 = r[6] * q0 + r[7] * q1 + r[8] * q2
            v0, v1, v2 = without(marks, at, i, f, y)
            motion[0] += m * v0
            motion[1] += m * v1
            motion[2] += m * v2
            l0 += m * (a1 * v2 - a2 * v1)
            l1 += m * (a2 * v0 - a0 * v2)
            l2 += m * (a0 * v1 - a1 * v0)
        w0, w1, w2 = angular_velocity_of(constants, n, r, l0, l1, l2)
        k = 1.0 / constants[RIGID_CONSTANTS * n + RIGID_MASS]
        motion[0], motion[1], motion[2], motion[3], motion[4], motion[5] = (
            k * motion[0], k * motion[1], k * motion[2], w0, w1, w2,
        )  # fmt: skip
        # and it goes where others take it, as all particles do: x = x + h v
        for i in range(6):
            motion[i] += others[12 * n + i]
            correction[i] = h * others[12 * n + i] + others[12 * n + 6 + i]
        c0 += correction[0]
        c1 += correction[1]
        c2 += correction[2]
        turn(q, correction[3], correction[4], correction[5])
        set_matrix(q, r)
        if touching:
            correction[:] = motion
            bear(marks, at, count, rest, row, constants, n, r, motion)
            for i in range(6):
                correction[i] = h * (motion[i] - correction[i])
            clear(marks, at, count, rest, row, constants, n, r, correction)
            c0 += correction[0]
            c1 += correction[1]
            c2 += correction[2]
            turn(q, correction[3], correction[4], correction[5])
            set_matrix(q, r)
        slow = math.exp(-h * constants[RIGID_CONSTANTS * n + RIGID_DRAG])
        for i in range(6):
            motion[i] *= slow
        for i in range(count):
            f = 4 * (begin + i)
            q0, q1, q2 = rest[row + 4 * i], rest[row + 4 * i + 1], rest[row + 4 * i + 2]
            a0 = r[0] * q0 + r[1] * q1 + r[2] * q2
            a1 = r[3] * q0 + r[4] * q1 + r[5] * q2
            a2 = r[6] * q0 + r[7] * q1 + r[8] * q2
            x[f] = real(c0 + a0)
            x[f + 1] = real(c1 + a1)
            x[f + 2] = real(c2 + a2)
            v[f] = real(motion[0] + motion[4] * a2 - motion[5] * a1)
            v[f + 1] = real(motion[1] + motion[5] * a0 - motion[3] * a2)
            v[f + 2] = real(motion[2] + motion[3] * a1 - motion[4] * a0)


@part
def without(marks, at, i, f, y):
    """The velocity of a particle as it is without obstacles."""
    m = marks[at + MARK * i : at + MARK * (i + 1)]
    if m[MARK_TOUCHES] != 0.0:
        return m[MARK_VELOCITY], m[MARK_VELOCITY + 1], m[MARK_VELOCITY + 2]
    return float(y[f]), float(y[f + 1]), float(y[f + 2])


@part
def follow(rest, row, marks, at, count, begin, x, inverse, q, r):
    """A body some of whose particles are pinned: the placement nearest to all, where pins are and what touches. Its
    velocity is the world's answer."""
    real = x.dtype.type
    near = np.zeros(9)
    start = np.zeros(4)
    total = c0 = c1 = c2 = o0 = o1 = o2 = 0.0
    for i in range(count):
        f = 4 * (begin + i)
        w = weight_of(rest[row + 4 * i + 3], inverse[begin + i], marks[at + MARK * i + MARK_TOUCHES])
        total += w
        c0 += w * x[f]
        c1 += w * x[f + 1]
        c2 += w * x[f + 2]
        o0 += w * rest[row + 4 * i]
        o1 += w * rest[row + 4 * i + 1]
        o2 += w * rest[row + 4 * i + 2]
    k = 1.0 / total
    c0, c1, c2, o0, o1, o2 = k * c0, k * c1, k * c2, k * o0, k * o1, k * o2
    for i in range(count):
        f = 4 * (begin + i)
        w = weight_of(rest[row + 4 * i + 3], inverse[begin + i], marks[at + MARK * i + MARK_TOUCHES])
        add_outer(
            near, x[f] - c0, x[f + 1] - c1, x[f + 2] - c2,
            w * (rest[row + 4 * i] - o0), w * (rest[row + 4 * i + 1] - o1), w * (rest[row + 4 * i + 2] - o2),
        )  # fmt: skip
    start[:] = q
    best_rotation(near, start, q)
    set_matrix(q, r)
    for i in range(count):
        if inverse[begin + i] > 0:
            f = 4 * (begin + i)
            q0, q1, q2 = rest[row + 4 * i] - o0, rest[row + 4 * i + 1] - o1, rest[row + 4 * i + 2] - o2
            x[f] = real(c0 + r[0] * q0 + r[1] * q1 + r[2] * q2)
            x[f + 1] = real(c1 + r[3] * q0 + r[4] * q1 + r[5] * q2)
            x[f + 2] = real(c2 + r[6] * q0 + r[7] * q1 + r[8] * q2)


@part
def weight_of(m, inverse, touching):
    """How much a particle counts where its body is placed."""
    if inverse == 0:
        return m * PINNED_WEIGHT
    return m * TOUCHING_WEIGHT if touching != 0.0 else m
