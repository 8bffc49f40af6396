"""Kernels of the broad phase: which actors come near each other.

Each actor has a box round all that it may touch in the sub-step, and a field round its box in which it may move before
couples have to be found anew. Fields are sorted by their middles into a hash grid by counting, with cells as wide as
the widest of them along each axis, so that ten thousand actors cost ten thousand times what one costs, and each looks
at its own cell and at half of those round it. Actors that are alone cost nothing further."""

import math

import numpy as np

from pliant.jit import inner, part
from pliant.world.contact.layout import BOX, COUPLED, JOURNEY, LATELY, MANNERS, MARGIN, PAD, SELF, THICK

U = np.uint64  # unsigned indices: Numba then leaves out the test for negative ones
WIDEST = 4.0  # mean widths: an actor whose field is wider along any axis is looked at with everybody
ROOM = 0.75  # of the thickness of its spheres: how far a field goes beyond the box
ONWARD = 10.0  # sub-steps: for which it leaves room at the present speed
MOST = 96  # others that an actor may meet, unless those meet few
# half of the cells round one, each once: with the other half they are the opposite ones
AHEAD = tuple((i, j, k) for i in (-1, 0, 1) for j in (-1, 0, 1) for k in (-1, 0, 1) if (i, j, k) > (0, 0, 0))


@part
def key_of(c0, c1, c2):
    """A cell in one number. Cells a million apart share it, which costs a look and no mistake."""
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


@inner
def bound_actor(x, p, origins, manners, actor, count, boxes):
    """The box round an actor from the beginning to the end of the sub-step."""
    first = np.int64(origins[actor])
    last = np.int64(origins[actor + 1]) if actor + 1 < len(origins) else count
    f = np.uint64(4 * first)
    l0 = h0 = x[f]
    l1 = h1 = x[f + np.uint64(1)]
    l2 = h2 = x[f + np.uint64(2)]
    for i in range(first, last):
        f = np.uint64(4 * i)
        g = f + np.uint64(1)
        k = f + np.uint64(2)
        l0 = min(l0, min(x[f], p[f]))
        l1 = min(l1, min(x[g], p[g]))
        l2 = min(l2, min(x[k], p[k]))
        h0 = max(h0, max(x[f], p[f]))
        h1 = max(h1, max(x[g], p[g]))
        h2 = max(h2, max(x[k], p[k]))
    pad = (1.0 + MARGIN) * manners[MANNERS * actor + PAD]
    b = BOX * actor
    boxes[b], boxes[b + 1], boxes[b + 2] = l0 - pad, l1 - pad, l2 - pad
    boxes[b + 3], boxes[b + 4], boxes[b + 5] = h0 + pad, h1 + pad, h2 + pad


@inner
def cross(boxes, a, b):
    """Whether two boxes meet."""
    a, b = U(BOX) * U(a), U(BOX) * U(b)
    return (  # no shortcuts: a processor that guesses wrong loses more time than all this takes
        (boxes[a] <= boxes[b + U(3)]) & (boxes[b] <= boxes[a + U(3)])
        & (boxes[a + U(1)] <= boxes[b + U(4)]) & (boxes[b + U(1)] <= boxes[a + U(4)])
        & (boxes[a + U(2)] <= boxes[b + U(5)]) & (boxes[b + U(2)] <= boxes[a + U(5)])
    )  # fmt: skip


@inner
def within(boxes, fields, actor):
    """Whether an actor is still in its field."""
    b = BOX * actor
    return (
        boxes[b] >= fields[b] and boxes[b + 1] >= fields[b + 1] and boxes[b + 2] >= fields[b + 2]
        and boxes[b + 3] <= fields[b + 3] and boxes[b + 4] <= fields[b + 4] and boxes[b + 5] <= fields[b + 5]
    )  # fmt: skip


