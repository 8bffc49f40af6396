# mypy: disallow-untyped-defs=False, check-untyped-defs=False
"""One contact row, whatever is on its sides: soft constraint, Coulomb's cone, warm start, relaxation, restitution.

Along the normal the relative velocity v of the two sides obeys a damped spring that is solved implicitly [Catto, "Soft
Constraints"], with the frequency given per sub-step, so that it depends on neither mass nor step:

    impulse = -m (v + bias) scale - impulse_scale accumulated,   accumulated >= 0

An open gap may close within the sub-step, no more: bias = gap / h, and no softness. After positions have moved, the
relaxation solves once more without the bias of the overlap: what pushed the bodies apart leaves no velocity behind.
Friction acts along two tangents with an accumulated impulse of at most friction times that along the normal. Velocities
are those of the sub-step, arms those at its begin, and x' = x + h v: so what is on both sides acts at one point, and
angular momentum about any place is kept."""

import math

from pliant.collision.layout import (
    APPROACH,
    IMPULSES,
    MASSES,
    NORMAL,
    OTHER_TANGENT,
    ROW,
    ROW_FRICTION,
    ROW_GAP,
    ROW_RADIUS,
    ROW_RESTITUTION,
    SURFACE,
    TANGENT,
)
from pliant.dynamics.constants import BOUNCE_ACCURACY, DAMPING_RATIO, PUSH_OUT, RIGID_RATE, SOFT_RATE
from pliant.dynamics.sides import inverse_mass, push, side_a, side_b, velocity
from pliant.runtime.jit import inner


@inner
def relative_velocity(nodes, found, row):
    """Of side A against side B at the point of contact (m/s)."""
    kind, index, four, arm = side_a(found, row)
    a0, a1, a2 = velocity(nodes, found, kind, index, four, arm)
    kind, index, four, arm = side_b(found, row)
    b0, b1, b2 = velocity(nodes, found, kind, index, four, arm)
    s = ROW * row + SURFACE
    r = found.rows
    return a0 - b0 - r[s], a1 - b1 - r[s + 1], a2 - b2 - r[s + 2]


@inner
def push_apart(nodes, found, row, j0, j1, j2):
    """An impulse on side A, and against it on side B."""
    kind, index, four, arm = side_a(found, row)
    push(nodes, found, kind, index, four, arm, j0, j1, j2)
    kind, index, four, arm = side_b(found, row)
    push(nodes, found, kind, index, four, arm, -j0, -j1, -j2)


@inner
def effective_mass(nodes, found, row, n0, n1, n2):
    kind, index, four, arm = side_a(found, row)
    yields = inverse_mass(nodes, found, kind, index, four, arm, n0, n1, n2)
    kind, index, four, arm = side_b(found, row)
    yields += inverse_mass(nodes, found, kind, index, four, arm, n0, n1, n2)
    return 1.0 / yields if yields > 0.0 else 0.0


@inner
def prepare(nodes, found, row):
    """Tangents, effective masses, and the speed of approach that restitution needs."""
    at = ROW * row
    r = found.rows
    n0, n1, n2 = r[at + NORMAL], r[at + NORMAL + 1], r[at + NORMAL + 2]
    if abs(n0) < 0.57735:
        s = 1.0 / math.sqrt(n1 * n1 + n2 * n2)
        t0, t1, t2 = 0.0, s * n2, -s * n1
    else:
        s = 1.0 / math.sqrt(n0 * n0 + n1 * n1)
        t0, t1, t2 = s * n1, -s * n0, 0.0
    o0, o1, o2 = n1 * t2 - n2 * t1, n2 * t0 - n0 * t2, n0 * t1 - n1 * t0
    r[at + TANGENT], r[at + TANGENT + 1], r[at + TANGENT + 2] = t0, t1, t2
    r[at + OTHER_TANGENT], r[at + OTHER_TANGENT + 1], r[at + OTHER_TANGENT + 2] = o0, o1, o2
    r[at + MASSES] = effective_mass(nodes, found, row, n0, n1, n2)
    r[at + MASSES + 1] = effective_mass(nodes, found, row, t0, t1, t2)
    r[at + MASSES + 2] = effective_mass(nodes, found, row, o0, o1, o2)
    v0, v1, v2 = relative_velocity(nodes, found, row)
    r[at + APPROACH] = v0 * n0 + v1 * n1 + v2 * n2


