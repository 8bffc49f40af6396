# mypy: disallow-untyped-defs=False, check-untyped-defs=False
"""A batch: many bodies of one graph at a time, a lane each. Nothing is gathered and nothing is looked up, because all
lanes have the same neighbours; the same formulas as local.py and place.py, written for rows of lanes.

For bodies that no handle holds and that have no examples; the others go one by one (kernels.py)."""

import numpy as np

from pliant.maths.quaternion import rotation_matrix
from pliant.models.oriented_particles.layout import BATCH, OFFSET
from pliant.runtime.jit import part

W = BATCH
# rows of a particle in the scratch array: x y (3 each), R, momentum (9 each), its quaternion, that before the step (4
# each), angular velocity, what stays of the right side, the right side, the solution (3 each)
X, Y, R, C, Q, B, S, F, G, Z = 0, 3, 6, 15, 24, 28, 32, 35, 38, 41
LANE_ROWS = 44


@part
def write_rows(r, q):
    """R by rows from the quaternions."""
    one = r.dtype.type(1)
    for lane in range(W):
        a, b, c, d, e, f, g, h, i = rotation_matrix(q[lane], q[lane + W], q[lane + 2 * W], q[lane + 3 * W], one)
        r[lane] = a
        r[lane + W] = b
        r[lane + 2 * W] = c
        r[lane + 3 * W] = d
        r[lane + 4 * W] = e
        r[lane + 5 * W] = f
        r[lane + 6 * W] = g
        r[lane + 7 * W] = h
        r[lane + 8 * W] = i


@part
def times_symmetric(c, r, m, s):
    """C = s R M, M symmetric (6: 00 11 22 01 02 12)."""
    m00, m11, m22, m01, m02, m12 = s * m[0], s * m[1], s * m[2], s * m[3], s * m[4], s * m[5]
    for row in range(0, 9 * W, 3 * W):
        for lane in range(row, row + W):
            a = r[lane]
            b = r[lane + W]
            k = r[lane + 2 * W]
            c[lane] = a * m00 + b * m01 + k * m02
            c[lane + W] = a * m01 + b * m11 + k * m12
            c[lane + 2 * W] = a * m02 + b * m12 + k * m22


@part
def add_far(f, yj, yi, both):
    """f += both (y_j - y_i)."""
    for m in range(3 * W):
        f[m] += both * (yj[m] - yi[m])


# Unsigned indices: Numba then leaves out the test for negative ones, and LLVM sees that rows are contiguous.
U = np.uint64
ROW = U(W)
ROW2, ROW3, ROW4, ROW5, ROW6, ROW7, ROW8 = (U(W * k) for k in range(2, 9))
U1, U2, U3, U4, U5, U6, U7 = (U(k) for k in range(1, 8))
TURN0 = U(R * W)
STEP = U(3 * W)  # from the three rows of a particle to those of the next, in `sides`


@part
def accumulate(c, scratch, i, j, edges, e):
    """C += R_j M_ij + (x_j - x_i)(v_j D_ij)^T in every lane; i and j: where the rows of the particles begin."""
    m00, m01, m02 = edges[e], edges[e + U1], edges[e + U2]
    m10, m11, m12 = edges[e + U3], edges[e + U4], edges[e + U5]
    m20, m21, m22 = edges[e + U6], edges[e + U7], edges[e + U(8)]
    d0, d1, d2 = edges[e + U(OFFSET)], edges[e + U(OFFSET + 1)], edges[e + U(OFFSET + 2)]
    r = j + TURN0
    for lane in range(ROW):
        a = scratch[r + lane]
        b = scratch[r + ROW + lane]
        k = scratch[r + ROW2 + lane]
        u = scratch[j + lane] - scratch[i + lane]
        c[lane] += a * m00 + b * m10 + k * m20 + u * d0
        c[ROW + lane] += a * m01 + b * m11 + k * m21 + u * d1
        c[ROW2 + lane] += a * m02 + b * m12 + k * m22 + u * d2
        a = scratch[r + ROW3 + lane]
        b = scratch[r + ROW4 + lane]
        k = scratch[r + ROW5 + lane]
        u = scratch[j + ROW + lane] - scratch[i + ROW + lane]
        c[ROW3 + lane] += a * m00 + b * m10 + k * m20 + u * d0
        c[ROW4 + lane] += a * m01 + b * m11 + k * m21 + u * d1
        c[ROW5 + lane] += a * m02 + b * m12 + k * m22 + u * d2
        a = scratch[r + ROW6 + lane]
        b = scratch[r + ROW7 + lane]
        k = scratch[r + ROW8 + lane]
        u = scratch[j + ROW2 + lane] - scratch[i + ROW2 + lane]
        c[ROW6 + lane] += a * m00 + b * m10 + k * m20 + u * d0
        c[ROW7 + lane] += a * m01 + b * m11 + k * m21 + u * d1
        c[ROW8 + lane] += a * m02 + b * m12 + k * m22 + u * d2


@part
def scaled_sum(c, scratch, momenta, k):
    """C = momentum + k C."""
    for m in range(U(9 * W)):
        c[m] = scratch[momenta + m] + k * c[m]


@part
def add_turned(g, i, scratch, j, d0, d1, d2):
    """g_i += R_j d; i: where its rows begin in `g`."""
    r = j + TURN0
    for lane in range(ROW):
        g[i + lane] += scratch[r + lane] * d0 + scratch[r + ROW + lane] * d1 + scratch[r + ROW2 + lane] * d2
        g[i + ROW + lane] += (
            scratch[r + ROW3 + lane] * d0 + scratch[r + ROW4 + lane] * d1 + scratch[r + ROW5 + lane] * d2
        )
        g[i + ROW2 + lane] += (
            scratch[r + ROW6 + lane] * d0 + scratch[r + ROW7 + lane] * d1 + scratch[r + ROW8 + lane] * d2
        )


@part
def add_products(z, o, g, b, matrix, s, t):
    """Eight columns of two rows of a matrix, from `matrix[s]` and `matrix[t]`, times eight triples of rows of g; added
    to two triples of z."""
    s0, s1, s2, s3 = matrix[s], matrix[s + U1], matrix[s + U2], matrix[s + U3]
    s4, s5, s6, s7 = matrix[s + U4], matrix[s + U5], matrix[s + U6], matrix[s + U7]
    t0, t1, t2, t3 = matrix[t], matrix[t + U1], matrix[t + U2], matrix[t + U3]
    t4, t5, t6, t7 = matrix[t + U4], matrix[t + U5], matrix[t + U6], matrix[t + U7]
    for m in range(STEP):
        g0 = g[b + m]
        g1 = g[b + STEP + m]
        g2 = g[b + U2 * STEP + m]
        g3 = g[b + U3 * STEP + m]
        g4 = g[b + U4 * STEP + m]
        g5 = g[b + U5 * STEP + m]
        g6 = g[b + U6 * STEP + m]
        g7 = g[b + U7 * STEP + m]
        z[o + m] += s0 * g0 + s1 * g1 + s2 * g2 + s3 * g3 + s4 * g4 + s5 * g5 + s6 * g6 + s7 * g7
        z[o + STEP + m] += t0 * g0 + t1 * g1 + t2 * g2 + t3 * g3 + t4 * g4 + t5 * g5 + t6 * g6 + t7 * g7
