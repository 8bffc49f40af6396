"""Kernels that find contacts: pairs of spheres that touch or nearly do, in the order of the couples of actors and of
the spheres' numbers. Who has to be looked at is listed (candidate_kernels)."""

import math

import numpy as np

from pliant.jit import part
from pliant.world.contact.candidate_kernels import head_list, margin_of, place_of, still_good
from pliant.world.contact.cell_kernels import box_at, find_pairs, reaches
from pliant.world.contact.deep_kernels import DEEP, untangle_all
from pliant.world.contact.glance_kernels import apart, sieve
from pliant.world.contact.lane_kernels import LANES, MEET, ROOM, SIZE, WAY, part_lanes, take_lane
from pliant.world.contact.lane_kernels import REACH as REACHED
from pliant.world.contact.layout import (
    APART,
    ARM,
    BEFORE,
    BEGIN,
    BOUNCE,
    BOUND,
    BROAD,
    CASE,
    CONTACT,
    COUNT,
    DEPTH,
    DRAG,
    END,
    FRICTION,
    GIVE,
    GLANCE,
    HEAD,
    HOLDS,
    MANNERS,
    MARGIN,
    NORMAL,
    ONE,
    OTHER,
    OTHERS_REACH,
    OTHERS_YIELD,
    PLACE,
    PUSH,
    REACH,
    RESTITUTION,
    RUB,
    START,
    TRAITS,
    TURN,
    YIELD,
)  # fmt: skip
from pliant.world.contact.pair_kernels import meeting
from pliant.world.layout import BOUNCE as MEMORY

U = np.uint64  # unsigned indices: Numba then leaves out the test for negative ones
NEIGHBOURS = 1.1  # of the sum of the bounds: spheres of one body that are nearer at rest never touch
RECOVER = 0.5  # 1/s: how fast those that are inside one another come out, in reaches
PART = 0.2  # of the overlap that is taken back in one sub-step, at most
SLOP = 0.002  # of the reach: overlap that is left alone, so that resting contacts do not come and go


@part
def list_pairs(cases, rests, traits, spans, boxes, a, b, margin, near, table, grid, pairs):
    """All pairs of two actors that may touch before they have moved against each other by the margin. Returns how many
    numbers there are in `pairs`, and whether there was no room for more."""
    count = find_pairs(cases, spans, boxes, a, b, margin, near, table, grid, pairs)
    full = count == len(pairs) - 2
    if a != b:
        return count, full
    kept = 0
    for k in range(0, count, 2):
        s, t = np.int64(pairs[k]), np.int64(pairs[k + 1])
        if t > s and not together(rests, traits, s, t):
            pairs[kept], pairs[kept + 1] = s, t
            kept += 2
    return kept, full


@part
def find_contacts(
    riders, traits, rests, owners, spans, manners, hulls, bounces, spins, boxes, places, cases, glances, couples,
    journeys, heads, lists, listed, new_heads, new_lists, near, table, grid, pairs, seen, contacts, h, row, end,
    room, full, first, last,
):  # fmt: skip
    """Rows of `contacts`, from `row` to `end`, for all pairs of the couples from first to last that touch or nearly do.
    Lists are taken over from the last sub-step where they are still good; the new ones stand between `room` and `full`,
    one behind the other, so that they can be looked through in one go. Returns how many contacts there are, and how
    many were left out."""
    found, lost, unseen = row, 0, room
    lanes = np.zeros(ROOM, np.float32)
    in_lanes = np.zeros(2 * LANES, np.uint32)
    actors = len(spans) - 1
    known = place_of(heads, listed, float(couples[2 + 2 * first] * actors + couples[3 + 2 * first]))
    for c in range(first, last):
        a, b = couples[2 + 2 * c], couples[3 + 2 * c]
        key = float(a * actors + b)
        while known < listed and heads[HEAD * known] < key:
            known += 1
        if known < listed and heads[HEAD * known] == key and still_good(heads, known, journeys, a, b):
            for k in range(HEAD):
                new_heads[HEAD * c + k] = heads[HEAD * known + k]
            begin, count = np.int64(heads[HEAD * known + START]), np.int64(heads[HEAD * known + COUNT])
            source, keep = lists, True
        else:
            margin = margin_of(manners, journeys, a, b)
            count, much = list_pairs(cases, rests, traits, spans, boxes, a, b, margin, near, table, grid, pairs)
            if much and margin > 0.0:
                margin = 0.0
                count, much = list_pairs(cases, rests, traits, spans, boxes, a, b, margin, near, table, grid, pairs)
            lost += much
            head_list(new_heads, c, key, count, margin, journeys, a, b)
            begin, source, keep = 0, pairs, margin > 0.0 and not much
        new_heads[HEAD * c + START] = room
        if keep and room + count <= full:
            for k in range(count):
                new_lists[room + k] = source[begin + k]
            room += count
            continue
        new_heads[HEAD * c + COUNT] = -1.0
        for turn in range(2):  # this one comes behind those that were listed before it
            found, lost = look_through(
                riders, traits, owners, manners, hulls, bounces, spins, places, cases, glances,
                new_lists if turn == 0 else source, unseen if turn == 0 else begin,
                room - unseen if turn == 0 else count, seen, lanes, in_lanes, contacts, h, found, lost, end,
            )  # fmt: skip
        unseen = room
    found, lost = look_through(
        riders, traits, owners, manners, hulls, bounces, spins, places, cases, glances, new_lists, unseen,
        room - unseen, seen, lanes, in_lanes, contacts, h, found, lost, end,
    )  # fmt: skip
    untangle_all(owners, contacts, row, found)
    return found - row, lost


