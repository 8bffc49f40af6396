# mypy: disallow-untyped-defs=False, check-untyped-defs=False
"""What is done for each cluster by itself, for a block of 64 at a time. Slices begin at the rows they need."""

from pliant.maths.quaternion import rotation_matrix
from pliant.models.clusters.layout import LANES
from pliant.runtime.jit import part
from pliant.runtime.vectors import fill8, load8, store

# Dimensionless: volume over that of the blend; below, a cluster is crushed or inside out, its fit says nothing of how
# it should grow, and its volume is left to the pull to the blend, wholly so at zero. Half or twice of it: the same.
CRUSHED = 0.2


@part
def product_with(moments, kept, shape, functions, out):
    """out (9 rows) = sum_b K_b A~_b D_b^T, D (3 B) one for all lanes."""
    for i in range(3):
        for lane in range(0, LANES, 8):
            s0 = fill8(moments.dtype.type(0))
            s1 = s0
            s2 = s0
            for b in range(functions):
                a = load8(moments, (3 * b + i) * LANES + lane) * fill8(kept[b])
                s0 = s0 + a * fill8(shape[3 * b])
                s1 = s1 + a * fill8(shape[3 * b + 1])
                s2 = s2 + a * fill8(shape[3 * b + 2])
            store(out, 3 * i * LANES + lane, s0)
            store(out, (3 * i + 1) * LANES + lane, s1)
            store(out, (3 * i + 2) * LANES + lane, s2)


@part
def blend_products(products, mix, columns, out):
    """sum_b K_b A~_b D~_b^T of the blend: that with rest, and those with the poses."""
    for j in range(9 * LANES):
        out[j] = products[j]
    for k in range(columns):
        m = mix[k * LANES : (k + 1) * LANES]
        for j in range(9):
            a = products[(9 * (k + 1) + j) * LANES : (9 * (k + 1) + j + 1) * LANES]
            o = out[j * LANES : (j + 1) * LANES]
            for lane in range(LANES):
                o[lane] += m[lane] * a[lane]


@part
def rotation_rows(q, out):
    one = q.dtype.type(1)
    for lane in range(LANES):
        r = rotation_matrix(q[lane], q[lane + 64], q[lane + 128], q[lane + 192], one)
        out[lane] = r[0]
        out[lane + 64] = r[1]
        out[lane + 128] = r[2]
        out[lane + 192] = r[3]
        out[lane + 256] = r[4]
        out[lane + 320] = r[5]
        out[lane + 384] = r[6]
        out[lane + 448] = r[7]
        out[lane + 512] = r[8]


@part
def project(r, products, offsets, energy, examples, out):
    """<R^T A~ - D^0 - given, D^k - D^0> of each pose, times the cluster's energy."""
    for k in range(examples):
        a = products[9 * (k + 1) * LANES : 9 * (k + 2) * LANES]
        o = out[k * LANES : (k + 1) * LANES]
        off = offsets[k * LANES : (k + 1) * LANES]
        for lane in range(LANES):
            s = r[lane] * a[lane] + r[lane + 64] * a[lane + 64] + r[lane + 128] * a[lane + 128]
            s += r[lane + 192] * a[lane + 192] + r[lane + 256] * a[lane + 256] + r[lane + 320] * a[lane + 320]
            s += r[lane + 384] * a[lane + 384] + r[lane + 448] * a[lane + 448] + r[lane + 512] * a[lane + 512]
            o[lane] = (s - off[lane]) * energy[lane]


@part
def add_rest(turn, rest, moments, small):
    """A~ = R D^0 + what was measured about it, for the linear functions; D^0 of the others is zero. small: 9 rows, as
    they were."""
    for b in range(3):
        for i in range(3):
            o = moments[(3 * b + i) * LANES : (3 * b + i + 1) * LANES]
            kept = small[(3 * b + i) * LANES : (3 * b + i + 1) * LANES]
            r = turn[3 * i * LANES : 3 * (i + 1) * LANES]
            d0 = rest[3 * b]
            d1 = rest[3 * b + 1]
            d2 = rest[3 * b + 2]
            for lane in range(LANES):
                kept[lane] = o[lane]
                o[lane] += r[lane] * d0 + r[lane + 64] * d1 + r[lane + 128] * d2


@part
def transform(moments, small, kept, rest, poses, mix, columns, functions, r, before, out):
    """T_b = (1 - K_b) A~_b + K_b R D~_b, and the centre as the last column, about the rest shape as it was turned
    before: less R' D^0_b."""
    one = moments.dtype.type(1)
    zero = moments.dtype.type(0)
    for b in range(functions):
        keep = fill8(kept[b])
        leave = fill8(one - kept[b])
        for lane in range(0, LANES, 8):
            d0 = fill8(zero)
            d1 = d0
            d2 = d0
            for k in range(columns):
                m = load8(mix, k * LANES + lane)
                at = 3 * (functions * k + b)
                d0 = d0 + m * fill8(poses[at])
                d1 = d1 + m * fill8(poses[at + 1])
                d2 = d2 + m * fill8(poses[at + 2])
            e0 = fill8(rest[3 * b])
            e1 = fill8(rest[3 * b + 1])
            e2 = fill8(rest[3 * b + 2])
            for i in range(3):
                r0 = load8(r, 3 * i * LANES + lane)
                r1 = load8(r, (3 * i + 1) * LANES + lane)
                r2 = load8(r, (3 * i + 2) * LANES + lane)
                turned = r0 * d0 + r1 * d1 + r2 * d2
                at = (3 * b + i) * LANES + lane
                if b < 3:
                    turned = turned + (r0 - load8(before, 3 * i * LANES + lane)) * e0
                    turned = turned + (r1 - load8(before, (3 * i + 1) * LANES + lane)) * e1
                    turned = turned + (r2 - load8(before, (3 * i + 2) * LANES + lane)) * e2
                    store(out, at, keep * turned + leave * load8(small, at))
                else:
                    store(out, at, keep * turned + leave * load8(moments, at))
    for j in range(3 * functions * LANES, 3 * (functions + 1) * LANES):
        out[j] = moments[j]


