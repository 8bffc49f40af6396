# mypy: disallow-untyped-defs=False, check-untyped-defs=False
"""The contact rows of a sub-step: found, prepared, brought along when bodies have moved, and kept for the next."""

from pliant.collision.broad_phase.pairs import find_pairs
from pliant.collision.constants import AHEAD
from pliant.collision.find import find_pair
from pliant.collision.frames import fit_frame
from pliant.collision.layout import (
    AABB,
    ARM_A,
    ARM_B,
    BODY,
    BODY_ROW,
    BY_BODY,
    BY_OBSTACLE,
    BY_PARTICLE,
    BY_PARTICLES,
    FIELD,
    FOURS,
    INDEX_A,
    INDEX_B,
    KEY,
    KIND,
    KIND_A,
    KIND_B,
    OBSTACLE,
    POINT,
    PROXY,
    PROXY_END,
    RADIUS,
    ROW,
    ROW_SIDES,
    SOFT,
    STIFF,
)
from pliant.collision.manifold import reduce_rows
from pliant.collision.narrow_phase.obstacle import near_obstacle
from pliant.collision.places import place
from pliant.collision.row import hold_by_tet
from pliant.dynamics.contact import prepare
from pliant.dynamics.layout import BODY_NODE, PIVOT
from pliant.dynamics.warm_start import keep_row, mark_known, recall_pair
from pliant.runtime.jit import part

# In `counts`: pairs with rows and rows of the last sub-step, pairs whose rows found no room, whether others are awake
# than before, all pairs of the last sub-step.
KEPT_PAIRS, KEPT_ROWS, LOST_PAIRS, CHANGED, FOUND = range(5)


@part
def place_body(shapes, nodes, work, body):
    """The frame of a body and the places of its proxies, once in a sub-step."""
    if work.placed[body]:
        return
    work.placed[body] = 1
    kind = shapes.bodies[BODY * body + KIND]
    if (kind == SOFT and shapes.bodies[BODY * body + FIELD] >= 0) or (kind == STIFF and work.awake[body] == 0):
        fit_frame(shapes, nodes, work.frames, work.rest, body)
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


@part
def find_rows(shapes, nodes, work, found, obstacles, grids, h):
    """All contact rows; pairs of bodies first, then each body with the obstacles. Returns how many pairs, these
    included."""
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
    return count


@part
def near_any(shapes, work, obstacles, body):
    """Whether any obstacle is near a body."""
    margin = AHEAD * shapes.materials[BODY_ROW * body + RADIUS]
    for number in range(len(obstacles) // OBSTACLE):
        if near_obstacle(obstacles, OBSTACLE * number, work.boxes, AABB * body, margin):
            return True
    return False


@part
def is_stiff(shapes, body):
    return body < 0 or shapes.bodies[BODY * body + KIND] == STIFF


@part
def set_arms(shapes, nodes, found, row):
    """From what turns to the point of contact, on both sides."""
    at, s, r = ROW * row, ROW_SIDES * row, found.rows
    for side in range(2):
        kind, index = found.sides[s + (KIND_B if side else KIND_A)], found.sides[s + (INDEX_B if side else INDEX_A)]
        arm = at + (ARM_B if side else ARM_A)
        if kind == BY_BODY:
            for k in range(3):
                r[arm + k] = r[at + POINT + k] - nodes.rigid[BODY_NODE * index + PIVOT + k]
        elif kind == BY_PARTICLE:
            for k in range(3):
                r[arm + k] = r[at + POINT + k] - nodes.x[4 * index + k]


@part
def refresh(shapes, nodes, found, row):
    """The point of contact where the bodies are now; nodes.x: after they have moved."""
    at, s, r = ROW * row, ROW_SIDES * row, found.rows
    kind, index = found.sides[s + KIND_A], found.sides[s + INDEX_A]
    if kind == BY_PARTICLES:
        a0 = a1 = a2 = 0.0
        for k in range(FOURS * row, FOURS * row + 4):
            i, w = 4 * found.particles[k], found.weights[k]
            a0 += w * nodes.x[i]
            a1 += w * nodes.x[i + 1]
            a2 += w * nodes.x[i + 2]
        r[at + POINT], r[at + POINT + 1], r[at + POINT + 2] = a0, a1, a2
    elif kind == BY_BODY:
        for k in range(3):
            r[at + POINT + k] = nodes.rigid[BODY_NODE * index + PIVOT + k] + r[at + ARM_A + k]
    elif kind == BY_PARTICLE:
        for k in range(3):
            r[at + POINT + k] = nodes.x[4 * index + k] + r[at + ARM_A + k]
    if found.sides[s + KIND_B] == BY_PARTICLES and found.sides[s + INDEX_B] >= 0:
        hold_by_tet(
            shapes, nodes, found, row, found.sides[s + INDEX_B], r[at + POINT], r[at + POINT + 1], r[at + POINT + 2]
        )
    set_arms(shapes, nodes, found, row)


@part
def prepare_rows(shapes, nodes, work, found, count):
    """Arms, masses and what is known from the last sub-step; manifolds of what does not deform are reduced."""
    old, olds = 0, work.counts[KEPT_PAIRS]
    for m in range(count):
        a, b = work.pairs[2 * m], work.pairs[2 * m + 1]
        first, last = found.spans[2 * m], found.spans[2 * m + 1]
        if first == last:
            continue
        # pairs of the last sub-step stand in the same order: those of two bodies, then those with obstacles
        while old < olds and comes_before(work.old_pairs[2 * old], work.old_pairs[2 * old + 1], a, b):
            old += 1
        known = old < olds and work.old_pairs[2 * old] == a and work.old_pairs[2 * old + 1] == b
        if is_stiff(shapes, a) and is_stiff(shapes, b):
            if known:
                mark_known(found, first, last, found.old_spans[2 * old], found.old_spans[2 * old + 1])
            last = reduce_rows(found, first, last)
            found.spans[2 * m + 1] = last
        for n in range(first, last):
            set_arms(shapes, nodes, found, n)
            prepare(nodes, found, n)
        if known:
            recall_pair(found, first, last, found.old_spans[2 * old], found.old_spans[2 * old + 1])


@part
def comes_before(a, b, c, d):
    """Whether pair (a, b) stands before (c, d): those with obstacles (-1) come last."""
    if (b < 0) != (d < 0):
        return d < 0
    return a < c or (a == c and b < d)


@part
def keep_rows(work, found, count):
    """What the next sub-step needs to know."""
    kept = 0
    pairs = 0
    for m in range(count):
        first, last = found.spans[2 * m], found.spans[2 * m + 1]
        if first == last:
            continue
        work.old_pairs[2 * pairs], work.old_pairs[2 * pairs + 1] = work.pairs[2 * m], work.pairs[2 * m + 1]
        found.old_spans[2 * pairs] = kept
        for n in range(first, last):
            keep_row(found, n, kept)
            kept += 1
        found.old_spans[2 * pairs + 1] = kept
        pairs += 1
    work.counts[KEPT_PAIRS], work.counts[KEPT_ROWS] = pairs, kept
