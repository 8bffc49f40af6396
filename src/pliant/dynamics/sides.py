# mypy: disallow-untyped-defs=False, check-untyped-defs=False
"""The two sides of a contact row: how fast they go, how they yield, and what an impulse does to them.

Everything that contacts need to know of what moves is in these three functions."""

from pliant.collision.layout import (
    ARM_A,
    ARM_B,
    BODY_A,
    BODY_B,
    BY_BODY,
    BY_OBSTACLE,
    BY_PARTICLES,
    FOURS,
    INDEX_A,
    INDEX_B,
    KIND_A,
    KIND_B,
    POINT,
    ROW,
    ROW_SIDES,
)
from pliant.dynamics.layout import ANGULAR, BODY_NODE, FIRM, INVERSE_INERTIA, INVERSE_MASS, VELOCITY
from pliant.runtime.jit import inner, part


@inner
def side_a(found, row):
    """What moves on side A of a row, its number, where its arm or its particles and the point stand, and its body."""
    s = ROW_SIDES * row
    kind = found.sides[s + KIND_A]
    arm = FOURS * row if kind == BY_PARTICLES else ROW * row + ARM_A
    return kind, found.sides[s + INDEX_A], arm, ROW * row + POINT, BODY_NODE * found.sides[s + BODY_A]


@inner
def side_b(found, row):
    s = ROW_SIDES * row
    kind = found.sides[s + KIND_B]
    arm = FOURS * row + 4 if kind == BY_PARTICLES else ROW * row + ARM_B
    return kind, found.sides[s + INDEX_B], arm, ROW * row + POINT, BODY_NODE * found.sides[s + BODY_B]


@part
def velocity(nodes, found, kind, index, arm, point, body):
    """Of the point of contact on one side."""
    if kind == BY_OBSTACLE:
        return 0.0, 0.0, 0.0
    if kind == BY_BODY:
        return body_velocity(nodes, body, found.rows[arm], found.rows[arm + 1], found.rows[arm + 2])
    v0 = v1 = v2 = 0.0
    if kind == BY_PARTICLES:
        for k in range(arm, arm + 4):
            i, w = 4 * found.particles[k], found.weights[k]
            v0 += w * nodes.u[i]
            v1 += w * nodes.u[i + 1]
            v2 += w * nodes.u[i + 2]
    else:
        i = 4 * index
        a0, a1, a2 = found.rows[arm], found.rows[arm + 1], found.rows[arm + 2]
        w0, w1, w2 = float(nodes.angular[i]), float(nodes.angular[i + 1]), float(nodes.angular[i + 2])
        v0, v1 = nodes.u[i] + w1 * a2 - w2 * a1, nodes.u[i + 1] + w2 * a0 - w0 * a2
        v2 = nodes.u[i + 2] + w0 * a1 - w1 * a0
    if nodes.rigid[body + FIRM] == 0.0:
        return v0, v1, v2
    a0, a1, a2 = firm_arm(nodes, found, point, body)
    b0, b1, b2 = body_velocity(nodes, body, a0, a1, a2)
    return v0 + b0, v1 + b1, v2 + b2


@inner
def body_velocity(nodes, body, a0, a1, a2):
    """Of a point of a body, at an arm from what it turns about."""
    r, v, w = nodes.rigid, body + VELOCITY, body + ANGULAR
    return (
        r[v] + r[w + 1] * a2 - r[w + 2] * a1,
        r[v + 1] + r[w + 2] * a0 - r[w] * a2,
        r[v + 2] + r[w] * a1 - r[w + 1] * a0,
    )


@inner
def firm_arm(nodes, found, point, body):
    """From what a body turns about to the point of contact."""
    r = nodes.rigid
    return found.rows[point] - r[body], found.rows[point + 1] - r[body + 1], found.rows[point + 2] - r[body + 2]


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
def body_spin(nodes, body, l0, l1, l2):
    """I^-1 l of a body as a whole."""
    r, at = nodes.rigid, body + INVERSE_INERTIA
    return (
        r[at] * l0 + r[at + 1] * l1 + r[at + 2] * l2,
        r[at + 3] * l0 + r[at + 4] * l1 + r[at + 5] * l2,
        r[at + 6] * l0 + r[at + 7] * l1 + r[at + 8] * l2,
    )