@part
def keep_volume(moments, rest, poses, mix, columns, functions, volume, blend, out):
    """Adds V l cof(A) to the linear columns, with det(A + l cof(A)) the volume of the blend: along the gradient of the
    volume, which exerts no torque. The determinant is  J + l |cof A|^2 + l^2 J |A|^2 + l^3 J^2;  Newton's method from 0
    overshoots once at most, then comes from one side. blend: 9 rows of scratch."""
    real = moments.dtype.type
    zero = real(0)
    one = real(1)
    tiny = real(1e-30)
    for j in range(9):
        o = blend[j * LANES : (j + 1) * LANES]
        for lane in range(LANES):
            o[lane] = rest[j]
        for k in range(columns):
            m = mix[k * LANES : (k + 1) * LANES]
            d = poses[3 * functions * k + j]
            for lane in range(LANES):
                o[lane] += m[lane] * d
    scale = rest[0] * (rest[4] * rest[8] - rest[5] * rest[7]) - rest[1] * (rest[3] * rest[8] - rest[5] * rest[6])
    scale += rest[2] * (rest[3] * rest[7] - rest[4] * rest[6])
    least = real(0.01) * scale
    crushed = one / real(CRUSHED)
    for lane in range(LANES):
        d0 = blend[lane]
        d1 = blend[lane + 64]
        d2 = blend[lane + 128]
        wanted = d0 * (blend[lane + 256] * blend[lane + 512] - blend[lane + 320] * blend[lane + 448])
        wanted -= d1 * (blend[lane + 192] * blend[lane + 512] - blend[lane + 320] * blend[lane + 384])
        wanted += d2 * (blend[lane + 192] * blend[lane + 448] - blend[lane + 256] * blend[lane + 384])
        wanted = wanted if wanted > least else least
        a0 = moments[lane]
        a1 = moments[lane + 64]
        a2 = moments[lane + 128]
        a3 = moments[lane + 192]
        a4 = moments[lane + 256]
        a5 = moments[lane + 320]
        a6 = moments[lane + 384]
        a7 = moments[lane + 448]
        a8 = moments[lane + 512]
        c0 = a4 * a8 - a5 * a7
        c1 = a5 * a6 - a3 * a8
        c2 = a3 * a7 - a4 * a6
        c3 = a2 * a7 - a1 * a8
        c4 = a0 * a8 - a2 * a6
        c5 = a1 * a6 - a0 * a7
        c6 = a1 * a5 - a2 * a4
        c7 = a2 * a3 - a0 * a5
        c8 = a0 * a4 - a1 * a3
        unit = one / wanted
        j = (a0 * c0 + a1 * c1 + a2 * c2) * unit
        n2 = c0 * c0 + c1 * c1 + c2 * c2 + c3 * c3 + c4 * c4 + c5 * c5 + c6 * c6 + c7 * c7 + c8 * c8
        n2 = n2 * unit
        b2 = a0 * a0 + a1 * a1 + a2 * a2 + a3 * a3 + a4 * a4 + a5 * a5 + a6 * a6 + a7 * a7 + a8 * a8
        j2 = j * b2
        jj = j * j * wanted
        s = zero
        s -= (j - one) / (n2 + tiny)
        s -= (j - one + s * (n2 + s * (j2 + s * jj))) / (n2 + s * (j2 + j2 + s * (jj + jj + jj)) + tiny)
        s -= (j - one + s * (n2 + s * (j2 + s * jj))) / (n2 + s * (j2 + j2 + s * (jj + jj + jj)) + tiny)
        s -= (j - one + s * (n2 + s * (j2 + s * jj))) / (n2 + s * (j2 + j2 + s * (jj + jj + jj)) + tiny)
        s -= (j - one + s * (n2 + s * (j2 + s * jj))) / (n2 + s * (j2 + j2 + s * (jj + jj + jj)) + tiny)
        fade = j * crushed
        fade = fade if fade < one else one
        fade = fade if fade > zero else zero
        s = s * fade * volume
        out[lane] += s * c0
        out[lane + 64] += s * c1
        out[lane + 128] += s * c2
        out[lane + 192] += s * c3
        out[lane + 256] += s * c4
        out[lane + 320] += s * c5
        out[lane + 384] += s * c6
        out[lane + 448] += s * c7
        out[lane + 512] += s * c8
