# mypy: disallow-untyped-defs=False, check-untyped-defs=False
"""The proxies of one body against the inside of another."""

from pliant.collision.candidates import relative_motion
from pliant.collision.constants import AHEAD, PROBE
from pliant.collision.layout import (
    AABB,
    BEYOND,
    BODY,
    BODY_REACH,
    BODY_ROW,
    BY_BODY,
    BY_PARTICLE,
    BY_PARTICLES,
    DEVIATION,
    FOURS,
    KIND,
    MOTION,
    PROXY,
    PROXY_END,
    RADIUS,
    ROW,
    ROW_SIDES,
    SHARE_REACH,
    SOFT,
    STIFF,
    THROUGH,
    TURNING,
)
from pliant.collision.narrow_phase.field import field_of_frame, field_of_particles, field_of_tet, tet_at
from pliant.collision.narrow_phase.round import reach
from pliant.collision.places import inner_place, is_alone, mover, place_of
from pliant.collision.row import between, hold, hold_by_one, hold_by_tet, write
from pliant.runtime.jit import inner, part

DIRECTION_KEYS = 1 << 32  # keys of one direction of a pair
ARM_STRETCH = 1.5  # of the longest arm from a particle to a point of the skin: it may become as long in a bend
TRUST = 0.5  # of the gap to a soft body: so much of it there is at least
NO_TET = -1  # in place of a tet: it is so flat there that it does not tell


@inner
def speed_of_proxy(shapes, nodes, work, a, proxy, n0, n1, n2):
    """How fast a proxy goes along n, about (m/s)."""
    if shapes.bodies[BODY * a + KIND] == STIFF:
        return speed_of_body(work.motions, a, n0, n1, n2)
    speed = 0.0
    for k in range(4 * proxy, 4 * proxy + 4):
        i = 4 * shapes.holders[k]
        speed += shapes.shares[k] * (n0 * nodes.u[i] + n1 * nodes.u[i + 1] + n2 * nodes.u[i + 2])
    return speed


@inner
def speed_of_body(motions, body, n0, n1, n2):
    """The mean along n, with what any particle may add to it against n."""
    i = MOTION * body
    return n0 * motions[i] + n1 * motions[i + 1] + n2 * motions[i + 2] - motions[i + DEVIATION]


@inner
def speed_of_side(shapes, nodes, work, b, through, n0, n1, n2):
    """How fast side B comes along n, about (m/s)."""
    kind, m = shapes.bodies[BODY * b + KIND], MOTION * b
    if kind == STIFF or through < 0:
        v = work.motions
        return n0 * v[m] + n1 * v[m + 1] + n2 * v[m + 2] + v[m + DEVIATION]
    if kind == TURNING:
        i = 4 * through
        return n0 * nodes.u[i] + n1 * nodes.u[i + 1] + n2 * nodes.u[i + 2]
    speed = 0.0
    for k in range(4 * through, 4 * through + 4):
        i = 4 * shapes.tets[k]
        speed += n0 * nodes.u[i] + n1 * nodes.u[i + 1] + n2 * nodes.u[i + 2]
    return 0.25 * speed


@inner
def outside_box(boxes, body, a0, a1, a2):
    """How far a point is from the box round a body, at least."""
    b = AABB * body
    d0 = max(boxes[b] - a0, a0 - boxes[b + 3])
    d1 = max(boxes[b + 1] - a1, a1 - boxes[b + 4])
    d2 = max(boxes[b + 2] - a2, a2 - boxes[b + 5])
    return max(d0, max(d1, d2))


@inner
def look(shapes, nodes, work, a, b, proxy):
    """Gap and normal of a proxy of a against the inside of b, where they touch, and the tet or particle of b that
    brought the point to rest. Where it is certainly far away: a lower bound of the gap, and no normal."""
    size = shapes.rest[4 * proxy + 3]
    a0, a1, a2 = place_of(shapes, nodes, work, a, proxy)
    wide = size if size >= 0.0 else shapes.materials[BODY_ROW * a + BODY_REACH]
    apart = outside_box(work.boxes, b, a0, a1, a2) - wide
    if apart > AHEAD * shapes.materials[BODY_ROW * b + RADIUS]:
        return apart, 0.0, 0.0, 0.0, a0, a1, a2, NO_TET
    q0, q1, q2 = a0, a1, a2
    if size == 0.0:
        q0, q1, q2 = inner_place(shapes, nodes, work.frames, a, proxy)
    kind, through = shapes.bodies[BODY * b + KIND], NO_TET
    if kind == TURNING:
        gap, n0, n1, n2, through = field_of_particles(shapes, nodes, work.frames, b, q0, q1, q2)
        if through < 0:
            return 0.0, 0.0, 0.0, 0.0, a0, a1, a2, NO_TET
    else:
        if kind == SOFT:
            through = tet_at(shapes, nodes.x, work.frames, b, q0, q1, q2)
        if through >= 0:
            gap, n0, n1, n2 = field_of_tet(shapes, nodes.x, b, through, q0, q1, q2)
        else:
            gap, n0, n1, n2 = field_of_frame(shapes, work.frames, b, q0, q1, q2)
    c0, c1, c2 = a0, a1, a2
    if size == 0.0:
        gap += n0 * (a0 - q0) + n1 * (a1 - q1) + n2 * (a2 - q2)
    else:
        r, d0, d1, d2 = reach(nodes.hulls, shapes.particles[shapes.starts[proxy]], size, n0, n1, n2)
        gap -= r
        if size < 0.0:
            c0, c1, c2 = a0 - d0, a1 - d1, a2 - d2
    return gap, n0, n1, n2, c0, c1, c2, through


