# mypy: disallow-untyped-defs=False, check-untyped-defs=False
"""Kelvin's solution integrated over triangles: what tractions that are the same all over one, and displacements that
are linear on it, do at a point. Double precision, shear modulus 1. With r from the point to a place y on the triangle,
and its normal n:

    U_ij = ((3 - 4 nu) d_ij + r,i r,j) / (16 pi (1 - nu) r)
    T_ij = -(r,n ((1 - 2 nu) d_ij + 3 r,i r,j) - (1 - 2 nu) (r,i n_j - r,j n_i)) / (8 pi (1 - nu) r^2)"""

import math

import numpy as np

from pliant.runtime.jit import kernel, part

FAR = 4.0  # sizes of a triangle to its middle: beyond, three points are enough (0.1 % of an integral)
NEAR = 1.5  # within, it is cut in four, and so are its parts
DEEPEST = 5  # cuts; a part is then 1/32 of the triangle
ROOM = 3 * DEEPEST + 2  # parts that wait
THIRD, SIXTH = 2.0 / 3.0, 1.0 / 6.0
# Radon's points beside the middle, exact to the fifth order: (a, b, b) and their weights
RADON = (0.7974269853530873, 0.1012865073234563, 0.1259391805448271)
RADON_B = (0.0597158717897698, 0.4701420641051151, 0.1323941527885062)


@part
def _at(x, c, a, b, weight, nu, n0, n1, n2, t, u):
    """Adds the integrands at a c[0:3] + b c[3:6] + (1 - a - b) c[6:9]: T for each corner's share (27), U (6)."""
    s = 1.0 - a - b
    r0 = a * c[0] + b * c[3] + s * c[6] - x[0]
    r1 = a * c[1] + b * c[4] + s * c[7] - x[1]
    r2 = a * c[2] + b * c[5] + s * c[8] - x[2]
    square = r0 * r0 + r1 * r1 + r2 * r2
    r = math.sqrt(square)
    r0 /= r
    r1 /= r
    r2 /= r
    add_displacement(weight / r, nu, r0, r1, r2, u)
    q = 1.0 - 2.0 * nu
    w = -weight / (8.0 * math.pi * (1.0 - nu) * square)
    d = r0 * n0 + r1 * n1 + r2 * n2
    d3 = 3.0 * d
    s01, s02, s12 = q * (r0 * n1 - r1 * n0), q * (r0 * n2 - r2 * n0), q * (r1 * n2 - r2 * n1)
    for corner in range(3):
        v = w * (a if corner == 0 else b if corner == 1 else s)
        o = 9 * corner
        t[o] += v * (d * q + d3 * r0 * r0)
        t[o + 4] += v * (d * q + d3 * r1 * r1)
        t[o + 8] += v * (d * q + d3 * r2 * r2)
        t[o + 1] += v * (d3 * r0 * r1 - s01)
        t[o + 3] += v * (d3 * r0 * r1 + s01)
        t[o + 2] += v * (d3 * r0 * r2 - s02)
        t[o + 6] += v * (d3 * r0 * r2 + s02)
        t[o + 5] += v * (d3 * r1 * r2 - s12)
        t[o + 7] += v * (d3 * r1 * r2 + s12)


@part
def add_displacement(weight, nu, r0, r1, r2, u):
    """U times r (6: 00 11 22 01 02 12) in a direction."""
    w = weight / (16.0 * math.pi * (1.0 - nu))
    k = 3.0 - 4.0 * nu
    u[0] += w * (k + r0 * r0)
    u[1] += w * (k + r1 * r1)
    u[2] += w * (k + r2 * r2)
    u[3] += w * r0 * r1
    u[4] += w * r0 * r2
    u[5] += w * r1 * r2


