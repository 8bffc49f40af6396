# mypy: disallow-untyped-defs=False, check-untyped-defs=False
"""The contact rows of a sub-step: prepared, brought along when bodies have moved, and kept for the next."""

from pliant.collision.layout import (
    BODY,
    BY_BODY,
    BY_OBSTACLE,
    BY_PARTICLE,
    BY_PARTICLES,
    KEPT_PAIRS,
    KIND,
    POINT,
    RANK,
    ROW,
    STIFF,
)
from pliant.collision.manifold import reduce_rows
from pliant.collision.row import held_at
from pliant.dynamics.contact import prepare
from pliant.dynamics.layout import BODY_NODE, PIVOT
from pliant.dynamics.sides import side_a, side_b
from pliant.dynamics.warm_start import keep_row, mark_known, recall_pair
from pliant.runtime.jit import inner, part


@inner
def is_stiff(shapes, body):
    return body < 0 or shapes.bodies[BODY * body + KIND] == STIFF


@inner
def base_of(nodes, found, kind, index, four, at):
    """From where the arm of a side is measured: its rigid body's pivot, its particle, or its four together; the point
    of contact itself where nothing moves."""
    if kind == BY_PARTICLES:
        return held_at(nodes, found, four)
    if kind == BY_BODY:
        r, k = nodes.rigid, BODY_NODE * index + PIVOT
        return r[k], r[k + 1], r[k + 2]
    if kind == BY_PARTICLE:
        return float(nodes.x[4 * index]), float(nodes.x[4 * index + 1]), float(nodes.x[4 * index + 2])
    return found.rows[at + POINT], found.rows[at + POINT + 1], found.rows[at + POINT + 2]


@inner
def set_arms(nodes, found, row):
    """From what moves to the point of contact, on both sides."""
    at, r = ROW * row, found.rows
    kind, index, four, arm = side_a(found, row)
    b0, b1, b2 = base_of(nodes, found, kind, index, four, at)
    r[arm], r[arm + 1], r[arm + 2] = r[at + POINT] - b0, r[at + POINT + 1] - b1, r[at + POINT + 2] - b2
    kind, index, four, arm = side_b(found, row)
    b0, b1, b2 = base_of(nodes, found, kind, index, four, at)
    r[arm], r[arm + 1], r[arm + 2] = r[at + POINT] - b0, r[at + POINT + 1] - b1, r[at + POINT + 2] - b2


@inner
def refresh(nodes, found, row):
    """The point of contact where the bodies are now: it goes with side A. nodes.x: after they have moved."""
    at, r = ROW * row, found.rows
    kind, index, four, arm = side_a(found, row)
    if kind != BY_OBSTACLE:
        b0, b1, b2 = base_of(nodes, found, kind, index, four, at)
        r[at + POINT], r[at + POINT + 1], r[at + POINT + 2] = b0 + r[arm], b1 + r[arm + 1], b2 + r[arm + 2]
    set_arms(nodes, found, row)


@part
def prepare_rows(shapes, nodes, work, found, first_pair, by, count):
    """Arms, masses and what is known from the last sub-step, of every pair by `by`; manifolds of what does not
    deform are reduced."""
    olds = work.counts[KEPT_PAIRS]
    old = first_kept(shapes.bodies, work.old_pairs, olds, work.pairs[2 * first_pair], work.pairs[2 * first_pair + 1])
    for m in range(first_pair, count, by):
        a, b = work.pairs[2 * m], work.pairs[2 * m + 1]
        first, last = found.spans[2 * m], found.spans[2 * m + 1]
        if first == last:
            continue
        # pairs of the last sub-step stand in the same order: those of two bodies, then those with obstacles
        while old < olds and comes_before(shapes.bodies, work.old_pairs[2 * old], work.old_pairs[2 * old + 1], a, b):
            old += 1
        known = old < olds and work.old_pairs[2 * old] == a and work.old_pairs[2 * old + 1] == b
        if is_stiff(shapes, a) and is_stiff(shapes, b):
            if known:
                mark_known(found, first, last, found.old_spans[2 * old], found.old_spans[2 * old + 1])
            last = reduce_rows(found, first, last)
            found.spans[2 * m + 1] = last
        for n in range(first, last):
            set_arms(nodes, found, n)
            prepare(nodes, found, n)
        if known:
            recall_pair(found, first, last, found.old_spans[2 * old], found.old_spans[2 * old + 1])


@part
def first_kept(heads, old_pairs, olds, a, b):
    """The first pair of the last sub-step that does not stand before (a, b)."""
    low, high = 0, olds
    while low < high:
        middle = (low + high) // 2
        if comes_before(heads, old_pairs[2 * middle], old_pairs[2 * middle + 1], a, b):
            low = middle + 1
        else:
            high = middle
    return low


@inner
def comes_before(heads, a, b, c, d):
    """Whether pair (a, b) stands before (c, d): by rank those of two bodies, then by number those with obstacles
    (-1)."""
    if (b < 0) != (d < 0):
        return d < 0
    if b < 0:
        return a < c
    rank_a, rank_c = heads[BODY * a + RANK], heads[BODY * c + RANK]
    return rank_a < rank_c or (a == c and heads[BODY * b + RANK] < heads[BODY * d + RANK])


@part
def keep_rows(work, found, first_pair, by, count):
    """What the next sub-step needs to know of every pair by `by`; rows are kept where they stand."""
    for m in range(first_pair, count, by):
        first, last = found.spans[2 * m], found.spans[2 * m + 1]
        work.old_pairs[2 * m], work.old_pairs[2 * m + 1] = work.pairs[2 * m], work.pairs[2 * m + 1]
        found.old_spans[2 * m], found.old_spans[2 * m + 1] = first, last
        for n in range(first, last):
            keep_row(found, n, n)
