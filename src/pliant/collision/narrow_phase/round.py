# mypy: disallow-untyped-defs=False, check-untyped-defs=False
"""Balls and ellipsoids against one another.

An ellipsoid reaches r(n) = sqrt(n^T H n), H = E diag(a^2, b^2, c^2) E^T, in the direction n. Two of them are apart by

    s(n) = d . n - r_a(n) - r_b(n),   d from the centre of b to that of a,

along the n for which s is greatest. There n points from the place b touches to the place a touches. Ascent from the
line of centres: each round turns n by the part of the gradient across it, over |d|. Balls are done with the first n."""

import math

from pliant.runtime.jit import inner, part

ASCENT_ROUNDS = 4


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


@part
def gap_of_round(hulls, i, radius_i, j, radius_j, d0, d1, d2):
    """Gap and normal (from j to i) of two proxies whose centres are d apart; i, j: their particles."""
    length = math.sqrt(d0 * d0 + d1 * d1 + d2 * d2)
    if length > 0.0:
        n0, n1, n2 = d0 / length, d1 / length, d2 / length
    else:
        n0, n1, n2 = 0.0, 1.0, 0.0
    gap = 0.0
    rounds = 1 if radius_i >= 0.0 and radius_j >= 0.0 else ASCENT_ROUNDS
    for k in range(rounds):
        r, a0, a1, a2 = reach(hulls, i, radius_i, n0, n1, n2)
        s, b0, b1, b2 = reach(hulls, j, radius_j, n0, n1, n2)
        gap = d0 * n0 + d1 * n1 + d2 * n2 - r - s
        if k == rounds - 1:
            break
        t0, t1, t2 = d0 - a0 - b0, d1 - a1 - b1, d2 - a2 - b2  # the gradient; along n it is the gap
        scale = 1.0 / max(length, r + s)
        n0, n1, n2 = n0 + scale * (t0 - gap * n0), n1 + scale * (t1 - gap * n1), n2 + scale * (t2 - gap * n2)
        norm = 1.0 / math.sqrt(n0 * n0 + n1 * n1 + n2 * n2)
        n0, n1, n2 = norm * n0, norm * n1, norm * n2
    return gap, n0, n1, n2
