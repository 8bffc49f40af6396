# mypy: disallow-untyped-defs=False, check-untyped-defs=False
"""From stress and stiffness of one tet to its numbers by the edges: see pliant.elastic.kernels for their order."""

from pliant.runtime.jit import part


@part
def write_forces(p00, p01, p02, p10, p11, p12, p20, p21, p22, inverses, t, forces):
    """volume * P g_m for the three edges; P comes times the volume."""
    for m in range(3):
        g0, g1, g2 = inverses[9 * t + 3 * m], inverses[9 * t + 3 * m + 1], inverses[9 * t + 3 * m + 2]
        forces[9 * t + 3 * m] = p00 * g0 + p01 * g1 + p02 * g2
        forces[9 * t + 3 * m + 1] = p10 * g0 + p11 * g1 + p12 * g2
        forces[9 * t + 3 * m + 2] = p20 * g0 + p21 * g1 + p22 * g2


@part
def write_strain_blocks(
    a00, a01, a02, a10, a11, a12, a20, a21, a22, t00, t11, t22, t01, t02, t12,
    c00, c01, c02, c10, c11, c12, c20, c21, c22, mu, lam, inverses, t, blocks,
):  # fmt: skip
    """mu [F F^T (g_m . g_s) + (F g_s)(F g_m)^T] + (g_m . T g_s) 1 + lam (C g_m)(C g_s)^T: the Hessian of a material of
    Green strain, F = a, T = t symmetric, C = c."""
    b00 = mu * (a00 * a00 + a01 * a01 + a02 * a02)
    b11 = mu * (a10 * a10 + a11 * a11 + a12 * a12)
    b22 = mu * (a20 * a20 + a21 * a21 + a22 * a22)
    b01 = mu * (a00 * a10 + a01 * a11 + a02 * a12)
    b02 = mu * (a00 * a20 + a01 * a21 + a02 * a22)
    b12 = mu * (a10 * a20 + a11 * a21 + a12 * a22)
    at = 54 * t
    for m in range(3):
        g0, g1, g2 = inverses[9 * t + 3 * m], inverses[9 * t + 3 * m + 1], inverses[9 * t + 3 * m + 2]
        f0 = mu * (a00 * g0 + a01 * g1 + a02 * g2)  # mu F g_m
        f1 = mu * (a10 * g0 + a11 * g1 + a12 * g2)
        f2 = mu * (a20 * g0 + a21 * g1 + a22 * g2)
        d0 = lam * (c00 * g0 + c01 * g1 + c02 * g2)  # lam C g_m
        d1 = lam * (c10 * g0 + c11 * g1 + c12 * g2)
        d2 = lam * (c20 * g0 + c21 * g1 + c22 * g2)
        s0 = t00 * g0 + t01 * g1 + t02 * g2  # T g_m
        s1 = t01 * g0 + t11 * g1 + t12 * g2
        s2 = t02 * g0 + t12 * g1 + t22 * g2
        for s in range(m, 3):
            k0, k1, k2 = inverses[9 * t + 3 * s], inverses[9 * t + 3 * s + 1], inverses[9 * t + 3 * s + 2]
            dot = g0 * k0 + g1 * k1 + g2 * k2
            unit = s0 * k0 + s1 * k1 + s2 * k2
            h0 = a00 * k0 + a01 * k1 + a02 * k2  # F g_s
            h1 = a10 * k0 + a11 * k1 + a12 * k2
            h2 = a20 * k0 + a21 * k1 + a22 * k2
            l0 = c00 * k0 + c01 * k1 + c02 * k2  # C g_s
            l1 = c10 * k0 + c11 * k1 + c12 * k2
            l2 = c20 * k0 + c21 * k1 + c22 * k2
            blocks[at] = b00 * dot + h0 * f0 + unit + d0 * l0
            blocks[at + 1] = b01 * dot + h0 * f1 + d0 * l1
            blocks[at + 2] = b02 * dot + h0 * f2 + d0 * l2
            blocks[at + 3] = b01 * dot + h1 * f0 + d1 * l0
            blocks[at + 4] = b11 * dot + h1 * f1 + unit + d1 * l1
            blocks[at + 5] = b12 * dot + h1 * f2 + d1 * l2
            blocks[at + 6] = b02 * dot + h2 * f0 + d2 * l0
            blocks[at + 7] = b12 * dot + h2 * f1 + d2 * l1
            blocks[at + 8] = b22 * dot + h2 * f2 + unit + d2 * l2
            at += 9


@part
def write_isotropic_blocks(u, v, stretch, twist, flip, inverses, t, blocks, room):
    """The Hessian of any isotropic material from F = U s V^T (u and v by rows). In the frame of U and V only changes of
    the stretches couple with one another, by the symmetric `stretch` (6: 00 11 22 01 02 12); the changes of a pair of
    other entries (12, 02, 01) split in turning them against one another (`twist`) and shearing (`flip`), each with a
    stiffness of its own. So block m s is U B U^T with, G = V^T g,

        B_pp = A_pp G_m,p G_s,p + sum over i of (twist + flip)/2 G_m,i G_s,i
        B_pq = A_pq G_m,p G_s,q + (flip - twist)/2 G_m,q G_s,p

    (twist and flip of the pair p i or p q). All come times the volume; `room` is scratch (18)."""
    s12 = 0.5 * (twist[0] + flip[0])
    s02 = 0.5 * (twist[1] + flip[1])
    s01 = 0.5 * (twist[2] + flip[2])
    d12 = 0.5 * (flip[0] - twist[0])
    d02 = 0.5 * (flip[1] - twist[1])
    d01 = 0.5 * (flip[2] - twist[2])
    a00, a11, a22, a01, a02, a12 = stretch[0], stretch[1], stretch[2], stretch[3], stretch[4], stretch[5]
    for m in range(3):
        w = 9 * t + 3 * m
        for i in range(3):
            room[3 * m + i] = v[i] * inverses[w] + v[3 + i] * inverses[w + 1] + v[6 + i] * inverses[w + 2]
    at = 54 * t
    b = room[9:]
    for m in range(3):
        g0, g1, g2 = room[3 * m], room[3 * m + 1], room[3 * m + 2]
        for s in range(m, 3):
            k0, k1, k2 = room[3 * s], room[3 * s + 1], room[3 * s + 2]
            b[0] = a00 * g0 * k0 + s01 * g1 * k1 + s02 * g2 * k2
            b[4] = a11 * g1 * k1 + s01 * g0 * k0 + s12 * g2 * k2
            b[8] = a22 * g2 * k2 + s02 * g0 * k0 + s12 * g1 * k1
            b[1] = a01 * g0 * k1 + d01 * g1 * k0
            b[3] = a01 * g1 * k0 + d01 * g0 * k1
            b[2] = a02 * g0 * k2 + d02 * g2 * k0
            b[6] = a02 * g2 * k0 + d02 * g0 * k2
            b[5] = a12 * g1 * k2 + d12 * g2 * k1
            b[7] = a12 * g2 * k1 + d12 * g1 * k2
            for i in range(3):
                r0 = u[3 * i] * b[0] + u[3 * i + 1] * b[3] + u[3 * i + 2] * b[6]
                r1 = u[3 * i] * b[1] + u[3 * i + 1] * b[4] + u[3 * i + 2] * b[7]
                r2 = u[3 * i] * b[2] + u[3 * i + 1] * b[5] + u[3 * i + 2] * b[8]
                for k in range(3):
                    blocks[at + 3 * i + k] = r0 * u[3 * k] + r1 * u[3 * k + 1] + r2 * u[3 * k + 2]
            at += 9
