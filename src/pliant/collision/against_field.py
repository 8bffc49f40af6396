# mypy: disallow-untyped-defs=False, check-untyped-defs=False
"""The proxies of one body against the inside of another.

Side B of a candidate has an origin and axes at the point in question: those of the rigid body, or a point of the tet
and the axes of the world. What is pushed on side A is known in them from when the
candidate was looked at, A, with gap, normal n and point of contact; where it is now, A', says the rest:

    gap' = gap + n . (A' - A),    looked at again when |A' - A| > LOOK_AGAIN radius

So the gap between two looks is that of what is pushed, to first order, and the drawn skin is measured at each look."""

import math

from pliant.collision.constants import AHEAD, FACING, LOOK_AGAIN
from pliant.collision.frames import frame_body
from pliant.collision.layout import (
    BEYOND,
    BODY,
    BODY_FRAME,
    BODY_ROW,
    BY_BODY,
    BY_PARTICLES,
    CANDIDATE,
    CANDIDATE_BEYOND,
    CANDIDATE_GAP,
    CANDIDATE_NORMAL,
    CANDIDATE_PLACE,
    CANDIDATE_POINT,
    CANDIDATE_WEIGHTS,
    CENTRE,
    DEVIATION,
    DIRECTION_KEYS,
    FOURS,
    KIND,
    MOTION,
    RADIUS,
    ROW,
    ROW_SIDES,
    SOFT,
    STIFF,
    SUBSTEP_NUMBER,
    THROUGH,
)
from pliant.collision.narrow_phase.field import (
    corner_at,
    field_of_frame,
    field_of_tet,
    tet_at,
    turned,
    turned_back,
    weights_in_tet,
)
from pliant.collision.narrow_phase.round import reach
from pliant.collision.places import inner_place, mover, over_particle, place_of, pushed_at
from pliant.collision.row import between, hold, write
from pliant.runtime.instructions import told
from pliant.runtime.jit import inner, part

NO_TET = -1  # in place of a tet: it is so flat there that it does not tell
NOT_FACING = 1e200  # m, in place of a gap
NO_INSIDE = 1e300  # m, in place of a gap: body B is so flat there that it has no inside


@inner
def speed_along(shapes, nodes, work, body, particle, n0, n1, n2, sign):
    """How fast a body comes along n (m/s), about: one that is rigid at most, as its particles go; others as the
    particle does. sign: -1 for the other way."""
    if shapes.bodies[BODY * body + KIND] == STIFF or particle < 0:
        v, m = work.motions, MOTION * body
        return sign * (n0 * v[m] + n1 * v[m + 1] + n2 * v[m + 2]) + v[m + DEVIATION]
    i = 4 * particle
    return sign * (n0 * nodes.u[i] + n1 * nodes.u[i + 1] + n2 * nodes.u[i + 2])


@inner
def look(shapes, nodes, work, a, b, proxy):
    """Gap and normal of a proxy of a against the inside of b, where they touch, and the tet of b that brought the point
    to rest."""
    size = shapes.rest[4 * proxy + 3]
    a0, a1, a2 = place_of(shapes, nodes, work, a, proxy)
    q0, q1, q2 = a0, a1, a2
    if size == 0.0:
        q0, q1, q2 = inner_place(shapes, nodes, work.frames, a, proxy)
    through = NO_TET
    if shapes.bodies[BODY * b + KIND] == SOFT:
        through = tet_at(shapes, nodes.x, work.frames, b, q0, q1, q2)
    if through >= 0:
        gap, n0, n1, n2 = field_of_tet(shapes, nodes.x, b, through, q0, q1, q2)
    else:
        gap, n0, n1, n2 = field_of_frame(shapes, work.frames, b, q0, q1, q2)
    c0, c1, c2 = a0, a1, a2
    if size == 0.0:
        gap += n0 * (a0 - q0) + n1 * (a1 - q1) + n2 * (a2 - q2)
        if shapes.flat[proxy] and shapes.bodies[BODY * a + KIND] == STIFF and shapes.bodies[BODY * b + KIND] == STIFF:
            gap, n0, n1, n2 = on_face(a0 - q0, a1 - q1, a2 - q2, gap, n0, n1, n2)
    else:
        r, d0, d1, d2 = reach(nodes.hulls, shapes.particles[shapes.starts[proxy]], size, n0, n1, n2)
        gap -= r
        if size < 0.0:
            c0, c1, c2 = a0 - d0, a1 - d1, a2 - d2
    return gap, n0, n1, n2, c0, c1, c2, through


