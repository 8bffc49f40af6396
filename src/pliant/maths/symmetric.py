# mypy: disallow-untyped-defs=False, check-untyped-defs=False
"""Symmetric 3x3 matrices that may be nearly singular."""

import math

import numpy as np

from pliant.runtime.instructions import room
from pliant.runtime.jit import part

NINE = 9
SWEEPS = 8  # of Jacobi's rotations, at most: each squares what is left beside the diagonal
# Of the trace: an eigenvalue below it is none. 1e-3: bodies a thirtieth as thick as long would not roll.
# 1e-12: the inverse would lose twelve digits.
NO_VALUE = 1e-6
LEAST_PIVOT = 1e-12  # of the trace: enough to divide by


@part
def rotate(a, v, i, j):
    """One rotation of Jacobi: a[i, j] becomes 0, and the columns of v turn along."""
    if a[3 * i + j] == 0.0:
        return
    theta = (a[3 * j + j] - a[3 * i + i]) / (2.0 * a[3 * i + j])
    t = math.copysign(1.0, theta) / (abs(theta) + math.sqrt(theta * theta + 1.0))
    c = 1.0 / math.sqrt(t * t + 1.0)
    s = t * c
    for m in range(3):
        x, y = a[3 * m + i], a[3 * m + j]
        a[3 * m + i], a[3 * m + j] = c * x - s * y, s * x + c * y
    for m in range(3):
        x, y = a[3 * i + m], a[3 * j + m]
        a[3 * i + m], a[3 * j + m] = c * x - s * y, s * x + c * y
    for m in range(3):
        x, y = v[3 * m + i], v[3 * m + j]
        v[3 * m + i], v[3 * m + j] = c * x - s * y, s * x + c * y


@part
def pseudo_inverse(matrix, out):
    """Of a matrix (9) that is not negative: its inverse across the axes along which it is next to nothing, and 0 along
    these. One that is very small would cost the others their digits."""
    a, v = room(np.float64, NINE), room(np.float64, NINE)
    for k in range(9):
        a[k], v[k], out[k] = matrix[k], 1.0 if k % 4 == 0 else 0.0, 0.0
    trace = a[0] + a[4] + a[8]
    if not (trace > 0.0):
        return
    for _sweep in range(SWEEPS):
        if abs(a[1]) + abs(a[2]) + abs(a[5]) <= 1e-17 * trace:
            break
        rotate(a, v, 0, 1)
        rotate(a, v, 0, 2)
        rotate(a, v, 1, 2)
    for k in range(3):
        if a[4 * k] > NO_VALUE * trace:
            inverse = 1.0 / a[4 * k]
            for i in range(3):
                for j in range(3):
                    out[3 * i + j] += inverse * v[3 * i + k] * v[3 * j + k]


@part
def solve_turn(m, l0, l1, l2):
    """w with I w = l, where the inertia I (9) may be nearly singular: by I = L D L^T, with which w may be off along a
    line that has no inertia, but the momentum I w is right to rounding."""
    trace = m[0] + m[4] + m[8]
    if not (trace > 0.0):
        return 0.0, 0.0, 0.0
    least = LEAST_PIVOT * trace
    d0 = max(m[0], least)
    l10, l20 = m[1] / d0, m[2] / d0
    d1 = max(m[4] - l10 * m[1], least)
    l21 = (m[5] - l20 * m[1]) / d1
    d2 = max(m[8] - l20 * m[2] - l21 * l21 * d1, least)
    l1 -= l10 * l0
    l2 -= l20 * l0 + l21 * l1
    w2 = l2 / d2
    w1 = l1 / d1 - l21 * w2
    return l0 / d0 - l10 * w1 - l20 * w2, w1, w2
