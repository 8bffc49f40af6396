# mypy: disallow-untyped-defs=False, check-untyped-defs=False
"""The proxies of a body against all obstacles."""

import math

from pliant.collision.against_field import speed_along
from pliant.collision.constants import AHEAD
from pliant.collision.layout import (
    AABB,
    BEYOND,
    BODY,
    BODY_BLOCK,
    BODY_BLOCK_END,
    BODY_ROW,
    BY_OBSTACLE,
    BY_PARTICLES,
    DEVIATION,
    DIRECTION_KEYS,
    FOURS,
    MOTION,
    OBSTACLE,
    OBSTACLE_FRICTION,
    OBSTACLE_RESTITUTION,
    OBSTACLE_WAY,
    RADIUS,
    ROW,
    ROW_FRICTION,
    ROW_RADIUS,
    ROW_RESTITUTION,
    SURFACE,
)
from pliant.collision.narrow_phase.obstacle import apart_from_obstacle, gap_to_obstacle, surface_velocity
from pliant.collision.narrow_phase.round import reach
from pliant.collision.places import mover, over_particle, place_of, pushed_at
from pliant.collision.row import hold, write
from pliant.runtime.jit import inner, part


@inner
def gap_of_proxy(shapes, nodes, work, obstacles, c, grids, a, proxy):
    """Gap and normal of a proxy at an obstacle, where they touch, and how far the skin is beyond what is pushed."""
    a0, a1, a2 = place_of(shapes, nodes, work, a, proxy)
    size = shapes.rest[4 * proxy + 3]
    gap, n0, n1, n2 = gap_to_obstacle(obstacles, c, grids, a0, a1, a2)
    c0, c1, c2 = a0, a1, a2
    if size != 0.0:
        r, d0, d1, d2 = reach(nodes.hulls, shapes.particles[shapes.starts[proxy]], size, n0, n1, n2)
        gap -= r
        if size < 0.0:
            c0, c1, c2 = a0 - d0, a1 - d1, a2 - d2
    beyond, (kind, _) = 0.0, mover(shapes, a, proxy)
    if kind == BY_PARTICLES:
        x0, x1, x2 = pushed_at(shapes, nodes, work, a, proxy)
        beyond, gap, c0, c1, c2 = over_particle(a0, a1, a2, gap, n0, n1, n2, x0, x1, x2)
    return gap, n0, n1, n2, c0, c1, c2, beyond


@part
def search_obstacles(shapes, nodes, work, candidates, obstacles, grids, a, horizon, h, n, most):
    """The proxies of a body that may come to an obstacle before the horizon (s), in the order of the obstacles, of each
    in the order of the proxies. Returns the number of the next candidate; one beyond `most` if there is no room."""
    radius = shapes.materials[BODY_ROW * a + RADIUS]
    for number in range(len(obstacles) // OBSTACLE):
        c = OBSTACLE * number
        way = horizon / h * obstacles[c + OBSTACLE_WAY]
        for block in range(shapes.bodies[BODY * a + BODY_BLOCK], shapes.bodies[BODY * a + BODY_BLOCK_END]):
            if apart_from_obstacle(obstacles, c, work.block_boxes, AABB * block) > way:
                continue
            for proxy in range(shapes.block_proxies[block], shapes.block_proxies[block + 1]):
                gap, _, _, _, _, _, _, _ = gap_of_proxy(shapes, nodes, work, obstacles, c, grids, a, proxy)
                i = 4 * shapes.holders[4 * proxy]
                u0, u1, u2 = float(nodes.u[i]), float(nodes.u[i + 1]), float(nodes.u[i + 2])
                if gap < AHEAD * radius + way + horizon * math.sqrt(u0 * u0 + u1 * u1 + u2 * u2):
                    if n >= most:
                        return n + 1
                    candidates.keys[n] = number * DIRECTION_KEYS + proxy
                    n += 1
    return n


@part
def against_obstacles(shapes, nodes, work, candidates, obstacles, grids, found, a, first, last, h, n, most):
    """The rows of the candidates of a body with obstacles, from first to last. Returns the number of the next row."""
    radius = shapes.materials[BODY_ROW * a + RADIUS]
    rate = 1.0 / h
    for k in range(first, last):
        key = candidates.keys[k]
        number, proxy = key // DIRECTION_KEYS, key % DIRECTION_KEYS
        c = OBSTACLE * number
        gap, n0, n1, n2, c0, c1, c2, beyond = gap_of_proxy(shapes, nodes, work, obstacles, c, grids, a, proxy)
        fast = speed_along(shapes, nodes, work, a, shapes.holders[4 * proxy], n0, n1, n2, -1.0)
        s0, s1, s2 = surface_velocity(obstacles, c, rate, c0, c1, c2)
        fast += n0 * s0 + n1 * s1 + n2 * s2
        # pushed by others, a particle may become as fast as any of its body
        if not (gap < AHEAD * radius + h * max(fast, work.motions[MOTION * a + DEVIATION])):
            continue
        if n >= most:
            return n + 1
        kind, index = mover(shapes, a, proxy)
        if kind == BY_PARTICLES:
            hold(shapes, found, FOURS * n, proxy)
        write(found, n, key, kind, index, BY_OBSTACLE, number, gap, n0, n1, n2, c0, c1, c2)
        at = ROW * n
        found.rows[at + BEYOND] = beyond
        found.rows[at + SURFACE], found.rows[at + SURFACE + 1], found.rows[at + SURFACE + 2] = s0, s1, s2
        found.rows[at + ROW_FRICTION] = obstacles[c + OBSTACLE_FRICTION]
        found.rows[at + ROW_RESTITUTION] = obstacles[c + OBSTACLE_RESTITUTION]
        found.rows[at + ROW_RADIUS] = radius
        n += 1
    return n
