# mypy: disallow-untyped-defs=False, check-untyped-defs=False
"""Kernels for the moments of pushes about the particles that take them.

A push acts where skins touch, but is given to a particle at some distance: its moment turns the body, or the particle
where that is a body by itself. So angular momentum is kept.

A body that lies still on others is given the same moment again and again, as it is given its weight; so it is a force
of the next sub-step, kept as the angular velocity that it gives to the body. (Added to the velocities at the end of a
sub-step, it was taken back by the contacts of the next one: nothing moved, but all bodies had a speed, which the
damping between bodies answered.)"""

import numpy as np

from pliant.runtime.jit import inner, part
from pliant.world.contact.firm_kernels import span_of
from pliant.world.contact.impulse_kernels import times_inverse_inertia
from pliant.world.contact.layout import MEETING, PUSH_MOMENT, WARM_ROW, WARM_SLOTS
from pliant.world.layout import MOTION


@inner
def moment_of(x, attachments, attachment_weights, s, j0, j1, j2, q0, q1, q2):
    """The moment of an impulse at q about the particles that took it."""
    f, g = 4 * np.int64(attachments[2 * s]), 4 * np.int64(attachments[2 * s + 1])
    w, u = float(attachment_weights[2 * s]), float(attachment_weights[2 * s + 1])
    r0, r1, r2 = q0 - w * x[f] - u * x[g], q1 - w * x[f + 1] - u * x[g + 1], q2 - w * x[f + 2] - u * x[g + 2]
    return r1 * j2 - r2 * j1, r2 * j0 - r0 * j2, r0 * j1 - r1 * j0


@inner
def is_whole_body(angular_velocities, attachments, s):
    """Whether a sphere is a body by itself."""
    return len(angular_velocities) > 0 and angular_velocities[4 * np.int64(attachments[2 * s]) + 3] > 0


@part
def keep_moments(inverse, owners, awake, meetings, motion, warm_pushes):
    """What the moments of all pushes of this sub-step add to the angular velocities (rad/s), for the next one: the last
    rows of `warm_pushes`."""
    real = warm_pushes.dtype.type
    last = WARM_ROW * (WARM_SLOTS * len(owners) + len(inverse))
    for actor in range(len(awake)):
        if awake[actor] != 0:
            k, at = MEETING * actor + PUSH_MOMENT, last + WARM_ROW * actor
            m = motion[MOTION * actor : MOTION * (actor + 1)]
            w0, w1, w2 = times_inverse_inertia(m, meetings[k], meetings[k + 1], meetings[k + 2])
            warm_pushes[at], warm_pushes[at + 1], warm_pushes[at + 2] = real(w0), real(w1), real(w2)


@part
def turn_bodies(x, p, inverse, masses, origins, owners, awake, warm_pushes, h, begin, after):
    """Before bodies are parted: the moments of the last sub-step turn those from `begin` to `after`. Changes p. Arms
    are those at x, because the moment of momentum is  p x v = (x + h v) x v = x x v ."""
    real = p.dtype.type
    last = WARM_ROW * (WARM_SLOTS * len(owners) + len(inverse))
    for actor in range(begin, after):
        at = last + WARM_ROW * actor
        w0, w1, w2 = h * warm_pushes[at], h * warm_pushes[at + 1], h * warm_pushes[at + 2]
        if awake[actor] == 0 or (w0 == 0.0 and w1 == 0.0 and w2 == 0.0) or pinned(inverse, origins, actor):
            continue
        first, end = span_of(origins, inverse, actor)
        o0, o1, o2 = float(x[4 * first]), float(x[4 * first + 1]), float(x[4 * first + 2])
        mass = c0 = c1 = c2 = 0.0
        for i in range(first, end):
            f, m = 4 * i, float(masses[i])
            mass += m
            c0, c1, c2 = c0 + m * (x[f] - o0), c1 + m * (x[f + 1] - o1), c2 + m * (x[f + 2] - o2)
        c0, c1, c2 = o0 + c0 / mass, o1 + c1 / mass, o2 + c2 / mass
        for i in range(first, end):
            f = 4 * i
            r0, r1, r2 = x[f] - c0, x[f + 1] - c1, x[f + 2] - c2
            p[f] = real(p[f] + w1 * r2 - w2 * r1)
            p[f + 1] = real(p[f + 1] + w2 * r0 - w0 * r2)
            p[f + 2] = real(p[f + 2] + w0 * r1 - w1 * r0)


@part
def pinned(inverse, origins, actor):
    """Whether pins hold any of it."""
    first, last = span_of(origins, inverse, actor)
    least = float(inverse[first])
    for i in range(first + 1, last):
        least = min(least, inverse[i])
    return least == 0.0
