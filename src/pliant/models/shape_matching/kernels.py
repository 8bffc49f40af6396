"""Kernels of shape matching with examples. Numbers in brackets are equations of [Koyama+12]; layout.py draws the data.

A step is three passes, each over blocks (or particles) that may be shared out among threads, with the weights between:

    describe   A_pq, A, its rotation and stretch, L^T (S - S^0)           a block of 64 regions at a time
    weigh      w of each group                                            a block of 64 groups at a time
    transform  S~, the rotation that matches it, R S~ and the shift       a block of 64 regions at a time
    advance    goals, p = y + alpha (g - x)                               a particle at a time

Sums run in a fixed order inside a block or a particle and no two blocks write the same number, so the result does not
depend on how the blocks were shared out.
"""

import math

import numpy as np

from pliant.jit import kernel, part
from pliant.maths.polar import best_rotation, newton_turn
from pliant.maths.quaternion import rotation_matrix, turned
from pliant.maths.simplex import clamped_weights, convex_weights
from pliant.models.shape_matching.layout import (
    BLOCKS,
    BY_REGION,
    CENTRE,
    CENTROID,
    CONSTANT_ROWS,
    COUNT,
    EXAMPLES,
    FACES,
    FIRST,
    FLAG,
    GRADIENT,
    GROUP_BLOCKS,
    GROUP_CONSTANTS,
    GROUP_SPOTS,
    GROUP_STARTS,
    GROUP_WORK,
    GROUPS,
    INVERSE,
    LANES,
    MISSING,
    MOMENT,
    PAPER_ROTATION,
    PAPER_WEIGHTS,
    PROJECTIONS,
    REGION_SPOTS,
    REGION_WORK,
    REGIONS,
    REST,
    RING_MEMBERS,
    RING_ROWS,
    RING_STARTS,
    ROTATIONS,
    SHARES,
    STIFFNESS,
    STRETCH,
    STRETCHES,
    TRANSFORMS,
    WEIGHTS,
    WORK_ROWS,
)

# Unsigned indices: Numba then leaves out the test for negative ones, and LLVM sees that rows are contiguous.
U = np.uint64
U1, U2, U3, U4, U5, U6, U7, U8, U9, U10, U11, U12, U13, U14, U15, U16 = (U(i) for i in range(1, 17))
MOST_TURNS = 8
WHOLE, DESCRIBE, WEIGH, TRANSFORM, ADVANCE = range(5)


@part
def section(ints, name):
    return np.int64(ints[name])


@part
def block_of(array, start, rows, block):
    """The rows of one block."""
    first = start + block * rows * LANES
    return array[first : first + rows * LANES]


@part
def gather(x, starts, members, rows, block, count, work):
    """(1) A_pq = sum m~ p q^T and the centre c, for the regions of a block. x is taken from the region's own particle,
    so that a body far from the origin loses no digits; the sum of m~ q is zero, so the moment does not change."""
    zero = x.dtype.type(0)
    first = U(block) * U(LANES)
    last = min(first + U(LANES), U(count))
    for r in range(first, last):
        own = U4 * r
        cx = x[own]
        cy = x[own + U1]
        cz = x[own + U2]
        a0 = a1 = a2 = a3 = a4 = a5 = a6 = a7 = a8 = a9 = a10 = a11 = zero
        for j in range(U(starts[r]), U(starts[r + U1])):
            i = U(members[j])
            m = U4 * j
            dx = x[i] - cx
            dy = x[i + U1] - cy
            dz = x[i + U2] - cz
            q0 = rows[m]
            q1 = rows[m + U1]
            q2 = rows[m + U2]
            q3 = rows[m + U3]
            a0 += dx * q0
            a1 += dx * q1
            a2 += dx * q2
            a3 += dx * q3
            a4 += dy * q0
            a5 += dy * q1
            a6 += dy * q2
            a7 += dy * q3
            a8 += dz * q0
            a9 += dz * q1
            a10 += dz * q2
            a11 += dz * q3
        lane = r - first
        work[lane] = a0
        work[lane + U(64)] = a1
        work[lane + U(128)] = a2
        work[lane + U(192)] = a4
        work[lane + U(256)] = a5
        work[lane + U(320)] = a6
        work[lane + U(384)] = a8
        work[lane + U(448)] = a9
        work[lane + U(512)] = a10
        work[lane + U(576)] = a3 + cx
        work[lane + U(640)] = a7 + cy
        work[lane + U(704)] = a11 + cz


