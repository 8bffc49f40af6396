"""Kernels of shape matching with examples. Numbers in brackets are equations of [Koyama+12]; layout.py draws the data.

A step is three passes, each over blocks that may be shared out among threads, with the weights between:

    describe   A_pq, A, its rotation and stretch, Q^T (S - S^0)           a block of 64 regions at a time
    weigh      w of each group                                            a block of 64 groups at a time
    transform  S~, the rotation that matches it, R S~ and the shift       a block of 64 regions at a time
    advance    goals, p = y + alpha (g - x)                               64 particles at a time

Sums run in a fixed order inside a block or a particle and no two blocks write the same number, so the result does not
depend on how the blocks were shared out.
"""

import numpy as np

from pliant.jit import kernel, part
from pliant.maths.polar import rotate_block
from pliant.maths.simplex import clamped_weights, clear_rows, convex_weights, multiply_rows
from pliant.models.shape_matching.lanes import (
    blend_block,
    compare_block,
    compose_block,
    project_block,
    spread_block,
    stretch_block,
    times_symmetric,
    transform_block,
)
from pliant.models.shape_matching.layout import (
    BLEND,
    BLENDS,
    BLOCKS,
    BY_REGION,
    CENTRE,
    CENTROID,
    CONSTANT_ROWS,
    COUNT,
    EXAMPLES,
    FACES,
    FIRST,
    FLAG,
    GLOBAL,
    GRADIENT,
    GROUP_BLOCKS,
    GROUP_CONSTANTS,
    GROUP_WORK,
    HELD,
    INVERSE,
    LANES,
    MATCHED,
    MISSING,
    ORIGINS,
    PAPER_ROTATION,
    PAPER_WEIGHTS,
    PROJECTIONS,
    REGION_SPOTS,
    REGION_WORK,
    REGIONS,
    REST,
    RING_MEMBERS,
    RING_ROWS,
    RING_STARTS,
    ROTATIONS,
    SCRATCH,
    SCRATCH_ROWS,
    SHARES,
    STIFFNESS,
    STRETCH,
    STRETCHES,
    THIN,
    TRANSFORM_ROWS,
    TRANSFORMS,
    WEIGH_SCRATCH,
    WEIGHTS,
    WORK_ROWS,
)
from pliant.models.shape_matching.sums import gather, goals, sum_groups

WHOLE, DESCRIBE, WEIGH, TRANSFORM, ADVANCE = range(5)


@part
def block_of(array, start, rows, block):
    """The rows of one block."""
    first = start + block * rows * LANES
    return array[first : first + rows * LANES]


@part
def describe_blocks(ints, floats, memory, work, x, tolerance, first, last, piece):
    count = np.int64(ints[COUNT])
    examples = np.int64(ints[EXAMPLES])
    starts = ints[np.int64(ints[RING_STARTS]) :]
    members = ints[np.int64(ints[RING_MEMBERS]) :]
    rows = floats[np.int64(ints[RING_ROWS]) :]
    own = x[4 * np.int64(ints[FIRST]) :]
    origins = ints[np.int64(ints[ORIGINS]) :]
    thin = ints[THIN] != 0
    aims = np.int64(ints[HELD]) * 6 * examples  # rows that stand behind those of S^k
    scratch = block_of(work, np.int64(ints[SCRATCH]), SCRATCH_ROWS + examples, piece)
    a = scratch[GRADIENT * LANES :]
    s = scratch[STRETCH * LANES :]
    for block in range(first, last):
        w = block_of(work, np.int64(ints[REGION_WORK]), WORK_ROWS + examples, block)
        gather(own, origins, starts, members, rows, block, count, w)
        if examples == 0 and ints[PAPER_ROTATION] == 0:
            continue
        c = block_of(floats, np.int64(ints[REGIONS]), CONSTANT_ROWS + aims + 6 * examples, block)
        q = block_of(memory, np.int64(ints[ROTATIONS]), 8, block)
        missing = c[MISSING * LANES :]
        times_symmetric(w, c[INVERSE * LANES :], a)
        rotate_block(a, missing, q, scratch[FLAG * LANES :], tolerance, thin)
        if examples > 0:
            stretch_block(a, missing, q, s)
            project_block(s, c[STRETCHES * LANES :], examples, w[PROJECTIONS * LANES :])


