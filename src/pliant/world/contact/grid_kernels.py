"""Kernels that find contacts: pairs of spheres of two actors whose boxes meet.

Of each actor only the spheres count that reach into the other's box. If that leaves few, all pairs are looked at; else
those of the second are sorted by counting into a grid, and each of the first looks at the cells it reaches. Two bodies
are looked at by themselves, so sizes may differ as they like, and the order of the contacts is that of the couples and
of the spheres' numbers and cells, whoever else is there."""

import math

import numpy as np

from pliant.jit import part
from pliant.world.contact.deep_kernels import DEEP, is_deep, untangle
from pliant.world.contact.layout import (
    APART,
    ARM,
    BEFORE,
    BEGIN,
    BOUNCE,
    BOUND,
    BOX,
    CASE,
    CONTACT,
    DEPTH,
    DRAG,
    END,
    FRICTION,
    GIVE,
    HOLDS,
    MANNERS,
    MARGIN,
    NORMAL,
    ONE,
    OTHER,
    OTHERS_REACH,
    OTHERS_YIELD,
    PLACE,
    PUSH,
    REACH,
    RESTITUTION,
    RUB,
    TRAITS,
    TURN,
    YIELD,
)  # fmt: skip
from pliant.world.contact.pair_kernels import apart, meeting
from pliant.world.layout import BOUNCE as MEMORY

NEIGHBOURS = 1.1  # of the sum of the bounds: spheres of one body that are nearer at rest never touch
RECOVER = 0.5  # 1/s: how fast those that are inside one another come out, in reaches
PART = 0.2  # of the overlap that is taken back in one sub-step, at most
SLOP = 0.002  # of the reach: overlap that is left alone, so that resting contacts do not come and go
FEW = 3000  # pairs that are all looked at


@part
def gather(cases, first, last, shared, near, at):
    """The spheres from first to last that reach into a box: their numbers in `near`, from `at` on. Returns how many."""
    m0, m1, m2, e0, e1, e2 = shared
    to = np.uint64(at)
    for s in range(np.uint64(first), np.uint64(last)):
        b = np.uint64(CASE) * s
        d0 = abs(cases[b] - m0) <= cases[b + np.uint64(3)] + e0
        d1 = abs(cases[b + np.uint64(1)] - m1) <= cases[b + np.uint64(4)] + e1
        d2 = abs(cases[b + np.uint64(2)] - m2) <= cases[b + np.uint64(5)] + e2
        inside = d0 & d1 & d2
        near[to] = s
        to += np.uint64(inside)
    return np.int64(to) - at


@part
def sift(cases, near, count, shared):
    """Of the first spheres in a list, those that reach into a box. Returns how many."""
    m0, m1, m2, e0, e1, e2 = shared
    kept = np.uint64(0)
    for n in range(np.uint64(count)):
        s = near[n]
        b = np.uint64(CASE) * np.uint64(s)
        d0 = abs(cases[b] - m0) <= cases[b + np.uint64(3)] + e0
        d1 = abs(cases[b + np.uint64(1)] - m1) <= cases[b + np.uint64(4)] + e1
        d2 = abs(cases[b + np.uint64(2)] - m2) <= cases[b + np.uint64(5)] + e2
        inside = d0 & d1 & d2
        near[kept] = s
        kept += np.uint64(inside)
    return np.int64(kept)


@part
def around(cases, near, at, count):
    """The box round spheres in a list."""
    l0 = l1 = l2 = 1e300
    h0 = h1 = h2 = -1e300
    for n in range(np.uint64(at), np.uint64(at + count)):
        b = np.uint64(CASE) * np.uint64(near[n])
        c0, c1, c2 = cases[b], cases[b + np.uint64(1)], cases[b + np.uint64(2)]
        e0, e1, e2 = cases[b + np.uint64(3)], cases[b + np.uint64(4)], cases[b + np.uint64(5)]
        l0, l1, l2 = min(l0, c0 - e0), min(l1, c1 - e1), min(l2, c2 - e2)
        h0, h1, h2 = max(h0, c0 + e0), max(h1, c1 + e1), max(h2, c2 + e2)
    return 0.5 * (l0 + h0), 0.5 * (l1 + h1), 0.5 * (l2 + h2), 0.5 * (h0 - l0), 0.5 * (h1 - l1), 0.5 * (h2 - l2)


@part
def middle_of(boxes, actor):
    """The middle and half the width of an actor's box."""
    l0, l1, l2 = boxes[BOX * actor], boxes[BOX * actor + 1], boxes[BOX * actor + 2]
    h0, h1, h2 = boxes[BOX * actor + 3], boxes[BOX * actor + 4], boxes[BOX * actor + 5]
    return 0.5 * (l0 + h0), 0.5 * (l1 + h1), 0.5 * (l2 + h2), 0.5 * (h0 - l0), 0.5 * (h1 - l1), 0.5 * (h2 - l2)


