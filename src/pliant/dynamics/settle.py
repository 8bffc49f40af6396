# mypy: disallow-untyped-defs=False, check-untyped-defs=False
"""The end of a sub-step: nothing in obstacles; damping; v = u, x = p; which bodies sleep; what contacts remember."""

import math

from pliant.collision.layout import BODY, BODY_END, BODY_FIRST, CHANGED, FAR_AWAY, FOUND
from pliant.dynamics.damping import damp_body
from pliant.dynamics.damping_between import damp_pairs
from pliant.dynamics.keep_out import keep_out
from pliant.dynamics.rows import keep_rows
from pliant.dynamics.sleep import fall_asleep, watch
from pliant.runtime.jit import kernel


@kernel("Shapes Nodes Work Candidates Found d[] f[] x[] x[] i[] d d")
def end_substep(shapes, nodes, work, candidates, found, obstacles, grids, v, p, may_sleep, gravity, h):
    """Returns the first particle that has no finite place, or -1; nothing is written to x and v then."""
    bodies, count = len(work.awake), work.counts[FOUND]
    bad = -1
    for body in range(bodies):
        if work.awake[body]:
            g = work.ground[body]
            held, held_end = (found.spans[2 * g], found.spans[2 * g + 1]) if g >= 0 else (0, 0)
            keep_out(shapes, nodes, work, candidates, obstacles, grids, p, body, h)
            keep, drag, touched = work.factors[2 * body], work.factors[2 * body + 1], work.touched[body] != 0
            damp_body(shapes, nodes, found, p, body, held, held_end, keep, drag, touched)
    damp_pairs(shapes, nodes, work, found, p, count)
    for body in range(bodies):
        if work.awake[body]:
            for i in range(4 * shapes.bodies[BODY * body + BODY_FIRST], 4 * shapes.bodies[BODY * body + BODY_END]):
                if not (abs(p[i]) < FAR_AWAY and math.isfinite(nodes.u[i])) and bad < 0:
                    bad = i // 4
    if bad >= 0:
        return bad
    for body in range(bodies):
        if work.awake[body]:
            for i in range(4 * shapes.bodies[BODY * body + BODY_FIRST], 4 * shapes.bodies[BODY * body + BODY_END]):
                v[i] = nodes.u[i]
                nodes.x[i] = p[i]
            watch(shapes, work, p, body, h)
    work.counts[CHANGED] = fall_asleep(shapes, work, found, count, may_sleep, gravity)
    keep_rows(work, found, count)
    return -1
