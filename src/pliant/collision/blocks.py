# mypy: disallow-untyped-defs=False, check-untyped-defs=False
"""Boxes of blocks: the particles of a body in groups that are near one another, each with a box round all that it may
reach until candidates are searched again. Limbs that are far apart are told apart by them, which the box of a whole
body does not do."""

from pliant.collision.constants import AHEAD, STRETCH
from pliant.collision.layout import AABB, BODY, BODY_BLOCK, BODY_BLOCK_END, BODY_ROW, RADIUS
from pliant.runtime.jit import inner, part


@part
def box_blocks(shapes, nodes, boxes, body, horizon):
    """Of all blocks of a body, from now to the horizon (s)."""
    ahead = AHEAD * shapes.materials[BODY_ROW * body + RADIUS]
    x, u = nodes.x, nodes.u
    for block in range(shapes.bodies[BODY * body + BODY_BLOCK], shapes.bodies[BODY * body + BODY_BLOCK_END]):
        l0 = l1 = l2 = 1e300
        g0 = g1 = g2 = -1e300
        for k in range(shapes.block_starts[block], shapes.block_starts[block + 1]):
            i = shapes.block_particles[k]
            f, r = 4 * i, STRETCH * shapes.reaches[i] + ahead
            x0, x1, x2 = float(x[f]), float(x[f + 1]), float(x[f + 2])
            y0, y1, y2 = x0 + horizon * u[f], x1 + horizon * u[f + 1], x2 + horizon * u[f + 2]
            l0, l1, l2 = min(l0, min(x0, y0) - r), min(l1, min(x1, y1) - r), min(l2, min(x2, y2) - r)
            g0, g1, g2 = max(g0, max(x0, y0) + r), max(g1, max(x1, y1) + r), max(g2, max(x2, y2) + r)
        b = AABB * block
        boxes[b], boxes[b + 1], boxes[b + 2] = l0, l1, l2
        boxes[b + 3], boxes[b + 4], boxes[b + 5] = g0, g1, g2


@inner
def overlap(boxes, i, others, j):
    """Whether two boxes have anything in common."""
    return (
        boxes[i] <= others[j + 3]
        and others[j] <= boxes[i + 3]
        and boxes[i + 1] <= others[j + 4]
        and others[j + 1] <= boxes[i + 4]
        and boxes[i + 2] <= others[j + 5]
        and others[j + 2] <= boxes[i + 5]
    )


@inner
def blocks_near(shapes, boxes, near, block, body):
    """The blocks of a body that may meet a block of another, into `near`. Returns how many."""
    count = 0
    for other in range(shapes.bodies[BODY * body + BODY_BLOCK], shapes.bodies[BODY * body + BODY_BLOCK_END]):
        if overlap(boxes, AABB * block, boxes, AABB * other):
            near[count] = AABB * other
            count += 1
    return count


@inner
def comes_into(boxes, b, wide, a0, a1, a2, d0, d1, d2):
    """Whether a ball about a point that goes by d comes into a box."""
    return (
        a0 + min(d0, 0.0) - wide <= boxes[b + 3]
        and boxes[b] <= a0 + max(d0, 0.0) + wide
        and a1 + min(d1, 0.0) - wide <= boxes[b + 4]
        and boxes[b + 1] <= a1 + max(d1, 0.0) + wide
        and a2 + min(d2, 0.0) - wide <= boxes[b + 5]
        and boxes[b + 2] <= a2 + max(d2, 0.0) + wide
    )


@inner
def in_any(boxes, near, count, a0, a1, a2, d0, d1, d2):
    """Whether a point that goes by d comes into any of the boxes that are named."""
    inside = False
    for k in range(count):
        inside = inside or comes_into(boxes, near[k], 0.0, a0, a1, a2, d0, d1, d2)
    return inside
