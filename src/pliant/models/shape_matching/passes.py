"""The passes of a step over ranges of blocks (kernels.py says which). Bodies that no cache holds (FAR) ask for the
numbers of the next block while they work on this one: waiting for memory would take as long as all the sums."""

import numpy as np

from pliant.instructions import prefetch
from pliant.jit import inline, part
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
    weigh_block,
    with_given,
    without_given,
)
from pliant.models.shape_matching.layout import (
    BLEND,
    BLENDS,
    BLOCKS,
    BY_REGION,
    CENTRE,
    CENTROID,
    CONSTANT_ROWS,
    CONSTANTS,
    COUNT,
    EVERYWHERE,
    EXAMPLES,
    FACES,
    FAR,
    FIRST,
    FLAG,
    FORCED,
    GIVEN,
    GIVEN_AIM,
    GLOBAL,
    GRADIENT,
    GROUP_CONSTANTS,
    GROUPS,
    HELD,
    INVERSE,
    LANES,
    MASSES,
    MATCHED,
    MIDDLE,
    MISSING,
    ORIGINS,
    PAPER_ROTATION,
    PAPER_WEIGHTS,
    PROJECTIONS,
    REACH,
    REGION_SPOTS,
    REGION_WEIGHTS,
    REGION_WORK,
    REGIONS,
    REMAINDER,
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
    UNEVEN,
    WEIGH_SCRATCH,
    WEIGHTS,
    WORK_ROWS,
)
from pliant.models.shape_matching.sums import U, gather, gather_from_rest, goals


@inline
def block_of(array, start, rows, block):
    """The rows of one block."""
    first = start + block * rows * LANES
    return array[first : first + rows * LANES]


@part
def fetch(array, first, last):
    """Ask for a stretch of memory ahead of its use."""
    for at in range(first, last, 16):
        prefetch(array, at)


@part
def describe_blocks(ints, near, floats, memory, work, x, tolerance, first, last, piece):
    count = np.int64(ints[COUNT])
    examples = np.int64(ints[EXAMPLES])
    starts = ints[np.int64(ints[RING_STARTS]) :]
    members = ints[np.int64(ints[RING_MEMBERS]) :]
    rows = floats[np.int64(ints[RING_ROWS]) :]
    rest = floats[np.int64(ints[REST]) :]
    masses = floats[np.int64(ints[MASSES]) :]
    far = ints[FAR] != 0
    own = x[4 * np.int64(ints[FIRST]) :]
    origins = ints[np.int64(ints[ORIGINS]) :]
    thin = ints[THIN] != 0
    aims = np.int64(ints[HELD]) * 6 * examples  # rows that stand behind those of S^k
    scratch = block_of(work, np.int64(ints[SCRATCH]), SCRATCH_ROWS + examples, piece)
    a = scratch[GRADIENT * LANES :]
    s = scratch[STRETCH * LANES :]
    for block in range(first, last):
        w = block_of(work, np.int64(ints[REGION_WORK]), WORK_ROWS + examples, block)
        c = block_of(floats, np.int64(ints[REGIONS]), np.int64(ints[CONSTANTS]), block)
        if far:
            ahead = min(block + 1, np.int64(ints[BLOCKS]) - 1)
            gather_from_rest(
                own, origins, starts, near, rest, masses, c, block, count, np.int64(ints[REACH]), w, examples,
                block_of(floats, np.int64(ints[REGIONS]), np.int64(ints[CONSTANTS]), ahead),
                block_of(memory, np.int64(ints[ROTATIONS]), 8, ahead),
                block_of(work, np.int64(ints[REGION_WORK]), WORK_ROWS + examples, ahead),
            )  # fmt: skip
        else:
            gather(own, origins, starts, members, rows, block, count, w)
        if examples == 0 and ints[PAPER_ROTATION] == 0:
            continue
        q = block_of(memory, np.int64(ints[ROTATIONS]), 8, block)
        missing = c[MISSING * LANES :]
        times_symmetric(w, c[INVERSE * LANES :], a)
        rotate_block(a, missing, q, scratch[FLAG * LANES :], tolerance, thin)
        if examples > 0:
            stretch_block(a, missing, q, s, thin)
            if ints[FORCED] != 0:
                last_rows = c[(CONSTANT_ROWS + aims + 6 * examples) * LANES :]
                without_given(s, last_rows[GIVEN * LANES :], last_rows[REMAINDER * LANES :])
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
            multiply_rows(u, w, b, examples, False, LANES)
    else:
        faces = memory[np.int64(ints[FACES]) :]
        groups = np.int64(ints[GROUPS])
        tolerance = 2e-6 if work.itemsize == 4 else 1e-12
        convex_weights(
            constants, z, z_rows, faces, weights, blends, scratch, examples, tolerance, first, last, groups
        )  # fmt: skip
    for block in range(first, last):
        strength = block_of(constants, 0, 2 * square + 1, block)[2 * square * LANES :]
        b = block_of(blends, 0, examples, block)
        for k in range(examples):
            row = b[LANES * k : LANES * (k + 1)]
            for lane in range(LANES):
                row[lane] *= strength[lane]


