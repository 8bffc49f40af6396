# mypy: disallow-untyped-defs=False, check-untyped-defs=False
"""Balls and ellipsoids against one another.

An ellipsoid reaches r(n) = sqrt(n^T H n), H = E diag(a^2, b^2, c^2) E^T, in the direction n. Two of them are apart by

    s(n) = d . n - r_a(n) - r_b(n),   d from the centre of b to that of a,

along the n for which s is greatest. There n points from the place b touches to the place a touches, d = H_a n / r_a +
H_b n / r_b + s n, so

    n  ~  (H_a / r_a + H_b / r_b + s 1)^-1 d

which is iterated, with s > 0 only: then the matrix is positive, and where the two overlap n goes to the shortest way
out all the same, more slowly. It begins with the line of centres, or with what was found a sub-step ago. Balls are done
with the line of centres."""

import math

from pliant.runtime.jit import inner, part

FIRST_ROUNDS = 6  # from the line of centres: the gap is right to 2 % of a radius
FURTHER_ROUNDS = 2  # from what was found a sub-step ago


@inner
def reach(hulls, i, radius, n0, n1, n2):
    """How far a proxy goes along a unit vector, and the point there from its centre."""
    if radius >= 0.0:
        return radius, radius * n0, radius * n1, radius * n2
    h = 6 * i
    t0 = hulls[h] * n0 + hulls[h + 3] * n1 + hulls[h + 4] * n2
    t1 = hulls[h + 3] * n0 + hulls[h + 1] * n1 + hulls[h + 5] * n2
    t2 = hulls[h + 4] * n0 + hulls[h + 5] * n1 + hulls[h + 2] * n2
    r = math.sqrt(max(t0 * n0 + t1 * n1 + t2 * n2, 1e-300))
    return r, t0 / r, t1 / r, t2 / r


@inner
def matrix(hulls, i, radius, r):
    """H / r of a proxy: 00 11 22 01 02 12."""
    if radius >= 0.0:
        return radius, radius, radius, 0.0, 0.0, 0.0
    h, k = 6 * i, 1.0 / r
    return (
        k * hulls[h], k * hulls[h + 1], k * hulls[h + 2], k * hulls[h + 3], k * hulls[h + 4], k * hulls[h + 5],
    )  # fmt: skip


@part
def gap_of_round(hulls, i, radius_i, j, radius_j, d0, d1, d2, n0, n1, n2, rounds, limit):
    """Gap and normal (from j to i) of two proxies whose centres are d apart; i, j: their particles. n: where it
    begins. They are never less apart than along any n: once that is more than the limit, it is enough to know."""
    if radius_i >= 0.0 and radius_j >= 0.0:
        length = math.sqrt(d0 * d0 + d1 * d1 + d2 * d2)
        if length > 0.0:
            n0, n1, n2 = d0 / length, d1 / length, d2 / length
        return length - radius_i - radius_j, n0, n1, n2
    for _round in range(rounds):
        r, _, _, _ = reach(hulls, i, radius_i, n0, n1, n2)
        s, _, _, _ = reach(hulls, j, radius_j, n0, n1, n2)
        gap = max(d0 * n0 + d1 * n1 + d2 * n2 - r - s, 0.0)
        if gap > limit:
            return gap, n0, n1, n2
        a00, a11, a22, a01, a02, a12 = matrix(hulls, i, radius_i, r)
        b00, b11, b22, b01, b02, b12 = matrix(hulls, j, radius_j, s)
        a00, a11, a22 = a00 + b00 + gap, a11 + b11 + gap, a22 + b22 + gap
        a01, a02, a12 = a01 + b01, a02 + b02, a12 + b12
        c00, c01, c02 = a11 * a22 - a12 * a12, a02 * a12 - a01 * a22, a01 * a12 - a02 * a11
        c11, c12, c22 = a00 * a22 - a02 * a02, a01 * a02 - a00 * a12, a00 * a11 - a01 * a01
        t0, t1, t2 = c00 * d0 + c01 * d1 + c02 * d2, c01 * d0 + c11 * d1 + c12 * d2, c02 * d0 + c12 * d1 + c22 * d2
        length = math.sqrt(t0 * t0 + t1 * t1 + t2 * t2)
        if length > 0.0:
            n0, n1, n2 = t0 / length, t1 / length, t2 / length
    return apart_along(hulls, i, radius_i, j, radius_j, d0, d1, d2, n0, n1, n2), n0, n1, n2


@inner
def apart_along(hulls, i, radius_i, j, radius_j, d0, d1, d2, n0, n1, n2):
    """How far two proxies are apart along a unit vector: never more than they are."""
    r, _, _, _ = reach(hulls, i, radius_i, n0, n1, n2)
    s, _, _, _ = reach(hulls, j, radius_j, n0, n1, n2)
    return d0 * n0 + d1 * n1 + d2 * n2 - r - s
