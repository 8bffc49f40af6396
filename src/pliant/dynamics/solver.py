# mypy: disallow-untyped-defs=False, check-untyped-defs=False
"""One sub-step of everything that moves, from where models and handles would take the particles to where they are.

velocities    u = v + h a + (p - y) / h
find          boxes, pairs, contact rows at the begin of the sub-step (collision/)
solve         warm start, one sweep over the rows by colours, obstacles last
move          p = x + h u
relax         the same sweep without the push out of overlaps; restitution
settle        damping; v = u, x = p; who sleeps
"""

import math

from pliant.collision.broad_phase.boxes import box_body
from pliant.collision.layout import (
    BODY,
    BODY_END,
    BODY_FIRST,
    KIND,
    MOTION,
    STIFF,
)
from pliant.collision.records import Nodes
from pliant.dynamics.colouring import colour_pairs
from pliant.dynamics.constants import BOUNCE, BOUNCE_SWEEPS
from pliant.dynamics.contact import close_gap, restitute, solve, warm_start
from pliant.dynamics.damping import damp_body
from pliant.dynamics.rigid_nodes import give_velocities, move_rigid, take_rigid
from pliant.dynamics.rows import CHANGED, FOUND, find_rows, is_stiff, keep_rows, prepare_rows, refresh
from pliant.dynamics.sleep import fall_asleep, watch
from pliant.runtime.jit import kernel, part

FAR = 1e9  # metres: what gets there has diverged
TOO_MANY_PAIRS = -2  # for all pairs of bodies


@part
def find_velocities(shapes, work, nodes, v, p, acceleration, pulled, gx, gy, gz, h):
    """u, in place of the predicted positions y, of all bodies that are awake. (p - x) / h would be the same but for the
    rounding of x + h v, which far from the origin is worth more than a whole velocity of a body at rest. What a model
    did is (p - y) / h; a rigid body without pins and handles has done nothing."""
    rate = 1.0 / h
    forced = len(acceleration) > 0
    for body in range(len(work.awake)):
        if work.awake[body] == 0:
            continue
        free = shapes.bodies[BODY * body + KIND] == STIFF and pulled[body] == 0
        for i in range(shapes.bodies[BODY * body + BODY_FIRST], shapes.bodies[BODY * body + BODY_END]):
            f = 4 * i
            if nodes.inverse[i] == 0.0:
                nodes.u[f] = (p[f] - nodes.x[f]) * rate
                nodes.u[f + 1] = (p[f + 1] - nodes.x[f + 1]) * rate
                nodes.u[f + 2] = (p[f + 2] - nodes.x[f + 2]) * rate
                continue
            u0, u1, u2 = v[f] + h * gx, v[f + 1] + h * gy, v[f + 2] + h * gz
            if not free:
                u0 += (p[f] - nodes.u[f]) * rate
                u1 += (p[f + 1] - nodes.u[f + 1]) * rate
                u2 += (p[f + 2] - nodes.u[f + 2]) * rate
            if forced:
                u0 += h * acceleration[f]
                u1 += h * acceleration[f + 1]
                u2 += h * acceleration[f + 2]
            nodes.u[f], nodes.u[f + 1], nodes.u[f + 2] = u0, u1, u2


@part
def sweep(shapes, nodes, work, found, count, colours, h, relax):
    """One iteration of all rows: by colours, obstacles last."""
    for k in range(work.starts[colours]):
        m = work.by_colour[k]
        solve_pair(shapes, nodes, work, found, m, h, relax)
    for m in range(count):
        if work.pairs[2 * m + 1] < 0:
            solve_pair(shapes, nodes, work, found, m, h, relax)


@part
def solve_pair(shapes, nodes, work, found, m, h, relax):
    a, b = work.pairs[2 * m], work.pairs[2 * m + 1]
    rigid = is_stiff(shapes, a) and is_stiff(shapes, b)
    for n in range(found.spans[2 * m], found.spans[2 * m + 1]):
        solve(nodes, found, n, rigid, h, relax)


