# mypy: disallow-untyped-defs=False, check-untyped-defs=False
"""What contacts and forces did to the particles, taken into frame and modes.

The world moves particles as if each were free. What it did to one is told from where the model had put it: an impulse
m (v - u) and a displacement x - made. Each acts on the body as an impulse at that particle does: momentum by the
impulse, angular momentum by its moment, a mode by its share. So momentum is kept, and the particles are put back to
where frame and modes can have them.

A particle alone is much lighter than the body behind it, so contacts would take many steps to stop that: to contacts
its mass counts `heavier` times [mass splitting, Tonge+12], as much as the body can answer for without going beyond
what the contacts asked for. With D = heavier m at the particles that are touched, and d what they were given, the
answer is A d = J M^-1 J^T D d, and  s = d D d / d D A d  is the length of the best step along it."""

import math

import numpy as np

from pliant.models.modal.frame import add_moment, invert_three, multiplied, multiplied_back
from pliant.models.modal.layout import (
    ALONE,
    CENTRE,
    DRAG,
    DRIFT,
    GOING,
    GRAVITY,
    HEAVIER,
    MOMENTUM,
    MOST_HEAVIER,
    NOISE,
    ROTATION,
    STARTED,
    VELOCITY,
    H,
)
from pliant.models.modal.warp import add_share, turned
from pliant.runtime.instructions import room
from pliant.runtime.jit import part

TWELVE, NINE = 12, 9
# Among other bodies, what these get in return may not be cut short: both are smaller, so that nothing is thrown.
MARGIN_AMONG, GROWS_AMONG = 0.6, 1.5
MARGIN = 0.7  # of the best step: contacts that come within one step add to those that are there. Half: contacts stop a
# body in twice as many steps; twice: the answer goes beyond what was asked, is cut short, and momentum is lost
SAME = 1e-3  # of the largest change: particles that differ by less go along with the body
TRIMS = 12  # at most so many rounds to tell what is touched from what only goes along with its body
GROWS = 4.0  # times, in a step. Half: contacts stop a hard body later; twice: they may throw it, once


@part
def local_of(rotation, turns, i, is_warped, g0, g1, g2):
    """A vector of the world, as the modes of a particle have it: exp(-w) R^T g."""
    g0, g1, g2 = multiplied_back(rotation, g0, g1, g2)
    if is_warped:
        g0, g1, g2 = turned(-turns[3 * i], -turns[3 * i + 1], -turns[3 * i + 2], g0, g1, g2)
    return g0, g1, g2


@part
def rewritten(x, inverse, first, count, masses, made, noise):
    """Whether more than half of the body stands elsewhere than it was put: that is no contact: it was moved by hand.
    Also tells whether any particle does."""
    moved = total = 0.0
    for i in range(count):
        f = 4 * (first + i)
        total += masses[i]
        if inverse[first + i] > 0.0 and is_moved(x, f, made, i, noise):
            moved += masses[i]
    return moved > 0.5 * total, moved > 0.0


@part
def is_moved(x, f, made, i, noise):
    e = noise * (abs(made[3 * i]) + abs(made[3 * i + 1]) + abs(made[3 * i + 2]) + 1e-12)
    return (
        abs(x[f] - made[3 * i]) > e or abs(x[f + 1] - made[3 * i + 1]) > e or abs(x[f + 2] - made[3 * i + 2]) > e
    )


@part
def rigid_pace(masses, count, made, pace, centre, inverse, out):
    """The rigid motion (velocity, angular velocity) of what was made, as the damping of the world sees it."""
    total = l0 = l1 = l2 = v0 = v1 = v2 = 0.0
    for i in range(count):
        m = masses[i]
        r0, r1, r2 = made[3 * i] - centre[0], made[3 * i + 1] - centre[1], made[3 * i + 2] - centre[2]
        u0, u1, u2 = pace[3 * i], pace[3 * i + 1], pace[3 * i + 2]
        total += m
        v0 += m * u0
        v1 += m * u1
        v2 += m * u2
        l0 += m * (r1 * u2 - r2 * u1)
        l1 += m * (r2 * u0 - r0 * u2)
        l2 += m * (r0 * u1 - r1 * u0)
    out[0], out[1], out[2] = v0 / total, v1 / total, v2 / total
    out[3], out[4], out[5] = multiplied(inverse, l0, l1, l2)


