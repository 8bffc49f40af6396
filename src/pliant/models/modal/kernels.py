# mypy: disallow-untyped-defs=False, check-untyped-defs=False
"""The step of one actor. layout.py says what stands where.

    take       what contacts and forces did to the particles -> impulses of frame and modes       take.py
    respond    weights of the poses; q -> q1                                                       respond.py
    shape      q1 -> particles in the frame, with their rotations                                  warp.py
    turn       the frame, so that angular momentum is kept                                         frame.py
    hold       pins and handles                                                                    hold.py
"""

import numpy as np

from pliant.models.modal.dense import factor, substitute
from pliant.models.modal.frame import inertia_of, multiplied, turn, turn_for
from pliant.models.modal.hold import LOOK_AHEAD, answer
from pliant.models.modal.layout import (
    CENTRE,
    COUNT,
    CUBIC,
    EIGENVALUE,
    FAILED,
    FIRST,
    FROM_Q,
    GOING,
    GROUPS,
    HEAD,
    HEAVIER,
    HOLDS,
    MADE,
    MODES,
    MOMENTUM,
    NOISE,
    POSES,
    RATE_FROM_Q,
    REWRITTEN,
    ROTATION,
    STARTED,
    UNKNOWN,
    VELOCITY,
    WARPED,
    H,
)
from pliant.models.modal.respond import blend, middle_about_rest, oscillate, reduced_force
from pliant.models.modal.take import rewritten, take
from pliant.models.modal.warp import shape
from pliant.runtime.instructions import room
from pliant.runtime.jit import kernel, part

NINE, TWELVE = 9, 12
HOLD_ROUNDS = 2  # Newton iterations for what is held: the second sees how far the first has bent the body
NEWTON_ROUNDS = 4  # of the nonlinear subspace, each at the price of a force
NEWTON_ENOUGH = 1e-9  # of the step


