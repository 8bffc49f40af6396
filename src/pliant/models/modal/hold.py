# mypy: disallow-untyped-defs=False, check-untyped-defs=False
"""Pins and handles act through frame and modes.

A point k that rides on four particles is to be at t_k: a spring pulls it from where it would be at the end of the step,
and half a step on, x + h v / 2, so that what is held does not swing about it. With J its Jacobian (6 + R columns) and E
the answer of frame and modes to constant generalised forces, place and half a step of velocity together, the answer z
is

    (E^-1 + J^T k J) z = J^T k (t - x)          dense, 6 + R unknowns, positive for any stiffness"""

import numpy as np

from pliant.models.modal.dense import factor, substitute
from pliant.models.modal.frame import multiplied
from pliant.models.modal.layout import HOLD
from pliant.models.modal.warp import turned
from pliant.runtime.instructions import room
from pliant.runtime.jit import part

LOOK_AHEAD = 0.5  # steps. 0: velocities of what is pinned swing from step to step; 1: it lags more
SIX = 6


@part
def columns_at(rotation, phi, turns, is_warped, modes, particles, weights, local, out):
    """(3, 6 + R): how the point goes as centre, frame and modes go. Returns its place about the centre, unturned."""
    n = 6 + modes
    for k in range(3 * n):
        out[k] = 0.0
    s0 = s1 = s2 = 0.0
    for corner in range(4):
        w, i = weights[corner], particles[corner]
        if w == 0.0:
            continue
        s0 += w * local[3 * i]
        s1 += w * local[3 * i + 1]
        s2 += w * local[3 * i + 2]
        at = 3 * modes * i
        for j in range(modes):
            a0, a1, a2 = phi[at + j], phi[at + modes + j], phi[at + 2 * modes + j]
            if is_warped:
                a0, a1, a2 = turned(turns[3 * i], turns[3 * i + 1], turns[3 * i + 2], a0, a1, a2)
            a0, a1, a2 = multiplied(rotation, a0, a1, a2)
            out[6 + j] += w * a0
            out[n + 6 + j] += w * a1
            out[2 * n + 6 + j] += w * a2
    r0, r1, r2 = multiplied(rotation, s0, s1, s2)
    out[0] = out[n + 1] = out[2 * n + 2] = 1.0
    out[4], out[5] = r2, -r1
    out[n + 3], out[n + 5] = -r2, r0
    out[2 * n + 3], out[2 * n + 4] = r1, -r0
    return r0, r1, r2


@part
def answer(
    holds, count, particles, rotation, phi, turns, is_warped, modes, local, centre, motion, rate, h, pulled, system,
    columns, out,
):  # fmt: skip
    """One Newton iteration. system: E^-1 (n n), full; pulled: z so far; motion: velocity, angular velocity; out: what
    is to be added to z. False if the system is not positive."""
    n = 6 + modes
    for a in range(n):
        s = 0.0
        for b in range(n):
            s += system[a * n + b] * pulled[b]
        out[a] = -s
    reach = room(np.float64, SIX)
    ahead = LOOK_AHEAD * h
    for k in range(count):
        about = holds[HOLD * k : HOLD * (k + 1)]
        r0, r1, r2 = columns_at(
            rotation, phi, turns, is_warped, modes, particles[4 * k : 4 * k + 4], about[1:5], local, columns
        )
        for i in range(3):
            speed = 0.0
            for j in range(modes):
                speed += columns[i * n + 6 + j] * rate[j]
            reach[3 + i] = speed
        reach[0] = about[5] - centre[0] - r0
        reach[1] = about[6] - centre[1] - r1
        reach[2] = about[7] - centre[2] - r2
        reach[3] += motion[0] + motion[4] * r2 - motion[5] * r1
        reach[4] += motion[1] + motion[5] * r0 - motion[3] * r2
        reach[5] += motion[2] + motion[3] * r1 - motion[4] * r0
        for i in range(3):
            pull = about[0] * (reach[i] + ahead * (about[8 + i] - reach[3 + i]))
            row = columns[i * n : (i + 1) * n]
            for a in range(n):
                out[a] += row[a] * pull
                stiff = about[0] * row[a]
                if stiff != 0.0:
                    for b in range(a + 1):
                        system[a * n + b] += stiff * row[b]
    if not factor(system, n):
        return False
    substitute(system, n, out)
    return True
