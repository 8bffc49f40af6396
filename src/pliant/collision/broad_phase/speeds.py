# mypy: disallow-untyped-defs=False, check-untyped-defs=False
"""Which bodies may meet in a step, and how fast they go against one another. It hangs on where they are and how fast,
and on nothing that was found before: a world that goes back to a snapshot takes the same sub-steps."""

import math

from pliant.collision.broad_phase.pairs import find_pairs
from pliant.collision.constants import AHEAD
from pliant.collision.layout import (
    AABB,
    BODY,
    BODY_END,
    BODY_FIRST,
    BODY_REACH,
    BODY_ROW,
    MOTION,
    PAIR_COUNT,
    RADIUS,
    SEARCH,
)
from pliant.runtime.jit import kernel, part


@part
def sweep_body(shapes, x, v, work, body, g0, g1, g2, dt):
    """The box round all that a body may touch from now to the end of the step, and its mean velocity half-way. g:
    gravity (m/s^2)."""
    first, last = shapes.bodies[BODY * body + BODY_FIRST], shapes.bodies[BODY * body + BODY_END]
    b, m, row, count = AABB * body, MOTION * body, BODY_ROW * body, 1.0 / (last - first)
    awake = work.awake[body] != 0
    for k in range(3):
        g = g0 if k == 0 else (g1 if k == 1 else g2)
        falls = dt * g if awake else 0.0
        speed = 0.0
        low = high = float(x[4 * first + k])
        for i in range(first, last):
            place, way = float(x[4 * i + k]), dt * (float(v[4 * i + k]) + falls)
            speed += v[4 * i + k]
            low, high = min(low, place + min(way, 0.0)), max(high, place + max(way, 0.0))
        reach = shapes.materials[row + BODY_REACH] + AHEAD * shapes.materials[row + RADIUS]
        work.motions[m + k] = count * speed + 0.5 * falls
        work.boxes[b + k], work.boxes[b + 3 + k] = low - reach, high + reach


@kernel("Shapes Work x[] x[] d d d d")
def relative_speed_bound(shapes, work, x, v, g0, g1, g2, dt):
    """All pairs of bodies that may meet within dt, and the greatest relative speed of any of them, in contact radii of
    the smaller one a second; -1 if there is no room for the pairs. Of bodies as a whole: those that only wobble meet
    where they are."""
    for body in range(len(work.awake)):
        sweep_body(shapes, x, v, work, body, g0, g1, g2, dt)
    count = find_pairs(shapes, work.boxes, work.order, work.pairs, len(work.pairs) // 2 - len(work.awake))
    if count < 0:
        return -1.0
    work.counts[PAIR_COUNT], work.counts[SEARCH] = count, 1
    most = 0.0
    for n in range(count):
        a, b = work.pairs[2 * n], work.pairs[2 * n + 1]
        if a != b and (work.awake[a] or work.awake[b]):
            i, j, u = MOTION * a, MOTION * b, work.motions
            d0, d1, d2 = u[i] - u[j], u[i + 1] - u[j + 1], u[i + 2] - u[j + 2]
            radius = min(shapes.materials[BODY_ROW * a + RADIUS], shapes.materials[BODY_ROW * b + RADIUS])
            most = max(most, math.sqrt(d0 * d0 + d1 * d1 + d2 * d2) / radius)
    return most
