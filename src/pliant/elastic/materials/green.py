# mypy: disallow-untyped-defs=False, check-untyped-defs=False
"""The material of [Martin+11] (3): Green strain, and a volume term that survives inversion.

    density  mu |E|^2 + lambda/2 (J - 1)^2,    E = (F^T F - 1) / 2,  J = det F

    P       = 2 mu F E + lambda (J - 1) cof F
    Hessian by the edges, blocks m s (appendix A, with G = D^-1):
        mu [F F^T (g_m . g_s) + (F g_s)(F g_m)^T + 2 (g_m . E g_s) 1]
        + lambda [(cof g_m)(cof g_s)^T + (J - 1) d2J]

Positive definite: E loses its negative part in the third term, and d2J is left out. The first two terms and the fourth
are squares of first derivatives.

`mu` and `lambda` are Lamé's. All functions are written for one tet, by scalars."""

from pliant.elastic.materials.small import add_cofactor_turn, deformation, determinant, positive_part
from pliant.elastic.materials.writing import write_forces, write_strain_blocks
from pliant.runtime.jit import kernel

HESSIAN, EXACT = 2, 3  # levels: 0 energy, 1 and gradient, 2 and positive definite Hessian, 3 and exact Hessian


@kernel("d[] i[] d[] d[] d[] i i i d[] d[] d[]")
def green(x, tets, inverses, volumes, moduli, level, first, last, energies, forces, blocks):
    """Tets first to last: energies (T,), forces (9 T,) and blocks (54 T,) as far as `level` asks (kernels.py).
    moduli: mu and lambda of each tet."""
    for t in range(first, last):
        a00, a01, a02, a10, a11, a12, a20, a21, a22 = deformation(x, tets, inverses, t)
        volume = volumes[t]
        mu = moduli[2 * t] * volume
        lam = moduli[2 * t + 1] * volume
        e00 = 0.5 * (a00 * a00 + a10 * a10 + a20 * a20 - 1.0)
        e11 = 0.5 * (a01 * a01 + a11 * a11 + a21 * a21 - 1.0)
        e22 = 0.5 * (a02 * a02 + a12 * a12 + a22 * a22 - 1.0)
        e01 = 0.5 * (a00 * a01 + a10 * a11 + a20 * a21)
        e02 = 0.5 * (a00 * a02 + a10 * a12 + a20 * a22)
        e12 = 0.5 * (a01 * a02 + a11 * a12 + a21 * a22)
        c00, c01, c02, c10, c11, c12, c20, c21, c22, j = determinant(a00, a01, a02, a10, a11, a12, a20, a21, a22)
        strain = e00 * e00 + e11 * e11 + e22 * e22 + 2.0 * (e01 * e01 + e02 * e02 + e12 * e12)
        energies[t] = mu * strain + 0.5 * lam * (j - 1.0) * (j - 1.0)
        if level == 0:
            continue
        q = lam * (j - 1.0)
        m2 = 2.0 * mu
        p00 = m2 * (a00 * e00 + a01 * e01 + a02 * e02) + q * c00
        p01 = m2 * (a00 * e01 + a01 * e11 + a02 * e12) + q * c01
        p02 = m2 * (a00 * e02 + a01 * e12 + a02 * e22) + q * c02
        p10 = m2 * (a10 * e00 + a11 * e01 + a12 * e02) + q * c10
        p11 = m2 * (a10 * e01 + a11 * e11 + a12 * e12) + q * c11
        p12 = m2 * (a10 * e02 + a11 * e12 + a12 * e22) + q * c12
        p20 = m2 * (a20 * e00 + a21 * e01 + a22 * e02) + q * c20
        p21 = m2 * (a20 * e01 + a21 * e11 + a22 * e12) + q * c21
        p22 = m2 * (a20 * e02 + a21 * e12 + a22 * e22) + q * c22
        write_forces(p00, p01, p02, p10, p11, p12, p20, p21, p22, inverses, t, forces)
        if level < HESSIAN:
            continue
        if level == HESSIAN:
            e00, e11, e22, e01, e02, e12 = positive_part(e00, e11, e22, e01, e02, e12)
        write_strain_blocks(
            a00, a01, a02, a10, a11, a12, a20, a21, a22, m2 * e00, m2 * e11, m2 * e22, m2 * e01, m2 * e02, m2 * e12,
            c00, c01, c02, c10, c11, c12, c20, c21, c22, mu, lam, inverses, t, blocks,
        )  # fmt: skip
        if level == EXACT:
            add_cofactor_turn(a00, a01, a02, a10, a11, a12, a20, a21, a22, q, inverses, t, blocks)
