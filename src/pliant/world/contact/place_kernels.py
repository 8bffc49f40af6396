"""Kernels that place contact spheres on the particles they are tied to."""

import math

import numpy as np

from pliant.runtime.jit import inner, part
from pliant.world.contact.box_kernels import bound_actor
from pliant.world.contact.candidate_kernels import begin_journey, go_on
from pliant.world.contact.glance_kernels import glance
from pliant.world.contact.layout import (
    ACTIVE,
    ARM,
    BEGIN,
    BOUND,
    BOUNDS,
    BOX,
    BROAD,
    CASE,
    COUPLED,
    COVER,
    END,
    FIRM,
    GIVE,
    GLANCE,
    HULL,
    MANNERS,
    MARGIN,
    MOVES,
    OFFSET,
    OUT,
    PLACE,
    RADIUS,
    SHAPE,
    SINGLE,
    STILL,
    THERE,
    TRAITS,
)  # fmt: skip

U = np.uint64  # unsigned indices: Numba then leaves out the test for negative ones


@part
def tied(x, riders, shares, s):
    """Where the one or two particles are that a sphere is tied to."""
    f = 4 * np.int64(riders[2 * s])
    w = float(shares[2 * s])
    if w == 1.0:
        return float(x[f]), float(x[f + 1]), float(x[f + 2])
    g = 4 * np.int64(riders[2 * s + 1])
    u = float(shares[2 * s + 1])
    return w * x[f] + u * x[g], w * x[f + 1] + u * x[g + 1], w * x[f + 2] + u * x[g + 2]


@part
def outwards(p, roots, holds, s, e0, e1, e2):
    """From the point behind a sphere of a skin to its particle, at e."""
    for k in range(4):
        f = 4 * np.int64(roots[4 * s + k])
        w = float(holds[4 * s + k])
        e0 -= w * p[f]
        e1 -= w * p[f + 1]
        e2 -= w * p[f + 2]
    return e0, e1, e2


@inner
def place_hulls(
    x, p, inverse, hulls, riders, traits, spans, manners, actor, boxes, places, cases, glances, journeys, serial
):  # fmt: skip
    """As place_spheres, for an actor whose particles are ellipsoids: each is a sphere by itself, and has no skin. And
    the actor's box."""
    firm = manners[MANNERS * actor + FIRM]
    known = begin_journey(journeys, actor, serial)
    real = glances.dtype.type
    far, single = 1.0 + MARGIN, (HULL if firm == 0.0 else 0)
    l0 = l1 = l2 = a0 = a1 = a2 = 1e300
    h0 = h1 = h2 = z0 = z1 = z2 = -1e300
    for s in range(U(spans[actor]), U(spans[actor + 1])):
        i = U(riders[U(2) * s])
        f, hull, row, look, case = U(4) * i, U(6) * i, U(PLACE) * s, U(GLANCE) * s, U(CASE) * s
        e0, e1, e2 = float(p[f]), float(p[f + U(1)]), float(p[f + U(2)])
        b0, b1, b2 = float(x[f]), float(x[f + U(1)]), float(x[f + U(2)])
        give = inverse[i]
        places[row + U(GIVE)] = give
        places[row + U(STILL)], places[row + U(SINGLE)] = firm, single
        for k in range(U(3)):
            places[row + k], places[row + U(BEGIN) + k] = p[f + k], x[f + k]
            glances[look + k], glances[look + U(THERE) + k] = p[f + k] - x[k], x[f + k] - x[k]
        glances[look + U(MOVES)] = real(1) if give > 0.0 else real(0)
        glances[look + U(BROAD)], glances[look + U(BOUNDS)] = real(-1), traits[U(TRAITS) * s + U(BOUND)]
        for k in range(U(6)):
            glances[look + U(SHAPE) + k] = hulls[hull + k]
        w0 = 0.5 * abs(e0 - b0) + far * math.sqrt(hulls[hull])
        w1 = 0.5 * abs(e1 - b1) + far * math.sqrt(hulls[hull + U(1)])
        w2 = 0.5 * abs(e2 - b2) + far * math.sqrt(hulls[hull + U(2)])
        e0, e1, e2 = 0.5 * (e0 + b0), 0.5 * (e1 + b1), 0.5 * (e2 + b2)
        c0, c1, c2 = e0 - cases[case], e1 - cases[case + U(1)], e2 - cases[case + U(2)]
        v0, v1, v2 = abs(w0 - cases[case + U(3)]), abs(w1 - cases[case + U(4)]), abs(w2 - cases[case + U(5)])
        cases[case], cases[case + U(1)], cases[case + U(2)] = e0, e1, e2
        cases[case + U(3)], cases[case + U(4)], cases[case + U(5)] = w0, w1, w2
        a0, a1, a2 = min(a0, e0 - w0), min(a1, e1 - w1), min(a2, e2 - w2)
        z0, z1, z2 = max(z0, e0 + w0), max(z1, e1 + w1), max(z2, e2 + w2)
        l0, l1, l2 = min(l0, c0 - v0), min(l1, c1 - v1), min(l2, c2 - v2)
        h0, h1, h2 = max(h0, c0 + v0), max(h1, c1 + v1), max(h2, c2 + v2)
    b = BOX * actor
    boxes[b], boxes[b + 1], boxes[b + 2], boxes[b + 3], boxes[b + 4], boxes[b + 5] = a0, a1, a2, z0, z1, z2
    if known:
        go_on(journeys, actor, (l0, l1, l2), (h0, h1, h2))


