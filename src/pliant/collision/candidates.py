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
    KIND,
    MOTION,
    PAIR_COUNT,
    RADIUS,
    STIFF,
)
from pliant.collision.places import has_field, place_of
from pliant.runtime.jit import inner, part


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
def search_direction(shapes, nodes, work, candidates, a, b, direction, horizon, n):
    """The proxies of a that may come to the inside of b. Returns the number of the next candidate; one beyond the last
    if there is no room."""
    most = len(candidates.keys)
    radius = min(shapes.materials[BODY_ROW * a + RADIUS], shapes.materials[BODY_ROW * b + RADIUS])
    for block in range(shapes.bodies[BODY * a + BODY_BLOCK], shapes.bodies[BODY * a + BODY_BLOCK_END]):
        count = blocks_near(shapes, work.block_boxes, work.near, block, b)
        if count == 0:
            continue
        for proxy in range(shapes.block_proxies[block], shapes.block_proxies[block + 1]):
            a0, a1, a2 = place_of(shapes, nodes, work, a, proxy)
            i = 4 * shapes.holders[4 * proxy]
            if not in_any(
                work.block_boxes, work.near, count, a0, a1, a2,
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
def search_pair(shapes, nodes, work, candidates, a, b, horizon, n):
    """Of two bodies, or of one against itself: what has an inside does not meet itself."""
    inside_a, inside_b = has_field(shapes, a), has_field(shapes, b)
    if not (inside_a or inside_b):
        return search_round(shapes, nodes, work, candidates, a, b, horizon, n)
    if a == b:
        return n
    frame_body(shapes, nodes, work, a)
    frame_body(shapes, nodes, work, b)
    if inside_b:
        n = search_direction(shapes, nodes, work, candidates, a, b, 0, horizon, n)
    if inside_a and n <= len(candidates.keys):
        n = search_direction(shapes, nodes, work, candidates, b, a, 1, horizon, n)
    return n


@part
def search(shapes, nodes, work, candidates, obstacles, grids, horizon, h):
    """All candidates anew. Returns whether there is room for them."""
    bodies, count, n = len(work.awake), work.counts[PAIR_COUNT], 0
    for body in range(bodies):
        box_blocks(shapes, nodes, work.block_boxes, body, horizon if work.awake[body] else 0.0)
    for m in range(count):
        a, b = work.pairs[2 * m], work.pairs[2 * m + 1]
        candidates.spans[2 * m] = n
        if (work.awake[a] or work.awake[b]) and n <= len(candidates.keys):
            n = search_pair(shapes, nodes, work, candidates, a, b, horizon, n)
        candidates.spans[2 * m + 1] = n
    for body in range(bodies):
        m = 2 * (count + body)
        candidates.spans[m] = n
        if work.awake[body] and n <= len(candidates.keys):
            n = search_obstacles(shapes, nodes, work, candidates, obstacles, grids, body, horizon, h, n)
        candidates.spans[m + 1] = n
    return n <= len(candidates.keys)