@inner
def on_face(m0, m1, m2, gap, n0, n1, n2):
    """Gap and normal where a face of one rigid body, whose outward direction is m, meets another body: along the face's
    own normal, whatever the rim of the other body says that stands on it; nothing where the other does not face it.
    Else what slides over a face would bump against its points."""
    k = 1.0 / math.sqrt(m0 * m0 + m1 * m1 + m2 * m2)
    facing = -k * (m0 * n0 + m1 * n1 + m2 * n2)
    if facing < FACING:
        return NOT_FACING, n0, n1, n2
    return gap * facing, -k * m0, -k * m1, -k * m2


@inner
def origin_of_side(shapes, nodes, work, candidates, k, b):
    """The origin of side B of a candidate."""
    through = candidates.through[k]
    if shapes.bodies[BODY * b + KIND] == STIFF:
        f, at = work.frames, BODY_FRAME * b + CENTRE
        return f[at], f[at + 1], f[at + 2]
    o0 = o1 = o2 = 0.0
    for corner in range(4):
        w = candidates.numbers[CANDIDATE * k + CANDIDATE_WEIGHTS + corner]
        i = 4 * shapes.tets[4 * through + corner]
        o0 += w * nodes.x[i]
        o1 += w * nodes.x[i + 1]
        o2 += w * nodes.x[i + 2]
    return o0, o1, o2


@inner
def to_axes(shapes, work, b, v0, v1, v2):
    """A vector of the world in the axes of side B."""
    if shapes.bodies[BODY * b + KIND] == STIFF:
        return turned_back(work.frames, BODY_FRAME * b, v0, v1, v2)
    return v0, v1, v2


@inner
def from_axes(shapes, work, b, v0, v1, v2):
    """And back."""
    if shapes.bodies[BODY * b + KIND] == STIFF:
        return turned(work.frames, BODY_FRAME * b, v0, v1, v2)
    return v0, v1, v2


@inner
def look_at(shapes, nodes, work, candidates, k, a, b, proxy):
    """Write down a candidate as it is now. Returns whether there is anything near: where body b is crushed flat, a skin
    leaves it to its other points; a ball, which may be what crushes it, meets the particle that is nearest."""
    if told(work.framed, b) != work.counts[SUBSTEP_NUMBER]:
        frame_body(shapes, nodes, work, b)
    gap, n0, n1, n2, c0, c1, c2, through = look(shapes, nodes, work, a, b, proxy)
    at, c = CANDIDATE * k, candidates.numbers
    c[at + CANDIDATE_GAP] = NO_INSIDE
    x0, x1, x2 = pushed_at(shapes, nodes, work, a, proxy)
    beyond = 0.0
    kind, _ = mover(shapes, a, proxy)
    if kind == BY_PARTICLES:
        a0, a1, a2 = place_of(shapes, nodes, work, a, proxy)
        beyond, gap, c0, c1, c2 = over_particle(a0, a1, a2, gap, n0, n1, n2, x0, x1, x2)
    if shapes.bodies[BODY * b + KIND] == SOFT:
        if through < 0:
            through = tet_at(shapes, nodes.x, work.frames, b, c0, c1, c2)
        w = at + CANDIDATE_WEIGHTS
        if through >= 0:
            c[w], c[w + 1], c[w + 2], c[w + 3] = weights_in_tet(shapes, nodes.x, through, c0, c1, c2)
        elif shapes.rest[4 * proxy + 3] == 0.0:
            return False
        else:
            through, corner = corner_at(shapes, nodes.x, work.frames, b, c0, c1, c2)
            c[w] = c[w + 1] = c[w + 2] = c[w + 3] = 0.0
            c[w + corner] = 1.0
    candidates.through[k] = through
    o0, o1, o2 = origin_of_side(shapes, nodes, work, candidates, k, b)
    if shapes.bodies[BODY * b + KIND] != STIFF:
        beyond += n0 * (c0 - o0) + n1 * (c1 - o1) + n2 * (c2 - o2) - gap
    c[at + CANDIDATE_GAP], c[at + CANDIDATE_BEYOND] = gap, beyond
    i = at + CANDIDATE_NORMAL
    c[i], c[i + 1], c[i + 2] = to_axes(shapes, work, b, n0, n1, n2)
    i = at + CANDIDATE_PLACE
    c[i], c[i + 1], c[i + 2] = to_axes(shapes, work, b, x0 - o0, x1 - o1, x2 - o2)
    i = at + CANDIDATE_POINT
    c[i], c[i + 1], c[i + 2] = to_axes(shapes, work, b, c0 - x0, c1 - x1, c2 - x2)
    return True


