"""Kernels that place contact spheres on the particles they are tied to."""

import math

import numpy as np

from pliant.jit import part
from pliant.world.contact.candidate_kernels import begin_journey, go_on
from pliant.world.contact.glance_kernels import glance
from pliant.world.contact.layout import (
    ARM,
    BEGIN,
    CASE,
    COVER,
    END,
    FIRM,
    GIVE,
    MANNERS,
    MARGIN,
    OFFSET,
    OUT,
    PLACE,
    RADIUS,
    STILL,
    TRAITS,
)  # fmt: skip


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


@part
def place_spheres(
    x, p, inverse, hulls, riders, shares, roots, holds, traits, spans, manners, actor, places, cases, glances,
    journeys, serial,
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
        row[STILL] = firm
        glance(x, glances, s, row, traits, hulls, riders, arm)
        case = cases[CASE * s : CASE * (s + 1)]
        c0, c1, c2, w0, w1, w2 = case[0], case[1], case[2], case[3], case[4], case[5]
        case[0], case[1], case[2] = 0.5 * (e0 + b0), 0.5 * (e1 + b1), 0.5 * (e2 + b2)
        case[3], case[4], case[5] = 0.5 * abs(e0 - b0), 0.5 * abs(e1 - b1), 0.5 * abs(e2 - b2)
        r = float(traits[TRAITS * s + RADIUS])
        if r < 0.0:
            i = 6 * np.int64(riders[2 * s])
            for k in range(3):
                case[3 + k] += (1.0 + MARGIN) * math.sqrt(hulls[i + k])
        else:
            widen(case, r, arm, abs(float(traits[TRAITS * s + COVER])), o0, o1, o2)
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
        case[3 + k] += 0.5 * (high - low) + 2.0 * MARGIN * r
