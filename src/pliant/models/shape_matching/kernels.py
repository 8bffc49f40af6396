# mypy: disallow-untyped-defs=False, check-untyped-defs=False
"""Kernels of shape matching with examples. Numbers in brackets are equations of [Koyama+12]; layout.py draws the data.

A step is three passes, each over blocks that may be shared out among threads, with the weights between:

    describe   A_pq, A_pu of the examples, and the projection on them     a block of 64 regions at a time
    weigh      w of each group                                            a block of 64 groups at a time
    aim        q~ = q + sum w u, the rotation that matches it, the shift  a block of 64 regions at a time
    advance    goals, p = y + alpha (g - x)                               64 particles at a time

Bodies that no cache holds do the last two in one (flow.py).

Sums run in a fixed order inside a block or a particle and no two blocks write the same number, so the result does not
depend on how the blocks were shared out.
"""

import math

import numpy as np

from pliant.models.shape_matching.aim import advance_particles, aim_blocks
from pliant.models.shape_matching.describe import describe_blocks
from pliant.models.shape_matching.flow import edges, flow
from pliant.models.shape_matching.group_sums import sum_groups
from pliant.models.shape_matching.layout import (
    BLOCKS,
    BY_REGION,
    EXAMPLES,
    FAR,
    GROUP_BLOCKS,
    GROUP_WORK,
    GROUPS,
    LANES,
    PAPER_WEIGHTS,
    PROJECTIONS,
    RATE,
    REGION_WORK,
    RESTLESS,
    TRANSFORMS,
    WEIGHTS,
    WORK,
)
from pliant.models.shape_matching.weigh import settle_weights
from pliant.runtime.jit import kernel, part

WHOLE, DESCRIBE, DESCRIBE_AGAIN, WEIGH, WEIGH_AGAIN, AIM, ADVANCE, FLOW, EDGES = range(9)

ROUNDS = 16  # for groups whose weights and rotations have to be brought together: each halves what is left, or better


@kernel("u[] h[] x[] x[] x[] x[] x[] x[] d d i i i i")
def run(ints, near, floats, memory, work, x, y, p, tolerance, rate, stage, first, last, piece):
    """A stage over a range of blocks, or all of them in one call: a call costs as much as
    twenty regions. One kernel for all, so that it is compiled once."""
    examples = np.int64(ints[EXAMPLES])
    if stage == WHOLE:
        first = np.int64(0)
        last = np.int64(ints[BLOCKS])
    h = math.sqrt(rate) / RATE
    rounds = np.int64(1) if stage <= WEIGH_AGAIN else np.int64(0)
    done = np.int64(0)
    while done < rounds:
        again = stage in (DESCRIBE_AGAIN, WEIGH_AGAIN) or done > 0
        if stage < WEIGH:
            describe_blocks(ints, near, floats, memory, work, x, tolerance, first, last, piece, again)
        if stage in (WHOLE, WEIGH, WEIGH_AGAIN) and examples > 0:
            if ints[BY_REGION] != 0:
                f = work[np.int64(ints[REGION_WORK]) + PROJECTIONS * LANES :]
                settle_weights(ints, floats, memory, work, f, np.int64(ints[WORK]), h, first, last, piece, again)
            else:
                sum_groups(ints, work)
                f = work[np.int64(ints[GROUP_WORK]) :]
                groups = np.int64(ints[GROUP_BLOCKS])
                settle_weights(ints, floats, memory, work, f, examples, h, 0, groups, piece, again)
        done += 1
        if stage == WHOLE and done == 1 and any_restless(ints, work):
            rounds = np.int64(ROUNDS)
    transforms = np.int64(ints[TRANSFORMS])
    if (stage == WHOLE and ints[FAR] != 0) or stage == FLOW:
        flow(ints, near, floats, memory, work, x, y, p, tolerance, rate, first, last, piece)
        return
    if stage in (WHOLE, AIM):
        aim_blocks(ints, floats, memory, work, tolerance, first, last, piece, transforms, np.int64(ints[BLOCKS]))
    if stage in (WHOLE, ADVANCE):
        advance_particles(ints, floats, work, x, y, p, rate, LANES * first, LANES * last, transforms)
    if stage == EDGES:
        edges(ints, near, floats, work, x, y, p, rate, first, last)


@part
def any_restless(ints, work):
    """Whether the weights of some group take further rounds."""
    if ints[EXAMPLES] == 0 or ints[PAPER_WEIGHTS] != 0:
        return False
    first = np.int64(ints[RESTLESS])
    found = False
    for group in range(first, first + np.int64(ints[GROUPS])):
        found = found or work[group] != 0
    return found


@kernel("u[] x[] x[] i")
def tell(ints, memory, out, first):
    """The weights of all groups as they were used, rest first, from out[first] on; returns where they end."""
    examples = np.int64(ints[EXAMPLES])
    for group in range(np.int64(ints[GROUPS])):
        block = group // LANES
        lane = group - block * LANES
        rest = memory.dtype.type(1.0)
        for k in range(examples):
            used = memory[np.int64(ints[WEIGHTS]) + (block * examples + k) * LANES + lane]
            out[first + 1 + k] = used
            rest -= used
        out[first] = rest
        first += 1 + examples
    return first
