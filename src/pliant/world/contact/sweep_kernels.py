"""Kernels of the sweeps that part bodies, and their short form of a contact.

Most contacts are between two particles of soft bodies: then all that a sweep needs of one fits in a short line of
numbers that lie together, and a sweep is a walk along those lines. What rides on two particles, or on a firm body, is
done the long way (push_kernels), behind them in each sweep; so are the rows of obstacles (ground_kernels) that hold
firm bodies.

A line: the two particles, or the particle and the number of its row where an obstacle holds it; the normal; how far
apart they have to be along it; the mass that a push has to move; push, friction; coefficient of friction; what the
difference of the two places has to be added for the slip; whether friction holds."""

import math

import numpy as np

from pliant.jit import part
from pliant.world.contact.layout import (
    APART,
    BEGIN,
    CONTACT,
    DRAG,
    FIRM,
    HOLDS,
    MANNERS,
    NORMAL,
    OFFSET,
    ONE,
    OTHER,
    OTHERS_YIELD,
    PLACE,
    PUSH,
    RUB,
    STIFF,
    STILL,
    TURN,
    YIELD,
)  # fmt: skip
from pliant.world.contact.memory_kernels import recollect
from pliant.world.contact.push_kernels import weigh_contact

LINE = 16
FIRST, SECOND = 0, 1  # particles
ALONG = 2  # normal (3)
FAR = 5  # m: how far they have to be apart along the normal
HEAVY = 6  # kg: the mass that a push moves
PRESS = 7  # kg m: push along the normal
GRIP = 8  # kg m: friction (3)
ROUGH = 11  # coefficient of friction
SINCE = 12  # m: slip less the difference of the places (3)
STICKS = 15  # 1: friction holds it


@part
def both_light(riders, shares, places, row):
    """Whether both spheres of a contact ride on one particle each, and pushes move just these."""
    a, b = np.int64(row[ONE]), np.int64(row[OTHER])
    return (
        shares[2 * a] == 1.0 and shares[2 * b] == 1.0
        and places[PLACE * a + STILL] == 0.0 and places[PLACE * b + STILL] == 0.0
    )  # fmt: skip


@part
def take_push(line, row):
    """What line and row have in common."""
    for k in range(3):
        line[ALONG + k], line[GRIP + k] = row[NORMAL + k], row[DRAG + k]
    line[PRESS], line[ROUGH], line[STICKS] = row[PUSH], row[RUB], row[HOLDS]


@part
def take_up(p, inverse, riders, shares, owners, manners, places, motion, contacts, count, memory, lines, long, h):
    """How much both sides of each contact yield, and pushes as they were in the last sub-step. Then its line, or its
    number in `long` if it has none. Returns how many of each."""
    real = p.dtype.type
    light = heavy = 0
    for c in range(count):
        row = contacts[CONTACT * c : CONTACT * (c + 1)]
        if not both_light(riders, shares, places, row):
            weigh_contact(p, inverse, riders, shares, owners, manners, places, motion, row, memory, h)
            if row[STIFF] != 0.0:
                long[heavy] = c
                heavy += 1
            continue
        a, b = np.int64(row[ONE]), np.int64(row[OTHER])
        both = row[YIELD] + row[OTHERS_YIELD]
        row[STIFF] = 1.0 / both if both > 0.0 else 0.0
        if both == 0.0:
            continue
        line = lines[LINE * light : LINE * (light + 1)]
        light += 1
        i, j = np.int64(riders[2 * a]), np.int64(riders[2 * b])
        if recollect(memory, row, h):
            v, w = float(inverse[i]), float(inverse[j])
            for k in range(3):
                push = row[PUSH] * row[NORMAL + k] + row[DRAG + k]
                p[4 * i + k] = real(p[4 * i + k] + v * push)
                p[4 * j + k] = real(p[4 * j + k] - w * push)
        take_push(line, row)
        line[FIRST], line[SECOND] = i, j
        line[FAR], line[HEAVY] = row[APART], row[STIFF]
        for k in range(3):
            gap = places[PLACE * a + OFFSET + k] - places[PLACE * b + OFFSET + k]
            line[FAR] -= row[NORMAL + k] * gap
            line[SINCE + k] = gap - places[PLACE * a + BEGIN + k] + places[PLACE * b + BEGIN + k] + row[TURN + k]
    return light, heavy


