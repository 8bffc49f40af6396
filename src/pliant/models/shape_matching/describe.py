# mypy: disallow-untyped-defs=False, check-untyped-defs=False
"""(1)(7) What the regions of a range of blocks are like: the moments of their rings, and how far they go along each
example. Bodies that no cache holds (FAR) ask for the numbers of the next block while they work on this one: waiting for
memory would take as long as all the sums."""

import numpy as np

from pliant.maths.polar import rotate_block
from pliant.models.shape_matching.blocks import block_of
from pliant.models.shape_matching.lanes import (
    blend_moments,
    centre_moments,
    pose_moments,
    project_block,
    project_shapes,
    rotation_rows,
    stretch_block,
    times_symmetric,
    without_given,
)
from pliant.models.shape_matching.layout import (
    BLEND,
    BLOCKS,
    BY_REGION,
    COLUMNS,
    CONSTANT_ROWS,
    CONSTANTS,
    COUNT,
    EXAMPLES,
    FAR,
    FIRST,
    FLAG,
    GIVEN,
    GLOBAL,
    GRADIENT,
    INVERSE,
    LANES,
    MASSES,
    MIDDLE,
    MISSING,
    ORIGINS,
    PAPER_ROTATION,
    PAPER_WEIGHTS,
    POSE_ROWS,
    PROJECTIONS,
    RATIO,
    REACH,
    REGION_SPOTS,
    REGION_WORK,
    REGIONS,
    REMAINDER,
    RING_MEMBERS,
    RING_STARTS,
    ROTATIONS,
    SCRATCH,
    SCRATCH_ROWS,
    SHAPES,
    STRETCH,
    THIN,
    TILE_ROWS,
    TILES,
    UNIT,
    WORK,
)
from pliant.models.shape_matching.rings import U1, U, gather, rows_of_lanes, sums_of
from pliant.models.shape_matching.rounds import keep_settled, mark_restless, set_aside
from pliant.runtime.instructions import prefetch
from pliant.runtime.jit import part


@part
def describe_blocks(ints, near, floats, memory, work, x, tolerance, first, last, piece, again):
    """Moments of the rings, and how far each region goes along each example; again: with the same moments, in blocks
    where the weights of some group have not settled (weigh.settle_weights)."""
    examples = np.int64(ints[EXAMPLES])
    columns = np.int64(ints[COLUMNS])
    tiles = np.int64(ints[TILES])
    thin = ints[THIN] != 0
    paper = ints[PAPER_WEIGHTS] != 0
    scratch = block_of(work, np.int64(ints[SCRATCH]), SCRATCH_ROWS + columns + TILE_ROWS * tiles, piece)
    a = scratch[GRADIENT * LANES :]
    s = scratch[STRETCH * LANES :]
    flag = scratch[FLAG * LANES :]
    mix = scratch[BLEND * LANES :]
    sums = scratch[(BLEND + columns + 16 * tiles) * LANES :]
    for block in range(first, last):
        if again and not mark_restless(ints, work, block, s):
            continue
        w = block_of(work, np.int64(ints[REGION_WORK]), np.int64(ints[WORK]), block)
        c = block_of(floats, np.int64(ints[REGIONS]), np.int64(ints[CONSTANTS]), block)
        moments = w[(PROJECTIONS + examples) * LANES :]
        if not again:
            gather_block(ints, near, floats, memory, work, x, block, sums[16 * tiles * LANES :], sums)
            centre_moments(sums, 4 * tiles, c, w)
            for k in range(columns):
                pose = c[(CONSTANT_ROWS + POSE_ROWS * k) * LANES :]
                out = moments[9 * k * LANES : 9 * (k + 1) * LANES]
                pose_moments(sums, 4 * tiles, 4 + 3 * k, c[UNIT * LANES :], pose, w, out)
        if examples == 0 and ints[PAPER_ROTATION] == 0:
            continue
        q = block_of(memory, np.int64(ints[ROTATIONS]), 8, block)
        missing = c[MISSING * LANES :]
        offsets = c[(CONSTANT_ROWS + POSE_ROWS * columns) * LANES :]
        projections = w[PROJECTIONS * LANES :]
        if paper or ints[PAPER_ROTATION] != 0:
            times_symmetric(w, c[INVERSE * LANES :], a)
            rotate_block(a, missing, q, flag, tolerance, thin)
        if paper and examples > 0:
            stretch_block(a, missing, q, s, thin)
            stretches = offsets[examples * LANES :]
            if columns > examples:
                without_given(s, stretches[6 * examples * LANES :], c[REMAINDER * LANES :])
            project_block(s, stretches, examples, projections)
        elif examples > 0:
            if ints[PAPER_ROTATION] == 0:
                # The rotation that matches the blend of the last step; it is matched again when weights are known.
                q = q[4 * LANES :]
                mix_block(ints, memory, c, block, mix)
                blend_moments(w, moments, mix, columns, a)
                if again:
                    set_aside(q, s)
                rotate_block(a, missing, q, flag, tolerance, thin)
                if again:
                    keep_settled(s, q)
            rotation_rows(q, a)
            project_shapes(a, moments, offsets, c[RATIO * LANES :], examples, projections)


