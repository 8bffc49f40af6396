# mypy: disallow-untyped-defs=False, check-untyped-defs=False
"""Kernels of the step that no model owns: prediction, handles, and settling (contact, velocities, damping).

Positions and velocities stand in rows of 4 numbers (x, y, z, unused). An actor is cut into chunks of at most
4096 particles; sums over an actor are sums of its chunks' sums in their order, so they do not depend on the
threads."""

import numpy as np

from pliant.runtime.jit import kernel, part
from pliant.runtime.waiting import PLACE, STOP, all_here
from pliant.world.contact_kernels import gentle_speed
from pliant.world.layout import FARTHEST
from pliant.world.motion_kernels import commit, rigid_motion
from pliant.world.touch_kernels import touch

MEET, RIGID, COMMIT, ALL = range(4)
WILD = 1e4  # metres: from here on a model's products may overflow
GOOD, DOUBTFUL = -1, -2
# Places on the board of a thread: what it found when it set out, and whether an actor fell asleep or woke before
WORST, CHANGED = 7, 9
ALL_SETTLED, SET_OUT = 1, 2  # the first points at which threads wait for one another


@kernel("x[] x[] x[] x[] x[] x[] d d d d i i")
def predict(x, v, y, p, inverse, acceleration, gx, gy, gz, h, first, last):
    """Where inertia takes the particles from first to last."""
    return predict_those(x, v, y, p, inverse, acceleration, gx, gy, gz, h, first, last)


@kernel("x[] x[] x[] x[] x[] x[] i[] d[] d[] i[] i i")
def set_out(x, v, y, p, inverse, acceleration, pinned, pins, numbers, board, piece, pieces):
    """Where inertia takes all particles, and pins those that they hold. Threads go through it together. Answers STOP if
    not all is good, or if others are awake than before. numbers: gravity (3) and h."""
    all_here(board, piece, pieces, ALL_SETTLED)
    for other in range(pieces):
        if board[PLACE * other + CHANGED] != 0:
            return STOP
    count = len(inverse)
    first, last = count * piece // pieces, count * (piece + 1) // pieces
    board[PLACE * piece + WORST] = predict_those(
        x, v, y, p, inverse, acceleration, numbers[0], numbers[1], numbers[2], numbers[3], first, last
    )
    put_those(y, pinned, pins, first, last)
    all_here(board, piece, pieces, SET_OUT)
    for other in range(pieces):
        if board[PLACE * other + WORST] != GOOD:
            return STOP
    return 0


@part
def predict_those(x, v, y, p, inverse, acceleration, gx, gy, gz, h, first, last):
    """y = x + h v + h^2 a;  p = y. Returns the first particle that leaves the finite world, else whether all
    is GOOD or DOUBTFUL (one is so far out that the models may yet fail)."""
    real = x.dtype.type
    step = real(h)
    a0 = real(h * h * gx)
    a1 = real(h * h * gy)
    a2 = real(h * h * gz)
    square = real(h * h)
    forced = len(acceleration) > 0
    bad = -1
    doubtful = False
    for i in range(first, last):
        f = np.uint64(4 * i)
        g = f + np.uint64(1)
        k = f + np.uint64(2)
        if inverse[i] > 0:
            y0 = x[f] + step * v[f] + a0
            y1 = x[g] + step * v[g] + a1
            y2 = x[k] + step * v[k] + a2
            if forced:
                y0 += square * acceleration[f]
                y1 += square * acceleration[g]
                y2 += square * acceleration[k]
        else:
            y0 = x[f]
            y1 = x[g]
            y2 = x[k]
        if not (abs(y0) < WILD and abs(y1) < WILD and abs(y2) < WILD):
            doubtful = True
            if not (abs(y0) < FARTHEST and abs(y1) < FARTHEST and abs(y2) < FARTHEST) and bad < 0:
                bad = i
        elif not (abs(x[f]) < WILD and abs(x[g]) < WILD and abs(x[k]) < WILD):
            doubtful = True
        y[f] = y0
        y[g] = y1
        y[k] = y2
        p[f] = y0
        p[g] = y1
        p[k] = y2
    if bad >= 0:
        return bad
    return DOUBTFUL if doubtful else GOOD


@kernel("x[] i[] d[]")
def put(x, particles, places):
    """Particles go to their places (3 each)."""
    put_those(x, particles, places, 0, len(x) // 4)


@part
def put_those(x, particles, places, first, last):
    """Of some particles, those from first to last go to their places."""
    for n in range(len(particles)):
        if first <= particles[n] < last:
            f = 4 * particles[n]
            x[f], x[f + 1], x[f + 2] = places[3 * n], places[3 * n + 1], places[3 * n + 2]


@kernel("x[] x[] u[] d[] d")
def pull(p, inverse, particles, handles, h):
    """Handles as springs solved implicitly: a point s = sum b_j p_j held at t with stiffness k moves by (t -
    s) W / (W + 1 / (k h^2)), W = sum b_j^2 / m_j, shared out by b_j / m_j. Eight numbers per handle: k, t, b.
    Where it comes to rest the spring carries exactly k times its stretch, and no stiffness is too much."""
    for n in range(len(handles) // 8):
        stiffness = handles[8 * n]
        give = 0.0
        s0 = s1 = s2 = 0.0
        for j in range(4):
            b = handles[8 * n + 4 + j]
            i = np.int64(particles[4 * n + j])
            give += b * b * inverse[i]
            s0 += b * p[4 * i]
            s1 += b * p[4 * i + 1]
            s2 += b * p[4 * i + 2]
        if give == 0.0:
            continue
        scale = 1.0 / (give + 1.0 / (stiffness * h * h))
        for j in range(4):
            i = np.int64(particles[4 * n + j])
            share = handles[8 * n + 4 + j] * inverse[i] * scale
            p[4 * i] += share * (handles[8 * n + 1] - s0)
            p[4 * i + 1] += share * (handles[8 * n + 2] - s1)
            p[4 * i + 2] += share * (handles[8 * n + 3] - s2)


@kernel("x[] x[] x[] x[] x[] x[] x[] u[] u[] d[] d[] d[] x[] x[] d[] f[] d[] d d d d i i i")
def settle(
    x, v, y, p, inverse, masses, acceleration, chunks, origins, sums, motion, bounces, angular_velocities, hulls,
    colliders, grids, marks, gx, gy, gz, h, stage, first, last,
):  # fmt: skip
    """Contact, velocity, damping. Nothing is written to x, v and bounces unless all numbers are finite;
    returns the first particle that is not, or -1."""
    bad = -1
    gentle = gentle_speed(gx, gy, gz, h)
    if stage in (ALL, MEET):
        bad = touch(
            x, v, y, p, inverse, masses, acceleration, chunks, origins, sums, bounces, angular_velocities, hulls,
            colliders, grids, marks, gentle, gx, gy, gz, h, first, last,
        )  # fmt: skip
    if stage == RIGID or (stage == ALL and bad < 0):
        rigid_motion(x, chunks, origins, sums, motion, bounces, gentle, gx, gy, gz, h, 0, len(origins))
    if stage == COMMIT or (stage == ALL and bad < 0):
        commit(x, v, y, p, inverse, chunks, motion, first, last)
    return bad
