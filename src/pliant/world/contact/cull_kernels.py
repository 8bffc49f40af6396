# mypy: disallow-untyped-defs=False, check-untyped-defs=False
"""Kernels that cull pairs of contact spheres that surely do not touch.

Most pairs that are listed do not touch, and to find that out is what costs: so all that is needed of a sphere for it
stands together in one short row. Only what is not culled comes to the narrow phase (narrow_phase_kernels)."""

import numpy as np

from pliant.runtime.jit import inner, part
from pliant.world.contact.layout import (
    BOUND,
    CANDIDATE_RANGE,
    CONTACT_RANGE,
    COVER,
    CULL_ARM,
    CULL_BOUND,
    CULL_COVER,
    CULL_END,
    CULL_MOVES,
    CULL_RADIUS,
    CULL_ROW,
    CULL_SHAPE,
    CULL_START,
    END_CENTRE,
    OUT,
    PROXY,
    PROXY_INV_MASS,
    RADIUS,
    START_CENTRE,
)  # fmt: skip

U = np.uint64  # unsigned indices: Numba then leaves out the test for negative ones
# of the reach: what is farther is apart, whatever the rounding; of two ellipsoids, and of others
CULL_ELLIPSOIDS, CULL_SPHERES = 1.01 + CANDIDATE_RANGE, 1.01 + CONTACT_RANGE
# By FACING in separation_kernels, with room for rounding: normals whose cosine is more than this do not face each
# other; the same where a rim is one of them; and the square of the cosine with which the other has to be in front.
AVERTED, AVERTED_RIM, LEANING = 0.83, -0.29, 0.088


@part
def write_cull_row(x, cull_rows, s, row, proxies, arm):
    """What culling needs of a sphere. Places are told from the first particle: far from the origin of the world they
    would not be told apart."""
    cull_row = cull_rows[CULL_ROW * s : CULL_ROW * (s + 1)]
    for k in range(3):
        cull_row[CULL_END + k], cull_row[CULL_START + k] = row[END_CENTRE + k] - x[k], row[START_CENTRE + k] - x[k]
    cull_row[CULL_MOVES] = 1.0 if row[PROXY_INV_MASS] > 0.0 else 0.0
    cull_row[CULL_RADIUS], cull_row[CULL_BOUND] = proxies[PROXY * s + RADIUS], proxies[PROXY * s + BOUND]
    cull_row[CULL_SHAPE], cull_row[CULL_SHAPE + 1], cull_row[CULL_SHAPE + 2] = row[OUT], row[OUT + 1], row[OUT + 2]
    cull_row[CULL_ARM], cull_row[CULL_COVER] = arm, proxies[PROXY * s + COVER]


@part
def cull(cull_rows, pairs, begin, count, kept, to):
    """Of pairs of two actors in a list, those that cannot be culled, into `kept` from `to` on. Returns where they end.
    Written without branches: which pair is culled is not to be foreseen, and a processor that guesses wrong loses more
    time than all this takes."""
    if count == 0:
        return to
    s, t = pairs[begin], pairs[begin + 1]  # an actor has ellipsoids or spheres
    if (cull_rows[CULL_ROW * s + CULL_RADIUS] < 0.0) & (cull_rows[CULL_ROW * t + CULL_RADIUS] < 0.0):
        return cull_ellipsoids(cull_rows, pairs, begin, count, kept, to)
    return cull_spheres(cull_rows, pairs, begin, count, kept, to)


@inner
def difference_of(cull_rows, i, j):
    """How two are away from each other (3), the square of that, and whether they may have passed each other."""
    real = cull_rows.dtype.type
    d0 = cull_rows[i] - cull_rows[j]
    d1 = cull_rows[i + U(1)] - cull_rows[j + U(1)]
    d2 = cull_rows[i + U(2)] - cull_rows[j + U(2)]
    b0 = cull_rows[i + U(CULL_START)] - cull_rows[j + U(CULL_START)]
    b1 = cull_rows[i + U(CULL_START + 1)] - cull_rows[j + U(CULL_START + 1)]
    b2 = cull_rows[i + U(CULL_START + 2)] - cull_rows[j + U(CULL_START + 2)]
    square = d0 * d0 + d1 * d1 + d2 * d2
    passing = d0 * b0 + d1 * b1 + d2 * b2 < real(0.5) * (b0 * b0 + b1 * b1 + b2 * b2)
    return d0, d1, d2, square, passing | (square < real(1e-18))