@part
def note_changes(v, inverse, first, count, own, made, pace, numbers, motion, changes):
    """(3 V,) by how much each particle is faster than it would be if nothing touched its body; answers the largest of
    what is more than rounding."""
    centre, h = own[CENTRE : CENTRE + 3], numbers[H]
    left, rigid = numbers[DRIFT], numbers[DRAG] - numbers[DRIFT]
    largest = 0.0
    for i in range(count):
        f, a = 4 * (first + i), 3 * i
        r0, r1, r2 = made[a] - centre[0], made[a + 1] - centre[1], made[a + 2] - centre[2]
        e0 = left * pace[a] + rigid * (motion[0] + motion[4] * r2 - motion[5] * r1)
        e1 = left * pace[a + 1] + rigid * (motion[1] + motion[5] * r0 - motion[3] * r2)
        e2 = left * pace[a + 2] + rigid * (motion[2] + motion[3] * r1 - motion[4] * r0)
        d0, d1, d2 = v[f] - e0, v[f + 1] - e1, v[f + 2] - e2
        far = abs(made[a]) + abs(made[a + 1]) + abs(made[a + 2])
        noise = 4.0 * numbers[NOISE] * (abs(e0) + abs(e1) + abs(e2) + far / h) + 1e-300
        size = max(abs(d0), abs(d1), abs(d2))
        if inverse[first + i] == 0.0 or size <= noise:
            d0 = d1 = d2 = size = 0.0
        changes[a], changes[a + 1], changes[a + 2] = d0, d1, d2
        largest = max(largest, size)
    return largest


@part
def common_motion(x, inverse, first, count, masses, made, centre, changes, largest, noise, marks, out):
    """The rigid motion (6) that is common to all particles but those that contacts touch, which are marked. All that
    the world does to a body as a whole is a rigid motion of those. Particles that are not where they were put are
    touched; so are, round by round, those that differ most from what is common to the others."""
    for i in range(count):
        marks[i] = 1.0 if inverse[first + i] > 0.0 and is_moved(x, 4 * (first + i), made, i, noise) else 0.0
    inertia, inverted = room(np.float64, NINE), room(np.float64, NINE)
    for _round in range(TRIMS):
        for k in range(6):
            out[k] = 0.0
        for k in range(9):
            inertia[k] = 0.0
        total = a0 = a1 = a2 = 0.0
        for i in range(count):
            if marks[i] == 0.0 and inverse[first + i] > 0.0:
                m = masses[i]
                total += m
                a0 += m * (made[3 * i] - centre[0])
                a1 += m * (made[3 * i + 1] - centre[1])
                a2 += m * (made[3 * i + 2] - centre[2])
                out[0] += m * changes[3 * i]
                out[1] += m * changes[3 * i + 1]
                out[2] += m * changes[3 * i + 2]
        if total == 0.0:
            return
        a0, a1, a2 = a0 / total, a1 / total, a2 / total
        v0, v1, v2 = out[0] / total, out[1] / total, out[2] / total
        l0 = l1 = l2 = 0.0
        for i in range(count):
            if marks[i] == 0.0 and inverse[first + i] > 0.0:
                m = masses[i]
                r0 = made[3 * i] - centre[0] - a0
                r1, r2 = made[3 * i + 1] - centre[1] - a1, made[3 * i + 2] - centre[2] - a2
                u0, u1, u2 = changes[3 * i], changes[3 * i + 1], changes[3 * i + 2]
                l0 += m * (r1 * u2 - r2 * u1)
                l1 += m * (r2 * u0 - r0 * u2)
                l2 += m * (r0 * u1 - r1 * u0)
                add_moment(inertia, m, r0, r1, r2)
        inertia[3], inertia[6], inertia[7] = inertia[1], inertia[2], inertia[5]
        w0 = w1 = w2 = 0.0
        if invert_three(inertia, inverted):
            w0, w1, w2 = multiplied(inverted, l0, l1, l2)
        # about the centre of the body again
        out[0], out[1], out[2] = v0 - (w1 * a2 - w2 * a1), v1 - (w2 * a0 - w0 * a2), v2 - (w0 * a1 - w1 * a0)
        out[3], out[4], out[5] = w0, w1, w2
        worst = 0.0
        for i in range(count):
            if marks[i] == 0.0 and inverse[first + i] > 0.0:
                worst = max(worst, difference(made, centre, changes, out, i))
        if worst <= SAME * largest:
            return
        for i in range(count):
            free = marks[i] == 0.0 and inverse[first + i] > 0.0
            if free and difference(made, centre, changes, out, i) > 0.5 * worst:
                marks[i] = 1.0


