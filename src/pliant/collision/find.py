# mypy: disallow-untyped-defs=False, check-untyped-defs=False
"""From a pair of bodies to contact rows.

Rows of a pair stand one after the other in the order of their keys, so what is known of them from the last sub-step is
found by going through both lists at once (dynamics/warm_start.py)."""


from pliant.collision.constants import AHEAD
from pliant.collision.layout import (
    AABB,
    BEYOND,
    BODY,
    BODY_REACH,
    BODY_ROW,
    BY_BODY,
    BY_OBSTACLE,
    BY_PARTICLE,
    BY_PARTICLES,
    DEVIATION,
    FIELD,
    FOURS,
    KIND,
    MOTION,
    OBSTACLE,
    OBSTACLE_FRICTION,
    OBSTACLE_RESTITUTION,
    PROXY,
    PROXY_END,
    RADIUS,
    ROW,
    ROW_FRICTION,
    ROW_RADIUS,
    ROW_RESTITUTION,
    SOFT,
    SURFACE,
    TURNING,
)
from pliant.collision.narrow_phase.field import field_of_frame, field_of_particles, field_of_tet, tet_at
from pliant.collision.narrow_phase.obstacle import gap_to_obstacle, near_obstacle, surface_velocity
from pliant.collision.narrow_phase.round import gap_of_round, reach
from pliant.collision.places import inner_place, is_alone, mover
from pliant.collision.row import between, hold, hold_by_one, hold_by_tet, write
from pliant.runtime.jit import inner, part

DIRECTION_KEYS = 1 << 32  # keys of one direction of a pair
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
def against_field(shapes, nodes, frames, boxes, motions, found, places, a, b, direction, h, n, most):
    """The proxies of body a against the inside of body b. Returns the number of the next row."""
    radius = min(shapes.materials[BODY_ROW * a + RADIUS], shapes.materials[BODY_ROW * b + RADIUS])
    soft, turning = shapes.bodies[BODY * b + KIND] == SOFT, shapes.bodies[BODY * b + KIND] == TURNING
    for proxy in range(shapes.bodies[BODY * a + PROXY], shapes.bodies[BODY * a + PROXY_END]):
        a0, a1, a2 = places[3 * proxy], places[3 * proxy + 1], places[3 * proxy + 2]
        size = shapes.rest[4 * proxy + 3]
        far = AHEAD * radius + (size if size >= 0.0 else shapes.materials[BODY_ROW * a + BODY_REACH])
        if not within(boxes, b, far, a0, a1, a2):
            continue
        q0, q1, q2 = a0, a1, a2
        if size == 0.0:
            q0, q1, q2 = inner_place(shapes, nodes, frames, a, proxy)
        tet = other = -1
        if turning:
            gap, n0, n1, n2, other = field_of_particles(shapes, nodes, frames, b, q0, q1, q2)
        else:
            tet = tet_at(shapes, nodes.x, frames, b, q0, q1, q2) if soft else -1
            if tet >= 0:
                gap, n0, n1, n2 = field_of_tet(shapes, nodes.x, b, tet, q0, q1, q2)
            else:
                gap, n0, n1, n2 = field_of_frame(shapes, frames, b, q0, q1, q2)
        c0, c1, c2 = a0, a1, a2  # where they touch
        if size == 0.0:
            gap += n0 * (a0 - q0) + n1 * (a1 - q1) + n2 * (a2 - q2)
        else:
            i = shapes.particles[shapes.starts[proxy]]
            r, d0, d1, d2 = reach(nodes.hulls, i, size, n0, n1, n2)
            gap -= r
            if size < 0.0:
                c0, c1, c2 = a0 - d0, a1 - d1, a2 - d2
        if not (gap < AHEAD * radius + h * closing(motions, a, b, n0, n1, n2)):
            continue
        if n >= most:
            return n + 1
        kind, index = mover(shapes, a, proxy)
        key = direction * DIRECTION_KEYS + proxy
        beyond = 0.0
        if kind == BY_PARTICLES:
            x0, x1, x2 = hold(shapes, nodes, found, FOURS * n, proxy)
            beyond = n0 * (x0 - a0) + n1 * (x1 - a1) + n2 * (x2 - a2)
        if soft:
            if tet < 0:
                tet = tet_at(shapes, nodes.x, frames, b, a0, a1, a2)
            if tet < 0:
                continue  # the body is crushed flat there; its other points see to it
            x0, x1, x2 = hold_by_tet(shapes, nodes, found, n, tet, c0, c1, c2)
            beyond += n0 * (c0 - x0) + n1 * (c1 - x1) + n2 * (c2 - x2) - gap
            write(found, n, key, kind, index, BY_PARTICLES, b, gap, n0, n1, n2, c0, c1, c2)
        elif turning and not is_alone(shapes, b):
            x0, x1, x2 = hold_by_one(nodes, found, n, other)
            beyond += n0 * (c0 - x0) + n1 * (c1 - x1) + n2 * (c2 - x2) - gap
            write(found, n, key, kind, index, BY_PARTICLES, b, gap, n0, n1, n2, c0, c1, c2)
        elif turning:
            write(found, n, key, kind, index, BY_PARTICLE, other, gap, n0, n1, n2, c0, c1, c2)
        else:
            write(found, n, key, kind, index, BY_BODY, b, gap, n0, n1, n2, c0, c1, c2)
        found.rows[ROW * n + BEYOND] = beyond
        between(shapes, found, n, a, b)
        n += 1
    return n


