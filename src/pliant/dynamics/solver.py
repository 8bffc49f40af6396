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
from pliant.collision.broad_phase.pairs import find_pairs
from pliant.collision.constants import AHEAD
from pliant.collision.find import find_pair, place
from pliant.collision.frames import fit_frame
from pliant.collision.layout import (
    AABB,
    ARM_A,
    ARM_B,
    BODY,
    BY_BODY,
    BY_OBSTACLE,
    BY_PARTICLE,
    BY_PROXY,
    BY_TET,
    FIELD,
    FIRST,
    INDEX_A,
    INDEX_B,
    KIND,
    KIND_A,
    KIND_B,
    LAST,
    MATERIAL,
    MOTION,
    OBSTACLE,
    POINT,
    PROXY,
    PROXY_END,
    RADIUS,
    RIGID,
    ROW,
    SIDES,
    SOFT,
    STIFF,
)
from pliant.collision.manifold import reduce_rows
from pliant.collision.narrow_phase.field import weights_in_tet
from pliant.collision.narrow_phase.obstacle import near_obstacle
from pliant.collision.records import Nodes
from pliant.dynamics.colouring import colour_pairs
from pliant.dynamics.constants import BOUNCE, BOUNCE_SWEEPS
from pliant.dynamics.contact import close_gap, prepare, restitute, solve, warm_start
from pliant.dynamics.damping import damp_body
from pliant.dynamics.layout import PIVOT, RIGID_BODY
from pliant.dynamics.rigid_nodes import give_velocities, move_rigid, take_rigid
from pliant.dynamics.sleep import fall_asleep, watch
from pliant.dynamics.warm_start import keep_row, mark_known, recall_pair
from pliant.runtime.jit import kernel, part

FAR = 1e9  # metres: what gets there has diverged
NO_ROOM = -2  # for all pairs of bodies
# In `counts`: pairs and rows of the last sub-step, rows that found no room, whether others are awake than before.
PAIRS, ROWS, LOST, CHANGED = range(4)


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
        for i in range(shapes.bodies[BODY * body + FIRST], shapes.bodies[BODY * body + LAST]):
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
def place_body(shapes, nodes, work, body):
    """The frame of a body and the places of its proxies, once in a sub-step."""
    if work.placed[body]:
        return
    work.placed[body] = 1
    kind = shapes.bodies[BODY * body + KIND]
    if (kind == SOFT and shapes.bodies[BODY * body + FIELD] >= 0) or (kind == STIFF and work.awake[body] == 0):
        fit_frame(shapes, nodes, work.frames, work.rest, body)
    for proxy in range(shapes.bodies[BODY * body + PROXY], shapes.bodies[BODY * body + PROXY_END]):
        a0, a1, a2 = place(shapes, nodes, work.frames, body, proxy)
        work.places[3 * proxy], work.places[3 * proxy + 1], work.places[3 * proxy + 2] = a0, a1, a2


@part
def stop_sleepers(found, first, last, a_sleeps, b_sleeps):
    """A body that sleeps is an obstacle to the others."""
    for n in range(first, last):
        swapped = found.sides[SIDES * n + 4] >> 32 == 1
        if (b_sleeps and swapped) or (a_sleeps and not swapped):
            found.sides[SIDES * n + KIND_A] = BY_OBSTACLE
        if (a_sleeps and swapped) or (b_sleeps and not swapped):
            found.sides[SIDES * n + KIND_B] = BY_OBSTACLE


