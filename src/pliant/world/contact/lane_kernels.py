"""Pairs of ellipsoids, eight at a time: the direction that parts them (see pair_kernels), in the lanes of a processor.

Each number of a pair stands in a row of eight, one for each pair, and all is done for eight at once, without branches.
What is in the other lanes makes no difference to a pair: not a bit of its answer depends on its company. Pairs are told
in parts of their own size, so that single precision is enough whatever that is."""

import math

import numpy as np

from pliant.runtime.jit import inline, inner, part
from pliant.world.contact.layout import GLANCE, MARGIN, SHAPE, THERE
from pliant.world.contact.pair_kernels import ROUNDS, SAME

U = np.uint64  # unsigned indices: Numba then leaves out the test for negative ones
LANES = 8
# The rows: first of all how the centre of the one is away from that of the other (3), then
FIRST, SECOND = 3 * LANES, 9 * LANES  # their hulls (6)
LINE = 15 * LANES  # unit vector of the line of the centres (3)
WAY = 18 * LANES  # the direction that parts them best so far (3)
REACH = 21 * LANES  # how far both go along it (2), and
GAP = 23 * LANES  # how far apart they are along it
TRY = 24 * LANES  # the same of the last one that was tried (6)
DONE = 30 * LANES  # 1: nothing better will be found
SIZE = 31 * LANES  # m: what all of these are parts of
MEET = 32 * LANES  # 0: along some axis of the world they are apart
ROOM = 33 * LANES


@inner
def take_lane(glances, a, b, lanes, k):
    """A pair of ellipsoids into lane k."""
    i, j = U(GLANCE) * U(a), U(GLANCE) * U(b)
    lane = U(k)
    d0, d1, d2 = glances[i] - glances[j], glances[i + U(1)] - glances[j + U(1)], glances[i + U(2)] - glances[j + U(2)]
    t, u = i + U(THERE), j + U(THERE)
    b0, b1, b2 = glances[t] - glances[u], glances[t + U(1)] - glances[u + U(1)], glances[t + U(2)] - glances[u + U(2)]
    real = lanes.dtype.type
    if d0 * b0 + d1 * b1 + d2 * b2 < real(0.5) * (b0 * b0 + b1 * b1 + b2 * b2):
        d0, d1, d2 = b0, b1, b2  # so fast that they would pass: they meet as they stood before
    square = d0 * d0 + d1 * d1 + d2 * d2
    if square < real(1e-18):  # on one spot: any direction is as good, but it has to be the same each time
        turn = 2.399963 * ((a * 7 + b) % 1024)
        d0, d1, d2 = real(1e-9 * math.cos(turn)), real(5e-10), real(1e-9 * math.sin(turn))
        square = d0 * d0 + d1 * d1 + d2 * d2
    i, j = i + U(SHAPE), j + U(SHAPE)
    for m in range(U(3)):
        square += glances[i + m] + glances[j + m]
    size = math.sqrt(square)
    scale = real(1) / size
    lanes[lane], lanes[U(LANES) + lane], lanes[U(2 * LANES) + lane] = scale * d0, scale * d1, scale * d2
    lanes[U(SIZE) + lane] = size
    scale *= scale
    for m in range(U(6)):
        lanes[U(FIRST) + U(LANES) * m + lane] = scale * glances[i + m]
        lanes[U(SECOND) + U(LANES) * m + lane] = scale * glances[j + m]


@inline
def reach_in(lanes, at, k, n0, n1, n2):
    """r(n) of the ellipsoid in a lane."""
    square = lanes[at + k] * n0 * n0 + lanes[at + LANES + k] * n1 * n1 + lanes[at + 2 * LANES + k] * n2 * n2
    cross = lanes[at + 3 * LANES + k] * n0 * n1 + lanes[at + 4 * LANES + k] * n0 * n2
    cross += lanes[at + 5 * LANES + k] * n1 * n2
    square += cross + cross
    return math.sqrt(square if square > square - square else square - square)


