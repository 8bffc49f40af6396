# mypy: disallow-untyped-defs=False, check-untyped-defs=False
"""Sums over rings: what goes from particles to regions and back. Rows are added in a fixed order, two tiles (layout.py)
at a time. A particle's neighbours are either numbers, or in bodies that no cache holds (FAR) differences of numbers:
member j of particle i is found at  each * members[j] + step * i + base."""

import numpy as np

from pliant.models.shape_matching.layout import LANES
from pliant.runtime.jit import inline, inner, part
from pliant.runtime.vectors import (
    fill4,
    fill8,
    half4,
    load4,
    load8,
    pair8,
    spread4,
    spread8,
    store,
    transpose8,
    unit4,
    unit8,
)

# Unsigned indices: Numba then leaves out the test for negative ones, and LLVM sees that rows are contiguous.
U = np.uint64
U1, U2, U3, U4 = (U(i) for i in range(1, 5))
U8, U16, U24, U32, U40, U48, U56 = (U(i) for i in range(8, 64, 8))


@inline
def sums_of(tiles):
    """Numbers that `gather` makes of a region: three rows of moments and a place, rounded up to whole eights."""
    return (U(12) * tiles + U(11)) & ~U(7)


@inner
def pulled(x, own, masses, i):
    """m~ (x_i - x_r) of a member of a ring."""
    return (load4(x, U4 * i) - own) * fill4(masses[i])


@inner
def gather(x, origins, starts, members, step, base, tiles, shapes, masses, r, sums, at):
    """(1) sum m~ (x_i - x_r) (row_i - row_r)^T of region r: three rows of 4 `tiles` numbers from sums[at] on, one for
    each axis of x. Column 3 of row_i - row_r is 1, so it becomes sum m~ (x_i - x_r). Then 4 numbers: where the region's
    own particle is, seen from the actor's innermost one. Seen from the particle itself, a body far from the origin
    loses no digits; the centre of the ring is taken out afterwards (lanes.centre_moments)."""
    one = x.dtype.type(1)
    own = load4(x, U4 * r)
    width = U4 * tiles
    base = base + step * r
    first = U(starts[r])
    last = U(starts[r + U1])
    if tiles == U1:
        here = load4(shapes, U4 * r) - unit4(one, 3)
        gather_four(x, own, here, members, base, first, last, shapes, masses, width, sums, at)
    else:
        rest = load8(shapes, width * r) - unit8(one, 3)
        tile = U2
        if tiles < U4:
            gather_eight(x, own, rest, members, base, first, last, shapes, masses, width, sums, at)
        else:
            more = load8(shapes, width * r + U8)
            gather_sixteen(x, own, rest, more, members, base, first, last, shapes, masses, width, sums, at)
            tile = U4
        while tile + U1 < tiles:
            begin = U4 * tile
            more = load8(shapes, width * r + begin)
            gather_eight(x, own, more, members, base, first, last, shapes[begin:], masses, width, sums, at + begin)
            tile += U2
        if tile < tiles:
            begin = U4 * tile
            four = load4(shapes, width * r + begin)
            gather_four(x, own, four, members, base, first, last, shapes[begin:], masses, width, sums, at + begin)
    store(sums, at + U3 * width, own - load4(x, U(origins[r])))


@inner
def gather_four(x, own, here, members, base, first, last, shapes, masses, width, sums, at):
    """One tile of these rows; `here` is that of the region's own particle."""
    a = b = c = fill4(x.dtype.type(0))
    for j in range(first, last):
        i = U(members[j]) + base
        d = pulled(x, own, masses, i)
        row = load4(shapes, width * i) - here
        a = a + spread4(d, 0) * row
        b = b + spread4(d, 1) * row
        c = c + spread4(d, 2) * row
    store(sums, at, a)
    store(sums, at + width, b)
    store(sums, at + U2 * width, c)


@inner
def gather_eight(x, own, here, members, base, first, last, shapes, masses, width, sums, at):
    """Two tiles."""
    a = b = c = fill8(x.dtype.type(0))
    for j in range(first, last):
        i = U(members[j]) + base
        d = pulled(x, own, masses, i)
        row = load8(shapes, width * i) - here
        a = a + spread8(d, 0) * row
        b = b + spread8(d, 1) * row
        c = c + spread8(d, 2) * row
    store(sums, at, a)
    store(sums, at + width, b)
    store(sums, at + U2 * width, c)


@inner
def gather_sixteen(x, own, here, there, members, base, first, last, shapes, masses, width, sums, at):
    """Four tiles."""
    a = b = c = e = f = g = fill8(x.dtype.type(0))
    for j in range(first, last):
        i = U(members[j]) + base
        d = pulled(x, own, masses, i)
        row = load8(shapes, width * i) - here
        next_row = load8(shapes, width * i + U8) - there
        d0 = spread8(d, 0)
        d1 = spread8(d, 1)
        d2 = spread8(d, 2)
        a = a + d0 * row
        b = b + d1 * row
        c = c + d2 * row
        e = e + d0 * next_row
        f = f + d1 * next_row
        g = g + d2 * next_row
    store(sums, at, a)
    store(sums, at + U8, e)
    store(sums, at + width, b)
    store(sums, at + width + U8, f)
    store(sums, at + U2 * width, c)
    store(sums, at + U2 * width + U8, g)


