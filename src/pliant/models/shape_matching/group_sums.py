# mypy: disallow-untyped-defs=False, check-untyped-defs=False
"""Sums over the regions of a group: their projections on the examples. Added in a fixed order, several sums at a time
to hide the latency."""

import numpy as np

from pliant.models.shape_matching.layout import (
    EXAMPLES,
    GLOBAL,
    GROUP_SPOTS,
    GROUP_STARTS,
    GROUP_WORK,
    GROUPS,
    LANES,
    PROJECTIONS,
    REGION_WORK,
    WORK,
)
from pliant.runtime.instructions import prefetch
from pliant.runtime.jit import part

# Unsigned indices: Numba then leaves out the test for negative ones, and LLVM sees that rows are contiguous.
U = np.uint64
U1, U2, U3, U4, U5, U6, U7, U8 = (U(i) for i in range(1, 9))


@part
def sum_bodies(projections, starts, sums, groups, examples, rows):
    """The same where all regions of a body are one group: they stand side by side in the lanes of its blocks."""
    for group in range(groups):
        target = (group >> 6) * examples * LANES + (group & 63)
        for k in range(examples):
            total = sums.dtype.type(0)
            region = np.int64(starts[group])
            while region < np.int64(starts[group + 1]):
                lane = region & 63
                count = min(LANES - lane, np.int64(starts[group + 1]) - region)
                total += sum_run(projections, U(((region >> 6) * rows + k) * LANES + lane), U(count))
                region += count
            sums[target + k * LANES] = total


@part
def sum_run(numbers, first, count):
    """The sum of so many numbers, eight at a time."""
    a = b = c = d = e = f = g = h = numbers.dtype.type(0)
    eights = first + (count & ~U7)
    for j in range(first, eights, U8):
        a += numbers[j]
        b += numbers[j + U1]
        c += numbers[j + U2]
        d += numbers[j + U3]
        e += numbers[j + U4]
        f += numbers[j + U5]
        g += numbers[j + U6]
        h += numbers[j + U7]
    for j in range(eights, first + count):
        a += numbers[j]
    return ((a + e) + (b + f)) + ((c + g) + (d + h))


@part
def sum_groups(ints, work):
    """The projections of groups that hold many regions. Four sums at a time hide the latency."""
    examples = np.int64(ints[EXAMPLES])
    starts = ints[np.int64(ints[GROUP_STARTS]) :]
    spots = ints[np.int64(ints[GROUP_SPOTS]) :]
    projections = work[np.int64(ints[REGION_WORK]) + PROJECTIONS * LANES :]
    sums = work[np.int64(ints[GROUP_WORK]) :]
    zero = work.dtype.type(0)
    if ints[GLOBAL] != 0:
        sum_bodies(projections, starts, sums, np.int64(ints[GROUPS]), examples, np.int64(ints[WORK]))
        return
    for group in range(np.int64(ints[GROUPS])):
        first = U(starts[group])
        last = U(starts[group + 1])
        fours = first + ((last - first) & ~U3)
        target = (group >> 6) * examples * LANES + (group & 63)
        for k in range(examples):
            shift = U(k * LANES)
            a = b = c = d = zero
            for j in range(first, fours, U4):
                ahead = min(j + U(8 * LANES), last - U1)
                prefetch(projections, np.int64(spots[ahead]) + np.int64(shift))
                a += projections[U(spots[j]) + shift]
                b += projections[U(spots[j + U1]) + shift]
                c += projections[U(spots[j + U2]) + shift]
                d += projections[U(spots[j + U3]) + shift]
            for j in range(fours, last):
                a += projections[U(spots[j]) + shift]
            sums[target + k * LANES] = (a + b) + (c + d)
