"""What is done for each region by itself, for a block of 64 regions at a time. Slices begin at the rows they need."""

import numpy as np

from pliant.jit import inline, part
from pliant.maths.quaternion import product, rotation_matrix
from pliant.models.shape_matching.layout import LANES

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
def blend_block(w, examples, count, s):
    """S~ = I + Q (U w) = I + sum w_k (S^k - I), six rows."""
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
def without_given(s, given, remainder):
    """What the free examples are to explain: S - I = given + (1 - F) Q (U w), solved for the last product."""
    one = s.dtype.type(1)
    for j in range(6):
        row = s[LANES * j : LANES * (j + 1)]
        g = given[LANES * j : LANES * (j + 1)]
        for lane in range(LANES):
            row[lane] = (row[lane] - g[lane]) / max(remainder[lane], one / 1024)


@part
def with_given(s, given, remainder):
    """S~ = I + given + (1 - F) Q (U w)."""
    one = s.dtype.type(1)
    zero = s.dtype.type(0)
    for j in range(6):
        row = s[LANES * j : LANES * (j + 1)]
        g = given[LANES * j : LANES * (j + 1)]
        unit = one if j < 3 else zero
        for lane in range(LANES):
            row[lane] = unit + g[lane] + remainder[lane] * (row[lane] - unit)


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
def weigh_block(rows, weights):
    """Transforms of regions that are stiffer than others count more in the goals of their particles."""
    for row in range(12):
        for lane in range(LANES):
            rows[row * LANES + lane] *= weights[lane]


@part
def spread_block(rows, transforms):
    """From rows of lanes to 16 numbers per region: the columns of R S~, then the shift; the sums read them so."""
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
def compose_block(q, relative, out):
    """out = q relative: where the matched rotation would be if it stood to the plain one as it did in the last step."""
    for lane in range(LANES):
        a, b, c, d = product(
            q[lane], q[lane + 64], q[lane + 128], q[lane + 192],
            relative[lane], relative[lane + 64], relative[lane + 128], relative[lane + 192],
        )  # fmt: skip
        out[lane] = a
        out[lane + 64] = b
        out[lane + 128] = c
        out[lane + 192] = d


@part
def compare_block(q, matched, relative):
    """relative = q^-1 matched."""
    for lane in range(LANES):
        a, b, c, d = product(
            -q[lane], -q[lane + 64], -q[lane + 128], q[lane + 192],
            matched[lane], matched[lane + 64], matched[lane + 128], matched[lane + 192],
        )  # fmt: skip
        relative[lane] = a
        relative[lane + 64] = b
        relative[lane + 128] = c
        relative[lane + 192] = d
