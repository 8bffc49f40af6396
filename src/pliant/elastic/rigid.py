# mypy: disallow-untyped-defs=False, check-untyped-defs=False
"""Rigid motion, and how to leave it out."""

from pliant.runtime.jit import kernel


@kernel("d[] d[]")
def remove_rigid(x, rows):
    """Take out of every row (3 V each, one after the other) what moves the shape x (3 V) as a whole: the mean, and the
    turn about the middle."""
    count = len(x) // 3
    c0 = c1 = c2 = 0.0
    for v in range(count):
        c0 += x[3 * v]
        c1 += x[3 * v + 1]
        c2 += x[3 * v + 2]
    c0 /= count
    c1 /= count
    c2 /= count
    xx = yy = zz = xy = xz = yz = 0.0
    for v in range(count):
        a = x[3 * v] - c0
        b = x[3 * v + 1] - c1
        c = x[3 * v + 2] - c2
        xx += b * b + c * c
        yy += a * a + c * c
        zz += a * a + b * b
        xy -= a * b
        xz -= a * c
        yz -= b * c
    # the inverse of the symmetric matrix of moments
    i00 = yy * zz - yz * yz
    i01 = xz * yz - xy * zz
    i02 = xy * yz - xz * yy
    i11 = xx * zz - xz * xz
    i12 = xy * xz - xx * yz
    i22 = xx * yy - xy * xy
    over = 1.0 / (xx * i00 + xy * i01 + xz * i02)
    for row in range(len(rows) // len(x)):
        at = row * len(x)
        m0 = m1 = m2 = l0 = l1 = l2 = 0.0
        for v in range(count):
            a = x[3 * v] - c0
            b = x[3 * v + 1] - c1
            c = x[3 * v + 2] - c2
            r0 = rows[at + 3 * v]
            r1 = rows[at + 3 * v + 1]
            r2 = rows[at + 3 * v + 2]
            m0 += r0
            m1 += r1
            m2 += r2
            l0 += b * r2 - c * r1
            l1 += c * r0 - a * r2
            l2 += a * r1 - b * r0
        m0 /= count
        m1 /= count
        m2 /= count
        w0 = over * (i00 * l0 + i01 * l1 + i02 * l2)
        w1 = over * (i01 * l0 + i11 * l1 + i12 * l2)
        w2 = over * (i02 * l0 + i12 * l1 + i22 * l2)
        for v in range(count):
            a = x[3 * v] - c0
            b = x[3 * v + 1] - c1
            c = x[3 * v + 2] - c2
            rows[at + 3 * v] -= m0 + w1 * c - w2 * b
            rows[at + 3 * v + 1] -= m1 + w2 * a - w0 * c
            rows[at + 3 * v + 2] -= m2 + w0 * b - w1 * a
