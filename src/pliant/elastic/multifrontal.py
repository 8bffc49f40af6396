# mypy: disallow-untyped-defs=False, check-untyped-defs=False
"""Sparse L D L^T by fronts: kernels. All matrices stand by columns, lower halves.

A front of n unknowns, the first c of which are eliminated, is an n x c panel that becomes a part of L, and an (n-c) x
(n-c) rest that is handed on to the piece above."""

import numpy as np

from pliant.runtime.instructions import room
from pliant.runtime.jit import kernel, part
from pliant.runtime.vectors import fill4, load4, store

# Columns that are eliminated before the panel behind them follows, a step of them at a time; and those that the rest of
# a front follows at once: each of its numbers is then fetched a quarter as often as with the smallest.
COLUMN_STEP, COLUMN_BLOCK, LONG_BLOCK = 12, 48, 96
COLUMN_STRIP = 120  # columns that follow together: what they need stays in the second-level cache, tile after tile
TALL = 12  # rows of a tile of three columns: nine vectors of four, which stay in registers
TILE, PACKED_ROWS, PACKED_WEIGHTS = 3 * TALL, LONG_BLOCK * TALL, LONG_BLOCK * COLUMN_STRIP
# numbers of a piece: n, c; places of its panel, its rest, its unknowns; its first and last child; its first pivot
HEAD = 8


@part
def follow(panel, base, n, first, last, j, to, out, d, unknown):
    """Column j, rows j to n, loses what columns first to last of the panel say: out[to] is its diagonal."""
    count = n - j
    own = out[to : to + count]
    q = first
    while q + 4 <= last:
        p0 = base + q * n + j
        p1 = p0 + n
        p2 = p1 + n
        p3 = p2 + n
        w0 = panel[p0] * d[unknown + q]
        w1 = panel[p1] * d[unknown + q + 1]
        w2 = panel[p2] * d[unknown + q + 2]
        w3 = panel[p3] * d[unknown + q + 3]
        a0 = panel[p0 : p0 + count]
        a1 = panel[p1 : p1 + count]
        a2 = panel[p2 : p2 + count]
        a3 = panel[p3 : p3 + count]
        for i in range(count):
            own[i] -= w0 * a0[i] + w1 * a1[i] + w2 * a2[i] + w3 * a3[i]
        q += 4
    while q < last:
        p0 = base + q * n + j
        w0 = panel[p0] * d[unknown + q]
        a0 = panel[p0 : p0 + count]
        for i in range(count):
            own[i] -= w0 * a0[i]
        q += 1


@part
def follow_tile(rows, weights, at, count, out, to, stride):
    """Twelve rows of three columns of `out` lose what `count` packed columns say; they stay in registers meanwhile."""
    a0 = a1 = a2 = b0 = b1 = b2 = c0 = c1 = c2 = fill4(0.0)
    for q in range(count):
        x0, x1, x2 = load4(rows, TALL * q), load4(rows, TALL * q + 4), load4(rows, TALL * q + 8)
        w = fill4(weights[at + 3 * q])
        a0, a1, a2 = a0 + w * x0, a1 + w * x1, a2 + w * x2
        w = fill4(weights[at + 3 * q + 1])
        b0, b1, b2 = b0 + w * x0, b1 + w * x1, b2 + w * x2
        w = fill4(weights[at + 3 * q + 2])
        c0, c1, c2 = c0 + w * x0, c1 + w * x1, c2 + w * x2
    store(out, to, load4(out, to) - a0)
    store(out, to + 4, load4(out, to + 4) - a1)
    store(out, to + 8, load4(out, to + 8) - a2)
    to += stride
    store(out, to, load4(out, to) - b0)
    store(out, to + 4, load4(out, to + 4) - b1)
    store(out, to + 8, load4(out, to + 8) - b2)
    to += stride
    store(out, to, load4(out, to) - c0)
    store(out, to + 4, load4(out, to + 4) - c1)
    store(out, to + 8, load4(out, to + 8) - c2)


@part
def follow_block(panel, base, n, first, last, j, end, out, start, stride, d, unknown, weights):
    """Columns j to end, a multiple of three, lose what columns first to last of the panel say, in rows j to n. Entry
    (i, k) stands at out[start + k stride + i]; above the diagonal anything may be left."""
    rows = room(np.float64, PACKED_ROWS)
    tile = room(np.float64, TILE)
    count = last - first
    for k in range(j, end, 3):
        at = (k - j) * count
        for q in range(first, last):
            p = base + q * n + k
            w = d[unknown + q]
            weights[at], weights[at + 1], weights[at + 2] = panel[p] * w, panel[p + 1] * w, panel[p + 2] * w
            at += 3
    for row in range(j, n, TALL):
        tall = min(TALL, n - row)
        for q in range(count):
            p = base + (first + q) * n + row
            for i in range(tall):
                rows[TALL * q + i] = panel[p + i]
            for i in range(tall, TALL):
                rows[TALL * q + i] = 0.0
        for k in range(j, min(end, row + TALL), 3):
            to = start + k * stride + row
            if tall == TALL:
                follow_tile(rows, weights, (k - j) * count, count, out, to, stride)
                continue
            for c in range(3):
                for i in range(tall):
                    tile[TALL * c + i] = out[to + c * stride + i]
            follow_tile(rows, weights, (k - j) * count, count, tile, 0, TALL)
            for c in range(3):
                for i in range(tall):
                    out[to + c * stride + i] = tile[TALL * c + i]