@part
def against_round(shapes, nodes, boxes, motions, found, places, scratch, a, b, h, n, most):
    """Two bodies of balls or ellipsoids."""
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
def against_itself(shapes, nodes, found, places, a, h, n, most):
    """The balls or ellipsoids of a body against one another, but for those that are neighbours at rest. What is met by
    its inside, a solid, does not meet itself."""
    if shapes.bodies[BODY * a + FIELD] >= 0:
        return n
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


@part
def against_obstacles(shapes, nodes, frames, boxes, motions, obstacles, grids, found, places, a, h, n, most):
    """The proxies of a body against all obstacles."""
    radius = shapes.materials[BODY_ROW * a + RADIUS]
    first = shapes.bodies[BODY * a + PROXY]
    rate = 1.0 / h
    for number in range(len(obstacles) // OBSTACLE):
        c = OBSTACLE * number
        if not near_obstacle(obstacles, c, boxes, AABB * a, AHEAD * radius):
            continue
        for proxy in range(first, shapes.bodies[BODY * a + PROXY_END]):
            a0, a1, a2 = places[3 * proxy], places[3 * proxy + 1], places[3 * proxy + 2]
            size = shapes.rest[4 * proxy + 3]
            gap, n0, n1, n2 = gap_to_obstacle(obstacles, c, grids, a0, a1, a2)
            c0, c1, c2 = a0, a1, a2
            if size != 0.0:
                r, d0, d1, d2 = reach(nodes.hulls, shapes.particles[shapes.starts[proxy]], size, n0, n1, n2)
                gap -= r
                if size < 0.0:
                    c0, c1, c2 = a0 - d0, a1 - d1, a2 - d2
            i = MOTION * a
            fast = motions[i + DEVIATION] - n0 * motions[i] - n1 * motions[i + 1] - n2 * motions[i + 2]
            s0, s1, s2 = surface_velocity(obstacles, c, rate, c0, c1, c2)
            fast += n0 * s0 + n1 * s1 + n2 * s2
            if not (gap < AHEAD * radius + h * max(fast, 0.0)):
                continue
            if n >= most:
                return n + 1
            kind, index = mover(shapes, a, proxy)
            key = number * DIRECTION_KEYS + proxy - first
            write(found, n, key, kind, index, BY_OBSTACLE, number, gap, n0, n1, n2, c0, c1, c2)
            at = ROW * n
            if kind == BY_PARTICLES:
                x0, x1, x2 = hold(shapes, nodes, found, FOURS * n, proxy)
                found.rows[at + BEYOND] = n0 * (x0 - a0) + n1 * (x1 - a1) + n2 * (x2 - a2)
            found.rows[at + SURFACE], found.rows[at + SURFACE + 1], found.rows[at + SURFACE + 2] = s0, s1, s2
            found.rows[at + ROW_FRICTION] = obstacles[c + OBSTACLE_FRICTION]
            found.rows[at + ROW_RESTITUTION] = obstacles[c + OBSTACLE_RESTITUTION]
            found.rows[at + ROW_RADIUS] = radius
            n += 1
    return n


@part
def find_pair(shapes, nodes, frames, boxes, motions, obstacles, grids, found, places, scratch, a, b, h, n, most):
    """All rows of a pair of bodies, or of a body with the obstacles (b = -1). Returns the number of the next row; one
    beyond `most` if there was no room."""
    if b < 0:
        return against_obstacles(shapes, nodes, frames, boxes, motions, obstacles, grids, found, places, a, h, n, most)
    if a == b:
        return against_itself(shapes, nodes, found, places, a, h, n, most)
    inside_a, inside_b = shapes.bodies[BODY * a + FIELD] >= 0, shapes.bodies[BODY * b + FIELD] >= 0
    if not inside_a and not inside_b:
        return against_round(shapes, nodes, boxes, motions, found, places, scratch, a, b, h, n, most)
    if inside_b:
        n = against_field(shapes, nodes, frames, boxes, motions, found, places, a, b, 0, h, n, most)
    if inside_a and n <= most:
        n = against_field(shapes, nodes, frames, boxes, motions, found, places, b, a, 1, h, n, most)
    return n