@part
def difference(made, centre, changes, motion, i):
    r0, r1, r2 = made[3 * i] - centre[0], made[3 * i + 1] - centre[1], made[3 * i + 2] - centre[2]
    d0 = changes[3 * i] - motion[0] - (motion[4] * r2 - motion[5] * r1)
    d1 = changes[3 * i + 1] - motion[1] - (motion[5] * r0 - motion[3] * r2)
    d2 = changes[3 * i + 2] - motion[2] - (motion[3] * r1 - motion[4] * r0)
    return math.sqrt(d0 * d0 + d1 * d1 + d2 * d2)


@part
def take(
    x, v, inverse, acceleration, first, count, modes, is_warped, masses, phi, own, made, pace, turns, inertia_inverse,
    numbers, struck, pushed, others, changes, marks,
):  # fmt: skip
    """Fills three generalised impulses (6 + R): of contacts on velocities, the same on places, and of all else. Then
    frame and modes take them; what is left to do is those of the modes. changes (3 V), marks (V): scratch."""
    rotation, centre = own[ROTATION : ROTATION + 9], own[CENTRE : CENTRE + 3]
    velocity, momentum = own[VELOCITY : VELOCITY + 3], own[MOMENTUM : MOMENTUM + 3]
    h, heavier, noise = numbers[H], own[HEAVIER], numbers[NOISE]
    motion = room(np.float64, TWELVE)
    for k in range(6 + modes):
        struck[k] = pushed[k] = others[k] = 0.0
    largest = 0.0
    if own[STARTED] == GOING:
        rigid_pace(masses, count, made, pace, centre, inertia_inverse, motion)
        largest = note_changes(v, inverse, first, count, own, made, pace, numbers, motion, changes)
    common = motion[6:]
    if largest > 0.0:
        common_motion(x, inverse, first, count, masses, made, centre, changes, largest, noise, marks, common)
    w0, w1, w2 = multiplied(inertia_inverse, momentum[0], momentum[1], momentum[2])
    spins = (w0 * w0 + w1 * w1 + w2 * w2) * h * h > 1e-12
    asked_speed = asked_place = total = 0.0
    forced = len(acceleration) > 0
    for i in range(count):
        f, a, m = 4 * (first + i), 3 * i, masses[i]
        total += m
        if inverse[first + i] == 0.0:
            continue
        r0, r1, r2 = made[a] - centre[0], made[a + 1] - centre[1], made[a + 2] - centre[2]
        g0 = g1 = g2 = 0.0
        if largest > 0.0:
            g0 = m * (common[0] + common[4] * r2 - common[5] * r1)
            g1 = m * (common[1] + common[5] * r0 - common[3] * r2)
            g2 = m * (common[2] + common[3] * r1 - common[4] * r0)
            if marks[i] != 0.0:
                weight = heavier * m
                j0, j1 = heavier * (m * changes[a] - g0), heavier * (m * changes[a + 1] - g1)
                j2 = heavier * (m * changes[a + 2] - g2)
                asked_speed += (j0 * j0 + j1 * j1 + j2 * j2) / weight
                add_at(struck, rotation, turns, phi, i, is_warped, modes, r0, r1, r2, j0, j1, j2)
                j0, j1 = weight * (x[f] - made[a]), weight * (x[f + 1] - made[a + 1])
                j2 = weight * (x[f + 2] - made[a + 2])
                asked_place += (j0 * j0 + j1 * j1 + j2 * j2) / weight
                add_at(pushed, rotation, turns, phi, i, is_warped, modes, r0, r1, r2, j0, j1, j2)
        if forced:
            g0 += m * h * acceleration[f]
            g1 += m * h * acceleration[f + 1]
            g2 += m * h * acceleration[f + 2]
        add_impulse(others, r0, r1, r2, g0, g1, g2)
        if spins:  # what turns is drawn outwards: -w x (w x r)
            c0, c1, c2 = w1 * r2 - w2 * r1, w2 * r0 - w0 * r2, w0 * r1 - w1 * r0
            g0 -= m * h * (w1 * c2 - w2 * c1)
            g1 -= m * h * (w2 * c0 - w0 * c2)
            g2 -= m * h * (w0 * c1 - w1 * c0)
        if spins or forced:  # what moves all as one deforms nothing
            g0, g1, g2 = local_of(rotation, turns, i, is_warped, g0, g1, g2)
            add_share(phi, i, g0, g1, g2, modes, others[6:])
    speed = best_step(struck, modes, total, inertia_inverse, asked_speed)
    place = best_step(pushed, modes, total, inertia_inverse, asked_place)
    alone = numbers[ALONE] != 0.0
    for k in range(6 + modes):
        pushed[k] *= min(place, 1.0)
        if alone or k >= 6:  # what another body got in return is not cut short
            struck[k] *= min(speed, 1.0)
    if asked_speed > 0.0:
        margin, grows = (MARGIN, GROWS) if alone else (MARGIN_AMONG, GROWS_AMONG)
        wanted = heavier * min(grows, margin * speed, margin * place)
        own[HEAVIER] = max(1.0, min(numbers[MOST_HEAVIER], wanted))
    for k in range(3):
        velocity[k] = numbers[DRAG] * velocity[k] + (struck[k] + others[k]) / total + h * numbers[GRAVITY + k]
        momentum[k] = numbers[DRAG] * momentum[k] + struck[3 + k] + others[3 + k]


