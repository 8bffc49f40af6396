# mypy: disallow-untyped-defs=False, check-untyped-defs=False
"""Pairs of ellipsoids, eight at a time: the direction that parts them (see separation_kernels), in processor lanes.

Each number of a pair stands in a row of eight, one for each pair, and all is done for eight at once, without branches.
What is in the other lanes makes no difference to a pair: not a bit of its answer depends on its company. Pairs are told
in parts of their own size, so that single precision is enough whatever that is."""

import math

import numpy as np

from pliant.runtime.jit import inline, inner, part
from pliant.world.contact.layout import CANDIDATE_RANGE, CONTACT_LANES, CULL_ROW, CULL_SHAPE, CULL_START
from pliant.world.contact.separation_kernels import AXIS_ROUNDS, SAME_AXIS

U = np.uint64  # unsigned indices: Numba then leaves out the test for negative ones
# The rows: first of all how the centre of the one is away from that of the other (3), then
FIRST_HULL, SECOND_HULL = 3 * CONTACT_LANES, 9 * CONTACT_LANES  # their hulls (6)
CENTRE_LINE = 15 * CONTACT_LANES  # unit vector of the line of the centres (3)
BEST_AXIS = 18 * CONTACT_LANES  # the direction that parts them best so far (3)
BEST_REACH = 21 * CONTACT_LANES  # how far both go along it (2), and
BEST_GAP = 23 * CONTACT_LANES  # how far apart they are along it
TRIED = 24 * CONTACT_LANES  # the same of the last one that was tried (6)
CONVERGED = 30 * CONTACT_LANES  # 1: nothing better will be found
PAIR_SIZE = 31 * CONTACT_LANES  # m: what all of these are parts of
BOXES_MEET = 32 * CONTACT_LANES  # 0: along some axis of the world they are apart
LANE_ROOM = 33 * CONTACT_LANES


@inner
def take_lane(cull_rows, a, b, lanes, k):
    """A pair of ellipsoids into lane k."""
    i, j = U(CULL_ROW) * U(a), U(CULL_ROW) * U(b)
    lane = U(k)
    d0, d1, d2 = (
        cull_rows[i] - cull_rows[j],
        cull_rows[i + U(1)] - cull_rows[j + U(1)],
        cull_rows[i + U(2)] - cull_rows[j + U(2)],
    )
    t, u = i + U(CULL_START), j + U(CULL_START)
    b0, b1, b2 = (
        cull_rows[t] - cull_rows[u],
        cull_rows[t + U(1)] - cull_rows[u + U(1)],
        cull_rows[t + U(2)] - cull_rows[u + U(2)],
    )
    real = lanes.dtype.type
    if d0 * b0 + d1 * b1 + d2 * b2 < real(0.5) * (b0 * b0 + b1 * b1 + b2 * b2):
        d0, d1, d2 = b0, b1, b2  # so fast that they would pass: they meet as they stood before
    square = d0 * d0 + d1 * d1 + d2 * d2
    if square < real(1e-18):  # on one spot: any direction is as good, but it has to be the same each time
        turn = 2.399963 * ((a * 7 + b) % 1024)
        d0, d1, d2 = real(1e-9 * math.cos(turn)), real(5e-10), real(1e-9 * math.sin(turn))
        square = d0 * d0 + d1 * d1 + d2 * d2
    i, j = i + U(CULL_SHAPE), j + U(CULL_SHAPE)
    for m in range(U(3)):
        square += cull_rows[i + m] + cull_rows[j + m]
    size = math.sqrt(square)
    scale = real(1) / size
    lanes[lane], lanes[U(CONTACT_LANES) + lane], lanes[U(2 * CONTACT_LANES) + lane] = scale * d0, scale * d1, scale * d2
    lanes[U(PAIR_SIZE) + lane] = size
    scale *= scale
    for m in range(U(6)):
        lanes[U(FIRST_HULL) + U(CONTACT_LANES) * m + lane] = scale * cull_rows[i + m]
        lanes[U(SECOND_HULL) + U(CONTACT_LANES) * m + lane] = scale * cull_rows[j + m]


