# mypy: disallow-untyped-defs=False, check-untyped-defs=False
"""Hard impacts: where soft bodies meet faster than a push goes through them, their cores meet, as rigid bodies would.

A push on the skin of a soft body is known to the rest of it only at the speed of sound; at 20 m/s the skin is flat and
the bodies are in one another by then. The core of a solid is what lies deeper than a part of its depth at rest, taken
to the world by the linear map that is nearest to the body: x = A (X - X_c) + c, A = sum m (x - c)(X - X_c)^T
(sum m (X - X_c)(X - X_c)^T)^-1. So a body that crumples takes its core along, and only what comes faster than it can
crumple is stopped: before the cores touch, by equal and opposite impulses on the bodies as a whole, which keeps
momentum and angular momentum; what is between core and skin is left to dent. A core that would be
crushed to less than a part of its volume is stiff from there on, at whatever speed: it goes no deeper into another.

Sheets and ropes have no core. They meet that of a solid at whatever speed: their balls are few, and what they press on
is a few particles, which they would pass by one after the other. There a push acts on the particles of the sheet, and
on the solid as a whole.

A core row of two solids is a contact row of two rigid bodies without friction; both sides are the bodies themselves.
Back at rest, X = A^-1 (q - c) + X_c, the grid tells the distance d to the skin and its gradient n; gap and normal in
the world are d / |A^-T n| and A^-T n / |A^-T n| to first order, as in narrow_phase/field.py."""

import math

import numpy as np

from pliant.collision.constants import LEAST_VOLUME
from pliant.collision.frames import frame_body
from pliant.collision.grid_kernels import sample
from pliant.collision.layout import (
    AABB,
    BODY,
    BODY_END,
    BODY_FIRST,
    BODY_FRAME,
    BODY_MAP,
    BODY_ROW,
    BY_BODY,
    BY_PARTICLES,
    CENTRE,
    CENTRE_AT_REST,
    CORE,
    CORE_DEPTH,
    CORE_END,
    DIRECTION_KEYS,
    FIELD,
    FOURS,
    KIND,
    MAP_BACK,
    MAPPED,
    MOTION,
    ROW,
    ROW_FRICTION,
    ROW_RESTITUTION,
    SOUND,
    SQUEEZED,
    STIFF,
)
from pliant.collision.narrow_phase.round import reach
from pliant.collision.places import mover, place_of
from pliant.collision.row import between, hold, together, write
from pliant.runtime.instructions import room
from pliant.runtime.jit import inner, part

NINE, HALVINGS = 9, 8
EDGE_HALVINGS = 5  # where an edge is nearest to a core is found to 1/32 of it
CRUSHED_DEPTH = 0.25  # of its depth at rest: so deep below the skin the core of a crushed body may be


@inner
def depth_of_core(shapes, body):
    """How far below the skin a body is hard: a rigid one nowhere."""
    return 0.0 if shapes.bodies[BODY * body + KIND] == STIFF else shapes.materials[BODY_ROW * body + CORE_DEPTH]


@inner
def hits_hard(materials, motions, a, b):
    """Whether two bodies come together faster than a push goes through one of them."""
    i, j = MOTION * a, MOTION * b
    d0, d1, d2 = motions[i] - motions[j], motions[i + 1] - motions[j + 1], motions[i + 2] - motions[j + 2]
    sound = min(materials[BODY_ROW * a + SOUND], materials[BODY_ROW * b + SOUND])
    return d0 * d0 + d1 * d1 + d2 * d2 > sound * sound


@inner
def may_overlap(shapes, boxes, a, b):
    """Whether the boxes of two bodies that are not both rigid are in one another as far as the cores of crushed bodies
    lie deep."""
    if shapes.bodies[BODY * a + KIND] == STIFF and shapes.bodies[BODY * b + KIND] == STIFF:
        return False
    deep, i, j = CRUSHED_DEPTH * (depth_of_core(shapes, a) + depth_of_core(shapes, b)), AABB * a, AABB * b
    least = min(boxes[i + 3], boxes[j + 3]) - max(boxes[i], boxes[j])
    for k in range(1, 3):
        least = min(least, min(boxes[i + 3 + k], boxes[j + 3 + k]) - max(boxes[i + k], boxes[j + k]))
    return least >= deep


