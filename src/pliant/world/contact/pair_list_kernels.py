# mypy: disallow-untyped-defs=False, check-untyped-defs=False
"""Kernels that keep the list of spheres of two actors that are near each other.

Pairs of spheres whose boxes are a little apart are listed too, so the list of two actors stays valid until they have
moved against each other by that margin. How far is known without a pass over pairs: each actor keeps an accumulated
displacement, the sum of how far its boxes went in each sub-step (the middle of the least and the farthest displacement
of any side of a box, along each axis) and of how much any side deviated from that. Two actors have moved against each
other by no more than the difference of the displacements of both and the sum of their deviations.

A list only says which pairs have to be checked, and is in the order of the spheres' numbers; so contacts and their
order do not depend on when it was made."""

import numpy as np

from pliant.runtime.jit import inner, part
from pliant.world.contact.layout import (
    ACCUMULATED,
    BOXED_AT,
    CANDIDATE_SLACK,
    CHECKED,
    CHECKED_AT,
    DISPLACEMENT,
    KNOWN_SINCE,
    LAST_DISPLACEMENT,
    LIST_COUNT,
    LIST_SLACK,
    LIST_START,
    LISTED,
    MATERIAL,
    PAIR_HEAD,
    THICKNESS,
)  # fmt: skip

U = np.uint64  # unsigned indices: Numba then leaves out the test for negative ones
LIST_MARGIN = 0.5  # of the thickness of the spheres: how much farther than they reach a list goes
LIST_LIFE = 2.0  # sub-steps: a list that would not be good for so long is not worth its length


@inner
def margin_of(materials, displacements, a, b):
    """How far apart the boxes of two spheres may be that are listed; 0 if the actors move too fast for that."""
    margin = LIST_MARGIN * min(materials[MATERIAL * a + THICKNESS], materials[MATERIAL * b + THICKNESS])
    i, j = DISPLACEMENT * a + LAST_DISPLACEMENT, DISPLACEMENT * b + LAST_DISPLACEMENT
    for k in range(3):
        shift = abs(displacements[i + k] - displacements[j + k]) + displacements[i + 3 + k] + displacements[j + 3 + k]
        if LIST_LIFE * shift > margin:
            return 0.0
    return margin


@inner
def begin_displacement(displacements, actor, serial):
    """Whether the actor's boxes are known from the last sub-step; if not, all lists with it are void."""
    j = DISPLACEMENT * actor
    known = displacements[j + BOXED_AT] == serial - 1.0
    if not known:
        displacements[j + KNOWN_SINCE] = serial
    displacements[j + BOXED_AT] = serial
    return known


@inner
def add_displacement(displacements, actor, least, most):
    """The sides of the actor's boxes went so far along each axis, at least and at most."""
    j = DISPLACEMENT * actor
    for k in range(3):
        shift, wide = 0.5 * (least[k] + most[k]), 0.5 * (most[k] - least[k])
        displacements[j + LAST_DISPLACEMENT + k], displacements[j + LAST_DISPLACEMENT + 3 + k] = shift, wide
        displacements[j + ACCUMULATED + k] += shift
        displacements[j + ACCUMULATED + 3 + k] += wide


@inner
def list_is_valid(h, displacements, a, b):
    """Whether the list of two actors holds all pairs that may touch. h: the head of their list."""
    i, j = DISPLACEMENT * a, DISPLACEMENT * b
    if (
        h[LIST_COUNT] < 0.0
        or h[KNOWN_SINCE] != displacements[i + KNOWN_SINCE]
        or h[KNOWN_SINCE + 1] != displacements[j + KNOWN_SINCE]
    ):
        return False
    for axis in range(3):
        shift = displacements[i + ACCUMULATED + axis] - displacements[j + ACCUMULATED + axis] - h[LISTED + axis]
        wide = (
            displacements[i + ACCUMULATED + 3 + axis] + displacements[j + ACCUMULATED + 3 + axis] - h[LISTED + 3 + axis]
        )
        if abs(shift) + wide > h[LIST_SLACK]:
            return False
    return True