@part
def begin_lanes(lanes):
    """The search begins with the lines of the centres."""
    real = lanes.dtype.type
    near = real(0.998 * (1.0 + MARGIN))
    for k in range(LANES):
        d0, d1, d2 = lanes[k], lanes[LANES + k], lanes[2 * LANES + k]
        away = math.sqrt(d0 * d0 + d1 * d1 + d2 * d2)
        n0, n1, n2 = d0 / away, d1 / away, d2 / away
        ra, rb = reach_in(lanes, FIRST, k, n0, n1, n2), reach_in(lanes, SECOND, k, n0, n1, n2)
        gap = away - ra - rb
        lanes[LINE + k], lanes[LINE + LANES + k], lanes[LINE + 2 * LANES + k] = n0, n1, n2
        lanes[WAY + k], lanes[WAY + LANES + k], lanes[WAY + 2 * LANES + k] = n0, n1, n2
        lanes[TRY + k], lanes[TRY + LANES + k], lanes[TRY + 2 * LANES + k] = n0, n1, n2
        lanes[REACH + k], lanes[REACH + LANES + k], lanes[GAP + k] = ra, rb, gap
        lanes[TRY + 3 * LANES + k], lanes[TRY + 4 * LANES + k], lanes[TRY + 5 * LANES + k] = ra, rb, gap
        lanes[DONE + k] = real(0)
        # As their boxes (place_kernels): so nobody is missing in a list who would be let through here
        x = near * (math.sqrt(lanes[FIRST + k]) + math.sqrt(lanes[SECOND + k]))
        y = near * (math.sqrt(lanes[FIRST + LANES + k]) + math.sqrt(lanes[SECOND + LANES + k]))
        z = near * (math.sqrt(lanes[FIRST + 2 * LANES + k]) + math.sqrt(lanes[SECOND + 2 * LANES + k]))
        meet = (abs(d0) < x) & (abs(d1) < y) & (abs(d2) < z)
        lanes[MEET + k] = real(1) if meet else real(0)


@part
def go_on_in_lanes(lanes):
    """One round of the search:  (H_1 / r_1 + H_2 / r_2 + g) n = d ."""
    real = lanes.dtype.type
    zero, one, tiny, same = real(0), real(1), real(1e-9), real(SAME)
    for k in range(LANES):
        sa, sb, gap = lanes[TRY + 3 * LANES + k], lanes[TRY + 4 * LANES + k], lanes[TRY + 5 * LANES + k]
        v, w = one / (sa if sa > tiny else tiny), one / (sb if sb > tiny else tiny)
        free = (gap if gap > zero else zero) + tiny
        m0 = v * lanes[FIRST + k] + w * lanes[SECOND + k] + free
        m1 = v * lanes[FIRST + LANES + k] + w * lanes[SECOND + LANES + k] + free
        m2 = v * lanes[FIRST + 2 * LANES + k] + w * lanes[SECOND + 2 * LANES + k] + free
        m3 = v * lanes[FIRST + 3 * LANES + k] + w * lanes[SECOND + 3 * LANES + k]
        m4 = v * lanes[FIRST + 4 * LANES + k] + w * lanes[SECOND + 4 * LANES + k]
        m5 = v * lanes[FIRST + 5 * LANES + k] + w * lanes[SECOND + 5 * LANES + k]
        e0, e1, e2 = lanes[LINE + k], lanes[LINE + LANES + k], lanes[LINE + 2 * LANES + k]
        c01, c02, c12 = m4 * m5 - m3 * m2, m3 * m5 - m4 * m1, m3 * m4 - m0 * m5
        t0 = (m1 * m2 - m5 * m5) * e0 + c01 * e1 + c02 * e2
        t1 = c01 * e0 + (m0 * m2 - m4 * m4) * e1 + c12 * e2
        t2 = c02 * e0 + c12 * e1 + (m0 * m1 - m3 * m3) * e2
        length = one / math.sqrt(t0 * t0 + t1 * t1 + t2 * t2)  # where that is no number nothing below is better
        t0, t1, t2 = t0 * length, t1 * length, t2 * length
        alike = lanes[TRY + k] * t0 + lanes[TRY + LANES + k] * t1 + lanes[TRY + 2 * LANES + k] * t2
        sa, sb = reach_in(lanes, FIRST, k, t0, t1, t2), reach_in(lanes, SECOND, k, t0, t1, t2)
        gap = t0 * lanes[k] + t1 * lanes[LANES + k] + t2 * lanes[2 * LANES + k] - sa - sb
        lanes[TRY + k], lanes[TRY + LANES + k], lanes[TRY + 2 * LANES + k] = t0, t1, t2
        lanes[TRY + 3 * LANES + k], lanes[TRY + 4 * LANES + k], lanes[TRY + 5 * LANES + k] = sa, sb, gap
        done = lanes[DONE + k]
        better = (gap > lanes[GAP + k]) & (done == zero)
        lanes[WAY + k] = t0 if better else lanes[WAY + k]
        lanes[WAY + LANES + k] = t1 if better else lanes[WAY + LANES + k]
        lanes[WAY + 2 * LANES + k] = t2 if better else lanes[WAY + 2 * LANES + k]
        lanes[REACH + k] = sa if better else lanes[REACH + k]
        lanes[REACH + LANES + k] = sb if better else lanes[REACH + LANES + k]
        lanes[GAP + k] = gap if better else lanes[GAP + k]
        lanes[DONE + k] = one if alike > same else done


@inner
def part_lanes(lanes):
    """The directions in which the two of each lane are farthest apart, and both reaches along them."""
    begin_lanes(lanes)
    for _round in range(ROUNDS):
        go_on_in_lanes(lanes)
