# mypy: disallow-untyped-defs=False, check-untyped-defs=False
"""All contact rows of a sub-step: pairs of bodies whose fat boxes overlap, then each body with the obstacles.

Rows of a pair stand one after the other in the order of their keys, so what is known of them from the last sub-step is
found by going through both lists at once (dynamics/warm_start.py)."""

from pliant.collision.against_field import against_field
from pliant.collision.against_obstacles import against_obstacles
from pliant.collision.against_round import against_round
from pliant.collision.candidates import search
from pliant.collision.cores import core_rows, hits_hard, map_body
from pliant.collision.frames import frame_body
from pliant.collision.layout import (
    BY_OBSTACLE,
    CORE_ROWS,
    FOUND,
    KEY,
    KEY_GROUP,
    KIND_A,
    KIND_B,
    LOST_PAIRS,
    PAIR_COUNT,
    ROW,
    ROW_SIDES,
    SEARCH,
    SUBSTEP_NUMBER,
)
from pliant.collision.places import has_core, has_field
from pliant.runtime.jit import kernel, part


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
def find_cores(shapes, nodes, work, cores, a, b, h):
    """The core rows of a pair; both bodies take part as a whole."""
    frame_body(shapes, nodes, work, a)
    frame_body(shapes, nodes, work, b)
    map_body(shapes, nodes, work, a)
    map_body(shapes, nodes, work, b)
    first, most = work.counts[CORE_ROWS], len(cores.rows) // ROW
    n = core_rows(shapes, work, cores, a, b, 0, h, first, most)
    n = core_rows(shapes, work, cores, b, a, 1, h, n, most)
    work.counts[CORE_ROWS] = n
    if n > first:
        work.cored[a], work.cored[b] = 1, 1
        if work.awake[a] == 0 or work.awake[b] == 0:
            stop_sleepers(cores, first, n, work.awake[a] == 0, work.awake[b] == 0)


@part
def find_pair(shapes, nodes, work, candidates, found, cores, m, h, n, most):
    """All rows of a pair of bodies. Returns the number of the next row; one beyond `most` if there was no room."""
    a, b = work.pairs[2 * m], work.pairs[2 * m + 1]
    if work.awake[a] == 0 and work.awake[b] == 0:
        return n
    inside_a, inside_b, first = has_field(shapes, a), has_field(shapes, b), n
    if a != b and has_core(shapes, a) and has_core(shapes, b) and hits_hard(shapes, work.motions, a, b):
        find_cores(shapes, nodes, work, cores, a, b, h)
    if not (inside_a or inside_b):
        n = against_round(shapes, nodes, work, candidates, found, m, a, b, h, n, most)
    else:
        n = against_field(shapes, nodes, work, candidates, found, m, a, b, h, n, most)
    if n <= most and (work.awake[a] == 0 or work.awake[b] == 0):
        stop_sleepers(found, first, n, work.awake[a] == 0, work.awake[b] == 0)
    return n


@kernel("Shapes Nodes Work Candidates Found Found d[] f[] d d")
def find_contacts(shapes, nodes, work, candidates, found, cores, obstacles, grids, horizon, h):
    """All contact rows; pairs of bodies first, then each body with the obstacles. horizon (s): until candidates are
    searched again. Returns how many pairs, these included; -1 if there is no room for the candidates."""
    most, bodies = len(found.rows) // ROW, len(work.awake)
    work.counts[SUBSTEP_NUMBER] += 1
    if work.counts[SEARCH]:
        if not search(shapes, nodes, work, candidates, obstacles, grids, horizon, h):
            return -1
        work.counts[SEARCH] = 0
    work.counts[CORE_ROWS] = 0
    work.cored[:] = 0
    pairs = count = work.counts[PAIR_COUNT]
    n = lost = 0
    for m in range(pairs):
        found.spans[2 * m] = n
        last = find_pair(shapes, nodes, work, candidates, found, cores, m, h, n, most)
        lost += last > most
        n = min(last, most)
        found.spans[2 * m + 1] = n
    for body in range(bodies):
        work.ground[body] = -1
        k = 2 * (pairs + body)
        if work.awake[body] and candidates.spans[k] < candidates.spans[k + 1]:
            work.ground[body] = count
            work.pairs[2 * count], work.pairs[2 * count + 1] = body, -1
            found.spans[2 * count] = n
            last = against_obstacles(
                shapes, nodes, work, candidates, obstacles, grids, found, body,
                candidates.spans[k], candidates.spans[k + 1], h, n, most,
            )  # fmt: skip
            lost += last > most
            n = min(last, most)
            found.spans[2 * count + 1] = n
            count += 1
    work.counts[LOST_PAIRS] += lost
    work.counts[FOUND] = count
    return count
