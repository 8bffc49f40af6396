"""The passes of a step over ranges of blocks (kernels.py says which). Bodies that no cache holds (FAR) ask for the
numbers of the next block while they work on this one: waiting for memory would take as long as all the sums."""

import numpy as np

from pliant.maths.polar import rotate_block
from pliant.maths.simplex import clamped_weights, clear_rows, convex_weights, multiply_rows
from pliant.models.shape_matching.lanes import (
    blend_moments,
    project_block,
    project_shapes,
    spread_block,
    spread_mix,
    stretch_block,
    times_symmetric,
    transform_block,
    weigh_block,
    without_given,
)
from pliant.models.shape_matching.layout import (
    BEFORE,
    BLEND,
    BLENDS,
    BLOCKS,
    BY_REGION,
    CENTRE,
    CENTROID,
    COLUMNS,
    CONSTANTS,
    COUNT,
    EVERYWHERE,
    EXAMPLES,
    FACES,
    FAR,
    FIRST,
    FLAG,
    GLOBAL,
    GRADIENT,
    GROUP_CONSTANTS,
    GROUPS,
    INVERSE,
    LANES,
    MASSES,
    MIDDLE,
    MISSING,
    MIX,
    OFFSETS,
    ORIGINS,
    PAPER_ROTATION,
    PAPER_WEIGHTS,
    PROJECTIONS,
    RATIO,
    REACH,
    REGION_SPOTS,
    REGION_WEIGHTS,
    REGION_WORK,
    REGIONS,
    REMAINDER,
    REST,
    RESTLESS,
    RING_MEMBERS,
    RING_ROWS,
    RING_STARTS,
    ROTATIONS,
    SCRATCH,
    SCRATCH_ROWS,
    SETTLED,
    SHAPES_IN,
    SHAPES_OUT,
    SHARES,
    STIFFNESS,
    STRETCH,
    THIN,
    TRANSFORM_ROWS,
    UNEVEN,
    WEIGH_SCRATCH,
    WEIGHTS,
    WORK,
)
from pliant.models.shape_matching.rounds import keep_settled, mark_restless, set_aside
from pliant.models.shape_matching.sums import U, gather, gather_from_rest, gather_shapes, goals
from pliant.runtime.instructions import prefetch
from pliant.runtime.jit import inline, part

# of a weight, in one step: a smaller jump would be met by groups that only vibrate
JUMPED = 0.1


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
def mix_block(ints, memory, constants, block, mix):
    """How much of each shape the regions of a block aim at: what the given weights leave, shared out by those that were
    found; then one for the given blend. C rows."""
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
    if columns > examples:
        row = mix[examples * LANES : columns * LANES]
        for lane in range(LANES):
            row[lane] = mix.dtype.type(1)


@part
def describe_blocks(ints, near, floats, memory, work, x, tolerance, first, last, piece, again):
    """Moments of the rings, and how far each region goes along each example; again: with the same moments."""
    count = np.int64(ints[COUNT])
    examples = np.int64(ints[EXAMPLES])
    columns = np.int64(ints[COLUMNS])
    starts = ints[np.int64(ints[RING_STARTS]) :]
    members = ints[np.int64(ints[RING_MEMBERS]) :]
    rows = floats[np.int64(ints[RING_ROWS]) :]
    shapes = floats[np.int64(ints[SHAPES_IN]) :]
    rest = floats[np.int64(ints[REST]) :]
    masses = floats[np.int64(ints[MASSES]) :]
    far = ints[FAR] != 0
    own = x[4 * np.int64(ints[FIRST]) :]
    origins = ints[np.int64(ints[ORIGINS]) :]
    thin = ints[THIN] != 0
    paper = ints[PAPER_WEIGHTS] != 0
    scratch = block_of(work, np.int64(ints[SCRATCH]), SCRATCH_ROWS + columns, piece)
    a = scratch[GRADIENT * LANES :]
    s = scratch[STRETCH * LANES :]
    mix = scratch[BLEND * LANES :]
    flag = scratch[FLAG * LANES :]
    for block in range(first, last):
        w = block_of(work, np.int64(ints[REGION_WORK]), np.int64(ints[WORK]), block)
        c = block_of(floats, np.int64(ints[REGIONS]), np.int64(ints[CONSTANTS]), block)
        moments = w[(PROJECTIONS + examples) * LANES :]
        if again:
            if not mark_restless(ints, work, block, s):
                continue
        elif far:
            ahead = min(block + 1, np.int64(ints[BLOCKS]) - 1)
            gather_from_rest(
                own, origins, starts, near, rest, masses, c, block, count, np.int64(ints[REACH]), w, examples,
                block_of(floats, np.int64(ints[REGIONS]), np.int64(ints[CONSTANTS]), ahead),
                block_of(memory, np.int64(ints[ROTATIONS]), 8, ahead),
                block_of(work, np.int64(ints[REGION_WORK]), np.int64(ints[WORK]), ahead),
            )  # fmt: skip
            if columns > 0:
                gather_shapes(own, starts, near, U(4), U(4), U(4 * MIDDLE), shapes, columns, block, count, moments)
        else:
            gather(own, origins, starts, members, rows, block, count, w)
            if columns > 0:
                gather_shapes(own, starts, members, U(1), U(0), U(0), shapes, columns, block, count, moments)
        if examples == 0 and ints[PAPER_ROTATION] == 0:
            continue
        q = block_of(memory, np.int64(ints[ROTATIONS]), 8, block)
        missing = c[MISSING * LANES :]
        projections = w[PROJECTIONS * LANES :]
        if paper or ints[PAPER_ROTATION] != 0:
            times_symmetric(w, c[INVERSE * LANES :], a)
            rotate_block(a, missing, q, flag, tolerance, thin)
        if paper and examples > 0:
            stretch_block(a, missing, q, s, thin)
            stretches = c[(OFFSETS + examples) * LANES :]
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
            project_shapes(q, moments, c[OFFSETS * LANES :], c[RATIO * LANES :], examples, projections)


