# mypy: disallow-untyped-defs=False, check-untyped-defs=False
"""How much of a push a body of particles takes as a whole.

A model that is stiff takes back, in the next sub-step, most of what a contact did to a few particles: it brings all the
others along. The response to an impulse is (M + h^2 K)^-1, not M^-1. Two parts of it are enough: with the firmness f of
the body, between 0 (particles that do not know of one another) and 1 (a rigid body),

    W = (1 - f) W_particles + f W_rigid

Both keep momentum and angular momentum. Only what changes in a sub-step acts so. A load that lasts goes through the
particles alone, or a body would carry its weight without yielding to it. The rigid part is summed up in the node of
the body and given to its particles before they move (`give`)."""

from pliant.collision.frames import centre_of_mass
from pliant.collision.layout import BODY, BODY_END, BODY_FIRST, KIND, TURNING
from pliant.dynamics.layout import ANGULAR, BODY_NODE, FIRM, INERTIA, INVERSE_INERTIA, INVERSE_MASS, PIVOT, VELOCITY
from pliant.dynamics.rigid_nodes import add_inertia, invert
from pliant.runtime.jit import part


@part
def firm_node(shapes, nodes, body, firm):
    """The node of a body of particles where they are; pinned ones have none."""
    node = nodes.rigid[BODY_NODE * body : BODY_NODE * (body + 1)]
    node[FIRM] = 0.0
    if firm == 0.0:
        return
    first, last = shapes.bodies[BODY * body + BODY_FIRST], shapes.bodies[BODY * body + BODY_END]
    for i in range(first, last):
        if nodes.inverse[i] == 0.0:
            return
    total, c0, c1, c2 = centre_of_mass(nodes, first, last)
    inertia, inverse = node[INERTIA : INERTIA + 9], node[INVERSE_INERTIA : INVERSE_INERTIA + 9]
    inertia[:] = 0.0
    for i in range(first, last):
        add_inertia(
            inertia, float(nodes.masses[i]), nodes.x[4 * i] - c0, nodes.x[4 * i + 1] - c1, nodes.x[4 * i + 2] - c2
        )
    invert(inertia, inverse)
    for k in range(9):
        inverse[k] *= firm
    node[PIVOT], node[PIVOT + 1], node[PIVOT + 2] = c0, c1, c2
    for k in range(3):
        node[VELOCITY + k] = node[ANGULAR + k] = 0.0
    node[INVERSE_MASS], node[FIRM] = firm / total, firm


@part
def give(shapes, nodes, body):
    """What the node has gathered, to the particles."""
    node = nodes.rigid[BODY_NODE * body : BODY_NODE * (body + 1)]
    if node[FIRM] == 0.0:
        return
    turning = shapes.bodies[BODY * body + KIND] == TURNING
    v0, v1, v2 = node[VELOCITY], node[VELOCITY + 1], node[VELOCITY + 2]
    w0, w1, w2 = node[ANGULAR], node[ANGULAR + 1], node[ANGULAR + 2]
    for i in range(shapes.bodies[BODY * body + BODY_FIRST], shapes.bodies[BODY * body + BODY_END]):
        f = 4 * i
        r0, r1, r2 = nodes.x[f] - node[PIVOT], nodes.x[f + 1] - node[PIVOT + 1], nodes.x[f + 2] - node[PIVOT + 2]
        nodes.u[f] += v0 + w1 * r2 - w2 * r1
        nodes.u[f + 1] += v1 + w2 * r0 - w0 * r2
        nodes.u[f + 2] += v2 + w0 * r1 - w1 * r0
        if turning:
            nodes.angular[f] += w0
            nodes.angular[f + 1] += w1
            nodes.angular[f + 2] += w2
    for k in range(3):
        node[VELOCITY + k] = node[ANGULAR + k] = 0.0
    node[FIRM] = 0.0
