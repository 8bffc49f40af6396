# mypy: disallow-untyped-defs=False, check-untyped-defs=False
"""The local half of an iteration: the best rotation of each particle while all else stands still.

    C_i = rho/h^2 R*_i Abar_i + k sum_j [ R_j M_ij + (x_j - x_i) (v_j D_ij)^T ] + handles,   R_i = rotation of C_i

[Choi+17] (5) (11); M_ij = Abar_j + Abar_i and D_ij = X_j - X_i without examples. Particles take their turn and see what
those before them did (Gauss-Seidel); those that are no neighbours of one another turn together, in lanes."""

import math

from pliant.maths.quaternion import rotation_matrix
from pliant.models.oriented_particles.layout import AIM, ARMS, EDGE, HOLD, LANES, OFFSET, SPRING
from pliant.models.oriented_particles.turning import turn_rows
from pliant.runtime.jit import part


@part
def write_rotation(r, i, x, y, z, w, one):
    """R_i by columns of 4."""
    r00, r01, r02, r10, r11, r12, r20, r21, r22 = rotation_matrix(x, y, z, w, one)
    at = 12 * i
    r[at], r[at + 1], r[at + 2] = r00, r10, r20
    r[at + 4], r[at + 5], r[at + 6] = r01, r11, r21
    r[at + 8], r[at + 9], r[at + 10] = r02, r12, r22


@part
def held_matrix(i, x, r, holds, springs, first, count, scale, out):
    """What handles on points (13) and directions (15) add to C_i (9, by rows), in double precision."""
    out[:9] = 0.0
    for n in range(first, first + count):
        spot = HOLD * n
        s = springs[SPRING * n : SPRING * (n + 1)]
        mine = -1
        for m in range(4):
            if holds[spot + 1 + m] == i and s[4 + m] != 0.0:
                mine = m
        if mine < 0:
            continue
        u0, u1, u2 = s[1], s[2], s[3]
        weight = scale * s[0]
        if holds[spot] == AIM:
            # n_c - sum_{j != i} w_j / m R_j n,  m the length of the whole sum as it is now
            d0, d1, d2 = s[ARMS], s[ARMS + 1], s[ARMS + 2]
            a0 = a1 = a2 = o0 = o1 = o2 = 0.0
            for m in range(4):
                j = 12 * int(holds[spot + 1 + m])
                t0 = s[4 + m] * (r[j] * d0 + r[j + 4] * d1 + r[j + 8] * d2)
                t1 = s[4 + m] * (r[j + 1] * d0 + r[j + 5] * d1 + r[j + 9] * d2)
                t2 = s[4 + m] * (r[j + 2] * d0 + r[j + 6] * d1 + r[j + 10] * d2)
                a0 += t0
                a1 += t1
                a2 += t2
                if m != mine:
                    o0 += t0
                    o1 += t1
                    o2 += t2
            length = max(math.sqrt(a0 * a0 + a1 * a1 + a2 * a2), 1e-6)
            u0 -= o0 / length
            u1 -= o1 / length
            u2 -= o2 / length
            share = s[4 + mine] / length
            b0, b1, b2 = share * d0, share * d1, share * d2
        else:
            # v_c - sum_{j != i} w_j R_j (v - X_j) - sum_j w_j x_j
            for m in range(4):
                b = s[4 + m]
                k = int(holds[spot + 1 + m])
                u0 -= b * x[4 * k]
                u1 -= b * x[4 * k + 1]
                u2 -= b * x[4 * k + 2]
                if m != mine:
                    j = 12 * k
                    d0, d1, d2 = s[ARMS + 3 * m], s[ARMS + 3 * m + 1], s[ARMS + 3 * m + 2]
                    u0 -= b * (r[j] * d0 + r[j + 4] * d1 + r[j + 8] * d2)
                    u1 -= b * (r[j + 1] * d0 + r[j + 5] * d1 + r[j + 9] * d2)
                    u2 -= b * (r[j + 2] * d0 + r[j + 6] * d1 + r[j + 10] * d2)
            b = s[4 + mine]
            b0, b1, b2 = b * s[ARMS + 3 * mine], b * s[ARMS + 3 * mine + 1], b * s[ARMS + 3 * mine + 2]
        out[0] += weight * u0 * b0
        out[1] += weight * u0 * b1
        out[2] += weight * u0 * b2
        out[3] += weight * u1 * b0
        out[4] += weight * u1 * b1
        out[5] += weight * u1 * b2
        out[6] += weight * u2 * b0
        out[7] += weight * u2 * b1
        out[8] += weight * u2 * b2


@part
def is_held(i, holds, springs, first, held):
    """Whether a handle holds a particle."""
    for n in range(first, first + held):
        for m in range(4):
            if holds[HOLD * n + 1 + m] == i and springs[SPRING * n + 4 + m] != 0.0:
                return True
    return False