@inline
def reach_in(lanes, at, k, n0, n1, n2):
    """r(n) of the ellipsoid in a lane."""
    square = (
        lanes[at + k] * n0 * n0 + lanes[at + CONTACT_LANES + k] * n1 * n1 + lanes[at + 2 * CONTACT_LANES + k] * n2 * n2
    )
    cross = lanes[at + 3 * CONTACT_LANES + k] * n0 * n1 + lanes[at + 4 * CONTACT_LANES + k] * n0 * n2
    cross += lanes[at + 5 * CONTACT_LANES + k] * n1 * n2
    square += cross + cross
    return math.sqrt(square if square > square - square else square - square)


@part
def begin_lanes(lanes):
    """The search begins with the lines of the centres."""
    real = lanes.dtype.type
    near = real(0.998 * (1.0 + CANDIDATE_RANGE))
    for k in range(CONTACT_LANES):
        d0, d1, d2 = lanes[k], lanes[CONTACT_LANES + k], lanes[2 * CONTACT_LANES + k]
        away = math.sqrt(d0 * d0 + d1 * d1 + d2 * d2)
        n0, n1, n2 = d0 / away, d1 / away, d2 / away
        ra, rb = reach_in(lanes, FIRST_HULL, k, n0, n1, n2), reach_in(lanes, SECOND_HULL, k, n0, n1, n2)
        gap = away - ra - rb
        lanes[CENTRE_LINE + k], lanes[CENTRE_LINE + CONTACT_LANES + k], lanes[CENTRE_LINE + 2 * CONTACT_LANES + k] = (
            n0,
            n1,
            n2,
        )
        lanes[BEST_AXIS + k], lanes[BEST_AXIS + CONTACT_LANES + k], lanes[BEST_AXIS + 2 * CONTACT_LANES + k] = (
            n0,
            n1,
            n2,
        )
        lanes[TRIED + k], lanes[TRIED + CONTACT_LANES + k], lanes[TRIED + 2 * CONTACT_LANES + k] = n0, n1, n2
        lanes[BEST_REACH + k], lanes[BEST_REACH + CONTACT_LANES + k], lanes[BEST_GAP + k] = ra, rb, gap
        (
            lanes[TRIED + 3 * CONTACT_LANES + k],
            lanes[TRIED + 4 * CONTACT_LANES + k],
            lanes[TRIED + 5 * CONTACT_LANES + k],
        ) = ra, rb, gap
        lanes[CONVERGED + k] = real(0)
        # As their boxes (place_kernels): so no pair is missing in a list that would be let through here
        x = near * (math.sqrt(lanes[FIRST_HULL + k]) + math.sqrt(lanes[SECOND_HULL + k]))
        y = near * (
            math.sqrt(lanes[FIRST_HULL + CONTACT_LANES + k]) + math.sqrt(lanes[SECOND_HULL + CONTACT_LANES + k])
        )
        z = near * (
            math.sqrt(lanes[FIRST_HULL + 2 * CONTACT_LANES + k]) + math.sqrt(lanes[SECOND_HULL + 2 * CONTACT_LANES + k])
        )
        meet = (abs(d0) < x) & (abs(d1) < y) & (abs(d2) < z)
        lanes[BOXES_MEET + k] = real(1) if meet else real(0)


