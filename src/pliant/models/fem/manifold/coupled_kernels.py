# mypy: disallow-untyped-defs=False, check-untyped-defs=False
"""The numbers of the coupled matrix (coupled.py)."""

import numpy as np

from pliant.models.fem.manifold.attraction import ATTRACTION_ROW
from pliant.runtime.jit import kernel


@kernel("i[] i[] i[] i[] d[] d[] d[]")
def add_couplings(tets, pointers, mixed_starts, own_starts, blocks, kept, values):
    """Add the example potential: with K_ab the block of corners a and b by x, that of x_a and x_w,b is -K_ab F, and
    that of x_w,a and x_w,b is F^T K_ab F, for moving x_w by U is moving x by -F U."""
    k = np.zeros(144)
    for t in range(len(tets) // 4):
        f = kept[ATTRACTION_ROW * t : ATTRACTION_ROW * t + 9]
        at = 54 * t
        for i in range(144):
            k[i] = 0.0
        # corners 1 to 3 are the edges; corner 0 is minus their sum
        for m in range(3):
            for n in range(m, 3):
                for i in range(3):
                    for j in range(3):
                        v = blocks[at + 3 * i + j]
                        k[9 * (4 * (m + 1) + n + 1) + 3 * i + j] = v
                        k[9 * (4 * (n + 1) + m + 1) + 3 * j + i] = v
                at += 9
        for m in range(1, 4):
            for i in range(9):
                s = k[9 * (4 * m + 1) + i] + k[9 * (4 * m + 2) + i] + k[9 * (4 * m + 3) + i]
                k[9 * 4 * m + i] = -s
        for n in range(4):
            for i in range(9):
                s = k[9 * (4 + n) + i] + k[9 * (8 + n) + i] + k[9 * (12 + n) + i]
                k[9 * n + i] = -s
        for a in range(4):
            for b in range(4):
                block = 9 * (4 * a + b)
                column = 3 * tets[4 * t + b]
                mixed = mixed_starts[16 * t + 4 * a + b]
                own = own_starts[16 * t + 4 * a + b]
                same = tets[4 * t + a] == tets[4 * t + b]
                for j in range(3):
                    shift = pointers[column + j] - pointers[column]
                    k0 = k[block] * f[j] + k[block + 1] * f[3 + j] + k[block + 2] * f[6 + j]
                    k1 = k[block + 3] * f[j] + k[block + 4] * f[3 + j] + k[block + 5] * f[6 + j]
                    k2 = k[block + 6] * f[j] + k[block + 7] * f[3 + j] + k[block + 8] * f[6 + j]
                    values[mixed + shift] -= k0
                    values[mixed + shift + 1] -= k1
                    values[mixed + shift + 2] -= k2
                    if own >= 0:
                        for i in range(j + 1 if same else 3):
                            values[own + shift + i] += f[i] * k0 + f[3 + i] * k1 + f[6 + i] * k2


@kernel("i[] i[] d[] d[] i[] i[] i d d[] d[]")
def add_square(pointers, rows, hessian, scale, out_pointers, out_rows, size, factor, work, values):
    """Add factor H diag(scale) H to the rows of x_w, for the whole symmetric H. `work` (size) is zero before and
    after."""
    for c in range(size):
        for p in range(pointers[c], pointers[c + 1]):
            k = rows[p]
            s = hessian[p] * scale[k]
            for q in range(pointers[k], pointers[k + 1]):
                work[rows[q]] += hessian[q] * s
        for p in range(out_pointers[c], out_pointers[c + 1]):
            r = out_rows[p]
            if r >= size:
                values[p] += factor * work[r - size]
        for p in range(pointers[c], pointers[c + 1]):
            k = rows[p]
            for q in range(pointers[k], pointers[k + 1]):
                work[rows[q]] = 0.0
