# mypy: disallow-untyped-defs=False, check-untyped-defs=False
"""The contact rows of a sub-step, solved.

cores         hard impacts, between bodies as a whole
solve         warm start, one sweep over the rows by colours, obstacles last
move          p = x + h u
relax         the same sweep without the push out of overlaps; restitution
"""

from pliant.collision.layout import (
    APPROACH,
    BODY,
    BODY_END,
    BODY_FIRST,
    BOUNCES,
    COLOUR_COUNT,
    FOUND,
    IMPULSES,
    KIND,
    PAIR_COUNT,
    ROW,
    ROW_RESTITUTION,
    STIFF,
    STRENGTH,
    SUBSTEP,
)
from pliant.collision.records import Nodes
from pliant.collision.threads import first_body, told_by_all
from pliant.dynamics.colouring import COLOURS, colour_pairs
from pliant.dynamics.constants import BOUNCE, BOUNCE_SWEEPS
from pliant.dynamics.contact import close_gap, restitute, solve, warm_start
from pliant.dynamics.hard_impacts import solve_cores
from pliant.dynamics.rigid_nodes import give_velocities, move_rigid
from pliant.dynamics.rows import is_stiff, prepare_rows, refresh
from pliant.runtime.jit import inner, kernel, part
from pliant.runtime.waiting import all_through

WARM_START, SOLVE_ROWS, RELAX = range(3)  # what is done in a sweep


@part
def sweep(shapes, nodes, work, found, board, piece, pieces, h, stage):
    """One iteration of all rows: by colours, obstacles last. Pairs of a colour share no body that moves, but for those
    of the last one."""
    pairs, count = work.counts[PAIR_COUNT], work.counts[FOUND]
    for colour in range(work.counts[COLOUR_COUNT] + 1):
        if colour == work.counts[COLOUR_COUNT]:  # obstacles
            first, last, by = pairs + piece, count, pieces
        else:
            first, last, by = work.starts[colour] + piece, work.starts[colour + 1], pieces
            if colour == COLOURS - 1:
                first, by = (work.starts[colour], 1) if piece == 0 else (last, 1)
        for k in range(first, last, by):
            m = k if colour == work.counts[COLOUR_COUNT] else work.by_colour[k]
            rigid = is_stiff(shapes, work.pairs[2 * m]) and is_stiff(shapes, work.pairs[2 * m + 1])
            solve_span(nodes, found, found.spans[2 * m], found.spans[2 * m + 1], rigid, h, stage)
        all_through(board, piece, pieces)


@inner
def solve_span(nodes, found, first, last, rigid, h, stage):
    """The rows of a pair."""
    for n in range(first, last):
        if stage == WARM_START:
            warm_start(nodes, found, n)
        else:
            solve(nodes, found, n, rigid, h, stage == RELAX)


@inner
def bounces(shapes, pairs, m, found, first, last, slowest):
    """Whether any row of a pair of rigid bodies came faster than `slowest` and was stopped, so that restitution may act
    on it."""
    if not (is_stiff(shapes, pairs[2 * m]) and is_stiff(shapes, pairs[2 * m + 1])):
        return False
    r, any_bounces = found.rows, False
    for n in range(first, last):
        at = ROW * n
        if r[at + ROW_RESTITUTION] != 0.0 and r[at + APPROACH] <= -slowest and r[at + IMPULSES] != 0.0:
            any_bounces = True
    return any_bounces


@part
def bounce(shapes, nodes, pairs, found, first_pair, count, slowest):
    """Restitution of the pairs of rigid bodies from the first on, in sweeps."""
    for _sweep in range(BOUNCE_SWEEPS):
        again = False
        for m in range(first_pair, count):
            if not (is_stiff(shapes, pairs[2 * m]) and is_stiff(shapes, pairs[2 * m + 1])):
                continue
            for n in range(found.spans[2 * m], found.spans[2 * m + 1]):
                again = restitute(nodes, found, n, slowest) or again
        if not again:
            break


