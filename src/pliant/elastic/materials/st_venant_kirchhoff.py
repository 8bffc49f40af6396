# mypy: disallow-untyped-defs=False, check-untyped-defs=False
"""St. Venant and Kirchhoff's material: Hooke's law with Green strain.

    density  mu |E|^2 + lambda/2 tr(E)^2,    E = (F^T F - 1) / 2

    S       = 2 mu E + lambda tr(E) 1,   P = F S
    Hessian by the edges, blocks m s:
        mu [F F^T (g_m . g_s) + (F g_s)(F g_m)^T] + lambda (F g_m)(F g_s)^T + (g_m . S g_s) 1

Positive definite: S loses its negative part. Squashed to about half its size the material gives way, and inside out it
knows no way back: E does not tell a tet from its mirror image. `mu` and `lambda` are Lamé's."""

from pliant.elastic.materials.small import deformation, positive_part
from pliant.elastic.materials.writing import write_forces, write_strain_blocks
from pliant.runtime.jit import kernel

HESSIAN = 2  # levels: 0 energy, 1 and gradient, 2 and positive definite Hessian, 3 and exact Hessian


@kernel("d[] i[] d[] d[] d[] i i i d[] d[] d[]")
def st_venant_kirchhoff(x, tets, inverses, volumes, moduli, level, first, last, energies, forces, blocks):
    """Tets first to last: energies (T,), forces (9 T,) and blocks (54 T,) as far as `level` asks (kernels.py).
    moduli: mu and lambda of each tet."""
    for t in range(first, last):
        a00, a01, a02, a10, a11, a12, a20, a21, a22 = deformation(x, tets, inverses, t)
        mu = moduli[2 * t] * volumes[t]
        lam = moduli[2 * t + 1] * volumes[t]
        e00 = 0.5 * (a00 * a00 + a10 * a10 + a20 * a20 - 1.0)
        e11 = 0.5 * (a01 * a01 + a11 * a11 + a21 * a21 - 1.0)
        e22 = 0.5 * (a02 * a02 + a12 * a12 + a22 * a22 - 1.0)
        e01 = 0.5 * (a00 * a01 + a10 * a11 + a20 * a21)
        e02 = 0.5 * (a00 * a02 + a10 * a12 + a20 * a22)
        e12 = 0.5 * (a01 * a02 + a11 * a12 + a21 * a22)
        trace = e00 + e11 + e22
        strain = e00 * e00 + e11 * e11 + e22 * e22 + 2.0 * (e01 * e01 + e02 * e02 + e12 * e12)
        energies[t] = mu * strain + 0.5 * lam * trace * trace
        if level == 0:
            continue
        s00 = 2.0 * mu * e00 + lam * trace
        s11 = 2.0 * mu * e11 + lam * trace
        s22 = 2.0 * mu * e22 + lam * trace
        s01, s02, s12 = 2.0 * mu * e01, 2.0 * mu * e02, 2.0 * mu * e12
        write_forces(
            a00 * s00 + a01 * s01 + a02 * s02, a00 * s01 + a01 * s11 + a02 * s12, a00 * s02 + a01 * s12 + a02 * s22,
            a10 * s00 + a11 * s01 + a12 * s02, a10 * s01 + a11 * s11 + a12 * s12, a10 * s02 + a11 * s12 + a12 * s22,
            a20 * s00 + a21 * s01 + a22 * s02, a20 * s01 + a21 * s11 + a22 * s12, a20 * s02 + a21 * s12 + a22 * s22,
            inverses, t, forces,
        )  # fmt: skip
        if level < HESSIAN:
            continue
        if level == HESSIAN:
            s00, s11, s22, s01, s02, s12 = positive_part(s00, s11, s22, s01, s02, s12)
        write_strain_blocks(
            a00, a01, a02, a10, a11, a12, a20, a21, a22, s00, s11, s22, s01, s02, s12,
            a00, a01, a02, a10, a11, a12, a20, a21, a22, mu, lam, inverses, t, blocks,
        )  # fmt: skip