@inner
def head_list(h, count, margin, displacements, a, b):
    """Note how long the list of two actors is, and when it was made."""
    i, j = DISPLACEMENT * a, DISPLACEMENT * b
    h[LIST_COUNT], h[LIST_SLACK] = count, margin
    h[KNOWN_SINCE], h[KNOWN_SINCE + 1] = displacements[i + KNOWN_SINCE], displacements[j + KNOWN_SINCE]
    for axis in range(3):
        h[LISTED + axis] = displacements[i + ACCUMULATED + axis] - displacements[j + ACCUMULATED + axis]
        h[LISTED + 3 + axis] = displacements[i + ACCUMULATED + 3 + axis] + displacements[j + ACCUMULATED + 3 + axis]


@inner
def note_check(h, displacements, a, b, serial):
    """Note when two actors were checked."""
    h[CHECKED_AT] = serial
    i, j = DISPLACEMENT * a + ACCUMULATED, DISPLACEMENT * b + ACCUMULATED
    for axis in range(3):
        h[CHECKED + axis] = displacements[i + axis] - displacements[j + axis]
        h[CHECKED + 3 + axis] = displacements[i + 3 + axis] + displacements[j + 3 + axis]


@inner
def candidates_are_valid(h, materials, displacements, a, b, since):
    """Whether no spheres of two actors can have come into contact but those that were candidates when they were checked
    last, which must not be before the sub-step `since`."""
    i, j = DISPLACEMENT * a, DISPLACEMENT * b
    if (
        h[CHECKED_AT] < since
        or h[KNOWN_SINCE] != displacements[i + KNOWN_SINCE]
        or h[KNOWN_SINCE + 1] != displacements[j + KNOWN_SINCE]
    ):
        return False
    most = materials[MATERIAL * a + CANDIDATE_SLACK] + materials[MATERIAL * b + CANDIDATE_SLACK]
    if materials[MATERIAL * a + CANDIDATE_SLACK] == 0.0 or materials[MATERIAL * b + CANDIDATE_SLACK] == 0.0:
        return False
    for axis in range(3):
        shift = displacements[i + ACCUMULATED + axis] - displacements[j + ACCUMULATED + axis] - h[CHECKED + axis]
        wide = (
            displacements[i + ACCUMULATED + 3 + axis]
            + displacements[j + ACCUMULATED + 3 + axis]
            - h[CHECKED + 3 + axis]
        )
        if abs(shift) + wide > most:
            return False
    return True


@part
def carry_over(body_pairs, actors, displacements, heads, lists, listed, new_heads, new_lists, pack):
    """Heads for new body pairs; what was known of them is taken over. Both are in order. Lists stay where they are; or,
    to pack them, those that are still valid are brought together in `new_lists`. Returns where they end there."""
    room, known = 0, U(0)
    for c in range(U(body_pairs[0])):
        a, b = body_pairs[U(2) + U(2) * c], body_pairs[U(3) + U(2) * c]
        key = float(a * actors + b)
        while known < U(listed) and heads[U(PAIR_HEAD) * known] < key:
            known += U(1)
        to, source = U(PAIR_HEAD) * c, U(PAIR_HEAD) * known
        if known == U(listed) or heads[source] != key:
            for k in range(U(PAIR_HEAD)):
                new_heads[to + k] = 0.0
            new_heads[to], new_heads[to + U(LIST_COUNT)], new_heads[to + U(CHECKED_AT)] = key, -1.0, -1.0
            continue
        for k in range(U(PAIR_HEAD)):
            new_heads[to + k] = heads[source + k]
        if pack:
            h = new_heads[PAIR_HEAD * np.int64(c) : PAIR_HEAD * (np.int64(c) + 1)]
            begin, count = np.int64(h[LIST_START]), np.int64(h[LIST_COUNT])
            if not list_is_valid(h, displacements, a, b) or room + count > len(new_lists):
                h[LIST_COUNT] = -1.0
                continue
            h[LIST_START] = room
            for k in range(count):
                new_lists[room + k] = lists[begin + k]
            room += count
    return room
