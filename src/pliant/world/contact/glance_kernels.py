"""Kernels that tell at a glance that two contact spheres do not touch.

Most pairs that are listed do not touch, and to find that out is what costs: so all that is needed of a sphere for it
stands together in one short row. Only what a glance cannot rule out is looked at closely (pair_kernels)."""

import math

import numpy as np

from pliant.jit import part
from pliant.world.contact.layout import (
    BEGIN,
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

GLANCING = 1.01 + MARGIN  # of the reach: who is farther is apart, whatever the rounding of a glance
LOOKING = 0.83  # cosine: normals that are nearer than this do not look at each other, by FACING


@part
def glance(x, glances, s, row, traits, hulls, riders, arm):
    """What is needed for a quick look at a sphere. Places are told from the first particle: far from the origin of the
    world they would not be told apart."""
    look = glances[GLANCE * s : GLANCE * (s + 1)]
    for k in range(3):
        look[HERE + k], look[THERE + k] = row[END + k] - x[k], row[BEGIN + k] - x[k]
    look[MOVES] = 1.0 if row[GIVE] > 0.0 else 0.0
    look[BROAD] = traits[TRAITS * s + RADIUS]
    if look[BROAD] < 0.0:
        i = 6 * np.int64(riders[2 * s])
        for k in range(6):
            look[SHAPE + k] = hulls[i + k]
    else:
        look[SHAPE], look[SHAPE + 1], look[SHAPE + 2] = row[OUT], row[OUT + 1], row[OUT + 2]
        look[REACHES], look[FLAT] = arm, traits[TRAITS * s + COVER]


@part
def glance_reach(one, d0, d1, d2):
    """r(d) of an ellipsoid, for d of any length."""
    square = one[SHAPE] * d0 * d0 + one[SHAPE + 1] * d1 * d1 + one[SHAPE + 2] * d2 * d2
    square += 2.0 * (one[SHAPE + 3] * d0 * d1 + one[SHAPE + 4] * d0 * d2 + one[SHAPE + 5] * d1 * d2)
    return math.sqrt(max(square, 0.0))


@part
def apart(glances, a, b):
    """Whether two do not touch, as far as a glance tells; `meeting` has the last word."""
    one, two = glances[GLANCE * a : GLANCE * (a + 1)], glances[GLANCE * b : GLANCE * (b + 1)]
    if one[MOVES] + two[MOVES] == 0.0:
        return True
    d0, d1, d2 = one[HERE] - two[HERE], one[HERE + 1] - two[HERE + 1], one[HERE + 2] - two[HERE + 2]
    b0, b1, b2 = one[THERE] - two[THERE], one[THERE + 1] - two[THERE + 1], one[THERE + 2] - two[THERE + 2]
    square = d0 * d0 + d1 * d1 + d2 * d2
    ra, rb = one[BROAD], two[BROAD]
    if d0 * b0 + d1 * b1 + d2 * b2 < 0.5 * (b0 * b0 + b1 * b1 + b2 * b2) or square < 1e-18:
        return False
    if ra < 0.0 and rb < 0.0:  # along the line of their centres:  |d| - r_1(d / |d|) - r_2(d / |d|) , times |d|
        return square > GLANCING * (glance_reach(one, d0, d1, d2) + glance_reach(two, d0, d1, d2))
    arm, arms = one[REACHES], two[REACHES]
    if ra < 0.0 or rb < 0.0 or arm == 0.0 or arms == 0.0:
        return False
    ca, cb = one[FLAT], two[FLAT]
    reach = GLANCING * (ra + rb)
    if ca >= 0.0 and cb >= 0.0 and square <= reach * reach:
        return False
    # On flat pieces, as part_flat has it, along w that is not of unit length
    o0, o1, o2, u0, u1, u2 = one[SHAPE], one[SHAPE + 1], one[SHAPE + 2], two[SHAPE], two[SHAPE + 1], two[SHAPE + 2]
    if o0 * u0 + o1 * u1 + o2 * u2 > LOOKING:
        return True
    e0, e1, e2 = d0 + arm * o0 - arms * u0, d1 + arm * o1 - arms * u1, d2 + arm * o2 - arms * u2
    gap, cover = (GLANCING - 1.0) * (arm + arms), 1.001 * max(abs(ca), abs(cb))
    if ca > 0.0 and cb > 0.0:
        return aside(e0, e1, e2, u0 - o0, u1 - o1, u2 - o2, gap, cover)
    if cb < 0.0 and not aside(e0, e1, e2, -o0, -o1, -o2, gap, cover):
        return False
    return ca > 0.0 or aside(e0, e1, e2, u0, u1, u2, gap, cover)


@part
def aside(e0, e1, e2, w0, w1, w2, gap, cover):
    """Whether e is farther than the gap along w, which need not be of unit length, or farther than the cover across."""
    long = w0 * w0 + w1 * w1 + w2 * w2
    level = e0 * w0 + e1 * w1 + e2 * w2
    if level > 0.0 and level * level > gap * gap * long:
        return True
    return (e0 * e0 + e1 * e1 + e2 * e2) * long - level * level > cover * cover * long