@kernel(
    "x[] x[] x[] x[] x[] x[] i[] d[] d[] d[] d[] d[] d[] d[] d[] d[] d[] i[] d[] d[] d[] d[]"
)
def march(
    x, v, y, p, inverse, acceleration, wholes, rest, masses, phi, psi, responses, pulls, gram, given, squares, cubes,
    particles, holds, numbers, own, work,
):  # fmt: skip
    """One sub-step of one actor; answers MADE, or why not."""
    count, modes, first = wholes[COUNT], wholes[MODES], wholes[FIRST]
    groups, poses, is_warped, h = wholes[GROUPS], wholes[POSES], wholes[WARPED] != 0, numbers[H]
    n, k = 6 + modes, groups * poses
    q, rate, held = own[HEAD:], own[HEAD + modes :], own[HEAD + 2 * modes :]
    weights, made = own[HEAD + 3 * modes :], own[HEAD + 3 * modes + k :]
    pace, turns = made[3 * count :], made[6 * count :]
    rotation, centre = own[ROTATION : ROTATION + 9], own[CENTRE : CENTRE + 3]
    velocity, momentum = own[VELOCITY : VELOCITY + 3], own[MOMENTUM : MOMENTUM + 3]
    moved, touched = rewritten(x, inverse, first, count, masses, made, numbers[NOISE])
    if own[STARTED] == UNKNOWN or moved:
        return REWRITTEN
    local, system, stiff = work, work[3 * count :], work[3 * count + n * n :]
    struck = stiff[modes * modes :]
    pushed, others, z, more, force, then, then_rate = (
        struck[n:], struck[2 * n :], struck[3 * n :], struck[4 * n :], struck[5 * n :], struck[6 * n :], struck[7 * n :]
    )
    columns, marks, small = struck[8 * n :], struck[11 * n :], struck[11 * n + count :]
    inertia, inverse_inertia, motion = room(np.float64, NINE), room(np.float64, NINE), room(np.float64, TWELVE)
    inertia_of(made, centre, masses, count, inertia, inverse_inertia)
    take(
        x, v, inverse, acceleration, first, count, modes, is_warped, masses, phi, own, made, pace, turns,
        inverse_inertia, numbers, struck, pushed, others, local, marks,
    )  # fmt: skip
    if touched:
        total = 0.0
        for i in range(count):
            total += masses[i]
        for i in range(3):
            centre[i] += pushed[i] / total
        w0, w1, w2 = multiplied(inverse_inertia, pushed[3], pushed[4], pushed[5])
        turn(rotation, w0, w1, w2)
        for j in range(modes):  # a hard mode would make energy of it
            q[j] += pushed[6 + j] / (1.0 + h * h * responses[EIGENVALUE * modes + j])
        shape(rest, masses, phi, psi, q, count, modes, is_warped, turns, local)
        place(local, rotation, centre, count, made)
        put_back(x, y, inverse, first, count, made)
    for j in range(modes):
        force[j] = (struck[6 + j] + others[6 + j]) / h
    if k > 0:
        if wholes[CUBIC] == 0:
            middle_about_rest(q, rate, force, held, responses, modes, then)
        else:
            for j in range(modes):
                then[j] = q[j] + 0.5 * h * rate[j]
        blend(then, pulls, gram, groups, poses, modes, given, weights, small)
    for j in range(modes):
        z[j] = 0.0
        for m in range(k):
            z[j] += pulls[j * k + m] * weights[m]
    if wholes[CUBIC] == 0:
        for j in range(modes):
            force[j] += z[j]
        oscillate(q, rate, force, responses, modes, then, then_rate)
        answers(responses, modes, h, stiff)
    elif not newmark(q, rate, force, z, responses, squares, cubes, modes, h, then, then_rate, stiff, system, small):
        return FAILED
    there = room(np.float64, TWELVE)
    for i in range(3):
        there[i] = centre[i] + h * velocity[i]
    turned_to = room(np.float64, NINE)
    for i in range(9):
        turned_to[i] = rotation[i]
    shape(rest, masses, phi, psi, then, count, modes, is_warped, turns, local)
    turn_for(made, centre, masses, local, count, momentum, h, inverse_inertia, turned_to)
    for j in range(modes):
        held[j] = 0.0
    if wholes[HOLDS] > 0:
        for i in range(n):
            z[i] = 0.0
        for _round in range(HOLD_ROUNDS):
            set_system(inertia, masses, count, h, modes, stiff, system)
            w0, w1, w2 = multiplied(inverse_inertia, momentum[0], momentum[1], momentum[2])
            motion[0], motion[1], motion[2], motion[3], motion[4], motion[5] = (
                velocity[0], velocity[1], velocity[2], w0, w1, w2
            )
            good = answer(
                holds, wholes[HOLDS], particles, turned_to, phi, turns, is_warped, modes, local, there, motion,
                then_rate, h, z, system, columns, more,
            )  # fmt: skip
            if not good:
                return FAILED
            for i in range(n):
                z[i] += more[i]
            ahead = (1.0 + LOOK_AHEAD) * h
            for i in range(3):
                velocity[i] += more[i] / ahead
                there[i] += h * more[i] / ahead
            w0, w1, w2 = multiplied(inertia, more[3] / ahead, more[4] / ahead, more[5] / ahead)
            momentum[0] += w0
            momentum[1] += w1
            momentum[2] += w2
            for j in range(modes):
                pull = 0.0
                for m in range(modes):
                    pull += stiff[j * modes + m] * more[6 + m]
                held[j] += pull
                if wholes[CUBIC] == 0:
                    value = responses[EIGENVALUE * modes + j]
                    then[j] += pull * (1.0 - responses[FROM_Q * modes + j]) / value
                    then_rate[j] -= pull * responses[RATE_FROM_Q * modes + j] / value
                else:
                    then[j] += 0.5 * more[6 + j]
                    then_rate[j] += more[6 + j] / h
            shape(rest, masses, phi, psi, then, count, modes, is_warped, turns, local)
            for i in range(9):
                turned_to[i] = rotation[i]
            turn_for(made, centre, masses, local, count, momentum, h, inverse_inertia, turned_to)
    for i in range(3):
        centre[i] = there[i]
    for i in range(9):
        rotation[i] = turned_to[i]
    for j in range(modes):
        q[j], rate[j] = then[j], then_rate[j]
    for i in range(3 * count):
        local[i], made[i] = made[i], local[i]
    place(made, rotation, centre, count, made)
    for i in range(3 * count):
        pace[i] = (made[i] - local[i]) / h
    own[STARTED] = GOING
    give(p, inverse, masses, first, count, made, own[HEAVIER])
    return MADE


@part
def place(local, rotation, centre, count, out):
    """c + R s; out may be s itself."""
    for i in range(count):
        a0, a1, a2 = multiplied(rotation, local[3 * i], local[3 * i + 1], local[3 * i + 2])
        out[3 * i], out[3 * i + 1], out[3 * i + 2] = centre[0] + a0, centre[1] + a1, centre[2] + a2


