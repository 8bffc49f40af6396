# mypy: disallow-untyped-defs=False, check-untyped-defs=False
"""Kernels that find pairs of spheres of two actors whose boxes come near each other.

Of each actor only the spheres count that reach into the other's box. If that leaves few, all pairs are tested, those of
the second eight at a time: their boxes stand in rows of eight lanes, a little larger than they are, so that single
precision is enough to tell that none of them is near. Else those of the second are sorted by counting into a grid, and
each of the first is tested against the cells it reaches. Each two bodies are done by themselves, so sizes may differ as
they like, and the order of the pairs is that of the spheres' numbers, whatever other bodies there are."""

import numpy as np

from pliant.runtime.instructions import room
from pliant.runtime.jit import inner, part
from pliant.world.contact.layout import AABB, PROXY_BOX

U = np.uint64  # unsigned indices: Numba then leaves out the test for negative ones
BRUTE_FORCE_PAIRS = 50_000  # pairs that are tested a group at a time
CELL_GRID = 12  # numbers of a grid
GROUP = 8  # spheres that are tested together: those whose numbers follow one another are mostly neighbours
GROUP_ROW = 6 * GROUP  # middles (3 rows) and half the widths (3 rows) of their boxes
LANE_ROUNDING = 1e-6  # of how far they are from the middle of all: what single precision may be off


@inner
def reaches(proxy_boxes, at, box, margin):
    """Whether a box among the cases is no farther than the margin from another one: its middle, half its width."""
    m0, m1, m2, e0, e1, e2 = box
    d0 = abs(proxy_boxes[at] - m0) <= proxy_boxes[at + U(3)] + (e0 + margin)
    d1 = abs(proxy_boxes[at + U(1)] - m1) <= proxy_boxes[at + U(4)] + (e1 + margin)
    d2 = abs(proxy_boxes[at + U(2)] - m2) <= proxy_boxes[at + U(5)] + (e2 + margin)
    return d0 & d1 & d2


@inner
def box_at(proxy_boxes, at):
    """The middle of a box, and half its width."""
    return (
        proxy_boxes[at],
        proxy_boxes[at + U(1)],
        proxy_boxes[at + U(2)],
        proxy_boxes[at + U(3)],
        proxy_boxes[at + U(4)],
        proxy_boxes[at + U(5)],
    )


@inner
def gather(proxy_boxes, first, last, shared, margin, near, at):
    """The spheres from first to last that come so near to a box: their numbers in `near`, from `at` on. Returns how
    many."""
    to = U(at)
    for s in range(U(first), U(last)):
        near[to] = s
        to += U(reaches(proxy_boxes, U(PROXY_BOX) * s, shared, margin))
    return np.int64(to) - at


@inner
def sift(proxy_boxes, near, count, shared, margin):
    """Of the first spheres in a list, those that come so near to a box. Returns how many."""
    kept = U(0)
    for n in range(U(count)):
        s = near[n]
        near[kept] = s
        kept += U(reaches(proxy_boxes, U(PROXY_BOX) * U(s), shared, margin))
    return np.int64(kept)


@inner
def around(proxy_boxes, near, at, count):
    """The box round spheres in a list."""
    l0 = l1 = l2 = 1e300
    h0 = h1 = h2 = -1e300
    for n in range(U(at), U(at + count)):
        b = U(PROXY_BOX) * U(near[n])
        c0, c1, c2 = proxy_boxes[b], proxy_boxes[b + U(1)], proxy_boxes[b + U(2)]
        e0, e1, e2 = proxy_boxes[b + U(3)], proxy_boxes[b + U(4)], proxy_boxes[b + U(5)]
        l0, l1, l2 = min(l0, c0 - e0), min(l1, c1 - e1), min(l2, c2 - e2)
        h0, h1, h2 = max(h0, c0 + e0), max(h1, c1 + e1), max(h2, c2 + e2)
    return 0.5 * (l0 + h0), 0.5 * (l1 + h1), 0.5 * (l2 + h2), 0.5 * (h0 - l0), 0.5 * (h1 - l1), 0.5 * (h2 - l2)


@part
def middle_of(boxes, actor):
    """The middle and half the width of an actor's box."""
    l0, l1, l2 = boxes[AABB * actor], boxes[AABB * actor + 1], boxes[AABB * actor + 2]
    h0, h1, h2 = boxes[AABB * actor + 3], boxes[AABB * actor + 4], boxes[AABB * actor + 5]
    return 0.5 * (l0 + h0), 0.5 * (l1 + h1), 0.5 * (l2 + h2), 0.5 * (h0 - l0), 0.5 * (h1 - l1), 0.5 * (h2 - l2)


