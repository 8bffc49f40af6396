# mypy: disallow-untyped-defs=False, check-untyped-defs=False
"""The begin of a sub-step: velocities from where models and handles would take the particles; boxes, rigid nodes."""

from pliant.collision.broad_phase.boxes import box_body
from pliant.collision.layout import (
    BODY,
    BODY_END,
    BODY_FIRST,
    BODY_FRAME,
    FAR_AWAY,
    KIND,
    MOTION,
    QUATERNION,
    STEP_GRAVITY,
    STIFF,
    SUBSTEP,
    SUBSTEP_NUMBER,
)
from pliant.collision.threads import first_body, first_of_all
from pliant.dynamics.predict import put_those
from pliant.dynamics.rigid_nodes import take_rigid
from pliant.runtime.jit import kernel, part
from pliant.runtime.waiting import STOP, all_through


@part
def velocities_of(shapes, nodes, body, v, p, acceleration, pulled, gx, gy, gz, h):
    """u, in place of the predicted positions y, of one body. (p - x) / h would be the same but for the
    rounding of x + h v, which far from the origin is worth more than a whole velocity of a body at rest. What a model
    did is (p - y) / h; a rigid body without pins and handles has done nothing."""
    rate = 1.0 / h
    forced = len(acceleration) > 0
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
def begin_bodies(shapes, nodes, work, step, first, last):
    """Of the bodies from first to last that are awake: velocities, boxes, rigid nodes; those that sleep have no
    velocity. What the sub-step turns is noted before. Returns the first particle that leaves the finite world, or
    -1."""
    numbers, heads, h = step.numbers, shapes.bodies, step.numbers[SUBSTEP]
    begin, end = 4 * heads[BODY * first + BODY_FIRST], 4 * heads[BODY * (last - 1) + BODY_END]
    put_those(step.p, step.pinned, step.places, begin // 4, end // 4)
    if len(step.turning) > 0:
        for i in range(begin, end):
            step.turning[i] = nodes.angular[i]
    for body in range(first, last):
        for k in range(4):
            step.quaternions[4 * body + k] = work.frames[BODY_FRAME * body + QUATERNION + k]
        if work.awake[body]:
            velocities_of(
                shapes, nodes, body, step.v, step.p, step.acceleration, step.pulled,
                numbers[STEP_GRAVITY], numbers[STEP_GRAVITY + 1], numbers[STEP_GRAVITY + 2], h,
            )  # fmt: skip
            if not box_body(shapes, nodes, work, body, h):
                return first_bad(shapes, nodes, body, h)
            if heads[BODY * body + KIND] == STIFF:
                take_rigid(shapes, nodes, work.frames, body, body)
        else:
            m = MOTION * body
            for k in range(MOTION):
                work.motions[m + k] = 0.0
            for i in range(4 * heads[BODY * body + BODY_FIRST], 4 * heads[BODY * body + BODY_END]):
                nodes.u[i] = 0.0
    return -1


@kernel("Shapes Nodes Work Candidates Found Found Step i i")
def begin_substep(shapes, nodes, work, candidates, found, cores, step, piece, pieces):
    """Answers STOP if a particle leaves the finite world: which, all threads tell on their boards."""
    first, last = first_body(shapes.bodies, piece, pieces), first_body(shapes.bodies, piece + 1, pieces)
    bad = -1
    all_through(step.board, piece, pieces)  # models have put all particles
    if first < last:
        bad = begin_bodies(shapes, nodes, work, step, first, last)
    if piece == 0:
        work.counts[SUBSTEP_NUMBER] += 1
    return STOP if first_of_all(step.board, piece, pieces, bad) >= 0 else 0


@part
def first_bad(shapes, nodes, body, h):
    """The first particle of a body that leaves the finite world; the first of all if none does it alone."""
    first, last = shapes.bodies[BODY * body + BODY_FIRST], shapes.bodies[BODY * body + BODY_END]
    for i in range(first, last):
        for k in range(4 * i, 4 * i + 3):
            if not (abs(nodes.x[k]) < FAR_AWAY and abs(nodes.x[k] + h * nodes.u[k]) < FAR_AWAY):
                return i
    return first
