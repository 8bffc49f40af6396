# mypy: disallow-untyped-defs=False, check-untyped-defs=False
"""The contact rows of a sub-step, solved.

cores         hard impacts, between bodies as a whole
solve         warm start, one sweep over the rows by colours, obstacles last
move          p = x + h u
relax         the same sweep without the push out of overlaps; restitution
"""

from pliant.collision.layout import BODY, BODY_END, BODY_FIRST, FOUND, KIND, STIFF
from pliant.collision.records import Nodes
from pliant.dynamics.colouring import colour_pairs
from pliant.dynamics.constants import BOUNCE, BOUNCE_SWEEPS
from pliant.dynamics.contact import close_gap, restitute, solve, warm_start
from pliant.dynamics.hard_impacts import solve_cores
from pliant.dynamics.rigid_nodes import give_velocities, move_rigid
from pliant.dynamics.rows import is_stiff, prepare_rows, refresh
from pliant.runtime.jit import kernel, part


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


@part
def mark_touched(work, found, count):
    """Which bodies have any row, or take part in a hard impact."""
    work.touched[:] = 0
    for m in range(count):
        if found.spans[2 * m] < found.spans[2 * m + 1]:
            work.touched[work.pairs[2 * m]] = 1
            if work.pairs[2 * m + 1] >= 0:
                work.touched[work.pairs[2 * m + 1]] = 1
    for body in range(len(work.awake)):
        work.touched[body] |= work.cored[body]


@kernel("Shapes Nodes Work Found Found x[] d d")
def solve_contacts(shapes, nodes, work, found, cores, p, gravity, h):
    """From the velocities of a sub-step to those that its contacts leave, and to positions p. gravity: m/s^2."""
    bodies, count = len(work.awake), work.counts[FOUND]
    nodes.spins[:] = 0.0
    solve_cores(shapes, nodes, work, cores, gravity, h)
    mark_touched(work, found, count)
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
            move_body(shapes, nodes, work, p, body, work.touched[body], h)
    after = Nodes(
        p, nodes.u, nodes.inverse, nodes.angular, nodes.q, nodes.hulls, nodes.masses, nodes.rigid, nodes.spins
    )
    for m in range(count):
        for n in range(found.spans[2 * m], found.spans[2 * m + 1]):
            refresh(after, found, n)
    sweep(shapes, after, work, found, count, colours, h, True)
    slowest = BOUNCE * h * gravity
    for _sweep in range(BOUNCE_SWEEPS):
        again = False
        for m in range(count):
            for n in range(found.spans[2 * m], found.spans[2 * m + 1]):
                again = restitute(after, found, n, slowest) or again
        if not again:
            break
    for body in range(bodies):
        if work.awake[body] and shapes.bodies[BODY * body + KIND] == STIFF:
            give_velocities(shapes, after, p, body, body)


@part
def move_body(shapes, nodes, work, p, body, touched, h):
    """p = x + h u; what touches nothing is where its model put it."""
    if shapes.bodies[BODY * body + KIND] == STIFF:
        move_rigid(shapes, nodes, work.frames, p, body, body, h)
    elif touched:
        for i in range(shapes.bodies[BODY * body + BODY_FIRST], shapes.bodies[BODY * body + BODY_END]):
            if nodes.inverse[i] > 0.0:
                f = 4 * i
                p[f] = nodes.x[f] + h * nodes.u[f]
                p[f + 1] = nodes.x[f + 1] + h * nodes.u[f + 1]
                p[f + 2] = nodes.x[f + 2] + h * nodes.u[f + 2]