@part
def weigh_blocks(ints, floats, memory, work, z, z_rows, first, last, piece):
    """(6)(7) the weights of a range of group blocks from their projections z (blocks of `z_rows` rows), and their blend
    U w with the pull towards rest: w_k <- beta w_k. The weights themselves are kept without it."""
    examples = np.int64(ints[EXAMPLES])
    square = examples * examples
    scratch = block_of(work, np.int64(ints[WEIGH_SCRATCH]), 2 * examples + 4, piece)
    constants = floats[np.int64(ints[GROUP_CONSTANTS]) :]
    weights = memory[np.int64(ints[WEIGHTS]) :]
    blends = memory[np.int64(ints[BLENDS]) :]
    zero = work.dtype.type(0)
    one = work.dtype.type(1)
    if examples == 1:
        for block in range(first, last):
            u = block_of(constants, 0, 3, block)
            v = block_of(z, 0, z_rows, block)
            w = block_of(weights, 0, 1, block)
            b = block_of(blends, 0, 1, block)
            for lane in range(LANES):
                value = v[lane] / u[lane]
                value = value if value > zero else zero
                value = value if value < one else one
                w[lane] = value
                b[lane] = value * u[lane] * u[lane + 128]
        return
    if ints[PAPER_WEIGHTS] != 0:
        for block in range(first, last):
            u = block_of(constants, 0, 2 * square + 1, block)
            w = block_of(weights, 0, examples, block)
            b = block_of(blends, 0, examples, block)
            clamped_weights(u[square * LANES :], block_of(z, 0, z_rows, block), w, examples)
            clear_rows(b, examples)
            multiply_rows(u, w, b, examples, False)
    else:
        faces = memory[np.int64(ints[FACES]) :]
        tolerance = 2e-6 if work.itemsize == 4 else 1e-12
        convex_weights(
            constants, z, z_rows, faces, weights, blends, scratch, examples, tolerance, first, last
        )  # fmt: skip
    for block in range(first, last):
        strength = block_of(constants, 0, 2 * square + 1, block)[2 * square * LANES :]
        b = block_of(blends, 0, examples, block)
        for k in range(examples):
            row = b[LANES * k : LANES * (k + 1)]
            for lane in range(LANES):
                row[lane] *= strength[lane]


@part
def transform_blocks(ints, floats, memory, work, tolerance, first, last, piece):
    examples = np.int64(ints[EXAMPLES])
    by_region = ints[BY_REGION] != 0
    is_global = ints[GLOBAL] != 0
    spots = ints[np.int64(ints[REGION_SPOTS]) :]
    thin = ints[THIN] != 0
    aims = np.int64(ints[HELD]) * 6 * examples  # rows that stand behind those of S^k
    scratch = block_of(work, np.int64(ints[SCRATCH]), SCRATCH_ROWS + examples, piece)
    a = scratch[GRADIENT * LANES :]
    s = scratch[STRETCH * LANES :]
    rows = scratch[TRANSFORM_ROWS * LANES :]
    for block in range(first, last):
        w = block_of(work, np.int64(ints[REGION_WORK]), WORK_ROWS + examples, block)
        c = block_of(floats, np.int64(ints[REGIONS]), CONSTANT_ROWS + aims + 6 * examples, block)
        q = block_of(memory, np.int64(ints[ROTATIONS]), 8, block)
        blend = scratch[BLEND * LANES :]
        if examples > 0 and by_region:
            blend = block_of(memory, np.int64(ints[BLENDS]), examples, block)
        elif examples > 0:
            here = spots[block * LANES : (block + 1) * LANES]
            if is_global and here[0] == here[LANES - 1]:
                for k in range(examples):
                    row = blend[k * LANES : (k + 1) * LANES]
                    value = memory[np.int64(here[0]) + k * LANES]
                    for lane in range(LANES):
                        row[lane] = value
            else:
                for lane in range(LANES):
                    for k in range(examples):
                        blend[k * LANES + lane] = memory[np.int64(here[lane]) + k * LANES]
        blend_block(blend, c[(STRETCHES + aims) * LANES :], examples, s)
        if ints[PAPER_ROTATION] == 0:
            # R = polar(A_pq S~): the rotation that matches the deformed rest shape keeps angular momentum.
            times_symmetric(w, s, a)
            relative = q[4 * LANES :]
            if examples == 0:
                q = relative
                rotate_block(a, c[MISSING * LANES :], q, scratch[FLAG * LANES :], tolerance, thin)
            else:
                matched = scratch[MATCHED * LANES :]
                compose_block(q, relative, matched)
                rotate_block(a, c[MISSING * LANES :], matched, scratch[FLAG * LANES :], tolerance, thin)
                compare_block(q, matched, relative)
                q = matched
        transform_block(q, s, c[CENTRE * LANES :], w[CENTROID * LANES :], rows)
        target = np.int64(ints[TRANSFORMS]) + block * LANES * 16
        spread_block(rows, work[target : target + LANES * 16])


@part
def advance_particles(ints, floats, work, x, y, p, rate, first, last):
    start = 4 * np.int64(ints[FIRST])
    goals(
        work[np.int64(ints[TRANSFORMS]) :],
        ints[np.int64(ints[ORIGINS]) :],
        ints[np.int64(ints[RING_STARTS]) :],
        ints[np.int64(ints[RING_MEMBERS]) :],
        floats[np.int64(ints[REST]) :],
        floats[np.int64(ints[SHARES]) :],
        floats[np.int64(ints[STIFFNESS]) :],
        x[start:], y[start:], p[start:], LANES * first, min(LANES * last, np.int64(ints[COUNT])), rate,
    )  # fmt: skip


@kernel("u[] x[] x[] x[] x[] x[] x[] d d i i i i")
def run(ints, floats, memory, work, x, y, p, tolerance, rate, stage, first, last, piece):
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
        describe_blocks(ints, floats, memory, work, x, tolerance, first, last, piece)
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
    if stage in (WHOLE, TRANSFORM):
        transform_blocks(ints, floats, memory, work, tolerance, first, last, piece)
    if stage in (WHOLE, ADVANCE):
        advance_particles(ints, floats, work, x, y, p, rate, first, last)