@inner
def add_row(shapes, nodes, work, found, n, a, b, proxy, direction, gap, n0, n1, n2, c0, c1, c2, through):
    """A contact row of a proxy of a with b. Returns whether there is one: a body that is crushed flat there leaves it
    to its other points."""
    kind, index = mover(shapes, a, proxy)
    key = direction * DIRECTION_KEYS + proxy
    beyond = 0.0
    if kind == BY_PARTICLES:
        a0, a1, a2 = place_of(shapes, nodes, work, a, proxy)
        x0, x1, x2 = hold(shapes, nodes, found, FOURS * n, proxy)
        beyond = n0 * (x0 - a0) + n1 * (x1 - a1) + n2 * (x2 - a2)
        # over the particle that takes the push: beside it, every push would turn the body as a whole
        c0, c1, c2 = x0 - beyond * n0, x1 - beyond * n1, x2 - beyond * n2
    other = shapes.bodies[BODY * b + KIND]
    if other == SOFT:
        if through < 0:
            through = tet_at(shapes, nodes.x, work.frames, b, c0, c1, c2)
        if through < 0:
            return False
        x0, x1, x2 = hold_by_tet(shapes, nodes, found, n, through, c0, c1, c2)
        beyond += n0 * (c0 - x0) + n1 * (c1 - x1) + n2 * (c2 - x2) - gap
        write(found, n, key, kind, index, BY_PARTICLES, b, gap, n0, n1, n2, c0, c1, c2)
    elif other == TURNING and not is_alone(shapes, b):
        x0, x1, x2 = hold_by_one(nodes, found, n, through)
        beyond += n0 * (c0 - x0) + n1 * (c1 - x1) + n2 * (c2 - x2) - gap
        write(found, n, key, kind, index, BY_PARTICLES, b, gap, n0, n1, n2, c0, c1, c2)
    elif other == TURNING:
        write(found, n, key, kind, index, BY_PARTICLE, through, gap, n0, n1, n2, c0, c1, c2)
    else:
        write(found, n, key, kind, index, BY_BODY, b, gap, n0, n1, n2, c0, c1, c2)
    found.rows[ROW * n + BEYOND] = beyond
    found.sides[ROW_SIDES * n + THROUGH] = through
    between(shapes, found, n, a, b)
    return True


@part
def against_field(shapes, nodes, work, found, m, slacks, a, b, direction, h, n, most):
    """The proxies of body a against the inside of body b. slacks: where those of the proxies stand. Returns the number
    of the next row, and the least slack."""
    radius = min(shapes.materials[BODY_ROW * a + RADIUS], shapes.materials[BODY_ROW * b + RADIUS])
    first, travel = shapes.bodies[BODY * a + PROXY], work.travel[m]
    closes = travel + h * relative_motion(shapes, work.motions, a, b)
    least, soft = 1e300, shapes.bodies[BODY * b + KIND] == SOFT
    box, wide = AABB * b, AHEAD * radius + ARM_STRETCH * shapes.materials[BODY_ROW * a + SHARE_REACH]
    low0, low1, low2 = work.boxes[box] - wide, work.boxes[box + 1] - wide, work.boxes[box + 2] - wide
    high0, high1, high2 = work.boxes[box + 3] + wide, work.boxes[box + 4] + wide, work.boxes[box + 5] + wide
    for proxy in range(first, shapes.bodies[BODY * a + PROXY_END]):
        k = slacks + proxy - first
        if work.slack[k] > closes:
            least = min(least, work.slack[k])
            continue
        # a look at the particle that carries a point costs a tenth of a look at the point
        i = 4 * shapes.holders[4 * proxy]
        x0, x1, x2 = float(nodes.x[i]), float(nodes.x[i + 1]), float(nodes.x[i + 2])
        apart = max(max(low0 - x0, x0 - high0), max(max(low1 - x1, x1 - high1), max(low2 - x2, x2 - high2)))
        if apart > 0.0:
            slack = apart + travel
            work.slack[k] = slack
            least = min(least, slack)
            continue
        gap, n0, n1, n2, c0, c1, c2, through = look(shapes, nodes, work, a, b, proxy)
        # through a tet the gap is that of the rest shape, stretched as the tet is: away from the skin it is a guess
        slack = (TRUST * gap - 2.0 * PROBE * radius if soft and gap > 0.0 else gap) - AHEAD * radius + travel
        work.slack[k] = slack
        least = min(least, slack)
        if n0 == 0.0 and n1 == 0.0 and n2 == 0.0:
            continue
        speed = speed_of_side(shapes, nodes, work, b, through, n0, n1, n2)
        speed -= speed_of_proxy(shapes, nodes, work, a, proxy, n0, n1, n2)
        if not (gap < AHEAD * radius + h * max(speed, 0.0)):
            continue
        if n >= most:
            return n + 1, least
        if add_row(shapes, nodes, work, found, n, a, b, proxy, direction, gap, n0, n1, n2, c0, c1, c2, through):
            n += 1
    return n, least
