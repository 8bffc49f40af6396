# mypy: disallow-untyped-defs=False, check-untyped-defs=False
"""Candidates: proxies that may touch another body, or an obstacle, before the step is over.

They are searched when a step begins: of pairs of bodies whose boxes overlap, in blocks that do (blocks.py), the points
whose gap is less than what they may go in the step. In every sub-step a candidate has the gap of when it was looked at
and what its two sides have moved since, and is looked at again when that is more than a part of the contact radius
(against_field.py). So what lies or moves together is looked at once in a step, however many sub-steps it has.

Nothing of it lasts from step to step: a world that goes back to a snapshot finds the same contacts."""

import math

from pliant.collision.against_field import look_at
from pliant.collision.against_obstacles import search_obstacles
from pliant.collision.against_round import search_round
from pliant.collision.blocks import blocks_near, box_blocks, in_any
from pliant.collision.constants import AHEAD
from pliant.collision.frames import frame_body
from pliant.collision.layout import (
    BODY,
    BODY_BLOCK,
    BODY_BLOCK_END,
    BODY_ROW,
    CANDIDATE,
    CANDIDATE_GAP,
    DEVIATION,
    DIRECTION_KEYS,
    HORIZON,
    KIND,
    LOST_PAIRS,
    MOTION,
    PAIR_COUNT,
    RADIUS,
    ROOM_IS_MISSING,
    SEARCH,
    SOME_LOST,
    STIFF,
    SUBSTEP,
)
from pliant.collision.places import has_field, place_of
from pliant.collision.threads import told_by_all
from pliant.runtime.jit import inner, part
from pliant.runtime.thread_pool import MOST_PIECES
from pliant.runtime.waiting import all_through


@inner
def relative_speed(shapes, nodes, work, a, b, proxy, through):
    """Of a proxy of a and what is near it of b (m/s)."""
    i, m = 4 * shapes.holders[4 * proxy], MOTION * b
    u0, u1, u2 = float(nodes.u[i]), float(nodes.u[i + 1]), float(nodes.u[i + 2])
    if shapes.bodies[BODY * b + KIND] == STIFF or through < 0:
        v = work.motions
        d0, d1, d2, more = u0 - v[m], u1 - v[m + 1], u2 - v[m + 2], v[m + DEVIATION]
    else:
        j = 4 * shapes.tets[4 * through]
        d0, d1, d2, more = u0 - nodes.u[j], u1 - nodes.u[j + 1], u2 - nodes.u[j + 2], 0.0
    return math.sqrt(d0 * d0 + d1 * d1 + d2 * d2) + more


@part
def search_direction(shapes, nodes, work, candidates, near, a, b, direction, horizon, n, most):
    """The proxies of a that may come to the inside of b. Returns the number of the next candidate; one beyond `most` if
    there is no room. near: scratch."""
    radius = min(shapes.materials[BODY_ROW * a + RADIUS], shapes.materials[BODY_ROW * b + RADIUS])
    for block in range(shapes.bodies[BODY * a + BODY_BLOCK], shapes.bodies[BODY * a + BODY_BLOCK_END]):
        count = blocks_near(shapes, work.block_boxes, near, block, b)
        if count == 0:
            continue
        for proxy in range(shapes.block_proxies[block], shapes.block_proxies[block + 1]):
            a0, a1, a2 = place_of(shapes, nodes, work, a, proxy)
            i = 4 * shapes.holders[4 * proxy]
            if not in_any(
                work.block_boxes, near, count, a0, a1, a2,
                horizon * nodes.u[i], horizon * nodes.u[i + 1], horizon * nodes.u[i + 2],
            ):  # fmt: skip
                continue
            if n >= most:
                return n + 1
            if look_at(shapes, nodes, work, candidates, n, a, b, proxy):
                speed = relative_speed(shapes, nodes, work, a, b, proxy, candidates.through[n])
                if candidates.numbers[CANDIDATE * n + CANDIDATE_GAP] < AHEAD * radius + horizon * speed:
                    candidates.keys[n] = direction * DIRECTION_KEYS + proxy
                    n += 1
    return n


@part
def search_pair(shapes, nodes, work, candidates, near, a, b, horizon, n, most):
    """Of two bodies, or of one against itself: what has an inside does not meet itself."""
    inside_a, inside_b = has_field(shapes, a), has_field(shapes, b)
    if not (inside_a or inside_b):
        return search_round(shapes, nodes, work, candidates, near, a, b, horizon, n, most)
    if a == b:
        return n
    frame_body(shapes, nodes, work, a)
    frame_body(shapes, nodes, work, b)
    if inside_b:
        n = search_direction(shapes, nodes, work, candidates, near, a, b, 0, horizon, n, most)
    if inside_a and n <= most:
        n = search_direction(shapes, nodes, work, candidates, near, b, a, 1, horizon, n, most)
    return n


@inner
def room_of(candidates, piece, pieces):
    """Where the candidates of a thread begin, and where they have to end."""
    most = len(candidates.keys)
    return most * piece // pieces, most * (piece + 1) // pieces


@inner
def search_body(shapes, nodes, work, candidates, step, m, body, n, most):
    """The candidates of a body with obstacles, as those of pair m. Returns the number of the next."""
    candidates.spans[2 * m] = n
    if work.awake[body] and n <= most:
        n = search_obstacles(
            shapes, nodes, work, candidates, step.obstacles, step.grids, body, step.numbers[HORIZON],
            step.numbers[SUBSTEP], n, most,
        )  # fmt: skip
    candidates.spans[2 * m + 1] = n
    return n


@part
def search(shapes, nodes, work, candidates, step, piece, pieces):
    """All candidates anew; each thread writes those of its pairs to a place of its own. Returns whether there is room
    for them. If some may be lost, one thread does all, so that they are the same for any number of threads."""
    bodies, pairs, horizon = len(work.awake), work.counts[PAIR_COUNT], step.numbers[HORIZON]
    some_lost = work.counts[SEARCH] == SOME_LOST
    for body in range(piece, bodies, pieces):
        box_blocks(shapes, nodes, work.block_boxes, body, horizon if work.awake[body] else 0.0)
    all_through(step.board, piece, pieces)
    size = len(work.near) // MOST_PIECES
    near = work.near[size * piece : size * (piece + 1)]
    n, most = room_of(candidates, piece, pieces)
    first, by, lost = piece, pieces, 0
    if some_lost:
        n, most, first, by = 0, len(candidates.keys), 0, 1
    if piece == 0 or not some_lost:
        for m in range(first, pairs + bodies, by):
            begin = n
            if m < pairs:
                a, b = work.pairs[2 * m], work.pairs[2 * m + 1]
                candidates.spans[2 * m] = n
                if (work.awake[a] or work.awake[b]) and n <= most:
                    n = search_pair(shapes, nodes, work, candidates, near, a, b, horizon, n, most)
                candidates.spans[2 * m + 1] = n
            else:
                n = search_body(shapes, nodes, work, candidates, step, m, m - pairs, n, most)
            if some_lost and n > most:
                n, candidates.spans[2 * m], candidates.spans[2 * m + 1], lost = begin, begin, begin, lost + 1
    if piece == 0:
        work.counts[LOST_PAIRS] += lost
    return told_by_all(step.board, piece, pieces, ROOM_IS_MISSING, n > most) == 0