@part
def weigh_blocks(ints, floats, memory, work, f, f_rows, first, last, piece):
    """(6)(7) the weights of a range of group blocks from their projections f (blocks of `f_rows` rows).

    Exact: argmin over convex w of  w' G w / beta - 2 f w,  the energy of the goals plus a pull towards rest, so that
    the forces are its gradient; where no bound is met that is w_k <- beta w_k, as in the paper. With G = U' U and
    z = U^-T f it is |U w - beta z|^2. Paper: f is z itself; beta times the clamped weights."""
    examples = np.int64(ints[EXAMPLES])
    square = examples * examples
    scratch = block_of(work, np.int64(ints[WEIGH_SCRATCH]), 2 * examples + 4, piece)
    constants = floats[np.int64(ints[GROUP_CONSTANTS]) :]
    weights = memory[np.int64(ints[WEIGHTS]) :]
    paper = ints[PAPER_WEIGHTS] != 0
    if examples == 1:
        for block in range(first, last):
            weigh_one(block_of(constants, 0, 3, block), block_of(f, 0, f_rows, block), weights[block * LANES :], paper)
        return
    for block in range(first, last):
        u = block_of(constants, 0, 2 * square + 1, block)
        z = block_of(f, 0, f_rows, block)
        strength = u[2 * square * LANES :]
        if paper:
            w = block_of(weights, 0, examples, block)
            clamped_weights(u[square * LANES :], z, w, examples)
            scale_rows(w, strength, examples)
            continue
        clear_rows(scratch, examples)
        multiply_rows(u[square * LANES :], z, scratch, examples, True, LANES)
        for j in range(examples * LANES):
            z[j] = scratch[j] * strength[j & (LANES - 1)]
    if not paper:
        faces = memory[np.int64(ints[FACES]) :]
        blends = work[np.int64(ints[BLENDS]) :]
        tolerance = 2e-6 if work.itemsize == 4 else 1e-12
        convex_weights(
            constants, f, f_rows, faces, weights, blends, scratch, examples, tolerance, first, last,
            np.int64(ints[GROUPS]),
        )  # fmt: skip


@part
def settle_weights(ints, floats, memory, work, f, f_rows, first, last, piece, again):
    """One round of weights. Rotations were matched to the weights of the last step, weights are found with these
    rotations: by turns, a round a step, which follows any motion. A group that begins, or that is all at once in
    another shape, is marked RESTLESS and takes further rounds until both agree; the others keep what the first gave."""
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
def weigh_one(u, f, w, paper):
    """The same for one example: w = f / U^2 within its bounds, and beta before them; or z / U, and beta after them."""
    zero = w.dtype.type(0)
    one = w.dtype.type(1)
    strength = u[2 * LANES : 3 * LANES]
    for lane in range(LANES):
        value = f[lane] / u[lane]
        value = value if paper else value / u[lane] * strength[lane]
        value = value if value > zero else zero
        value = value if value < one else one
        w[lane] = value * strength[lane] if paper else value


@part
def scale_rows(rows, factors, count):
    for k in range(count):
        row = rows[LANES * k : LANES * (k + 1)]
        for lane in range(LANES):
            row[lane] *= factors[lane]


@part
def transform_blocks(ints, floats, memory, work, tolerance, first, last, piece, start, kept):
    """R and the shift of a range of blocks, to transforms that stand at `start` and begin anew after so many blocks."""
    columns = np.int64(ints[COLUMNS])
    examples = np.int64(ints[EXAMPLES])
    thin = ints[THIN] != 0
    scratch = block_of(work, np.int64(ints[SCRATCH]), SCRATCH_ROWS + columns, piece)
    a = scratch[GRADIENT * LANES :]
    rows = scratch[TRANSFORM_ROWS * LANES :]
    mix = scratch[BLEND * LANES :]
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
            target = np.int64(ints[MIX]) + block * columns * LANES
            spread_mix(mix, columns, work[target : target + columns * LANES])
        if ints[PAPER_ROTATION] == 0:
            # R = polar(A_pq~): the rotation that matches the blended shape keeps angular momentum.
            q = q[4 * LANES :]
            blend_moments(w, w[(PROJECTIONS + examples) * LANES :], mix, columns, a)
            if far:
                fetch(next_w, 0, 6 * LANES)
            rotate_block(a, c[MISSING * LANES :], q, scratch[FLAG * LANES :], tolerance, thin)
        if far:
            fetch(next_w, 6 * LANES, 12 * LANES)
        transform_block(q, c[CENTRE * LANES :], w[CENTROID * LANES :], rows)
        if ints[UNEVEN] != 0:
            weigh_block(rows, block_of(floats, np.int64(ints[REGION_WEIGHTS]), 1, block))
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
        U(4), U(0), U(0), U(2), U(0),
        np.int64(ints[COLUMNS]), floats[np.int64(ints[SHAPES_OUT]) :], work[np.int64(ints[MIX]) :],
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
        U(16), U(16), base - U(16 * MIDDLE), U(0), U(first) - U(MIDDLE),
        np.int64(ints[COLUMNS]), floats[np.int64(ints[SHAPES_OUT]) :], work[np.int64(ints[MIX]) :],
        floats[np.int64(ints[REST]) :],
        floats[np.int64(ints[SHARES]) :],
        floats[np.int64(ints[STIFFNESS]) :],
        x[own:], y[own:], p[own:], first, min(last, np.int64(ints[COUNT])), rate,
    )  # fmt: skip
