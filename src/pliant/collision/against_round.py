# mypy: disallow-untyped-defs=False, check-untyped-defs=False
"""Balls and ellipsoids against one another: of two bodies that have no inside, or of one against itself."""

from pliant.collision.constants import AHEAD
from pliant.collision.layout import (
    AABB,
    BODY,
    BODY_REACH,
    BODY_ROW,
    BY_PARTICLES,
    DEVIATION,
    FIELD,
    FOURS,
    MOTION,
    PROXY,
    PROXY_END,
    RADIUS,
)
from pliant.collision.narrow_phase.round import gap_of_round, reach
from pliant.collision.places import mover, place_of
from pliant.collision.row import between, hold, write
from pliant.runtime.jit import inner, part

REST_NEIGHBOURS = 1.5  # of the distance at which two proxies touch: nearer ones at rest do not meet


@inner
def closing(motions, a, b, n0, n1, n2):
    """How fast two bodies may come together along a normal from b to a (m/s)."""
    i, j = MOTION * a, MOTION * b
    along = n0 * (motions[i] - motions[j])
    along += n1 * (motions[i + 1] - motions[j + 1]) + n2 * (motions[i + 2] - motions[j + 2])
    return max(motions[i + DEVIATION] + motions[j + DEVIATION] - along, 0.0)


@inner
def within(boxes, body, margin, a0, a1, a2):
    b = AABB * body
    return (
        a0 > boxes[b] - margin
        and a1 > boxes[b + 1] - margin
        and a2 > boxes[b + 2] - margin
        and a0 < boxes[b + 3] + margin
        and a1 < boxes[b + 4] + margin
        and a2 < boxes[b + 5] + margin
    )


@part
def place_all(shapes, nodes, work, body):
    for proxy in range(shapes.bodies[BODY * body + PROXY], shapes.bodies[BODY * body + PROXY_END]):
        place_of(shapes, nodes, work, body, proxy)


@part
def against_round(shapes, nodes, work, found, a, b, h, n, most):
    """Two bodies of balls or ellipsoids. Returns the number of the next row."""
    places, boxes, motions, scratch = work.places, work.boxes, work.motions, work.scratch
    place_all(shapes, nodes, work, a)
    place_all(shapes, nodes, work, b)
    radius = min(shapes.materials[BODY_ROW * a + RADIUS], shapes.materials[BODY_ROW * b + RADIUS])
    reach_a, reach_b = shapes.materials[BODY_ROW * a + BODY_REACH], shapes.materials[BODY_ROW * b + BODY_REACH]
    near = AHEAD * radius + reach_a + reach_b
    count = 0
    for other in range(shapes.bodies[BODY * b + PROXY], shapes.bodies[BODY * b + PROXY_END]):
        if within(boxes, a, near, places[3 * other], places[3 * other + 1], places[3 * other + 2]):
            scratch[count] = other
            count += 1
    for proxy in range(shapes.bodies[BODY * a + PROXY], shapes.bodies[BODY * a + PROXY_END]):
        a0, a1, a2 = places[3 * proxy], places[3 * proxy + 1], places[3 * proxy + 2]
        if count == 0 or not within(boxes, b, near, a0, a1, a2):
            continue
        size = shapes.rest[4 * proxy + 3]
        widest = size if size >= 0.0 else reach_a
        i = shapes.particles[shapes.starts[proxy]]
        for k in range(count):
            other = scratch[k]
            d0, d1, d2 = a0 - places[3 * other], a1 - places[3 * other + 1], a2 - places[3 * other + 2]
            others = shapes.rest[4 * other + 3]
            far = widest + (others if others >= 0.0 else reach_b) + AHEAD * radius
            far += h * (motions[MOTION * a + DEVIATION] + motions[MOTION * b + DEVIATION])
            if d0 * d0 + d1 * d1 + d2 * d2 > far * far:
                continue
            j = shapes.particles[shapes.starts[other]]
            gap, n0, n1, n2 = gap_of_round(nodes.hulls, i, size, j, others, d0, d1, d2)
            if not (gap < AHEAD * radius + h * closing(motions, a, b, n0, n1, n2)):
                continue
            if n >= most:
                return n + 1
            _, e0, e1, e2 = reach(nodes.hulls, i, size, n0, n1, n2)
            kind_a, index_a = mover(shapes, a, proxy)
            kind_b, index_b = mover(shapes, b, other)
            if kind_a == BY_PARTICLES:
                hold(shapes, nodes, found, FOURS * n, proxy)
            if kind_b == BY_PARTICLES:
                hold(shapes, nodes, found, FOURS * n + 4, other)
            first = shapes.bodies[BODY * b + PROXY]
            key = (proxy - shapes.bodies[BODY * a + PROXY]) * 65536 + other - first
            write(found, n, key, kind_a, index_a, kind_b, index_b, gap, n0, n1, n2, a0 - e0, a1 - e1, a2 - e2)
            between(shapes, found, n, a, b)
            n += 1
    return n


@part
def against_itself(shapes, nodes, work, found, a, n, most):
    """The balls or ellipsoids of a body against one another, but for those that are neighbours at rest. What is met by
    its inside, a solid, does not meet itself."""
    if shapes.bodies[BODY * a + FIELD] >= 0:
        return n
    place_all(shapes, nodes, work, a)
    places = work.places
    radius, widest = shapes.materials[BODY_ROW * a + RADIUS], shapes.materials[BODY_ROW * a + BODY_REACH]
    first, last = shapes.bodies[BODY * a + PROXY], shapes.bodies[BODY * a + PROXY_END]
    far = 2.0 * widest + AHEAD * radius
    for proxy in range(first, last):
        a0, a1, a2 = places[3 * proxy], places[3 * proxy + 1], places[3 * proxy + 2]
        size, i = shapes.rest[4 * proxy + 3], shapes.particles[shapes.starts[proxy]]
        for other in range(proxy + 1, last):
            d0, d1, d2 = a0 - places[3 * other], a1 - places[3 * other + 1], a2 - places[3 * other + 2]
            if d0 * d0 + d1 * d1 + d2 * d2 > far * far:
                continue
            e0 = shapes.rest[4 * proxy] - shapes.rest[4 * other]
            e1 = shapes.rest[4 * proxy + 1] - shapes.rest[4 * other + 1]
            e2 = shapes.rest[4 * proxy + 2] - shapes.rest[4 * other + 2]
            if e0 * e0 + e1 * e1 + e2 * e2 < REST_NEIGHBOURS * REST_NEIGHBOURS * far * far:
                continue
            others, j = shapes.rest[4 * other + 3], shapes.particles[shapes.starts[other]]
            gap, n0, n1, n2 = gap_of_round(nodes.hulls, i, size, j, others, d0, d1, d2)
            if not (gap < AHEAD * radius):
                continue
            if n >= most:
                return n + 1
            _, c0, c1, c2 = reach(nodes.hulls, i, size, n0, n1, n2)
            kind_a, index_a = mover(shapes, a, proxy)
            kind_b, index_b = mover(shapes, a, other)
            if kind_a == BY_PARTICLES:
                hold(shapes, nodes, found, FOURS * n, proxy)
                hold(shapes, nodes, found, FOURS * n + 4, other)
            key = (proxy - first) * 65536 + other - first
            write(found, n, key, kind_a, index_a, kind_b, index_b, gap, n0, n1, n2, a0 - c0, a1 - c1, a2 - c2)
            between(shapes, found, n, a, a)
            n += 1
    return n