@part
def invert(m, out):
    """The inverse of a 3x3 matrix (9). Returns its determinant; nothing is written where that is 0."""
    c0, c1, c2 = m[4] * m[8] - m[5] * m[7], m[5] * m[6] - m[3] * m[8], m[3] * m[7] - m[4] * m[6]
    det = m[0] * c0 + m[1] * c1 + m[2] * c2
    if det != 0.0:
        k = 1.0 / det
        out[0], out[1], out[2] = k * c0, k * (m[2] * m[7] - m[1] * m[8]), k * (m[1] * m[5] - m[2] * m[4])
        out[3], out[4], out[5] = k * c1, k * (m[0] * m[8] - m[2] * m[6]), k * (m[2] * m[3] - m[0] * m[5])
        out[6], out[7], out[8] = k * c2, k * (m[1] * m[6] - m[0] * m[7]), k * (m[0] * m[4] - m[1] * m[3])
    return det


@part
def map_body(shapes, nodes, work, body):
    """The linear map of a body and its inverse; that of its frame where it is rigid. One that is crushed to less than
    its least volume has the map between the two that has just this volume. Returns whether it is."""
    at, f = BODY_FRAME * body, work.frames
    here, back = work.maps[BODY_MAP * body :][:9], work.maps[BODY_MAP * body + MAP_BACK :][:9]
    for i in range(3):
        for j in range(3):
            here[3 * i + j], back[3 * j + i] = f[at + 3 * i + j], f[at + 3 * i + j]
    if shapes.bodies[BODY * body + KIND] == STIFF:
        return False
    both, rests, inverse = room(np.float64, NINE), room(np.float64, NINE), room(np.float64, NINE)
    both[:], rests[:] = 0.0, 0.0
    for i in range(shapes.bodies[BODY * body + BODY_FIRST], shapes.bodies[BODY * body + BODY_END]):
        for j in range(3):
            moment = nodes.masses[i] * (nodes.x[4 * i + j] - f[at + CENTRE + j])
            weighed = nodes.masses[i] * (shapes.particle_rest[3 * i + j] - f[at + CENTRE_AT_REST + j])
            for k in range(3):
                r = shapes.particle_rest[3 * i + k] - f[at + CENTRE_AT_REST + k]
                both[3 * j + k] += moment * r
                rests[3 * j + k] += weighed * r
    if invert(rests, inverse) == 0.0:
        return False
    linear = room(np.float64, NINE)
    for i in range(3):
        for j in range(3):
            linear[3 * i + j] = sum_of(both, inverse, i, j)
    crushed, part_of_frame, step = invert(linear, both) < LEAST_VOLUME, 0.0, 0.5
    if crushed:
        for _halving in range(HALVINGS):  # the volume of what lies between grows towards the frame's, which is 1
            for k in range(9):
                rests[k] = linear[k] + (part_of_frame + step) * (here[k] - linear[k])
            if invert(rests, both) < LEAST_VOLUME:
                part_of_frame += step
            step *= 0.5
        for k in range(9):
            linear[k] += (part_of_frame + 2.0 * step) * (here[k] - linear[k])
        invert(linear, both)
    for k in range(9):
        here[k], back[k] = linear[k], both[k]
    return crushed


@inner
def map_once(shapes, nodes, work, body):
    """The map of a body, once in a sub-step."""
    if work.cored[body] == 0:
        frame_body(shapes, nodes, work, body)
        crushed = map_body(shapes, nodes, work, body)
        work.cored[body] = MAPPED | SQUEEZED if crushed else MAPPED


@inner
def sum_of(a, b, i, j):
    """One number of the product of two 3x3 matrices."""
    return a[3 * i] * b[j] + a[3 * i + 1] * b[3 + j] + a[3 * i + 2] * b[6 + j]


@inner
def to_world(work, body, points, c):
    """A point of a core where it is."""
    f, at, m = work.frames, BODY_FRAME * body, work.maps[BODY_MAP * body :][:9]
    r0 = points[c] - f[at + CENTRE_AT_REST]
    r1, r2 = points[c + 1] - f[at + CENTRE_AT_REST + 1], points[c + 2] - f[at + CENTRE_AT_REST + 2]
    return (
        m[0] * r0 + m[1] * r1 + m[2] * r2 + f[at + CENTRE],
        m[3] * r0 + m[4] * r1 + m[5] * r2 + f[at + CENTRE + 1],
        m[6] * r0 + m[7] * r1 + m[8] * r2 + f[at + CENTRE + 2],
    )


