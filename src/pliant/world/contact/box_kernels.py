"""Kernels of the broad phase: which actors come near each other.

Each actor has a box round all its particles before and after the sub-step. Boxes are sorted into a hash grid by
counting, so that ten thousand actors cost ten thousand times what one costs, and a pair is looked at in one cell only:
the one that holds the least corner of what the two boxes share. Actors that are alone cost nothing further."""

import math

import numpy as np

from pliant.jit import part
from pliant.world.contact.candidate_kernels import sort_couples
from pliant.world.contact.layout import (
    BOX,
    CASE,
    COUPLED,
    GIVE,
    GLANCE,
    MANNERS,
    MARGIN,
    MOVES,
    PAD,
    PLACE,
    PLACED,
    SELF,
    STILL,
)  # fmt: skip
from pliant.world.contact.place_kernels import place_spheres

CELLS = 27  # of the grid; an actor that covers more of them is looked at with everybody
WIDE = 1.5  # of a cell, in mean widths of a box
MOST = 64  # others that an actor may meet, unless those meet few


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


@part
def bound_actor(x, p, origins, manners, awake, actor, count, boxes):
    """The box round an actor from the beginning to the end of the sub-step. One that sleeps keeps it."""
    if awake[actor] == 0 and boxes[BOX * actor] < boxes[BOX * actor + 3]:
        return
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


@part
def cross(boxes, a, b):
    """Whether two boxes meet."""
    a, b = BOX * a, BOX * b
    return (
        boxes[a] <= boxes[b + 3] and boxes[b] <= boxes[a + 3]
        and boxes[a + 1] <= boxes[b + 4] and boxes[b + 1] <= boxes[a + 4]
        and boxes[a + 2] <= boxes[b + 5] and boxes[b + 2] <= boxes[a + 5]
    )  # fmt: skip


@part
def cells_of(boxes, scale, actor):
    """The first cell that an actor covers, and how many along each axis."""
    b = BOX * actor
    l0, l1, l2 = math.floor(scale * boxes[b]), math.floor(scale * boxes[b + 1]), math.floor(scale * boxes[b + 2])
    n0 = math.floor(scale * boxes[b + 3]) - l0 + 1
    n1 = math.floor(scale * boxes[b + 4]) - l1 + 1
    n2 = math.floor(scale * boxes[b + 5]) - l2 + 1
    return l0, l1, l2, n0, n1, n2


@part
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
def sort_boxes(boxes, scale, table, entries, keys):
    """Actors by cell: in bucket k those from table[k] to table[k + 1], in order. Returns how many cover too many."""
    actors = len(boxes) // BOX
    size = len(table) - 1
    bits = bits_of(size)
    table[:] = 0
    wide = 0
    for stage in range(2):  # count, then put in place: from the last to the first, so that each bucket is in order
        if stage == 1:
            for k in range(size):
                table[k + 1] += table[k]
        for number in range(actors):
            actor = actors - 1 - number if stage == 1 else number
            l0, l1, l2, n0, n1, n2 = cells_of(boxes, scale, actor)
            if n0 * n1 * n2 > CELLS:
                wide += 1 - stage
                continue
            i0, i1, i2 = np.int64(l0), np.int64(l1), np.int64(l2)
            for c0 in range(i0, i0 + np.int64(n0)):
                for c1 in range(i1, i1 + np.int64(n1)):
                    for c2 in range(i2, i2 + np.int64(n2)):
                        key = key_of(c0, c1, c2)
                        bucket = bucket_of(key, bits)
                        if stage == 0:
                            table[bucket] += 1
                        else:
                            table[bucket] -= 1
                            entries[table[bucket]] = actor
                            keys[table[bucket]] = key
    return wide


