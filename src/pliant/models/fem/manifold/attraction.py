# mypy: disallow-untyped-defs=False, check-untyped-defs=False
"""The example potential W(x_w, x), tet by tet: the energy (3) of x measured from the blended shape x_w instead of rest.

    W = sum_t c_t V_t [ mu_t |E|^2 + lambda_t/2 (J - 1)^2 ],   F = d(x) D(x_w)^-1,  E = (F^T F - 1)/2,  J = det F

V is the volume at rest. If x moves by u and x_w by U, then F changes by  dF = grad u - F grad U  (gradients in x_w) in
first order: moving x_w by U is moving x by -F U, tet by tet. So with H_F the second derivative of the density by F, its
positive part, all blocks of the joint Hessian come from that one linear map, and the whole is positive semidefinite:

    H_F[dF] = 2 mu (F sym(F^T dF) + dF E+) + lambda cof F (cof F : dF)

E+ is the positive part of E; what the second derivatives of J and of F by x_w would add is left out.

Forces and blocks are by edges (elastic/kernels.py). `kept` holds F, D(x_w)^-1, cof F and E+ of every tet.
"""

import math

from pliant.elastic.green_parts import add_green_blocks, cofactor, determinant, green_strain, keep_positive, square
from pliant.runtime.jit import kernel, part

ATTRACTION_ROW = 36


@part
def _inverse_edges(tets, inverses, shape, t, d, g):
    """D(x_w)^-1 into g, by way of D in d. The sign of det D against rest: false if inside out or flat."""
    a = 3 * tets[4 * t]
    for m in range(3):
        b = 3 * tets[4 * t + m + 1]
        for i in range(3):
            d[3 * i + m] = shape[b + i] - shape[a + i]
    volume = determinant(d)
    if volume * determinant(inverses[9 * t : 9 * t + 9]) <= 0.0:
        return False
    cofactor(d, g)
    for i in range(3):
        for j in range(i + 1, 3):
            s = g[3 * i + j]
            g[3 * i + j] = g[3 * j + i]
            g[3 * j + i] = s
    for i in range(9):
        g[i] /= volume
    return True


@part
def _gradient(tets, g, x, t, f):
    """F of tet t at x, with rows g of the inverse edges."""
    a = 3 * tets[4 * t]
    for i in range(9):
        f[i] = 0.0
    for m in range(3):
        b = 3 * tets[4 * t + m + 1]
        for i in range(3):
            u = x[b + i] - x[a + i]
            for j in range(3):
                f[3 * i + j] += u * g[3 * m + j]


@kernel("i[] d[] d[] d[] d[] d[] d[]")
def attraction_energy(tets, inverses, shear, bulk, shape, x, room):
    """W; infinite where x_w is inside out. shear, bulk (T): c V mu and c V lambda. `room` (27)."""
    d = room[:9]
    g = room[9:18]
    e = room[18:27]
    energy = 0.0
    for t in range(len(shear)):
        if shear[t] == 0.0 and bulk[t] == 0.0:
            continue
        if not _inverse_edges(tets, inverses, shape, t, d, g):
            return math.inf
        _gradient(tets, g, x, t, d)
        green_strain(d, e)
        j = determinant(d) - 1.0
        energy += shear[t] * square(e) + 0.5 * bulk[t] * j * j
    return energy


@kernel("i[] d[] d[] d[] d[] d[] d[] d[] d[] d[] d[]")
def attraction_terms(tets, inverses, shear, bulk, shape, x, forces, pulls, blocks, kept, room):
    """W; adds dW/dx to forces (9 T) and the positive Hessian to blocks (54 T); overwrites pulls (9 T), dW/dx_w, and
    `kept` (36 T). `room` (27)."""
    d = room[:9]
    e = room[9:18]
    p = room[18:27]
    energy = 0.0
    for t in range(len(shear)):
        f = kept[ATTRACTION_ROW * t : ATTRACTION_ROW * t + 9]
        g = kept[ATTRACTION_ROW * t + 9 : ATTRACTION_ROW * t + 18]
        c = kept[ATTRACTION_ROW * t + 18 : ATTRACTION_ROW * t + 27]
        r = kept[ATTRACTION_ROW * t + 27 : ATTRACTION_ROW * t + 36]
        mu = shear[t]
        lam = bulk[t]
        if mu == 0.0 and lam == 0.0:
            for i in range(9):
                pulls[9 * t + i] = 0.0
            continue
        if not _inverse_edges(tets, inverses, shape, t, d, g):
            return math.inf
        _gradient(tets, g, x, t, f)
        green_strain(f, e)
        cofactor(f, c)
        j = f[0] * c[0] + f[1] * c[1] + f[2] * c[2] - 1.0
        energy += mu * square(e) + 0.5 * lam * j * j
        for i in range(3):
            for k in range(3):
                p[3 * i + k] = lam * j * c[3 * i + k] + 2.0 * mu * (
                    f[3 * i] * e[k] + f[3 * i + 1] * e[3 + k] + f[3 * i + 2] * e[6 + k]
                )
        for i in range(3):
            for k in range(3):
                d[3 * i + k] = -(f[i] * p[k] + f[3 + i] * p[3 + k] + f[6 + i] * p[6 + k])
        for m in range(3):
            for i in range(3):
                at = 9 * t + 3 * m + i
                forces[at] += p[3 * i] * g[3 * m] + p[3 * i + 1] * g[3 * m + 1] + p[3 * i + 2] * g[3 * m + 2]
                pulls[at] = d[3 * i] * g[3 * m] + d[3 * i + 1] * g[3 * m + 1] + d[3 * i + 2] * g[3 * m + 2]
        keep_positive(e, r)
        for m in range(3):
            for i in range(3):
                p[3 * m + i] = c[3 * i] * g[3 * m] + c[3 * i + 1] * g[3 * m + 1] + c[3 * i + 2] * g[3 * m + 2]
        add_green_blocks(f, r, g, p, mu, 2.0 * mu, lam, blocks, 54 * t)
    return energy


