# mypy: disallow-untyped-defs=False, check-untyped-defs=False
"""All contact rows of a sub-step: pairs of bodies whose boxes overlap, then each body with the obstacles."""

from pliant.collision.broad_phase.pairs import find_pairs
from pliant.collision.constants import AHEAD
from pliant.collision.find import find_pair
from pliant.collision.frames import fit_frame
from pliant.collision.layout import (
    AABB,
    BODY,
    BODY_ROW,
    BY_OBSTACLE,
    FIELD,
    FOUND,
    KEY,
    KIND,
    KIND_A,
    KIND_B,
    LOST_PAIRS,
    OBSTACLE,
    PROXY,
    PROXY_END,
    RADIUS,
    ROW,
    ROW_SIDES,
    STIFF,
)
from pliant.collision.narrow_phase.obstacle import near_obstacle
from pliant.collision.places import place
from pliant.runtime.jit import kernel, part


@part
def place_body(shapes, nodes, work, body):
    """The frame of a body and the places of its proxies, once in a sub-step."""
    if work.placed[body]:
        return
    work.placed[body] = 1
    kind = shapes.bodies[BODY * body + KIND]
    if (kind != STIFF and shapes.bodies[BODY * body + FIELD] >= 0) or (kind == STIFF and work.awake[body] == 0):
        fit_frame(shapes, nodes, work.frames, body)
    for proxy in range(shapes.bodies[BODY * body + PROXY], shapes.bodies[BODY * body + PROXY_END]):
        a0, a1, a2 = place(shapes, nodes, work.frames, body, proxy)
        work.places[3 * proxy], work.places[3 * proxy + 1], work.places[3 * proxy + 2] = a0, a1, a2


@part
def stop_sleepers(found, first, last, a_sleeps, b_sleeps):
    """A body that sleeps is an obstacle to the others."""
    for n in range(first, last):
        swapped = found.sides[ROW_SIDES * n + KEY] >> 32 == 1
        if (b_sleeps and swapped) or (a_sleeps and not swapped):
            found.sides[ROW_SIDES * n + KIND_A] = BY_OBSTACLE
        if (a_sleeps and swapped) or (b_sleeps and not swapped):
            found.sides[ROW_SIDES * n + KIND_B] = BY_OBSTACLE


@kernel("Shapes Nodes Work Found d[] f[] d")
def find_contacts(shapes, nodes, work, found, obstacles, grids, h):
    """All contact rows; pairs of bodies first, then each body with the obstacles. Returns how many pairs, these
    included; -1 if there is no room for them."""
    most = len(found.rows) // ROW
    bodies = len(work.awake)
    count = find_pairs(shapes, work.boxes, work.awake, work.order, work.pairs, len(work.pairs) // 2 - bodies)
    if count < 0:
        return -1
    for body in range(bodies):
        work.placed[body] = 0
        work.ground[body] = -1
        if work.awake[body] and len(obstacles) > 0:
            work.ground[body] = count
            work.pairs[2 * count], work.pairs[2 * count + 1] = body, -1
            count += 1
    n = lost = 0
    for m in range(count):
        a, b = work.pairs[2 * m], work.pairs[2 * m + 1]
        found.spans[2 * m] = n
        if b >= 0 or near_any(shapes, work, obstacles, a):
            place_body(shapes, nodes, work, a)
            if b >= 0:
                place_body(shapes, nodes, work, b)
            last = find_pair(
                shapes, nodes, work.frames, work.boxes, work.motions, obstacles, grids, found, work.places,
                work.scratch, a, b, h, n, most,
            )  # fmt: skip
            if last > most:
                lost += 1
                last = most
            if b >= 0 and (work.awake[a] == 0 or work.awake[b] == 0):
                stop_sleepers(found, n, last, work.awake[a] == 0, work.awake[b] == 0)
            n = last
        found.spans[2 * m + 1] = n
    work.counts[LOST_PAIRS] += lost
    work.counts[FOUND] = count
    return count


@part
def near_any(shapes, work, obstacles, body):
    """Whether any obstacle is near a body."""
    margin = AHEAD * shapes.materials[BODY_ROW * body + RADIUS]
    for number in range(len(obstacles) // OBSTACLE):
        if near_obstacle(obstacles, OBSTACLE * number, work.boxes, AABB * body, margin):
            return True
    return False