@part
def times_symmetric(work, source, symmetric, target):
    """target (rows 0..8) = source (rows 0..8) times a symmetric matrix (6 rows: 00 11 22 01 02 12)."""
    for row in range(3):
        s = source[192 * row : 192 * row + 192]
        t = target[192 * row : 192 * row + 192]
        for lane in range(LANES):
            a0 = s[lane]
            a1 = s[lane + 64]
            a2 = s[lane + 128]
            m01 = symmetric[lane + 192]
            m02 = symmetric[lane + 256]
            m12 = symmetric[lane + 320]
            t[lane] = a0 * symmetric[lane] + a1 * m01 + a2 * m02
            t[lane + 64] = a0 * m01 + a1 * symmetric[lane + 64] + a2 * m12
            t[lane + 128] = a0 * m02 + a1 * m12 + a2 * symmetric[lane + 128]


@part
def turn_block(a, missing, q, flag, tolerance):
    """One Newton step of the rotations q towards the matrices a (9 rows), the missing axes filled in: B = R^T A + P.
    Returns how many lanes moved by more than the tolerance and how many are not safely positive."""
    real = a.dtype.type
    one = real(1)
    half = real(0.5)
    eps = real(1e-6)
    tiny = real(1e-30)
    limit = real(tolerance * tolerance)
    zero = real(0)
    moved = 0
    unsafe = 0
    for lane in range(LANES):
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
        p01 = missing[lane + 192]
        p02 = missing[lane + 256]
        p12 = missing[lane + 320]
        ox, oy, oz, lack = newton_turn(
            r0 * a0 + r3 * a3 + r6 * a6 + missing[lane],
            r0 * a1 + r3 * a4 + r6 * a7 + p01,
            r0 * a2 + r3 * a5 + r6 * a8 + p02,
            r1 * a0 + r4 * a3 + r7 * a6 + p01,
            r1 * a1 + r4 * a4 + r7 * a7 + missing[lane + 64],
            r1 * a2 + r4 * a5 + r7 * a8 + p12,
            r2 * a0 + r5 * a3 + r8 * a6 + p02,
            r2 * a1 + r5 * a4 + r8 * a7 + p12,
            r2 * a2 + r5 * a5 + r8 * a8 + missing[lane + 128],
            one, half, eps, tiny,
        )  # fmt: skip
        n0, n1, n2, n3 = turned(x, y, z, w, ox * half, oy * half, oz * half)
        s = one / math.sqrt(n0 * n0 + n1 * n1 + n2 * n2 + n3 * n3)
        q[lane] = n0 * s
        q[lane + 64] = n1 * s
        q[lane + 128] = n2 * s
        q[lane + 192] = n3 * s
        turn = ox * ox + oy * oy + oz * oz
        far = turn > limit
        doubtful = (lack > zero) | far
        flag[lane] = one if doubtful else zero
        moved += 1 if far else 0
        unsafe += 1 if doubtful else 0
    return moved, unsafe


