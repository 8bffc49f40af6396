# mypy: disallow-untyped-defs=False, check-untyped-defs=False
"""The two sides of a contact row: how fast they go, how they yield, and what an impulse does to them.

Everything that contacts need to know of what moves is in these three functions. Four particles act with weights that
are not negative, so a push never pulls at one of them; together they stand not at the point of contact but an arm below
the skin. What an impulse does about that arm they cannot take: it is noted (`spins`), and the body turns by it as a
whole at the end of the sub-step. So angular momentum is kept."""

from pliant.collision.layout import (
    ARM_A,
    ARM_B,
    BY_BODY,
    BY_OBSTACLE,
    BY_PARTICLES,
    FOURS,
    INDEX_A,
    INDEX_B,
    KIND_A,
    KIND_B,
    ROW,
    ROW_SIDES,
)
from pliant.dynamics.layout import ANGULAR, BODY_NODE, INVERSE_INERTIA, INVERSE_MASS, VELOCITY
from pliant.runtime.jit import inner, part


@inner
def side_a(found, row):
    """Of side A of a row: what moves there, its number, where its particles and where its arm stand."""
    s = ROW_SIDES * row
    return found.sides[s + KIND_A], found.sides[s + INDEX_A], FOURS * row, ROW * row + ARM_A


@inner
def side_b(found, row):
    s = ROW_SIDES * row
    return found.sides[s + KIND_B], found.sides[s + INDEX_B], FOURS * row + 4, ROW * row + ARM_B


@inner
def velocity(nodes, found, kind, index, four, arm):
    """Of the point of contact on one side."""
    if kind == BY_OBSTACLE:
        return 0.0, 0.0, 0.0
    if kind == BY_PARTICLES:
        v0 = v1 = v2 = 0.0
        for k in range(four, four + 4):
            i, w = 4 * found.particles[k], found.weights[k]
            if w == 0.0:
                break
            v0 += w * nodes.u[i]
            v1 += w * nodes.u[i + 1]
            v2 += w * nodes.u[i + 2]
        return v0, v1, v2
    a0, a1, a2 = found.rows[arm], found.rows[arm + 1], found.rows[arm + 2]
    if kind == BY_BODY:
        at = BODY_NODE * index
        r = nodes.rigid
        w0, w1, w2 = r[at + ANGULAR], r[at + ANGULAR + 1], r[at + ANGULAR + 2]
        v0, v1, v2 = r[at + VELOCITY], r[at + VELOCITY + 1], r[at + VELOCITY + 2]
    else:
        i = 4 * index
        w0, w1, w2 = float(nodes.angular[i]), float(nodes.angular[i + 1]), float(nodes.angular[i + 2])
        v0, v1, v2 = float(nodes.u[i]), float(nodes.u[i + 1]), float(nodes.u[i + 2])
    return v0 + w1 * a2 - w2 * a1, v1 + w2 * a0 - w0 * a2, v2 + w0 * a1 - w1 * a0


@part
def particle_spin(nodes, i, l0, l1, l2):
    """I^-1 l of an ellipsoid of uniform density, I = m / 5 (tr(H) 1 - H)."""
    h = 6 * i
    h00, h11, h22 = float(nodes.hulls[h]), float(nodes.hulls[h + 1]), float(nodes.hulls[h + 2])
    h01, h02, h12 = float(nodes.hulls[h + 3]), float(nodes.hulls[h + 4]), float(nodes.hulls[h + 5])
    a, b, c = h11 + h22, h00 + h22, h00 + h11
    c00, c01, c02 = b * c - h12 * h12, h02 * h12 + h01 * c, h01 * h12 + h02 * b
    c11, c12, c22 = a * c - h02 * h02, h01 * h02 + h12 * a, a * b - h01 * h01
    det = a * c00 - h01 * c01 - h02 * c02
    k = 5.0 * nodes.inverse[i] / det if det > 0.0 else 0.0
    return (
        k * (c00 * l0 + c01 * l1 + c02 * l2),
        k * (c01 * l0 + c11 * l1 + c12 * l2),
        k * (c02 * l0 + c12 * l1 + c22 * l2),
    )


@part
def body_spin(nodes, index, l0, l1, l2):
    """I^-1 l of a rigid body."""
    r, at = nodes.rigid, BODY_NODE * index + INVERSE_INERTIA
    return (
        r[at] * l0 + r[at + 1] * l1 + r[at + 2] * l2,
        r[at + 3] * l0 + r[at + 4] * l1 + r[at + 5] * l2,
        r[at + 6] * l0 + r[at + 7] * l1 + r[at + 8] * l2,
    )


@inner
def inverse_mass(nodes, found, kind, index, four, arm, n0, n1, n2):
    """How fast the point of contact goes along n after a unit impulse along n."""
    if kind == BY_OBSTACLE:
        return 0.0
    if kind == BY_PARTICLES:
        yields = 0.0
        for k in range(four, four + 4):
            if found.weights[k] == 0.0:
                break
            yields += found.weights[k] * found.weights[k] * nodes.inverse[found.particles[k]]
        return yields
    a0, a1, a2 = found.rows[arm], found.rows[arm + 1], found.rows[arm + 2]
    l0, l1, l2 = a1 * n2 - a2 * n1, a2 * n0 - a0 * n2, a0 * n1 - a1 * n0
    if kind == BY_BODY:
        w0, w1, w2 = body_spin(nodes, index, l0, l1, l2)
        return nodes.rigid[BODY_NODE * index + INVERSE_MASS] + w0 * l0 + w1 * l1 + w2 * l2
    w0, w1, w2 = particle_spin(nodes, index, l0, l1, l2)
    return nodes.inverse[index] + w0 * l0 + w1 * l1 + w2 * l2


@inner
def push(nodes, found, kind, index, four, arm, j0, j1, j2):
    """An impulse (N s) at the point of contact."""
    if kind == BY_OBSTACLE:
        return
    u = nodes.u
    a0, a1, a2 = found.rows[arm], found.rows[arm + 1], found.rows[arm + 2]
    l0, l1, l2 = a1 * j2 - a2 * j1, a2 * j0 - a0 * j2, a0 * j1 - a1 * j0
    if kind == BY_PARTICLES:
        for k in range(four, four + 4):
            if found.weights[k] == 0.0:
                break
            i = found.particles[k]
            s = found.weights[k] * nodes.inverse[i]
            u[4 * i] += s * j0
            u[4 * i + 1] += s * j1
            u[4 * i + 2] += s * j2
        nodes.spins[3 * index] += l0
        nodes.spins[3 * index + 1] += l1
        nodes.spins[3 * index + 2] += l2
    elif kind == BY_BODY:
        r, at = nodes.rigid, BODY_NODE * index
        w0, w1, w2 = body_spin(nodes, index, l0, l1, l2)
        s = r[at + INVERSE_MASS]
        r[at + VELOCITY] += s * j0
        r[at + VELOCITY + 1] += s * j1
        r[at + VELOCITY + 2] += s * j2
        r[at + ANGULAR] += w0
        r[at + ANGULAR + 1] += w1
        r[at + ANGULAR + 2] += w2
    else:
        w0, w1, w2 = particle_spin(nodes, index, l0, l1, l2)
        i, s = 4 * index, nodes.inverse[index]
        u[i] += s * j0
        u[i + 1] += s * j1
        u[i + 2] += s * j2
        nodes.angular[i] += w0
        nodes.angular[i + 1] += w1
        nodes.angular[i + 2] += w2
