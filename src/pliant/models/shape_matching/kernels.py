"""Kernels of shape matching with examples. Numbers in brackets are equations of [Koyama+12]; layout.py draws the data.

A step is three passes, each over blocks that may be shared out among threads, with the weights between:

    describe   A_pq, A, its rotation and stretch, Q^T (S - S^0)           a block of 64 regions at a time
    weigh      w of each group                                            a block of 64 groups at a time
    transform  S~, the rotation that matches it, R S~ and the shift       a block of 64 regions at a time
    advance    goals, p = y + alpha (g - x)                               64 particles at a time

Bodies that no cache holds do the last two in one (flow.py).

Sums run in a fixed order inside a block or a particle and no two blocks write the same number, so the result does not
depend on how the blocks were shared out.
"""

import numpy as np

from pliant.jit import kernel
from pliant.models.shape_matching.flow import edges, flow
from pliant.models.shape_matching.layout import (
    BLOCKS,
    BY_REGION,
    EXAMPLES,
    FAR,
    GROUP_BLOCKS,
    GROUP_CONSTANTS,
    GROUP_WORK,
    GROUPS,
    LANES,
    PROJECTIONS,
    REGION_WORK,
    TRANSFORMS,
    WEIGHTS,
    WORK_ROWS,
)
from pliant.models.shape_matching.passes import advance_particles, describe_blocks, transform_blocks, weigh_blocks
from pliant.models.shape_matching.sums import sum_groups

WHOLE, DESCRIBE, WEIGH, TRANSFORM, ADVANCE, FLOW, EDGES = range(7)


@kernel("u[] h[] x[] x[] x[] x[] x[] x[] d d i i i i")
def run(ints, near, floats, memory, work, x, y, p, tolerance, rate, stage, first, last, piece):
    """A stage over a range of blocks, or all of them in one call: a call costs as much as
    twenty regions. One kernel for all, so that it is compiled once."""
    examples = np.int64(ints[EXAMPLES])
    by_region = ints[BY_REGION] != 0
    z = work[np.int64(ints[REGION_WORK]) + PROJECTIONS * LANES :]
    z_rows = WORK_ROWS + examples
    group_first = first
    group_last = last
    if stage == WHOLE:
        first = np.int64(0)
        last = np.int64(ints[BLOCKS])
    if stage in (WHOLE, DESCRIBE):
        describe_blocks(ints, near, floats, memory, work, x, tolerance, first, last, piece)
    if (stage in (WHOLE, WEIGH)) and examples > 0:
        if by_region:
            group_first = first
            group_last = last
        else:
            sum_groups(ints, work)
            z = work[np.int64(ints[GROUP_WORK]) :]
            z_rows = examples
            group_first = np.int64(0)
            group_last = np.int64(ints[GROUP_BLOCKS])
        weigh_blocks(ints, floats, memory, work, z, z_rows, group_first, group_last, piece)
    transforms = np.int64(ints[TRANSFORMS])
    if (stage == WHOLE and ints[FAR] != 0) or stage == FLOW:
        flow(ints, near, floats, memory, work, x, y, p, tolerance, rate, first, last, piece)
        return
    if stage in (WHOLE, TRANSFORM):
        transform_blocks(ints, floats, memory, work, tolerance, first, last, piece, transforms, np.int64(ints[BLOCKS]))
    if stage in (WHOLE, ADVANCE):
        advance_particles(ints, floats, work, x, y, p, rate, LANES * first, LANES * last, transforms)
    if stage == EDGES:
        edges(ints, near, floats, work, x, y, p, rate, first, last)


@kernel("u[] x[] x[] x[] i")
def tell(ints, floats, memory, out, first):
    """The weights of all groups as they were used, rest first, from out[first] on; returns where they end."""
    examples = np.int64(ints[EXAMPLES])
    rows = 2 * examples * examples + 1  # of a block of group constants; the last one is the strength
    for group in range(np.int64(ints[GROUPS])):
        block = group // LANES
        lane = group - block * LANES
        strength = floats[np.int64(ints[GROUP_CONSTANTS]) + (block * rows + rows - 1) * LANES + lane]
        rest = floats.dtype.type(1.0)
        for k in range(examples):
            used = strength * memory[np.int64(ints[WEIGHTS]) + (block * examples + k) * LANES + lane]
            out[first + 1 + k] = used
            rest -= used
        out[first] = rest
        first += 1 + examples
    return first