@part
def lay_out_fields(boxes, manners, journeys, fields):
    """A field for each actor, round its box."""
    for actor in range(len(boxes) // BOX):
        b, j = BOX * actor, JOURNEY * actor + LATELY
        room = ROOM * manners[MANNERS * actor + THICK]
        for k in range(3):
            way = room + ONWARD * (abs(journeys[j + k]) + journeys[j + 3 + k])
            fields[b + k], fields[b + 3 + k] = boxes[b + k] - way, boxes[b + 3 + k] + way


@part
def is_wide(boxes, actor, w0, w1, w2):
    """Whether a box is wider than w along any axis."""
    b = BOX * actor
    return boxes[b + 3] - boxes[b] > w0 or boxes[b + 4] - boxes[b + 1] > w1 or boxes[b + 5] - boxes[b + 2] > w2


@part
def widest(boxes):
    """The width of the widest box along each axis, but for those that are far wider than others."""
    actors = len(boxes) // BOX
    m0 = m1 = m2 = w0 = w1 = w2 = 0.0
    for actor in range(actors):
        b = BOX * actor
        m0 += boxes[b + 3] - boxes[b]
        m1 += boxes[b + 4] - boxes[b + 1]
        m2 += boxes[b + 5] - boxes[b + 2]
    m0, m1, m2 = WIDEST * m0 / actors, WIDEST * m1 / actors, WIDEST * m2 / actors
    for actor in range(actors):
        if not is_wide(boxes, actor, m0, m1, m2):
            b = BOX * actor
            w0 = max(w0, boxes[b + 3] - boxes[b])
            w1 = max(w1, boxes[b + 4] - boxes[b + 1])
            w2 = max(w2, boxes[b + 5] - boxes[b + 2])
    return max(w0, 1e-9), max(w1, 1e-9), max(w2, 1e-9)


@part
def cell_of(boxes, actor, w0, w1, w2):
    """The cell of an actor's middle, of cells that are w wide."""
    b = BOX * actor
    return (
        np.int64(math.floor(0.5 * (boxes[b] + boxes[b + 3]) / w0)),
        np.int64(math.floor(0.5 * (boxes[b + 1] + boxes[b + 4]) / w1)),
        np.int64(math.floor(0.5 * (boxes[b + 2] + boxes[b + 5]) / w2)),
    )


@inner
def couple(boxes, awake, couples, a, b):
    """Note two actors whose boxes meet: how many there are, how many were left out, and then two numbers each. Without
    room they are only counted."""
    if (awake[a] == 0 and awake[b] == 0) or not cross(boxes, a, b):
        return
    if boxes[BOX * a + COUPLED] >= MOST and boxes[BOX * b + COUPLED] >= MOST:
        couples[1] += 1
        return
    boxes[BOX * a + COUPLED] += 1.0
    boxes[BOX * b + COUPLED] += 1.0
    at = 2 + 2 * couples[0]
    couples[0] += 1
    if at + 1 < len(couples):
        couples[at], couples[at + 1] = min(a, b), max(a, b)


@part
def find_couples(boxes, manners, awake, table, entries, keys, couples):
    """All pairs of actors that may touch, and those that touch themselves. Table: of 2^bits + 1 numbers; entries and
    keys: one an actor."""
    actors = len(boxes) // BOX
    w0, w1, w2 = widest(boxes)
    couples[0] = couples[1] = 0
    size = len(table) - 1
    bits = bits_of(size)
    table[:] = 0
    for actor in range(actors):
        boxes[BOX * actor + COUPLED] = 0.0
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
                    couple(boxes, awake, couples, a, b)
            continue
        bucket = bucket_of(keys[a], bits)
        for n in range(table[bucket], table[bucket + 1]):
            b = entries[n]
            if b > a and keys[b] == keys[a]:
                couple(boxes, awake, couples, a, b)
        c0, c1, c2 = cell_of(boxes, a, w0, w1, w2)
        for i, j, k in AHEAD:
            key = key_of(c0 + i, c1 + j, c2 + k)
            bucket = bucket_of(key, bits)
            for n in range(table[bucket], table[bucket + 1]):
                if keys[entries[n]] == key:
                    couple(boxes, awake, couples, a, entries[n])
    for a in range(actors):  # with itself
        if manners[MANNERS * a + SELF] > 0.0 and awake[a] != 0:
            boxes[BOX * a + COUPLED] += 1.0
            at = 2 + 2 * couples[0]
            couples[0] += 1
            if at + 1 < len(couples):
                couples[at] = couples[at + 1] = a


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
