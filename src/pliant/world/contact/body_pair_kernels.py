# mypy: disallow-untyped-defs=False, check-untyped-defs=False
"""Kernels of the broad phase: which actors come near each other.

Where there are few, each is tested against all others, eight at a time, in less time than it takes to sort them. Where
there are many, fat AABBs are sorted by their middles into a hash grid by counting, with cells as wide as the widest of
them along each axis, so that ten thousand actors cost ten thousand times what one costs, and each is tested against its
own cell and half of those round it. Actors that are alone cost nothing further."""

import math

import numpy as np

from pliant.runtime.instructions import room
from pliant.runtime.jit import inner, part
from pliant.world.contact.box_kernels import overlap
from pliant.world.contact.cell_kernels import GROUP, GROUP_ROW, LANE_ROUNDING, middle_of, which_meet
from pliant.world.contact.layout import AABB, MATERIAL, PARTNERS, SELF

U = np.uint64  # unsigned indices: Numba then leaves out the test for negative ones
BRUTE_FORCE_ACTORS = 512  # actors: up to so many, each is tested against all others
SINGLE_RANGE = 1e30  # m: what single precision can tell of
WIDEST_ACTOR = 4.0  # mean widths: an actor whose fat AABB is wider along any axis is tested against all others
MOST_PARTNERS = 96  # others that an actor may meet, unless those meet few
# half of the cells round one, each once: with the other half they are the opposite ones
HALF_NEIGHBOURS = tuple((i, j, k) for i in (-1, 0, 1) for j in (-1, 0, 1) for k in (-1, 0, 1) if (i, j, k) > (0, 0, 0))


@part
def key_of(c0, c1, c2):
    """A cell in one number. Cells a million apart share it, which costs a test and no mistake."""
    mask = np.int64(0xFFFFF)
    return ((c0 & mask) << 40) | ((c1 & mask) << 20) | (c2 & mask)


@part
def bucket_of(key, bits):
    """Which of 2^bits buckets a cell falls in."""
    mixed = np.uint64(key) * np.uint64(0x9E3779B97F4A7C15)
    mixed ^= mixed >> np.uint64(29)
    return np.int64((mixed * np.uint64(0xBF58476D1CE4E5B9)) >> np.uint64(64 - bits))


@part
def bits_of(size):
    """The logarithm of a power of two."""
    bits = 0
    while (1 << bits) < size:
        bits += 1
    return bits


@part
def is_wide(boxes, actor, w0, w1, w2):
    """Whether a box is wider than w along any axis."""
    b = AABB * actor
    return boxes[b + 3] - boxes[b] > w0 or boxes[b + 4] - boxes[b + 1] > w1 or boxes[b + 5] - boxes[b + 2] > w2


@part
def widest(boxes):
    """The width of the widest box along each axis, but for those that are far wider than others."""
    actors = len(boxes) // AABB
    m0 = m1 = m2 = w0 = w1 = w2 = 0.0
    for actor in range(actors):
        b = AABB * actor
        m0 += boxes[b + 3] - boxes[b]
        m1 += boxes[b + 4] - boxes[b + 1]
        m2 += boxes[b + 5] - boxes[b + 2]
    m0, m1, m2 = WIDEST_ACTOR * m0 / actors, WIDEST_ACTOR * m1 / actors, WIDEST_ACTOR * m2 / actors
    for actor in range(actors):
        if not is_wide(boxes, actor, m0, m1, m2):
            b = AABB * actor
            w0 = max(w0, boxes[b + 3] - boxes[b])
            w1 = max(w1, boxes[b + 4] - boxes[b + 1])
            w2 = max(w2, boxes[b + 5] - boxes[b + 2])
    return max(w0, 1e-9), max(w1, 1e-9), max(w2, 1e-9)


@part
def cell_of(boxes, actor, w0, w1, w2):
    """The cell of an actor's middle, of cells that are w wide."""
    b = AABB * actor
    return (
        np.int64(math.floor(0.5 * (boxes[b] + boxes[b + 3]) / w0)),
        np.int64(math.floor(0.5 * (boxes[b + 1] + boxes[b + 4]) / w1)),
        np.int64(math.floor(0.5 * (boxes[b + 2] + boxes[b + 5]) / w2)),
    )


@inner
def add_body_pair(boxes, awake, body_pairs, a, b):
    """Note two actors whose boxes meet: how many there are, how many were left out, and then two numbers each. Without
    room they are only counted."""
    if (awake[a] == 0 and awake[b] == 0) or not overlap(boxes, a, b):
        return
    if boxes[AABB * a + PARTNERS] >= MOST_PARTNERS and boxes[AABB * b + PARTNERS] >= MOST_PARTNERS:
        body_pairs[1] += 1
        return
    boxes[AABB * a + PARTNERS] += 1.0
    boxes[AABB * b + PARTNERS] += 1.0
    at = 2 + 2 * body_pairs[0]
    body_pairs[0] += 1
    if at + 1 < len(body_pairs):
        body_pairs[at], body_pairs[at + 1] = min(a, b), max(a, b)


@inner
def add_self_pair(boxes, materials, awake, body_pairs, a):
    """Note an actor that touches itself."""
    if materials[MATERIAL * a + SELF] == 0.0 or awake[a] == 0:
        return
    boxes[AABB * a + PARTNERS] += 1.0
    at = 2 + 2 * body_pairs[0]
    body_pairs[0] += 1
    if at + 1 < len(body_pairs):
        body_pairs[at] = body_pairs[at + 1] = a