@part
def take_up_ground(manners, contacts, count, total, lines, light):
    """Lines of the obstacles, behind those of the contacts. Returns how many."""
    held = 0
    for c in range(count, total):
        row = contacts[CONTACT * c : CONTACT * (c + 1)]
        if manners[MANNERS * np.int64(row[OTHER]) + FIRM] > 0.0:
            continue
        line = lines[LINE * (light + held) : LINE * (light + held + 1)]
        held += 1
        take_push(line, row)
        line[FIRST], line[SECOND] = row[ONE], c
        line[FAR], line[HEAVY] = row[APART], 1.0 / row[YIELD]
        for k in range(3):
            line[SINCE + k] = -row[TURN + k]
    return held


@part
def press(line, d0, d1, d2):
    """One contact, whose places are d apart: its push and friction change. Returns by how much (3)."""
    n0, n1, n2 = line[ALONG], line[ALONG + 1], line[ALONG + 2]
    heavy, old = line[HEAVY], line[PRESS]
    push = max(0.0, old + (line[FAR] - n0 * d0 - n1 * d1 - n2 * d2) * heavy)
    if push == 0.0 and old == 0.0:
        return 0.0, 0.0, 0.0
    line[PRESS] = push
    more = push - old
    s0, s1, s2 = d0 + line[SINCE], d1 + line[SINCE + 1], d2 + line[SINCE + 2]
    along = s0 * n0 + s1 * n1 + s2 * n2
    g0, g1, g2 = line[GRIP], line[GRIP + 1], line[GRIP + 2]
    t0 = g0 - (s0 - along * n0) * heavy
    t1 = g1 - (s1 - along * n1) * heavy
    t2 = g2 - (s2 - along * n2) * heavy
    pull, grip = t0 * t0 + t1 * t1 + t2 * t2, line[ROUGH] * push
    line[STICKS] = 1.0
    if pull > grip * grip:
        line[STICKS] = 0.0
        share = grip / math.sqrt(pull)
        t0, t1, t2 = share * t0, share * t1, share * t2
    line[GRIP], line[GRIP + 1], line[GRIP + 2] = t0, t1, t2
    return more * n0 + t0 - g0, more * n1 + t1 - g1, more * n2 + t2 - g2


@part
def sweep_contacts(p, inverse, lines, first, last):
    """One sweep over lines of contacts. Returns the square of the largest change of a place, in metres."""
    real = p.dtype.type
    most = 0.0
    for c in range(first, last):
        line = lines[LINE * c : LINE * (c + 1)]
        i, j = np.int64(line[FIRST]), np.int64(line[SECOND])
        f, g = 4 * i, 4 * j
        x0, x1, x2 = float(p[f]), float(p[f + 1]), float(p[f + 2])
        y0, y1, y2 = float(p[g]), float(p[g + 1]), float(p[g + 2])
        d0, d1, d2 = press(line, x0 - y0, x1 - y1, x2 - y2)
        if d0 == 0.0 and d1 == 0.0 and d2 == 0.0:
            continue
        v, w = float(inverse[i]), float(inverse[j])
        p[f], p[f + 1], p[f + 2] = real(x0 + v * d0), real(x1 + v * d1), real(x2 + v * d2)
        p[g], p[g + 1], p[g + 2] = real(y0 - w * d0), real(y1 - w * d1), real(y2 - w * d2)
        most = max(most, (d0 * d0 + d1 * d1 + d2 * d2) * (v + w) * (v + w))
    return most


@part
def sweep_ground(p, inverse, lines, first, last):
    """One sweep over lines of obstacles."""
    real = p.dtype.type
    for c in range(first, last):
        line = lines[LINE * c : LINE * (c + 1)]
        i = np.int64(line[FIRST])
        f = 4 * i
        x0, x1, x2 = float(p[f]), float(p[f + 1]), float(p[f + 2])
        d0, d1, d2 = press(line, x0, x1, x2)
        w = float(inverse[i])
        p[f], p[f + 1], p[f + 2] = real(x0 + w * d0), real(x1 + w * d1), real(x2 + w * d2)


@part
def lengthen(riders, shares, places, contacts, count, lines, light, held):
    """Back from the lines to the rows."""
    at = 0
    for c in range(count):
        row = contacts[CONTACT * c : CONTACT * (c + 1)]
        if row[STIFF] != 0.0 and both_light(riders, shares, places, row):
            give_back(row, lines[LINE * at : LINE * (at + 1)])
            at += 1
    for k in range(light, light + held):
        line = lines[LINE * k : LINE * (k + 1)]
        c = np.int64(line[SECOND])
        give_back(contacts[CONTACT * c : CONTACT * (c + 1)], line)


@part
def give_back(row, line):
    row[PUSH], row[DRAG], row[DRAG + 1], row[DRAG + 2] = line[PRESS], line[GRIP], line[GRIP + 1], line[GRIP + 2]
    row[HOLDS] = line[STICKS]
