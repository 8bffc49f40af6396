# mypy: disallow-untyped-defs=False, check-untyped-defs=False
"""The weights of the groups, a block of 64 groups at a time."""

import numpy as np

from pliant.examples.plastic_kernels import LASTING_ROWS, RULE_ROWS, flow_plastic, pull_to_plastic
from pliant.maths.simplex import clear_rows, convex_weights, multiply_rows
from pliant.models.clusters.layout import (
    BLENDS,
    COLUMNS,
    EXAMPLES,
    FACES,
    GROUP_BLOCKS,
    GROUP_ROWS,
    GROUP_SPOTS,
    GROUP_STARTS,
    GROUPS,
    LANE_CONSTANTS,
    LANE_SPOTS,
    LANES,
    LASTING,
    PLASTIC,
    REMAINDER,
    RULES,
    WEIGH_SCRATCH,
    WEIGHTS,
    WISHES,
)
from pliant.runtime.jit import part


@part
def weigh(ints, floats, memory, work, h):
    """Sums over the clusters of each group, then  w = argmin w' G w / beta - 2 f' w,  convex. With G = U' U and
    z = U^-T f it is |U w - beta z|^2. Where weights stay, those of the last step, of h (s), draw them first, and the
    pull is towards them."""
    examples = np.int64(ints[EXAMPLES])
    groups = np.int64(ints[GROUPS])
    starts = ints[np.int64(ints[GROUP_STARTS]) :]
    spots = ints[np.int64(ints[GROUP_SPOTS]) :]
    wishes = work[np.int64(ints[WISHES]) :]
    weights = memory[np.int64(ints[WEIGHTS]) :]
    rows = floats[np.int64(ints[GROUP_ROWS]) :]
    for group in range(groups):
        to = group // LANES * examples * LANES + group % LANES
        for k in range(examples):
            total = work.dtype.type(0)
            for place in range(np.int64(starts[group]), np.int64(starts[group + 1])):
                total += work[np.int64(spots[place]) + k * LANES]
            wishes[to + k * LANES] = total
    blocks = np.int64(ints[GROUP_BLOCKS])
    plastic = ints[PLASTIC] != 0
    lasting = memory[np.int64(ints[LASTING]) :]
    if plastic:
        rules = floats[np.int64(ints[RULES]) :]
        for block in range(blocks):
            stays = lasting[block * (examples + LASTING_ROWS) * LANES :]
            flow_plastic(weights[block * examples * LANES :], stays, rules[block * RULE_ROWS * LANES :], examples, h)
    if examples == 1:
        weigh_one(rows, wishes, weights, blocks, lasting, plastic)
        return
    square = examples * examples
    scratch = work[np.int64(ints[WEIGH_SCRATCH]) :]
    for block in range(blocks):
        u = rows[block * (2 * square + 1) * LANES :]
        z = wishes[block * examples * LANES :]
        strength = u[2 * square * LANES :]
        clear_rows(scratch, examples)
        multiply_rows(u[square * LANES :], z, scratch, examples, True, LANES)
        for j in range(examples * LANES):
            z[j] = scratch[j] * strength[j & (LANES - 1)]
        if plastic:
            pull_to_plastic(u, strength, lasting[block * (examples + LASTING_ROWS) * LANES :], z, scratch, examples)
    tolerance = 2e-6 if work.itemsize == 4 else 1e-12
    convex_weights(
        rows, wishes, examples, memory[np.int64(ints[FACES]) :], weights, work[np.int64(ints[BLENDS]) :], scratch,
        examples, tolerance, 0, blocks, groups,
    )  # fmt: skip


@part
def weigh_one(rows, wishes, weights, blocks, lasting, plastic):
    """The same for one example: w = beta f / U^2 within its bounds."""
    zero = weights.dtype.type(0)
    one = weights.dtype.type(1)
    for block in range(blocks):
        u = rows[3 * block * LANES : 3 * (block + 1) * LANES]
        for lane in range(LANES):
            value = wishes[block * LANES + lane] / (u[lane] * u[lane]) * u[2 * LANES + lane]
            if plastic:
                value += (one - u[2 * LANES + lane]) * lasting[block * (1 + LASTING_ROWS) * LANES + lane]
            value = value if value > zero else zero
            weights[block * LANES + lane] = value if value < one else one


@part
def mix_block(ints, memory, constants, block, mix):
    """How much of each pose the clusters of a block aim at: what the given weights leave, shared out by those that were
    found; then the given ones."""
    examples = np.int64(ints[EXAMPLES])
    columns = np.int64(ints[COLUMNS])
    spots = ints[np.int64(ints[LANE_SPOTS]) + block * LANES :]
    remainder = constants[REMAINDER * LANES :]
    for k in range(examples):
        for lane in range(LANES):
            mix[k * LANES + lane] = remainder[lane] * memory[np.int64(spots[lane]) + k * LANES]
    for j in range(examples * LANES, columns * LANES):
        mix[j] = constants[LANE_CONSTANTS * LANES + j]
