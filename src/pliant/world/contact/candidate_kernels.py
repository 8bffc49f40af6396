"""Kernels that remember who is near whom.

Pairs of spheres whose boxes are a little apart are listed too, so the list of two actors stays good until they have
moved against each other by that margin. How far is known without looking at pairs: each actor keeps a journey, the sum
of how far its boxes went in each sub-step (the middle of the least and the farthest way of any side of a box, along
each axis) and of how much any side deviated from that. Two actors have moved against each other by no more than the
difference of the ways of both and the sum of their deviations.

A list only says who has to be looked at, and is in the order of the spheres' numbers; so contacts and their order do
not depend on when it was made."""

import numpy as np

from pliant.runtime.jit import inner, part
from pliant.world.contact.layout import (
    COUNT,
    HEAD,
    JOURNEY,
    LATELY,
    LISTED,
    LOOKED,
    MANNERS,
    ROUND,
    SEEN,
    SLACK,
    START,
    THICK,
    WATCH,
    WAYS,
    WHEN,
)  # fmt: skip

U = np.uint64  # unsigned indices: Numba then leaves out the test for negative ones
SPARE = 0.5  # of the thickness of the spheres: how much farther than they reach a list looks
LASTING = 2.0  # sub-steps: a list that would not be good for so long is not worth its length


@inner
def margin_of(manners, journeys, a, b):
    """How far apart the boxes of two spheres may be that are listed; 0 if the actors move too fast for that."""
    margin = SPARE * min(manners[MANNERS * a + THICK], manners[MANNERS * b + THICK])
    i, j = JOURNEY * a + LATELY, JOURNEY * b + LATELY
    for k in range(3):
        way = abs(journeys[i + k] - journeys[j + k]) + journeys[i + 3 + k] + journeys[j + 3 + k]
        if LASTING * way > margin:
            return 0.0
    return margin


@inner
def begin_journey(journeys, actor, serial):
    """Whether the actor's boxes are known from the last sub-step; if not, all lists with it are void."""
    j = JOURNEY * actor
    known = journeys[j + SEEN] == serial - 1.0
    if not known:
        journeys[j + ROUND] = serial
    journeys[j + SEEN] = serial
    return known


@inner
def go_on(journeys, actor, least, most):
    """The sides of the actor's boxes went so far along each axis, at least and at most."""
    j = JOURNEY * actor
    for k in range(3):
        way, wide = 0.5 * (least[k] + most[k]), 0.5 * (most[k] - least[k])
        journeys[j + LATELY + k], journeys[j + LATELY + 3 + k] = way, wide
        journeys[j + WAYS + k] += way
        journeys[j + WAYS + 3 + k] += wide


@inner
def still_good(h, journeys, a, b):
    """Whether the list of two actors holds all pairs that may touch. h: the head of their list."""
    i, j = JOURNEY * a, JOURNEY * b
    if h[COUNT] < 0.0 or h[ROUND] != journeys[i + ROUND] or h[ROUND + 1] != journeys[j + ROUND]:
        return False
    for axis in range(3):
        way = journeys[i + WAYS + axis] - journeys[j + WAYS + axis] - h[LISTED + axis]
        wide = journeys[i + WAYS + 3 + axis] + journeys[j + WAYS + 3 + axis] - h[LISTED + 3 + axis]
        if abs(way) + wide > h[SLACK]:
            return False
    return True


@inner
def head_list(h, count, margin, journeys, a, b):
    """Note how long the list of two actors is, and when it was made."""
    i, j = JOURNEY * a, JOURNEY * b
    h[COUNT], h[SLACK] = count, margin
    h[ROUND], h[ROUND + 1] = journeys[i + ROUND], journeys[j + ROUND]
    for axis in range(3):
        h[LISTED + axis] = journeys[i + WAYS + axis] - journeys[j + WAYS + axis]
        h[LISTED + 3 + axis] = journeys[i + WAYS + 3 + axis] + journeys[j + WAYS + 3 + axis]


@inner
def look_now(h, journeys, a, b, serial):
    """Note when two actors were looked at."""
    h[WHEN] = serial
    i, j = JOURNEY * a + WAYS, JOURNEY * b + WAYS
    for axis in range(3):
        h[LOOKED + axis] = journeys[i + axis] - journeys[j + axis]
        h[LOOKED + 3 + axis] = journeys[i + 3 + axis] + journeys[j + 3 + axis]


@inner
def still_in_sight(h, manners, journeys, a, b, since):
    """Whether nobody of two actors can have come into contact who was not in sight when they were looked at last, which
    must not be before a sub-step."""
    i, j = JOURNEY * a, JOURNEY * b
    if h[WHEN] < since or h[ROUND] != journeys[i + ROUND] or h[ROUND + 1] != journeys[j + ROUND]:
        return False
    most = manners[MANNERS * a + WATCH] + manners[MANNERS * b + WATCH]
    if manners[MANNERS * a + WATCH] == 0.0 or manners[MANNERS * b + WATCH] == 0.0:
        return False
    for axis in range(3):
        way = journeys[i + WAYS + axis] - journeys[j + WAYS + axis] - h[LOOKED + axis]
        wide = journeys[i + WAYS + 3 + axis] + journeys[j + WAYS + 3 + axis] - h[LOOKED + 3 + axis]
        if abs(way) + wide > most:
            return False
    return True


@part
def carry_over(couples, actors, journeys, heads, lists, listed, new_heads, new_lists, pack):
    """Heads for new couples; what was known of them is taken over. Both are in order. Lists stay where they are; or, to
    pack them, those that are still good are brought together in `new_lists`. Returns where they end there."""
    room, known = 0, U(0)
    for c in range(U(couples[0])):
        a, b = couples[U(2) + U(2) * c], couples[U(3) + U(2) * c]
        key = float(a * actors + b)
        while known < U(listed) and heads[U(HEAD) * known] < key:
            known += U(1)
        to, source = U(HEAD) * c, U(HEAD) * known
        if known == U(listed) or heads[source] != key:
            for k in range(U(HEAD)):
                new_heads[to + k] = 0.0
            new_heads[to], new_heads[to + U(COUNT)], new_heads[to + U(WHEN)] = key, -1.0, -1.0
            continue
        for k in range(U(HEAD)):
            new_heads[to + k] = heads[source + k]
        if pack:
            h = new_heads[HEAD * np.int64(c) : HEAD * (np.int64(c) + 1)]
            begin, count = np.int64(h[START]), np.int64(h[COUNT])
            if not still_good(h, journeys, a, b) or room + count > len(new_lists):
                h[COUNT] = -1.0
                continue
            h[START] = room
            for k in range(count):
                new_lists[room + k] = lists[begin + k]
            room += count
    return room
