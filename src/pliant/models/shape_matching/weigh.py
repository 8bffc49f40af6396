# mypy: disallow-untyped-defs=False, check-untyped-defs=False
"""(6)(7) The weights of the groups, a block of 64 groups at a time."""

import numpy as np

from pliant.examples.plastic_kernels import LASTING_ROWS, RULE_ROWS, flow_plastic, pull_to_plastic
from pliant.maths.simplex import clamped_weights, clear_rows, convex_weights, multiply_rows
from pliant.models.shape_matching.blocks import block_of
from pliant.models.shape_matching.layout import (
    BEFORE,
    BLENDS,
    BY_REGION,
    EXAMPLES,
    FACES,
    GROUP_CONSTANTS,
    GROUPS,
    LANES,
    LASTING,
    PAPER_WEIGHTS,
    PLASTIC,
    RELIEF,
    RELIEVED,
    RESTLESS,
    RULES,
    SETTLED,
    WEIGH_SCRATCH,
    WEIGHTS,
)
from pliant.runtime.jit import part

# of a weight, in one step: a smaller jump would be met by groups that only vibrate
JUMPED = 0.1


@part
def weigh_blocks(ints, floats, memory, work, f, f_rows, first, last, piece):
    """(6)(7) the weights of a range of group blocks from their projections f (blocks of `f_rows` rows).

    Exact: argmin over convex w of  w' G w / beta - 2 f w,  the energy of the goals plus a pull towards rest, so that
    the forces are its gradient; where no bound is met that is w_k <- beta w_k, as in the paper. With G = U' U and
    z = U^-T f it is |U w - beta z|^2. Paper: f is z itself; beta times the clamped weights. Where weights stay, the
    pull is towards them."""
    examples = np.int64(ints[EXAMPLES])
    square = examples * examples
    scratch = block_of(work, np.int64(ints[WEIGH_SCRATCH]), 2 * examples + 4, piece)
    constants = floats[np.int64(ints[GROUP_CONSTANTS]) :]
    weights = memory[np.int64(ints[WEIGHTS]) :]
    paper = ints[PAPER_WEIGHTS] != 0
    plastic = ints[PLASTIC] != 0
    lasting = memory[np.int64(ints[LASTING]) :]
    if ints[RELIEVED] != 0:
        for block in range(first, last):
            ends = block_of(floats, np.int64(ints[RELIEF]), 2 * examples, block)
            relieve(ends, block_of(weights, 0, examples, block), block_of(f, 0, f_rows, block), scratch, examples)
    if examples == 1:
        for block in range(first, last):
            stays = block_of(lasting, 0, 1 + LASTING_ROWS, block)
            z = block_of(f, 0, f_rows, block)
            weigh_one(block_of(constants, 0, 3, block), z, weights[block * LANES :], paper, stays, plastic)
        return
    for block in range(first, last):
        u = block_of(constants, 0, 2 * square + 1, block)
        z = block_of(f, 0, f_rows, block)
        strength = u[2 * square * LANES :]
        if paper:
            w = block_of(weights, 0, examples, block)
            clamped_weights(u[square * LANES :], z, w, examples)
            scale_rows(w, strength, examples)
            if plastic:
                stays = block_of(lasting, 0, examples + LASTING_ROWS, block)
                for j in range(examples * LANES):
                    w[j] += (w.dtype.type(1) - strength[j & (LANES - 1)]) * stays[j]
            continue
        clear_rows(scratch, examples)
        multiply_rows(u[square * LANES :], z, scratch, examples, True, LANES)
        for j in range(examples * LANES):
            z[j] = scratch[j] * strength[j & (LANES - 1)]
        if plastic:
            stays = block_of(lasting, 0, examples + LASTING_ROWS, block)
            pull_to_plastic(u, strength, stays, z, scratch, examples)
    if not paper:
        faces = memory[np.int64(ints[FACES]) :]
        blends = work[np.int64(ints[BLENDS]) :]
        tolerance = 2e-6 if work.itemsize == 4 else 1e-12
        convex_weights(
            constants, f, f_rows, faces, weights, blends, scratch, examples, tolerance, first, last,
            np.int64(ints[GROUPS]),
        )  # fmt: skip