@inner
def warm_start(nodes, found, row):
    """The impulses of the last sub-step, at once."""
    at = ROW * row
    r = found.rows
    i, j, k = r[at + IMPULSES], r[at + IMPULSES + 1], r[at + IMPULSES + 2]
    if i == 0.0 and j == 0.0 and k == 0.0:
        return
    push_apart(
        nodes, found, row,
        i * r[at + NORMAL] + j * r[at + TANGENT] + k * r[at + OTHER_TANGENT],
        i * r[at + NORMAL + 1] + j * r[at + TANGENT + 1] + k * r[at + OTHER_TANGENT + 1],
        i * r[at + NORMAL + 2] + j * r[at + TANGENT + 2] + k * r[at + OTHER_TANGENT + 2],
    )  # fmt: skip


@inner
def softness(rigid):
    """Of an overlap: bias per overlap and sub-step, mass scale, impulse scale. Where particles take part the row is
    hard: a spring on the mass of a few particles would sink under the weight of all the others."""
    if not rigid:
        return SOFT_RATE, 1.0, 0.0
    omega = 2.0 * math.pi * RIGID_RATE
    a = 2.0 * DAMPING_RATIO + omega
    b = omega * a
    c = 1.0 / (1.0 + b)
    return omega / a, b * c, c


@inner
def solve(nodes, found, row, rigid, h, relax):
    """One iteration of a row. relax: without the push out of an overlap."""
    at = ROW * row
    r = found.rows
    n0, n1, n2 = r[at + NORMAL], r[at + NORMAL + 1], r[at + NORMAL + 2]
    t0, t1, t2 = r[at + TANGENT], r[at + TANGENT + 1], r[at + TANGENT + 2]
    o0, o1, o2 = r[at + OTHER_TANGENT], r[at + OTHER_TANGENT + 1], r[at + OTHER_TANGENT + 2]
    v0, v1, v2 = relative_velocity(nodes, found, row)
    gap = r[at + ROW_GAP]
    mass_scale, impulse_scale, bias = 1.0, 0.0, 0.0
    if gap > 0.0:
        bias = gap / h
    elif not relax:
        rate, mass_scale, impulse_scale = softness(rigid)
        bias = max(rate * gap / h, -PUSH_OUT * r[at + ROW_RADIUS])
    before = r[at + IMPULSES]
    speed = v0 * n0 + v1 * n1 + v2 * n2
    after = max(before - r[at + MASSES] * mass_scale * (speed + bias) - impulse_scale * before, 0.0)
    r[at + IMPULSES] = after
    if after != before:
        push_apart(nodes, found, row, (after - before) * n0, (after - before) * n1, (after - before) * n2)
        v0, v1, v2 = relative_velocity(nodes, found, row)
    # friction, within its cone
    most = r[at + ROW_FRICTION] * after
    i = r[at + IMPULSES + 1] - r[at + MASSES + 1] * (v0 * t0 + v1 * t1 + v2 * t2)
    j = r[at + IMPULSES + 2] - r[at + MASSES + 2] * (v0 * o0 + v1 * o1 + v2 * o2)
    length = math.sqrt(i * i + j * j)
    if length > most:
        s = most / length
        i *= s
        j *= s
    di, dj = i - r[at + IMPULSES + 1], j - r[at + IMPULSES + 2]
    r[at + IMPULSES + 1], r[at + IMPULSES + 2] = i, j
    if di != 0.0 or dj != 0.0:
        push_apart(nodes, found, row, di * t0 + dj * o0, di * t1 + dj * o1, di * t2 + dj * o2)


@inner
def close_gap(nodes, found, row, h):
    """The gap after positions have moved with the velocities as they are."""
    at = ROW * row
    r = found.rows
    v0, v1, v2 = relative_velocity(nodes, found, row)
    r[at + ROW_GAP] += h * (v0 * r[at + NORMAL] + v1 * r[at + NORMAL + 1] + v2 * r[at + NORMAL + 2])


@inner
def restitute(nodes, found, row, slowest):
    """What came faster than `slowest` (m/s) and was stopped leaves with its part of that speed. Returns whether it did
    not yet."""
    at = ROW * row
    r = found.rows
    if r[at + ROW_RESTITUTION] == 0.0 or r[at + APPROACH] > -slowest or r[at + IMPULSES] == 0.0:
        return False
    n0, n1, n2 = r[at + NORMAL], r[at + NORMAL + 1], r[at + NORMAL + 2]
    v0, v1, v2 = relative_velocity(nodes, found, row)
    wanted = -r[at + ROW_RESTITUTION] * r[at + APPROACH]
    before = r[at + IMPULSES]
    missing = wanted - (v0 * n0 + v1 * n1 + v2 * n2)
    if abs(missing) <= BOUNCE_ACCURACY * wanted:  # so that sweeps for others change nothing here
        return False
    after = max(before + r[at + MASSES] * missing, 0.0)
    r[at + IMPULSES] = after
    push_apart(nodes, found, row, (after - before) * n0, (after - before) * n1, (after - before) * n2)
    return True
