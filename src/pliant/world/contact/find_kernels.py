"""Kernels that find contacts: pairs of spheres that touch or nearly do, in the order of the couples of actors and of
the spheres' numbers. Who has to be looked at is listed (candidate_kernels)."""

import math

import numpy as np

from pliant.jit import part
from pliant.world.contact.candidate_kernels import boxes_meet, head_list, margin_of, place_of, still_good
from pliant.world.contact.cell_kernels import find_pairs
from pliant.world.contact.deep_kernels import DEEP, is_deep, untangle
from pliant.world.contact.glance_kernels import apart, sieve
from pliant.world.contact.layout import (
    APART,
    ARM,
    BEFORE,
    BEGIN,
    BOUNCE,
    BOUND,
    CONTACT,
    COUNT,
    DEPTH,
    DRAG,
    END,
    FRICTION,
    GIVE,
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
    Lists are taken over from the last sub-step where they are still good; the new ones stand between `room` and `full`.
    Returns how many contacts there are, and how many were left out."""
    found, lost = row, 0
    actors = len(spans) - 1
    known = place_of(heads, listed, float(couples[2 + 2 * first] * actors + couples[3 + 2 * first]))
    for c in range(first, last):
        a, b = couples[2 + 2 * c], couples[3 + 2 * c]
        key = float(a * actors + b)
        while known < listed and heads[HEAD * known] < key:
            known += 1
        begin, kept = room, True
        if known < listed and heads[HEAD * known] == key and still_good(heads, known, journeys, a, b):
            for k in range(HEAD):
                new_heads[HEAD * c + k] = heads[HEAD * known + k]
            old, count = np.int64(heads[HEAD * known + START]), np.int64(heads[HEAD * known + COUNT])
            kept = room + count <= full
            source = new_lists if kept else lists
            if kept:
                for k in range(count):
                    new_lists[room + k] = lists[old + k]
            else:
                begin = old
        else:
            margin = margin_of(manners, journeys, a, b)
            count, much = list_pairs(cases, rests, traits, spans, boxes, a, b, margin, near, table, grid, pairs)
            lost += much
            head_list(new_heads, c, key, count, margin, journeys, a, b)
            kept = margin > 0.0 and room + count <= full and not much
            source = new_lists if kept else pairs
            if kept:
                for k in range(count):
                    new_lists[room + k] = pairs[k]
            else:
                begin = 0
        new_heads[HEAD * c + START] = room
        if kept:
            room += count
        else:
            new_heads[HEAD * c + COUNT] = -1.0
        fresh, tangled = found, False
        count = sieve(glances, source, begin, count, seen)
        for k in range(0, count, 2):
            s, t = np.int64(seen[k]), np.int64(seen[k + 1])
            if apart(glances, s, t) or not boxes_meet(cases, s, t):
                continue
            if found == end:
                lost += 1
            elif touch(riders, traits, owners, manners, hulls, bounces, spins, places, s, t, contacts, found, h):
                tangled |= is_deep(contacts[CONTACT * found : CONTACT * (found + 1)])
                found += 1
        if tangled and a != b:
            untangle(contacts, fresh, found)
    return found - row, lost


@part
def together(rests, traits, a, b):
    """Whether two spheres of one body touch at rest."""
    d0, d1, d2 = rests[4 * a] - rests[4 * b], rests[4 * a + 1] - rests[4 * b + 1], rests[4 * a + 2] - rests[4 * b + 2]
    near = NEIGHBOURS * (traits[TRAITS * a + BOUND] + traits[TRAITS * b + BOUND])
    return d0 * d0 + d1 * d1 + d2 * d2 < near * near


@part
def touch(riders, traits, owners, manners, hulls, bounces, spins, places, a, b, contacts, which, h):
    """One pair: fills the row of a contact, if there is one."""
    n0, n1, n2, ra, rb = meeting(places, traits, hulls, riders, a, b)
    if ra == 0.0 and rb == 0.0:
        return False
    one, two = places[PLACE * a : PLACE * (a + 1)], places[PLACE * b : PLACE * (b + 1)]
    end = n0 * (one[END] - two[END]) + n1 * (one[END + 1] - two[END + 1]) + n2 * (one[END + 2] - two[END + 2]) - ra - rb
    if end > MARGIN * (ra + rb):
        return False
    before = (
        n0 * (one[BEGIN] - two[BEGIN]) + n1 * (one[BEGIN + 1] - two[BEGIN + 1]) + n2 * (one[BEGIN + 2] - two[BEGIN + 2])
        - ra - rb
    )  # fmt: skip
    row = contacts[CONTACT * which : CONTACT * (which + 1)]
    row[ONE], row[OTHER] = a, b
    row[NORMAL], row[NORMAL + 1], row[NORMAL + 2] = n0, n1, n2
    row[APART] = ra + rb + min(0.0, before + min(RECOVER * h * (ra + rb), PART * max(0.0, -before - SLOP * (ra + rb))))
    row[YIELD], row[OTHERS_YIELD] = one[GIVE], two[GIVE]
    row[PUSH] = row[DRAG] = row[DRAG + 1] = row[DRAG + 2] = row[HOLDS] = 0.0
    row[BEFORE], row[DEPTH] = before, -end
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
    return True


@part
def spin_of(riders, owners, bounces, spins, s):
    """Angular velocity of a sphere: that of its body, or its own where it is a body by itself."""
    f = 4 * np.int64(riders[2 * s])
    if len(spins) > 0 and spins[f + 3] > 0:
        return float(spins[f]), float(spins[f + 1]), float(spins[f + 2])
    at = MEMORY * np.int64(owners[s]) + 13
    return bounces[at], bounces[at + 1], bounces[at + 2]