@inner
def moved(shapes, nodes, work, candidates, k, a, b, proxy):
    """How far what is pushed on side A has moved in the axes of side B since a candidate was looked at (3), and where
    it is in the world (3)."""
    c, at = candidates.numbers, CANDIDATE * k + CANDIDATE_PLACE
    x0, x1, x2 = pushed_at(shapes, nodes, work, a, proxy)
    o0, o1, o2 = origin_of_side(shapes, nodes, work, candidates, k, b)
    e0, e1, e2 = to_axes(shapes, work, b, x0 - o0, x1 - o1, x2 - o2)
    return e0 - c[at], e1 - c[at + 1], e2 - c[at + 2], x0, x1, x2


@inner
def write_row(shapes, nodes, work, candidates, k, found, n, a, b, proxy, gap, n0, n1, n2, x0, x1, x2):
    """The contact row of a candidate, as it is now."""
    c, at, through = candidates.numbers, CANDIDATE * k, candidates.through[k]
    kind, index = mover(shapes, a, proxy)
    if kind == BY_PARTICLES:
        hold(shapes, found, FOURS * n, proxy)
    i = at + CANDIDATE_POINT
    d0, d1, d2 = from_axes(shapes, work, b, c[i], c[i + 1], c[i + 2])
    kind_b, four = BY_BODY, FOURS * n + 4
    if shapes.bodies[BODY * b + KIND] == SOFT:
        kind_b, last = BY_PARTICLES, four
        for corner in range(4):
            found.weights[four + corner] = 0.0
            if c[at + CANDIDATE_WEIGHTS + corner] > 0.0:
                found.particles[last] = shapes.tets[4 * through + corner]
                found.weights[last] = c[at + CANDIDATE_WEIGHTS + corner]
                last += 1
    write(found, n, candidates.keys[k], kind, index, kind_b, b, gap, n0, n1, n2, x0 + d0, x1 + d1, x2 + d2)
    found.rows[ROW * n + BEYOND] = c[at + CANDIDATE_BEYOND]
    found.sides[ROW_SIDES * n + THROUGH] = through
    between(shapes, found, n, a, b)


@part
def against_field(shapes, nodes, work, candidates, found, m, a, b, h, n, most):
    """The rows of all candidates of a pair of bodies. Returns the number of the next row."""
    radius = min(shapes.materials[BODY_ROW * a + RADIUS], shapes.materials[BODY_ROW * b + RADIUS])
    far = LOOK_AGAIN * radius * LOOK_AGAIN * radius
    for k in range(candidates.spans[2 * m], candidates.spans[2 * m + 1]):
        at, c, key = CANDIDATE * k, candidates.numbers, candidates.keys[k]
        if c[at + CANDIDATE_GAP] == NO_INSIDE:
            continue
        one, other, proxy = (a, b, key) if key < DIRECTION_KEYS else (b, a, key - DIRECTION_KEYS)
        d0, d1, d2, x0, x1, x2 = moved(shapes, nodes, work, candidates, k, one, other, proxy)
        if d0 * d0 + d1 * d1 + d2 * d2 > far:
            if not look_at(shapes, nodes, work, candidates, k, one, other, proxy):
                continue
            d0 = d1 = d2 = 0.0
        i, through = at + CANDIDATE_NORMAL, candidates.through[k]
        gap = c[at + CANDIDATE_GAP] + c[i] * d0 + c[i + 1] * d1 + c[i + 2] * d2
        n0, n1, n2 = from_axes(shapes, work, other, c[i], c[i + 1], c[i + 2])
        by = through
        if shapes.bodies[BODY * other + KIND] == SOFT:
            by = shapes.tets[4 * through]
        closing = speed_along(shapes, nodes, work, other, by, n0, n1, n2, 1.0)
        closing += speed_along(shapes, nodes, work, one, shapes.holders[4 * proxy], n0, n1, n2, -1.0)
        if not (gap < AHEAD * radius + h * max(closing, 0.0)):
            continue
        if n >= most:
            return n + 1
        write_row(
            shapes, nodes, work, candidates, k, found, n, one, other, proxy, gap, n0, n1, n2, x0, x1, x2
        )  # fmt: skip
        n += 1
    return n