@part
def place_spheres(
    x, p, inverse, riders, shares, roots, holds, traits, spans, manners, actor, places, cases, glances, journeys,
    serial,
):  # fmt: skip
    """Where the spheres of an actor are, before and after, and boxes round all that they may touch meanwhile. Those
    below a skin are turned as at the end in both, so that between the two lies the way of the particle, on which
    pushes act."""
    firm = manners[MANNERS * actor + FIRM]
    known = begin_journey(journeys, actor, serial)
    l0 = l1 = l2 = 1e300
    h0 = h1 = h2 = -1e300
    for s in range(np.int64(spans[actor]), np.int64(spans[actor + 1])):
        e0, e1, e2 = tied(p, riders, shares, s)
        b0, b1, b2 = tied(x, riders, shares, s)
        row = places[PLACE * s : PLACE * (s + 1)]
        row[GIVE] = inverse[np.int64(riders[2 * s])]
        w = float(shares[2 * s])
        if w != 1.0:
            u = float(shares[2 * s + 1])
            row[GIVE] = w * w * row[GIVE] + u * u * inverse[np.int64(riders[2 * s + 1])]
        arm = float(traits[TRAITS * s + ARM])
        o0 = o1 = o2 = 0.0
        if arm > 0.0:
            o0, o1, o2 = outwards(p, roots, holds, s, e0, e1, e2)
            length = math.sqrt(o0 * o0 + o1 * o1 + o2 * o2)
            if length > 1e-3 * arm:
                o0, o1, o2 = o0 / length, o1 / length, o2 / length
            else:
                o0 = o1 = o2 = arm = 0.0
        row[OUT], row[OUT + 1], row[OUT + 2] = o0, o1, o2
        f0, f1, f2 = -arm * o0, -arm * o1, -arm * o2
        row[OFFSET], row[OFFSET + 1], row[OFFSET + 2] = f0, f1, f2
        e0, e1, e2, b0, b1, b2 = e0 + f0, e1 + f1, e2 + f2, b0 + f0, b1 + f1, b2 + f2
        row[END], row[END + 1], row[END + 2] = e0, e1, e2
        row[BEGIN], row[BEGIN + 1], row[BEGIN + 2] = b0, b1, b2
        row[STILL], row[SINGLE] = firm, (1.0 if w == 1.0 and firm == 0.0 else 0.0)
        glance(x, glances, s, row, traits, arm)
        case = cases[CASE * s : CASE * (s + 1)]
        c0, c1, c2, w0, w1, w2 = case[0], case[1], case[2], case[3], case[4], case[5]
        case[0], case[1], case[2] = 0.5 * (e0 + b0), 0.5 * (e1 + b1), 0.5 * (e2 + b2)
        case[3], case[4], case[5] = 0.5 * abs(e0 - b0), 0.5 * abs(e1 - b1), 0.5 * abs(e2 - b2)
        r, cover = float(traits[TRAITS * s + RADIUS]), abs(float(traits[TRAITS * s + COVER]))
        widen(case, r, arm, cover, o0, o1, o2)
        c0, c1, c2 = case[0] - c0, case[1] - c1, case[2] - c2
        w0, w1, w2 = abs(case[3] - w0), abs(case[4] - w1), abs(case[5] - w2)
        l0, l1, l2 = min(l0, c0 - w0), min(l1, c1 - w1), min(l2, c2 - w2)
        h0, h1, h2 = max(h0, c0 + w0), max(h1, c1 + w1), max(h2, c2 + w2)
    if known:
        go_on(journeys, actor, (l0, l1, l2), (h0, h1, h2))


