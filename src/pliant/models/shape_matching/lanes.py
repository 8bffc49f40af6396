# mypy: disallow-untyped-defs=False, check-untyped-defs=False
"""What is done for each region by itself, for a block of 64 regions at a time. Slices begin at the rows they need."""

import numpy as np

from pliant.maths.quaternion import rotation_matrix
from pliant.models.shape_matching.layout import ASIDE, CENTROID, LANES, MASS, POSE_ASIDE, POSE_CENTRE, SEEN, UNIT
from pliant.runtime.jit import inline, part

# Unsigned indices: Numba then leaves out the test for negative ones, and LLVM sees that rows are contiguous.
U = np.uint64


@part
def times_symmetric(source, symmetric, target):
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


@inline
def stretch_lane(a, q, s, lane, p00, p11, p22, p01, p02, p12, one, half):
    r0, r1, r2, r3, r4, r5, r6, r7, r8 = rotation_matrix(q[lane], q[lane + 64], q[lane + 128], q[lane + 192], one)
    a0 = a[lane]
    a1 = a[lane + 64]
    a2 = a[lane + 128]
    a3 = a[lane + 192]
    a4 = a[lane + 256]
    a5 = a[lane + 320]
    a6 = a[lane + 384]
    a7 = a[lane + 448]
    a8 = a[lane + 512]
    s[lane] = r0 * a0 + r3 * a3 + r6 * a6 + p00 - one
    s[lane + 64] = r1 * a1 + r4 * a4 + r7 * a7 + p11 - one
    s[lane + 128] = r2 * a2 + r5 * a5 + r8 * a8 + p22 - one
    s[lane + 192] = (r0 * a1 + r3 * a4 + r6 * a7 + r1 * a0 + r4 * a3 + r7 * a6) * half + p01
    s[lane + 256] = (r0 * a2 + r3 * a5 + r6 * a8 + r2 * a0 + r5 * a3 + r8 * a6) * half + p02
    s[lane + 320] = (r1 * a2 + r4 * a5 + r7 * a8 + r2 * a1 + r5 * a4 + r8 * a7) * half + p12


@part
def stretch_block(a, missing, q, s, thin):
    """S - I = sym(R^T A) + P - I, six rows. `thin`: some lanes miss axes; solids leave P out."""
    zero = a.dtype.type(0)
    one = a.dtype.type(1)
    half = a.dtype.type(0.5)
    if thin:
        for lane in range(LANES):
            stretch_lane(
                a, q, s, lane, missing[lane], missing[lane + 64], missing[lane + 128], missing[lane + 192],
                missing[lane + 256], missing[lane + 320], one, half,
            )  # fmt: skip
    else:
        for lane in range(LANES):
            stretch_lane(a, q, s, lane, zero, zero, zero, zero, zero, zero, one, half)


@part
def project_block(s, examples, count, out):
    """(7) each region's part of Q^T (S - S^0): Frobenius products, so off-diagonals count twice."""
    for k in range(count):
        e = examples[384 * k : 384 * (k + 1)]
        o = out[LANES * k : LANES * (k + 1)]
        for lane in range(LANES):
            off = e[lane + 192] * s[lane + 192] + e[lane + 256] * s[lane + 256] + e[lane + 320] * s[lane + 320]
            o[lane] = e[lane] * s[lane] + e[lane + 64] * s[lane + 64] + e[lane + 128] * s[lane + 128] + off + off


@part
def rotation_rows(q, out):
    """The nine entries of R, row by row."""
    one = q.dtype.type(1)
    for lane in range(LANES):
        r0, r1, r2, r3, r4, r5, r6, r7, r8 = rotation_matrix(q[lane], q[lane + 64], q[lane + 128], q[lane + 192], one)
        out[lane] = r0
        out[lane + 64] = r1
        out[lane + 128] = r2
        out[lane + 192] = r3
        out[lane + 256] = r4
        out[lane + 320] = r5
        out[lane + 384] = r6
        out[lane + 448] = r7
        out[lane + 512] = r8