@part
def rows_of_lanes(sums, count, lane, rows):
    """Sums of eight regions, `count` numbers each, to rows of lanes from `lane` on."""
    for first in range(U(0), count, U8):
        transpose8(sums, first, count, rows, U(LANES) * first + lane, U(LANES))


@part
def columns_of_regions(rows, tiles, transforms, at):
    """From rows of lanes to 16 `tiles` numbers per region, from transforms[at] on; the sums read them so."""
    width = U16 * tiles
    for lane in range(U(0), U(LANES), U8):
        for first in range(U(0), width, U8):
            transpose8(rows, U(LANES) * first + lane, U(LANES), transforms, at + width * lane + first, width)


@inline
def place(number, each, base, size):
    """Where the transform of a member stands; they begin anew after `size` numbers."""
    m = each * number + base
    return m - size if m >= size else m


@inner
def goal(transforms, size, starts, members, each, base, tiles, shapes, i):
    """(3) the sum of the goals of particle i in its regions, from the actor's innermost particle: its row of SHAPES
    times the sum of the transforms."""
    first = U(starts[i])
    last = U(starts[i + U1])
    row = U4 * tiles * i
    if tiles == U1:
        return goal_four(transforms, size, members, each, base, first, last, load4(shapes, row))
    tile = U2
    if tiles < U4:
        g = goal_eight(transforms, size, members, each, base, first, last, load8(shapes, row))
    else:
        more = load8(shapes, row + U8)
        g = goal_sixteen(transforms, size, members, each, base, first, last, load8(shapes, row), more)
        tile = U4
    while tile + U1 < tiles:
        more = load8(shapes, row + U4 * tile)
        g = g + goal_eight(transforms[U16 * tile :], size, members, each, base, first, last, more)
        tile += U2
    if tile < tiles:
        four = load4(shapes, row + U4 * tile)
        g = g + goal_four(transforms[U16 * tile :], size, members, each, base, first, last, four)
    return g


@inner
def goal_four(transforms, size, members, each, base, first, last, row):
    """What one tile of the row brings: four columns of each transform."""
    a = b = fill8(transforms.dtype.type(0))
    for j in range(first, last):
        m = place(U(members[j]), each, base, size)
        a = a + load8(transforms, m)
        b = b + load8(transforms, m + U8)
    both = a * pair8(row, 0) + b * pair8(row, 2)
    return half4(both, 0) + half4(both, 1)


@inner
def goal_eight(transforms, size, members, each, base, first, last, row):
    """Two tiles."""
    a = b = c = d = fill8(transforms.dtype.type(0))
    for j in range(first, last):
        m = place(U(members[j]), each, base, size)
        a = a + load8(transforms, m)
        b = b + load8(transforms, m + U8)
        c = c + load8(transforms, m + U16)
        d = d + load8(transforms, m + U24)
    both = a * pair8(row, 0) + b * pair8(row, 2) + c * pair8(row, 4) + d * pair8(row, 6)
    return half4(both, 0) + half4(both, 1)


@inner
def goal_sixteen(transforms, size, members, each, base, first, last, row, next_row):
    """Four tiles."""
    a = b = c = d = e = f = g = h = fill8(transforms.dtype.type(0))
    for j in range(first, last):
        m = place(U(members[j]), each, base, size)
        a = a + load8(transforms, m)
        b = b + load8(transforms, m + U8)
        c = c + load8(transforms, m + U16)
        d = d + load8(transforms, m + U24)
        e = e + load8(transforms, m + U32)
        f = f + load8(transforms, m + U40)
        g = g + load8(transforms, m + U48)
        h = h + load8(transforms, m + U56)
    both = a * pair8(row, 0) + b * pair8(row, 2) + c * pair8(row, 4) + d * pair8(row, 6)
    more = e * pair8(next_row, 0) + f * pair8(next_row, 2) + g * pair8(next_row, 4) + h * pair8(next_row, 6)
    both = both + more
    return half4(both, 0) + half4(both, 1)


@inner
def advance(
    transforms, size, origins, starts, members, each, step, base, tiles, shapes, shares, stiffness, x, y, p, first,
    last, rate,
):  # fmt: skip
    """(4)(5) p = y + alpha (g - x) with the mean g of the goals, for a range of particles."""
    one = x.dtype.type(1)
    faster = x.dtype.type(rate)
    for i in range(U(first), U(last)):
        g = goal(transforms, size, starts, members, each, base, tiles, shapes, i)
        base += step
        alpha = stiffness[i] * faster
        alpha = alpha if alpha < one else one
        f = U4 * i
        off = g * fill4(shares[i]) - (load4(x, f) - load4(x, U(origins[i])))
        store(p, f, load4(y, f) + fill4(alpha) * off)
