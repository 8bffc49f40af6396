"""Kernels that tell at a glance that two contact spheres do not touch.

Most pairs that are listed do not touch, and to find that out is what costs: so all that is needed of a sphere for it
stands together in one short row. Only what a glance cannot rule out is looked at closely (pair_kernels)."""

import numpy as np

from pliant.runtime.jit import inner, part
from pliant.world.contact.layout import (
    ACTIVE,
    BEGIN,
    BOUND,
    BOUNDS,
    BROAD,
    COVER,
    END,
    FLAT,
    GIVE,
    GLANCE,
    HERE,
    MARGIN,
    MOVES,
    OUT,
    RADIUS,
    REACHES,
    SHAPE,
    THERE,
    TRAITS,
)  # fmt: skip

U = np.uint64  # unsigned indices: Numba then leaves out the test for negative ones
# of the reach: who is farther is apart, whatever the rounding of a glance; of two ellipsoids, and of others
ROUND_ONES, GLANCING = 1.01 + MARGIN, 1.01 + ACTIVE
# By FACING in pair_kernels, with room for rounding: normals whose cosine is more than this do not look at each other;
# the same where a rim is one of them; and the square of the cosine with which the other has to be in front.
LOOKING, FACED, LEAN = 0.83, -0.29, 0.088


@part
def glance(x, glances, s, row, traits, arm):
    """What is needed for a quick look at a sphere. Places are told from the first particle: far from the origin of the
    world they would not be told apart."""
    look = glances[GLANCE * s : GLANCE * (s + 1)]
    for k in range(3):
        look[HERE + k], look[THERE + k] = row[END + k] - x[k], row[BEGIN + k] - x[k]
    look[MOVES] = 1.0 if row[GIVE] > 0.0 else 0.0
    look[BROAD], look[BOUNDS] = traits[TRAITS * s + RADIUS], traits[TRAITS * s + BOUND]
    look[SHAPE], look[SHAPE + 1], look[SHAPE + 2] = row[OUT], row[OUT + 1], row[OUT + 2]
    look[REACHES], look[FLAT] = arm, traits[TRAITS * s + COVER]


@part
def sieve(glances, pairs, begin, count, kept, to):
    """Of pairs of two actors in a list, those that a first glance does not rule out, into `kept` from `to` on. Returns
    where they end. Written without branches: which pair is ruled out is not to be foreseen, and a processor that
    guesses wrong loses more time than all this takes."""
    if count == 0:
        return to
    s, t = pairs[begin], pairs[begin + 1]  # an actor has ellipsoids or spheres
    if (glances[GLANCE * s + BROAD] < 0.0) & (glances[GLANCE * t + BROAD] < 0.0):
        return sieve_round(glances, pairs, begin, count, kept, to)
    return sieve_flat(glances, pairs, begin, count, kept, to)


@inner
def ways(glances, i, j):
    """How two are away from each other (3), the square of that, and whether they may have passed each other."""
    real = glances.dtype.type
    d0 = glances[i] - glances[j]
    d1 = glances[i + U(1)] - glances[j + U(1)]
    d2 = glances[i + U(2)] - glances[j + U(2)]
    b0 = glances[i + U(THERE)] - glances[j + U(THERE)]
    b1 = glances[i + U(THERE + 1)] - glances[j + U(THERE + 1)]
    b2 = glances[i + U(THERE + 2)] - glances[j + U(THERE + 2)]
    square = d0 * d0 + d1 * d1 + d2 * d2
    passing = d0 * b0 + d1 * b1 + d2 * b2 < real(0.5) * (b0 * b0 + b1 * b1 + b2 * b2)
    return d0, d1, d2, square, passing | (square < real(1e-18))


@inner
def sieve_round(glances, pairs, begin, count, kept, to):
    """Ellipsoids, by how far they reach along the line of their centres:  d^2 > f (r_1 + r_2) |d| , r |d| =
    sqrt(d^T H d) ; the sum of two roots is at most that of twice the sum."""
    real = glances.dtype.type
    farther, zero = real(2.0 * ROUND_ONES * ROUND_ONES), real(0)
    to = U(to)
    for k in range(U(begin), U(begin + count), U(2)):
        s, t = pairs[k], pairs[k + U(1)]
        i, j = U(GLANCE) * U(s), U(GLANCE) * U(t)
        d0, d1, d2, square, passing = ways(glances, i, j)
        u, v = i + U(SHAPE), j + U(SHAPE)
        reach = (glances[u] + glances[v]) * d0 * d0 + (glances[u + U(1)] + glances[v + U(1)]) * d1 * d1
        reach += (glances[u + U(2)] + glances[v + U(2)]) * d2 * d2
        cross = (glances[u + U(3)] + glances[v + U(3)]) * d0 * d1 + (glances[u + U(4)] + glances[v + U(4)]) * d0 * d2
        cross += (glances[u + U(5)] + glances[v + U(5)]) * d1 * d2
        far = square * square > farther * (reach + cross + cross)
        moves = glances[i + U(MOVES)] + glances[j + U(MOVES)] > zero
        kept[to], kept[to + U(1)] = s, t
        to += U(2) * U(moves & (passing | (not far)))
    return np.int64(to)