@part
def add_at(out, rotation, turns, phi, i, is_warped, modes, r0, r1, r2, j0, j1, j2):
    """What an impulse at a particle is to frame and modes."""
    add_impulse(out, r0, r1, r2, j0, j1, j2)
    g0, g1, g2 = local_of(rotation, turns, i, is_warped, j0, j1, j2)
    add_share(phi, i, g0, g1, g2, modes, out[6:])


@part
def add_impulse(out, r0, r1, r2, j0, j1, j2):
    """An impulse at an arm: momentum and angular momentum."""
    out[0] += j0
    out[1] += j1
    out[2] += j2
    out[3] += r1 * j2 - r2 * j1
    out[4] += r2 * j0 - r0 * j2
    out[5] += r0 * j1 - r1 * j0


@part
def best_step(impulse, modes, total, inverse, asked):
    """d D d / d D A d; a large number where nothing was asked for."""
    if asked == 0.0:
        return math.inf
    w0, w1, w2 = multiplied(inverse, impulse[3], impulse[4], impulse[5])
    answer = (impulse[0] * impulse[0] + impulse[1] * impulse[1] + impulse[2] * impulse[2]) / total
    answer += w0 * impulse[3] + w1 * impulse[4] + w2 * impulse[5]
    for j in range(modes):
        answer += impulse[6 + j] * impulse[6 + j]
    return asked / answer if answer > 0.0 else math.inf
