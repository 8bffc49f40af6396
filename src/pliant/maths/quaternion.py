"""Rotations as unit quaternions (x, y, z, w). `one` is the number 1 in the precision at work: a bare literal
would turn single precision into double in the middle of a vectorised loop."""

from pliant.jit import inline


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
def turned(x, y, z, w, ox, oy, oz):
    """q times the (unnormalised) quaternion (o, 1): the rotation turned by about 2 |o| round o, in its own frame."""
    return (
        w * ox + x + y * oz - z * oy,
        w * oy + y + z * ox - x * oz,
        w * oz + z + x * oy - y * ox,
        w - x * ox - y * oy - z * oz,
    )
