"""Kernels of the sweeps over obstacles that brace particles of soft bodies while others push them (ground_kernels has
their rows, and holds firm bodies).

A line is the short form of a row: the particle and the number of its row; the normal; how far along it the particle has
to be; the mass that a push has to move; push, friction; coefficient of friction; what its place has to be added for the
slip."""

import math

import numpy as np

from pliant.runtime.jit import part
from pliant.world.contact.layout import (
    APART,
    CONTACT,
    DRAG,
    FIRM,
    MANNERS,
    NORMAL,
    ONE,
    OTHER,
    PUSH,
    RUB,
    STAY,
    YIELD,
)  # fmt: skip

LINE = 16
WHO, WHICH = 0, 1  # particle, row
ALONG = 2  # normal (3)
FAR = 5  # m: how far it has to be along the normal
HEAVY = 6  # kg
PRESS = 7  # kg m: push along the normal
GRIP = 8  # kg m: friction (3)
ROUGH = 11  # coefficient of friction
SINCE = 12  # m: slip less the place (3)


@part
def brace(manners, contacts, first, last, lines):
    """Lines of the obstacles that hold single particles. Returns how many."""
    held = 0
    for c in range(first, last):
        row = contacts[CONTACT * c : CONTACT * (c + 1)]
        if manners[MANNERS * np.int64(row[OTHER]) + FIRM] > 0.0:
            continue
        line = lines[LINE * held : LINE * (held + 1)]
        held += 1
        line[WHO], line[WHICH] = row[ONE], c
        line[FAR], line[HEAVY] = row[APART], 1.0 / row[YIELD]
        line[PRESS], line[ROUGH] = row[PUSH], row[RUB]
        for k in range(3):
            line[ALONG + k], line[GRIP + k], line[SINCE + k] = row[NORMAL + k], row[DRAG + k], -row[STAY + k]
    return held


@part
def sweep_braces(p, inverse, lines, held):
    """One sweep over lines of obstacles."""
    real = p.dtype.type
    for c in range(held):
        line = lines[LINE * c : LINE * (c + 1)]
        i = np.int64(line[WHO])
        f = 4 * i
        x0, x1, x2 = float(p[f]), float(p[f + 1]), float(p[f + 2])
        n0, n1, n2 = line[ALONG], line[ALONG + 1], line[ALONG + 2]
        heavy, old = line[HEAVY], line[PRESS]
        push = max(0.0, old + (line[FAR] - n0 * x0 - n1 * x1 - n2 * x2) * heavy)
        if push == 0.0 and old == 0.0:
            continue
        line[PRESS] = push
        more = push - old
        s0, s1, s2 = x0 + line[SINCE], x1 + line[SINCE + 1], x2 + line[SINCE + 2]
        along = s0 * n0 + s1 * n1 + s2 * n2
        g0, g1, g2 = line[GRIP], line[GRIP + 1], line[GRIP + 2]
        t0 = g0 - (s0 - along * n0) * heavy
        t1 = g1 - (s1 - along * n1) * heavy
        t2 = g2 - (s2 - along * n2) * heavy
        pull, grip = t0 * t0 + t1 * t1 + t2 * t2, line[ROUGH] * push
        if pull > grip * grip:
            share = grip / math.sqrt(pull)
            t0, t1, t2 = share * t0, share * t1, share * t2
        line[GRIP], line[GRIP + 1], line[GRIP + 2] = t0, t1, t2
        w = float(inverse[i])
        p[f] = real(x0 + w * (more * n0 + t0 - g0))
        p[f + 1] = real(x1 + w * (more * n1 + t1 - g1))
        p[f + 2] = real(x2 + w * (more * n2 + t2 - g2))


@part
def unbrace(contacts, lines, held):
    """Back from the lines to the rows."""
    for k in range(held):
        line = lines[LINE * k : LINE * (k + 1)]
        row = contacts[CONTACT * np.int64(line[WHICH]) : CONTACT * np.int64(line[WHICH] + 1)]
        row[PUSH], row[DRAG], row[DRAG + 1], row[DRAG + 2] = line[PRESS], line[GRIP], line[GRIP + 1], line[GRIP + 2]