@kernel("Shapes Nodes Work Found x[] x[] x[] d[] f[] i[] i[] d d d d")
def settle_contacts(shapes, nodes, work, found, v, p, acceleration, obstacles, grids, pulled, may_sleep, gx, gy, gz, h):
    """From where models and handles have put the particles (p) to the end of the sub-step. Returns the first particle
    that has no finite place, or -1; nothing is written to x and v then."""
    bodies = len(work.awake)
    find_velocities(shapes, work, nodes, v, p, acceleration, pulled, gx, gy, gz, h)
    for body in range(bodies):
        if work.awake[body]:
            if not box_body(shapes, nodes, work.boxes, work.motions, body, h):
                return shapes.bodies[BODY * body + BODY_FIRST]
            if shapes.bodies[BODY * body + KIND] == STIFF:
                take_rigid(shapes, nodes, work.frames, work.rest, body, body)
        else:
            m = MOTION * body
            work.motions[m], work.motions[m + 1], work.motions[m + 2], work.motions[m + 3] = 0.0, 0.0, 0.0, 0.0
    count = find_rows(shapes, nodes, work, found, obstacles, grids, h)
    if count < 0:
        return TOO_MANY_PAIRS
    touched = work.placed
    for body in range(bodies):
        touched[body] = 0
    for m in range(count):
        if found.spans[2 * m] < found.spans[2 * m + 1]:
            touched[work.pairs[2 * m]] = 1
            if work.pairs[2 * m + 1] >= 0:
                touched[work.pairs[2 * m + 1]] = 1
    prepare_rows(shapes, nodes, work, found, count)
    colours = colour_pairs(
        work.pairs, found.spans, work.awake, count, work.used, work.colours, work.starts, work.by_colour
    )
    for m in range(count):
        for n in range(found.spans[2 * m], found.spans[2 * m + 1]):
            warm_start(nodes, found, n)
    sweep(shapes, nodes, work, found, count, colours, h, False)
    for m in range(count):
        for n in range(found.spans[2 * m], found.spans[2 * m + 1]):
            close_gap(nodes, found, n, h)
    for body in range(bodies):
        if work.awake[body]:
            move_body(shapes, nodes, work, p, body, touched[body], h)
    after = Nodes(p, nodes.u, nodes.inverse, nodes.angular, nodes.hulls, nodes.masses, nodes.rigid)
    for m in range(count):
        for n in range(found.spans[2 * m], found.spans[2 * m + 1]):
            refresh(shapes, after, found, n)
    sweep(shapes, after, work, found, count, colours, h, True)
    slowest = BOUNCE * h * math.sqrt(gx * gx + gy * gy + gz * gz)
    for _sweep in range(BOUNCE_SWEEPS):
        again = False
        for m in range(count):
            for n in range(found.spans[2 * m], found.spans[2 * m + 1]):
                again = restitute(after, found, n, slowest) or again
        if not again:
            break
    bad = -1
    for body in range(bodies):
        if work.awake[body]:
            if shapes.bodies[BODY * body + KIND] == STIFF:
                give_velocities(shapes, after, p, body, body)
            g = work.ground[body]
            held, held_end = (found.spans[2 * g], found.spans[2 * g + 1]) if g >= 0 else (0, 0)
            damp_body(shapes, after, found, p, body, held, held_end, work.factors[2 * body], work.factors[2 * body + 1])
            for i in range(4 * shapes.bodies[BODY * body + BODY_FIRST], 4 * shapes.bodies[BODY * body + BODY_END]):
                if not (abs(p[i]) < FAR) and bad < 0:
                    bad = i // 4
    if bad >= 0:
        return bad
    for body in range(bodies):
        if work.awake[body]:
            for i in range(4 * shapes.bodies[BODY * body + BODY_FIRST], 4 * shapes.bodies[BODY * body + BODY_END]):
                v[i] = nodes.u[i]
                nodes.x[i] = p[i]
            watch(shapes, work, p, body, h)
    gravity = math.sqrt(gx * gx + gy * gy + gz * gz)
    work.counts[FOUND] = count
    work.counts[CHANGED] = fall_asleep(shapes, work, found, count, may_sleep, gravity)
    keep_rows(work, found, count)
    return -1


@part
def move_body(shapes, nodes, work, p, body, touched, h):
    """p = x + h u; what touches nothing is where its model put it."""
    if shapes.bodies[BODY * body + KIND] == STIFF:
        move_rigid(shapes, nodes, work.frames, work.rest, p, body, body, h)
    elif touched:
        for i in range(shapes.bodies[BODY * body + BODY_FIRST], shapes.bodies[BODY * body + BODY_END]):
            if nodes.inverse[i] > 0.0:
                f = 4 * i
                p[f] = nodes.x[f] + h * nodes.u[f]
                p[f + 1] = nodes.x[f + 1] + h * nodes.u[f + 1]
                p[f + 2] = nodes.x[f + 2] + h * nodes.u[f + 2]