@part
def rotate_block(a, missing, q, flag, tolerance):
    """The proper rotation of every lane, warm-started from q."""
    moved = 1
    unsafe = 0
    for _turn in range(MOST_TURNS):
        moved, unsafe = turn_block(a, missing, q, flag, tolerance)
        if moved == 0:
            break
    if unsafe > 0:
        matrix = np.empty(9)
        start = np.empty(4)
        best = np.empty(4)
        full = np.empty(9)
        for lane in range(LANES):
            if flag[lane] == 0:
                continue
            for m in range(4):
                start[m] = q[64 * m + lane]
            for m in range(9):
                matrix[m] = a[64 * m + lane]
            r = rotation_matrix(start[0], start[1], start[2], start[3], 1.0)
            p00 = missing[lane]
            p11 = missing[lane + 64]
            p22 = missing[lane + 128]
            p01 = missing[lane + 192]
            p02 = missing[lane + 256]
            p12 = missing[lane + 320]
            for i in range(3):
                full[3 * i] = matrix[3 * i] + r[3 * i] * p00 + r[3 * i + 1] * p01 + r[3 * i + 2] * p02
                full[3 * i + 1] = matrix[3 * i + 1] + r[3 * i] * p01 + r[3 * i + 1] * p11 + r[3 * i + 2] * p12
                full[3 * i + 2] = matrix[3 * i + 2] + r[3 * i] * p02 + r[3 * i + 1] * p12 + r[3 * i + 2] * p22
            best_rotation(full, start, best)
            for m in range(4):
                q[64 * m + lane] = best[m]


@part
def stretch_block(a, missing, q, s):
    """S - I = sym(R^T A) + P - I, six rows."""
    one = a.dtype.type(1)
    half = a.dtype.type(0.5)
    for lane in range(LANES):
        r0, r1, r2, r3, r4, r5, r6, r7, r8 = rotation_matrix(
            q[lane], q[lane + 64], q[lane + 128], q[lane + 192], one
        )
        a0 = a[lane]
        a1 = a[lane + 64]
        a2 = a[lane + 128]
        a3 = a[lane + 192]
        a4 = a[lane + 256]
        a5 = a[lane + 320]
        a6 = a[lane + 384]
        a7 = a[lane + 448]
        a8 = a[lane + 512]
        s[lane] = r0 * a0 + r3 * a3 + r6 * a6 + missing[lane] - one
        s[lane + 64] = r1 * a1 + r4 * a4 + r7 * a7 + missing[lane + 64] - one
        s[lane + 128] = r2 * a2 + r5 * a5 + r8 * a8 + missing[lane + 128] - one
        s[lane + 192] = (r0 * a1 + r3 * a4 + r6 * a7 + r1 * a0 + r4 * a3 + r7 * a6) * half + missing[lane + 192]
        s[lane + 256] = (r0 * a2 + r3 * a5 + r6 * a8 + r2 * a0 + r5 * a3 + r8 * a6) * half + missing[lane + 256]
        s[lane + 320] = (r1 * a2 + r4 * a5 + r7 * a8 + r2 * a1 + r5 * a4 + r8 * a7) * half + missing[lane + 320]


@part
def project_block(s, examples, count, out):
    """(7) each region's part of L^T (S - S^0): the Frobenius product with S^k - I; off-diagonals count twice."""
    for k in range(count):
        e = examples[384 * k : 384 * (k + 1)]
        o = out[LANES * k : LANES * (k + 1)]
        for lane in range(LANES):
            off = e[lane + 192] * s[lane + 192] + e[lane + 256] * s[lane + 256] + e[lane + 320] * s[lane + 320]
            o[lane] = e[lane] * s[lane] + e[lane + 64] * s[lane + 64] + e[lane + 128] * s[lane + 128] + off + off


@part
def blend_block(w, examples, count, s):
    """S~ = I + sum w_k (S^k - I), six rows."""
    one = s.dtype.type(1)
    zero = s.dtype.type(0)
    for lane in range(LANES):
        s[lane] = one
        s[lane + 64] = one
        s[lane + 128] = one
        s[lane + 192] = zero
        s[lane + 256] = zero
        s[lane + 320] = zero
    for k in range(count):
        e = examples[384 * k : 384 * (k + 1)]
        v = w[LANES * k : LANES * (k + 1)]
        for lane in range(LANES):
            weight = v[lane]
            s[lane] += weight * e[lane]
            s[lane + 64] += weight * e[lane + 64]
            s[lane + 128] += weight * e[lane + 128]
            s[lane + 192] += weight * e[lane + 192]
            s[lane + 256] += weight * e[lane + 256]
            s[lane + 320] += weight * e[lane + 320]


