# mypy: disallow-untyped-defs=False, check-untyped-defs=False
"""All contact rows of a sub-step: pairs of bodies whose fat boxes overlap, then each body with the obstacles.

Rows of a pair stand one after the other in the order of their keys, so what is known of them from the last sub-step is
found by going through both lists at once (dynamics/warm_start.py)."""

from pliant.collision.against_field import against_field
from pliant.collision.against_obstacles import against_obstacles, farthest_way
from pliant.collision.against_round import against_itself, against_round
from pliant.collision.candidates import SLACK_UNKNOWN, follow, has_field, own_motion, proxies_of, relative_motion
from pliant.collision.cores import core_rows, hits_hard
from pliant.collision.frames import fit_frame
from pliant.collision.layout import (
    BODY,
    BY_OBSTACLE,
    CORE_ROWS,
    FOUND,
    KEY,
    KIND,
    KIND_A,
    KIND_B,
    LOST_PAIRS,
    PAIR_COUNT,
    PROXY,
    PROXY_END,
    ROW,
    ROW_SIDES,
    STIFF,
    SUBSTEP_NUMBER,
)
from pliant.runtime.jit import kernel, part


@part
def frame_body(shapes, nodes, work, body):
    """The frame of a body, once in a sub-step. That of a rigid body that is awake is known."""
    if work.framed[body] == work.counts[SUBSTEP_NUMBER]:
        return
    work.framed[body] = work.counts[SUBSTEP_NUMBER]
    stiff = shapes.bodies[BODY * body + KIND] == STIFF
    if (not stiff and has_field(shapes, body)) or (stiff and work.awake[body] == 0):
        fit_frame(shapes, nodes, work.frames, body)


@part
def stop_sleepers(found, first, last, a_sleeps, b_sleeps):
    """A body that sleeps is an obstacle to the others."""
    for n in range(first, last):
        swapped = found.sides[ROW_SIDES * n + KEY] >> 32 == 1
        if (b_sleeps and swapped) or (a_sleeps and not swapped):
            found.sides[ROW_SIDES * n + KIND_A] = BY_OBSTACLE
        if (a_sleeps and swapped) or (b_sleeps and not swapped):
            found.sides[ROW_SIDES * n + KIND_B] = BY_OBSTACLE


@part
def find_cores(shapes, work, cores, m, a, b, h):
    """The core rows of a pair; both bodies take part as a whole."""
    first, most = work.counts[CORE_ROWS], len(cores.rows) // ROW
    n = core_rows(shapes, work, cores, a, b, 0, h, first, most)
    n = core_rows(shapes, work, cores, b, a, 1, h, n, most)
    work.counts[CORE_ROWS] = n
    if n > first:
        work.cored[a], work.cored[b] = 1, 1
        if work.awake[a] == 0 or work.awake[b] == 0:
            stop_sleepers(cores, first, n, work.awake[a] == 0, work.awake[b] == 0)


@part
def find_pair(shapes, nodes, work, found, cores, m, h, n, most):
    """All rows of a pair of bodies. Returns the number of the next row; one beyond `most` if there was no room."""
    a, b = work.pairs[2 * m], work.pairs[2 * m + 1]
    if work.awake[a] == 0 and work.awake[b] == 0:
        return n
    inside_a, inside_b = has_field(shapes, a), has_field(shapes, b)
    solid = a != b and (inside_a or inside_b)
    if solid and work.nearest[m] > work.travel[m] + h * relative_motion(shapes, work.motions, a, b):
        return n
    frame_body(shapes, nodes, work, a)
    frame_body(shapes, nodes, work, b)
    if a == b:
        return against_itself(shapes, nodes, work, found, a, n, most)
    if not solid:
        return against_round(shapes, nodes, work, found, a, b, h, n, most)
    if inside_a and inside_b and hits_hard(shapes, work.motions, a, b, h):
        find_cores(shapes, work, cores, m, a, b, h)
    slacks, first = work.slacks[m], n
    work.nearest[m] = 1e300
    if inside_b:
        n, least = against_field(shapes, nodes, work, found, m, slacks, a, b, 0, h, n, most)
        work.nearest[m] = least
        slacks += proxies_of(shapes, a)
    if inside_a and n <= most:
        n, least = against_field(shapes, nodes, work, found, m, slacks, b, a, 1, h, n, most)
        work.nearest[m] = min(work.nearest[m], least)
    if n > most:
        work.nearest[m] = SLACK_UNKNOWN
    elif work.awake[a] == 0 or work.awake[b] == 0:
        stop_sleepers(found, first, n, work.awake[a] == 0, work.awake[b] == 0)
    return n


@part
def follow_ground(shapes, work, body, way):
    """How far a body and the obstacles may have come nearer since the last sub-step."""
    if work.displaced[body]:
        work.ground_travel[body] = 0.0
        for proxy in range(shapes.bodies[BODY * body + PROXY], shapes.bodies[BODY * body + PROXY_END]):
            work.ground_slack[proxy] = SLACK_UNKNOWN
    else:
        work.ground_travel[body] += own_motion(shapes, work.moved, body) + way


@kernel("Shapes Nodes Work Found Found d[] f[] d")
def find_contacts(shapes, nodes, work, found, cores, obstacles, grids, h):
    """All contact rows; pairs of bodies first, then each body with the obstacles. Returns how many pairs, these
    included; -1 if there is no room for them."""
    most, bodies = len(found.rows) // ROW, len(work.awake)
    if not follow(shapes, work, h):
        return -1
    work.counts[SUBSTEP_NUMBER] += 1
    work.counts[CORE_ROWS] = 0
    work.cored[:] = 0
    count, way = work.counts[PAIR_COUNT], farthest_way(obstacles)
    n = lost = 0
    for m in range(count):
        found.spans[2 * m] = n
        last = find_pair(shapes, nodes, work, found, cores, m, h, n, most)
        lost += last > most
        n = min(last, most)
        found.spans[2 * m + 1] = n
    for body in range(bodies):
        work.ground[body] = -1
        if len(obstacles) > 0:
            follow_ground(shapes, work, body, way)
        if len(obstacles) > 0 and work.awake[body]:
            work.ground[body] = count
            work.pairs[2 * count], work.pairs[2 * count + 1] = body, -1
            found.spans[2 * count] = n
            last = against_obstacles(shapes, nodes, work, obstacles, grids, found, body, way, h, n, most)
            lost += last > most
            n = min(last, most)
            found.spans[2 * count + 1] = n
            count += 1
    work.counts[LOST_PAIRS] += lost
    work.counts[FOUND] = count
    return count
