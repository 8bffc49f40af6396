"""Kernels that remember who is near whom.

Pairs of spheres whose boxes are a little apart are listed too, so the list of two actors stays good until they have
moved against each other by that margin. How far is known without looking at pairs: each actor keeps a journey, the sum
of how far its boxes went in each sub-step (the middle of the least and the farthest way of any side of a box, along
each axis) and of how much any side deviated from that. Two actors have moved against each other by no more than the
difference of the ways of both and the sum of their deviations.

A list only says who has to be looked at, and is in the order of the spheres' numbers; so contacts and their order do
not depend on when it was made."""


from pliant.jit import part
from pliant.world.contact.layout import COUNT, HEAD, JOURNEY, LATELY, MANNERS, ROUND, SEEN, SLACK, THICK, WAYS

SPARE = 0.5  # of the thickness of the spheres: how much farther than they reach a list looks
LASTING = 2.0  # sub-steps: a list that would not be good for so long is not worth its length


@part
def margin_of(manners, journeys, a, b):
    """How far apart the boxes of two spheres may be that are listed; 0 if the actors move too fast for that."""
    margin = SPARE * min(manners[MANNERS * a + THICK], manners[MANNERS * b + THICK])
    i, j = JOURNEY * a + LATELY, JOURNEY * b + LATELY
    for k in range(3):
        way = abs(journeys[i + k] - journeys[j + k]) + journeys[i + 3 + k] + journeys[j + 3 + k]
        if LASTING * way > margin:
            return 0.0
    return margin


@part
def begin_journey(journeys, actor, serial):
    """Whether the actor's boxes are known from the last sub-step; if not, all lists with it are void."""
    j = JOURNEY * actor
    known = journeys[j + SEEN] == serial - 1.0
    if not known:
        journeys[j + ROUND] = serial
    journeys[j + SEEN] = serial
    return known


@part
def go_on(journeys, actor, least, most):
    """The sides of the actor's boxes went so far along each axis, at least and at most."""
    j = JOURNEY * actor
    for k in range(3):
        way, wide = 0.5 * (least[k] + most[k]), 0.5 * (most[k] - least[k])
        journeys[j + LATELY + k], journeys[j + LATELY + 3 + k] = way, wide
        journeys[j + WAYS + k] += way
        journeys[j + WAYS + 3 + k] += wide


@part
def still_good(heads, k, journeys, a, b):
    """Whether the list of two actors holds all pairs that may touch."""
    h = heads[HEAD * k : HEAD * (k + 1)]
    i, j = JOURNEY * a, JOURNEY * b
    if h[COUNT] < 0.0 or h[ROUND] != journeys[i + ROUND] or h[ROUND + 1] != journeys[j + ROUND]:
        return False
    for axis in range(3):
        way = journeys[i + WAYS + axis] - journeys[j + WAYS + axis] - h[WAYS + axis]
        wide = journeys[i + WAYS + 3 + axis] + journeys[j + WAYS + 3 + axis] - h[WAYS + 3 + axis]
        if abs(way) + wide > h[SLACK]:
            return False
    return True


@part
def head_list(heads, c, key, count, margin, journeys, a, b):
    """Note where the list of two actors begins, and when it was made."""
    h = heads[HEAD * c : HEAD * (c + 1)]
    i, j = JOURNEY * a, JOURNEY * b
    h[0], h[COUNT], h[SLACK] = key, count, margin
    h[ROUND], h[ROUND + 1] = journeys[i + ROUND], journeys[j + ROUND]
    for axis in range(3):
        h[WAYS + axis] = journeys[i + WAYS + axis] - journeys[j + WAYS + axis]
        h[WAYS + 3 + axis] = journeys[i + WAYS + 3 + axis] + journeys[j + WAYS + 3 + axis]


@part
def place_of(heads, count, key):
    """The first of the sorted heads that is not before a key."""
    low, high = 0, count
    while low < high:
        middle = (low + high) // 2
        if heads[HEAD * middle] < key:
            low = middle + 1
        else:
            high = middle
    return low


@part
def sort_couples(couples, actors, table, scratch):
    """Couples in the order of their first, then of their second actor: by counting, twice."""
    count = couples[0]
    for turn in range(2):
        side = 1 - turn
        source, target = (couples, scratch) if turn == 0 else (scratch, couples)
        table[: actors + 1] = 0
        for c in range(count):
            table[source[2 + 2 * c + side] + 1] += 1
        for k in range(actors):
            table[k + 1] += table[k]
        for c in range(count):
            k = source[2 + 2 * c + side]
            to = table[k]
            table[k] += 1
            target[2 + 2 * to], target[3 + 2 * to] = source[2 + 2 * c], source[3 + 2 * c]
