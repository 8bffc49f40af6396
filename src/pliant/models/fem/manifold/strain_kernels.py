# mypy: disallow-untyped-defs=False, check-untyped-defs=False
"""The example potential of the fast sibling, tet by tet: how far strain and volume are from a blend of theirs.

The blend has seven numbers a tet: the strain S as xx yy zz xy xz yz, and the volume ratio less one, s. A shape with
that strain would have the metric A = 1 + 2 S. With A = K^T K, K upper triangular, and L = K^-1, lengths are measured as
that shape has them:

    E' = L^T (E - S) L,   v = (J - 1 - s) / det K,   W = sum_t c_t V_t [ mu_t |E'|^2 + lambda_t/2 v^2 ]

which is (3) between x and such a shape. With F' = F L and g' = L^T g all formulas of (3) hold as they stand. If the
blend changes by T and tau, then E' changes by  -sym((1 + 2 E') L^T T L)  and v by  -tau / det K - v tr(L^T T L).

Forces and blocks are by edges (elastic/kernels.py). `kept`, of every tet: F', g', cof F g / det K, E', L,
v, 1 / det K."""

import math

from pliant.elastic.columns import SEVEN
from pliant.elastic.green_parts import (
    add_green_blocks,
    cofactor,
    edge_gradient,
    green_strain,
    keep_positive,
    less_six,
    square,
)
from pliant.runtime.jit import kernel, part

STRAIN_ROW = 47


@part
def _inverse_root(six, at, root):
    """L (9) of the metric 1 + 2 S; returns 1 / det K, or 0 if there is no such shape."""
    a = 1.0 + 2.0 * six[at]
    if a <= 0.0:
        return 0.0
    k0 = math.sqrt(a)
    k1 = 2.0 * six[at + 3] / k0
    k2 = 2.0 * six[at + 4] / k0
    a = 1.0 + 2.0 * six[at + 1] - k1 * k1
    if a <= 0.0:
        return 0.0
    k4 = math.sqrt(a)
    k5 = (2.0 * six[at + 5] - k1 * k2) / k4
    a = 1.0 + 2.0 * six[at + 2] - k2 * k2 - k5 * k5
    if a <= 0.0:
        return 0.0
    k8 = math.sqrt(a)
    root[0] = 1.0 / k0
    root[4] = 1.0 / k4
    root[8] = 1.0 / k8
    root[1] = -k1 * root[0] * root[4]
    root[5] = -k5 * root[4] * root[8]
    root[2] = -(root[0] * k2 + root[1] * k5) * root[8]
    root[3] = 0.0
    root[6] = 0.0
    root[7] = 0.0
    return root[0] * root[4] * root[8]


@part
def _within(root, e, room, out):
    """out = L^T e L."""
    for i in range(3):
        for j in range(3):
            room[3 * i + j] = e[3 * i] * root[j] + e[3 * i + 1] * root[3 + j] + e[3 * i + 2] * root[6 + j]
    for i in range(3):
        for j in range(3):
            out[3 * i + j] = root[i] * room[j] + root[3 + i] * room[3 + j] + root[6 + i] * room[6 + j]


@kernel("i[] d[] d[] d[] d[] d[] d[]")
def strain_energy(tets, inverses, shear, bulk, x, target, room):
    """W; infinite where the blend is no metric. shear, bulk (T): c V mu and c V lambda. `room` (45)."""
    f = room[:9]
    e = room[9:18]
    c = room[18:27]
    root = room[27:36]
    spare = room[36:45]
    energy = 0.0
    for t in range(len(shear)):
        if shear[t] == 0.0 and bulk[t] == 0.0:
            continue
        over = _inverse_root(target, SEVEN * t, root)
        if over == 0.0:
            return math.inf
        edge_gradient(tets, inverses, x, t, f)
        green_strain(f, e)
        less_six(e, target, SEVEN * t)
        cofactor(f, c)
        v = (f[0] * c[0] + f[1] * c[1] + f[2] * c[2] - 1.0 - target[SEVEN * t + 6]) * over
        _within(root, e, spare, f)
        energy += shear[t] * square(f) + 0.5 * bulk[t] * v * v
    return energy


