# mypy: disallow-untyped-defs=False, check-untyped-defs=False
"""The rotation nearest to a 3x3 matrix: the proper one, also for flat, crushed and inverted matrices.

We look for the R that makes tr(R^T A) largest. With B = R^T A and a turn by w in the frame of R, B becomes
exp(-[w]) B, which is symmetric to first order when

    (tr(S) I - S) w = axial(B),     S = sym(B),  axial(B) = (B21 - B12, B02 - B20, B10 - B01).

That is Newton's method, and because the third derivative of tr(exp(-[w]) S) vanishes it gains three times the digits in
each step. If S is a multiple of I and R is off by an angle t, the solution has the length tan t; so we turn by
atan |w| instead of |w|, which is exact then, and leaves otherwise an error of (measured, to 5 %)

    0.155 t^3 sqrt(3 |S|^2 / tr(S)^2 - 1).

From one time step to the next, warm-started, one step mostly reaches rounding; the formula says when it did. Where S is
not safely positive (tr S < |S|: A is inverted, or the start was far off) the matrix is shifted to keep climbing, and a
lane that ends there is handed to `best_rotation`, which cannot fail but takes a microsecond.
"""

import math

import numpy as np

from pliant.maths.quaternion import product, rotation_matrix
from pliant.runtime.jit import inline, part

LANES = 64
MOST_TURNS = 8


@inline
def newton_turn(
    b00, b01, b02, b10, b11, b12, b20, b21, b22, p00, p01, p02, p11, p12, p22, one, half, three, eps, tiny, spin, zero
):
    """The solution w, how far S is from safely positive (|S| - tr S; negative is safe), and 3 |S|^2 / tr(S)^2 - 1.
    P projects on the axes that are missing; where there are two, I - P is the line that may not spin."""
    ax = b21 - b12
    ay = b02 - b20
    az = b10 - b01
    s01 = (b01 + b10) * half
    s02 = (b02 + b20) * half
    s12 = (b12 + b21) * half
    off = s01 * s01 + s02 * s02 + s12 * s12
    squares = b00 * b00 + b11 * b11 + b22 * b22 + off + off
    norm = math.sqrt(squares)
    trace = b00 + b11 + b22
    lack = norm - trace
    shift = lack if lack > tiny else tiny
    shift = shift + shift + norm * eps
    lost = p00 + p11 + p22 - one
    hold = lost * norm * spin if lost > half else zero
    s01 = s01 + hold * p01
    s02 = s02 + hold * p02
    s12 = s12 + hold * p12
    shift = shift + hold
    h00 = b11 + b22 + shift - hold * p00
    h11 = b00 + b22 + shift - hold * p11
    h22 = b00 + b11 + shift - hold * p22
    c00 = h11 * h22 - s12 * s12
    c01 = s02 * s12 + s01 * h22
    c02 = s01 * s12 + s02 * h11
    c11 = h00 * h22 - s02 * s02
    c12 = s01 * s02 + s12 * h00
    c22 = h00 * h11 - s01 * s01
    det = h00 * c00 - s01 * c01 - s02 * c02
    inv = one / (det if det > tiny else tiny)
    wx = (c00 * ax + c01 * ay + c02 * az) * inv
    wy = (c01 * ax + c11 * ay + c12 * az) * inv
    wz = (c02 * ax + c12 * ay + c22 * az) * inv
    # A line that is off by t has |S| - tr S = |S| t^2 / 4 and is safe all the same.
    line = wx * wx + wy * wy + wz * wz if lost > half else zero
    return wx, wy, wz, lack - norm * (eps + eps + line), three * squares / (trace * trace + tiny) - one


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