@part
def lay_grid(cases, near, at, count, to, grid, table):
    """Sort spheres of a list into a grid over their middles. Grid: its least corner (3), its scale (3) and its size (3)
    along the axes, and half the greatest widths (3); table: where each cell begins in the sorted list, which is at
    `to`."""
    for k in range(3):
        grid[k], grid[3 + k], grid[9 + k] = 1e300, -1e300, 0.0
    for n in range(at, at + count):
        b = CASE * np.int64(near[n])
        for k in range(3):
            grid[k] = min(grid[k], cases[b + k])
            grid[3 + k] = max(grid[3 + k], cases[b + k])
            grid[9 + k] = max(grid[9 + k], cases[b + 3 + k])
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
        table[cell_of(grid, cases, np.int64(near[n]))] += 1
    table[0] += to
    for k in range(total):
        table[k + 1] += table[k]
    for n in range(at + count - 1, at - 1, -1):  # backwards, so that each cell is in order
        cell = cell_of(grid, cases, np.int64(near[n]))
        table[cell] -= 1
        near[table[cell]] = near[n]


@part
def along(grid, k, x):
    """In which cell a coordinate falls."""
    return max(0, min(np.int64(grid[3 + k] * (x - grid[k])), np.int64(grid[6 + k]) - 1))


@part
def cell_of(grid, cases, s):
    b = CASE * s
    row = along(grid, 0, cases[b]) * np.int64(grid[7]) + along(grid, 1, cases[b + 1])
    return row * np.int64(grid[8]) + along(grid, 2, cases[b + 2])


@part
def meet_all(cases, near, s, begin, end, pairs, found):
    """Pairs of a sphere and those of a list whose boxes meet. Returns how many numbers there are in `pairs` then."""
    b = np.uint64(CASE) * np.uint64(s)
    m0, m1, m2 = cases[b], cases[b + np.uint64(1)], cases[b + np.uint64(2)]
    e0, e1, e2 = cases[b + np.uint64(3)], cases[b + np.uint64(4)], cases[b + np.uint64(5)]
    to, last = np.uint64(found), np.uint64(len(pairs) - 2)
    for m in range(np.uint64(begin), np.uint64(end)):
        t = near[m]
        b = np.uint64(CASE) * np.uint64(t)
        d0 = abs(cases[b] - m0) <= cases[b + np.uint64(3)] + e0
        d1 = abs(cases[b + np.uint64(1)] - m1) <= cases[b + np.uint64(4)] + e1
        d2 = abs(cases[b + np.uint64(2)] - m2) <= cases[b + np.uint64(5)] + e2
        pairs[to] = s
        pairs[to + np.uint64(1)] = t
        to = min(to + np.uint64(2) * np.uint64(d0 & d1 & d2), last)
    return np.int64(to)


@part
def find_pairs(cases, spans, boxes, a, b, near, table, grid, pairs):
    """Pairs of spheres of two actors, or of one with itself, that may touch: two numbers each in `pairs`. Returns how
    many numbers. Near: room for three times the spheres of the largest actor."""
    most = len(near) // 3
    if a == b:
        count = np.int64(spans[a + 1]) - np.int64(spans[a])
        others = count
        for n in range(count):
            near[n] = near[most + n] = spans[a] + np.uint32(n)
    else:
        count = gather(cases, spans[a], spans[a + 1], middle_of(boxes, b), near, 0)
        if count == 0:
            return 0
        others = gather(cases, spans[b], spans[b + 1], around(cases, near, 0, count), near, most)
        if others == 0:
            return 0
        count = sift(cases, near, count, around(cases, near, most, others))
    found = 0
    if count * others <= FEW:
        for n in range(count):
            found = meet_all(cases, near, near[n], most, most + others, pairs, found)
        return found
    lay_grid(cases, near, most, others, 2 * most, grid, table)
    n1, n2 = np.int64(grid[7]), np.int64(grid[8])
    for n in range(count):
        i = CASE * np.int64(near[n])
        e0, e1, e2 = cases[i + 3] + grid[9], cases[i + 4] + grid[10], cases[i + 5] + grid[11]
        l0, h0 = along(grid, 0, cases[i] - e0), along(grid, 0, cases[i] + e0) + 1
        l1, h1 = along(grid, 1, cases[i + 1] - e1), along(grid, 1, cases[i + 1] + e1) + 1
        l2, h2 = along(grid, 2, cases[i + 2] - e2), along(grid, 2, cases[i + 2] + e2) + 1
        for c0 in range(l0, h0):
            for c1 in range(l1, h1):
                row = (c0 * n1 + c1) * n2  # cells of a row lie together
                found = meet_all(cases, near, near[n], table[row + l2], table[row + h2], pairs, found)
    return found