@part
def transform_block(q, s, centre, centroid, out):
    """(3) R S~ (rows 0..8) and the shift c - R S~ c0 (rows 9..11)."""
    one = q.dtype.type(1)
    for lane in range(LANES):
        r0, r1, r2, r3, r4, r5, r6, r7, r8 = rotation_matrix(
            q[lane], q[lane + 64], q[lane + 128], q[lane + 192], one
        )
        s00 = s[lane]
        s11 = s[lane + 64]
        s22 = s[lane + 128]
        s01 = s[lane + 192]
        s02 = s[lane + 256]
        s12 = s[lane + 320]
        x = centre[lane]
        y = centre[lane + 64]
        z = centre[lane + 128]
        t0 = r0 * s00 + r1 * s01 + r2 * s02
        t1 = r0 * s01 + r1 * s11 + r2 * s12
        t2 = r0 * s02 + r1 * s12 + r2 * s22
        cx = centroid[lane] - (t0 * x + t1 * y + t2 * z)
        out[lane] = t0
        out[lane + 64] = t1
        out[lane + 128] = t2
        t0 = r3 * s00 + r4 * s01 + r5 * s02
        t1 = r3 * s01 + r4 * s11 + r5 * s12
        t2 = r3 * s02 + r4 * s12 + r5 * s22
        cy = centroid[lane + 64] - (t0 * x + t1 * y + t2 * z)
        out[lane + 192] = t0
        out[lane + 256] = t1
        out[lane + 320] = t2
        t0 = r6 * s00 + r7 * s01 + r8 * s02
        t1 = r6 * s01 + r7 * s11 + r8 * s12
        t2 = r6 * s02 + r7 * s12 + r8 * s22
        cz = centroid[lane + 128] - (t0 * x + t1 * y + t2 * z)
        out[lane + 384] = t0
        out[lane + 448] = t1
        out[lane + 512] = t2
        out[lane + 576] = cx
        out[lane + 640] = cy
        out[lane + 704] = cz


@part
def spread_block(rows, transforms):
    """From rows of lanes to 16 numbers per region: the columns of R S~, then the shift; the sums read them so."""
    for lane in range(U(LANES)):
        t = U16 * lane
        transforms[t] = rows[lane]
        transforms[t + U1] = rows[lane + U(192)]
        transforms[t + U2] = rows[lane + U(384)]
        transforms[t + U4] = rows[lane + U(64)]
        transforms[t + U5] = rows[lane + U(256)]
        transforms[t + U6] = rows[lane + U(448)]
        transforms[t + U8] = rows[lane + U(128)]
        transforms[t + U9] = rows[lane + U(320)]
        transforms[t + U10] = rows[lane + U(512)]
        transforms[t + U12] = rows[lane + U(576)]
        transforms[t + U13] = rows[lane + U(640)]
        transforms[t + U14] = rows[lane + U(704)]


@part
def goals(transforms, starts, members, rest, shares, stiffness, x, y, p, first, last, rate):
    """(3) g_i = mean of the goals of its regions: one sum of transforms, one product; then (4)(5) as p = y + alpha (g - x)."""
    zero = x.dtype.type(0)
    one = x.dtype.type(1)
    faster = x.dtype.type(rate)
    for i in range(U(first), U(last)):
        a0 = a1 = a2 = a3 = a4 = a5 = a6 = a7 = a8 = a9 = a10 = a11 = a12 = a13 = a14 = a15 = zero
        for j in range(U(starts[i]), U(starts[i + U1])):
            m = U4 * U(members[j])
            a0 += transforms[m]
            a1 += transforms[m + U1]
            a2 += transforms[m + U2]
            a3 += transforms[m + U3]
            a4 += transforms[m + U4]
            a5 += transforms[m + U5]
            a6 += transforms[m + U6]
            a7 += transforms[m + U7]
            a8 += transforms[m + U8]
            a9 += transforms[m + U9]
            a10 += transforms[m + U10]
            a11 += transforms[m + U11]
            a12 += transforms[m + U12]
            a13 += transforms[m + U13]
            a14 += transforms[m + U14]
            a15 += transforms[m + U15]
        f = U4 * i
        q0 = rest[f]
        q1 = rest[f + U1]
        q2 = rest[f + U2]
        share = shares[i]
        alpha = stiffness[i] * faster
        alpha = alpha if alpha < one else one
        p[f] = y[f] + alpha * ((a0 * q0 + a4 * q1 + a8 * q2 + a12) * share - x[f])
        p[f + U1] = y[f + U1] + alpha * ((a1 * q0 + a5 * q1 + a9 * q2 + a13) * share - x[f + U1])
        p[f + U2] = y[f + U2] + alpha * ((a2 * q0 + a6 * q1 + a10 * q2 + a14) * share - x[f + U2])
        p[f + U3] = y[f + U3] + alpha * ((a3 * q0 + a7 * q1 + a11 * q2 + a15) * share - x[f + U3])