@inner
def sieve_flat(glances, pairs, begin, count, kept, to):
    """Spheres, by how far their centres are apart, and by normals of flat pieces that do not look at each other."""
    real = glances.dtype.type
    beyond, looking, faced, zero = real(GLANCING), real(LOOKING), real(FACED), real(0)
    to = U(to)
    for k in range(U(begin), U(begin + count), U(2)):
        s, t = pairs[k], pairs[k + U(1)]
        i, j = U(GLANCE) * U(s), U(GLANCE) * U(t)
        _, _, _, square, passing = ways(glances, i, j)
        ra, rb = glances[i + U(BROAD)], glances[j + U(BROAD)]
        reach = beyond * (ra + rb)
        bound = beyond * (glances[i + U(BOUNDS)] + glances[j + U(BOUNDS)])
        u = i + U(SHAPE)
        v = j + U(SHAPE)
        alike = glances[u] * glances[v] + glances[u + U(1)] * glances[v + U(1)]
        alike += glances[u + U(2)] * glances[v + U(2)]
        flat = (ra >= zero) & (rb >= zero) & (glances[i + U(REACHES)] > zero) & (glances[j + U(REACHES)] > zero)
        ca, cb = glances[i + U(FLAT)], glances[j + U(FLAT)]
        averted = alike > (looking if (ca > zero) & (cb > zero) else faced)
        rim = (ca < zero) | (cb < zero)
        far = (square > bound * bound) | (flat & averted & (rim | (square > reach * reach)))
        moves = glances[i + U(MOVES)] + glances[j + U(MOVES)] > zero
        kept[to], kept[to + U(1)] = s, t
        to += U(2) * U(moves & (passing | (not far)))
    return np.int64(to)


@part
def apart(glances, a, b):
    """Whether two that came through the sieve do not touch, as far as a second glance tells: on flat pieces of skin.
    `meeting` has the last word."""
    one, two = glances[GLANCE * a : GLANCE * (a + 1)], glances[GLANCE * b : GLANCE * (b + 1)]
    ra, rb, arm, arms = one[BROAD], two[BROAD], one[REACHES], two[REACHES]
    if ra < 0.0 or rb < 0.0 or arm == 0.0 or arms == 0.0:
        return False
    d0, d1, d2 = one[HERE] - two[HERE], one[HERE + 1] - two[HERE + 1], one[HERE + 2] - two[HERE + 2]
    b0, b1, b2 = one[THERE] - two[THERE], one[THERE + 1] - two[THERE + 1], one[THERE + 2] - two[THERE + 2]
    square = d0 * d0 + d1 * d1 + d2 * d2
    if d0 * b0 + d1 * b1 + d2 * b2 < 0.5 * (b0 * b0 + b1 * b1 + b2 * b2) or square < 1e-18:
        return False  # they pass each other
    ca, cb = one[FLAT], two[FLAT]
    reach = GLANCING * (ra + rb)
    if ca >= 0.0 and cb >= 0.0 and square <= reach * reach:
        return False
    # On flat pieces, as part_flat has it, along w that is not of unit length
    o0, o1, o2, u0, u1, u2 = one[SHAPE], one[SHAPE + 1], one[SHAPE + 2], two[SHAPE], two[SHAPE + 1], two[SHAPE + 2]
    alike, middles = o0 * u0 + o1 * u1 + o2 * u2, ca > 0.0 and cb > 0.0
    if alike > LOOKING or (alike > FACED and not middles):
        return True
    e0, e1, e2 = d0 + arm * o0 - arms * u0, d1 + arm * o1 - arms * u1, d2 + arm * o2 - arms * u2
    gap, cover = (GLANCING - 1.0) * (arm + arms), 1.001 * max(abs(ca), abs(cb))
    lean = LEAN * square
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
    """Whether d leans so much away from w, of any length, that it is not in front."""
    along = d0 * w0 + d1 * w1 + d2 * w2
    return along <= 0.0 or along * along < lean * (w0 * w0 + w1 * w1 + w2 * w2)