@part
def turn_all(
    turn_sets, count, rows, links, edges, x, r, q, momenta, inverse, k, tolerance, holds, springs, first, held, scale,
    members, lanes, room,
):  # fmt: skip
    """One Gauss-Seidel sweep over the particles of a body. `k` and the momenta are scaled alike. Particles of one
    handle are coupled by it: they turn one by one, after the others of their set."""
    for turn_set in range(count):
        begin = (LANES + 1) * turn_set
        size = int(turn_sets[begin])
        done = -1  # first all that are free, then those that are held, one after the other
        while done < size:
            used = 0
            if done < 0:
                for lane in range(size):
                    i = int(turn_sets[begin + 1 + lane])
                    if held == 0 or not is_held(i, holds, springs, first, held):
                        members[used] = i
                        used += 1
                done = 0 if used < size else size
            else:
                i = int(turn_sets[begin + 1 + done])
                if is_held(i, holds, springs, first, held):
                    members[0] = i
                    used = 1
                done += 1
            if used > 0:
                turn_some(members, used, rows, links, edges, x, r, q, momenta, inverse, k, tolerance,
                          holds, springs, first, held, scale, lanes, room)  # fmt: skip


@part
def turn_some(
    members, used, rows, links, edges, x, r, q, momenta, inverse, k, tolerance, holds, springs, first, held, scale,
    lanes, room,
):  # fmt: skip
    """Particles that do not depend on one another, a lane each."""
    real = x.dtype.type
    one = real(1)
    c = lanes[: 9 * LANES]
    quaternions = lanes[9 * LANES : 13 * LANES]
    flag = lanes[13 * LANES : 14 * LANES]
    for lane in range(LANES):
        i = members[lane] if lane < used else members[0]
        for m in range(4):
            quaternions[LANES * m + lane] = q[4 * i + m]
        if lane >= used:  # repeats the first
            for m in range(9):
                c[LANES * m + lane] = c[LANES * m]
            continue
        see_neighbours(i, lane, rows, links, edges, x, r, momenta, k, c)
        if held > 0:
            held_matrix(i, x, r, holds, springs, first, held, scale, room)
            for m in range(9):
                c[LANES * m + lane] += real(room[m])
    turn_rows(c, quaternions, flag, tolerance, room)
    for lane in range(used):
        i = members[lane]
        if inverse[i] > 0:
            for m in range(4):
                q[4 * i + m] = quaternions[LANES * m + lane]
            write_rotation(r, i, q[4 * i], q[4 * i + 1], q[4 * i + 2], q[4 * i + 3], one)


@part
def see_neighbours(i, lane, rows, links, edges, x, r, momenta, k, c):
    """C_i into a lane of c."""
    c00 = c01 = c02 = c10 = c11 = c12 = c20 = c21 = c22 = x.dtype.type(0)
    x0 = x[4 * i]
    x1 = x[4 * i + 1]
    x2 = x[4 * i + 2]
    for edge in range(int(rows[i]), int(rows[i + 1])):
        j = int(links[2 * edge])
        e = EDGE * edge
        m00 = edges[e]
        m01 = edges[e + 1]
        m02 = edges[e + 2]
        m10 = edges[e + 3]
        m11 = edges[e + 4]
        m12 = edges[e + 5]
        m20 = edges[e + 6]
        m21 = edges[e + 7]
        m22 = edges[e + 8]
        d0 = edges[e + OFFSET]
        d1 = edges[e + OFFSET + 1]
        d2 = edges[e + OFFSET + 2]
        a = 12 * j
        r0 = r[a]
        r1 = r[a + 4]
        r2 = r[a + 8]
        u = x[4 * j] - x0
        c00 += r0 * m00 + r1 * m10 + r2 * m20 + u * d0
        c01 += r0 * m01 + r1 * m11 + r2 * m21 + u * d1
        c02 += r0 * m02 + r1 * m12 + r2 * m22 + u * d2
        r0 = r[a + 1]
        r1 = r[a + 5]
        r2 = r[a + 9]
        u = x[4 * j + 1] - x1
        c10 += r0 * m00 + r1 * m10 + r2 * m20 + u * d0
        c11 += r0 * m01 + r1 * m11 + r2 * m21 + u * d1
        c12 += r0 * m02 + r1 * m12 + r2 * m22 + u * d2
        r0 = r[a + 2]
        r1 = r[a + 6]
        r2 = r[a + 10]
        u = x[4 * j + 2] - x2
        c20 += r0 * m00 + r1 * m10 + r2 * m20 + u * d0
        c21 += r0 * m01 + r1 * m11 + r2 * m21 + u * d1
        c22 += r0 * m02 + r1 * m12 + r2 * m22 + u * d2
    a = 12 * i
    c[lane] = momenta[a] + k * c00
    c[lane + LANES] = momenta[a + 1] + k * c01
    c[lane + 2 * LANES] = momenta[a + 2] + k * c02
    c[lane + 3 * LANES] = momenta[a + 3] + k * c10
    c[lane + 4 * LANES] = momenta[a + 4] + k * c11
    c[lane + 5 * LANES] = momenta[a + 5] + k * c12
    c[lane + 6 * LANES] = momenta[a + 6] + k * c20
    c[lane + 7 * LANES] = momenta[a + 7] + k * c21
    c[lane + 8 * LANES] = momenta[a + 8] + k * c22
