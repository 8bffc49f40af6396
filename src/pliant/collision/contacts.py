# mypy: disallow-untyped-defs=False, check-untyped-defs=False
"""All contact rows of a sub-step: pairs of bodies whose fat boxes overlap, then each body with the obstacles.

Rows of a pair stand one after the other in the order of their keys, so what is known of them from the last sub-step is
found by going through both lists at once (dynamics/warm_start.py)."""

from pliant.collision.against_field import against_field
from pliant.collision.against_obstacles import against_obstacles
from pliant.collision.against_round import against_round
from pliant.collision.candidates import search
from pliant.collision.cores import core_rows, hits_hard, map_once, may_overlap, round_core_rows
from pliant.collision.layout import (
    BY_OBSTACLE,
    CORE_ROWS,
    FOUND,
    HARD,
    KEY,
    KEY_GROUP,
    KIND_A,
    KIND_B,
    PAIR_COUNT,
    ROW,
    ROW_SIDES,
    SEARCH,
    SQUEEZED,
    STOPPED,
    SUBSTEP,
    TAKES_PART,
)
from pliant.collision.places import has_core, has_field, has_soft_core
from pliant.runtime.jit import inner, kernel, part
from pliant.runtime.waiting import STOP


@part
def stop_sleepers(found, first, last, a_sleeps, b_sleeps):
    """A body that sleeps is an obstacle to the others."""
    for n in range(first, last):
        swapped = found.sides[ROW_SIDES * n + KEY] >> KEY_GROUP == 1
        if (b_sleeps and swapped) or (a_sleeps and not swapped):
            found.sides[ROW_SIDES * n + KIND_A] = BY_OBSTACLE
        if (a_sleeps and swapped) or (b_sleeps and not swapped):
            found.sides[ROW_SIDES * n + KIND_B] = BY_OBSTACLE


@part
def find_cores(shapes, nodes, work, cores, a, b, hard, h):
    """The core rows of a pair; both bodies take part as a whole. hard: they meet faster than sound."""
    map_once(shapes, nodes, work, a)
    map_once(shapes, nodes, work, b)
    if not (hard or (work.cored[a] | work.cored[b]) & SQUEEZED):
        return
    first, most = work.counts[CORE_ROWS], len(cores.rows) // ROW
    n = core_rows(shapes, work, cores, a, b, 0, h, first, most)
    n = core_rows(shapes, work, cores, b, a, 1, h, n, most)
    work.counts[CORE_ROWS] = n
    if n > first:
        part_taken = TAKES_PART | HARD if hard else TAKES_PART
        work.cored[a] |= part_taken
        work.cored[b] |= part_taken
        if work.awake[a] == 0 or work.awake[b] == 0:
            stop_sleepers(cores, first, n, work.awake[a] == 0, work.awake[b] == 0)


@part
def find_round_cores(shapes, nodes, work, candidates, cores, m, a, b, direction, h):
    """The core rows of a pair of which b has a core and a has none; b takes part as a whole. direction: 1 if b is the
    first of the pair."""
    first, most = work.counts[CORE_ROWS], len(cores.rows) // ROW
    n, hard = round_core_rows(shapes, nodes, work, candidates, cores, m, a, b, direction, h, first, most)
    work.counts[CORE_ROWS] = n
    if n > first:
        work.cored[b] |= TAKES_PART | HARD if hard else TAKES_PART
        work.cored[a] |= STOPPED  # by itself: its particles are pushed
        first_sleeps, second_sleeps = work.awake[a] == 0, work.awake[b] == 0
        if direction == 1:
            first_sleeps, second_sleeps = second_sleeps, first_sleeps
        if first_sleeps or second_sleeps:
            stop_sleepers(cores, first, n, first_sleeps, second_sleeps)


@inner
def find_pair(shapes, nodes, work, candidates, found, m, h, n, most):
    """All rows of a pair of bodies. Returns the number of the next row."""
    a, b = work.pairs[2 * m], work.pairs[2 * m + 1]
    if work.awake[a] == 0 and work.awake[b] == 0:
        return n
    inside_a, inside_b, first = has_field(shapes, a), has_field(shapes, b), n
    if not (inside_a or inside_b):
        n = against_round(shapes, nodes, work, candidates, found, m, a, b, h, n, most)
    else:
        n = against_field(shapes, nodes, work, candidates, found, m, a, b, h, n, most)
    if work.awake[a] == 0 or work.awake[b] == 0:
        stop_sleepers(found, first, n, work.awake[a] == 0, work.awake[b] == 0)
    return n


@part
def find_all_cores(shapes, nodes, work, candidates, cores, h):
    """The core rows of all pairs that hit hard, or of which one is crushed, or one has no inside."""
    work.counts[CORE_ROWS] = 0
    work.cored[:] = 0
    for m in range(work.counts[PAIR_COUNT]):
        a, b = work.pairs[2 * m], work.pairs[2 * m + 1]
        if a == b or (work.awake[a] == 0 and work.awake[b] == 0):
            continue
        if has_core(shapes, a) and has_core(shapes, b):
            hard = hits_hard(shapes.materials, work.motions, a, b)
            if hard or may_overlap(shapes, work.boxes, a, b):
                find_cores(shapes, nodes, work, cores, a, b, hard, h)
        elif has_soft_core(shapes, b):
            find_round_cores(shapes, nodes, work, candidates, cores, m, a, b, 0, h)
        elif has_soft_core(shapes, a):
            find_round_cores(shapes, nodes, work, candidates, cores, m, b, a, 1, h)


@inner
def find_body(shapes, nodes, work, candidates, found, step, m, body):
    """All rows of a body with obstacles, as those of pair m; they stand where its candidates do."""
    work.pairs[2 * m], work.pairs[2 * m + 1] = body, -1
    first = last = candidates.spans[2 * m]
    if work.awake[body] and first < candidates.spans[2 * m + 1]:
        last = against_obstacles(
            shapes, nodes, work, candidates, step.obstacles, step.grids, found, body,
            first, candidates.spans[2 * m + 1], step.numbers[SUBSTEP], first, len(found.rows) // ROW,
        )  # fmt: skip
    found.spans[2 * m], found.spans[2 * m + 1] = first, last


@kernel("Shapes Nodes Work Candidates Found Found Step i i")
def find_contacts(shapes, nodes, work, candidates, found, cores, step, piece, pieces):
    """All contact rows, those of a pair where its candidates stand: there are not more. Answers STOP if there is no
    room for the candidates."""
    bodies, pairs, h = len(work.awake), work.counts[PAIR_COUNT], step.numbers[SUBSTEP]
    if work.counts[SEARCH]:
        if not search(shapes, nodes, work, candidates, step, piece, pieces):
            return STOP
        if piece == 0:
            work.counts[SEARCH] = 0
    if piece == 0:
        find_all_cores(shapes, nodes, work, candidates, cores, h)
        work.counts[FOUND] = pairs + bodies
    for m in range(piece, pairs + bodies, pieces):
        if m < pairs:
            first = candidates.spans[2 * m]
            found.spans[2 * m] = first
            found.spans[2 * m + 1] = find_pair(
                shapes, nodes, work, candidates, found, m, h, first, len(found.rows) // ROW
            )
        else:
            find_body(shapes, nodes, work, candidates, found, step, m, m - pairs)
    return 0
