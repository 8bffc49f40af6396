# mypy: disallow-untyped-defs=False, check-untyped-defs=False
"""The end of a sub-step: nothing in obstacles; damping; v = u, x = p; which bodies sleep; what contacts remember."""

import math

from pliant.collision.layout import (
    BODY,
    BODY_END,
    BODY_FIRST,
    CHANGED,
    FAR_AWAY,
    FOUND,
    IMPACT,
    IMPACT_PARTNER,
    KEPT_PAIRS,
    NO_PARTNER,
    PAIR_COUNT,
    STRENGTH,
    SUBSTEP,
    SUBSTEPS_DONE,
)
from pliant.collision.threads import first_body, first_of_all
from pliant.dynamics.damping import damp_body
from pliant.dynamics.damping_between import change_motion, damp_pairs, note_motion
from pliant.dynamics.keep_out import keep_out
from pliant.dynamics.rebound import rebound_all
from pliant.dynamics.rows import keep_rows
from pliant.dynamics.sleep import fall_asleep, watch
from pliant.runtime.jit import inner, kernel, part
from pliant.runtime.waiting import AGAIN, all_through

OTHERS_AWAKE = -3  # in place of AGAIN: bodies have fallen asleep, or woken


@inner
def damp_one(shapes, nodes, work, candidates, found, step, m, body):
    """A body is kept out of obstacles and damped; m: its pair with them."""
    keep_out(shapes, nodes, candidates, step.obstacles, step.grids, step.p, m, body, step.numbers[SUBSTEP])
    keep, drag = work.factors[2 * body], work.factors[2 * body + 1]
    touched = work.touched[body] != 0 or work.impacts[IMPACT * body + IMPACT_PARTNER] != NO_PARTNER
    damp_body(shapes, nodes, found, step.p, body, found.spans[2 * m], found.spans[2 * m + 1], keep, drag, touched)


@part
def first_not_finite(p, u, first, last):
    """The first particle of those whose numbers stand from first to last that has no finite place or velocity; -1 if
    all have. The sum of what is 0 for a finite number tells whether to look at all."""
    wrong = 0
    for i in range(first, last):
        wrong += not (abs(p[i]) < FAR_AWAY and abs(u[i]) < math.inf)
    if wrong > 0:
        for i in range(first, last):
            if not (abs(p[i]) < FAR_AWAY and abs(u[i]) < math.inf):
                return i // 4
    return -1


@inner
def commit(shapes, nodes, work, step, body):
    """x = p, v = u; for how long the body has been where it is."""
    first, last = 4 * shapes.bodies[BODY * body + BODY_FIRST], 4 * shapes.bodies[BODY * body + BODY_END]
    x, u, v, p = nodes.x, nodes.u, step.v, step.p
    for i in range(first, last):
        v[i] = u[i]
        x[i] = p[i]
    watch(shapes, work, p, body, step.numbers[SUBSTEP])


@kernel("Shapes Nodes Work Candidates Found Found Step i i")
def end_substep(shapes, nodes, work, candidates, found, cores, step, piece, pieces):
    """Answers AGAIN, or OTHERS_AWAKE; or a particle that has no finite place: nothing is written to x and v then."""
    first, last = first_body(shapes.bodies, piece, pieces), first_body(shapes.bodies, piece + 1, pieces)
    pairs, count, board = work.counts[PAIR_COUNT], work.counts[FOUND], step.board
    for body in range(first, last):
        if work.awake[body]:
            damp_one(shapes, nodes, work, candidates, found, step, pairs + body, body)
        note_motion(nodes, body)
    all_through(board, piece, pieces)
    damp_pairs(work, nodes, found, board, piece, pieces)
    if piece == 0:
        rebound_all(shapes, nodes, work, found, step)
    all_through(board, piece, pieces)
    bad = -1
    for body in range(first, last):
        if work.awake[body]:
            change_motion(shapes, nodes, step.p, body)
            begin, end = 4 * shapes.bodies[BODY * body + BODY_FIRST], 4 * shapes.bodies[BODY * body + BODY_END]
            wrong = first_not_finite(step.p, nodes.u, begin, end)
            bad = wrong if bad < 0 else bad
    bad = first_of_all(board, piece, pieces, bad)
    if bad >= 0:
        return bad
    for body in range(first, last):
        if work.awake[body]:
            commit(shapes, nodes, work, step, body)
    keep_rows(work, found, piece, pieces, count)
    all_through(board, piece, pieces)
    if piece == 0:
        work.counts[KEPT_PAIRS] = count
        work.counts[CHANGED] = fall_asleep(shapes, work, found, pairs, step.may_sleep, step.numbers[STRENGTH])
        work.counts[SUBSTEPS_DONE] += 1
    all_through(board, piece, pieces)
    return OTHERS_AWAKE if work.counts[CHANGED] else AGAIN
