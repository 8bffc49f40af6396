# mypy: disallow-untyped-defs=False, check-untyped-defs=False
"""How fast bodies that may meet in a step go against one another. It hangs on where they are and how fast, and on
nothing that was found before: a world that goes back to a snapshot takes the same sub-steps."""

import math

from pliant.collision.broad_phase.pairs import find_pairs
from pliant.collision.layout import AABB, BODY, BODY_END, BODY_FIRST, BODY_REACH, BODY_ROW, MOTION, RADIUS
from pliant.runtime.jit import kernel, part


@part
def sweep_body(shapes, x, v, work, body, g0, g1, g2, dt):
    """The box round a body from now to the end of the step, and its mean velocity half-way. g: gravity (m/s^2)."""
    first, last = shapes.bodies[BODY * body + BODY_FIRST], shapes.bodies[BODY * body + BODY_END]
    b, m, count = AABB * body, MOTION * body, 1.0 / (last - first)
    for k in range(3):
        g = g0 if k == 0 else (g1 if k == 1 else g2)
        speed = 0.0
        low = high = float(x[4 * first + k])
        for i in range(first, last):
            speed += v[4 * i + k]
            low, high = min(low, float(x[4 * i + k])), max(high, float(x[4 * i + k]))
        speed = count * speed + 0.5 * dt * g
        reach = shapes.materials[BODY_ROW * body + BODY_REACH]
        work.motions[m + k] = speed
        work.boxes[b + k] = low - reach + min(dt * speed, 0.0)
        work.boxes[b + 3 + k] = high + reach + max(dt * speed, 0.0)


@kernel("Shapes Work x[] x[] d d d d")
def relative_speed_bound(shapes, work, x, v, g0, g1, g2, dt):
    """The greatest relative speed of any two bodies that may meet within dt, in contact radii of the smaller one a
    second; -1 if there is no room for the pairs. Of bodies as a whole: those that only wobble meet where they are."""
    for body in range(len(work.awake)):
        sweep_body(shapes, x, v, work, body, g0, g1, g2, dt)
    count = find_pairs(shapes, work.boxes, work.order, work.last_pairs, len(work.last_pairs) // 2)
    if count < 0:
        return -1.0
    most = 0.0
    for n in range(count):
        a, b = work.last_pairs[2 * n], work.last_pairs[2 * n + 1]
        if a != b and (work.awake[a] or work.awake[b]):
            i, j, u = MOTION * a, MOTION * b, work.motions
            d0, d1, d2 = u[i] - u[j], u[i + 1] - u[j + 1], u[i + 2] - u[j + 2]
            radius = min(shapes.materials[BODY_ROW * a + RADIUS], shapes.materials[BODY_ROW * b + RADIUS])
            most = max(most, math.sqrt(d0 * d0 + d1 * d1 + d2 * d2) / radius)
    return most