@part
def project_shapes(r, moments, offsets, ratio, count, out):
    """Each region's part of  <R, A_pu> - <q + u_given, u>  for the first `count` shapes: half the slope of the goals'
    energy by their weights."""
    for k in range(count):
        m = moments[576 * k : 576 * (k + 1)]
        offset = offsets[LANES * k : LANES * (k + 1)]
        o = out[LANES * k : LANES * (k + 1)]
        for lane in range(LANES):
            first = r[lane] * m[lane] + r[lane + 64] * m[lane + 64] + r[lane + 128] * m[lane + 128]
            second = r[lane + 192] * m[lane + 192] + r[lane + 256] * m[lane + 256] + r[lane + 320] * m[lane + 320]
            third = r[lane + 384] * m[lane + 384] + r[lane + 448] * m[lane + 448] + r[lane + 512] * m[lane + 512]
            o[lane] = ratio[lane] * (first + second + third - offset[lane])


@part
def blend_moments(moment, moments, mix, count, out):
    """A_pq~ = A_pq + sum mix_c A_pu_c, nine rows: the moment of the particles with the blended shape q~ = q + sum mix_c
    u_c of the ring."""
    for j in range(9 * LANES):
        out[j] = moment[j]
    for c in range(count):
        v = mix[LANES * c : LANES * (c + 1)]
        m = moments[576 * c : 576 * (c + 1)]
        for lane in range(LANES):
            w = v[lane]
            out[lane] += w * m[lane]
            out[lane + 64] += w * m[lane + 64]
            out[lane + 128] += w * m[lane + 128]
            out[lane + 192] += w * m[lane + 192]
            out[lane + 256] += w * m[lane + 256]
            out[lane + 320] += w * m[lane + 320]
            out[lane + 384] += w * m[lane + 384]
            out[lane + 448] += w * m[lane + 448]
            out[lane + 512] += w * m[lane + 512]


@part
def without_given(s, given, remainder):
    """What the free examples are to explain: S - I = given + (1 - F) Q (U w), solved for the last product."""
    one = s.dtype.type(1)
    for j in range(6):
        row = s[LANES * j : LANES * (j + 1)]
        g = given[LANES * j : LANES * (j + 1)]
        for lane in range(LANES):
            row[lane] = (row[lane] - g[lane]) / max(remainder[lane], one / 1024)


@part
def centre_moments(sums, width, constants, out):
    """(1) A_pq = sum m~ p q^T (nine rows, over s) and the centre c (three), from sums over the ring that were taken
    from the region's own particle: with m = sum m~ (x_i - x_r),  A_pq = sums - m (c0 - r)^T."""
    unit = constants[UNIT * LANES : (UNIT + 1) * LANES]
    aside = constants[ASIDE * LANES : (ASIDE + 3) * LANES]
    mass = constants[MASS * LANES : (MASS + 1) * LANES]
    for axis in range(3):
        raw = sums[axis * width * LANES : (axis * width + 4) * LANES]
        own = sums[(3 * width + axis) * LANES : (3 * width + axis + 1) * LANES]
        row = out[3 * axis * LANES : (3 * axis + 3) * LANES]
        centroid = out[(CENTROID + axis) * LANES : (CENTROID + axis + 1) * LANES]
        for lane in range(LANES):
            m = raw[lane + 192]
            u = unit[lane]
            row[lane] = (raw[lane] - m * aside[lane]) * u
            row[lane + 64] = (raw[lane + 64] - m * aside[lane + 64]) * u
            row[lane + 128] = (raw[lane + 128] - m * aside[lane + 128]) * u
        for lane in range(LANES):
            centroid[lane] = raw[lane + 192] * mass[lane] + own[lane]


