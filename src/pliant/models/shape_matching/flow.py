"""Transform and advance in one pass, for bodies that no cache holds (FAR).

Neighbours have numbers that differ by REACH at most, so a particle can be advanced when the regions up to REACH further
on have been transformed. Their transforms are then still in the cache, and never go to memory:

    transforms   . . . . . . [ kept: RING_BLOCKS blocks ] now
    particles    advanced . . . . . . |
                                     now - REACH
"""

import numpy as np

from pliant.jit import part
from pliant.models.shape_matching.layout import (
    BLOCKS,
    COUNT,
    EVERYWHERE,
    FIRST,
    LANES,
    REACH,
    RECENT,
    REST,
    RING_BLOCKS,
    RING_MEMBERS,
    RING_STARTS,
    TRANSFORMS,
)
from pliant.models.shape_matching.passes import advance_particles, fetch, transform_blocks

PORTION = 16  # particles that are advanced between two requests to memory


@part
def flow(ints, floats, memory, work, x, y, p, tolerance, rate, first, last, piece):
    """A range of blocks. Near its edges the neighbours belong to another piece of the work, whose transforms may not be
    there yet: particles there are left to `edges`, and the transforms that they need are written down."""
    reach = np.int64(ints[REACH])
    size = np.int64(ints[RING_BLOCKS]) * LANES * 16
    recent = np.int64(ints[RECENT]) + piece * size
    mask = np.uint64(size - 1)
    low, high = inner(ints, first, last)
    done = low
    for block in range(first, last):
        transform_blocks(ints, floats, memory, work, tolerance, block, block + 1, piece, recent, mask)
        if (first > 0 and block * LANES < low + reach) or (last < ints[BLOCKS] and (block + 1) * LANES > high - reach):
            source = recent + np.int64(np.uint64(block * LANES * 16) & mask)
            target = np.int64(ints[TRANSFORMS]) + block * LANES * 16
            for k in range(LANES * 16):
                work[target + k] = work[source + k]
        ready = high if block + 1 == last else min(high, (block + 1) * LANES - reach)
        if ready > done:
            for part_first in range(done, ready, PORTION):
                part_last = min(part_first + PORTION, ready)
                fetch_particles(ints, floats, x, y, p, part_first + LANES)
                advance_particles(ints, floats, work, x, y, p, rate, part_first, part_last, recent, mask)
            done = ready


@part
def fetch_particles(ints, floats, x, y, p, first):
    """What `advance_particles` will read of a portion of particles."""
    count = np.int64(ints[COUNT])
    first = min(first, count)
    starts = ints[np.int64(ints[RING_STARTS]) :]
    members = ints[np.int64(ints[RING_MEMBERS]) :]
    fetch(members, np.int64(starts[first]), np.int64(starts[min(first + PORTION, count)]))
    at = 4 * (np.int64(ints[FIRST]) + first)
    fetch(x, at, at + 4 * PORTION)
    fetch(y, at, at + 4 * PORTION)
    fetch(p, at, at + 4 * PORTION)
    at = np.int64(ints[REST]) + 4 * first
    fetch(floats, at, at + 4 * PORTION)


@part
def inner(ints, first, last):
    """The particles of a piece whose rings lie in it."""
    reach = np.int64(ints[REACH])
    low = first * LANES + (reach if first > 0 else 0)
    high = last * LANES - (reach if last < ints[BLOCKS] else 0)
    return low, max(low, high)


@part
def edges(ints, floats, work, x, y, p, rate, first, last):
    """The particles of a piece that `flow` left."""
    low, high = inner(ints, first, last)
    start = np.int64(ints[TRANSFORMS])
    advance_particles(ints, floats, work, x, y, p, rate, first * LANES, min(low, last * LANES), start, EVERYWHERE)
    advance_particles(ints, floats, work, x, y, p, rate, min(high, last * LANES), last * LANES, start, EVERYWHERE)
