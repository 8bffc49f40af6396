# mypy: disallow-untyped-defs=False, check-untyped-defs=False
"""The rigid frame: how it turns so that the angular momentum of the step is exactly what it is to be."""

import math

import numpy as np

from pliant.maths.symmetric import pseudo_inverse
from pliant.models.modal.warp import turned
from pliant.runtime.instructions import room
from pliant.runtime.jit import inline, part

NINE = 9
ROUNDS = 12  # of Newton's method; four are enough for what turns by less than half a radian


@inline
def multiplied(m, a0, a1, a2):
    """m a, m nine numbers."""
    return (
        m[0] * a0 + m[1] * a1 + m[2] * a2,
        m[3] * a0 + m[4] * a1 + m[5] * a2,
        m[6] * a0 + m[7] * a1 + m[8] * a2,
    )


@inline
def multiplied_back(m, a0, a1, a2):
    """m^T a."""
    return (
        m[0] * a0 + m[3] * a1 + m[6] * a2,
        m[1] * a0 + m[4] * a1 + m[7] * a2,
        m[2] * a0 + m[5] * a1 + m[8] * a2,
    )


@part
def turn(rotation, w0, w1, w2):
    """exp(w) R, in place, and made orthonormal again."""
    for k in range(3):
        a0, a1, a2 = turned(w0, w1, w2, rotation[k], rotation[3 + k], rotation[6 + k])
        rotation[k], rotation[3 + k], rotation[6 + k] = a0, a1, a2
    # one step towards the nearest rotation: R (3 - R^T R) / 2
    g, copy = room(np.float64, NINE), room(np.float64, NINE)
    for k in range(9):
        copy[k] = rotation[k]
    for i in range(3):
        for j in range(3):
            g[3 * i + j] = copy[i] * copy[j] + copy[3 + i] * copy[3 + j] + copy[6 + i] * copy[6 + j]
    for i in range(3):
        for j in range(3):
            s = g[j] * copy[3 * i] + g[3 + j] * copy[3 * i + 1] + g[6 + j] * copy[3 * i + 2]
            rotation[3 * i + j] = 1.5 * copy[3 * i + j] - 0.5 * s


@part
def invert_three(m, out):
    """The inverse of a matrix (9), nearly; False where it has none."""
    c00 = m[4] * m[8] - m[5] * m[7]
    c01 = m[5] * m[6] - m[3] * m[8]
    c02 = m[3] * m[7] - m[4] * m[6]
    det = m[0] * c00 + m[1] * c01 + m[2] * c02
    size = abs(m[0]) + abs(m[4]) + abs(m[8])
    if not abs(det) > 1e-12 * size * size * size:
        return False
    k = 1.0 / det
    out[0], out[1], out[2] = k * c00, k * (m[2] * m[7] - m[1] * m[8]), k * (m[1] * m[5] - m[2] * m[4])
    out[3], out[4], out[5] = k * c01, k * (m[0] * m[8] - m[2] * m[6]), k * (m[2] * m[3] - m[0] * m[5])
    out[6], out[7], out[8] = k * c02, k * (m[1] * m[6] - m[0] * m[7]), k * (m[0] * m[4] - m[1] * m[3])
    return True


@inline
def add_moment(out, m, r0, r1, r2):
    """m (r^2 1 - r r^T), its upper half."""
    out[0] += m * (r1 * r1 + r2 * r2)
    out[4] += m * (r0 * r0 + r2 * r2)
    out[8] += m * (r0 * r0 + r1 * r1)
    out[1] -= m * r0 * r1
    out[2] -= m * r0 * r2
    out[5] -= m * r1 * r2


@part
def inertia_of(made, centre, masses, count, out, inverse):
    """J = sum m (r^2 1 - r r^T) of the particles (9), and its inverse."""
    for k in range(9):
        out[k] = 0.0
    for i in range(count):
        m = masses[i]
        r0, r1, r2 = made[3 * i] - centre[0], made[3 * i + 1] - centre[1], made[3 * i + 2] - centre[2]
        add_moment(out, m, r0, r1, r2)
    out[3], out[6], out[7] = out[1], out[2], out[5]
    if not invert_three(out, inverse):
        pseudo_inverse(out, inverse)


@part
def turn_for(made, centre, masses, local, count, momentum, h, inverse, rotation):
    """Turns the frame R so that  sum m a x (R s) = h L:  the particles go from their places a, about the centre, to R s
    with the angular momentum L. With T = sum m a (R s)^T the left side is the axial vector of T, and a turn by t
    changes it by  (tr T - T^T) t:  Newton's method. What turns too fast for that turns by its rate."""
    w0, w1, w2 = multiplied(inverse, momentum[0], momentum[1], momentum[2])
    turn(rotation, h * w0, h * w1, h * w2)
    b, t, system, solved, kept = (
        room(np.float64, NINE), room(np.float64, NINE), room(np.float64, NINE), room(np.float64, NINE),
        room(np.float64, NINE),
    )  # fmt: skip
    size = 0.0
    for k in range(9):
        b[k] = 0.0
        kept[k] = rotation[k]
    for i in range(count):
        m = masses[i]
        for k in range(3):
            a = m * (made[3 * i + k] - centre[k])
            b[3 * k] += a * local[3 * i]
            b[3 * k + 1] += a * local[3 * i + 1]
            b[3 * k + 2] += a * local[3 * i + 2]
            size += a * (made[3 * i + k] - centre[k])
    before = math.inf
    for _round in range(ROUNDS):
        for j in range(3):
            for k in range(3):
                t[3 * j + k] = (
                    b[3 * j] * rotation[3 * k] + b[3 * j + 1] * rotation[3 * k + 1] + b[3 * j + 2] * rotation[3 * k + 2]
                )
        g0 = t[5] - t[7] - h * momentum[0]
        g1 = t[6] - t[2] - h * momentum[1]
        g2 = t[1] - t[3] - h * momentum[2]
        now = math.sqrt(g0 * g0 + g1 * g1 + g2 * g2)
        trace = t[0] + t[4] + t[8]
        for j in range(3):
            for k in range(3):
                system[3 * j + k] = (trace if j == k else 0.0) - t[3 * k + j]
        if not now < before or not invert_three(system, solved):
            if not now < 1e-6 * size:
                for k in range(9):
                    rotation[k] = kept[k]
            return
        w0, w1, w2 = multiplied(solved, g0, g1, g2)
        turn(rotation, -w0, -w1, -w2)
        if now < 1e-17 * size:
            return
        before = now
