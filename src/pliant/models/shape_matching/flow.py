# mypy: disallow-untyped-defs=False, check-untyped-defs=False
"""Transform and advance in one pass, for bodies that no cache holds (FAR).

Neighbours have numbers that differ by REACH at most, so a particle can be advanced when the regions up to REACH further
on have been transformed. Their transforms are then still in the cache, and never go to memory:

    transforms   . . . . . . [ kept: RING_BLOCKS blocks ] now
    particles    advanced . . . . . . |
                                     now - REACH
"""

import numpy as np

from pliant.models.shape_matching.aim import advance_near, aim_blocks
from pliant.models.shape_matching.blocks import fetch
from pliant.models.shape_matching.layout import (
    BLOCKS,
    COUNT,
    EVERYWHERE,
    FIRST,
    LANES,
    REACH,
    RECENT,
    RING_BLOCKS,
    RING_STARTS,
    SHAPES,
    TILES,
    TRANSFORMS,
)
from pliant.runtime.instructions import prefetch
from pliant.runtime.jit import part

U = np.uint64
PORTION = 16  # particles that are advanced between two requests to memory


@part
def flow(ints, near, floats, memory, work, x, y, p, tolerance, rate, first, last, piece):
    """A range of blocks. Near its edges the neighbours belong to another piece of the work, whose transforms may not be
    there yet: particles there are left to `edges`, and the transforms that they need are written down."""
    reach = np.int64(ints[REACH])
    kept = np.int64(ints[RING_BLOCKS])
    each = 16 * np.int64(ints[TILES])
    size = kept * LANES * each
    recent = np.int64(ints[RECENT]) + piece * size
    low, high = inner(ints, first, last)
    done = low
    for block in range(first, last):
        aim_blocks(ints, floats, memory, work, tolerance, block, block + 1, piece, recent, kept)
        if (first > 0 and block * LANES < low + reach) or (last < ints[BLOCKS] and (block + 1) * LANES > high - reach):
            source = recent + block % kept * LANES * each
            target = np.int64(ints[TRANSFORMS]) + block * LANES * each
            for k in range(LANES * each):
                work[target + k] = work[source + k]
        ready = high if block + 1 == last else min(high, (block + 1) * LANES - reach)
        if ready > done:
            for part_first in range(done, ready, PORTION):
                part_last = min(part_first + PORTION, ready)
                fetch_particles(ints, near, floats, x, y, p, part_first + LANES)
                # from the oldest that a particle may need, so that at most one turn of the ring lies between
                oldest = (part_first + size - reach) * each % size + reach * each
                advance_near(ints, near, floats, work, x, y, p, rate, part_first, part_last, recent, U(oldest), U(size))
            done = ready


@part
def fetch_particles(ints, near, floats, x, y, p, first):
    """What `advance_near` will read of a portion of particles."""
    count = np.int64(ints[COUNT])
    first = min(first, count)
    starts = ints[np.int64(ints[RING_STARTS]) :]
    for at in range(np.int64(starts[first]), np.int64(starts[min(first + PORTION, count)]), 32):
        prefetch(near, at)
    at = 4 * (np.int64(ints[FIRST]) + first)
    fetch(x, at, at + 4 * PORTION)
    fetch(y, at, at + 4 * PORTION)
    fetch(p, at, at + 4 * PORTION)
    width = 4 * np.int64(ints[TILES])
    at = np.int64(ints[SHAPES]) + width * first
    fetch(floats, at, at + width * PORTION)


@part
def inner(ints, first, last):
    """The particles of a piece whose rings lie in it."""
    reach = np.int64(ints[REACH])
    low = first * LANES + (reach if first > 0 else 0)
    high = last * LANES - (reach if last < ints[BLOCKS] else 0)
    return low, max(low, high)


@part
def edges(ints, near, floats, work, x, y, p, rate, first, last):
    """The particles of a piece that `flow` left."""
    low, high = inner(ints, first, last)
    start = np.int64(ints[TRANSFORMS])
    for begin, end in ((first * LANES, min(low, last * LANES)), (min(high, last * LANES), last * LANES)):
        own = U(16 * np.int64(ints[TILES]) * begin)
        advance_near(ints, near, floats, work, x, y, p, rate, begin, end, start, own, EVERYWHERE)
