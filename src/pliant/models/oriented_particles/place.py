# mypy: disallow-untyped-defs=False, check-untyped-defs=False
"""The global half of an iteration: the best positions of all particles together while the rotations stand still.

[Choi+17] (7) (12) (14) for the displacement z = x - y from where inertia would take the particles, so that nothing
depends on how far the body is from the origin, and the momentum terms fall out of the right side:

    (m/h^2 + k L) z = k sum_j [ (v_i + v_j)(y_j - y_i) - v_j R_i D_ij + v_i R_j D_ji ] + handles

The matrix is the same for x, y and z and depends on the rest shape, the step and what is held only: its inverse or its
factor is made when one of these changes (factors.py)."""

from pliant.models.oriented_particles.layout import ARMS, BACK, BOTH, EDGE, HOLD, POINT, SPRING
from pliant.runtime.jit import part


@part
def constant_side(n, wide, rows, links, edges, y, side, k):
    """k sum_j (v_i + v_j)(y_j - y_i), the part that all iterations of a step share."""
    begin = int(rows[0])
    for i in range(n):
        end = int(rows[i + 1])
        s0 = s1 = s2 = side.dtype.type(0)
        for edge in range(begin, end):
            j = 4 * int(links[2 * edge])
            both = edges[EDGE * edge + BOTH]
            s0 += both * (y[j] - y[4 * i])
            s1 += both * (y[j + 1] - y[4 * i + 1])
            s2 += both * (y[j + 2] - y[4 * i + 2])
        begin = end
        side[i] = k * s0
        side[wide + i] = k * s1
        side[2 * wide + i] = k * s2
    for i in range(n, wide):
        side[i] = side[wide + i] = side[2 * wide + i] = 0


@part
def right_side(n, wide, rows, links, edges, arms, step, r, y, inverse, constant, side, k, holds, springs, first, held):
    """The whole right side. `arms`: s_i, every `step` numbers."""
    real = side.dtype.type
    begin = int(rows[0])
    for i in range(n):
        end = int(rows[i + 1])
        a = 12 * i
        b = step * i
        d0 = arms[b]
        d1 = arms[b + 1]
        d2 = arms[b + 2]
        s0 = -(r[a] * d0 + r[a + 4] * d1 + r[a + 8] * d2)
        s1 = -(r[a + 1] * d0 + r[a + 5] * d1 + r[a + 9] * d2)
        s2 = -(r[a + 2] * d0 + r[a + 6] * d1 + r[a + 10] * d2)
        for edge in range(begin, end):
            a = 12 * int(links[2 * edge])
            e = EDGE * edge + BACK
            d0 = edges[e]
            d1 = edges[e + 1]
            d2 = edges[e + 2]
            s0 += r[a] * d0 + r[a + 4] * d1 + r[a + 8] * d2
            s1 += r[a + 1] * d0 + r[a + 5] * d1 + r[a + 9] * d2
            s2 += r[a + 2] * d0 + r[a + 6] * d1 + r[a + 10] * d2
        begin = end
        side[i] = constant[i] + k * s0
        side[wide + i] = constant[wide + i] + k * s1
        side[2 * wide + i] = constant[2 * wide + i] + k * s2
    for hold in range(first, first + held):
        if holds[HOLD * hold] != POINT:
            continue
        s = springs[SPRING * hold : SPRING * (hold + 1)]
        u0, u1, u2 = s[1], s[2], s[3]
        for m in range(4):
            j = int(holds[HOLD * hold + 1 + m])
            a = 12 * j
            d0, d1, d2 = s[ARMS + 3 * m], s[ARMS + 3 * m + 1], s[ARMS + 3 * m + 2]
            u0 -= s[4 + m] * (y[4 * j] + r[a] * d0 + r[a + 4] * d1 + r[a + 8] * d2)
            u1 -= s[4 + m] * (y[4 * j + 1] + r[a + 1] * d0 + r[a + 5] * d1 + r[a + 9] * d2)
            u2 -= s[4 + m] * (y[4 * j + 2] + r[a + 2] * d0 + r[a + 6] * d1 + r[a + 10] * d2)
        for m in range(4):
            j = int(holds[HOLD * hold + 1 + m])
            side[j] += real(s[0] * s[4 + m] * u0)
            side[wide + j] += real(s[0] * s[4 + m] * u1)
            side[2 * wide + j] += real(s[0] * s[4 + m] * u2)
    for i in range(n):
        if inverse[i] == 0:
            side[i] = side[wide + i] = side[2 * wide + i] = 0


@part
def times_inverse(n, wide, matrix, side, z):
    """z = L^-1 side, four columns of the symmetric inverse at a time; rows are `wide` apart."""
    z0 = z[:wide]
    z1 = z[wide : 2 * wide]
    z2 = z[2 * wide : 3 * wide]
    for i in range(wide):
        z0[i] = z1[i] = z2[i] = 0
    for j in range(0, wide, 4):
        if j >= n:
            break
        a = matrix[wide * j : wide * (j + 1)]
        b = matrix[wide * (j + 1) : wide * (j + 2)]
        c = matrix[wide * (j + 2) : wide * (j + 3)]
        d = matrix[wide * (j + 3) : wide * (j + 4)]
        s0, s1, s2, s3 = side[j], side[j + 1], side[j + 2], side[j + 3]
        t0, t1, t2, t3 = side[wide + j], side[wide + j + 1], side[wide + j + 2], side[wide + j + 3]
        k = 2 * wide + j
        u0, u1, u2, u3 = side[k], side[k + 1], side[k + 2], side[k + 3]
        for i in range(wide):
            z0[i] += a[i] * s0 + b[i] * s1 + c[i] * s2 + d[i] * s3
            z1[i] += a[i] * t0 + b[i] * t1 + c[i] * t2 + d[i] * t3
            z2[i] += a[i] * u0 + b[i] * u1 + c[i] * u2 + d[i] * u3


@part
def by_factor(n, wide, structure, values, side, z):
    """z = L^-1 side by L D L^T: `structure` has the permutation, n + 1 column pointers and the rows below the
    diagonal, `values` 1/D and the entries of L in the same order."""
    rows = structure[2 * n + 1 :]
    for row in range(3):
        s = side[row * wide : (row + 1) * wide]
        t = z[row * wide : (row + 1) * wide]
        for i in range(n):
            t[i] = s[int(structure[i])]
        for j in range(n):
            v = t[j]
            for e in range(int(structure[n + j]), int(structure[n + j + 1])):
                t[int(rows[e])] -= values[n + e] * v
        for back in range(n):
            j = n - 1 - back
            v = t[j] * values[j]
            for e in range(int(structure[n + j]), int(structure[n + j + 1])):
                v -= values[n + e] * t[int(rows[e])]
            t[j] = v
        # `side` is free now: back to the order of the particles
        for i in range(n):
            s[int(structure[i])] = t[i]
        for i in range(n):
            t[i] = s[i]
