# mypy: disallow-untyped-defs=False, check-untyped-defs=False
"""Small formulas that several materials need."""

import math

from pliant.runtime.jit import part


@part
def deformation(x, tets, inverses, t):
    """F of tet t (9, by rows)."""
    o = 3 * tets[4 * t]
    a00 = a01 = a02 = a10 = a11 = a12 = a20 = a21 = a22 = 0.0
    for m in range(3):
        v = 3 * tets[4 * t + 1 + m]
        u0, u1, u2 = x[v] - x[o], x[v + 1] - x[o + 1], x[v + 2] - x[o + 2]
        g0, g1, g2 = inverses[9 * t + 3 * m], inverses[9 * t + 3 * m + 1], inverses[9 * t + 3 * m + 2]
        a00 += u0 * g0
        a01 += u0 * g1
        a02 += u0 * g2
        a10 += u1 * g0
        a11 += u1 * g1
        a12 += u1 * g2
        a20 += u2 * g0
        a21 += u2 * g1
        a22 += u2 * g2
    return a00, a01, a02, a10, a11, a12, a20, a21, a22


@part
def determinant(a00, a01, a02, a10, a11, a12, a20, a21, a22):
    """The cofactors (9, by rows: dJ/dF) and the determinant J."""
    c00 = a11 * a22 - a12 * a21
    c01 = a12 * a20 - a10 * a22
    c02 = a10 * a21 - a11 * a20
    c10 = a02 * a21 - a01 * a22
    c11 = a00 * a22 - a02 * a20
    c12 = a01 * a20 - a00 * a21
    c20 = a01 * a12 - a02 * a11
    c21 = a02 * a10 - a00 * a12
    c22 = a00 * a11 - a01 * a10
    return c00, c01, c02, c10, c11, c12, c20, c21, c22, a00 * c00 + a01 * c01 + a02 * c02


@part
def add_cofactor_turn(a00, a01, a02, a10, a11, a12, a20, a21, a22, q, inverses, t, blocks):
    """Add q d2J. J is det(u_1 u_2 u_3) det(D^-1), so by the edges its Hessian has cross products: block m s is
    -[u_r] for the third edge r, times the sign of (m s r), times det(D^-1); F gives u_r back by the columns of D."""
    w = 9 * t
    d00, d01, d02, d10, d11, d12, d20, d21, d22, _ = determinant(
        inverses[w], inverses[w + 1], inverses[w + 2], inverses[w + 3], inverses[w + 4], inverses[w + 5],
        inverses[w + 6], inverses[w + 7], inverses[w + 8],
    )  # fmt: skip
    # column r of D is row r of the cofactors of D^-1 over its determinant, which cancels against that of J
    q00 = q * (a00 * d00 + a01 * d01 + a02 * d02)  # q det(D^-1) u_1
    q01 = q * (a10 * d00 + a11 * d01 + a12 * d02)
    q02 = q * (a20 * d00 + a21 * d01 + a22 * d02)
    q10 = q * (a00 * d10 + a01 * d11 + a02 * d12)
    q11 = q * (a10 * d10 + a11 * d11 + a12 * d12)
    q12 = q * (a20 * d10 + a21 * d11 + a22 * d12)
    q20 = q * (a00 * d20 + a01 * d21 + a02 * d22)
    q21 = q * (a10 * d20 + a11 * d21 + a12 * d22)
    q22 = q * (a20 * d20 + a21 * d21 + a22 * d22)
    b = 54 * t
    # dJ/du_1 = u_2 x u_3 (times det D^-1), so block 1 2 is -[u_3], block 1 3 is [u_2], block 2 3 is -[u_1]
    blocks[b + 10] += q22
    blocks[b + 11] -= q21
    blocks[b + 12] -= q22
    blocks[b + 14] += q20
    blocks[b + 15] += q21
    blocks[b + 16] -= q20
    blocks[b + 19] -= q12
    blocks[b + 20] += q11
    blocks[b + 21] += q12
    blocks[b + 23] -= q10
    blocks[b + 24] -= q11
    blocks[b + 25] += q10
    blocks[b + 37] += q02
    blocks[b + 38] -= q01
    blocks[b + 39] -= q02
    blocks[b + 41] += q00
    blocks[b + 42] += q01
    blocks[b + 43] -= q00


@part
def eigenvalues(s00, s11, s22, s01, s02, s12):
    """Of a symmetric matrix, falling."""
    mean = (s00 + s11 + s22) / 3.0
    d0, d1, d2 = s00 - mean, s11 - mean, s22 - mean
    off = s01 * s01 + s02 * s02 + s12 * s12
    p = math.sqrt((d0 * d0 + d1 * d1 + d2 * d2 + 2.0 * off) / 6.0)
    if p == 0.0:
        return mean, mean, mean
    det = d0 * (d1 * d2 - s12 * s12) - s01 * (s01 * d2 - s12 * s02) + s02 * (s01 * s12 - d1 * s02)
    half = det / (2.0 * p * p * p)
    angle = math.acos(min(1.0, max(-1.0, half))) / 3.0
    first = mean + 2.0 * p * math.cos(angle)
    last = mean + 2.0 * p * math.cos(angle + 2.0943951023931953)
    return first, 3.0 * mean - first - last, last


@part
def positive_part(s00, s11, s22, s01, s02, s12):
    """A symmetric matrix without its negative eigenvalues. The one eigenvalue that has another sign than both others is
    taken out by its polynomial, which needs no eigenvectors: S+ = l1 (S - l2)(S - l3) / ((l1 - l2)(l1 - l3)) if only l1
    is positive, S - S- if only l3 is negative."""
    # most tets are hardly strained: a quick look by the leading minors
    minor = s00 * s11 - s01 * s01
    whole = s22 * minor - s12 * (s00 * s12 - s01 * s02) + s02 * (s01 * s12 - s11 * s02)
    if s00 >= 0.0 and minor >= 0.0 and whole > 0.0:
        return s00, s11, s22, s01, s02, s12
    if s00 <= 0.0 and minor >= 0.0 and whole < 0.0:
        return 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    l1, l2, l3 = eigenvalues(s00, s11, s22, s01, s02, s12)
    if l3 >= 0.0:
        return s00, s11, s22, s01, s02, s12
    if l1 <= 0.0:
        return 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    if l2 <= 0.0:  # l1 alone is kept
        lone, a, b, keep = l1, l2, l3, 0.0
    else:  # l3 alone is taken away
        lone, a, b, keep = l3, l1, l2, 1.0
    factor = lone / ((lone - a) * (lone - b))
    factor = factor if keep == 0.0 else -factor
    # (S - a)(S - b) = S S - (a + b) S + a b
    u = a + b
    v = a * b
    q00 = s00 * s00 + s01 * s01 + s02 * s02 - u * s00 + v
    q11 = s01 * s01 + s11 * s11 + s12 * s12 - u * s11 + v
    q22 = s02 * s02 + s12 * s12 + s22 * s22 - u * s22 + v
    q01 = s00 * s01 + s01 * s11 + s02 * s12 - u * s01
    q02 = s00 * s02 + s01 * s12 + s02 * s22 - u * s02
    q12 = s01 * s02 + s11 * s12 + s12 * s22 - u * s12
    return (
        keep * s00 + factor * q00, keep * s11 + factor * q11, keep * s22 + factor * q22,
        keep * s01 + factor * q01, keep * s02 + factor * q02, keep * s12 + factor * q12,
    )  # fmt: skip