@kernel("i[] d[] d[] d[] d[] d[] d[] d[] d[] d[] d[]")
def strain_terms(tets, inverses, shear, bulk, x, target, forces, blocks, stress, kept, room):
    """W; adds dW/dx to forces (9 T) and the positive Hessian to blocks (54 T); overwrites `stress` (7 T), the
    derivative of W by the seven numbers of the blend, and `kept`. `room` (45)."""
    f = room[:9]
    c = room[9:18]
    r = room[18:27]
    p = room[27:36]
    spare = room[36:45]
    energy = 0.0
    for t in range(len(shear)):
        mu = shear[t]
        lam = bulk[t]
        at = SEVEN * t
        if mu == 0.0 and lam == 0.0:
            for i in range(SEVEN):
                stress[at + i] = 0.0
            continue
        k = STRAIN_ROW * t
        seen = kept[k : k + 9]
        g = kept[k + 9 : k + 18]
        area = kept[k + 18 : k + 27]
        e = kept[k + 27 : k + 36]
        root = kept[k + 36 : k + 45]
        over = _inverse_root(target, at, root)
        if over == 0.0:
            return math.inf
        edge_gradient(tets, inverses, x, t, f)
        green_strain(f, p)
        less_six(p, target, at)
        _within(root, p, spare, e)
        cofactor(f, c)
        v = (f[0] * c[0] + f[1] * c[1] + f[2] * c[2] - 1.0 - target[at + 6]) * over
        kept[k + 45] = v
        kept[k + 46] = over
        energy += mu * square(e) + 0.5 * lam * v * v
        for i in range(3):
            for j in range(3):
                seen[3 * i + j] = f[3 * i] * root[j] + f[3 * i + 1] * root[3 + j] + f[3 * i + 2] * root[6 + j]
        for m in range(3):
            a = 9 * t + 3 * m
            for j in range(3):
                g[3 * m + j] = inverses[a] * root[j] + inverses[a + 1] * root[3 + j] + inverses[a + 2] * root[6 + j]
                area[3 * m + j] = over * (
                    c[3 * j] * inverses[a] + c[3 * j + 1] * inverses[a + 1] + c[3 * j + 2] * inverses[a + 2]
                )
        for i in range(3):
            for j in range(3):
                p[3 * i + j] = 2.0 * mu * (seen[3 * i] * e[j] + seen[3 * i + 1] * e[3 + j] + seen[3 * i + 2] * e[6 + j])
        for m in range(3):
            for i in range(3):
                forces[9 * t + 3 * m + i] += lam * v * area[3 * m + i] + (
                    p[3 * i] * g[3 * m] + p[3 * i + 1] * g[3 * m + 1] + p[3 * i + 2] * g[3 * m + 2]
                )
        # dW/dS = -L [2 mu (E' + 2 E' E') + lambda v^2] L^T
        for i in range(3):
            for j in range(3):
                p[3 * i + j] = (
                    2.0
                    * mu
                    * (e[3 * i + j] + 2.0 * (e[3 * i] * e[j] + e[3 * i + 1] * e[3 + j] + e[3 * i + 2] * e[6 + j]))
                )
            p[4 * i] += lam * v * v
        for i in range(3):
            for j in range(3):
                spare[3 * i + j] = root[3 * i] * p[j] + root[3 * i + 1] * p[3 + j] + root[3 * i + 2] * p[6 + j]
        for i in range(3):
            for j in range(3):
                p[3 * i + j] = -(
                    spare[3 * i] * root[3 * j] + spare[3 * i + 1] * root[3 * j + 1] + spare[3 * i + 2] * root[3 * j + 2]
                )
        stress[at] = p[0]
        stress[at + 1] = p[4]
        stress[at + 2] = p[8]
        stress[at + 3] = 2.0 * p[1]
        stress[at + 4] = 2.0 * p[2]
        stress[at + 5] = 2.0 * p[5]
        stress[at + 6] = -lam * v * over
        keep_positive(e, r)
        add_green_blocks(seen, r, g, area, mu, 2.0 * mu, lam, blocks, 54 * t)
    return energy


