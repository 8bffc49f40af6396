# mypy: disallow-untyped-defs=False, check-untyped-defs=False
"""Rotations as unit quaternions (x, y, z, w). `one` is the number 1 in the precision at work: a bare literal
would turn single precision into double in the middle of a vectorised loop."""

from pliant.runtime.jit import inline


@inline
def rotation_matrix(x, y, z, w, one):
    """The nine entries of R, row by row."""
    x2 = x + x
    y2 = y + y
    z2 = z + z
    xx = x * x2
    yy = y * y2
    zz = z * z2
    xy = x * y2
    xz = x * z2
    yz = y * z2
    wx = w * x2
    wy = w * y2
    wz = w * z2
    return (
        one - (yy + zz), xy - wz, xz + wy,
        xy + wz, one - (xx + zz), yz - wx,
        xz - wy, yz + wx, one - (xx + yy),
    )  # fmt: skip


@inline
def product(ax, ay, az, aw, bx, by, bz, bw):
    """First b, then a."""
    return (
        aw * bx + ax * bw + ay * bz - az * by,
        aw * by + ay * bw + az * bx - ax * bz,
        aw * bz + az * bw + ax * by - ay * bx,
        aw * bw - ax * bx - ay * by - az * bz,
    )