@part
def widen(case, r, arm, cover, o0, o1, o2):
    """Round a sphere, and the flat piece of the skin before it that it stands for."""
    for k in range(3):
        o = o0 if k == 0 else (o1 if k == 1 else o2)
        wide = cover * math.sqrt(max(0.0, 1.0 - o * o)) if arm > 0.0 else 0.0
        low, high = min(-r, arm * o - wide), max(r, arm * o + wide)
        case[k] += 0.5 * (high + low)
        case[3 + k] += 0.5 * (high - low) + 2.0 * ACTIVE * r


@inner
def place_actor(
    x, p, inverse, origins, hulls, riders, shares, roots, holds, traits, spans, manners, awake, boxes, fields, places,
    cases, glances, journeys, serial, actor,
):  # fmt: skip
    """The spheres of an actor, and its box as tight as can be; if it meets nobody, a box round its particles. One that
    sleeps stays where it is, whatever pushes: it has to be woken first."""
    asleep = awake[actor] == 0
    if fields[BOX * actor + COUPLED] == 0.0:
        if not asleep or boxes[BOX * actor] >= boxes[BOX * actor + 3]:
            bound_actor(x, p, origins, manners, actor, len(inverse), boxes)
        return
    end = x if asleep else p
    if traits[TRAITS * np.int64(spans[actor]) + RADIUS] < 0.0:
        place_hulls(
            x, end, inverse, hulls, riders, traits, spans, manners, actor, boxes, places, cases, glances, journeys,
            serial,
        )  # fmt: skip
    else:
        place_spheres(
            x, end, inverse, riders, shares, roots, holds, traits, spans, manners, actor, places, cases, glances,
            journeys, serial,
        )  # fmt: skip
        tighten(spans, cases, boxes, actor)
    if asleep:
        for s in range(np.int64(spans[actor]), np.int64(spans[actor + 1])):
            places[PLACE * s + GIVE] = 0.0
            places[PLACE * s + STILL], places[PLACE * s + SINGLE] = 1.0, 0.0
            glances[GLANCE * s + MOVES] = 0.0


@inner
def tighten(spans, cases, boxes, actor):
    """The box of an actor is the one round the boxes of its spheres."""
    l0 = l1 = l2 = 1e300
    h0 = h1 = h2 = -1e300
    for s in range(np.uint64(spans[actor]), np.uint64(spans[actor + 1])):
        at = np.uint64(CASE) * s
        c0, c1, c2 = cases[at], cases[at + np.uint64(1)], cases[at + np.uint64(2)]
        e0, e1, e2 = cases[at + np.uint64(3)], cases[at + np.uint64(4)], cases[at + np.uint64(5)]
        l0, l1, l2 = min(l0, c0 - e0), min(l1, c1 - e1), min(l2, c2 - e2)
        h0, h1, h2 = max(h0, c0 + e0), max(h1, c1 + e1), max(h2, c2 + e2)
    b = BOX * actor
    boxes[b], boxes[b + 1], boxes[b + 2], boxes[b + 3], boxes[b + 4], boxes[b + 5] = l0, l1, l2, h0, h1, h2