@part
def body_inverse_mass(nodes, body, a0, a1, a2, n0, n1, n2):
    l0, l1, l2 = a1 * n2 - a2 * n1, a2 * n0 - a0 * n2, a0 * n1 - a1 * n0
    w0, w1, w2 = body_spin(nodes, body, l0, l1, l2)
    return nodes.rigid[body + INVERSE_MASS] + w0 * l0 + w1 * l1 + w2 * l2


@part
def push_body(nodes, body, a0, a1, a2, j0, j1, j2):
    """An impulse on a body as a whole."""
    r = nodes.rigid
    w0, w1, w2 = body_spin(nodes, body, a1 * j2 - a2 * j1, a2 * j0 - a0 * j2, a0 * j1 - a1 * j0)
    s = r[body + INVERSE_MASS]
    r[body + VELOCITY] += s * j0
    r[body + VELOCITY + 1] += s * j1
    r[body + VELOCITY + 2] += s * j2
    r[body + ANGULAR] += w0
    r[body + ANGULAR + 1] += w1
    r[body + ANGULAR + 2] += w2


@part
def inverse_mass(nodes, found, kind, index, arm, point, body, n0, n1, n2):
    """How fast the point of contact goes along n after a unit impulse along n."""
    if kind == BY_OBSTACLE:
        return 0.0
    if kind == BY_BODY:
        r = found.rows
        return body_inverse_mass(nodes, body, r[arm], r[arm + 1], r[arm + 2], n0, n1, n2)
    yields = 0.0
    if kind == BY_PARTICLES:
        for k in range(arm, arm + 4):
            yields += found.weights[k] * found.weights[k] * nodes.inverse[found.particles[k]]
    else:
        a0, a1, a2 = found.rows[arm], found.rows[arm + 1], found.rows[arm + 2]
        l0, l1, l2 = a1 * n2 - a2 * n1, a2 * n0 - a0 * n2, a0 * n1 - a1 * n0
        w0, w1, w2 = particle_spin(nodes, index, l0, l1, l2)
        yields = nodes.inverse[index] + w0 * l0 + w1 * l1 + w2 * l2
    firm = nodes.rigid[body + FIRM]
    if firm == 0.0:
        return yields
    a0, a1, a2 = firm_arm(nodes, found, point, body)
    return (1.0 - firm) * yields + body_inverse_mass(nodes, body, a0, a1, a2, n0, n1, n2)


@part
def push(nodes, found, kind, index, arm, point, body, j0, j1, j2, lasting):
    """An impulse (N s) at the point of contact. lasting: a load, which goes through the particles alone."""
    if kind == BY_OBSTACLE:
        return
    if kind == BY_BODY:
        push_body(nodes, body, found.rows[arm], found.rows[arm + 1], found.rows[arm + 2], j0, j1, j2)
        return
    u, firm = nodes.u, nodes.rigid[body + FIRM]
    if firm > 0.0 and not lasting:
        a0, a1, a2 = firm_arm(nodes, found, point, body)
        push_body(nodes, body, a0, a1, a2, j0, j1, j2)
        j0, j1, j2 = (1.0 - firm) * j0, (1.0 - firm) * j1, (1.0 - firm) * j2
    if kind == BY_PARTICLES:
        for k in range(arm, arm + 4):
            i = found.particles[k]
            s = found.weights[k] * nodes.inverse[i]
            u[4 * i] += s * j0
            u[4 * i + 1] += s * j1
            u[4 * i + 2] += s * j2
    else:
        a0, a1, a2 = found.rows[arm], found.rows[arm + 1], found.rows[arm + 2]
        w0, w1, w2 = particle_spin(nodes, index, a1 * j2 - a2 * j1, a2 * j0 - a0 * j2, a0 * j1 - a1 * j0)
        i, s = 4 * index, nodes.inverse[index]
        u[i] += s * j0
        u[i + 1] += s * j1
        u[i + 2] += s * j2
        nodes.angular[i] += w0
        nodes.angular[i + 1] += w1
        nodes.angular[i + 2] += w2
