# mypy: disallow-untyped-defs=False, check-untyped-defs=False
"""The proxies of a body against all obstacles."""

from pliant.collision.against_field import DIRECTION_KEYS
from pliant.collision.candidates import own_motion
from pliant.collision.constants import AHEAD
from pliant.collision.layout import (
    AABB,
    BEYOND,
    BODY,
    BODY_ROW,
    BY_OBSTACLE,
    BY_PARTICLES,
    DEVIATION,
    FOURS,
    MOTION,
    OBSTACLE,
    OBSTACLE_FRICTION,
    OBSTACLE_RESTITUTION,
    OBSTACLE_WAY,
    POINT,
    PROXY,
    PROXY_END,
    RADIUS,
    ROW,
    ROW_FRICTION,
    ROW_RADIUS,
    ROW_RESTITUTION,
    SURFACE,
)
from pliant.collision.narrow_phase.obstacle import apart_from_obstacle, gap_to_obstacle, surface_velocity
from pliant.collision.narrow_phase.round import reach
from pliant.collision.places import mover, place_of
from pliant.collision.row import hold, write
from pliant.runtime.jit import part


@part
def farthest_way(obstacles):
    """How far any obstacle goes in the sub-step (m)."""
    way = 0.0
    for number in range(len(obstacles) // OBSTACLE):
        way = max(way, obstacles[OBSTACLE * number + OBSTACLE_WAY])
    return way


@part
def against_obstacles(shapes, nodes, work, obstacles, grids, found, a, way, h, n, most):
    """Rows in the order of the obstacles, of each in the order of the proxies. Returns the number of the next row.
    way: how far any obstacle goes. A proxy has one slack for all obstacles that are near."""
    radius = shapes.materials[BODY_ROW * a + RADIUS]
    first, last = shapes.bodies[BODY * a + PROXY], shapes.bodies[BODY * a + PROXY_END]
    travel = work.ground_travel[a]
    closes = travel + h * own_motion(shapes, work.motions, a) + way
    rate = 1.0 / h
    for proxy in range(first, last):
        work.seen[proxy] = work.ground_slack[proxy] <= closes
        if work.seen[proxy]:
            work.ground_slack[proxy] = 1e300
    for number in range(len(obstacles) // OBSTACLE):
        c = OBSTACLE * number
        apart = apart_from_obstacle(obstacles, c, work.boxes, AABB * a) - AHEAD * radius
        if apart > 0.0:
            for proxy in range(first, last):
                if work.seen[proxy]:
                    work.ground_slack[proxy] = min(work.ground_slack[proxy], apart + travel)
            continue
        for proxy in range(first, last):
            if work.seen[proxy] == 0:
                continue
            a0, a1, a2 = place_of(shapes, nodes, work, a, proxy)
            size = shapes.rest[4 * proxy + 3]
            gap, n0, n1, n2 = gap_to_obstacle(obstacles, c, grids, a0, a1, a2)
            c0, c1, c2 = a0, a1, a2
            if size != 0.0:
                r, d0, d1, d2 = reach(nodes.hulls, shapes.particles[shapes.starts[proxy]], size, n0, n1, n2)
                gap -= r
                if size < 0.0:
                    c0, c1, c2 = a0 - d0, a1 - d1, a2 - d2
            work.ground_slack[proxy] = min(work.ground_slack[proxy], gap - AHEAD * radius + travel)
            i = MOTION * a
            fast = work.motions[i + DEVIATION]
            fast -= n0 * work.motions[i] + n1 * work.motions[i + 1] + n2 * work.motions[i + 2]
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
                beyond = n0 * (x0 - a0) + n1 * (x1 - a1) + n2 * (x2 - a2)
                found.rows[at + BEYOND] = beyond
                found.rows[at + POINT] = x0 - beyond * n0
                found.rows[at + POINT + 1] = x1 - beyond * n1
                found.rows[at + POINT + 2] = x2 - beyond * n2
            found.rows[at + SURFACE], found.rows[at + SURFACE + 1], found.rows[at + SURFACE + 2] = s0, s1, s2
            found.rows[at + ROW_FRICTION] = obstacles[c + OBSTACLE_FRICTION]
            found.rows[at + ROW_RESTITUTION] = obstacles[c + OBSTACLE_RESTITUTION]
            found.rows[at + ROW_RADIUS] = radius
            n += 1
    return n