@kernel("i[] d[] d[] d[] d[] d[] d[] d[]")
def attraction_couplings(tets, shear, bulk, kept, moves, mixed, gram, room):
    """If x_w moves along columns U (3 V each, one after the other): the mixed second derivatives by x and by each of
    them (3 V each), and those by two of them (K K). Overwrites. `room` (9 + 18 K)."""
    count = len(shear)
    k = int(math.sqrt(len(gram) + 0.5))
    if k == 0:
        return
    size = len(mixed) // k
    u = room[:9]
    changes = room[9 : 9 + 9 * k]
    answers = room[9 + 9 * k : 9 + 18 * k]
    for i in range(len(mixed)):
        mixed[i] = 0.0
    for i in range(k * k):
        gram[i] = 0.0
    for t in range(count):
        mu = shear[t]
        lam = bulk[t]
        if mu == 0.0 and lam == 0.0:
            continue
        f = kept[ATTRACTION_ROW * t : ATTRACTION_ROW * t + 9]
        g = kept[ATTRACTION_ROW * t + 9 : ATTRACTION_ROW * t + 18]
        c = kept[ATTRACTION_ROW * t + 18 : ATTRACTION_ROW * t + 27]
        r = kept[ATTRACTION_ROW * t + 27 : ATTRACTION_ROW * t + 36]
        for a in range(k):
            _gradient(tets, g, moves[a * size : (a + 1) * size], t, u)
            d = changes[9 * a : 9 * a + 9]
            q = answers[9 * a : 9 * a + 9]
            for i in range(3):
                for j in range(3):
                    d[3 * i + j] = -(f[3 * i] * u[j] + f[3 * i + 1] * u[3 + j] + f[3 * i + 2] * u[6 + j])
            answer(f, c, r, d, mu, lam, u, q)
            low = a * size + 3 * tets[4 * t]
            for m in range(3):
                at = a * size + 3 * tets[4 * t + m + 1]
                for i in range(3):
                    s = q[3 * i] * g[3 * m] + q[3 * i + 1] * g[3 * m + 1] + q[3 * i + 2] * g[3 * m + 2]
                    mixed[at + i] += s
                    mixed[low + i] -= s
            for b in range(a + 1):
                s = 0.0
                for i in range(9):
                    s += q[i] * changes[9 * b + i]
                gram[a * k + b] += s
    for a in range(k):
        for b in range(a):
            gram[b * k + a] = gram[a * k + b]


@part
def answer(f, c, r, d, mu, lam, strain, q):
    """q = H_F[d]; `strain` (9) is room for sym(F^T d)."""
    for i in range(3):
        for j in range(3):
            strain[3 * i + j] = 0.5 * (
                f[i] * d[j] + f[3 + i] * d[3 + j] + f[6 + i] * d[6 + j]
                + f[j] * d[i] + f[3 + j] * d[3 + i] + f[6 + j] * d[6 + i]
            )  # fmt: skip
    volume = 0.0
    for i in range(9):
        volume += c[i] * d[i]
    volume *= lam
    for i in range(3):
        for j in range(3):
            s = f[3 * i] * strain[j] + f[3 * i + 1] * strain[3 + j] + f[3 * i + 2] * strain[6 + j]
            s += d[3 * i] * r[j] + d[3 * i + 1] * r[3 + j] + d[3 * i + 2] * r[6 + j]
            q[3 * i + j] = 2.0 * mu * s + volume * c[3 * i + j]