@inner
def cull_ellipsoids(cull_rows, pairs, begin, count, kept, to):
    """Ellipsoids, by how far they reach along the line of their centres:  d^2 > f (r_1 + r_2) |d| , r |d| =
    sqrt(d^T H d) ; the sum of two roots is at most that of twice the sum."""
    real = cull_rows.dtype.type
    farther, zero = real(2.0 * CULL_ELLIPSOIDS * CULL_ELLIPSOIDS), real(0)
    to = U(to)
    for k in range(U(begin), U(begin + count), U(2)):
        s, t = pairs[k], pairs[k + U(1)]
        i, j = U(CULL_ROW) * U(s), U(CULL_ROW) * U(t)
        d0, d1, d2, square, passing = difference_of(cull_rows, i, j)
        u, v = i + U(CULL_SHAPE), j + U(CULL_SHAPE)
        reach = (cull_rows[u] + cull_rows[v]) * d0 * d0 + (cull_rows[u + U(1)] + cull_rows[v + U(1)]) * d1 * d1
        reach += (cull_rows[u + U(2)] + cull_rows[v + U(2)]) * d2 * d2
        cross = (cull_rows[u + U(3)] + cull_rows[v + U(3)]) * d0 * d1 + (
            cull_rows[u + U(4)] + cull_rows[v + U(4)]
        ) * d0 * d2
        cross += (cull_rows[u + U(5)] + cull_rows[v + U(5)]) * d1 * d2
        far = square * square > farther * (reach + cross + cross)
        moves = cull_rows[i + U(CULL_MOVES)] + cull_rows[j + U(CULL_MOVES)] > zero
        kept[to], kept[to + U(1)] = s, t
        to += U(2) * U(moves & (passing | (not far)))
    return np.int64(to)


@inner
def cull_spheres(cull_rows, pairs, begin, count, kept, to):
    """Spheres, by how far their centres are apart, and by normals of flat pieces that do not face each other."""
    real = cull_rows.dtype.type
    beyond, looking, faced, zero = real(CULL_SPHERES), real(AVERTED), real(AVERTED_RIM), real(0)
    to = U(to)
    for k in range(U(begin), U(begin + count), U(2)):
        s, t = pairs[k], pairs[k + U(1)]
        i, j = U(CULL_ROW) * U(s), U(CULL_ROW) * U(t)
        _, _, _, square, passing = difference_of(cull_rows, i, j)
        ra, rb = cull_rows[i + U(CULL_RADIUS)], cull_rows[j + U(CULL_RADIUS)]
        reach = beyond * (ra + rb)
        bound = beyond * (cull_rows[i + U(CULL_BOUND)] + cull_rows[j + U(CULL_BOUND)])
        u = i + U(CULL_SHAPE)
        v = j + U(CULL_SHAPE)
        alike = cull_rows[u] * cull_rows[v] + cull_rows[u + U(1)] * cull_rows[v + U(1)]
        alike += cull_rows[u + U(2)] * cull_rows[v + U(2)]
        flat = (ra >= zero) & (rb >= zero) & (cull_rows[i + U(CULL_ARM)] > zero) & (cull_rows[j + U(CULL_ARM)] > zero)
        ca, cb = cull_rows[i + U(CULL_COVER)], cull_rows[j + U(CULL_COVER)]
        averted = alike > (looking if (ca > zero) & (cb > zero) else faced)
        rim = (ca < zero) | (cb < zero)
        far = (square > bound * bound) | (flat & averted & (rim | (square > reach * reach)))
        moves = cull_rows[i + U(CULL_MOVES)] + cull_rows[j + U(CULL_MOVES)] > zero
        kept[to], kept[to + U(1)] = s, t
        to += U(2) * U(moves & (passing | (not far)))
    return np.int64(to)