@part
def mark_touched(work, found, count):
    """Which bodies have any row, or take part in a hard impact."""
    work.touched[:] = 0
    for m in range(count):
        if found.spans[2 * m] < found.spans[2 * m + 1]:
            work.touched[work.pairs[2 * m]] = 1
            if work.pairs[2 * m + 1] >= 0:
                work.touched[work.pairs[2 * m + 1]] = 1
    for body in range(len(work.awake)):
        work.touched[body] |= work.cored[body]


@kernel("Shapes Nodes Work Candidates Found Found Step i i")
def solve_contacts(shapes, nodes, work, candidates, found, cores, step, piece, pieces):
    """From the velocities of a sub-step to those that its contacts leave, and to positions p."""
    h, gravity, p, board = step.numbers[SUBSTEP], step.numbers[STRENGTH], step.p, step.board
    first, last = first_body(shapes.bodies, piece, pieces), first_body(shapes.bodies, piece + 1, pieces)
    nodes.spins[3 * first : 3 * last] = 0.0
    all_through(board, piece, pieces)
    count = work.counts[FOUND]
    if piece == 0:
        solve_cores(shapes, nodes, work, cores, gravity, h)
        mark_touched(work, found, count)
        work.counts[COLOUR_COUNT] = colour_pairs(
            work.pairs, found.spans, work.awake, work.counts[PAIR_COUNT], work.used, work.colours, work.starts,
            work.by_colour,
        )  # fmt: skip
    all_through(board, piece, pieces)
    prepare_rows(shapes, nodes, work, found, piece, pieces, count)
    all_through(board, piece, pieces)
    sweep(shapes, nodes, work, found, board, piece, pieces, h, WARM_START)
    sweep(shapes, nodes, work, found, board, piece, pieces, h, SOLVE_ROWS)
    for m in range(piece, count, pieces):
        for n in range(found.spans[2 * m], found.spans[2 * m + 1]):
            close_gap(nodes, found, n, h)
    all_through(board, piece, pieces)
    for body in range(first, last):
        if work.awake[body]:
            move_body(shapes, nodes, work, p, body, work.touched[body], h)
    all_through(board, piece, pieces)
    after = Nodes(
        p, nodes.u, nodes.inverse, nodes.angular, nodes.q, nodes.hulls, nodes.masses, nodes.rigid, nodes.spins
    )
    for m in range(piece, count, pieces):
        for n in range(found.spans[2 * m], found.spans[2 * m + 1]):
            refresh(after, found, n)
    all_through(board, piece, pieces)
    sweep(shapes, after, work, found, board, piece, pieces, h, RELAX)
    slowest, any_bounces = BOUNCE * h * gravity, False
    for m in range(piece, count, pieces):
        begin, end = found.spans[2 * m], found.spans[2 * m + 1]
        any_bounces = bounces(shapes, work.pairs, m, found, begin, end, slowest) or any_bounces
    if told_by_all(board, piece, pieces, BOUNCES, any_bounces) != 0:
        if piece == 0:
            bounce(shapes, after, work.pairs, found, 0, count, slowest)
        all_through(board, piece, pieces)
    for body in range(first, last):
        if work.awake[body] and shapes.bodies[BODY * body + KIND] == STIFF:
            give_velocities(shapes, after, p, body, body)
    return 0


@part
def move_body(shapes, nodes, work, p, body, touched, h):
    """p = x + h u; what touches nothing is where its model put it."""
    if shapes.bodies[BODY * body + KIND] == STIFF:
        move_rigid(shapes, nodes, work.frames, p, body, body, h)
    elif touched:
        for i in range(shapes.bodies[BODY * body + BODY_FIRST], shapes.bodies[BODY * body + BODY_END]):
            if nodes.inverse[i] > 0.0:
                f = 4 * i
                p[f] = nodes.x[f] + h * nodes.u[f]
                p[f + 1] = nodes.x[f + 1] + h * nodes.u[f + 1]
                p[f + 2] = nodes.x[f + 2] + h * nodes.u[f + 2]
