# mypy: disallow-untyped-defs=False, check-untyped-defs=False
"""One contact row: what is on its sides, and what the two materials are like together."""

import math

from pliant.collision.layout import (
    BEYOND,
    BODY_ROW,
    FRICTION,
    IMPULSES,
    INDEX_A,
    INDEX_B,
    KEY,
    KIND_A,
    KIND_B,
    NORMAL,
    POINT,
    RADIUS,
    RESTITUTION,
    ROW,
    ROW_FRICTION,
    ROW_GAP,
    ROW_RADIUS,
    ROW_RESTITUTION,
    ROW_SIDES,
    SURFACE,
    THROUGH,
)
from pliant.runtime.jit import inner


@inner
def write(found, n, key, kind_a, index_a, kind_b, index_b, gap, n0, n1, n2, a0, a1, a2):
    """A row, but for what the two materials are like together."""
    s, at, r = ROW_SIDES * n, ROW * n, found.rows
    found.sides[s + KIND_A], found.sides[s + INDEX_A] = kind_a, index_a
    found.sides[s + KIND_B], found.sides[s + INDEX_B], found.sides[s + KEY] = kind_b, index_b, key
    found.sides[s + THROUGH] = -1
    r[at + NORMAL], r[at + NORMAL + 1], r[at + NORMAL + 2], r[at + ROW_GAP] = n0, n1, n2, gap
    r[at + POINT], r[at + POINT + 1], r[at + POINT + 2] = a0, a1, a2
    r[at + SURFACE], r[at + SURFACE + 1], r[at + SURFACE + 2] = 0.0, 0.0, 0.0
    r[at + IMPULSES], r[at + IMPULSES + 1], r[at + IMPULSES + 2] = 0.0, 0.0, 0.0
    r[at + BEYOND] = 0.0


@inner
def hold(shapes, found, place, proxy):
    """The particles that a push at a proxy acts on, as those of a side."""
    for k in range(4):
        found.particles[place + k] = shapes.holders[4 * proxy + k]
        found.weights[place + k] = shapes.shares[4 * proxy + k]


@inner
def held_at(nodes, found, place):
    """Where the four particles of a side are together."""
    return together(nodes.x, found.particles, found.weights, place)


@inner
def together(x, particles, weights, place):
    """Where up to four particles are together, by their weights; the first weight 0 ends them."""
    a0 = a1 = a2 = 0.0
    for k in range(place, place + 4):
        i, w = 4 * particles[k], weights[k]
        if w == 0.0:
            break
        a0 += w * x[i]
        a1 += w * x[i + 1]
        a2 += w * x[i + 2]
    return a0, a1, a2


@inner
def between(shapes, found, n, a, b):
    """The material of a pair: the geometric mean of friction, the larger restitution."""
    i, j, at, m = BODY_ROW * a, BODY_ROW * b, ROW * n, shapes.materials
    found.rows[at + ROW_FRICTION] = math.sqrt(m[i + FRICTION] * m[j + FRICTION])
    found.rows[at + ROW_RESTITUTION] = max(m[i + RESTITUTION], m[j + RESTITUTION])
    found.rows[at + ROW_RADIUS] = min(m[i + RADIUS], m[j + RADIUS])