@part
def put_back(x, y, inverse, first, count, made):
    """Particles where frame and modes have them; where inertia takes them goes along."""
    real = x.dtype.type
    for i in range(count):
        if inverse[first + i] > 0.0:
            for k in range(3):
                f = 4 * (first + i) + k
                before = x[f]
                x[f] = real(made[3 * i + k])
                y[f] += x[f] - before


@part
def give(p, inverse, masses, first, count, made, heavier):
    """Where the particles settle, and how they yield to contacts."""
    real = p.dtype.type
    for i in range(count):
        if inverse[first + i] > 0.0:
            inverse[first + i] = real(1.0 / (heavier * masses[i]))
        for k in range(3):
            p[4 * (first + i) + k] = real(made[3 * i + k])


@part
def answers(responses, modes, h, stiff):
    """Of oscillators, to a constant force: place and half a step of the rate. stiff: one over that, (R, R)."""
    for j in range(modes * modes):
        stiff[j] = 0.0
    for j in range(modes):
        value = responses[EIGENVALUE * modes + j]
        place_answer = (1.0 - responses[FROM_Q * modes + j]) / value
        rate_answer = -responses[RATE_FROM_Q * modes + j] / value
        stiff[j * modes + j] = 1.0 / max(place_answer + LOOK_AHEAD * h * rate_answer, 1e-6 * h * h)


@part
def set_system(inertia, masses, count, h, modes, stiff, system):
    """E^-1 of frame and modes, (n, n)."""
    n = 6 + modes
    total = 0.0
    for i in range(count):
        total += masses[i]
    for i in range(n * n):
        system[i] = 0.0
    scale = 1.0 / ((1.0 + LOOK_AHEAD) * h * h)
    for i in range(3):
        system[i * n + i] = scale * total
        for j in range(3):
            system[(3 + i) * n + 3 + j] = scale * inertia[3 * i + j]
    for i in range(modes):
        for j in range(modes):
            system[(6 + i) * n + 6 + j] = stiff[i * modes + j]


@part
def newmark(q, rate, force, pull, responses, squares, cubes, modes, h, then, then_rate, stiff, system, work):
    """Average acceleration:  a1 + D q1' + R(q1 - g) = F,  by Newton's method; g = L^-1 pull. FROM_Q holds D."""
    inner, start, right, away = work, work[modes:], work[2 * modes :], work[3 * modes :]
    for j in range(modes):
        away[j] = q[j] - pull[j] / responses[EIGENVALUE * modes + j]
    reduced_force(away, responses[EIGENVALUE * modes :], squares, cubes, modes, inner, stiff)
    for j in range(modes):
        start[j] = force[j] - responses[FROM_Q * modes + j] * rate[j] - inner[j]
        then[j] = q[j]
    size = 0.0
    for _round in range(NEWTON_ROUNDS):
        for j in range(modes):
            away[j] = then[j] - pull[j] / responses[EIGENVALUE * modes + j]
        reduced_force(away, responses[EIGENVALUE * modes :], squares, cubes, modes, inner, stiff)
        for j in range(modes):
            last = 4.0 / (h * h) * (then[j] - q[j]) - 4.0 / h * rate[j] - start[j]
            then_rate[j] = rate[j] + 0.5 * h * (start[j] + last)
            drag = responses[FROM_Q * modes + j]
            right[j] = force[j] - last - drag * then_rate[j] - inner[j]
            stiff[j * modes + j] += 4.0 / (h * h) + 2.0 / h * drag
        for j in range(modes * modes):
            system[j] = stiff[j]
        if not factor(system, modes):
            return False
        substitute(system, modes, right)
        now = 0.0
        size = 0.0
        for j in range(modes):
            then[j] += right[j]
            now += right[j] * right[j]
            size += (then[j] - q[j]) * (then[j] - q[j])
        if now <= NEWTON_ENOUGH * NEWTON_ENOUGH * size:
            break
    for j in range(modes):
        last = 4.0 / (h * h) * (then[j] - q[j]) - 4.0 / h * rate[j] - start[j]
        then_rate[j] = rate[j] + 0.5 * h * (start[j] + last)
    for j in range(modes * modes):
        stiff[j] *= 0.5
    return True