@part
def surely_apart(cull_rows, a, b):
    """Whether two that were not culled so far surely do not touch: on flat pieces of skin. `separation` has the last
    word."""
    one, two = cull_rows[CULL_ROW * a : CULL_ROW * (a + 1)], cull_rows[CULL_ROW * b : CULL_ROW * (b + 1)]
    ra, rb, arm, arms = one[CULL_RADIUS], two[CULL_RADIUS], one[CULL_ARM], two[CULL_ARM]
    if ra < 0.0 or rb < 0.0 or arm == 0.0 or arms == 0.0:
        return False
    d0, d1, d2 = (
        one[CULL_END] - two[CULL_END],
        one[CULL_END + 1] - two[CULL_END + 1],
        one[CULL_END + 2] - two[CULL_END + 2],
    )
    b0, b1, b2 = (
        one[CULL_START] - two[CULL_START],
        one[CULL_START + 1] - two[CULL_START + 1],
        one[CULL_START + 2] - two[CULL_START + 2],
    )
    square = d0 * d0 + d1 * d1 + d2 * d2
    if d0 * b0 + d1 * b1 + d2 * b2 < 0.5 * (b0 * b0 + b1 * b1 + b2 * b2) or square < 1e-18:
        return False  # they pass each other
    ca, cb = one[CULL_COVER], two[CULL_COVER]
    reach = CULL_SPHERES * (ra + rb)
    if ca >= 0.0 and cb >= 0.0 and square <= reach * reach:
        return False
    # On flat pieces, as part_flat has it, along w that is not of unit length
    o0, o1, o2, u0, u1, u2 = (
        one[CULL_SHAPE],
        one[CULL_SHAPE + 1],
        one[CULL_SHAPE + 2],
        two[CULL_SHAPE],
        two[CULL_SHAPE + 1],
        two[CULL_SHAPE + 2],
    )
    alike, middles = o0 * u0 + o1 * u1 + o2 * u2, ca > 0.0 and cb > 0.0
    if alike > AVERTED or (alike > AVERTED_RIM and not middles):
        return True
    e0, e1, e2 = d0 + arm * o0 - arms * u0, d1 + arm * o1 - arms * u1, d2 + arm * o2 - arms * u2
    gap, cover = (CULL_SPHERES - 1.0) * (arm + arms), 1.001 * max(abs(ca), abs(cb))
    lean = LEANING * square
    if middles:
        w0, w1, w2 = u0 - o0, u1 - o1, u2 - o2
        return aside(e0, e1, e2, w0, w1, w2, gap, cover) or leans(d0, d1, d2, w0, w1, w2, lean)
    if cb < 0.0 and not (aside(e0, e1, e2, -o0, -o1, -o2, gap, cover) or leans(d0, d1, d2, -o0, -o1, -o2, lean)):
        return False
    return ca > 0.0 or aside(e0, e1, e2, u0, u1, u2, gap, cover) or leans(d0, d1, d2, u0, u1, u2, lean)


@part
def aside(e0, e1, e2, w0, w1, w2, gap, cover):
    """Whether e is farther than the gap along w, which need not be of unit length, or farther than the cover across."""
    long = w0 * w0 + w1 * w1 + w2 * w2
    level = e0 * w0 + e1 * w1 + e2 * w2
    if level > 0.0 and level * level > gap * gap * long:
        return True
    return (e0 * e0 + e1 * e1 + e2 * e2) * long - level * level > cover * cover * long


@part
def leans(d0, d1, d2, w0, w1, w2, lean):
    """Whether d leans too far away from w, of any length, to be in front."""
    along = d0 * w0 + d1 * w1 + d2 * w2
    return along <= 0.0 or along * along < lean * (w0 * w0 + w1 * w1 + w2 * w2)