@part
def line_up(boxes, lanes):
    """Boxes in rows of eight lanes, seen from the middle of all, a little larger than they are, so that single
    precision is enough to tell that two do not meet; lanes behind the last one hold a box that meets no other. Returns
    that middle, and how wide the box round all is."""
    actors, real = len(boxes) // AABB, lanes.dtype.type
    l0 = l1 = l2 = math.inf
    h0 = h1 = h2 = -math.inf
    for actor in range(actors):
        b = AABB * actor
        l0, l1, l2 = min(l0, boxes[b]), min(l1, boxes[b + 1]), min(l2, boxes[b + 2])
        h0, h1, h2 = max(h0, boxes[b + 3]), max(h1, boxes[b + 4]), max(h2, boxes[b + 5])
    c0, c1, c2 = 0.5 * (l0 + h0), 0.5 * (l1 + h1), 0.5 * (l2 + h2)
    extent = h0 - l0 + h1 - l1 + h2 - l2
    wide = LANE_ROUNDING * extent
    for actor in range((actors + GROUP - 1) // GROUP * GROUP):
        m0, m1, m2, e0, e1, e2 = middle_of(boxes, min(actor, actors - 1))
        if actor >= actors:
            e0 = e1 = e2 = -math.inf
        to = GROUP_ROW * (actor // GROUP) + actor % GROUP
        lanes[to], lanes[to + GROUP], lanes[to + 2 * GROUP] = real(m0 - c0), real(m1 - c1), real(m2 - c2)
        lanes[to + 3 * GROUP], lanes[to + 4 * GROUP], lanes[to + 5 * GROUP] = (
            real(e0 + wide),
            real(e1 + wide),
            real(e2 + wide),
        )
    return c0, c1, c2, extent


@part
def pair_few(boxes, materials, awake, lanes, body_pairs):
    """All body pairs, in the order of their first, then of their second actor."""
    actors, real, flags = len(boxes) // AABB, lanes.dtype.type, room(np.uint32, GROUP)
    c0, c1, c2, extent = line_up(boxes, lanes)
    far, told = 1.0 + LANE_ROUNDING, extent < SINGLE_RANGE
    for a in range(actors):
        add_self_pair(boxes, materials, awake, body_pairs, a)
        if not told:
            for b in range(a + 1, actors):
                add_body_pair(boxes, awake, body_pairs, a, b)
            continue
        m0, m1, m2, e0, e1, e2 = middle_of(boxes, a)
        m0, m1, m2 = real(m0 - c0), real(m1 - c1), real(m2 - c2)
        e0, e1, e2 = real(far * e0), real(far * e1), real(far * e2)
        for first in range(a // GROUP * GROUP, actors, GROUP):
            if which_meet(lanes, U(GROUP_ROW // GROUP) * U(first), m0, m1, m2, e0, e1, e2, flags):
                for b in range(max(first, a + 1), first + GROUP):
                    if flags[b - first]:
                        add_body_pair(boxes, awake, body_pairs, a, b)


@part
def pair_many(boxes, materials, awake, table, entries, keys, body_pairs):
    """All body pairs, in the order of the cells. Table: of 2^bits + 1 numbers; entries and keys: one an actor."""
    actors = len(boxes) // AABB
    w0, w1, w2 = widest(boxes)
    size = len(table) - 1
    bits = bits_of(size)
    table[:] = 0
    for actor in range(actors):
        c0, c1, c2 = cell_of(boxes, actor, w0, w1, w2)
        keys[actor] = -1 if is_wide(boxes, actor, w0, w1, w2) else key_of(c0, c1, c2)
        if keys[actor] >= 0:
            table[bucket_of(keys[actor], bits)] += 1
    for k in range(size):
        table[k + 1] += table[k]
    for actor in range(actors - 1, -1, -1):  # from the last to the first, so that each bucket is in order
        if keys[actor] >= 0:
            bucket = bucket_of(keys[actor], bits)
            table[bucket] -= 1
            entries[table[bucket]] = actor
    for a in range(actors):
        if keys[a] < 0:
            for b in range(actors):
                if b > a or (b < a and keys[b] >= 0):
                    add_body_pair(boxes, awake, body_pairs, a, b)
            continue
        bucket = bucket_of(keys[a], bits)
        for n in range(table[bucket], table[bucket + 1]):
            b = entries[n]
            if b > a and keys[b] == keys[a]:
                add_body_pair(boxes, awake, body_pairs, a, b)
        c0, c1, c2 = cell_of(boxes, a, w0, w1, w2)
        for i, j, k in HALF_NEIGHBOURS:
            key = key_of(c0 + i, c1 + j, c2 + k)
            bucket = bucket_of(key, bits)
            for n in range(table[bucket], table[bucket + 1]):
                if keys[entries[n]] == key:
                    add_body_pair(boxes, awake, body_pairs, a, entries[n])
    for a in range(actors):
        add_self_pair(boxes, materials, awake, body_pairs, a)


@part
def find_body_pairs(boxes, materials, awake, lanes, table, entries, keys, body_pairs):
    """All pairs of actors that may touch, and those that touch themselves; in order if there are few actors."""
    body_pairs[0] = body_pairs[1] = 0
    for actor in range(len(boxes) // AABB):
        boxes[AABB * actor + PARTNERS] = 0.0
    if len(boxes) // AABB <= BRUTE_FORCE_ACTORS:
        pair_few(boxes, materials, awake, lanes, body_pairs)
    else:
        pair_many(boxes, materials, awake, table, entries, keys, body_pairs)


@part
def sort_body_pairs(body_pairs, actors, table, scratch):
    """Body pairs in the order of their first, then of their second actor: by counting, twice."""
    count = body_pairs[0]
    for turn in range(2):
        side = 1 - turn
        source, target = (body_pairs, scratch) if turn == 0 else (scratch, body_pairs)
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