@part
def go_on_in_lanes(lanes):
    """One round of the search:  (H_1 / r_1 + H_2 / r_2 + g) n = d ."""
    real = lanes.dtype.type
    zero, one, tiny, same = real(0), real(1), real(1e-9), real(SAME_AXIS)
    for k in range(CONTACT_LANES):
        sa, sb, gap = (
            lanes[TRIED + 3 * CONTACT_LANES + k],
            lanes[TRIED + 4 * CONTACT_LANES + k],
            lanes[TRIED + 5 * CONTACT_LANES + k],
        )
        v, w = one / (sa if sa > tiny else tiny), one / (sb if sb > tiny else tiny)
        free = (gap if gap > zero else zero) + tiny
        m0 = v * lanes[FIRST_HULL + k] + w * lanes[SECOND_HULL + k] + free
        m1 = v * lanes[FIRST_HULL + CONTACT_LANES + k] + w * lanes[SECOND_HULL + CONTACT_LANES + k] + free
        m2 = v * lanes[FIRST_HULL + 2 * CONTACT_LANES + k] + w * lanes[SECOND_HULL + 2 * CONTACT_LANES + k] + free
        m3 = v * lanes[FIRST_HULL + 3 * CONTACT_LANES + k] + w * lanes[SECOND_HULL + 3 * CONTACT_LANES + k]
        m4 = v * lanes[FIRST_HULL + 4 * CONTACT_LANES + k] + w * lanes[SECOND_HULL + 4 * CONTACT_LANES + k]
        m5 = v * lanes[FIRST_HULL + 5 * CONTACT_LANES + k] + w * lanes[SECOND_HULL + 5 * CONTACT_LANES + k]
        e0, e1, e2 = (
            lanes[CENTRE_LINE + k],
            lanes[CENTRE_LINE + CONTACT_LANES + k],
            lanes[CENTRE_LINE + 2 * CONTACT_LANES + k],
        )
        c01, c02, c12 = m4 * m5 - m3 * m2, m3 * m5 - m4 * m1, m3 * m4 - m0 * m5
        t0 = (m1 * m2 - m5 * m5) * e0 + c01 * e1 + c02 * e2
        t1 = c01 * e0 + (m0 * m2 - m4 * m4) * e1 + c12 * e2
        t2 = c02 * e0 + c12 * e1 + (m0 * m1 - m3 * m3) * e2
        length = one / math.sqrt(t0 * t0 + t1 * t1 + t2 * t2)  # where that is no number nothing below is better
        t0, t1, t2 = t0 * length, t1 * length, t2 * length
        alike = (
            lanes[TRIED + k] * t0 + lanes[TRIED + CONTACT_LANES + k] * t1 + lanes[TRIED + 2 * CONTACT_LANES + k] * t2
        )
        sa, sb = reach_in(lanes, FIRST_HULL, k, t0, t1, t2), reach_in(lanes, SECOND_HULL, k, t0, t1, t2)
        gap = t0 * lanes[k] + t1 * lanes[CONTACT_LANES + k] + t2 * lanes[2 * CONTACT_LANES + k] - sa - sb
        lanes[TRIED + k], lanes[TRIED + CONTACT_LANES + k], lanes[TRIED + 2 * CONTACT_LANES + k] = t0, t1, t2
        (
            lanes[TRIED + 3 * CONTACT_LANES + k],
            lanes[TRIED + 4 * CONTACT_LANES + k],
            lanes[TRIED + 5 * CONTACT_LANES + k],
        ) = sa, sb, gap
        done = lanes[CONVERGED + k]
        better = (gap > lanes[BEST_GAP + k]) & (done == zero)
        lanes[BEST_AXIS + k] = t0 if better else lanes[BEST_AXIS + k]
        lanes[BEST_AXIS + CONTACT_LANES + k] = t1 if better else lanes[BEST_AXIS + CONTACT_LANES + k]
        lanes[BEST_AXIS + 2 * CONTACT_LANES + k] = t2 if better else lanes[BEST_AXIS + 2 * CONTACT_LANES + k]
        lanes[BEST_REACH + k] = sa if better else lanes[BEST_REACH + k]
        lanes[BEST_REACH + CONTACT_LANES + k] = sb if better else lanes[BEST_REACH + CONTACT_LANES + k]
        lanes[BEST_GAP + k] = gap if better else lanes[BEST_GAP + k]
        lanes[CONVERGED + k] = one if alike > same else done


@inner
def part_lanes(lanes):
    """The directions in which the two of each lane are farthest apart, and both reaches along them."""
    begin_lanes(lanes)
    for _round in range(AXIS_ROUNDS):
        go_on_in_lanes(lanes)
