# mypy: disallow-untyped-defs=False, check-untyped-defs=False
"""From particles to lanes and back: moments of a block of clusters, and the way of its particles to their goals."""

import numpy as np

from pliant.models.clusters.layout import CHUNK, LANES
from pliant.runtime.jit import part
from pliant.runtime.vectors import fill8, load8, store

U = np.uint64


@part
def gather(x, firsts, members, table, begin, count, columns, lanes, turn, places):
    """How far some particles of each lane are from the turned rest shape, (x - o) - R (q - q_o), o the first member:
    rows 3 j + i of lanes. R is that of the last step; what is small keeps its digits, and a body at rest its place."""
    stride = 2 * columns + 4
    for lane in range(lanes):
        first = U(firsts[lane])
        origin = first + U(members[0])
        o0 = x[origin]
        o1 = x[origin + U(1)]
        o2 = x[origin + U(2)]
        at = U(lane)
        for j in range(count):
            i = first + U(members[begin + j])
            places[at] = x[i] - o0
            places[at + U(LANES)] = x[i + U(1)] - o1
            places[at + U(2 * LANES)] = x[i + U(2)] - o2
            at += U(3 * LANES)
    for lane in range(0, lanes, 8):
        r0 = load8(turn, lane)
        r1 = load8(turn, lane + LANES)
        r2 = load8(turn, lane + 2 * LANES)
        r3 = load8(turn, lane + 3 * LANES)
        r4 = load8(turn, lane + 4 * LANES)
        r5 = load8(turn, lane + 5 * LANES)
        r6 = load8(turn, lane + 6 * LANES)
        r7 = load8(turn, lane + 7 * LANES)
        r8 = load8(turn, lane + 8 * LANES)
        for j in range(count):
            row = (begin + j) * stride + 2 * columns + 1
            q0 = fill8(table[row])
            q1 = fill8(table[row + 1])
            q2 = fill8(table[row + 2])
            to = 3 * j * LANES + lane
            store(places, to, load8(places, to) - (r0 * q0 + r1 * q1 + r2 * q2))
            to += LANES
            store(places, to, load8(places, to) - (r3 * q0 + r4 * q1 + r5 * q2))
            to += LANES
            store(places, to, load8(places, to) - (r6 * q0 + r7 * q1 + r8 * q2))


@part
def add_moments(table, begin, count, columns, lanes, places, moments):
    """(1) A~_b = sum m phi_b x, two columns at a time in eight lanes; the last column is the centre."""
    stride = 2 * columns + 4
    for f in range(0, columns, 2):
        for lane in range(0, lanes, 8):
            at = 3 * f * LANES + lane
            a0 = load8(moments, at)
            a1 = load8(moments, at + LANES)
            a2 = load8(moments, at + 2 * LANES)
            b0 = load8(moments, at + 3 * LANES)
            b1 = load8(moments, at + 4 * LANES)
            b2 = load8(moments, at + 5 * LANES)
            for j in range(count):
                row = (begin + j) * stride + f
                u = fill8(table[row])
                v = fill8(table[row + 1])
                p0 = load8(places, 3 * j * LANES + lane)
                p1 = load8(places, (3 * j + 1) * LANES + lane)
                p2 = load8(places, (3 * j + 2) * LANES + lane)
                a0 = a0 + u * p0
                a1 = a1 + u * p1
                a2 = a2 + u * p2
                b0 = b0 + v * p0
                b1 = b1 + v * p1
                b2 = b2 + v * p2
            store(moments, at, a0)
            store(moments, at + LANES, a1)
            store(moments, at + 2 * LANES, a2)
            store(moments, at + 3 * LANES, b0)
            store(moments, at + 4 * LANES, b1)
            store(moments, at + 5 * LANES, b2)


@part
def measure(x, firsts, members, table, particles, columns, lanes, turn, places, moments):
    """The moments of a block, about the turned rest shape."""
    zero = moments.dtype.type(0)
    for j in range(3 * columns * LANES):
        moments[j] = zero
    for begin in range(0, particles, CHUNK):
        count = min(CHUNK, particles - begin)
        gather(x, firsts, members, table, begin, count, columns, lanes, turn, places)
        add_moments(table, begin, count, columns, lanes, places, moments)


@part
def to_goals(table, begin, count, columns, lanes, transforms, alpha, places):
    """How far particles go: alpha share (g - x), g = sum_b T_b phi_b + c, in place of their places; all three about
    the turned rest shape."""
    stride = 2 * columns + 4
    for lane in range(0, lanes, 8):
        part_of = load8(alpha, lane)
        for j in range(count):
            row = (begin + j) * stride + columns
            at = 3 * j * LANES + lane
            g0 = load8(transforms, 3 * (columns - 1) * LANES + lane) - load8(places, at)
            g1 = load8(transforms, (3 * columns - 2) * LANES + lane) - load8(places, at + LANES)
            g2 = load8(transforms, (3 * columns - 1) * LANES + lane) - load8(places, at + 2 * LANES)
            for f in range(columns - 1):
                u = fill8(table[row + f])
                to = 3 * f * LANES + lane
                g0 = g0 + u * load8(transforms, to)
                g1 = g1 + u * load8(transforms, to + LANES)
                g2 = g2 + u * load8(transforms, to + 2 * LANES)
            way = part_of * fill8(table[row + columns])
            store(places, at, way * g0)
            store(places, at + LANES, way * g1)
            store(places, at + 2 * LANES, way * g2)


@part
def advance(x, p, firsts, members, table, particles, columns, used, turn, transforms, alpha, places):
    """(goals) p += alpha (g - x), of each cluster of a particle its share."""
    lanes = (used + 7) // 8 * 8
    for begin in range(0, particles, CHUNK):
        count = min(CHUNK, particles - begin)
        gather(x, firsts, members, table, begin, count, columns, lanes, turn, places)
        to_goals(table, begin, count, columns, lanes, transforms, alpha, places)
        for lane in range(used):
            first = U(firsts[lane])
            at = U(lane)
            for j in range(count):
                i = first + U(members[begin + j])
                p[i] += places[at]
                p[i + U(1)] += places[at + U(LANES)]
                p[i + U(2)] += places[at + U(2 * LANES)]
                at += U(3 * LANES)
