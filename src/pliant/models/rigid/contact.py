"""Kernels of rigid bodies after contact.

What other bodies do to one that is rigid the world tells as impulses on the whole (world/contact/). Out of obstacles it
pushes particles, one by one, and marks them (prepare.py): where, in what direction, with what friction and how fast the
particle may go along the normal. From these the impulses on the body are found together: each pushes and never pulls,
and friction stays within its cone (projected Gauss-Seidel)."""

import math

import numpy as np

from pliant.maths.polar import best_rotation
from pliant.models.rigid.kernels import PINNED, add_outer, set_matrix, spin_of, turn
from pliant.models.rigid.prepare import CONSTANTS, COUNT, DRAG, FIRST, HEAD, MARK, REST
from pliant.runtime.jit import kernel, part

SWEEPS = 24
TOUCHING = 1e4  # how much heavier a touching particle counts where a pinned body is placed


@part
def lightness(constants, n, r, a0, a1, a2, n0, n1, n2):
    """What a unit impulse along n at the arm a changes of the velocity there, along n."""
    c0, c1, c2 = a1 * n2 - a2 * n1, a2 * n0 - a0 * n2, a0 * n1 - a1 * n0
    w0, w1, w2 = spin_of(constants, n, r, c0, c1, c2)
    return 1.0 / constants[CONSTANTS * n] + c0 * w0 + c1 * w1 + c2 * w2


@part
def push(constants, n, r, motion, a0, a1, a2, j0, j1, j2):
    """An impulse j at the arm a changes the motion (velocity, angular velocity)."""
    k = 1.0 / constants[CONSTANTS * n]
    motion[0] += k * j0
    motion[1] += k * j1
    motion[2] += k * j2
    w0, w1, w2 = spin_of(constants, n, r, a1 * j2 - a2 * j1, a2 * j0 - a0 * j2, a0 * j1 - a1 * j0)
    motion[3] += w0
    motion[4] += w1
    motion[5] += w2


@part
def bear(marks, at, count, rest, row, constants, n, r, motion):
    """The motion after the impulses of all contacts."""
    for sweep in range(SWEEPS):
        for i in range(count):
            m = marks[at + MARK * i : at + MARK * (i + 1)]
            if m[0] == 0.0:
                continue
            if sweep == 0:
                m[16] = m[17] = m[18] = m[19] = 0.0
            q0, q1, q2 = rest[row + 4 * i], rest[row + 4 * i + 1], rest[row + 4 * i + 2]
            a0 = r[0] * q0 + r[1] * q1 + r[2] * q2
            a1 = r[3] * q0 + r[4] * q1 + r[5] * q2
            a2 = r[6] * q0 + r[7] * q1 + r[8] * q2
            n0, n1, n2 = m[1], m[2], m[3]
            v0 = motion[0] + motion[4] * a2 - motion[5] * a1
            v1 = motion[1] + motion[5] * a0 - motion[3] * a2
            v2 = motion[2] + motion[3] * a1 - motion[4] * a0
            along = v0 * n0 + v1 * n1 + v2 * n2
            more = max((m[4] - along) / lightness(constants, n, r, a0, a1, a2, n0, n1, n2), -m[16])
            m[16] += more
            push(constants, n, r, motion, a0, a1, a2, more * n0, more * n1, more * n2)
            # friction: what is left of the slip, within the cone
            v0 = motion[0] + motion[4] * a2 - motion[5] * a1 - m[5]
            v1 = motion[1] + motion[5] * a0 - motion[3] * a2 - m[6]
            v2 = motion[2] + motion[3] * a1 - motion[4] * a0 - m[7]
            along = v0 * n0 + v1 * n1 + v2 * n2
            v0 -= along * n0
            v1 -= along * n1
            v2 -= along * n2
            slip = math.sqrt(v0 * v0 + v1 * v1 + v2 * v2)
            k = 0.0
            if slip > 0.0:
                k = 1.0 / lightness(constants, n, r, a0, a1, a2, v0 / slip, v1 / slip, v2 / slip)
            j0, j1, j2 = m[17] - k * v0, m[18] - k * v1, m[19] - k * v2
            most = m[8] * m[16]
            length = math.sqrt(j0 * j0 + j1 * j1 + j2 * j2)
            if length > most:
                k = most / length
                j0, j1, j2 = k * j0, k * j1, k * j2
            push(constants, n, r, motion, a0, a1, a2, j0 - m[17], j1 - m[18], j2 - m[19])
            m[17], m[18], m[19] = j0, j1, j2


