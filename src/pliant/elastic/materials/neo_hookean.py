# mypy: disallow-untyped-defs=False, check-untyped-defs=False
"""Stable neo-Hookean material [Smith, de Goes & Kim 2018]: rubber that can be squashed flat and turned inside out.

    density  m/2 (|F|^2 - 3) - m/2 log((|F|^2 + 1) / 4) + l/2 ((J - a)^2 - (J_0 - a)^2),   J = det F, J_0 = 1,
             a = 1 + 3/4 m/l, so that rest is at rest

    P       = m (1 - 1/(|F|^2 + 1)) F + l (J - a) cof F
    Hessian m (1 - 1/(|F|^2 + 1)) 1 + 2 m/(|F|^2 + 1)^2 F F^T + l cof cof^T + l (J - a) d2J

For small strains it is Hooke's law with Lamé's mu = 3/4 m and lambda = l - 5/8 m: m = 4/3 mu and l = lambda + 5/6 mu.
Positive definite: in the frame of the singular values the Hessian falls apart in a 3x3 matrix of the stretches and six
single numbers, each of which loses what is negative."""

import math

import numpy as np

from pliant.elastic.materials.singular import singular
from pliant.elastic.materials.small import add_cofactor_turn, deformation, determinant, positive_part
from pliant.elastic.materials.writing import write_forces, write_isotropic_blocks
from pliant.runtime.jit import kernel

HESSIAN, EXACT = 2, 3  # levels: 0 energy, 1 and gradient, 2 and positive definite Hessian, 3 and exact Hessian


@kernel("d[] i[] d[] d[] d[] i i i d[] d[] d[]")
def neo_hookean(x, tets, inverses, volumes, moduli, level, first, last, energies, forces, blocks):
    """Tets first to last: energies (T,), forces (9 T,) and blocks (54 T,) as far as `level` asks (kernels.py).
    moduli: Lamé's mu and lambda of each tet."""
    f = np.empty(9)
    u = np.empty(9)
    v = np.empty(9)
    s = np.empty(3)
    room = np.empty(18)
    stretch = np.empty(6)
    twist = np.empty(3)
    flip = np.empty(3)
    for t in range(first, last):
        a00, a01, a02, a10, a11, a12, a20, a21, a22 = deformation(x, tets, inverses, t)
        mu = 4.0 / 3.0 * moduli[2 * t] * volumes[t]
        lam = (moduli[2 * t + 1] + 5.0 / 6.0 * moduli[2 * t]) * volumes[t]
        c00, c01, c02, c10, c11, c12, c20, c21, c22, j = determinant(a00, a01, a02, a10, a11, a12, a20, a21, a22)
        above = 0.75 * mu / lam
        beyond = j - 1.0
        square = (
            a00 * a00 + a01 * a01 + a02 * a02 + a10 * a10 + a11 * a11 + a12 * a12 + a20 * a20 + a21 * a21 + a22 * a22
        )
        # (J - a)^2 - (1 - a)^2 = (J - 1) (J - 1 - 2 (a - 1))
        energies[t] = 0.5 * (
            mu * (square - 3.0 - math.log1p((square - 3.0) / 4.0)) + lam * beyond * (beyond - 2.0 * above)
        )
        if level == 0:
            continue
        q = lam * (beyond - above)
        w = mu * (1.0 - 1.0 / (square + 1.0))
        write_forces(
            w * a00 + q * c00, w * a01 + q * c01, w * a02 + q * c02,
            w * a10 + q * c10, w * a11 + q * c11, w * a12 + q * c12,
            w * a20 + q * c20, w * a21 + q * c21, w * a22 + q * c22, inverses, t, forces,
        )  # fmt: skip
        if level < HESSIAN:
            continue
        f[0], f[1], f[2], f[3], f[4], f[5], f[6], f[7], f[8] = a00, a01, a02, a10, a11, a12, a20, a21, a22
        singular(f, u, v, s, room)
        z = 2.0 * mu / ((square + 1.0) * (square + 1.0))
        s0, s1, s2 = s[0], s[1], s[2]
        d0, d1, d2 = s1 * s2, s0 * s2, s0 * s1
        turn = q if level == HESSIAN else 0.0  # exact: d2J is added by the edges, all of it
        k00 = w + z * s0 * s0 + lam * d0 * d0
        k11 = w + z * s1 * s1 + lam * d1 * d1
        k22 = w + z * s2 * s2 + lam * d2 * d2
        k01 = z * s0 * s1 + lam * d0 * d1 + turn * s2
        k02 = z * s0 * s2 + lam * d0 * d2 + turn * s1
        k12 = z * s1 * s2 + lam * d1 * d2 + turn * s0
        if level == HESSIAN:
            k00, k11, k22, k01, k02, k12 = positive_part(k00, k11, k22, k01, k02, k12)
        stretch[0], stretch[1], stretch[2], stretch[3], stretch[4], stretch[5] = k00, k11, k22, k01, k02, k12
        for i in range(3):
            twist[i] = w + turn * s[i]
            flip[i] = w - turn * s[i]
            if level == HESSIAN:
                twist[i] = max(twist[i], 0.0)
                flip[i] = max(flip[i], 0.0)
        write_isotropic_blocks(u, v, stretch, twist, flip, inverses, t, blocks, room)
        if level == EXACT:
            add_cofactor_turn(a00, a01, a02, a10, a11, a12, a20, a21, a22, q, inverses, t, blocks)
