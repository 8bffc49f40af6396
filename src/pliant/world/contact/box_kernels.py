"""Kernels that draw boxes: each actor has one round all that it may touch in the sub-step, and a field round its box in
which it may move before couples have to be found anew (couple_kernels)."""

import numpy as np

from pliant.runtime.jit import inner, part
from pliant.world.contact.layout import BOX, JOURNEY, LATELY, MANNERS, MARGIN, PAD, THICK

U = np.uint64  # unsigned indices: Numba then leaves out the test for negative ones
ROOM = 0.75  # of the thickness of its spheres: how far a field goes beyond the box
ONWARD = 10.0  # sub-steps: for which it leaves room at the present speed


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
