# mypy: disallow-untyped-defs=False, check-untyped-defs=False
"""The box round a body from the begin of a sub-step to where it would be at its end, and its motion as a whole."""

import math

from pliant.collision.layout import (
    AABB,
    BODY,
    BODY_END,
    BODY_FIRST,
    BODY_REACH,
    BODY_ROW,
    DEVIATION,
    FAR_AWAY,
    MOTION,
)
from pliant.runtime.jit import part


@part
def box_body(shapes, nodes, work, body, h):
    """Of all its particles, with what reaches beyond them. Returns whether all of them are in the finite world, now and
    at the end of the sub-step."""
    first, last = shapes.bodies[BODY * body + BODY_FIRST], shapes.bodies[BODY * body + BODY_END]
    x, u, boxes, motions = nodes.x, nodes.u, work.boxes, work.motions
    f = 4 * first
    l0 = g0 = float(x[f])
    l1 = g1 = float(x[f + 1])
    l2 = g2 = float(x[f + 2])
    m0 = m1 = m2 = 0.0
    for i in range(first, last):
        f = 4 * i
        x0, x1, x2 = float(x[f]), float(x[f + 1]), float(x[f + 2])
        u0, u1, u2 = float(u[f]), float(u[f + 1]), float(u[f + 2])
        m0 += u0
        m1 += u1
        m2 += u2
        y0, y1, y2 = x0 + h * u0, x1 + h * u1, x2 + h * u2
        l0, l1, l2 = min(l0, min(x0, y0)), min(l1, min(x1, y1)), min(l2, min(x2, y2))
        g0, g1, g2 = max(g0, max(x0, y0)), max(g1, max(x1, y1)), max(g2, max(x2, y2))
    count = 1.0 / (last - first)
    m0, m1, m2 = count * m0, count * m1, count * m2
    most = 0.0
    for i in range(first, last):
        f = 4 * i
        d0, d1, d2 = u[f] - m0, u[f + 1] - m1, u[f + 2] - m2
        most = max(most, d0 * d0 + d1 * d1 + d2 * d2)
    b, m, reach = AABB * body, MOTION * body, shapes.materials[BODY_ROW * body + BODY_REACH]
    boxes[b], boxes[b + 1], boxes[b + 2] = l0 - reach, l1 - reach, l2 - reach
    boxes[b + 3], boxes[b + 4], boxes[b + 5] = g0 + reach, g1 + reach, g2 + reach
    motions[m], motions[m + 1], motions[m + 2], motions[m + DEVIATION] = m0, m1, m2, math.sqrt(most)
    low, high = min(l0, l1, l2), max(g0, g1, g2)
    # the least and the greatest of some numbers do not tell of one that is none: sums do
    return low > -FAR_AWAY and high < FAR_AWAY and math.isfinite(m0 + m1 + m2 + most)