@inline
def turn_lane(a, q, flag, lane, p00, p01, p02, p11, p12, p22, one, half, three, eps, tiny, spin, limit, zero):
    """One lane of `turn_block`. The flag is 2 where it may still be off, 1 where it is not safely positive, else 0."""
    x = q[lane]
    y = q[lane + 64]
    z = q[lane + 128]
    w = q[lane + 192]
    r0, r1, r2, r3, r4, r5, r6, r7, r8 = rotation_matrix(x, y, z, w, one)
    a0 = a[lane]
    a1 = a[lane + 64]
    a2 = a[lane + 128]
    a3 = a[lane + 192]
    a4 = a[lane + 256]
    a5 = a[lane + 320]
    a6 = a[lane + 384]
    a7 = a[lane + 448]
    a8 = a[lane + 512]
    ox, oy, oz, lack, uneven = newton_turn(
        r0 * a0 + r3 * a3 + r6 * a6,
        r0 * a1 + r3 * a4 + r6 * a7,
        r0 * a2 + r3 * a5 + r6 * a8,
        r1 * a0 + r4 * a3 + r7 * a6,
        r1 * a1 + r4 * a4 + r7 * a7,
        r1 * a2 + r4 * a5 + r7 * a8,
        r2 * a0 + r5 * a3 + r8 * a6,
        r2 * a1 + r5 * a4 + r8 * a7,
        r2 * a2 + r5 * a5 + r8 * a8,
        p00, p01, p02, p11, p12, p22, one, half, three, eps, tiny, spin, zero,
    )  # fmt: skip
    turn = ox * ox + oy * oy + oz * oz
    # tan(t / 2) = tan t / (1 + sqrt(1 + tan^2 t)); the length is taken out below
    n0, n1, n2, n3 = product(x, y, z, w, ox, oy, oz, one + math.sqrt(one + turn))
    s = one / math.sqrt(n0 * n0 + n1 * n1 + n2 * n2 + n3 * n3)
    q[lane] = n0 * s
    q[lane + 64] = n1 * s
    q[lane + 128] = n2 * s
    q[lane + 192] = n3 * s
    off = one + one if turn * turn * turn * uneven > limit else zero
    flag[lane] = one if lack > zero else off


@part
def turn_block(a, missing, q, flag, tolerance, thin):
    """One Newton step of the rotations q towards the matrices a (9 rows): B = R^T A. Returns how many lanes may
    still be off by more than the tolerance (rad), and how many of them or of those not safely positive there are.
    `thin`: some lanes miss axes; solids leave that out."""
    real = a.dtype.type
    one = real(1)
    half = real(0.5)
    eps = real(1e-6) if a.itemsize == 4 else real(1e-12)  # added to S, it makes a turn fall short by as much
    tiny = real(1e-30)
    spin = real(2.5e-4) if a.itemsize == 4 else real(1e-12)  # a few thousand roundings
    three = real(3)
    limit = real((tolerance / 0.155) ** 2)
    zero = real(0)
    if thin:
        for lane in range(LANES):
            turn_lane(
                a, q, flag, lane, missing[lane], missing[lane + 192], missing[lane + 256], missing[lane + 64],
                missing[lane + 320], missing[lane + 128], one, half, three, eps, tiny, spin, limit, zero,
            )  # fmt: skip
    else:
        for lane in range(LANES):
            turn_lane(
                a, q, flag, lane, zero, zero, zero, zero, zero, zero, one, half, three, eps, tiny, spin, limit, zero
            )
    # Counted in a loop of its own: whole numbers are 64 bits wide and would halve the lanes of the loop above.
    moved = 0
    doubtful = 0
    for lane in range(LANES):
        moved += 1 if flag[lane] > one else 0
        doubtful += 1 if flag[lane] > zero else 0
    return moved, doubtful


@part
def rotate_block(a, missing, q, flag, tolerance, thin):
    """The proper rotation of every lane, warm-started from q."""
    moved = 1
    unsafe = 0
    for _turn in range(MOST_TURNS):
        moved, unsafe = turn_block(a, missing, q, flag, tolerance, thin)
        if moved == 0:
            break
    if unsafe > 0:
        matrix = np.empty(9)
        start = np.empty(4)
        best = np.empty(4)
        for lane in range(LANES):
            if flag[lane] == 0:
                continue
            for m in range(4):
                start[m] = q[64 * m + lane]
            for m in range(9):
                matrix[m] = a[64 * m + lane]
            best_rotation(matrix, start, best)
            for m in range(4):
                q[64 * m + lane] = best[m]
