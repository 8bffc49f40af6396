# mypy: disallow-untyped-defs=False, check-untyped-defs=False
"""Small formulas of Green strain that several kernels share. Matrices are nine numbers by rows; symmetric ones may come
as six: xx yy zz xy xz yz."""

from pliant.elastic.materials.small import positive_part
from pliant.runtime.jit import part


@part
def edge_gradient(tets, inverses, x, t, f):
    """F (9) of tet t: the sum of u_m g_m^T."""
    a = 3 * tets[4 * t]
    for i in range(9):
        f[i] = 0.0
    for m in range(3):
        b = 3 * tets[4 * t + m + 1]
        for i in range(3):
            u = x[b + i] - x[a + i]
            for j in range(3):
                f[3 * i + j] += u * inverses[9 * t + 3 * m + j]


@part
def green_strain(f, e):
    """E = (F^T F - 1) / 2 as nine numbers."""
    for i in range(3):
        for j in range(i, 3):
            s = f[i] * f[j] + f[3 + i] * f[3 + j] + f[6 + i] * f[6 + j]
            if i == j:
                s -= 1.0
            e[3 * i + j] = 0.5 * s
            e[3 * j + i] = 0.5 * s


@part
def determinant(f):
    return f[0] * (f[4] * f[8] - f[5] * f[7]) - f[1] * (f[3] * f[8] - f[5] * f[6]) + f[2] * (f[3] * f[7] - f[4] * f[6])


@part
def cofactor(f, c):
    """dJ/dF (9) of J = det F."""
    c[0] = f[4] * f[8] - f[5] * f[7]
    c[1] = f[5] * f[6] - f[3] * f[8]
    c[2] = f[3] * f[7] - f[4] * f[6]
    c[3] = f[2] * f[7] - f[1] * f[8]
    c[4] = f[0] * f[8] - f[2] * f[6]
    c[5] = f[1] * f[6] - f[0] * f[7]
    c[6] = f[1] * f[5] - f[2] * f[4]
    c[7] = f[2] * f[3] - f[0] * f[5]
    c[8] = f[0] * f[4] - f[1] * f[3]


@part
def less_six(e, six, at):
    """e -= the symmetric matrix of six numbers."""
    e[0] -= six[at]
    e[4] -= six[at + 1]
    e[8] -= six[at + 2]
    e[1] -= six[at + 3]
    e[3] -= six[at + 3]
    e[2] -= six[at + 4]
    e[6] -= six[at + 4]
    e[5] -= six[at + 5]
    e[7] -= six[at + 5]


@part
def square(e):
    """|e|^2 of nine numbers."""
    s = 0.0
    for i in range(9):
        s += e[i] * e[i]
    return s


@part
def keep_positive(e, out):
    """The positive part of e, as nine numbers."""
    p0, p1, p2, p3, p4, p5 = positive_part(e[0], e[4], e[8], e[1], e[2], e[5])
    out[0] = p0
    out[1] = p3
    out[2] = p4
    out[3] = p3
    out[4] = p1
    out[5] = p5
    out[6] = p4
    out[7] = p5
    out[8] = p2


@part
def add_green_blocks(f, r, g, area, mu, unit, lam, blocks, at):
    """blocks += mu [F F' (g_m.g_s) + (F g_s)(F g_m)'] + unit (g_m.r g_s) 1 + lam area_m area_s', for the pairs of edges
    11 12 13 22 23 33; g and area hold a row for each edge. The second derivative of |E|^2 and of the volume."""
    f0, f1, f2, f3, f4, f5, f6, f7, f8 = f[0], f[1], f[2], f[3], f[4], f[5], f[6], f[7], f[8]
    b00 = mu * (f0 * f0 + f1 * f1 + f2 * f2)
    b01 = mu * (f0 * f3 + f1 * f4 + f2 * f5)
    b02 = mu * (f0 * f6 + f1 * f7 + f2 * f8)
    b11 = mu * (f3 * f3 + f4 * f4 + f5 * f5)
    b12 = mu * (f3 * f6 + f4 * f7 + f5 * f8)
    b22 = mu * (f6 * f6 + f7 * f7 + f8 * f8)
    for m in range(3):
        g0, g1, g2 = g[3 * m], g[3 * m + 1], g[3 * m + 2]
        p0 = mu * (f0 * g0 + f1 * g1 + f2 * g2)
        p1 = mu * (f3 * g0 + f4 * g1 + f5 * g2)
        p2 = mu * (f6 * g0 + f7 * g1 + f8 * g2)
        s0 = unit * (r[0] * g0 + r[1] * g1 + r[2] * g2)
        s1 = unit * (r[3] * g0 + r[4] * g1 + r[5] * g2)
        s2 = unit * (r[6] * g0 + r[7] * g1 + r[8] * g2)
        a0, a1, a2 = lam * area[3 * m], lam * area[3 * m + 1], lam * area[3 * m + 2]
        for s in range(m, 3):
            k0, k1, k2 = g[3 * s], g[3 * s + 1], g[3 * s + 2]
            c0, c1, c2 = area[3 * s], area[3 * s + 1], area[3 * s + 2]
            dot = g0 * k0 + g1 * k1 + g2 * k2
            same = s0 * k0 + s1 * k1 + s2 * k2
            h0 = f0 * k0 + f1 * k1 + f2 * k2
            h1 = f3 * k0 + f4 * k1 + f5 * k2
            h2 = f6 * k0 + f7 * k1 + f8 * k2
            blocks[at] += b00 * dot + h0 * p0 + same + a0 * c0
            blocks[at + 1] += b01 * dot + h0 * p1 + a0 * c1
            blocks[at + 2] += b02 * dot + h0 * p2 + a0 * c2
            blocks[at + 3] += b01 * dot + h1 * p0 + a1 * c0
            blocks[at + 4] += b11 * dot + h1 * p1 + same + a1 * c1
            blocks[at + 5] += b12 * dot + h1 * p2 + a1 * c2
            blocks[at + 6] += b02 * dot + h2 * p0 + a2 * c0
            blocks[at + 7] += b12 * dot + h2 * p1 + a2 * c1
            blocks[at + 8] += b22 * dot + h2 * p2 + same + a2 * c2
            at += 9