@part
def look_through(
    riders, traits, owners, manners, hulls, bounces, spins, places, cases, glances, lists, begin, count, seen, lanes,
    in_lanes, contacts, h, found, lost, end,
):  # fmt: skip
    """Rows for those pairs of a list that touch or nearly do. Ellipsoids are looked at eight at a time."""
    for chunk in range(begin, begin + count, len(seen)):
        some = sieve(glances, lists, chunk, min(len(seen), begin + count - chunk), seen)
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
                    found, lost = note_down(
                        riders, traits, owners, manners, bounces, spins, places, in_lanes[2 * lane],
                        in_lanes[2 * lane + 1], float(lanes[WAY + lane]), float(lanes[WAY + LANES + lane]),
                        float(lanes[WAY + 2 * LANES + lane]), scale * lanes[REACHED + lane],
                        scale * lanes[REACHED + LANES + lane], contacts, h, found, lost, end,
                    )  # fmt: skip
                filled = 0
            if not round_ones and not apart(glances, s, t) and boxes_meet(cases, s, t):
                n0, n1, n2, ra, rb = meeting(places, traits, hulls, riders, s, t)
                found, lost = note_down(
                    riders, traits, owners, manners, bounces, spins, places, s, t, n0, n1, n2, ra, rb, contacts,
                    h, found, lost, end,
                )  # fmt: skip
    return found, lost


@part
def together(rests, traits, a, b):
    """Whether two spheres of one body touch at rest."""
    d0, d1, d2 = rests[4 * a] - rests[4 * b], rests[4 * a + 1] - rests[4 * b + 1], rests[4 * a + 2] - rests[4 * b + 2]
    near = NEIGHBOURS * (traits[TRAITS * a + BOUND] + traits[TRAITS * b + BOUND])
    return d0 * d0 + d1 * d1 + d2 * d2 < near * near


@part
def boxes_meet(cases, s, t):
    """Whether the boxes of two spheres meet."""
    return reaches(cases, U(CASE) * U(s), box_at(cases, U(CASE) * U(t)), 0.0)


@part
def note_down(
    riders, traits, owners, manners, bounces, spins, places, a, b, n0, n1, n2, ra, rb, contacts, h, found, lost,
    end,
):  # fmt: skip
    """One pair that parts along n, with the reach of each: fills the next row, if the two touch or nearly do. Returns
    how many contacts there are now, and how many were left out."""
    if ra == 0.0 and rb == 0.0:
        return found, lost
    one, two = places[PLACE * a : PLACE * (a + 1)], places[PLACE * b : PLACE * (b + 1)]
    now = n0 * (one[END] - two[END]) + n1 * (one[END + 1] - two[END + 1]) + n2 * (one[END + 2] - two[END + 2]) - ra - rb
    if now > MARGIN * (ra + rb):
        return found, lost
    if found == end:
        return found, lost + 1
    before = (
        n0 * (one[BEGIN] - two[BEGIN]) + n1 * (one[BEGIN + 1] - two[BEGIN + 1]) + n2 * (one[BEGIN + 2] - two[BEGIN + 2])
        - ra - rb
    )  # fmt: skip
    row = contacts[CONTACT * found : CONTACT * (found + 1)]
    row[ONE], row[OTHER] = a, b
    row[NORMAL], row[NORMAL + 1], row[NORMAL + 2] = n0, n1, n2
    row[APART] = ra + rb + min(0.0, before + min(RECOVER * h * (ra + rb), PART * max(0.0, -before - SLOP * (ra + rb))))
    row[YIELD], row[OTHERS_YIELD] = one[GIVE], two[GIVE]
    row[PUSH] = row[DRAG] = row[DRAG + 1] = row[DRAG + 2] = row[HOLDS] = 0.0
    row[BEFORE], row[DEPTH] = before, -now
    row[REACH], row[OTHERS_REACH] = ra, rb
    i, j = MANNERS * np.int64(owners[a]), MANNERS * np.int64(owners[b])
    row[RUB] = math.sqrt(manners[i + FRICTION] * manners[j + FRICTION]) if before > -DEEP * (ra + rb) else 0.0
    row[BOUNCE] = max(manners[i + RESTITUTION], manners[j + RESTITUTION])
    # The skin at the point of contact turns with its body: that is part of the slip. (What rides on a particle of the
    # skin slips as that does.)
    ra, rb = (ra if traits[TRAITS * a + ARM] == 0 else 0.0), (rb if traits[TRAITS * b + ARM] == 0 else 0.0)
    w0, w1, w2 = spin_of(riders, owners, bounces, spins, a)
    u0, u1, u2 = spin_of(riders, owners, bounces, spins, b)
    s0, s1, s2 = -h * (ra * w0 + rb * u0), -h * (ra * w1 + rb * u1), -h * (ra * w2 + rb * u2)
    row[TURN], row[TURN + 1], row[TURN + 2] = s1 * n2 - s2 * n1, s2 * n0 - s0 * n2, s0 * n1 - s1 * n0
    return found + 1, lost


@part
def spin_of(riders, owners, bounces, spins, s):
    """Angular velocity of a sphere: that of its body, or its own where it is a body by itself."""
    f = 4 * np.int64(riders[2 * s])
    if len(spins) > 0 and spins[f + 3] > 0:
        return float(spins[f]), float(spins[f + 1]), float(spins[f + 2])
    at = MEMORY * np.int64(owners[s]) + 13
    return bounces[at], bounces[at + 1], bounces[at + 2]