@part
def pose_moments(sums, width, column, unit, pose, moment, out):
    """A_pu = sum m~ p u^T of one pose (nine rows, over s). Its u = F (q + d) - q = E (q + d) + d, with E = F - 1 and
    the displacement d from its mean over the ring: so small poses keep their digits. The sums with d are `column` and
    the next two."""
    seen = pose[SEEN * LANES :]
    aside = pose[POSE_ASIDE * LANES :]
    for axis in range(3):
        sum_m = sums[(axis * width + 3) * LANES : (axis * width + 4) * LANES]
        raw = sums[(axis * width + column) * LANES : (axis * width + column + 3) * LANES]
        a = moment[3 * axis * LANES : (3 * axis + 3) * LANES]
        o = out[3 * axis * LANES : (3 * axis + 3) * LANES]
        for lane in range(LANES):
            m = sum_m[lane]
            d0 = (raw[lane] - m * aside[lane]) * unit[lane]
            d1 = (raw[lane + 64] - m * aside[lane + 64]) * unit[lane]
            d2 = (raw[lane + 128] - m * aside[lane + 128]) * unit[lane]
            q0 = a[lane] + d0
            q1 = a[lane + 64] + d1
            q2 = a[lane + 128] + d2
            o[lane] = seen[lane] * d0 + (pose[lane] * q0 + pose[lane + 64] * q1 + pose[lane + 128] * q2)
            o[lane + 64] = seen[lane] * d1 + (pose[lane + 192] * q0 + pose[lane + 256] * q1 + pose[lane + 320] * q2)
            o[lane + 128] = seen[lane] * d2 + (pose[lane + 384] * q0 + pose[lane + 448] * q1 + pose[lane + 512] * q2)


@part
def transform_block(r, centre, centroid, out):
    """(3) R and the shift c - R c0: columns 0 to 3 of a transform, four rows each."""
    for axis in range(3):
        row = r[192 * axis : 192 * axis + 192]
        o = out[64 * axis : 64 * axis + 832]
        c = centroid[64 * axis : 64 * axis + 64]
        for lane in range(LANES):
            r0 = row[lane]
            r1 = row[lane + 64]
            r2 = row[lane + 128]
            o[lane] = r0
            o[lane + 256] = r1
            o[lane + 512] = r2
            o[lane + 768] = c[lane] - (r0 * centre[lane] + r1 * centre[lane + 64] + r2 * centre[lane + 128])


@part
def add_pose(r, centre, pose, weight, out, own):
    """A pose with its weight: R q~ = R (q + w u) = R (1 + w E) q + w R F d. So w R E goes to the columns of rest,
    w R F (F = E + 1) to three columns of its `own`, and the shift loses what they do to the centres of q and d."""
    seen = pose[SEEN * LANES : (SEEN + 1) * LANES]
    middle = pose[POSE_CENTRE * LANES : (POSE_CENTRE + 3) * LANES]
    for axis in range(3):
        row = r[192 * axis : 192 * axis + 192]
        rest = out[64 * axis : 64 * axis + 832]
        mine = own[64 * axis : 64 * axis + 576]
        for lane in range(LANES):
            w = weight[lane]
            r0 = w * row[lane]
            r1 = w * row[lane + 64]
            r2 = w * row[lane + 128]
            f0 = r0 * pose[lane] + r1 * pose[lane + 192] + r2 * pose[lane + 384]
            f1 = r0 * pose[lane + 64] + r1 * pose[lane + 256] + r2 * pose[lane + 448]
            f2 = r0 * pose[lane + 128] + r1 * pose[lane + 320] + r2 * pose[lane + 512]
            g0 = f0 + seen[lane] * r0
            g1 = f1 + seen[lane] * r1
            g2 = f2 + seen[lane] * r2
            rest[lane] += f0
            rest[lane + 256] += f1
            rest[lane + 512] += f2
            mine[lane] = g0
            mine[lane + 256] = g1
            mine[lane + 512] = g2
            of_rest = f0 * centre[lane] + f1 * centre[lane + 64] + f2 * centre[lane + 128]
            rest[lane + 768] -= of_rest + (g0 * middle[lane] + g1 * middle[lane + 64] + g2 * middle[lane + 128])


@part
def weigh_block(rows, count, weights):
    """Transforms of regions that are stiffer than others count more in the goals of their particles."""
    for row in range(count):
        r = rows[row * LANES : (row + 1) * LANES]
        for lane in range(LANES):
            r[lane] *= weights[lane]
