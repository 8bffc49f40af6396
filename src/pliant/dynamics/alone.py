# mypy: disallow-untyped-defs=False, check-untyped-defs=False
"""A sub-step of bodies that meet no other body: each by itself, with obstacles at most.

The same as velocities.py, collision/contacts.py, solver.py and settle.py do, in the same order for each body and so
with the same bits, in one go while the body is in the cache; and nothing is compiled that only pairs of bodies need."""

from pliant.collision.blocks import box_blocks
from pliant.collision.candidates import room_of, search_body
from pliant.collision.contacts import find_body
from pliant.collision.layout import (
    BODY,
    BODY_END,
    BODY_FIRST,
    CHANGED,
    FOUND,
    HORIZON,
    KEPT_PAIRS,
    KIND,
    RESUMED,
    ROOM_IS_MISSING,
    SEARCH,
    STIFF,
    STRENGTH,
    SUBSTEP,
    SUBSTEP_NUMBER,
    SUBSTEPS_DONE,
)
from pliant.collision.records import Nodes
from pliant.collision.threads import first_body, first_of_all, told_by_all
from pliant.dynamics.constants import BOUNCE
from pliant.dynamics.contact import close_gap
from pliant.dynamics.rebound import rebound_one
from pliant.dynamics.rigid_nodes import give_velocities
from pliant.dynamics.rows import is_stiff, keep_rows, prepare_rows, refresh
from pliant.dynamics.settle import OTHERS_AWAKE, commit, damp_one, first_not_finite
from pliant.dynamics.sleep import fall_asleep
from pliant.dynamics.solver import RELAX, SOLVE_ROWS, WARM_START, bounce, bounces, move_body, solve_span
from pliant.dynamics.velocities import begin_bodies
from pliant.runtime.jit import kernel, part
from pliant.runtime.waiting import AGAIN, STOP, all_through


@part
def solve_rows(nodes, found, first, last, rigid, h, stage):
    """One iteration of the rows of a body with obstacles."""
    solve_span(nodes, found, first, last, rigid, h, stage)


@part
def solve_one(shapes, nodes, work, found, step, body):
    """The rows of a body with obstacles, solved; and where it goes."""
    h, p = step.numbers[SUBSTEP], step.p
    first, last = found.spans[2 * body], found.spans[2 * body + 1]
    stiff = is_stiff(shapes, body)
    work.touched[body] = first < last
    if first < last:
        prepare_rows(shapes, nodes, work, found, body, 1, body + 1)
        last = found.spans[2 * body + 1]
        solve_rows(nodes, found, first, last, stiff, h, WARM_START)
        solve_rows(nodes, found, first, last, stiff, h, SOLVE_ROWS)
        for n in range(first, last):
            close_gap(nodes, found, n, h)
    move_body(shapes, nodes, work, p, body, work.touched[body], h)
    after = Nodes(
        p, nodes.u, nodes.inverse, nodes.angular, nodes.q, nodes.hulls, nodes.masses, nodes.rigid, nodes.spins
    )
    if first < last:
        for n in range(first, last):
            refresh(after, found, n)
        solve_rows(after, found, first, last, stiff, h, RELAX)
        slowest = BOUNCE * h * step.numbers[STRENGTH]
        if bounces(shapes, work.pairs, body, found, first, last, slowest):
            bounce(shapes, after, work.pairs, found, body, body + 1, slowest)
    if shapes.bodies[BODY * body + KIND] == STIFF:
        give_velocities(shapes, after, p, body, body)


@kernel("Shapes Nodes Work Candidates Found Found Step i i")
def step_alone(shapes, nodes, work, candidates, found, cores, step, piece, pieces):
    """From where models have put the particles to the end of the sub-step. Answers AGAIN, or OTHERS_AWAKE; STOP if
    there is no room for candidates, to go on from there (RESUMED); or a particle that has no finite place."""
    first, last = first_body(shapes.bodies, piece, pieces), first_body(shapes.bodies, piece + 1, pieces)
    board, searching, resumed = step.board, work.counts[SEARCH], work.counts[RESUMED]
    bad = -1
    all_through(board, piece, pieces)  # models have put all particles
    if first < last and not resumed:
        bad = begin_bodies(shapes, nodes, work, step, first, last)
    all_through(board, piece, pieces)
    if piece == 0:
        work.counts[SUBSTEP_NUMBER] += 1
        work.counts[RESUMED] = 0
    bad = first_of_all(board, piece, pieces, bad)
    if bad >= 0:
        return bad
    if searching:
        n, most = room_of(candidates, piece, pieces)
        for body in range(first, last):
            box_blocks(shapes, nodes, work.block_boxes, body, step.numbers[HORIZON] if work.awake[body] else 0.0)
            n = search_body(shapes, nodes, work, candidates, step, body, body, n, most)
        if told_by_all(board, piece, pieces, ROOM_IS_MISSING, n > most) != 0:
            return STOP
    for body in range(first, last):
        find_body(shapes, nodes, work, candidates, found, step, body, body)
        if work.awake[body]:
            for k in range(3):
                nodes.spins[3 * body + k] = 0.0
            solve_one(shapes, nodes, work, found, step, body)
            damp_one(shapes, nodes, work, candidates, found, step, body, body)
            rebound_one(shapes, nodes, work, found, step, body)
            begin, end = 4 * shapes.bodies[BODY * body + BODY_FIRST], 4 * shapes.bodies[BODY * body + BODY_END]
            wrong = first_not_finite(step.p, nodes.u, begin, end)
            bad = wrong if bad < 0 else bad
    all_through(board, piece, pieces)
    bad = first_of_all(board, piece, pieces, bad)
    if bad >= 0:
        return bad
    for body in range(first, last):
        if work.awake[body]:
            commit(shapes, nodes, work, step, body)
    if first < last:
        keep_rows(work, found, first, 1, last)
    all_through(board, piece, pieces)
    if piece == 0:
        work.counts[FOUND] = work.counts[KEPT_PAIRS] = len(work.awake)
        work.counts[SEARCH] = 0
        work.counts[CHANGED] = fall_asleep(shapes, work, found, 0, step.may_sleep, step.numbers[STRENGTH])
        work.counts[SUBSTEPS_DONE] += 1
    all_through(board, piece, pieces)
    return OTHERS_AWAKE if work.counts[CHANGED] else AGAIN