@part
def transform_blocks(ints, floats, memory, work, tolerance, first, last, piece, start, kept):
    """R S~ and the shift of a range of blocks, to transforms that stand at `start` and begin anew after so many blocks.
    """
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
    far = ints[FAR] != 0
    for block in range(first, last):
        w = block_of(work, np.int64(ints[REGION_WORK]), WORK_ROWS + examples, block)
        c = block_of(floats, np.int64(ints[REGIONS]), np.int64(ints[CONSTANTS]), block)
        q = block_of(memory, np.int64(ints[ROTATIONS]), 8, block)
        # What the next block needs is asked for in small portions between the parts of this one.
        ahead = min(block + 1, np.int64(ints[BLOCKS]) - 1)
        next_c = block_of(floats, np.int64(ints[REGIONS]), np.int64(ints[CONSTANTS]), ahead)
        next_q = block_of(memory, np.int64(ints[ROTATIONS]), 8, ahead)
        next_w = block_of(work, np.int64(ints[REGION_WORK]), WORK_ROWS + examples, ahead)
        if far:
            fetch(next_c, CENTRE * LANES, (CENTRE + 3) * LANES)
            fetch(next_q, 0, 4 * LANES)
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
        if ints[FORCED] != 0:
            last_rows = c[(CONSTANT_ROWS + aims + 6 * examples) * LANES :]
            with_given(s, last_rows[GIVEN_AIM * LANES :], last_rows[REMAINDER * LANES :])
        if far:
            fetch(next_c, (STRETCHES + aims) * LANES, (STRETCHES + aims + 6 * examples) * LANES)
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
                if far:
                    fetch(next_w, 0, 6 * LANES)
                rotate_block(a, c[MISSING * LANES :], matched, scratch[FLAG * LANES :], tolerance, thin)
                compare_block(q, matched, relative)
                q = matched
        if far:
            fetch(next_w, 6 * LANES, 12 * LANES)
        transform_block(q, s, c[CENTRE * LANES :], w[CENTROID * LANES :], rows)
        if ints[UNEVEN] != 0:
            weigh_block(rows, block_of(floats, np.int64(ints[REGION_WEIGHTS]), 1, block))
        if far:
            fetch(next_q, 4 * LANES, 8 * LANES)
        target = start + block % kept * LANES * 16
        spread_block(rows, work[target : target + LANES * 16])


@inline
def advance_particles(ints, floats, work, x, y, p, rate, first, last, transforms):
    own = 4 * np.int64(ints[FIRST])
    goals(
        work[transforms:],
        EVERYWHERE,
        ints[np.int64(ints[ORIGINS]) :],
        ints[np.int64(ints[RING_STARTS]) :],
        ints[np.int64(ints[RING_MEMBERS]) :],
        U(4), U(0), U(0),
        floats[np.int64(ints[REST]) :],
        floats[np.int64(ints[SHARES]) :],
        floats[np.int64(ints[STIFFNESS]) :],
        x[own:], y[own:], p[own:], first, min(last, np.int64(ints[COUNT])), rate,
    )  # fmt: skip


@inline
def advance_near(ints, near, floats, work, x, y, p, rate, first, last, transforms, base, size):
    """The same from the numbers in `near`, that of the first particle itself being at `base` in the transforms. Fewer
    particles than the transforms that are kept."""
    own = 4 * np.int64(ints[FIRST])
    goals(
        work[transforms:],
        size,
        ints[np.int64(ints[ORIGINS]) :],
        ints[np.int64(ints[RING_STARTS]) :],
        near,
        U(16), U(16), base - U(16 * MIDDLE),
        floats[np.int64(ints[REST]) :],
        floats[np.int64(ints[SHARES]) :],
        floats[np.int64(ints[STIFFNESS]) :],
        x[own:], y[own:], p[own:], first, min(last, np.int64(ints[COUNT])), rate,
    )  # fmt: skip
