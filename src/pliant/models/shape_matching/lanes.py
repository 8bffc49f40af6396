# mypy: disallow-untyped-defs=False, check-untyped-defs=False
"""What is done for each region by itself, for a block of 64 regions at a time. Slices begin at the rows they need."""

import numpy as np

from pliant.maths.quaternion import rotation_matrix
from pliant.models.shape_matching.layout import LANES
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
def project_shapes(q, moments, offsets, ratio, count, out):
    """Each region's part of  <R, A_pu> - <q + u_given, u>  for the first `count` shapes: half the slope of the goals'
    energy by their weights."""
    one = q.dtype.type(1)
    for k in range(count):
        m = moments[576 * k : 576 * (k + 1)]
        offset = offsets[LANES * k : LANES * (k + 1)]
        o = out[LANES * k : LANES * (k + 1)]
        for lane in range(LANES):
            r0, r1, r2, r3, r4, r5, r6, r7, r8 = rotation_matrix(
                q[lane], q[lane + 64], q[lane + 128], q[lane + 192], one
            )
            first = r0 * m[lane] + r1 * m[lane + 64] + r2 * m[lane + 128]
            second = r3 * m[lane + 192] + r4 * m[lane + 256] + r5 * m[lane + 320]
            third = r6 * m[lane + 384] + r7 * m[lane + 448] + r8 * m[lane + 512]
            o[lane] = ratio[lane] * (first + second + third - offset[lane])


@part
def blend_moments(moment, moments, mix, count, out):
    """A_pq~ = A_pq + sum mix_c A_pu_c, nine rows: the moment of the particles with the blended shape q~ = q + sum mix_c
    u_c of the ring."""
    for j in range(9):
        row = out[LANES * j : LANES * (j + 1)]
        m = moment[LANES * j : LANES * (j + 1)]
        for lane in range(LANES):
            row[lane] = m[lane]
    for c in range(count):
        v = mix[LANES * c : LANES * (c + 1)]
        for j in range(9):
            row = out[LANES * j : LANES * (j + 1)]
            m = moments[LANES * (9 * c + j) : LANES * (9 * c + j + 1)]
            for lane in range(LANES):
                row[lane] += v[lane] * m[lane]


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
def transform_block(q, centre, centroid, out):
    """(3) R (rows 0..8) and the shift c - R c0 (rows 9..11)."""
    one = q.dtype.type(1)
    for lane in range(LANES):
        r0, r1, r2, r3, r4, r5, r6, r7, r8 = rotation_matrix(
            q[lane], q[lane + 64], q[lane + 128], q[lane + 192], one
        )
        x = centre[lane]
        y = centre[lane + 64]
        z = centre[lane + 128]
        out[lane] = r0
        out[lane + 64] = r1
        out[lane + 128] = r2
        out[lane + 192] = r3
        out[lane + 256] = r4
        out[lane + 320] = r5
        out[lane + 384] = r6
        out[lane + 448] = r7
        out[lane + 512] = r8
        out[lane + 576] = centroid[lane] - (r0 * x + r1 * y + r2 * z)
        out[lane + 640] = centroid[lane + 64] - (r3 * x + r4 * y + r5 * z)
        out[lane + 704] = centroid[lane + 128] - (r6 * x + r7 * y + r8 * z)


@part
def weigh_block(rows, weights):
    """Transforms of regions that are stiffer than others count more in the goals of their particles."""
    for row in range(12):
        for lane in range(LANES):
            rows[row * LANES + lane] *= weights[lane]


@part
def spread_block(rows, transforms):
    """From rows of lanes to 16 numbers per region: the columns of R, then the shift; the sums read them so."""
    for lane in range(U(LANES)):
        t = U(16) * lane
        transforms[t] = rows[lane]
        transforms[t + U(1)] = rows[lane + U(192)]
        transforms[t + U(2)] = rows[lane + U(384)]
        transforms[t + U(4)] = rows[lane + U(64)]
        transforms[t + U(5)] = rows[lane + U(256)]
        transforms[t + U(6)] = rows[lane + U(448)]
        transforms[t + U(8)] = rows[lane + U(128)]
        transforms[t + U(9)] = rows[lane + U(320)]
        transforms[t + U(10)] = rows[lane + U(512)]
        transforms[t + U(12)] = rows[lane + U(576)]
        transforms[t + U(13)] = rows[lane + U(640)]
        transforms[t + U(14)] = rows[lane + U(704)]


@part
def spread_mix(mix, count, out):
    """From rows of lanes to C numbers per region."""
    for c in range(U(count)):
        for lane in range(U(LANES)):
            out[U(count) * lane + c] = mix[U(LANES) * c + lane]
