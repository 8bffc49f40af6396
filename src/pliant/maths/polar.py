"""The rotation nearest to a 3x3 matrix: the proper one, also for flat, crushed and inverted matrices.

We look for the R that makes tr(R^T A) largest. With B = R^T A and a turn by w in the frame of R, B becomes
exp(-[w]) B, which is symmetric to first order when

    (tr(S) I - S) w = axial(B),     S = sym(B),  axial(B) = (B21 - B12, B02 - B20, B10 - B01).

That is Newton's method, and because the third derivative of tr(exp(-[w]) S) vanishes it gains three times the
digits in each step: from one time step to the next, warm-started, one or two steps reach rounding. Where S is not
safely positive (tr S < |S|, so A is inverted or the start was far off) the matrix is shifted to keep climbing, and
a lane that ends there is handed to `best_rotation`, which cannot fail but takes a microsecond.
"""

import math

import numpy as np

from pliant.jit import inline, part

LANES = 64


@inline
def newton_turn(b00, b01, b02, b10, b11, b12, b20, b21, b22, one, half, eps, tiny):
    """The turn w that makes B symmetric, and how far S is from safely positive (|S| - tr S; negative is safe)."""
    ax = b21 - b12
    ay = b02 - b20
    az = b10 - b01
    s01 = (b01 + b10) * half
    s02 = (b02 + b20) * half
    s12 = (b12 + b21) * half
    off = s01 * s01 + s02 * s02 + s12 * s12
    norm = math.sqrt(b00 * b00 + b11 * b11 + b22 * b22 + off + off)
    lack = norm - (b00 + b11 + b22)
    shift = lack if lack > tiny else tiny
    shift = shift + shift + norm * eps
    h00 = b11 + b22 + shift
    h11 = b00 + b22 + shift
    h22 = b00 + b11 + shift
    c00 = h11 * h22 - s12 * s12
    c01 = s02 * s12 + s01 * h22
    c02 = s01 * s12 + s02 * h11
    c11 = h00 * h22 - s02 * s02
    c12 = s01 * s02 + s12 * h00
    c22 = h00 * h11 - s01 * s01
    det = h00 * c00 - s01 * c01 - s02 * c02
    inv = one / (det if det > tiny else tiny)
    return (
        (c00 * ax + c01 * ay + c02 * az) * inv,
        (c01 * ax + c11 * ay + c12 * az) * inv,
        (c02 * ax + c12 * ay + c22 * az) * inv,
        lack - norm * (eps + eps),
    )


@part
def best_rotation(a, start, out):
    """The proper rotation nearest to `a` (9 numbers) as a quaternion in `out`, by Jacobi rotations on Davenport's
    4x4 matrix, whose largest eigenvalue is the largest tr(R^T A). Double precision throughout.

    Where several rotations are equally good (A crushed to a line or a point) it takes the one nearest to the
    quaternion `start`, so that a crushed region keeps the orientation it had.
    """
    k = np.empty((4, 4))
    k[0, 0] = a[0] - a[4] - a[8]
    k[1, 1] = a[4] - a[0] - a[8]
    k[2, 2] = a[8] - a[0] - a[4]
    k[3, 3] = a[0] + a[4] + a[8]
    k[0, 1] = k[1, 0] = a[1] + a[3]
    k[0, 2] = k[2, 0] = a[2] + a[6]
    k[1, 2] = k[2, 1] = a[5] + a[7]
    k[0, 3] = k[3, 0] = a[7] - a[5]
    k[1, 3] = k[3, 1] = a[2] - a[6]
    k[2, 3] = k[3, 2] = a[3] - a[1]
    v = np.eye(4)
    scale = 0.0
    for i in range(4):
        for j in range(4):
            scale = max(scale, abs(k[i, j]))
    for _sweep in range(12):
        off = 0.0
        for i in range(3):
            for j in range(i + 1, 4):
                off = max(off, abs(k[i, j]))
        if off <= 1e-15 * scale:
            break
        for i in range(3):
            for j in range(i + 1, 4):
                if abs(k[i, j]) <= 1e-18 * scale:
                    continue
                theta = (k[j, j] - k[i, i]) / (2.0 * k[i, j])
                t = math.copysign(1.0, theta) / (abs(theta) + math.sqrt(theta * theta + 1.0))
                c = 1.0 / math.sqrt(t * t + 1.0)
                s = t * c
                for m in range(4):
                    x = k[m, i]
                    y = k[m, j]
                    k[m, i] = c * x - s * y
                    k[m, j] = s * x + c * y
                for m in range(4):
                    x = k[i, m]
                    y = k[j, m]
                    k[i, m] = c * x - s * y
                    k[j, m] = s * x + c * y
                for m in range(4):
                    x = v[m, i]
                    y = v[m, j]
                    v[m, i] = c * x - s * y
                    v[m, j] = s * x + c * y
    top = k[0, 0]
    for i in range(1, 4):
        top = max(top, k[i, i])
    # The part of `start` in the space of the best quaternions; the best one itself where `start` has none.
    for m in range(4):
        out[m] = 0.0
    for i in range(4):
        if k[i, i] >= top - 1e-9 * scale:
            along = 0.0
            for m in range(4):
                along += v[m, i] * start[m]
            for m in range(4):
                out[m] += along * v[m, i]
    norm = math.sqrt(out[0] ** 2 + out[1] ** 2 + out[2] ** 2 + out[3] ** 2)
    if norm < 1e-6:
        best = 0
        for i in range(1, 4):
            if k[i, i] > k[best, best]:
                best = i
        for m in range(4):
            out[m] = v[m, best]
        norm = 1.0
    for m in range(4):
        out[m] /= norm