@part
def gather_block(ints, near, floats, memory, work, x, block, sums, rows):
    """The sums over the rings of a block, in rows of lanes."""
    count = U(ints[COUNT])
    tiles = U(ints[TILES])
    own = x[4 * np.int64(ints[FIRST]) :]
    origins = ints[np.int64(ints[ORIGINS]) :]
    starts = ints[np.int64(ints[RING_STARTS]) :]
    members = ints[np.int64(ints[RING_MEMBERS]) :]
    shapes = floats[np.int64(ints[SHAPES]) :]
    masses = floats[np.int64(ints[MASSES]) :]
    far = ints[FAR] != 0
    size = sums_of(tiles)
    first = U(block) * U(LANES)
    last = min(first + U(LANES), count)
    for r in range(first, last):
        lane = r - first
        at = size * (lane & U(7))
        if far:
            gather(own, origins, starts, near, U1, U(0) - U(MIDDLE), tiles, shapes, masses, r, sums, at)
            fetch_ahead(ints, near, floats, memory, work, own, starts, shapes, block, np.int64(r), np.int64(lane))
        else:
            gather(own, origins, starts, members, U(0), U(0), tiles, shapes, masses, r, sums, at)
        if (lane & U(7)) == U(7) or r + U1 == last:
            rows_of_lanes(sums, size, lane & ~U(7), rows)


@part
def fetch_ahead(ints, near, floats, memory, work, x, starts, shapes, block, r, lane):
    """With each region of a block go a few requests for what the next block needs."""
    ahead = min(block + 1, np.int64(ints[BLOCKS]) - 1)
    count = np.int64(ints[COUNT])
    width = 4 * np.int64(ints[TILES])
    front = min(block * LANES + LANES + np.int64(ints[REACH]), count - LANES)
    line = 16 * lane
    prefetch(near, np.int64(starts[min(r + LANES, count)]))
    prefetch(block_of(work, np.int64(ints[REGION_WORK]), np.int64(ints[WORK]), ahead), line)
    if lane < 16:
        prefetch(block_of(memory, np.int64(ints[ROTATIONS]), 8, ahead), line)
        prefetch(x, 4 * front + line)
    for more in range(line, width * LANES, 16 * LANES):
        prefetch(shapes, width * front + more)
    constants = block_of(floats, np.int64(ints[REGIONS]), np.int64(ints[CONSTANTS]), ahead)
    for more in range(line, np.int64(ints[CONSTANTS]) * LANES, 16 * LANES):
        prefetch(constants, more)


@part
def mix_block(ints, memory, constants, block, mix):
    """How much of each pose the regions of a block aim at: what the given weights leave, shared out by those that were
    found; then the given ones. C rows."""
    examples = np.int64(ints[EXAMPLES])
    columns = np.int64(ints[COLUMNS])
    remainder = constants[REMAINDER * LANES :]
    spots = ints[np.int64(ints[REGION_SPOTS]) :]
    here = spots[block * LANES : (block + 1) * LANES]
    alike = ints[GLOBAL] != 0 and here[0] == here[LANES - 1]
    for k in range(examples):
        row = mix[k * LANES : (k + 1) * LANES]
        if alike:
            value = memory[np.int64(here[0]) + k * LANES]
            for lane in range(LANES):
                row[lane] = remainder[lane] * value
        elif ints[BY_REGION] != 0:
            own = memory[np.int64(here[0]) + k * LANES :]
            for lane in range(LANES):
                row[lane] = remainder[lane] * own[lane]
        else:
            for lane in range(LANES):
                row[lane] = remainder[lane] * memory[np.int64(here[lane]) + k * LANES]
    for k in range(examples, columns):
        row = mix[k * LANES : (k + 1) * LANES]
        given = constants[(CONSTANT_ROWS + POSE_ROWS * k + GIVEN) * LANES :]
        for lane in range(LANES):
            row[lane] = given[lane]
