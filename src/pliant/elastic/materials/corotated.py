# mypy: disallow-untyped-defs=False, check-untyped-defs=False
"""Corotated linear elasticity: Hooke's law in the frame of the rotation that is in F.

    density  mu |F - R|^2 + lambda/2 (tr(R^T F) - 3)^2,    F = R S, R a proper rotation

    P       = 2 mu (F - R) + lambda (tr S - 3) R
    Hessian 2 mu 1 + lambda R R^T + (lambda (tr S - 3) - 2 mu) dR/dF

dR/dF is 2 / (s_i + s_j) for turning one axis of the stretch against another and nothing for all else, so that only
these three can be negative; positive definite: they are cut at zero. `mu` and `lambda` are Lamé's."""

import numpy as np

from pliant.elastic.materials.singular import singular
from pliant.elastic.materials.small import deformation
from pliant.elastic.materials.writing import write_forces, write_isotropic_blocks
from pliant.runtime.jit import kernel

HESSIAN = 2  # levels: 0 energy, 1 and gradient, 2 and positive definite Hessian, 3 and exact Hessian
LEAST_SUM = 1e-9  # of s_i + s_j, which is zero where R is not known


@kernel("d[] i[] d[] d[] d[] i i i d[] d[] d[]")
def corotated(x, tets, inverses, volumes, moduli, level, first, last, energies, forces, blocks):
    """Tets first to last: energies (T,), forces (9 T,) and blocks (54 T,) as far as `level` asks (kernels.py).
    moduli: mu and lambda of each tet."""
    f = np.empty(9)
    u = np.empty(9)
    v = np.empty(9)
    s = np.empty(3)
    room = np.empty(18)
    stretch = np.empty(6)
    twist = np.empty(3)
    flip = np.empty(3)
    for t in range(first, last):
        f[0], f[1], f[2], f[3], f[4], f[5], f[6], f[7], f[8] = deformation(x, tets, inverses, t)
        mu = moduli[2 * t] * volumes[t]
        lam = moduli[2 * t + 1] * volumes[t]
        singular(f, u, v, s, room)
        q0, q1, q2 = s[0] - 1.0, s[1] - 1.0, s[2] - 1.0
        trace = q0 + q1 + q2
        energies[t] = mu * (q0 * q0 + q1 * q1 + q2 * q2) + 0.5 * lam * trace * trace
        if level == 0:
            continue
        # P = U diag(2 mu (s - 1) + lambda trace) V^T
        q0, q1, q2 = 2.0 * mu * q0 + lam * trace, 2.0 * mu * q1 + lam * trace, 2.0 * mu * q2 + lam * trace
        for i in range(3):
            for k in range(3):
                room[3 * i + k] = (
                    u[3 * i] * q0 * v[3 * k] + u[3 * i + 1] * q1 * v[3 * k + 1] + u[3 * i + 2] * q2 * v[3 * k + 2]
                )
        write_forces(
            room[0], room[1], room[2], room[3], room[4], room[5], room[6], room[7], room[8], inverses, t, forces
        )
        if level < HESSIAN:
            continue
        turning = 2.0 * (lam * trace - 2.0 * mu)
        stretch[0] = stretch[1] = stretch[2] = 2.0 * mu + lam
        stretch[3] = stretch[4] = stretch[5] = lam
        flip[0] = flip[1] = flip[2] = 2.0 * mu
        twist[0] = 2.0 * mu + turning / max(s[1] + s[2], LEAST_SUM)
        twist[1] = 2.0 * mu + turning / max(s[0] + s[2], LEAST_SUM)
        twist[2] = 2.0 * mu + turning / max(s[0] + s[1], LEAST_SUM)
        if level == HESSIAN:
            for i in range(3):
                # where R is hardly known the stiffness is beyond all bounds, though nothing is gained by obeying it
                twist[i] = min(max(twist[i], 0.0), 4.0 * mu + abs(turning))
        write_isotropic_blocks(u, v, stretch, twist, flip, inverses, t, blocks, room)