@part
def find_rows(shapes, nodes, work, found, obstacles, grids, h):
    """All contact rows; pairs of bodies first, then each body with the obstacles. Returns how many pairs, these
    included."""
    most = len(found.rows) // ROW
    bodies = len(work.awake)
    count = find_pairs(shapes, work.boxes, work.awake, work.order, work.pairs, len(work.pairs) // 2 - bodies)
    if count < 0:
        return -1
    for body in range(bodies):
        work.placed[body] = 0
        if work.awake[body] and len(obstacles) > 0:
            work.pairs[2 * count], work.pairs[2 * count + 1] = body, -1
            count += 1
    n = lost = 0
    for m in range(count):
        a, b = work.pairs[2 * m], work.pairs[2 * m + 1]
        found.spans[2 * m] = n
        if b >= 0 or near_any(shapes, work, obstacles, a):
            place_body(shapes, nodes, work, a)
            if b >= 0:
                place_body(shapes, nodes, work, b)
            last = find_pair(
                shapes, nodes, work.frames, work.boxes, work.motions, obstacles, grids, found, work.places,
                work.scratch, a, b, h, n, most,
            )  # fmt: skip
            if last > most:
                lost += 1
                last = most
            if b >= 0 and (work.awake[a] == 0 or work.awake[b] == 0):
                stop_sleepers(found, n, last, work.awake[a] == 0, work.awake[b] == 0)
            n = last
        found.spans[2 * m + 1] = n
    work.counts[LOST] += lost
    return count


@part
def near_any(shapes, work, obstacles, body):
    """Whether any obstacle is near a body."""
    margin = AHEAD * shapes.materials[MATERIAL * body + RADIUS]
    for number in range(len(obstacles) // OBSTACLE):
        if near_obstacle(obstacles, OBSTACLE * number, work.boxes, AABB * body, margin):
            return True
    return False


@part
def is_stiff(shapes, body):
    return body < 0 or shapes.bodies[BODY * body + KIND] == STIFF


@part
def set_arms(shapes, nodes, found, row):
    """From what turns to the point of contact, on both sides."""
    at, s, r = ROW * row, SIDES * row, found.rows
    for side in range(2):
        kind, index = found.sides[s + (KIND_B if side else KIND_A)], found.sides[s + (INDEX_B if side else INDEX_A)]
        arm = at + (ARM_B if side else ARM_A)
        if kind == BY_BODY:
            for k in range(3):
                r[arm + k] = r[at + POINT + k] - nodes.rigid[RIGID_BODY * index + PIVOT + k]
        elif kind == BY_PARTICLE:
            for k in range(3):
                r[arm + k] = r[at + POINT + k] - nodes.x[4 * index + k]


@part
def refresh(shapes, nodes, found, row, h):
    """The point of contact where the bodies are now; nodes.x: after they have moved."""
    at, s, r = ROW * row, SIDES * row, found.rows
    kind, index = found.sides[s + KIND_A], found.sides[s + INDEX_A]
    if kind == BY_PROXY:
        a0 = a1 = a2 = 0.0
        for k in range(shapes.starts[index], shapes.starts[index + 1]):
            i, w = 4 * shapes.particles[k], shapes.weights[k]
            a0 += w * nodes.x[i]
            a1 += w * nodes.x[i + 1]
            a2 += w * nodes.x[i + 2]
        r[at + POINT], r[at + POINT + 1], r[at + POINT + 2] = a0, a1, a2
    elif kind == BY_BODY:
        for k in range(3):
            r[at + POINT + k] = nodes.rigid[RIGID_BODY * index + PIVOT + k] + r[at + ARM_A + k]
    elif kind == BY_PARTICLE:
        for k in range(3):
            r[at + POINT + k] = nodes.x[4 * index + k] + r[at + ARM_A + k]
    if found.sides[s + KIND_B] == BY_TET:
        tet = found.sides[s + INDEX_B]
        w0, w1, w2, w3 = weights_in_tet(shapes, nodes.x, tet, r[at + POINT], r[at + POINT + 1], r[at + POINT + 2])
        found.weights[4 * row], found.weights[4 * row + 1] = w0, w1
        found.weights[4 * row + 2], found.weights[4 * row + 3] = w2, w3
    set_arms(shapes, nodes, found, row)


@part
def prepare_rows(shapes, nodes, work, found, count):
    """Arms, masses and what is known from the last sub-step; manifolds of what does not deform are reduced."""
    old, olds = 0, work.counts[PAIRS]
    for m in range(count):
        a, b = work.pairs[2 * m], work.pairs[2 * m + 1]
        first, last = found.spans[2 * m], found.spans[2 * m + 1]
        if first == last:
            continue
        # pairs of the last sub-step stand in the same order: those of two bodies, then those with obstacles
        while old < olds and comes_before(work.old_pairs[2 * old], work.old_pairs[2 * old + 1], a, b):
            old += 1
        known = old < olds and work.old_pairs[2 * old] == a and work.old_pairs[2 * old + 1] == b
        if is_stiff(shapes, a) and is_stiff(shapes, b):
            if known:
                mark_known(found, first, last, found.old_spans[2 * old], found.old_spans[2 * old + 1])
            last = reduce_rows(found, first, last)
            found.spans[2 * m + 1] = last
        for n in range(first, last):
            set_arms(shapes, nodes, found, n)
            prepare(shapes, nodes, found, n)
        if known and work.counts[7] <= is_stiff(shapes, a) + is_stiff(shapes, b):
            recall_pair(found, first, last, found.old_spans[2 * old], found.old_spans[2 * old + 1])


@part
def comes_before(a, b, c, d):
    """Whether pair (a, b) stands before (c, d): those with obstacles (-1) come last."""
    if (b < 0) != (d < 0):
        return d < 0
    return a < c or (a == c and b < d)


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
        solve(shapes, nodes, found, n, rigid, h, relax)


@part
def keep_rows(work, found, count):
    """What the next sub-step needs to know."""
    place_ = 0
    pairs = 0
    for m in range(count):
        first, last = found.spans[2 * m], found.spans[2 * m + 1]
        if first == last:
            continue
        work.old_pairs[2 * pairs], work.old_pairs[2 * pairs + 1] = work.pairs[2 * m], work.pairs[2 * m + 1]
        found.old_spans[2 * pairs] = place_
        for n in range(first, last):
            keep_row(found, n, place_)
            place_ += 1
        found.old_spans[2 * pairs + 1] = place_
        pairs += 1
    work.counts[PAIRS], work.counts[ROWS] = pairs, place_


@kernel("Shapes Nodes Work Found x[] x[] x[] d[] f[] i[] i[] d d d d")
def settle_contacts(
    shapes, nodes, work, found, v, p, acceleration, obstacles, grids, pulled, may_sleep, gx, gy, gz, h
):
    """From where models and handles have put the particles (p) to the end of the sub-step. Returns the first particle
    that has no finite place, or -1; nothing is written to x and v then."""
    bodies = len(work.awake)
    find_velocities(shapes, work, nodes, v, p, acceleration, pulled, gx, gy, gz, h)
    for body in range(bodies):
        if work.awake[body]:
            if not box_body(shapes, nodes, work.boxes, work.motions, body, h):
                return shapes.bodies[BODY * body + FIRST]
            if shapes.bodies[BODY * body + KIND] == STIFF:
                take_rigid(shapes, nodes, work.frames, work.rest, body, shapes.bodies[BODY * body + RIGID])
        else:
            m = MOTION * body
            work.motions[m], work.motions[m + 1], work.motions[m + 2], work.motions[m + 3] = 0.0, 0.0, 0.0, 0.0
    count = find_rows(shapes, nodes, work, found, obstacles, grids, h)
    if count < 0:
        return NO_ROOM
    prepare_rows(shapes, nodes, work, found, count)
    colours = colour_pairs(
        work.pairs, found.spans, work.awake, count, work.used, work.colours, work.starts, work.by_colour
    )
    for m in range(count):
        for n in range(found.spans[2 * m], found.spans[2 * m + 1]):
            warm_start(shapes, nodes, found, n)
    sweep(shapes, nodes, work, found, count, colours, h, False)
    for m in range(count):
        for n in range(found.spans[2 * m], found.spans[2 * m + 1]):
            close_gap(shapes, nodes, found, n, h)
    touched = work.placed
    for body in range(bodies):
        touched[body] = 0
    for m in range(count):
        if found.spans[2 * m] < found.spans[2 * m + 1]:
            touched[work.pairs[2 * m]] = 1
            if work.pairs[2 * m + 1] >= 0:
                touched[work.pairs[2 * m + 1]] = 1
    for body in range(bodies):
        if work.awake[body]:
            move_body(shapes, nodes, work, p, body, touched[body], h)
    after = Nodes(p, nodes.u, nodes.inverse, nodes.angular, nodes.hulls, nodes.masses, nodes.rigid)
    for m in range(count):
        for n in range(found.spans[2 * m], found.spans[2 * m + 1]):
            refresh(shapes, after, found, n, h)
    sweep(shapes, after, work, found, count, colours, h, True)
    slowest = BOUNCE * h * math.sqrt(gx * gx + gy * gy + gz * gz)
    for _sweep in range(BOUNCE_SWEEPS):
        again = False
        for m in range(count):
            for n in range(found.spans[2 * m], found.spans[2 * m + 1]):
                again = restitute(shapes, after, found, n, slowest) or again
        if not again:
            break
    bad = -1
    for body in range(bodies):
        if work.awake[body]:
            if shapes.bodies[BODY * body + KIND] == STIFF:
                give_velocities(shapes, after, p, body, shapes.bodies[BODY * body + RIGID])
            damp_body(shapes, after, p, body, work.factors[2 * body], work.factors[2 * body + 1])
            for i in range(4 * shapes.bodies[BODY * body + FIRST], 4 * shapes.bodies[BODY * body + LAST]):
                if not (abs(p[i]) < FAR) and bad < 0:
                    bad = i // 4
    if bad >= 0:
        return bad
    for body in range(bodies):
        if work.awake[body]:
            for i in range(4 * shapes.bodies[BODY * body + FIRST], 4 * shapes.bodies[BODY * body + LAST]):
                v[i] = nodes.u[i]
                nodes.x[i] = p[i]
            watch(shapes, work, p, body, h)
    gravity = math.sqrt(gx * gx + gy * gy + gz * gz)
    work.counts[CHANGED] = fall_asleep(shapes, work, found, count, may_sleep, gravity)
    keep_rows(work, found, count)
    return -1


@part
def move_body(shapes, nodes, work, p, body, touched, h):
    """p = x + h u; what touches nothing is where its model put it."""
    if shapes.bodies[BODY * body + KIND] == STIFF:
        move_rigid(shapes, nodes, work.frames, work.rest, p, body, shapes.bodies[BODY * body + RIGID], h)
    elif touched:
        for i in range(shapes.bodies[BODY * body + FIRST], shapes.bodies[BODY * body + LAST]):
            if nodes.inverse[i] > 0.0:
                f = 4 * i
                p[f] = nodes.x[f] + h * nodes.u[f]
                p[f + 1] = nodes.x[f + 1] + h * nodes.u[f + 1]
                p[f + 2] = nodes.x[f + 2] + h * nodes.u[f + 2]