@part
def lay_grid(proxy_boxes, near, at, count, to, grid, table):
    """Sort spheres of a list into a grid over their middles. Grid: its least corner (3), its scale (3) and its size (3)
    along the axes, and half the greatest widths (3); table: where each cell begins in the sorted list, which is at
    `to`."""
    for k in range(3):
        grid[k], grid[3 + k], grid[9 + k] = 1e300, -1e300, 0.0
    for n in range(at, at + count):
        b = PROXY_BOX * np.int64(near[n])
        for k in range(3):
            grid[k] = min(grid[k], proxy_boxes[b + k])
            grid[3 + k] = max(grid[3 + k], proxy_boxes[b + k])
            grid[9 + k] = max(grid[9 + k], proxy_boxes[b + 3 + k])
    total = 1
    for k in range(3):
        wide = grid[3 + k] - grid[k]
        cells = max(1, min(np.int64(wide / (2.0 * grid[9 + k] + 1e-300)), 2 * count // total))
        grid[3 + k] = cells / wide if cells > 1 else 0.0
        grid[6 + k] = cells
        total *= cells
    for k in range(total + 1):
        table[k] = 0
    for n in range(at, at + count):
        table[cell_of(grid, proxy_boxes, np.int64(near[n]))] += 1
    table[0] += to
    for k in range(total):
        table[k + 1] += table[k]
    for n in range(at + count - 1, at - 1, -1):  # backwards, so that each cell is in order
        cell = cell_of(grid, proxy_boxes, np.int64(near[n]))
        table[cell] -= 1
        near[table[cell]] = near[n]


@part
def along(grid, k, x):
    """In which cell a coordinate falls."""
    return max(0, min(np.int64(grid[3 + k] * (x - grid[k])), np.int64(grid[6 + k]) - 1))


@part
def cell_of(grid, proxy_boxes, s):
    b = PROXY_BOX * s
    row = along(grid, 0, proxy_boxes[b]) * np.int64(grid[7]) + along(grid, 1, proxy_boxes[b + 1])
    return row * np.int64(grid[8]) + along(grid, 2, proxy_boxes[b + 2])


@inner
def meet_all(proxy_boxes, near, s, begin, end, margin, pairs, found):
    """Pairs of a sphere and those of a list whose boxes are no farther apart than the margin. Returns how many numbers
    there are in `pairs` then."""
    box = box_at(proxy_boxes, U(PROXY_BOX) * U(s))
    to, last = U(found), U(len(pairs) - 2)
    for m in range(U(begin), U(end)):
        t = near[m]
        pairs[to] = s
        pairs[to + U(1)] = t
        to = min(to + U(2) * U(reaches(proxy_boxes, U(PROXY_BOX) * U(t), box, margin)), last)
    return np.int64(to)


@inner
def fill_lanes(proxy_boxes, near, at, count, whole, margin, lanes):
    """The boxes of a list, in groups, seen from the middle of the one round all of them, the whole, and wider by the
    margin. The last group is filled up with its last box."""
    real = lanes.dtype.type
    c0, c1, c2, w0, w1, w2 = whole
    wide = margin + LANE_ROUNDING * (w0 + w1 + w2 + margin)
    for n in range(U((count + GROUP - 1) // GROUP * GROUP)):
        b = U(PROXY_BOX) * U(near[U(at) + min(n, U(count - 1))])
        to = U(GROUP_ROW) * (n // U(GROUP)) + n % U(GROUP)
        lanes[to] = real(proxy_boxes[b] - c0)
        lanes[to + U(GROUP)] = real(proxy_boxes[b + U(1)] - c1)
        lanes[to + U(2 * GROUP)] = real(proxy_boxes[b + U(2)] - c2)
        lanes[to + U(3 * GROUP)] = real(proxy_boxes[b + U(3)] + wide)
        lanes[to + U(4 * GROUP)] = real(proxy_boxes[b + U(4)] + wide)
        lanes[to + U(5 * GROUP)] = real(proxy_boxes[b + U(5)] + wide)


@inner
def which_meet(lanes, at, m0, m1, m2, e0, e1, e2, flags):
    """Which boxes of a group meet another one: 1 or 0 for each. Returns whether any does."""
    some = False
    for k in range(U(GROUP)):
        b = at + k
        d0 = abs(lanes[b] - m0) <= lanes[b + U(3 * GROUP)] + e0
        d1 = abs(lanes[b + U(GROUP)] - m1) <= lanes[b + U(4 * GROUP)] + e1
        d2 = abs(lanes[b + U(2 * GROUP)] - m2) <= lanes[b + U(5 * GROUP)] + e2
        meets = d0 & d1 & d2
        flags[k] = np.uint32(meets)
        some |= meets
    return some


@part
def meet_groups(proxy_boxes, near, count, at, others, whole, margin, lanes, pairs):
    """Pairs of the first spheres of a list and of those from `at` on, round which is the box `whole`. Returns how many
    numbers there are in `pairs`."""
    real, flags = lanes.dtype.type, room(np.uint32, GROUP)
    fill_lanes(proxy_boxes, near, at, others, whole, margin, lanes)
    c0, c1, c2 = whole[0], whole[1], whole[2]
    far, to, last = 1.0 + LANE_ROUNDING, U(0), U(len(pairs) - 2)
    for k in range(U(count)):
        s = near[k]
        m0, m1, m2, e0, e1, e2 = box_at(proxy_boxes, U(PROXY_BOX) * U(s))
        m0, m1, m2 = real(m0 - c0), real(m1 - c1), real(m2 - c2)
        e0, e1, e2 = real(far * e0), real(far * e1), real(far * e2)
        for n in range(U(0), U(others), U(GROUP)):
            if which_meet(lanes, U(GROUP_ROW // GROUP) * n, m0, m1, m2, e0, e1, e2, flags):
                begin = U(at) + n
                for lane in range(min(U(GROUP), U(others) - n)):
                    pairs[to], pairs[to + U(1)] = s, near[begin + lane]
                    to = min(to + U(2) * U(flags[lane]), last)
    return np.int64(to)


@part
def in_order(pairs, first, last):
    """Sort a few pairs of one sphere by the other's number."""
    for k in range(first + 2, last, 2):
        t = pairs[k + 1]
        m = k
        while m > first and pairs[m - 1] > t:
            pairs[m + 1] = pairs[m - 1]
            m -= 2
        pairs[m + 1] = t


@inner
def find_pairs(proxy_boxes, spans, boxes, a, b, margin, near, table, grid, lanes, pairs):
    """Pairs of spheres of two actors, or of one with itself, whose boxes are no farther apart than the margin: two
    numbers each in `pairs`, in order. Returns how many numbers. Near: room for three times the spheres of the largest
    actor."""
    most = len(near) // 3
    if a == b:
        count = np.int64(spans[a + 1]) - np.int64(spans[a])
        others = count
        for n in range(count):
            near[n] = near[most + n] = spans[a] + np.uint32(n)
        whole = middle_of(boxes, a)
    else:
        count = gather(proxy_boxes, spans[a], spans[a + 1], middle_of(boxes, b), margin, near, 0)
        if count == 0:
            return 0
        others = gather(proxy_boxes, spans[b], spans[b + 1], around(proxy_boxes, near, 0, count), margin, near, most)
        if others == 0:
            return 0
        whole = around(proxy_boxes, near, most, others)
        count = sift(proxy_boxes, near, count, whole, margin)
    if count * others <= BRUTE_FORCE_PAIRS:
        return meet_groups(proxy_boxes, near, count, most, others, whole, margin, lanes, pairs)
    found = 0
    lay_grid(proxy_boxes, near, most, others, 2 * most, grid, table)
    n1, n2 = np.int64(grid[7]), np.int64(grid[8])
    for n in range(count):
        begin = found
        i = PROXY_BOX * np.int64(near[n])
        e0, e1, e2 = (
            proxy_boxes[i + 3] + grid[9] + margin,
            proxy_boxes[i + 4] + grid[10] + margin,
            proxy_boxes[i + 5] + grid[11] + margin,
        )
        l0, h0 = along(grid, 0, proxy_boxes[i] - e0), along(grid, 0, proxy_boxes[i] + e0) + 1
        l1, h1 = along(grid, 1, proxy_boxes[i + 1] - e1), along(grid, 1, proxy_boxes[i + 1] + e1) + 1
        l2, h2 = along(grid, 2, proxy_boxes[i + 2] - e2), along(grid, 2, proxy_boxes[i + 2] + e2) + 1
        for c0 in range(l0, h0):
            for c1 in range(l1, h1):
                row = (c0 * n1 + c1) * n2  # cells of a row lie together
                found = meet_all(proxy_boxes, near, near[n], table[row + l2], table[row + h2], margin, pairs, found)
        in_order(pairs, begin, found)
    return found
