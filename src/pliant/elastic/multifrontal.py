# mypy: disallow-untyped-defs=False, check-untyped-defs=False
"""Sparse L D L^T by fronts: kernels. All matrices stand by columns, lower halves.

A front of n unknowns, the first c of which are eliminated, is an n x c panel that becomes a part of L, and an (n-c) x
(n-c) rest that is handed on to the piece above."""

from pliant.runtime.jit import kernel, part

COLUMN_BLOCK = 48  # columns that are eliminated before the others follow: they stay in the second-level cache
# Rows that follow together, four columns at a time: 2,048 bytes of them stay in the first-level cache. A constant, so
# that compilers see that what is read and what is written are apart.
ROWS = 64
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
def pack(panel, base, n, first, last, row, packed):
    """Rows `row` and on, ROWS of them, of columns first to last, one column after the other; zero beyond n."""
    count = min(ROWS, n - row)
    for q in range(first, last):
        at = base + q * n + row
        to = (q - first) * ROWS
        for i in range(count):
            packed[to + i] = panel[at + i]
        for i in range(count, ROWS):
            packed[to + i] = 0.0


@part
def follow_four(panel, base, n, first, last, j, d, unknown, packed, four):
    """Four columns from j, their rows in `four` (4 ROWS), lose what the packed rows of columns first to last say."""
    out = four[: 4 * ROWS]
    for q in range(first, last, 4):
        p0 = base + q * n + j
        p1, p2, p3 = p0 + n, p0 + 2 * n, p0 + 3 * n
        d0, d1, d2, d3 = d[unknown + q], d[unknown + q + 1], d[unknown + q + 2], d[unknown + q + 3]
        a0, a1, a2, a3 = panel[p0] * d0, panel[p1] * d1, panel[p2] * d2, panel[p3] * d3
        b0, b1, b2, b3 = panel[p0 + 1] * d0, panel[p1 + 1] * d1, panel[p2 + 1] * d2, panel[p3 + 1] * d3
        c0, c1, c2, c3 = panel[p0 + 2] * d0, panel[p1 + 2] * d1, panel[p2 + 2] * d2, panel[p3 + 2] * d3
        e0, e1, e2, e3 = panel[p0 + 3] * d0, panel[p1 + 3] * d1, panel[p2 + 3] * d2, panel[p3 + 3] * d3
        rows = packed[(q - first) * ROWS : (q - first + 4) * ROWS]
        for i in range(ROWS):
            x0, x1, x2, x3 = rows[i], rows[ROWS + i], rows[2 * ROWS + i], rows[3 * ROWS + i]
            out[i] -= a0 * x0 + a1 * x1 + a2 * x2 + a3 * x3
            out[ROWS + i] -= b0 * x0 + b1 * x1 + b2 * x2 + b3 * x3
            out[2 * ROWS + i] -= c0 * x0 + c1 * x1 + c2 * x2 + c3 * x3
            out[3 * ROWS + i] -= e0 * x0 + e1 * x1 + e2 * x2 + e3 * x3


@part
def follow_block(panel, base, n, first, last, j, end, out, start, stride, d, unknown, packed, four):
    """Columns j to end, as many as fours go into, lose what columns first to last of the panel say; rows from j. Entry
    (i, j) stands at out[start + j stride + i]. Returns the first column that is left."""
    fours = j + (end - j) // 4 * 4
    for row in range(j, n, ROWS):
        pack(panel, base, n, first, last, row, packed)
        count = min(ROWS, n - row)
        for column in range(j, min(fours, row + ROWS), 4):
            at = start + column * stride + row
            for k in range(4):
                for i in range(count):
                    four[k * ROWS + i] = out[at + k * stride + i]
            follow_four(panel, base, n, first, last, column, d, unknown, packed, four)
            for k in range(4):
                for i in range(count):
                    out[at + k * stride + i] = four[k * ROWS + i]
    return fours


@kernel("i[] i[] i[] i[] i[] d[] d[] d[] d[] d[] d[]")
def factorise(heads, children, maps, map_starts, places, values, lower, diagonal, stack, front, room):
    """lower and diagonal of the whole matrix from its values. places: where in `lower` each value goes; maps: for each
    piece where the particles of its border stand in the front above it; room: (COLUMN_BLOCK + 4) ROWS. Returns how many
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
        for i in range(m * m):
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
            for j in range(first, last):
                at = base + j * n + j
                follow(lower, base, n, first, j, j, at, lower, diagonal, unknown)
                pivot = lower[at]
                if not pivot > 0.0:
                    wrong += 1
                diagonal[unknown + j] = pivot
                inverse = 1.0 / pivot
                lower[at] = 1.0
                below = lower[at + 1 : at + n - j]
                for i in range(n - j - 1):
                    below[i] *= inverse
            own, border = last, c
            if (last - first) % 4 == 0 and n - last >= ROWS:
                packed, four = room[: COLUMN_BLOCK * ROWS], room[COLUMN_BLOCK * ROWS :]
                own = follow_block(
                    lower, base, n, first, last, last, c, lower, base, n, diagonal, unknown, packed, four
                )  # fmt: skip
                border = follow_block(
                    lower, base, n, first, last, c, n, front, -c * (m + 1), m, diagonal, unknown, packed, four
                )  # fmt: skip
            for j in range(own, c):
                follow(lower, base, n, first, last, j, base + j * n + j, lower, diagonal, unknown)
            for j in range(border, n):
                follow(lower, base, n, first, last, j, (j - c) * (m + 1), front, diagonal, unknown)
            first = last
        handed = stack[rest : rest + m * m]
        for i in range(m * m):
            handed[i] = front[i]
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
