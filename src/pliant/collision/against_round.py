# mypy: disallow-untyped-defs=False, check-untyped-defs=False
"""Balls and ellipsoids against one another: of two bodies that have no inside, or of one against itself.

A candidate is two proxies that may touch before the step is over; it keeps the normal along which they were apart, from
where the next sub-step goes on (narrow_phase/round.py)."""

import math

from pliant.collision.blocks import blocks_near, comes_into
from pliant.collision.constants import AHEAD
from pliant.collision.layout import (
    AABB,
    BODY,
    BODY_BLOCK,
    BODY_BLOCK_END,
    BODY_ROW,
    BY_PARTICLES,
    CANDIDATE,
    CANDIDATE_NORMAL,
    FOURS,
    PROXY,
    RADIUS,
)
from pliant.collision.narrow_phase.round import FIRST_ROUNDS, FURTHER_ROUNDS, apart_along, gap_of_round, reach
from pliant.collision.places import mover, place_of
from pliant.collision.row import between, hold, write
from pliant.runtime.jit import inner, part

REST_NEIGHBOURS = 1.5  # of the distance at which two proxies touch: nearer ones at rest do not meet
OTHER_KEYS = 1 << 24  # keys of one proxy with all of another body


@inner
def neighbours_at_rest(rest, proxy, other, far):
    """Whether two proxies of a body belong to the same piece of it."""
    i, j = 4 * proxy, 4 * other
    d0, d1, d2 = rest[i] - rest[j], rest[i + 1] - rest[j + 1], rest[i + 2] - rest[j + 2]
    near = REST_NEIGHBOURS * far
    return d0 * d0 + d1 * d1 + d2 * d2 < near * near


@part
def search_round(shapes, nodes, work, candidates, near, a, b, horizon, n, most):
    """The proxies of two bodies, or of one and the same, that may touch before the horizon (s). Returns the number of
    the next candidate; one beyond `most` if there is no room. near: scratch."""
    u = nodes.u
    ahead = AHEAD * min(shapes.materials[BODY_ROW * a + RADIUS], shapes.materials[BODY_ROW * b + RADIUS])
    first_a, first_b = shapes.bodies[BODY * a + PROXY], shapes.bodies[BODY * b + PROXY]
    for block in range(shapes.bodies[BODY * a + BODY_BLOCK], shapes.bodies[BODY * a + BODY_BLOCK_END]):
        count = blocks_near(shapes, work.block_boxes, near, block, b)
        if count == 0:
            continue
        for proxy in range(shapes.block_proxies[block], shapes.block_proxies[block + 1]):
            a0, a1, a2 = place_of(shapes, nodes, work, a, proxy)
            wide, i = abs(shapes.rest[4 * proxy + 3]), 4 * shapes.holders[4 * proxy]
            d0, d1, d2 = horizon * u[i], horizon * u[i + 1], horizon * u[i + 2]
            for k in range(count):
                if not comes_into(work.block_boxes, near[k], wide, a0, a1, a2, d0, d1, d2):
                    continue
                there = near[k] // AABB
                for other in range(shapes.block_proxies[there], shapes.block_proxies[there + 1]):
                    b0, b1, b2 = place_of(shapes, nodes, work, b, other)
                    e0, e1, e2, j = a0 - b0, a1 - b1, a2 - b2, 4 * shapes.holders[4 * other]
                    v0, v1, v2 = u[i] - u[j], u[i + 1] - u[j + 1], u[i + 2] - u[j + 2]
                    touch = wide + abs(shapes.rest[4 * other + 3]) + ahead
                    square, away = v0 * v0 + v1 * v1 + v2 * v2, e0 * e0 + e1 * e1 + e2 * e2
                    if away > 2.0 * (touch * touch + horizon * horizon * square):  # (s + t)^2 is never more: no root
                        continue
                    way = horizon * math.sqrt(square)
                    if away > (touch + way) * (touch + way):
                        continue
                    if a == b and (other <= proxy or neighbours_at_rest(shapes.rest, proxy, other, touch)):
                        continue
                    if n >= most:
                        return n + 1
                    if comes_near(shapes, nodes, candidates, n, proxy, other, e0, e1, e2, away, ahead + way):
                        candidates.keys[n] = (proxy - first_a) * OTHER_KEYS + other - first_b
                        n += 1
    return n


