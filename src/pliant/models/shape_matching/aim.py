# mypy: disallow-untyped-defs=False, check-untyped-defs=False
"""(3) Where the regions of a range of blocks take their particles, and (4)(5) how far these go."""

import numpy as np

from pliant.maths.polar import rotate_block
from pliant.models.shape_matching.blocks import block_of, fetch
from pliant.models.shape_matching.describe import mix_block
from pliant.models.shape_matching.lanes import (
    add_pose,
    blend_moments,
    rotation_rows,
    transform_block,
    weigh_block,
)
from pliant.models.shape_matching.layout import (
    BLEND,
    BLOCKS,
    CENTRE,
    CENTROID,
    COLUMNS,
    CONSTANT_ROWS,
    CONSTANTS,
    COUNT,
    EVERYWHERE,
    EXAMPLES,
    FAR,
    FIRST,
    FLAG,
    GRADIENT,
    LANES,
    MIDDLE,
    MISSING,
    ORIGINS,
    PAPER_ROTATION,
    POSE_ROWS,
    PROJECTIONS,
    REGION_WEIGHTS,
    REGION_WORK,
    REGIONS,
    RING_MEMBERS,
    RING_STARTS,
    ROTATIONS,
    SCRATCH,
    SCRATCH_ROWS,
    SHAPES,
    SHARES,
    STIFFNESS,
    THIN,
    TILE_ROWS,
    TILES,
    UNEVEN,
    WORK,
)
from pliant.models.shape_matching.rings import U16, U, advance, columns_of_regions
from pliant.runtime.jit import inline, part


@part
def aim_blocks(ints, floats, memory, work, tolerance, first, last, piece, start, kept):
    """The transforms of a range of blocks, to rows that stand at `start` and begin anew after so many blocks."""
    columns = np.int64(ints[COLUMNS])
    examples = np.int64(ints[EXAMPLES])
    tiles = np.int64(ints[TILES])
    thin = ints[THIN] != 0
    scratch = block_of(work, np.int64(ints[SCRATCH]), SCRATCH_ROWS + columns + TILE_ROWS * tiles, piece)
    a = scratch[GRADIENT * LANES :]
    mix = scratch[BLEND * LANES :]
    rows = scratch[(BLEND + columns) * LANES : (BLEND + columns + 16 * tiles) * LANES]
    far = ints[FAR] != 0
    for block in range(first, last):
        w = block_of(work, np.int64(ints[REGION_WORK]), np.int64(ints[WORK]), block)
        c = block_of(floats, np.int64(ints[REGIONS]), np.int64(ints[CONSTANTS]), block)
        q = block_of(memory, np.int64(ints[ROTATIONS]), 8, block)
        # What the next block needs is asked for in small portions between the parts of this one.
        ahead = min(block + 1, np.int64(ints[BLOCKS]) - 1)
        next_c = block_of(floats, np.int64(ints[REGIONS]), np.int64(ints[CONSTANTS]), ahead)
        next_q = block_of(memory, np.int64(ints[ROTATIONS]), 8, ahead)
        next_w = block_of(work, np.int64(ints[REGION_WORK]), np.int64(ints[WORK]), ahead)
        if far:
            fetch(next_c, CENTRE * LANES, (CENTRE + 3) * LANES)
            fetch(next_q, 4 * LANES, 8 * LANES)
        if columns > 0:
            mix_block(ints, memory, c, block, mix)
        if ints[PAPER_ROTATION] == 0:
            # R = polar(A_pq~): the rotation that matches the blended shape keeps angular momentum.
            q = q[4 * LANES :]
            blend_moments(w, w[(PROJECTIONS + examples) * LANES :], mix, columns, a)
            if far:
                fetch(next_w, 0, 6 * LANES)
            rotate_block(a, c[MISSING * LANES :], q, scratch[FLAG * LANES :], tolerance, thin)
        if far:
            fetch(next_w, 6 * LANES, 12 * LANES)
        rotation_rows(q, a)
        transform_block(a, c[CENTRE * LANES :], w[CENTROID * LANES :], rows)
        for k in range(columns):
            at = CONSTANT_ROWS + POSE_ROWS * k
            if far:
                fetch(next_c, at * LANES, (at + POSE_ROWS) * LANES)
                fetch(next_w, (PROJECTIONS + examples + 9 * k) * LANES, (PROJECTIONS + examples + 9 * k + 9) * LANES)
            own = rows[4 * (4 + 3 * k) * LANES :]
            add_pose(a, c[CENTRE * LANES :], c[at * LANES :], mix[k * LANES :], rows, own)
        if ints[UNEVEN] != 0:
            weigh_block(rows, 16 * tiles, block_of(floats, np.int64(ints[REGION_WEIGHTS]), 1, block))
        target = start + block % kept * LANES * 16 * tiles
        columns_of_regions(rows, U(tiles), work, U(target))


@inline
def advance_particles(ints, floats, work, x, y, p, rate, first, last, transforms):
    own = 4 * np.int64(ints[FIRST])
    advance(
        work[transforms:],
        EVERYWHERE,
        ints[np.int64(ints[ORIGINS]) :],
        ints[np.int64(ints[RING_STARTS]) :],
        ints[np.int64(ints[RING_MEMBERS]) :],
        U16 * U(ints[TILES]), U(0), U(0), U(ints[TILES]),
        floats[np.int64(ints[SHAPES]) :],
        floats[np.int64(ints[SHARES]) :],
        floats[np.int64(ints[STIFFNESS]) :],
        x[own:], y[own:], p[own:], first, min(last, np.int64(ints[COUNT])), rate,
    )  # fmt: skip


@inline
def advance_near(ints, near, floats, work, x, y, p, rate, first, last, transforms, base, size):
    """The same from the numbers in `near`, the first particle's own transform being at `base`. Fewer particles than the
    transforms that are kept."""
    own = 4 * np.int64(ints[FIRST])
    each = U16 * U(ints[TILES])
    advance(
        work[transforms:],
        size,
        ints[np.int64(ints[ORIGINS]) :],
        ints[np.int64(ints[RING_STARTS]) :],
        near,
        each, each, base - each * U(MIDDLE), U(ints[TILES]),
        floats[np.int64(ints[SHAPES]) :],
        floats[np.int64(ints[SHARES]) :],
        floats[np.int64(ints[STIFFNESS]) :],
        x[own:], y[own:], p[own:], first, min(last, np.int64(ints[COUNT])), rate,
    )  # fmt: skip
