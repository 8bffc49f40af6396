# mypy: disallow-untyped-defs=False, check-untyped-defs=False
"""Interpolation energy (2) and its derivatives, tet by tet:                                       [Martin+11] (2)

    W_I(x, S) = 1/2 sum_t V_t |E_t(x) - S_t|^2,     S the blended strain, as six numbers xx yy zz xy xz yz.

Forces (9 T) and blocks (54 T) are by edges, as in kernels.py. A pose counts by its own six numbers a tet, its
gradient towards the pose is   a_k = -d2 W_I / dx dw_k = sum_t V_t dE_t/dx : E_k,t.
"""

import math

from pliant.elastic.green_parts import (
    add_green_blocks,
    determinant,
    edge_gradient,
    green_strain,
    keep_positive,
    less_six,
    square,
)
from pliant.runtime.jit import kernel, part


@kernel("i[] d[] d[] d[] d[] b d[] d[] d[]")
def blend_terms(tets, inverses, volumes, x, target, exact, forces, blocks, room):
    """Energy; overwrites forces (9 T) and blocks (54 T). Not exact: what is compressed against the target is left out
    of the second derivative, which makes it positive semidefinite. `room` (36)."""
    f = room[:9]
    e = room[9:18]
    r = room[18:27]
    g = room[27:36]
    energy = 0.0
    for t in range(len(volumes)):
        v = volumes[t]
        edge_gradient(tets, inverses, x, t, f)
        green_strain(f, e)
        less_six(e, target, 6 * t)
        energy += v * square(e)
        for i in range(9):
            g[i] = inverses[9 * t + i]
        _force(f, e, g, v, forces, 9 * t)
        if exact:
            for i in range(9):
                r[i] = e[i]
        else:
            keep_positive(e, r)
        at = 54 * t
        for i in range(54):
            blocks[at + i] = 0.0
        add_green_blocks(f, r, g, g, 0.5 * v, v, 0.0, blocks, at)
    return 0.5 * energy


@part
def _force(f, e, g, v, forces, at):
    """v F e g_m for the three edges."""
    for i in range(3):
        s0 = v * (f[3 * i] * e[0] + f[3 * i + 1] * e[3] + f[3 * i + 2] * e[6])
        s1 = v * (f[3 * i] * e[1] + f[3 * i + 1] * e[4] + f[3 * i + 2] * e[7])
        s2 = v * (f[3 * i] * e[2] + f[3 * i + 1] * e[5] + f[3 * i + 2] * e[8])
        for m in range(3):
            forces[at + 3 * m + i] = s0 * g[3 * m] + s1 * g[3 * m + 1] + s2 * g[3 * m + 2]


@kernel("i[] d[] d[] d[] d[] d[] d[]")
def blend_forces(tets, inverses, volumes, x, target, forces, room):
    """Energy and forces (9 T) only; infinite where a tet that counts is inside out. `room` (27)."""
    f = room[:9]
    e = room[9:18]
    g = room[18:27]
    energy = 0.0
    for t in range(len(volumes)):
        edge_gradient(tets, inverses, x, t, f)
        if volumes[t] > 0.0 and determinant(f) <= 0.0:
            energy = energy + math.inf
        green_strain(f, e)
        less_six(e, target, 6 * t)
        energy += volumes[t] * square(e)
        for i in range(9):
            g[i] = inverses[9 * t + i]
        _force(f, e, g, volumes[t], forces, 9 * t)
    return 0.5 * energy


@kernel("d[] d[] i d[]")
def blend_strains(weights, strains, numbers, target):
    """S (6 T) = sum of w_k E_k; `strains` holds the columns one after the other, `numbers` each."""
    for i in range(numbers):
        target[i] = 0.0
    for k in range(len(weights)):
        w = weights[k]
        if w != 0.0:
            at = k * numbers
            for i in range(numbers):
                target[i] += w * strains[at + i]


@kernel("i[] d[] d[] d[] d[] i[] d[] d[]")
def blend_pulls(tets, inverses, volumes, x, strains, chosen, pulls, room):
    """a_k (3 V each, one after the other) of the chosen columns: sum of V dE/dx : E_k. `room` (18)."""
    f = room[:9]
    e = room[9:18]
    count = len(volumes)
    size = len(x)
    for i in range(len(chosen) * size):
        pulls[i] = 0.0
    for t in range(count):
        edge_gradient(tets, inverses, x, t, f)
        for c in range(len(chosen)):
            at = 6 * (chosen[c] * count + t)
            for i in range(9):
                e[i] = 0.0
            less_six(e, strains, at)
            if square(e) == 0.0:
                continue
            low = c * size + 3 * tets[4 * t]
            for i in range(3):
                s0 = -volumes[t] * (f[3 * i] * e[0] + f[3 * i + 1] * e[3] + f[3 * i + 2] * e[6])
                s1 = -volumes[t] * (f[3 * i] * e[1] + f[3 * i + 1] * e[4] + f[3 * i + 2] * e[7])
                s2 = -volumes[t] * (f[3 * i] * e[2] + f[3 * i + 1] * e[5] + f[3 * i + 2] * e[8])
                for m in range(3):
                    g = 9 * t + 3 * m
                    v = s0 * inverses[g] + s1 * inverses[g + 1] + s2 * inverses[g + 2]
                    pulls[c * size + 3 * tets[4 * t + m + 1] + i] += v
                    pulls[low + i] -= v


@kernel("i[] d[] d[] d[] d[] d[] d[] d[]")
def blend_works(tets, inverses, volumes, x, y, strains, works, room):
    """a_k . y of every column at once, for y (3 V): sum of V (F^T grad y) : E_k. `room` (24)."""
    f = room[:9]
    d = room[9:18]
    six = room[18:24]
    count = len(volumes)
    for k in range(len(works)):
        works[k] = 0.0
    for t in range(count):
        edge_gradient(tets, inverses, x, t, f)
        edge_gradient(tets, inverses, y, t, d)
        v = volumes[t]
        for i in range(3):
            six[i] = v * (f[i] * d[i] + f[3 + i] * d[3 + i] + f[6 + i] * d[6 + i])
        six[3] = v * (f[0] * d[1] + f[3] * d[4] + f[6] * d[7] + f[1] * d[0] + f[4] * d[3] + f[7] * d[6])
        six[4] = v * (f[0] * d[2] + f[3] * d[5] + f[6] * d[8] + f[2] * d[0] + f[5] * d[3] + f[8] * d[6])
        six[5] = v * (f[1] * d[2] + f[4] * d[5] + f[7] * d[8] + f[2] * d[1] + f[5] * d[4] + f[8] * d[7])
        for k in range(len(works)):
            a = 6 * (k * count + t)
            works[k] += (
                six[0] * strains[a] + six[1] * strains[a + 1] + six[2] * strains[a + 2]
                + six[3] * strains[a + 3] + six[4] * strains[a + 4] + six[5] * strains[a + 5]
            )  # fmt: skip