@part
def _pair(x, c, area, size, nu, n0, n1, n2, waiting, depths, t, u):
    """The integrals over a triangle that the point is not on. What is near is cut in four until each part is small
    beside its distance. A part is its first two barycentric coordinates at each corner (6)."""
    waiting[0] = waiting[3] = 1.0
    waiting[1] = waiting[2] = waiting[4] = waiting[5] = 0.0
    depths[0] = 0
    count = 1
    while count > 0:
        count -= 1
        depth = depths[count]
        o = 6 * count
        a0, b0, a1 = waiting[o], waiting[o + 1], waiting[o + 2]
        b1, a2, b2 = waiting[o + 3], waiting[o + 4], waiting[o + 5]
        a, b = (a0 + a1 + a2) / 3.0, (b0 + b1 + b2) / 3.0
        far = 0.0
        for i in range(3):
            far += (a * c[i] + b * c[3 + i] + (1.0 - a - b) * c[6 + i] - x[i]) ** 2
        part_area, part_size = area / 4.0**depth, size / 4.0**depth
        if far > FAR * FAR * part_size:
            w = part_area / 3.0
            _at(x, c, a + 0.5 * (a0 - a), b + 0.5 * (b0 - b), w, nu, n0, n1, n2, t, u)
            _at(x, c, a + 0.5 * (a1 - a), b + 0.5 * (b1 - b), w, nu, n0, n1, n2, t, u)
            _at(x, c, a + 0.5 * (a2 - a), b + 0.5 * (b2 - b), w, nu, n0, n1, n2, t, u)
        elif far > NEAR * NEAR * part_size or depth == DEEPEST:
            _at(x, c, a, b, 0.225 * part_area, nu, n0, n1, n2, t, u)
            for which in range(2):
                p, q, w = RADON if which == 0 else RADON_B
                w *= part_area
                _at(x, c, p * a0 + q * (a1 + a2), p * b0 + q * (b1 + b2), w, nu, n0, n1, n2, t, u)
                _at(x, c, p * a1 + q * (a0 + a2), p * b1 + q * (b0 + b2), w, nu, n0, n1, n2, t, u)
                _at(x, c, p * a2 + q * (a0 + a1), p * b2 + q * (b0 + b1), w, nu, n0, n1, n2, t, u)
        else:
            c01, d01 = 0.5 * (a0 + a1), 0.5 * (b0 + b1)
            c12, d12 = 0.5 * (a1 + a2), 0.5 * (b1 + b2)
            c20, d20 = 0.5 * (a2 + a0), 0.5 * (b2 + b0)
            _put(waiting, o, a0, b0, c01, d01, c20, d20)
            _put(waiting, o + 6, c01, d01, a1, b1, c12, d12)
            _put(waiting, o + 12, c20, d20, c12, d12, a2, b2)
            _put(waiting, o + 18, c01, d01, c12, d12, c20, d20)
            for i in range(4):
                depths[count + i] = depth + 1
            count += 4


@part
def _put(out, o, a0, b0, a1, b1, a2, b2):
    out[o], out[o + 1], out[o + 2], out[o + 3], out[o + 4], out[o + 5] = a0, b0, a1, b1, a2, b2