@inner
def comes_near(shapes, nodes, candidates, n, proxy, other, d0, d1, d2, away, limit):
    """Whether two proxies are apart by less than a limit; then the normal of a new candidate is written."""
    at, c = CANDIDATE * n + CANDIDATE_NORMAL, candidates.numbers
    n0, n1, n2 = 0.0, 1.0, 0.0
    if away > 0.0:
        k = 1.0 / math.sqrt(away)
        n0, n1, n2 = k * d0, k * d1, k * d2
    i, j = shapes.particles[shapes.starts[proxy]], shapes.particles[shapes.starts[other]]
    r, s = shapes.rest[4 * proxy + 3], shapes.rest[4 * other + 3]
    if apart_along(nodes.hulls, i, r, j, s, d0, d1, d2, n0, n1, n2) > limit:
        return False
    gap, c[at], c[at + 1], c[at + 2] = gap_of_round(
        nodes.hulls, i, r, j, s, d0, d1, d2, n0, n1, n2, FIRST_ROUNDS, limit
    )
    return gap < limit


@part
def against_round(shapes, nodes, work, candidates, found, m, a, b, h, n, most):
    """The rows of all candidates of a pair. Returns the number of the next row."""
    radius = min(shapes.materials[BODY_ROW * a + RADIUS], shapes.materials[BODY_ROW * b + RADIUS])
    first_a, first_b = shapes.bodies[BODY * a + PROXY], shapes.bodies[BODY * b + PROXY]
    u, c = nodes.u, candidates.numbers
    for k in range(candidates.spans[2 * m], candidates.spans[2 * m + 1]):
        key, at = candidates.keys[k], CANDIDATE * k + CANDIDATE_NORMAL
        proxy, other = first_a + key // OTHER_KEYS, first_b + key % OTHER_KEYS
        a0, a1, a2 = place_of(shapes, nodes, work, a, proxy)
        b0, b1, b2 = place_of(shapes, nodes, work, b, other)
        d0, d1, d2 = a0 - b0, a1 - b1, a2 - b2
        i, size = shapes.particles[shapes.starts[proxy]], shapes.rest[4 * proxy + 3]
        j, others = shapes.particles[shapes.starts[other]], shapes.rest[4 * other + 3]
        f, g = 4 * shapes.holders[4 * proxy], 4 * shapes.holders[4 * other]
        v0, v1, v2 = u[f] - u[g], u[f + 1] - u[g + 1], u[f + 2] - u[g + 2]
        # along any normal they are apart by no more than they are: the last one tells most of those that do not touch
        near = apart_along(nodes.hulls, i, size, j, others, d0, d1, d2, c[at], c[at + 1], c[at + 2]) - AHEAD * radius
        if near > 0.0 and near * near > h * h * (v0 * v0 + v1 * v1 + v2 * v2):
            continue
        gap, n0, n1, n2 = gap_of_round(
            nodes.hulls, i, size, j, others, d0, d1, d2, c[at], c[at + 1], c[at + 2], FURTHER_ROUNDS, math.inf
        )
        c[at], c[at + 1], c[at + 2] = n0, n1, n2
        closing = -n0 * v0 - n1 * v1 - n2 * v2
        if not (gap < AHEAD * radius + h * max(closing, 0.0)):
            continue
        if n >= most:
            return n + 1
        _, e0, e1, e2 = reach(nodes.hulls, i, size, n0, n1, n2)
        kind_a, index_a = mover(shapes, a, proxy)
        kind_b, index_b = mover(shapes, b, other)
        if kind_a == BY_PARTICLES:
            hold(shapes, found, FOURS * n, proxy)
        if kind_b == BY_PARTICLES:
            hold(shapes, found, FOURS * n + 4, other)
        write(found, n, key, kind_a, index_a, kind_b, index_b, gap, n0, n1, n2, a0 - e0, a1 - e1, a2 - e2)
        between(shapes, found, n, a, b)
        n += 1
    return n
