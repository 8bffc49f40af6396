# mypy: disallow-untyped-defs=False, check-untyped-defs=False
"""Hard impacts: where soft bodies meet faster than a push goes through them, their cores meet, as rigid bodies would.

A push on the skin of a soft body is known to the rest of it only at the speed of sound; at 20 m/s the skin is flat and
the bodies are in one another by then. The core of a solid is what lies deeper than a part of its depth, where the frame
of the whole body has it. Cores are stopped before they touch by equal and opposite impulses on the bodies as a whole,
which keeps momentum and angular momentum; what is between core and skin is left to dent.

A core row is a contact row of two rigid bodies without friction; both sides are the bodies themselves."""

from pliant.collision.constants import CORE_STEP
from pliant.collision.layout import (
    BODY,
    BODY_FRAME,
    BODY_ROW,
    BY_BODY,
    CORE,
    CORE_DEPTH,
    CORE_END,
    KIND,
    MOTION,
    ROW,
    ROW_FRICTION,
    STIFF,
)
from pliant.collision.narrow_phase.field import field_of_frame
from pliant.collision.places import on_frame
from pliant.collision.row import between, write
from pliant.runtime.jit import inner, part


@inner
def depth_of_core(shapes, body):
    """How far below the skin a body is hard: a rigid one nowhere."""
    return 0.0 if shapes.bodies[BODY * body + KIND] == STIFF else shapes.materials[BODY_ROW * body + CORE_DEPTH]


@part
def hits_hard(shapes, motions, a, b, h):
    """Whether two bodies go so fast against one another that their cores have to be looked at."""
    i, j = MOTION * a, MOTION * b
    d0, d1, d2 = motions[i] - motions[j], motions[i + 1] - motions[j + 1], motions[i + 2] - motions[j + 2]
    one, other = shapes.materials[BODY_ROW * a + CORE_DEPTH], shapes.materials[BODY_ROW * b + CORE_DEPTH]
    least = CORE_STEP * min(one, other)
    stiff = shapes.bodies[BODY * a + KIND] == STIFF and shapes.bodies[BODY * b + KIND] == STIFF
    return not stiff and h * h * (d0 * d0 + d1 * d1 + d2 * d2) > least * least


@part
def core_rows(shapes, work, cores, a, b, direction, h, n, most):
    """The points round the core of a against the core of b. Returns the number of the next row."""
    inside = depth_of_core(shapes, b)
    outside = shapes.materials[BODY_ROW * a + CORE_DEPTH] - depth_of_core(shapes, a)
    first = shapes.bodies[BODY * a + CORE]
    i, j, v = MOTION * a, MOTION * b, work.motions
    for k in range(first, shapes.bodies[BODY * a + CORE_END]):
        c = 3 * k
        p0, p1, p2 = on_frame(
            work.frames, BODY_FRAME * a, shapes.core_points[c], shapes.core_points[c + 1], shapes.core_points[c + 2]
        )
        gap, n0, n1, n2 = field_of_frame(shapes, work.frames, b, p0, p1, p2)
        gap += inside - outside
        along = n0 * (v[i] - v[j]) + n1 * (v[i + 1] - v[j + 1]) + n2 * (v[i + 2] - v[j + 2])
        if not (gap < -h * along):
            continue
        if n >= most:
            return n
        write(cores, n, direction, BY_BODY, a, BY_BODY, b, gap, n0, n1, n2, p0, p1, p2)
        between(shapes, cores, n, a, b)
        cores.rows[ROW * n + ROW_FRICTION] = 0.0
        n += 1
    return n