@kernel("i[] i[] i[] i[] i[] d[] d[] d[] d[] d[] d[]")
def factorise(heads, children, maps, map_starts, places, values, lower, diagonal, stack, front, weights):
    """lower and diagonal of the whole matrix from its values. places: where in `lower` each value goes; maps: for each
    piece where the particles of its border stand in the front above it; weights: PACKED_WEIGHTS. Returns how many
    pivots are not positive."""
    for i in range(len(lower)):
        lower[i] = 0.0
    for i in range(len(values)):
        lower[places[i]] = values[i]
    wrong = 0
    for t in range(len(heads) // HEAD):
        n, c, base, rest = heads[HEAD * t], heads[HEAD * t + 1], heads[HEAD * t + 2], heads[HEAD * t + 3]
        unknown = heads[HEAD * t + 7]
        m = n - c
        for j in range(m):
            for i in range(j * m + j - j % 3, (j + 1) * m):
                front[i] = 0.0
        for e in range(heads[HEAD * t + 5], heads[HEAD * t + 6]):
            child = children[e]
            size = heads[HEAD * child] - heads[HEAD * child + 1]
            start = heads[HEAD * child + 3]
            first = map_starts[child]
            for jb in range(size // 3):
                for jk in range(3):
                    j = 3 * jb + jk
                    column = 3 * maps[first + jb] + jk
                    if column < c:
                        to = base + column * n
                        for ib in range(jb, size // 3):
                            at = to + 3 * maps[first + ib]
                            f = start + j * size + 3 * ib
                            lower[at] += stack[f]
                            lower[at + 1] += stack[f + 1]
                            lower[at + 2] += stack[f + 2]
                    else:
                        to = (column - c) * m - c
                        for ib in range(jb, size // 3):
                            at = to + 3 * maps[first + ib]
                            f = start + j * size + 3 * ib
                            front[at] += stack[f]
                            front[at + 1] += stack[f + 1]
                            front[at + 2] += stack[f + 2]
        first = 0
        while first < c:
            last = min(first + COLUMN_BLOCK, c)
            step = first
            while step < last:
                end = min(step + COLUMN_STEP, last)
                for j in range(step, end):
                    at = base + j * n + j
                    follow(lower, base, n, step, j, j, at, lower, diagonal, unknown)
                    pivot = lower[at]
                    if not pivot > 0.0:
                        wrong += 1
                    diagonal[unknown + j] = pivot
                    inverse = 1.0 / pivot
                    lower[at] = 1.0
                    below = lower[at + 1 : at + n - j]
                    for i in range(n - j - 1):
                        below[i] *= inverse
                follow_block(lower, base, n, step, end, end, last, lower, base, n, diagonal, unknown, weights)
                step = end
            for j in range(last, c, COLUMN_STRIP):
                end = min(j + COLUMN_STRIP, c)
                follow_block(lower, base, n, first, last, j, end, lower, base, n, diagonal, unknown, weights)
            first = last
        for first in range(0, c, LONG_BLOCK):
            last = min(first + LONG_BLOCK, c)
            for j in range(c, n, COLUMN_STRIP):
                end = min(j + COLUMN_STRIP, n)
                follow_block(lower, base, n, first, last, j, end, front, -c * (m + 1), m, diagonal, unknown, weights)
        for j in range(m):
            start, count = j * m + j - j % 3, m - j + j % 3
            handed, done = stack[rest + start : rest + start + count], front[start : start + count]
            for i in range(count):
                handed[i] = done[i]
    return wrong


@kernel("i[] i[] d[] d[] d[] d[]")
def substitute(heads, unknowns, lower, diagonal, work, x):
    """x (3 V,), a right-hand side, becomes the solution. unknowns: of each front; work: as long as the largest."""
    count = len(heads) // HEAD
    for t in range(count):
        n, c, base, at = heads[HEAD * t], heads[HEAD * t + 1], heads[HEAD * t + 2], heads[HEAD * t + 4]
        for i in range(n):
            work[i] = x[unknowns[at + i]]
        for j in range(c):
            w = work[j]
            below = lower[base + j * n + j + 1 : base + (j + 1) * n]
            others = work[j + 1 : n]
            for i in range(n - j - 1):
                others[i] -= w * below[i]
        for i in range(n):
            x[unknowns[at + i]] = work[i]
    for t in range(count - 1, -1, -1):
        n, c, base, at = heads[HEAD * t], heads[HEAD * t + 1], heads[HEAD * t + 2], heads[HEAD * t + 4]
        unknown = heads[HEAD * t + 7]
        for i in range(n):
            work[i] = x[unknowns[at + i]]
        for j in range(c - 1, -1, -1):
            p = base + j * n
            s0 = s1 = s2 = s3 = 0.0  # four sums at a time: one would wait for itself
            i = j + 1
            while i + 4 <= n:
                s0 += lower[p + i] * work[i]
                s1 += lower[p + i + 1] * work[i + 1]
                s2 += lower[p + i + 2] * work[i + 2]
                s3 += lower[p + i + 3] * work[i + 3]
                i += 4
            while i < n:
                s0 += lower[p + i] * work[i]
                i += 1
            work[j] = work[j] / diagonal[unknown + j] - ((s0 + s1) + (s2 + s3))
        for i in range(c):
            x[unknowns[at + i]] = work[i]
