# mypy: disallow-untyped-defs=False, check-untyped-defs=False
"""How the modes go through a step: exact damped oscillators, or the nonlinear subspace by Newmark's method; and which
blend of the poses they go about.

An oscillator q'' + 2 d q' + l q = F under a constant force, in closed form:

    q1 = Q* + c11 (q - Q*) + c12 q',    q1' = c21 (q - Q*) + c22 q',    Q* = F / l

Examples replace the rest shape q = 0 by  g = L^-1 sum_g K_g Q w_g,  where K_g is the stiffness of a group's tets, Q the
poses, and  w_g = argmin (q - Q w)^T K_g (q - Q w) / 2 + (1 / beta - 1) w^T Q^T K_g Q w / 2.  The weights are those of
the middle of the step, (q + q1) / 2, which depends on them: with it what moves along the poses keeps its energy."""

from pliant.maths.convex import choose
from pliant.models.modal.layout import (
    EIGENVALUE,
    FROM_Q,
    FROM_RATE,
    RATE_FROM_Q,
    RATE_FROM_RATE,
)
from pliant.runtime.jit import part

BLEND_SWEEPS = 12  # over the groups, each of which sees what the others pull


@part
def blend(middle, pulls, gram, groups, poses, modes, given, weights, room):
    """The weights (G K) of a step whose middle would be `middle` (R) about rest. pulls (R, G K): K_g Q; gram (G K, G
    K): what the weights have to do with one another."""
    n = groups * poses
    z, block, more = room[:poses], room[poses : poses + poses * poses], room[poses + poses * poses :]
    for _sweep in range(BLEND_SWEEPS if groups > 1 else 1):
        for group in range(groups):
            first = group * poses
            for k in range(poses):
                row = first + k
                z[k] = 0.0
                for j in range(modes):
                    z[k] += pulls[j * n + row] * middle[j]
                for m in range(n):
                    if m < first or m >= first + poses:
                        z[k] -= gram[row * n + m] * weights[m]
                for m in range(poses):
                    block[k * poses + m] = gram[row * n + first + m]
            choose(poses, 1, block, given, z, 1.0, z[:0], weights[first:], more)


@part
def oscillate(q, rate, force, responses, modes, out, out_rate):
    """Every mode for itself, under constant forces (R)."""
    for j in range(modes):
        goal = force[j] / responses[EIGENVALUE * modes + j]
        away = q[j] - goal
        out[j] = goal + responses[FROM_Q * modes + j] * away + responses[FROM_RATE * modes + j] * rate[j]
        out_rate[j] = responses[RATE_FROM_Q * modes + j] * away + responses[RATE_FROM_RATE * modes + j] * rate[j]


@part
def middle_about_rest(q, rate, force, held, responses, modes, out):
    """Half-way through the step, if there were no poses; held: the forces of pins and handles in the last one."""
    for j in range(modes):
        goal = (force[j] + held[j]) / responses[EIGENVALUE * modes + j]
        away = q[j] - goal
        end = goal + responses[FROM_Q * modes + j] * away + responses[FROM_RATE * modes + j] * rate[j]
        out[j] = 0.5 * (q[j] + end)


@part
def reduced_force(q, values, squares, cubes, modes, out, tangent):
    """[Barbic & James 2005] (13): internal forces of the subspace, cubic in q, and their derivatives (R, R)."""
    for j in range(modes):
        out[j] = values[j] * q[j]
        for k in range(modes):
            tangent[j * modes + k] = values[j] if j == k else 0.0
    at = 0
    for a in range(modes):
        for b in range(a, modes):
            ab, qa, qb = q[a] * q[b], q[a], q[b]
            for j in range(modes):
                c = squares[at + j]
                out[j] += c * ab
                tangent[j * modes + a] += c * qb
                tangent[j * modes + b] += c * qa
            at += modes
    at = 0
    for a in range(modes):
        for b in range(a, modes):
            for e in range(b, modes):
                abe, be, ae, ab = q[a] * q[b] * q[e], q[b] * q[e], q[a] * q[e], q[a] * q[b]
                for j in range(modes):
                    c = cubes[at + j]
                    out[j] += c * abe
                    tangent[j * modes + a] += c * be
                    tangent[j * modes + b] += c * ae
                    tangent[j * modes + e] += c * ab
                at += modes