@part
def describe_blocks(ints, floats, memory, work, x, tolerance, first, last):
    count = section(ints, COUNT)
    examples = section(ints, EXAMPLES)
    starts = ints[section(ints, RING_STARTS) :]
    members = ints[section(ints, RING_MEMBERS) :]
    rows = floats[section(ints, RING_ROWS) :]
    own = x[4 * section(ints, FIRST) :]
    for block in range(first, last):
        w = block_of(work, section(ints, REGION_WORK), WORK_ROWS + 2 * examples, block)
        gather(own, starts, members, rows, block, count, w)
        if examples == 0 and ints[PAPER_ROTATION] == 0:
            continue
        c = block_of(floats, section(ints, REGIONS), CONSTANT_ROWS + 6 * examples, block)
        q = block_of(memory, section(ints, ROTATIONS), 8, block)
        a = w[GRADIENT * LANES :]
        missing = c[MISSING * LANES :]
        times_symmetric(w, w, c[INVERSE * LANES :], a)
        rotate_block(a, missing, q, w[FLAG * LANES :], tolerance)
        if examples > 0:
            s = w[STRETCH * LANES :]
            stretch_block(a, missing, q, s)
            project_block(s, c[STRETCHES * LANES :], examples, w[PROJECTIONS * LANES :])


@part
def weigh_block(ints, floats, memory, b, group_work, block):
    """(6)(7) the weights of 64 groups from their projections b, then the pull towards rest: w_k <- beta w_k."""
    examples = section(ints, EXAMPLES)
    packed = examples * (examples + 1) // 2
    constants = block_of(floats, section(ints, GROUP_CONSTANTS), packed + 1, block)
    w = block_of(memory, section(ints, WEIGHTS), examples, block)
    if examples == 1:
        zero = w.dtype.type(0)
        one = w.dtype.type(1)
        paper = ints[PAPER_WEIGHTS] != 0
        for lane in range(LANES):
            value = b[lane] * constants[lane] if paper else b[lane] / constants[lane]
            value = value if value > zero else zero
            w[lane] = value if value < one else one
    elif ints[PAPER_WEIGHTS] != 0:
        clamped_weights(constants, b, w, examples)
    else:
        face = block_of(memory, section(ints, FACES), packed + examples, block)
        tolerance = 4e-6 if w.itemsize == 4 else 1e-12
        residual = group_work[examples * LANES :]
        convex_weights(constants, b, face, w, residual, group_work[2 * examples * LANES :], examples, tolerance)
    strength = constants[packed * LANES :]
    for k in range(examples):
        v = w[LANES * k : LANES * (k + 1)]
        for lane in range(LANES):
            v[lane] *= strength[lane]


@part
def weigh_groups(ints, floats, memory, work):
    """Groups that hold many regions: sum their projections, then weigh. Four sums at a time hide the latency."""
    examples = section(ints, EXAMPLES)
    starts = ints[section(ints, GROUP_STARTS) :]
    spots = ints[section(ints, GROUP_SPOTS) :]
    projections = work[section(ints, REGION_WORK) + PROJECTIONS * LANES :]
    groups = section(ints, GROUPS)
    zero = work.dtype.type(0)
    for block in range(section(ints, GROUP_BLOCKS)):
        rows = block_of(work, section(ints, GROUP_WORK), 2 * examples + 5, block)
        for lane in range(min(LANES, groups - block * LANES)):
            group = block * LANES + lane
            first = U(starts[group])
            last = U(starts[group + 1])
            fours = first + ((last - first) & ~U3)
            for k in range(examples):
                shift = U(k * LANES)
                a = b = c = d = zero
                for j in range(first, fours, U4):
                    a += projections[U(spots[j]) + shift]
                    b += projections[U(spots[j + U1]) + shift]
                    c += projections[U(spots[j + U2]) + shift]
                    d += projections[U(spots[j + U3]) + shift]
                for j in range(fours, last):
                    a += projections[U(spots[j]) + shift]
                rows[k * LANES + lane] = (a + b) + (c + d)
        weigh_block(ints, floats, memory, rows, rows, block)


