# mypy: disallow-untyped-defs=False, check-untyped-defs=False
"""Kernels that draw boxes: each actor has an AABB round all that it may touch in the sub-step, and round that a fat
AABB in which it may move before body pairs have to be found anew (body_pair_kernels)."""

import numpy as np

from pliant.runtime.jit import inner, part
from pliant.world.contact.layout import AABB, CANDIDATE_RANGE, DISPLACEMENT, LAST_DISPLACEMENT, MATERIAL, PAD, THICKNESS

U = np.uint64  # unsigned indices: Numba then leaves out the test for negative ones
FAT_MARGIN = 0.75  # of the thickness of its spheres: how far a fat AABB goes beyond the box
FAT_SUBSTEPS = 10.0  # sub-steps: for which it leaves room at the present speed


@inner
def bound_actor(x, p, origins, materials, actor, count, boxes):
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
    pad = (1.0 + CANDIDATE_RANGE) * materials[MATERIAL * actor + PAD]
    b = AABB * actor
    boxes[b], boxes[b + 1], boxes[b + 2] = l0 - pad, l1 - pad, l2 - pad
    boxes[b + 3], boxes[b + 4], boxes[b + 5] = h0 + pad, h1 + pad, h2 + pad


@inner
def overlap(boxes, a, b):
    """Whether two boxes meet."""
    a, b = U(AABB) * U(a), U(AABB) * U(b)
    return (  # no shortcuts: a processor that guesses wrong loses more time than all this takes
        (boxes[a] <= boxes[b + U(3)]) & (boxes[b] <= boxes[a + U(3)])
        & (boxes[a + U(1)] <= boxes[b + U(4)]) & (boxes[b + U(1)] <= boxes[a + U(4)])
        & (boxes[a + U(2)] <= boxes[b + U(5)]) & (boxes[b + U(2)] <= boxes[a + U(5)])
    )  # fmt: skip


@inner
def within(boxes, fat_boxes, actor):
    """Whether an actor is still in its fat AABB."""
    b = AABB * actor
    return (
        boxes[b] >= fat_boxes[b] and boxes[b + 1] >= fat_boxes[b + 1] and boxes[b + 2] >= fat_boxes[b + 2]
        and boxes[b + 3] <= fat_boxes[b + 3] and boxes[b + 4] <= fat_boxes[b + 4] and boxes[b + 5] <= fat_boxes[b + 5]
    )  # fmt: skip


@part
def fatten_boxes(boxes, materials, displacements, fat_boxes):
    """A fat AABB for each actor, round its box."""
    for actor in range(len(boxes) // AABB):
        b, j = AABB * actor, DISPLACEMENT * actor + LAST_DISPLACEMENT
        room = FAT_MARGIN * materials[MATERIAL * actor + THICKNESS]
        for k in range(3):
            reach = room + FAT_SUBSTEPS * (abs(displacements[j + k]) + displacements[j + 3 + k])
            fat_boxes[b + k], fat_boxes[b + 3 + k] = boxes[b + k] - reach, boxes[b + 3 + k] + reach
