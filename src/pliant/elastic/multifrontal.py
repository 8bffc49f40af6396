# mypy: disallow-untyped-defs=False, check-untyped-defs=False
"""Sparse L D L^T by fronts: kernels. All matrices stand by columns, lower halves.

A front of n unknowns, the first c of which are eliminated, is an n x c panel that becomes a part of L, and an (n-c) x
(n-c) rest that is handed on to the piece above."""

from pliant.runtime.jit import kernel, part

COLUMN_BLOCK = 48  # columns that are eliminated before the others follow: they stay in the second-level cache
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


@kernel("i[] i[] i[] i[] i[] d[] d[] d[] d[] d[]")
def factorise(heads, children, maps, map_starts, places, values, lower, diagonal, stack, front):
    """lower and diagonal of the whole matrix from its values. places: where in `lower` each value goes; maps: for each
    piece where the particles of its border stand in the front above it. Returns how many pivots are not positive."""
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
            for j in range(last, c):
                follow(lower, base, n, first, last, j, base + j * n + j, lower, diagonal, unknown)
            for j in range(c, n):
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