@part
def transform_blocks(ints, floats, memory, work, tolerance, first, last):
    examples = section(ints, EXAMPLES)
    by_region = ints[BY_REGION] != 0
    spots = ints[section(ints, REGION_SPOTS) :]
    for block in range(first, last):
        w = block_of(work, section(ints, REGION_WORK), WORK_ROWS + 2 * examples, block)
        c = block_of(floats, section(ints, REGIONS), CONSTANT_ROWS + 6 * examples, block)
        q = block_of(memory, section(ints, ROTATIONS), 8, block)
        s = w[STRETCH * LANES :]
        weights = w[(PROJECTIONS + examples) * LANES :]
        if examples > 0:
            if by_region:
                weigh_block(
                    ints, floats, memory, w[PROJECTIONS * LANES :],
                    block_of(work, section(ints, GROUP_WORK), 2 * examples + 5, block), block,
                )  # fmt: skip
                weights = block_of(memory, section(ints, WEIGHTS), examples, block)
            else:
                for lane in range(LANES):
                    start = U(spots[block * LANES + lane])
                    for k in range(examples):
                        weights[k * LANES + lane] = memory[start + U(k * LANES)]
        blend_block(weights, c[STRETCHES * LANES :], examples, s)
        if ints[PAPER_ROTATION] == 0:
            # R = polar(A_pq S~): the rotation that matches the deformed rest shape keeps angular momentum.
            a = w[GRADIENT * LANES :]
            times_symmetric(w, w, s, a)
            q = q[4 * LANES :]
            rotate_block(a, c[MISSING * LANES :], q, w[FLAG * LANES :], tolerance)
        transform_block(q, s, c[CENTRE * LANES :], w[CENTROID * LANES :], w[MOMENT * LANES :])
        target = section(ints, TRANSFORMS) + block * LANES * 16
        spread_block(w, work[target : target + LANES * 16])


@part
def advance_particles(ints, floats, work, x, y, p, rate, first, last):
    start = 4 * section(ints, FIRST)
    goals(
        work[section(ints, TRANSFORMS) :],
        ints[section(ints, RING_STARTS) :],
        ints[section(ints, RING_MEMBERS) :],
        floats[section(ints, REST) :],
        floats[section(ints, SHARES) :],
        floats[section(ints, STIFFNESS) :],
        x[start:], y[start:], p[start:], first, last, rate,
    )  # fmt: skip


@kernel("u[] x[] x[] x[] x[] x[] x[] d d i i i")
def run(ints, floats, memory, work, x, y, p, tolerance, rate, stage, first, last):
    """A stage over a range of blocks (of particles for the last), or all of them in one call: a call costs as much as
    twenty regions. One kernel for all, so that it is compiled once."""
    if stage == WHOLE:
        first = 0
        last = section(ints, BLOCKS)
    if stage == WHOLE or stage == DESCRIBE:
        describe_blocks(ints, floats, memory, work, x, tolerance, first, last)
    if (stage == WHOLE or stage == WEIGH) and section(ints, EXAMPLES) > 0 and ints[BY_REGION] == 0:
        weigh_groups(ints, floats, memory, work)
    if stage == WHOLE or stage == TRANSFORM:
        transform_blocks(ints, floats, memory, work, tolerance, first, last)
    if stage == WHOLE:
        last = section(ints, COUNT)
    if stage == WHOLE or stage == ADVANCE:
        advance_particles(ints, floats, work, x, y, p, rate, first, last)
