"""Kernels that look closely at pairs of spheres which may touch: what is seen of a pair is a sight."""

import numpy as np

from pliant.runtime.jit import inner, part
from pliant.world.contact.cell_kernels import box_at, reaches
from pliant.world.contact.glance_kernels import apart
from pliant.world.contact.lane_kernels import LANES, MEET, SIZE, WAY, part_lanes, take_lane
from pliant.world.contact.lane_kernels import REACH as REACHED
from pliant.world.contact.layout import BROAD, CASE, END, GLANCE, MARGIN, PLACE, SIGHT
from pliant.world.contact.pair_kernels import meeting

U = np.uint64  # unsigned indices: Numba then leaves out the test for negative ones


@part
def look_through(
    riders, traits, hulls, places, cases, glances, seen, some, lanes, in_lanes, looked, at, lost, end
):  # fmt: skip
    """Sights of those pairs that touch or nearly do, of some that a glance did not rule out, from `at` to `end`.
    Ellipsoids are looked at eight at a time. Returns where they end, and how many were left out."""
    filled = 0
    for k in range(0, some, 2):
        s, t = np.int64(seen[k]), np.int64(seen[k + 1])
        round_ones = glances[GLANCE * s + BROAD] < 0.0 and glances[GLANCE * t + BROAD] < 0.0
        if round_ones:
            take_lane(glances, s, t, lanes, filled)
            in_lanes[2 * filled], in_lanes[2 * filled + 1] = s, t
            filled += 1
        if filled == LANES or (filled > 0 and (k + 2 == some or not round_ones)):
            part_lanes(lanes)
            for lane in range(filled):
                if lanes[MEET + lane] == 0.0:
                    continue
                scale = float(lanes[SIZE + lane])
                at, lost = keep_in_sight(
                    places, in_lanes[2 * lane], in_lanes[2 * lane + 1], float(lanes[WAY + lane]),
                    float(lanes[WAY + LANES + lane]), float(lanes[WAY + 2 * LANES + lane]),
                    scale * lanes[REACHED + lane], scale * lanes[REACHED + LANES + lane], looked, at, lost, end,
                )  # fmt: skip
            filled = 0
        if not round_ones and not apart(glances, s, t) and boxes_meet(cases, s, t):
            n0, n1, n2, ra, rb = meeting(places, traits, hulls, riders, s, t)
            at, lost = keep_in_sight(places, s, t, n0, n1, n2, ra, rb, looked, at, lost, end)
    return at, lost


@inner
def boxes_meet(cases, s, t):
    """Whether the boxes of two spheres meet."""
    return reaches(cases, U(CASE) * U(s), box_at(cases, U(CASE) * U(t)), 0.0)


@inner
def keep_in_sight(places, a, b, n0, n1, n2, ra, rb, looked, at, lost, end):
    """A pair that parts along n, with the reach of each: kept if the two touch or nearly do. Returns how many sights
    there are now, and how many were left out."""
    if ra == 0.0 and rb == 0.0:
        return at, lost
    i, j = U(PLACE) * U(a) + U(END), U(PLACE) * U(b) + U(END)
    now = n0 * (places[i] - places[j]) + n1 * (places[i + U(1)] - places[j + U(1)])
    now += n2 * (places[i + U(2)] - places[j + U(2)])
    if now > (1.0 + MARGIN) * (ra + rb):
        return at, lost
    if at == end:
        return at, lost + 1
    sight = looked[SIGHT * at : SIGHT * (at + 1)]
    sight[0], sight[1], sight[2], sight[3], sight[4], sight[5], sight[6] = a, b, n0, n1, n2, ra, rb
    return at + 1, lost
