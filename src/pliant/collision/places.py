# mypy: disallow-untyped-defs=False, check-untyped-defs=False
"""Where proxies are, and what moves there."""

from pliant.collision.layout import (
    BODY,
    BODY_END,
    BODY_FIRST,
    BODY_FRAME,
    BY_BODY,
    BY_PARTICLE,
    BY_PARTICLES,
    CENTRE,
    CENTRE_AT_REST,
    FIELD,
    KIND,
    SOFT,
    STIFF,
    SUBSTEP_NUMBER,
    TURNING,
)
from pliant.collision.narrow_phase.field import turned
from pliant.collision.row import together
from pliant.runtime.instructions import tell, told
from pliant.runtime.jit import inner


@inner
def place_of(shapes, nodes, work, body, proxy):
    """Where the centre of a proxy is; found once in a sub-step."""
    k = 3 * proxy
    if told(work.placed, proxy) != work.counts[SUBSTEP_NUMBER]:  # two threads may find the same at once
        work.places[k], work.places[k + 1], work.places[k + 2] = place(shapes, nodes, work.frames, body, proxy)
        tell(work.placed, proxy, work.counts[SUBSTEP_NUMBER])
    return work.places[k], work.places[k + 1], work.places[k + 2]


@inner
def place(shapes, nodes, frames, body, proxy):
    kind = shapes.bodies[BODY * body + KIND]
    if kind == STIFF:
        i = 4 * proxy
        return on_frame(frames, BODY_FRAME * body, shapes.rest[i], shapes.rest[i + 1], shapes.rest[i + 2])
    if kind == SOFT:
        a0 = a1 = a2 = 0.0
        for k in range(shapes.starts[proxy], shapes.starts[proxy + 1]):
            i, w = 4 * shapes.particles[k], shapes.weights[k]
            a0 += w * nodes.x[i]
            a1 += w * nodes.x[i + 1]
            a2 += w * nodes.x[i + 2]
        return a0, a1, a2
    i = 4 * shapes.particles[shapes.starts[proxy]]
    return float(nodes.x[i]), float(nodes.x[i + 1]), float(nodes.x[i + 2])


@inner
def on_frame(frames, at, r0, r1, r2):
    """A point of the rest shape where the frame of its body has it."""
    n0, n1, n2 = turned(
        frames, at,
        r0 - frames[at + CENTRE_AT_REST], r1 - frames[at + CENTRE_AT_REST + 1], r2 - frames[at + CENTRE_AT_REST + 2],
    )  # fmt: skip
    return n0 + frames[at + CENTRE], n1 + frames[at + CENTRE + 1], n2 + frames[at + CENTRE + 2]


@inner
def inner_place(shapes, nodes, frames, body, proxy):
    """Where a point of a skin looks from."""
    if shapes.bodies[BODY * body + KIND] == STIFF:
        i = 3 * proxy
        return on_frame(
            frames, BODY_FRAME * body, shapes.inner_rest[i], shapes.inner_rest[i + 1], shapes.inner_rest[i + 2]
        )
    q0 = q1 = q2 = 0.0
    for k in range(4 * proxy, 4 * proxy + 4):
        i, w = 4 * shapes.inner[k], shapes.inner_weights[k]
        q0 += w * nodes.x[i]
        q1 += w * nodes.x[i + 1]
        q2 += w * nodes.x[i + 2]
    return q0, q1, q2


@inner
def mover(shapes, body, proxy):
    """What moves where a proxy is touched, and its number. A particle that turns rolls only if it is a body by itself;
    those of a graph are turned by their neighbours, who take away at once what a push would turn them by."""
    if shapes.bodies[BODY * body + KIND] == STIFF:
        return BY_BODY, body
    if shapes.bodies[BODY * body + KIND] == TURNING and is_alone(shapes, body):
        return BY_PARTICLE, shapes.particles[shapes.starts[proxy]]
    return BY_PARTICLES, body


@inner
def pushed_at(shapes, nodes, work, a, proxy):
    """Where that is which a push at a proxy acts on: a point of a rigid body, or particles."""
    if shapes.bodies[BODY * a + KIND] == STIFF:
        i = 4 * proxy
        return on_frame(work.frames, BODY_FRAME * a, shapes.rest[i], shapes.rest[i + 1], shapes.rest[i + 2])
    return together(nodes.x, shapes.holders, shapes.shares, 4 * proxy)


@inner
def over_particle(a0, a1, a2, gap, n0, n1, n2, x0, x1, x2):
    """How far the skin at a lies beyond the particle x that takes the push there, along -n; the gap, and the point of
    contact over that particle: beside it, every push would turn the body as a whole. Where the particle stands out of
    the skin, as it may in a body that is crushed, it is itself what touches."""
    beyond = n0 * (x0 - a0) + n1 * (x1 - a1) + n2 * (x2 - a2)
    if beyond < 0.0:
        return 0.0, gap + beyond, x0, x1, x2
    return beyond, gap, x0 - beyond * n0, x1 - beyond * n1, x2 - beyond * n2


@inner
def is_alone(shapes, body):
    """Whether a body has but one particle."""
    return shapes.bodies[BODY * body + BODY_END] == shapes.bodies[BODY * body + BODY_FIRST] + 1


@inner
def has_field(shapes, body):
    """Whether a body has an inside that others meet. Ellipsoids meet others as what they are."""
    return shapes.bodies[BODY * body + FIELD] >= 0 and shapes.bodies[BODY * body + KIND] != TURNING


@inner
def has_core(shapes, body):
    """Whether a body has a core, for hard impacts."""
    return shapes.bodies[BODY * body + FIELD] >= 0


@inner
def has_soft_core(shapes, body):
    """Whether a body has a core under a skin that gives way."""
    return shapes.bodies[BODY * body + FIELD] >= 0 and shapes.bodies[BODY * body + KIND] == SOFT