@part
def find_contacts(
    riders, traits, rests, owners, spans, manners, hulls, bounces, spins, boxes, places, cases, couples, near, table,
    grid, pairs, contacts, h, row, end, first, last,
):  # fmt: skip
    """Rows of `contacts`, from `row` to `end`, for all pairs of the couples from first to last that touch or nearly do.
    Returns how many there are, and how many were left out."""
    found, lost = row, 0
    for c in range(first, last):
        a, b = couples[2 + 2 * c], couples[3 + 2 * c]
        count = find_pairs(cases, spans, boxes, a, b, near, table, grid, pairs)
        if count == len(pairs) - 2:  # there was no room for more
            lost += 1
        begin, tangled = found, False
        for k in range(0, count, 2):
            s, t = np.int64(pairs[k]), np.int64(pairs[k + 1])
            if a == b and (t <= s or together(rests, traits, s, t)):
                continue
            if apart(places, traits, hulls, riders, s, t):
                continue
            if found == end:
                lost += 1
            elif touch(riders, traits, owners, manners, hulls, bounces, spins, places, s, t, contacts, found, h):
                tangled |= is_deep(contacts[CONTACT * found : CONTACT * (found + 1)])
                found += 1
        if tangled and a != b:
            untangle(contacts, begin, found)
    return found - row, lost


@part
def together(rests, traits, a, b):
    """Whether two spheres of one body touch at rest."""
    d0, d1, d2 = rests[4 * a] - rests[4 * b], rests[4 * a + 1] - rests[4 * b + 1], rests[4 * a + 2] - rests[4 * b + 2]
    near = NEIGHBOURS * (traits[TRAITS * a + BOUND] + traits[TRAITS * b + BOUND])
    return d0 * d0 + d1 * d1 + d2 * d2 < near * near


@part
def touch(riders, traits, owners, manners, hulls, bounces, spins, places, a, b, contacts, which, h):
    """One pair: fills the row of a contact, if there is one."""
    n0, n1, n2, ra, rb = meeting(places, traits, hulls, riders, a, b)
    if ra == 0.0 and rb == 0.0:
        return False
    one, two = places[PLACE * a : PLACE * (a + 1)], places[PLACE * b : PLACE * (b + 1)]
    end = n0 * (one[END] - two[END]) + n1 * (one[END + 1] - two[END + 1]) + n2 * (one[END + 2] - two[END + 2]) - ra - rb
    if end > MARGIN * (ra + rb):
        return False
    before = (
        n0 * (one[BEGIN] - two[BEGIN]) + n1 * (one[BEGIN + 1] - two[BEGIN + 1]) + n2 * (one[BEGIN + 2] - two[BEGIN + 2])
        - ra - rb
    )  # fmt: skip
    row = contacts[CONTACT * which : CONTACT * (which + 1)]
    row[ONE], row[OTHER] = a, b
    row[NORMAL], row[NORMAL + 1], row[NORMAL + 2] = n0, n1, n2
    row[APART] = ra + rb + min(0.0, before + min(RECOVER * h * (ra + rb), PART * max(0.0, -before - SLOP * (ra + rb))))
    row[YIELD], row[OTHERS_YIELD] = one[GIVE], two[GIVE]
    row[PUSH] = row[DRAG] = row[DRAG + 1] = row[DRAG + 2] = row[HOLDS] = 0.0
    row[BEFORE], row[DEPTH] = before, -end
    row[REACH], row[OTHERS_REACH] = ra, rb
    i, j = MANNERS * np.int64(owners[a]), MANNERS * np.int64(owners[b])
    row[RUB] = math.sqrt(manners[i + FRICTION] * manners[j + FRICTION]) if before > -DEEP * (ra + rb) else 0.0
    row[BOUNCE] = max(manners[i + RESTITUTION], manners[j + RESTITUTION])
    # The skin at the point of contact turns with its body: that is part of the slip. (What rides on a particle of the
    # skin slips as that does.)
    ra, rb = (ra if traits[TRAITS * a + ARM] == 0 else 0.0), (rb if traits[TRAITS * b + ARM] == 0 else 0.0)
    w0, w1, w2 = spin_of(riders, owners, bounces, spins, a)
    u0, u1, u2 = spin_of(riders, owners, bounces, spins, b)
    s0, s1, s2 = -h * (ra * w0 + rb * u0), -h * (ra * w1 + rb * u1), -h * (ra * w2 + rb * u2)
    row[TURN], row[TURN + 1], row[TURN + 2] = s1 * n2 - s2 * n1, s2 * n0 - s0 * n2, s0 * n1 - s1 * n0
    return True


@part
def spin_of(riders, owners, bounces, spins, s):
    """Angular velocity of a sphere: that of its body, or its own where it is a body by itself."""
    f = 4 * np.int64(riders[2 * s])
    if len(spins) > 0 and spins[f + 3] > 0:
        return float(spins[f]), float(spins[f + 1]), float(spins[f + 2])
    at = MEMORY * np.int64(owners[s]) + 13
    return bounces[at], bounces[at + 1], bounces[at + 2]