@part
def find_couples(x, p, origins, manners, awake, count, boxes, table, entries, keys, couples):
    """All pairs of actors that may touch. Table: of 2^bits + 1 numbers; entries and keys: CELLS an actor."""
    actors = len(origins)
    width = 0.0
    for actor in range(actors):
        bound_actor(x, p, origins, manners, awake, actor, count, boxes)
        b = BOX * actor
        boxes[b + COUPLED] = boxes[b + PLACED] = 0.0
        width += max(boxes[b + 3] - boxes[b], max(boxes[b + 4] - boxes[b + 1], boxes[b + 5] - boxes[b + 2]))
    couples[0] = couples[1] = 0
    scale = 1.0 / max(WIDE * width / max(actors, 1), 1e-9)
    wide = sort_boxes(boxes, scale, table, entries, keys)
    for bucket in range(len(table) - 1):
        for i in range(table[bucket], table[bucket + 1]):
            a = entries[i]
            for j in range(i + 1, table[bucket + 1]):
                b = entries[j]
                if keys[j] == keys[i] and cross(boxes, a, b):
                    # only in the cell of the least corner of what both share
                    s0 = max(boxes[BOX * a], boxes[BOX * b])
                    s1 = max(boxes[BOX * a + 1], boxes[BOX * b + 1])
                    s2 = max(boxes[BOX * a + 2], boxes[BOX * b + 2])
                    c0, c1, c2 = math.floor(scale * s0), math.floor(scale * s1), math.floor(scale * s2)
                    if key_of(np.int64(c0), np.int64(c1), np.int64(c2)) == keys[i]:
                        couple(boxes, awake, couples, a, b)
    if wide:
        for a in range(actors):
            _, _, _, n0, n1, n2 = cells_of(boxes, scale, a)
            if n0 * n1 * n2 > CELLS:
                for b in range(actors):
                    _, _, _, n0, n1, n2 = cells_of(boxes, scale, b)
                    if b > a or (b < a and n0 * n1 * n2 <= CELLS):
                        couple(boxes, awake, couples, a, b)
    for a in range(actors):  # with itself
        if manners[MANNERS * a + SELF] > 0.0 and awake[a] != 0:
            at = 2 + 2 * couples[0]
            couples[0] += 1
            if at + 1 < len(couples):
                couples[at] = couples[at + 1] = a


@part
def place_couples(
    x, p, inverse, hulls, riders, shares, roots, holds, traits, spans, manners, awake, boxes, couples, places, cases,
    glances, journeys, table, scratch,
):  # fmt: skip
    """Place the spheres of all who may touch somebody, draw their boxes as tight as can be, and keep the couples that
    still meet, in order."""
    serial = journeys[len(journeys) - 1] + 1.0
    journeys[len(journeys) - 1] = serial
    for k in range(2, 2 + 2 * couples[0]):
        actor = couples[k]
        if boxes[BOX * actor + PLACED] > 0.0:
            continue
        boxes[BOX * actor + PLACED] = 1.0
        if awake[actor]:
            place_spheres(
                x, p, inverse, hulls, riders, shares, roots, holds, traits, spans, manners, actor, places, cases,
                glances, journeys, serial,
            )  # fmt: skip
        else:  # it stays where it is, whatever pushes: it has to be woken first
            place_spheres(
                x, x, inverse, hulls, riders, shares, roots, holds, traits, spans, manners, actor, places, cases,
                glances, journeys, serial,
            )  # fmt: skip
            for s in range(np.int64(spans[actor]), np.int64(spans[actor + 1])):
                places[PLACE * s + GIVE] = 0.0
                places[PLACE * s + STILL] = 1.0
                glances[GLANCE * s + MOVES] = 0.0
        tighten(spans, cases, boxes, actor)
    kept = 2
    for c in range(couples[0]):
        a, b = couples[2 + 2 * c], couples[3 + 2 * c]
        if cross(boxes, a, b):
            couples[kept], couples[kept + 1] = a, b
            kept += 2
    couples[0] = (kept - 2) // 2
    sort_couples(couples, len(spans) - 1, table, scratch)


@part
def tighten(spans, cases, boxes, actor):
    """The box of an actor is the one round the boxes of its spheres."""
    l0 = l1 = l2 = 1e300
    h0 = h1 = h2 = -1e300
    for s in range(np.uint64(spans[actor]), np.uint64(spans[actor + 1])):
        at = np.uint64(CASE) * s
        c0, c1, c2 = cases[at], cases[at + np.uint64(1)], cases[at + np.uint64(2)]
        e0, e1, e2 = cases[at + np.uint64(3)], cases[at + np.uint64(4)], cases[at + np.uint64(5)]
        l0, l1, l2 = min(l0, c0 - e0), min(l1, c1 - e1), min(l2, c2 - e2)
        h0, h1, h2 = max(h0, c0 + e0), max(h1, c1 + e1), max(h2, c2 + e2)
    b = BOX * actor
    boxes[b], boxes[b + 1], boxes[b + 2], boxes[b + 3], boxes[b + 4], boxes[b + 5] = l0, l1, l2, h0, h1, h2
