# mypy: disallow-untyped-defs=False, check-untyped-defs=False
"""Core rows, solved: a soft body that is hit hard moves as one in this sub-step.

V and w of a soft body are those of its particles' momentum and angular momentum; impulses change them. Where it was met
faster than sound, every particle then has u = V + w x r. So both momenta are kept. What was not rigid motion is lost in
the impact: left to the springs, it would tear the body, which is soft and cannot bear it. Restitution gives back what
is to be given back. Where cores are in one another at a lower speed, as after such an impact, particles keep what is
not rigid motion."""

from pliant.collision.layout import (
    BODY,
    BODY_END,
    BODY_FIRST,
    BY_BODY,
    CORE_ROWS,
    HARD,
    IMPULSES,
    INDEX_A,
    INDEX_B,
    KIND,
    KIND_A,
    KIND_B,
    ROW,
    ROW_SIDES,
    STIFF,
    STOPPED,
    TAKES_PART,
)
from pliant.dynamics.constants import BOUNCE, CORE_SWEEPS
from pliant.dynamics.contact import prepare, restitute, solve
from pliant.dynamics.damping_between import change_motion, note_motion
from pliant.dynamics.layout import ANGULAR, BODY_NODE, PIVOT, VELOCITY
from pliant.dynamics.rigid_nodes import take_rigid
from pliant.dynamics.rows import set_arms
from pliant.runtime.jit import part


@part
def solve_cores(shapes, nodes, work, cores, gravity, h):
    """All core rows, before those of the skins. gravity: m/s^2."""
    count = work.counts[CORE_ROWS]
    if count == 0:
        work.cored[:] = 0
        return
    for body in range(len(work.awake)):
        if work.cored[body] & TAKES_PART and work.awake[body] and shapes.bodies[BODY * body + KIND] != STIFF:
            take_rigid(shapes, nodes, work.frames, body, body)
            note_motion(nodes, body)
    for n in range(count):
        set_arms(nodes, cores, n)
        prepare(nodes, cores, n)
    for _sweep in range(CORE_SWEEPS):
        for n in range(count):
            solve(nodes, cores, n, True, h, True)
    for _sweep in range(CORE_SWEEPS):
        for n in range(count):
            restitute(nodes, cores, n, BOUNCE * h * gravity)
    mark_hit(work, cores, count)
    for body in range(len(work.awake)):
        stopped = work.cored[body] & STOPPED
        as_one = stopped and work.cored[body] & TAKES_PART
        if as_one and work.awake[body] and shapes.bodies[BODY * body + KIND] != STIFF:
            if work.cored[body] & HARD:
                give_back(shapes, nodes, work, body)
            else:
                change_motion(shapes, nodes, nodes.x, body)
        work.cored[body] = stopped


@part
def mark_hit(work, cores, count):
    """Of the bodies whose cores were looked at, those that an impulse has stopped: others go on as they deform."""
    for n in range(count):
        if cores.rows[ROW * n + IMPULSES] > 0.0:
            s = ROW_SIDES * n
            if cores.sides[s + KIND_A] == BY_BODY:
                work.cored[cores.sides[s + INDEX_A]] |= STOPPED
            if cores.sides[s + KIND_B] == BY_BODY:
                work.cored[cores.sides[s + INDEX_B]] |= STOPPED


@part
def give_back(shapes, nodes, work, body):
    """The particles of a soft body take over what it got as a whole."""
    node = nodes.rigid[BODY_NODE * body : BODY_NODE * (body + 1)]
    w0, w1, w2 = node[ANGULAR], node[ANGULAR + 1], node[ANGULAR + 2]
    u, x = nodes.u, nodes.x
    for i in range(shapes.bodies[BODY * body + BODY_FIRST], shapes.bodies[BODY * body + BODY_END]):
        if nodes.inverse[i] > 0.0:
            f = 4 * i
            r0, r1, r2 = x[f] - node[PIVOT], x[f + 1] - node[PIVOT + 1], x[f + 2] - node[PIVOT + 2]
            u[f] = node[VELOCITY] + w1 * r2 - w2 * r1
            u[f + 1] = node[VELOCITY + 1] + w2 * r0 - w0 * r2
            u[f + 2] = node[VELOCITY + 2] + w0 * r1 - w1 * r0
