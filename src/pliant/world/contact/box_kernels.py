"""Kernels of the broad phase: which actors come near each other, and which of their spheres.

Each actor has a box round all its particles before and after the sub-step. Boxes are sorted into a coarse grid, so that
ten thousand actors cost ten thousand times what one costs, and a pair is looked at in one cell only: the one that holds
the least corner of what the two boxes share. Spheres within the box of another actor are marked; all others, and actors
that are alone, cost nothing further."""

import math

import numpy as np

from pliant.jit import part
from pliant.world.contact.layout import (
    BEGIN,
    BOUND,
    BOX,
    END,
    GIVE,
    MANNERS,
    PAD,
    PLACE,
    SELF,
    STILL,
    TRAITS,
)  # fmt: skip
from pliant.world.contact.place_kernels import place_spheres

CELLS = 27  # of the coarse grid; an actor that covers more of them is looked at with everybody
WIDE = 2.0  # of a cell, in mean widths of a box


@part
def key_of(level, c0, c1, c2):
    """A cell and its level in one number. Cells a million apart share it, which costs a look and no mistake."""
    mask = np.int64(0xFFFFF)
    return ((np.int64(level) & np.int64(15)) << 60) | ((c0 & mask) << 40) | ((c1 & mask) << 20) | (c2 & mask)


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
    f = 4 * first
    l0 = h0 = x[f]
    l1 = h1 = x[f + 1]
    l2 = h2 = x[f + 2]
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
    pad = manners[MANNERS * actor + PAD]
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
def mark(boxes, traits, places, spans, marks, actor, other):
    """Mark the spheres of an actor that reach into the box of another."""
    if boxes[BOX * actor + 6] == np.int64(spans[actor + 1]) - np.int64(spans[actor]):
        return
    b = BOX * other
    for s in range(np.int64(spans[actor]), np.int64(spans[actor + 1])):
        if marks[s] == 0:
            at = PLACE * s
            r = traits[TRAITS * s + BOUND]
            inside = True
            for k in range(3):
                end, begin = places[at + END + k], places[at + BEGIN + k]
                inside = inside and max(end, begin) + r >= boxes[b + k] and min(end, begin) - r <= boxes[b + 3 + k]
            if inside:
                marks[s] = 1
                boxes[BOX * actor + 6] += 1.0


@part
def consider(x, p, inverse, riders, shares, roots, holds, traits, spans, manners, boxes, places, marks, awake, a, b):
    """Two actors whose boxes may meet: mark the spheres that matter."""
    if (awake[a] == 0 and awake[b] == 0) or not cross(boxes, a, b):
        return
    for actor in (a, b):
        if boxes[BOX * actor + 7] == 0.0:
            if awake[actor] == 0:  # it stays where it is, whatever pushes: it has to be woken first
                place_spheres(x, x, inverse, riders, shares, roots, holds, traits, spans, manners, actor, places)
                for s in range(np.int64(spans[actor]), np.int64(spans[actor + 1])):
                    places[PLACE * s + GIVE] = 0.0
                    places[PLACE * s + STILL] = 1.0
            else:
                place_spheres(x, p, inverse, riders, shares, roots, holds, traits, spans, manners, actor, places)
            boxes[BOX * actor + 7] = 1.0
    mark(boxes, traits, places, spans, marks, a, b)
    mark(boxes, traits, places, spans, marks, b, a)


@part
def near_actors(
    x, p, inverse, origins, riders, shares, roots, holds, traits, spans, manners, awake, boxes, places, marks, table,
    entries, keys,
):  # fmt: skip
    """Marks every sphere that may touch another. Table: of 2^bits + 1 numbers; entries and keys: CELLS an actor."""
    actors = len(origins)
    count = len(inverse)
    marks[:] = 0
    width = 0.0
    for actor in range(actors):
        bound_actor(x, p, origins, manners, awake, actor, count, boxes)
        b = BOX * actor
        boxes[b + 6] = boxes[b + 7] = 0.0
        width += max(boxes[b + 3] - boxes[b], max(boxes[b + 4] - boxes[b + 1], boxes[b + 5] - boxes[b + 2]))
    scale = 1.0 / max(WIDE * width / max(actors, 1), 1e-9)
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
            b = BOX * actor
            l0, l1, l2 = (
                math.floor(scale * boxes[b]),
                math.floor(scale * boxes[b + 1]),
                math.floor(scale * boxes[b + 2]),
            )
            n0 = math.floor(scale * boxes[b + 3]) - l0 + 1
            n1 = math.floor(scale * boxes[b + 4]) - l1 + 1
            n2 = math.floor(scale * boxes[b + 5]) - l2 + 1
            if n0 * n1 * n2 > CELLS:
                wide += 1 - stage
                continue
            i0, i1, i2 = np.int64(l0), np.int64(l1), np.int64(l2)
            for c0 in range(i0, i0 + np.int64(n0)):
                for c1 in range(i1, i1 + np.int64(n1)):
                    for c2 in range(i2, i2 + np.int64(n2)):
                        key = key_of(0, c0, c1, c2)
                        bucket = bucket_of(key, bits)
                        if stage == 0:
                            table[bucket] += 1
                        else:
                            table[bucket] -= 1
                            entries[table[bucket]] = actor
                            keys[table[bucket]] = key
    for bucket in range(size):
        for i in range(table[bucket], table[bucket + 1]):
            a = entries[i]
            for j in range(i + 1, table[bucket + 1]):
                if keys[j] == keys[i]:
                    b = entries[j]
                    # only in the cell of the least corner of what both share
                    s0 = max(boxes[BOX * a], boxes[BOX * b])
                    s1 = max(boxes[BOX * a + 1], boxes[BOX * b + 1])
                    s2 = max(boxes[BOX * a + 2], boxes[BOX * b + 2])
                    owner = key_of(
                        0, np.int64(math.floor(scale * s0)), np.int64(math.floor(scale * s1)),
                        np.int64(math.floor(scale * s2)),
                    )  # fmt: skip
                    if owner == keys[i]:
                        consider(
                            x, p, inverse, riders, shares, roots, holds, traits, spans, manners, boxes, places,
                            marks, awake, a, b,
                        )  # fmt: skip
    if wide:
        for a in range(actors):
            b = BOX * a
            n0 = math.floor(scale * boxes[b + 3]) - math.floor(scale * boxes[b]) + 1
            n1 = math.floor(scale * boxes[b + 4]) - math.floor(scale * boxes[b + 1]) + 1
            n2 = math.floor(scale * boxes[b + 5]) - math.floor(scale * boxes[b + 2]) + 1
            if n0 * n1 * n2 > CELLS:
                for other in range(actors):
                    if other != a:
                        consider(
                            x, p, inverse, riders, shares, roots, holds, traits, spans, manners, boxes, places,
                            marks, awake, a, other,
                        )  # fmt: skip
    for actor in range(actors):
        if manners[MANNERS * actor + SELF] > 0.0 and awake[actor] != 0:
            if boxes[BOX * actor + 7] == 0.0:
                place_spheres(x, p, inverse, riders, shares, roots, holds, traits, spans, manners, actor, places)
                boxes[BOX * actor + 7] = 1.0
            for s in range(np.int64(spans[actor]), np.int64(spans[actor + 1])):
                marks[s] = 1
