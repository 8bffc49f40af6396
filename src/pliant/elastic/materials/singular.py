# mypy: disallow-untyped-defs=False, check-untyped-defs=False
"""Singular values of a 3x3 matrix with proper rotations: F = U s V^T, s falling, the last negative where F is inside
out. Also where F is flat, a line or a point."""

import math

from pliant.runtime.jit import part

SWEEPS = 8


@part
def singular(f, u, v, s, room):
    """f, u, v: 9 numbers by rows; s: 3. `room`: scratch (9).

    V comes from Jacobi's rotations of F^T F, U from the columns of F V, one made square to the others, and s from both:
    so small singular values are as exact as large ones."""
    c = room
    for i in range(3):
        for k in range(3):
            c[3 * i + k] = f[i] * f[k] + f[3 + i] * f[3 + k] + f[6 + i] * f[6 + k]
            v[3 * i + k] = 1.0 if i == k else 0.0
    scale = c[0] + c[4] + c[8]
    for _sweep in range(SWEEPS):
        if abs(c[1]) + abs(c[2]) + abs(c[5]) <= 1e-17 * scale:
            break
        for pair in range(3):
            p = 0 if pair < 2 else 1
            q = 1 if pair == 0 else 2
            off = c[3 * p + q]
            if abs(off) <= 1e-18 * scale:
                continue
            theta = (c[4 * q] - c[4 * p]) / (2.0 * off)
            tangent = math.copysign(1.0, theta) / (abs(theta) + math.sqrt(theta * theta + 1.0))
            cosine = 1.0 / math.sqrt(tangent * tangent + 1.0)
            sine = tangent * cosine
            for k in range(3):
                x = c[3 * k + p]
                y = c[3 * k + q]
                c[3 * k + p] = cosine * x - sine * y
                c[3 * k + q] = sine * x + cosine * y
            for k in range(3):
                x = c[3 * p + k]
                y = c[3 * q + k]
                c[3 * p + k] = cosine * x - sine * y
                c[3 * q + k] = sine * x + cosine * y
            for k in range(3):
                x = v[3 * k + p]
                y = v[3 * k + q]
                v[3 * k + p] = cosine * x - sine * y
                v[3 * k + q] = sine * x + cosine * y
    # falling order, by exchanging columns
    for pair in range(3):
        p = 1 if pair == 1 else 0
        if c[4 * p] < c[4 * p + 4]:
            c[4 * p], c[4 * p + 4] = c[4 * p + 4], c[4 * p]
            for k in range(3):
                v[3 * k + p], v[3 * k + p + 1] = v[3 * k + p + 1], v[3 * k + p]
    turned = (
        v[0] * (v[4] * v[8] - v[5] * v[7]) - v[1] * (v[3] * v[8] - v[5] * v[6]) + v[2] * (v[3] * v[7] - v[4] * v[6])
    )
    if turned < 0.0:
        v[2], v[5], v[8] = -v[2], -v[5], -v[8]
    x0 = f[0] * v[0] + f[1] * v[3] + f[2] * v[6]
    y0 = f[3] * v[0] + f[4] * v[3] + f[5] * v[6]
    z0 = f[6] * v[0] + f[7] * v[3] + f[8] * v[6]
    s[0] = math.sqrt(x0 * x0 + y0 * y0 + z0 * z0)
    if s[0] > 0.0:
        x0, y0, z0 = x0 / s[0], y0 / s[0], z0 / s[0]
    else:
        x0, y0, z0 = v[0], v[3], v[6]  # a point: not turned at all
    x1 = f[0] * v[1] + f[1] * v[4] + f[2] * v[7]
    y1 = f[3] * v[1] + f[4] * v[4] + f[5] * v[7]
    z1 = f[6] * v[1] + f[7] * v[4] + f[8] * v[7]
    along = x0 * x1 + y0 * y1 + z0 * z1
    x1, y1, z1 = x1 - along * x0, y1 - along * y0, z1 - along * z0
    length = math.sqrt(x1 * x1 + y1 * y1 + z1 * z1)
    s[1] = length
    if length <= 1e-14 * s[0] or length == 0.0:  # a line: any direction across, near to where V has it
        x1, y1, z1 = v[1], v[4], v[7]
        along = x0 * x1 + y0 * y1 + z0 * z1
        if abs(along) > 0.9:
            x1, y1, z1 = v[2], v[5], v[8]
            along = x0 * x1 + y0 * y1 + z0 * z1
        x1, y1, z1 = x1 - along * x0, y1 - along * y0, z1 - along * z0
        length = math.sqrt(x1 * x1 + y1 * y1 + z1 * z1)
    x1, y1, z1 = x1 / length, y1 / length, z1 / length
    x2, y2, z2 = y0 * z1 - z0 * y1, z0 * x1 - x0 * z1, x0 * y1 - y0 * x1
    s[2] = (
        x2 * (f[0] * v[2] + f[1] * v[5] + f[2] * v[8])
        + y2 * (f[3] * v[2] + f[4] * v[5] + f[5] * v[8])
        + z2 * (f[6] * v[2] + f[7] * v[5] + f[8] * v[8])
    )
    u[0], u[1], u[2] = x0, x1, x2
    u[3], u[4], u[5] = y0, y1, y2
    u[6], u[7], u[8] = z0, z1, z2