@inner
def gap_to_core(shapes, work, body, inside, q0, q1, q2):
    """Gap and normal at a point of the world, to what is deeper than `inside`."""
    f, at, m = work.frames, BODY_FRAME * body, work.maps[BODY_MAP * body + MAP_BACK :][:9]
    d0, d1, d2 = q0 - f[at + CENTRE], q1 - f[at + CENTRE + 1], q2 - f[at + CENTRE + 2]
    d, n0, n1, n2 = sample(
        shapes.fields, shapes.bodies[BODY * body + FIELD],
        m[0] * d0 + m[1] * d1 + m[2] * d2 + f[at + CENTRE_AT_REST],
        m[3] * d0 + m[4] * d1 + m[5] * d2 + f[at + CENTRE_AT_REST + 1],
        m[6] * d0 + m[7] * d1 + m[8] * d2 + f[at + CENTRE_AT_REST + 2],
    )  # fmt: skip
    t0, t1 = m[0] * n0 + m[3] * n1 + m[6] * n2, m[1] * n0 + m[4] * n1 + m[7] * n2
    t2 = m[2] * n0 + m[5] * n1 + m[8] * n2
    length = math.sqrt(t0 * t0 + t1 * t1 + t2 * t2)
    return (d + inside) / length, t0 / length, t1 / length, t2 / length


@part
def core_rows(shapes, work, cores, a, b, direction, h, n, most):
    """The points round the core of a against the core of b, where they are in it or will be by the end of the sub-step.
    direction: 1 if b is the first body of the pair. Returns the number of the next row."""
    inside = depth_of_core(shapes, b)
    outside = shapes.materials[BODY_ROW * a + CORE_DEPTH] - depth_of_core(shapes, a)
    i, j, v = MOTION * a, MOTION * b, work.motions
    for k in range(shapes.bodies[BODY * a + CORE], shapes.bodies[BODY * a + CORE_END]):
        p0, p1, p2 = to_world(work, a, shapes.core_points, 3 * k)
        gap, n0, n1, n2 = gap_to_core(shapes, work, b, inside, p0, p1, p2)
        gap -= outside
        along = n0 * (v[i] - v[j]) + n1 * (v[i + 1] - v[j + 1]) + n2 * (v[i + 2] - v[j + 2])
        if not (gap < -h * along):
            continue
        if n >= most:
            return n
        write(cores, n, direction * DIRECTION_KEYS + k, BY_BODY, a, BY_BODY, b, gap, n0, n1, n2, p0, p1, p2)
        between(shapes, cores, n, a, b)
        cores.rows[ROW * n + ROW_FRICTION] = 0.0
        n += 1
    return n


@inner
def may_meet_box(boxes, i, q0, q1, q2, wide):
    """Whether a ball about a point comes into a box."""
    return (
        boxes[i] - wide < q0 < boxes[i + 3] + wide
        and boxes[i + 1] - wide < q1 < boxes[i + 4] + wide
        and boxes[i + 2] - wide < q2 < boxes[i + 5] + wide
    )


@inner
def velocity_of_proxy(shapes, nodes, work, a, proxy):
    """Of what a push at a proxy acts on; of a rigid body its mean velocity."""
    if shapes.bodies[BODY * a + KIND] == STIFF:
        v, m = work.motions, MOTION * a
        return v[m], v[m + 1], v[m + 2]
    return together(nodes.u, shapes.holders, shapes.shares, 4 * proxy)


@inner
def along_edge(nodes, shapes, proxy, t):
    """A point of the edge that a ball stands on."""
    i, j = 4 * shapes.holders[4 * proxy], 4 * shapes.holders[4 * proxy + 1]
    x, s = nodes.x, 1.0 - t
    return s * x[i] + t * x[j], s * x[i + 1] + t * x[j + 1], s * x[i + 2] + t * x[j + 2]