@part
def _own(x, c, area, nu, n0, n1, n2, nodes, weights, t, u):
    """Over the triangle that the point is in the middle of. In polar coordinates about it U has no 1/r left, and T
    times a displacement that is nothing at the point has no 1/r^2: what is left is an integral over the angle of the
    distance to the rim, edge by edge. t: of each corner's share less its third, which is what is taken off with the
    displacement of the point."""
    q = (1.0 - 2.0 * nu) / (8.0 * math.pi * (1.0 - nu))
    for a in range(3):
        b = (a + 1) % 3
        e0, e1, e2 = c[3 * b] - c[3 * a], c[3 * b + 1] - c[3 * a + 1], c[3 * b + 2] - c[3 * a + 2]
        p0, p1, p2 = c[3 * a] - x[0], c[3 * a + 1] - x[1], c[3 * a + 2] - x[2]
        long = math.sqrt(e0 * e0 + e1 * e1 + e2 * e2)
        e0 /= long
        e1 /= long
        e2 /= long
        along = p0 * e0 + p1 * e1 + p2 * e2
        h0, h1, h2 = p0 - along * e0, p1 - along * e1, p2 - along * e2  # to the foot of the edge's line
        height = math.sqrt(h0 * h0 + h1 * h1 + h2 * h2)
        h0 /= height
        h1 /= height
        h2 /= height
        first, last = math.atan2(along, height), math.atan2(along + long, height)
        for g in range(len(nodes)):
            angle = 0.5 * (first + last) + 0.5 * (last - first) * nodes[g]
            cos, sin = math.cos(angle), math.sin(angle)
            r0, r1, r2 = cos * h0 + sin * e0, cos * h1 + sin * e1, cos * h2 + sin * e2
            w = 0.5 * (last - first) * weights[g] * height / cos
            add_displacement(w, nu, r0, r1, r2, u)
            for corner in range(3):
                # the share of a corner grows by n x (edge opposite it) . r / (2 area)
                j, k = 3 * ((corner + 1) % 3), 3 * ((corner + 2) % 3)
                d0, d1, d2 = c[k] - c[j], c[k + 1] - c[j + 1], c[k + 2] - c[j + 2]
                grows = (n1 * d2 - n2 * d1) * r0 + (n2 * d0 - n0 * d2) * r1 + (n0 * d1 - n1 * d0) * r2
                v = w * q * grows / (2.0 * area)
                o = 9 * corner
                t[o + 1] += v * (r0 * n1 - r1 * n0)
                t[o + 3] -= v * (r0 * n1 - r1 * n0)
                t[o + 2] += v * (r0 * n2 - r2 * n0)
                t[o + 6] -= v * (r0 * n2 - r2 * n0)
                t[o + 5] += v * (r1 * n2 - r2 * n1)
                t[o + 7] -= v * (r1 * n2 - r2 * n1)


@kernel("d[] d[] i[] d[] d[] d[] d d[] d[] i i i d[] d[]")
def integrate(centres, corners, triangles, normals, areas, sizes, nu, nodes, weights, vertices, first, last, h, g):
    """Rows of H (3 n, 3 vertices) and G (3 n, 3 n) for collocation at the middles of triangles first to last. What a
    point is displaced by itself is taken off everywhere, as a body that is moved as a whole has no tractions: so H
    needs no diagonal. sizes: squared."""
    n = len(areas)
    t, u, whole = np.empty(27), np.empty(6), np.empty(9)
    waiting, depths = np.empty(6 * ROOM), np.empty(ROOM, np.int64)
    for i in range(first, last):
        x = centres[3 * i : 3 * i + 3]
        for k in range(9 * vertices):
            h[9 * vertices * i + k] = 0.0
        for k in range(9):
            whole[k] = 0.0
        for j in range(n):
            for k in range(27):
                t[k] = 0.0
            for k in range(6):
                u[k] = 0.0
            c = corners[9 * j : 9 * j + 9]
            n0, n1, n2 = normals[3 * j], normals[3 * j + 1], normals[3 * j + 2]
            if i == j:
                _own(x, c, areas[j], nu, n0, n1, n2, nodes, weights, t, u)
            else:
                _pair(x, c, areas[j], sizes[j], nu, n0, n1, n2, waiting, depths, t, u)
            for k in range(9):
                whole[k] += t[k] + t[9 + k] + t[18 + k]
            for corner in range(3):
                _add_block(h, i, triangles[3 * j + corner], vertices, 1.0, t, 9 * corner)
            for a in range(3):
                for b in range(3):
                    g[(3 * i + a) * 3 * n + 3 * j + b] = u[a] if a == b else u[a + b + 2]
        for corner in range(3):
            _add_block(h, i, triangles[3 * i + corner], vertices, -1.0 / 3.0, whole, 0)


@part
def _add_block(h, i, v, vertices, factor, block, o):
    for a in range(3):
        row = (3 * i + a) * 3 * vertices + 3 * v
        for b in range(3):
            h[row + b] += factor * block[o + 3 * a + b]
