"""Kernels that place contact spheres on the particles they are tied to."""

import math

import numpy as np

from pliant.jit import part
from pliant.world.contact.layout import (
    ARM,
    BEGIN,
    END,
    FIRM,
    GIVE,
    LOOKED,
    MANNERS,
    MET,
    OFFSET,
    OUT,
    PLACE,
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
def place_spheres(x, p, inverse, riders, shares, roots, holds, traits, spans, manners, actor, places):
    """Where the spheres of an actor are, before and after. Those below a skin are turned as at the end in both, so
    that between the two lies the way of the particle, on which pushes act."""
    firm = manners[MANNERS * actor + FIRM]
    for s in range(np.int64(spans[actor]), np.int64(spans[actor + 1])):
        at = PLACE * s
        e0, e1, e2 = tied(p, riders, shares, s)
        b0, b1, b2 = tied(x, riders, shares, s)
        arm = float(traits[TRAITS * s + ARM])
        o0 = o1 = o2 = 0.0
        if arm > 0.0:
            o0, o1, o2 = e0, e1, e2
            for k in range(4):
                f = 4 * np.int64(roots[4 * s + k])
                w = float(holds[4 * s + k])
                o0 -= w * p[f]
                o1 -= w * p[f + 1]
                o2 -= w * p[f + 2]
            length = math.sqrt(o0 * o0 + o1 * o1 + o2 * o2)
            if length > 1e-3 * arm:
                o0, o1, o2 = o0 / length, o1 / length, o2 / length
            else:
                o0 = o1 = o2 = arm = 0.0
        places[at + OUT], places[at + OUT + 1], places[at + OUT + 2] = o0, o1, o2
        o0, o1, o2 = -arm * o0, -arm * o1, -arm * o2
        places[at + OFFSET], places[at + OFFSET + 1], places[at + OFFSET + 2] = o0, o1, o2
        places[at + END], places[at + END + 1], places[at + END + 2] = e0 + o0, e1 + o1, e2 + o2
        places[at + BEGIN], places[at + BEGIN + 1], places[at + BEGIN + 2] = b0 + o0, b1 + o1, b2 + o2
        w, u = float(shares[2 * s]), float(shares[2 * s + 1])
        places[at + GIVE] = w * w * inverse[np.int64(riders[2 * s])] + u * u * inverse[np.int64(riders[2 * s + 1])]
        places[at + MET] = 0.0
        places[at + STILL] = firm
        places[at + LOOKED] = 0.0
