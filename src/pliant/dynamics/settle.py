# mypy: disallow-untyped-defs=False, check-untyped-defs=False
"""The end of a sub-step: damping; v = u, x = p; which bodies sleep; what contacts remember."""

import math

from pliant.collision.layout import BODY, BODY_END, BODY_FIRST, CHANGED, DEVIATION, FOUND, MOTION
from pliant.dynamics.damping import damp_body
from pliant.dynamics.rows import keep_rows
from pliant.dynamics.sleep import fall_asleep, watch
from pliant.runtime.jit import kernel, part

FAR = 1e9  # metres: what gets there has diverged


@part
def note_motion(shapes, nodes, work, p, body):
    """How far a body went in the sub-step, and where it is: collision/candidates.py needs to know."""
    first, last = shapes.bodies[BODY * body + BODY_FIRST], shapes.bodies[BODY * body + BODY_END]
    m0 = m1 = m2 = c0 = c1 = c2 = 0.0
    for i in range(first, last):
        f = 4 * i
        p0, p1, p2 = float(p[f]), float(p[f + 1]), float(p[f + 2])
        c0 += p0
        c1 += p1
        c2 += p2
        m0 += p0 - nodes.x[f]
        m1 += p1 - nodes.x[f + 1]
        m2 += p2 - nodes.x[f + 2]
    count = 1.0 / (last - first)
    m0, m1, m2 = count * m0, count * m1, count * m2
    most = 0.0
    for i in range(first, last):
        f = 4 * i
        d0, d1, d2 = p[f] - nodes.x[f] - m0, p[f + 1] - nodes.x[f + 1] - m1, p[f + 2] - nodes.x[f + 2] - m2
        most = max(most, d0 * d0 + d1 * d1 + d2 * d2)
    m = MOTION * body
    work.moved[m], work.moved[m + 1], work.moved[m + 2], work.moved[m + DEVIATION] = m0, m1, m2, math.sqrt(most)
    work.centres[3 * body], work.centres[3 * body + 1], work.centres[3 * body + 2] = c0, c1, c2


@kernel("Shapes Nodes Work Found x[] x[] i[] d d")
def end_substep(shapes, nodes, work, found, v, p, may_sleep, gravity, h):
    """Returns the first particle that has no finite place, or -1; nothing is written to x and v then."""
    bodies, count = len(work.awake), work.counts[FOUND]
    bad = -1
    for body in range(bodies):
        if work.awake[body]:
            g = work.ground[body]
            held, held_end = (found.spans[2 * g], found.spans[2 * g + 1]) if g >= 0 else (0, 0)
            damp_body(shapes, nodes, found, p, body, held, held_end, work.factors[2 * body], work.factors[2 * body + 1])
            for i in range(4 * shapes.bodies[BODY * body + BODY_FIRST], 4 * shapes.bodies[BODY * body + BODY_END]):
                if not (abs(p[i]) < FAR) and bad < 0:
                    bad = i // 4
    if bad >= 0:
        return bad
    for body in range(bodies):
        if work.awake[body]:
            note_motion(shapes, nodes, work, p, body)
            for i in range(4 * shapes.bodies[BODY * body + BODY_FIRST], 4 * shapes.bodies[BODY * body + BODY_END]):
                v[i] = nodes.u[i]
                nodes.x[i] = p[i]
            watch(shapes, work, p, body, h)
    work.counts[CHANGED] = fall_asleep(shapes, work, found, count, may_sleep, gravity)
    keep_rows(work, found, count)
    return -1