@part
def settle_weights(ints, floats, memory, work, f, f_rows, h, first, last, piece, again):
    """One round of weights. Rotations were matched to the weights of the last step, weights are found with these
    rotations: by turns, a round a step, which follows any motion. A group that begins, or that is all at once in
    another shape, is marked RESTLESS and takes further rounds until both agree; the others keep what the first gave.
    Before all that, what was in force in the last step, of h (s), draws the weights that stay."""
    examples = np.int64(ints[EXAMPLES])
    weigh = memory[np.int64(ints[WEIGHTS]) :]
    before = work[np.int64(ints[BEFORE]) :]
    settled = memory[np.int64(ints[SETTLED]) :]
    restless = work[np.int64(ints[RESTLESS]) :]
    together = ints[BY_REGION] == 0
    one = work.dtype.type(1)
    zero = work.dtype.type(0)
    if not again:
        for j in range(first * examples * LANES, last * examples * LANES):
            before[j] = weigh[j]
        if ints[PLASTIC] != 0:
            for block in range(first, last):
                stays = block_of(memory, np.int64(ints[LASTING]), examples + LASTING_ROWS, block)
                rules = block_of(floats, np.int64(ints[RULES]), RULE_ROWS, block)
                flow_plastic(block_of(weigh, 0, examples, block), stays, rules, examples, h)
    weigh_blocks(ints, floats, memory, work, f, f_rows, first, last, piece)
    for block in range(first, last):
        w = block_of(weigh, 0, examples, block)
        b = block_of(before, 0, examples, block)
        s = block_of(settled, 0, 1, block)
        r = block_of(restless, 0, 1, block)
        if not again:
            for lane in range(LANES):
                r[lane] = one if s[lane] == zero else zero
                s[lane] = one
        for k in range(examples):
            for lane in range(LANES):
                j = k * LANES + lane
                if not again:
                    if together and abs(w[j] - b[j]) > JUMPED:
                        r[lane] = one
                    b[j] = w[j]
                elif r[lane] == zero:
                    w[j] = b[j]


@part
def relieve(ends, w, f, scratch, examples):
    """f_k + 1/2 d/dw_k of  sum_j 16 w_0^2 w_j^2 (a_j w_0 + b_j w_j),  w_0 = 1 - sum w (relief.py): the residual of the
    blends is taken out of the energy, to first order about the weights of the last round."""
    one = f.dtype.type(1)
    eight = f.dtype.type(8)
    rest = scratch[:LANES]
    less = scratch[LANES : 2 * LANES]
    for lane in range(LANES):
        rest[lane] = one
        less[lane] = f.dtype.type(0)
    for j in range(examples * LANES):
        rest[j & (LANES - 1)] -= w[j]
    for k in range(examples):
        for lane in range(LANES):
            j = k * LANES + lane
            a = ends[2 * k * LANES + lane]
            b = ends[(2 * k + 1) * LANES + lane]
            here = a * rest[lane] + b * w[j]
            f[j] += eight * rest[lane] * rest[lane] * w[j] * (here + here + b * w[j])
            less[lane] += eight * w[j] * w[j] * rest[lane] * (here + here + a * rest[lane])
    for j in range(examples * LANES):
        f[j] -= less[j & (LANES - 1)]


@part
def weigh_one(u, f, w, paper, stays, plastic):
    """The same for one example: w = f / U^2 within its bounds, and beta before them; or z / U, and beta after them."""
    zero = w.dtype.type(0)
    one = w.dtype.type(1)
    strength = u[2 * LANES : 3 * LANES]
    for lane in range(LANES):
        value = f[lane] / u[lane]
        value = value if paper else value / u[lane] * strength[lane]
        if plastic and not paper:
            value += (one - strength[lane]) * stays[lane]
        value = value if value > zero else zero
        value = value if value < one else one
        w[lane] = value * strength[lane] if paper else value
        if plastic and paper:
            w[lane] += (one - strength[lane]) * stays[lane]


@part
def scale_rows(rows, factors, count):
    for k in range(count):
        row = rows[LANES * k : LANES * (k + 1)]
        for lane in range(LANES):
            row[lane] *= factors[lane]
