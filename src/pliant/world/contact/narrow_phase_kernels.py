# mypy: disallow-untyped-defs=False, check-untyped-defs=False
"""The narrow phase: of the pairs of spheres that were not culled, those that touch or nearly do become candidates."""

import numpy as np

from pliant.runtime.jit import inner, part
from pliant.world.contact.cell_kernels import box_at, reaches
from pliant.world.contact.cull_kernels import surely_apart
from pliant.world.contact.lane_kernels import (
    BEST_AXIS,
    BEST_REACH,
    BOXES_MEET,
    CONTACT_LANES,
    PAIR_SIZE,
    part_lanes,
    take_lane,
)
from pliant.world.contact.layout import (
    CANDIDATE,
    CANDIDATE_RANGE,
    CULL_RADIUS,
    CULL_ROW,
    END_CENTRE,
    PROXY_BOX,
    PROXY_PLACE,
)
from pliant.world.contact.separation_kernels import separation

U = np.uint64  # unsigned indices: Numba then leaves out the test for negative ones


@part
def narrow_phase(
    attachments, proxies, hulls, places, proxy_boxes, cull_rows, survivors, some, lanes, in_lanes, new_candidates, at,
    lost, end
):  # fmt: skip
    """Candidates: those pairs that touch or nearly do, of some that were not culled, from `at` to `end`. Ellipsoids are
    done eight at a time. Returns where they end, and how many were left out."""
    filled = 0
    for k in range(0, some, 2):
        s, t = np.int64(survivors[k]), np.int64(survivors[k + 1])
        round_ones = cull_rows[CULL_ROW * s + CULL_RADIUS] < 0.0 and cull_rows[CULL_ROW * t + CULL_RADIUS] < 0.0
        if round_ones:
            take_lane(cull_rows, s, t, lanes, filled)
            in_lanes[2 * filled], in_lanes[2 * filled + 1] = s, t
            filled += 1
        if filled == CONTACT_LANES or (filled > 0 and (k + 2 == some or not round_ones)):
            part_lanes(lanes)
            for lane in range(filled):
                if lanes[BOXES_MEET + lane] == 0.0:
                    continue
                scale = float(lanes[PAIR_SIZE + lane])
                at, lost = keep_candidate(
                    places, in_lanes[2 * lane], in_lanes[2 * lane + 1], float(lanes[BEST_AXIS + lane]),
                    float(lanes[BEST_AXIS + CONTACT_LANES + lane]), float(lanes[BEST_AXIS + 2 * CONTACT_LANES + lane]),
                    scale * lanes[BEST_REACH + lane], scale * lanes[BEST_REACH + CONTACT_LANES + lane], new_candidates,
                    at, lost, end,
                )  # fmt: skip
            filled = 0
        if not round_ones and not surely_apart(cull_rows, s, t) and boxes_meet(proxy_boxes, s, t):
            n0, n1, n2, ra, rb = separation(places, proxies, hulls, attachments, s, t)
            at, lost = keep_candidate(places, s, t, n0, n1, n2, ra, rb, new_candidates, at, lost, end)
    return at, lost


@inner
def boxes_meet(proxy_boxes, s, t):
    """Whether the boxes of two spheres meet."""
    return reaches(proxy_boxes, U(PROXY_BOX) * U(s), box_at(proxy_boxes, U(PROXY_BOX) * U(t)), 0.0)


@inner
def keep_candidate(places, a, b, n0, n1, n2, ra, rb, new_candidates, at, lost, end):
    """A pair that parts along n, with the reach of each: kept if the two touch or nearly do. Returns how many
    candidates there are now, and how many were left out."""
    if ra == 0.0 and rb == 0.0:
        return at, lost
    i, j = U(PROXY_PLACE) * U(a) + U(END_CENTRE), U(PROXY_PLACE) * U(b) + U(END_CENTRE)
    now = n0 * (places[i] - places[j]) + n1 * (places[i + U(1)] - places[j + U(1)])
    now += n2 * (places[i + U(2)] - places[j + U(2)])
    if now > (1.0 + CANDIDATE_RANGE) * (ra + rb):
        return at, lost
    if at == end:
        return at, lost + 1
    sight = new_candidates[CANDIDATE * at : CANDIDATE * (at + 1)]
    sight[0], sight[1], sight[2], sight[3], sight[4], sight[5], sight[6] = a, b, n0, n1, n2, ra, rb
    return at + 1, lost