@part
def deepest_of_edge(shapes, nodes, work, b, proxy):
    """Where on the edge that a ball stands on the core of b is nearest: where the gap grows neither way."""
    i, j = 4 * shapes.holders[4 * proxy], 4 * shapes.holders[4 * proxy + 1]
    e0, e1, e2 = nodes.x[j] - nodes.x[i], nodes.x[j + 1] - nodes.x[i + 1], nodes.x[j + 2] - nodes.x[i + 2]
    t, step = 0.5, 0.25
    for _halving in range(EDGE_HALVINGS):
        p0, p1, p2 = along_edge(nodes, shapes, proxy, t)
        _, n0, n1, n2 = gap_to_core(shapes, work, b, 0.0, p0, p1, p2)
        t += step if n0 * e0 + n1 * e1 + n2 * e2 < 0.0 else -step
        step *= 0.5
    return t


@part
def round_core_rows(shapes, nodes, work, candidates, cores, m, a, b, direction, h, n, most):
    """The balls of a, which has no inside, that are candidates of pair m, against the core of b; a ball on an edge
    where it is nearest to the core, since balls leave holes between them where a sheet is stretched. What comes faster
    than a push goes through b is stopped at its skin: a sheet is thin, gives way itself, and would have cut the skin
    before it comes to the core. Returns the number of the next row, and whether any is so fast. The point of contact
    is the middle of the ball: without friction a push acts anywhere along the normal alike, and there it turns no
    particle."""
    fastest, j, v = 0.0, MOTION * b, work.motions
    for c in range(candidates.spans[2 * m], candidates.spans[2 * m + 1]):
        proxy = candidates.keys[c] - direction * DIRECTION_KEYS
        p0, p1, p2 = place_of(shapes, nodes, work, a, proxy)
        size = shapes.rest[4 * proxy + 3]
        u0, u1, u2 = velocity_of_proxy(shapes, nodes, work, a, proxy)
        u0, u1, u2 = u0 - v[j], u1 - v[j + 1], u2 - v[j + 2]
        wide = abs(size) + h * math.sqrt(u0 * u0 + u1 * u1 + u2 * u2)
        kind, index = mover(shapes, a, proxy)
        slides = kind == BY_PARTICLES and shapes.shares[4 * proxy + 1] > 0.0
        if slides:
            q0, q1, q2 = along_edge(nodes, shapes, proxy, 0.0)
            wide += math.sqrt((p0 - q0) * (p0 - q0) + (p1 - q1) * (p1 - q1) + (p2 - q2) * (p2 - q2))
        if not may_meet_box(work.boxes, AABB * b, p0, p1, p2, wide):
            continue
        map_once(shapes, nodes, work, b)
        t = 0.0
        if slides:
            t = deepest_of_edge(shapes, nodes, work, b, proxy)
            p0, p1, p2 = along_edge(nodes, shapes, proxy, t)
            f, g = 4 * shapes.holders[4 * proxy], 4 * shapes.holders[4 * proxy + 1]
            u0 = (1.0 - t) * nodes.u[f] + t * nodes.u[g] - v[j]
            u1 = (1.0 - t) * nodes.u[f + 1] + t * nodes.u[g + 1] - v[j + 1]
            u2 = (1.0 - t) * nodes.u[f + 2] + t * nodes.u[g + 2] - v[j + 2]
        gap, n0, n1, n2 = gap_to_core(shapes, work, b, depth_of_core(shapes, b), p0, p1, p2)
        reached, _, _, _ = reach(nodes.hulls, shapes.particles[shapes.starts[proxy]], size, n0, n1, n2)
        gap -= reached
        along = n0 * u0 + n1 * u1 + n2 * u2
        if -along > shapes.materials[BODY_ROW * b + SOUND]:
            gap -= depth_of_core(shapes, b)
        if not (gap < -h * along):
            continue
        if n >= most:
            break
        if kind == BY_PARTICLES:
            hold(shapes, cores, FOURS * n, proxy)
            if slides:
                cores.weights[FOURS * n], cores.weights[FOURS * n + 1] = 1.0 - t, t
        write(cores, n, candidates.keys[c], kind, index, BY_BODY, b, gap, n0, n1, n2, p0, p1, p2)
        between(shapes, cores, n, a, b)
        cores.rows[ROW * n + ROW_FRICTION] = cores.rows[ROW * n + ROW_RESTITUTION] = 0.0
        fastest = max(fastest, -along)
        n += 1
    return n, fastest > shapes.materials[BODY_ROW * b + SOUND]