@kernel("d[] d[] d[]")
def products(rows, vector, out):
    """The product of every row (as long as the vector) with the vector."""
    size = len(vector)
    for k in range(len(out)):
        s0 = s1 = s2 = s3 = 0.0
        at = k * size
        for i in range(0, size - 3, 4):
            s0 += rows[at + i] * vector[i]
            s1 += rows[at + i + 1] * vector[i + 1]
            s2 += rows[at + i + 2] * vector[i + 2]
            s3 += rows[at + i + 3] * vector[i + 3]
        for i in range(size - size % 4, size):
            s0 += rows[at + i] * vector[i]
        out[k] = (s0 + s1) + (s2 + s3)


@kernel("i[] d[] d[] d[] d[] d[] d[] d[]")
def strain_couplings(tets, shear, bulk, kept, fields, mixed, gram, room):
    """If the blend changes along fields (7 T each, one after the other): the mixed second derivatives by x and by each
    field (3 V each), and those by two fields (K K). Overwrites. `room` (27 + 10 K)."""
    count = len(shear)
    columns = len(fields) // (SEVEN * count)
    if columns == 0:
        return
    change = room[:9]
    inner = room[9:18]
    spare = room[18:27]
    changes = room[27 : 27 + 10 * columns]
    size = len(mixed) // columns
    for i in range(len(mixed)):
        mixed[i] = 0.0
    for i in range(columns * columns):
        gram[i] = 0.0
    for t in range(count):
        mu = 2.0 * shear[t]
        lam = bulk[t]
        if mu == 0.0 and lam == 0.0:
            continue
        k = STRAIN_ROW * t
        seen = kept[k : k + 9]
        g = kept[k + 9 : k + 18]
        area = kept[k + 18 : k + 27]
        e = kept[k + 27 : k + 36]
        root = kept[k + 36 : k + 45]
        for a in range(columns):
            at = SEVEN * (a * count + t)
            for i in range(9):
                change[i] = 0.0
            less_six(change, fields, at)
            _within(root, change, spare, inner)  # minus L^T T L
            d = changes[10 * a : 10 * a + 10]
            for i in range(3):
                for j in range(3):
                    d[3 * i + j] = inner[3 * i + j] + (
                        e[3 * i] * inner[j] + e[3 * i + 1] * inner[3 + j] + e[3 * i + 2] * inner[6 + j]
                        + inner[3 * i] * e[j] + inner[3 * i + 1] * e[3 + j] + inner[3 * i + 2] * e[6 + j]
                    )  # fmt: skip
            d[9] = kept[k + 45] * (inner[0] + inner[4] + inner[8]) - fields[at + 6] * kept[k + 46]
            for i in range(3):
                for j in range(3):
                    spare[3 * i + j] = mu * (
                        seen[3 * i] * d[j] + seen[3 * i + 1] * d[3 + j] + seen[3 * i + 2] * d[6 + j]
                    )
            low = a * size + 3 * tets[4 * t]
            for m in range(3):
                b = a * size + 3 * tets[4 * t + m + 1]
                for i in range(3):
                    s = spare[3 * i] * g[3 * m] + spare[3 * i + 1] * g[3 * m + 1] + spare[3 * i + 2] * g[3 * m + 2]
                    s += lam * d[9] * area[3 * m + i]
                    mixed[b + i] += s
                    mixed[low + i] -= s
            for b in range(a + 1):
                s = 0.0
                for i in range(9):
                    s += d[i] * changes[10 * b + i]
                gram[a * columns + b] += mu * s + lam * d[9] * changes[10 * b + 9]
    for a in range(columns):
        for b in range(a):
            gram[b * columns + a] = gram[a * columns + b]