@part
def clear(marks, at, count, rest, row, constants, n, r, way):
    """The way (m, rad) that the body goes on top of its motion until no particle is deeper than it was pushed to. It
    leaves no velocity behind."""
    for sweep in range(SWEEPS):
        for i in range(count):
            m = marks[at + MARK * i : at + MARK * (i + 1)]
            if m[0] == 0.0:
                continue
            if sweep == 0:
                m[16] = 0.0
            q0, q1, q2 = rest[row + 4 * i], rest[row + 4 * i + 1], rest[row + 4 * i + 2]
            a0 = r[0] * q0 + r[1] * q1 + r[2] * q2
            a1 = r[3] * q0 + r[4] * q1 + r[5] * q2
            a2 = r[6] * q0 + r[7] * q1 + r[8] * q2
            n0, n1, n2 = m[1], m[2], m[3]
            done = (
                (way[0] + way[4] * a2 - way[5] * a1) * n0
                + (way[1] + way[5] * a0 - way[3] * a2) * n1
                + (way[2] + way[3] * a1 - way[4] * a0) * n2
            )
            more = max((m[9] - done) / lightness(constants, n, r, a0, a1, a2, n0, n1, n2), -m[16])
            m[16] += more
            push(constants, n, r, way, a0, a1, a2, more * n0, more * n1, more * n2)


@kernel("u[] u[] d[] d[] d[] d[] d[] d[] x[] x[] x[] x[] d i i")
def gather(asleep, heads, rest, constants, turns, centres, marks, others, x, v, y, inverse, h, first, last):
    """x, v: each body as one again, where pushes and impulses take it. y: the velocity of each particle by itself;
    others: what other bodies add to the motion of each as a whole (6), and how far they have pushed it (6); its
    particles and their velocities know of that."""
    real = x.dtype.type
    r = np.zeros(9)
    motion, way = np.zeros(6), np.zeros(6)
    for n in range(first, last):
        if asleep[n]:
            continue
        begin = np.int64(heads[HEAD * n + FIRST])
        count = np.int64(heads[HEAD * n + COUNT])
        row = np.int64(heads[HEAD * n + REST])
        at = MARK * (begin - np.int64(marks[0]) + 1)
        held = False
        touching = False
        for i in range(count):
            held = held or inverse[begin + i] == 0
            touching = touching or marks[at + MARK * i] != 0.0
        q = turns[4 * n : 4 * n + 4]
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
        w0, w1, w2 = spin_of(constants, n, r, l0, l1, l2)
        k = 1.0 / constants[CONSTANTS * n]
        motion[0], motion[1], motion[2], motion[3], motion[4], motion[5] = (
            k * motion[0], k * motion[1], k * motion[2], w0, w1, w2,
        )  # fmt: skip
        # and it goes where others take it, as everybody does: x = x + h v
        for i in range(6):
            motion[i] += others[12 * n + i]
            way[i] = h * others[12 * n + i] + others[12 * n + 6 + i]
        c0 += way[0]
        c1 += way[1]
        c2 += way[2]
        turn(q, way[3], way[4], way[5])
        set_matrix(q, r)
        if touching:
            way[:] = motion
            bear(marks, at, count, rest, row, constants, n, r, motion)
            for i in range(6):
                way[i] = h * (motion[i] - way[i])
            clear(marks, at, count, rest, row, constants, n, r, way)
            c0 += way[0]
            c1 += way[1]
            c2 += way[2]
            turn(q, way[3], way[4], way[5])
            set_matrix(q, r)
        slow = math.exp(-h * constants[CONSTANTS * n + DRAG])
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
    if m[0] != 0.0:
        return m[10], m[11], m[12]
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
        w = weight_of(rest[row + 4 * i + 3], inverse[begin + i], marks[at + MARK * i])
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
        w = weight_of(rest[row + 4 * i + 3], inverse[begin + i], marks[at + MARK * i])
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
        return m * PINNED
    return m * TOUCHING if touching != 0.0 else m
