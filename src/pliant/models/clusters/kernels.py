# mypy: disallow-untyped-defs=False, check-untyped-defs=False
"""Kernels of clusters; layout.py draws the data. A step:

    describe   A~, its products with rest and the poses, and the projection on these    a block of 64 clusters at a time
    weigh      w of each group                                                          a block of 64 groups at a time
    aim        the rotation that matches the blend, goals, p = y + alpha (g - x)        a block of 64 clusters at a time

Blocks of clusters that share no particles may be shared out among threads.
"""

import numpy as np

from pliant.maths.polar import rotate_block
from pliant.models.clusters.lanes import (
    add_rest,
    blend_products,
    keep_volume,
    product_with,
    project,
    rotation_rows,
    transform,
)
from pliant.models.clusters.layout import (
    ALPHA,
    BLEND,
    BLOCK_TABLE,
    BLOCK_WORDS,
    BLOCKS,
    COLUMNS,
    ENERGY,
    EXAMPLES,
    FIRST_MEMBER,
    FIRST_ROW,
    FIRST_SHAPE,
    FIRSTS,
    FLAG,
    FUNCTIONS,
    LANE_CONSTANTS,
    LANE_ROWS,
    LANES,
    MATCHED,
    MEMBERS,
    MISSING,
    PARTICLES,
    PLACES,
    ROTATIONS,
    SCRATCH,
    SHAPES,
    TABLES,
    THIN,
    TURN,
    USED,
    WORK,
)
from pliant.models.clusters.places import advance, measure
from pliant.models.clusters.weigh import mix_block, weigh
from pliant.runtime.jit import inline, kernel, part

WHOLE, DESCRIBE, WEIGH, AIM = range(4)


@kernel("u[] x[] x[] x[] x[] x[] u[] d d i i i i")
def run(ints, floats, memory, work, x, p, awake, tolerance, h, stage, first, last, piece):
    """A stage over a range of blocks, or all of them in one call. awake: of each block, whether it is to be played.
    h: s, of the step."""
    if stage == WHOLE:
        first = np.int64(0)
        last = np.int64(ints[BLOCKS])
    examples = np.int64(ints[EXAMPLES])
    if stage in (WHOLE, DESCRIBE):
        for block in range(first, last):
            if awake[block] != 0:
                describe(ints, floats, memory, work, x, tolerance, block, piece)
    if stage in (WHOLE, WEIGH) and examples > 0:
        weigh(ints, floats, memory, work, h)
    if stage in (WHOLE, AIM):
        for block in range(first, last):
            if awake[block] != 0:
                aim(ints, floats, memory, work, x, p, tolerance, block, piece)


@part
def describe(ints, floats, memory, work, x, tolerance, block, piece):
    """[Mueller+05] (7)(14) the moments of a block, and how far it goes along each example."""
    functions = np.int64(ints[FUNCTIONS])
    examples = np.int64(ints[EXAMPLES])
    columns = np.int64(ints[COLUMNS])
    about = ints[np.int64(ints[BLOCK_TABLE]) + BLOCK_WORDS * block :]
    scratch = scratch_of(ints, work, functions, columns, piece)
    w = rows_of(work, np.int64(ints[WORK]), 3 * (functions + 1) + 9 * (columns + 3) + examples, block)
    small = w[3 * (functions + 1) * LANES :]
    turn = small[9 * LANES :]
    rotation_rows(rows_of(memory, np.int64(ints[ROTATIONS]), 4, block), turn)
    measure(
        x,
        ints[np.int64(ints[FIRSTS]) + LANES * block :],
        ints[np.int64(ints[MEMBERS]) + np.int64(about[FIRST_MEMBER]) :],
        floats[np.int64(ints[TABLES]) + np.int64(about[FIRST_ROW]) :],
        np.int64(about[PARTICLES]), functions + 1, (np.int64(about[USED]) + 7) // 8 * 8, turn,
        scratch[PLACES * LANES :], w,
    )  # fmt: skip
    shapes = floats[np.int64(ints[SHAPES]) + np.int64(about[FIRST_SHAPE]) :]
    add_rest(turn, shapes[functions + 2 :], w, small)
    products = turn[9 * LANES :]
    for k in range(columns + 1):
        shape = shapes[functions + 2 + 3 * functions * k :]
        product_with(w, shapes, shape, functions, products[9 * k * LANES :])
    fill_idle(products, 9 * (columns + 1), np.int64(about[USED]))
    if examples == 0:
        return
    c = rows_of(floats, np.int64(ints[LANE_ROWS]), LANE_CONSTANTS + columns + examples, block)
    match(ints, memory, c, products, scratch, columns, tolerance, block)
    offsets = c[(LANE_CONSTANTS + columns) * LANES :]
    out = products[9 * (columns + 1) * LANES :]
    project(scratch[TURN * LANES :], products, offsets, c[ENERGY * LANES :], examples, out)


@part
def fill_idle(rows, count, used):
    """Lanes that are not in use are like the first: a rotation of nothing would be looked for in vain."""
    for j in range(count):
        for lane in range(used, LANES):
            rows[j * LANES + lane] = rows[j * LANES]


@part
def match(ints, memory, c, products, scratch, columns, tolerance, block):
    """R = polar(sum_b K_b A~_b D~_b^T): the rotation that matches the blended shape, so that goals exert no torque."""
    mix = scratch[BLEND * LANES :]
    a = scratch[MATCHED * LANES :]
    q = rows_of(memory, np.int64(ints[ROTATIONS]), 4, block)
    mix_block(ints, memory, c, block, mix)
    blend_products(products, mix, columns, a)
    rotate_block(a, c[MISSING * LANES :], q, scratch[FLAG * LANES :], tolerance, ints[THIN] != 0)
    rotation_rows(q, scratch[TURN * LANES :])


@part
def aim(ints, floats, memory, work, x, p, tolerance, block, piece):
    """Goals  R D~ q~ + c,  with what a cluster keeps of its fit and of its volume, and the way there."""
    functions = np.int64(ints[FUNCTIONS])
    examples = np.int64(ints[EXAMPLES])
    columns = np.int64(ints[COLUMNS])
    about = ints[np.int64(ints[BLOCK_TABLE]) + BLOCK_WORDS * block :]
    scratch = scratch_of(ints, work, functions, columns, piece)
    w = rows_of(work, np.int64(ints[WORK]), 3 * (functions + 1) + 9 * (columns + 3) + examples, block)
    c = rows_of(floats, np.int64(ints[LANE_ROWS]), LANE_CONSTANTS + columns + examples, block)
    small = w[3 * (functions + 1) * LANES :]
    before = small[9 * LANES :]
    match(ints, memory, c, before[9 * LANES :], scratch, columns, tolerance, block)
    kept = floats[np.int64(ints[SHAPES]) + np.int64(about[FIRST_SHAPE]) :]
    rest = kept[functions + 2 :]
    poses = rest[3 * functions :]
    mix = scratch[BLEND * LANES :]
    out = scratch[(BLEND + columns) * LANES :]
    transform(w, small, kept, rest, poses, mix, columns, functions, scratch[TURN * LANES :], before, out)
    if kept[functions] > 0:
        keep_volume(w, rest, poses, mix, columns, functions, kept[functions], scratch[MATCHED * LANES :], out)
    advance(
        x,
        p,
        ints[np.int64(ints[FIRSTS]) + LANES * block :],
        ints[np.int64(ints[MEMBERS]) + np.int64(about[FIRST_MEMBER]) :],
        floats[np.int64(ints[TABLES]) + np.int64(about[FIRST_ROW]) :],
        np.int64(about[PARTICLES]), functions + 1, np.int64(about[USED]), before, out, c[ALPHA * LANES :],
        scratch[PLACES * LANES :],
    )  # fmt: skip


@inline
def rows_of(array, start, rows, block):
    """The rows of one block."""
    first = start + block * rows * LANES
    return array[first : first + rows * LANES]


@inline
def scratch_of(ints, work, functions, columns, piece):
    return rows_of(work, np.int64(ints[SCRATCH]), BLEND + columns + 3 * (functions + 1), piece)
