# mypy: disallow-untyped-defs=False, check-untyped-defs=False
"""What all materials share: from the numbers of single tets to those of the mesh.

A material writes for each tet its energy, the nine numbers of its gradient by the edges u_1, u_2, u_3, and the Hessian
by the same as six blocks of 3x3, row by row:  11 12 13 22 23 33.  Corner 0 has what makes the sum of all corners
nothing. Sums over tets run in the order of the tets, so they do not depend on who makes them.
"""

from pliant.runtime.jit import kernel, part

FORCE, BLOCKS = 9, 54  # numbers of a tet


@kernel("d[] i[] i[] i i d[]")
def gather(forces, starts, corners, first, last, gradient):
    """Gradient of each particle from first to last (3 V): the sum over its corners. Overwrites."""
    for v in range(first, last):
        s0 = s1 = s2 = 0.0
        for c in range(starts[v], starts[v + 1]):
            tet = corners[c] // 4
            corner = corners[c] - 4 * tet
            a = FORCE * tet
            if corner == 0:
                s0 -= forces[a] + forces[a + 3] + forces[a + 6]
                s1 -= forces[a + 1] + forces[a + 4] + forces[a + 7]
                s2 -= forces[a + 2] + forces[a + 5] + forces[a + 8]
            else:
                a += 3 * (corner - 1)
                s0 += forces[a]
                s1 += forces[a + 1]
                s2 += forces[a + 2]
        gradient[3 * v] = s0
        gradient[3 * v + 1] = s1
        gradient[3 * v + 2] = s2


@part
def add_block(values, start, before, b, at, sign):
    """A block b[at:at+9] above the diagonal: its columns stand `before` + 1, then `before` + 2 numbers apart."""
    second = start + before + 1
    third = second + before + 2
    values[start] += sign * b[at]
    values[start + 1] += sign * b[at + 3]
    values[start + 2] += sign * b[at + 6]
    values[second] += sign * b[at + 1]
    values[second + 1] += sign * b[at + 4]
    values[second + 2] += sign * b[at + 7]
    values[third] += sign * b[at + 2]
    values[third + 1] += sign * b[at + 5]
    values[third + 2] += sign * b[at + 8]


@part
def add_diagonal(values, start, before, b, at):
    """The upper half of a symmetric block on the diagonal."""
    second = start + before + 1
    third = second + before + 2
    values[start] += b[at]
    values[second] += b[at + 1]
    values[second + 1] += b[at + 4]
    values[third] += b[at + 2]
    values[third + 1] += b[at + 5]
    values[third + 2] += b[at + 8]


@part
def corner_blocks(blocks, at, whole):
    """The blocks of corner 0 with itself, 1, 2 and 3 (36 numbers) from those of the edges: minus the sums of columns,
    and the sum of all."""
    for i in range(3):
        for k in range(3):
            r = 3 * i + k
            t = 3 * k + i  # blocks below the diagonal are those above, turned over
            c1 = blocks[at + r] + blocks[at + 9 + t] + blocks[at + 18 + t]
            c2 = blocks[at + 9 + r] + blocks[at + 27 + r] + blocks[at + 36 + t]
            c3 = blocks[at + 18 + r] + blocks[at + 36 + r] + blocks[at + 45 + r]
            whole[r] = c1 + c2 + c3
            whole[9 + r] = -c1
            whole[18 + r] = -c2
            whole[27 + r] = -c3


@kernel("d[] i[] i[] i[] i i d[] d[]")
def scatter(blocks, tets, starts, before, first, last, whole, values):
    """Add the blocks of tets first to last to the values of the matrix (Pattern). `starts`: 10 places a tet, of its
    pairs 00 01 02 03 11 12 13 22 23 33; `before`: of each particle, what stands above the diagonal block in its first
    column. `whole` is scratch (36)."""
    for t in range(first, last):
        at = BLOCKS * t
        s = 10 * t
        corner_blocks(blocks, at, whole)
        n0, n1, n2, n3 = before[tets[4 * t]], before[tets[4 * t + 1]], before[tets[4 * t + 2]], before[tets[4 * t + 3]]
        add_diagonal(values, starts[s], n0, whole, 0)
        add_block(values, starts[s + 1], n1, whole, 9, 1.0)
        add_block(values, starts[s + 2], n2, whole, 18, 1.0)
        add_block(values, starts[s + 3], n3, whole, 27, 1.0)
        add_diagonal(values, starts[s + 4], n1, blocks, at)
        add_block(values, starts[s + 5], n2, blocks, at + 9, 1.0)
        add_block(values, starts[s + 6], n3, blocks, at + 18, 1.0)
        add_diagonal(values, starts[s + 7], n2, blocks, at + 27)
        add_block(values, starts[s + 8], n3, blocks, at + 36, 1.0)
        add_diagonal(values, starts[s + 9], n3, blocks, at + 45)


@kernel("d[] i[] i[] d[]")
def add_to_diagonal(amounts, diagonals, before, values):
    """Add amounts (V,) to the three numbers on the diagonal of each particle; `diagonals`: places of their blocks."""
    for v in range(len(amounts)):
        a = diagonals[v]
        n = before[v]
        values[a] += amounts[v]
        values[a + n + 2] += amounts[v]
        values[a + 2 * n + 5] += amounts[v]


@kernel("d[] i[] i[] d[]")
def add_scaled_units(amounts, starts, before, values):
    """Add amounts (N,) times the unit block at places `starts` (N,) above or on the diagonal, in columns with `before`
    (N,) numbers above their diagonal blocks."""
    for n in range(len(amounts)):
        a = starts[n]
        b = before[n]
        values[a] += amounts[n]
        values[a + b + 2] += amounts[n]
        values[a + 2 * b + 5] += amounts[n]


@kernel("i[] i[] i[] d d[]")
def hold(fixed, pointers, rows, one, values):
    """Rows and columns of fixed numbers (3 V of 0 or 1) vanish but for `one` on the diagonal."""
    for c in range(len(pointers) - 1):
        last = pointers[c + 1] - 1
        if fixed[c]:
            for k in range(pointers[c], last):
                values[k] = 0.0
            values[last] = one
        else:
            for k in range(pointers[c], last):
                if fixed[rows[k]]:
                    values[k] = 0.0


@kernel("d[] i[] d[] i i d[]")
def stretch_blocks(blocks, tets, v, first, last, forces):
    """H v of tets first to last, by their edges (9 T,): the product with the Hessian without a matrix."""
    for t in range(first, last):
        o = 3 * tets[4 * t]
        a, b, c = 3 * tets[4 * t + 1], 3 * tets[4 * t + 2], 3 * tets[4 * t + 3]
        p0, p1, p2 = v[a] - v[o], v[a + 1] - v[o + 1], v[a + 2] - v[o + 2]
        q0, q1, q2 = v[b] - v[o], v[b + 1] - v[o + 1], v[b + 2] - v[o + 2]
        r0, r1, r2 = v[c] - v[o], v[c + 1] - v[o + 1], v[c + 2] - v[o + 2]
        k = blocks[BLOCKS * t : BLOCKS * t + BLOCKS]
        f = forces[FORCE * t : FORCE * t + FORCE]
        for i in range(3):
            n = 3 * i
            f[i] = (
                k[n] * p0 + k[n + 1] * p1 + k[n + 2] * p2
                + k[9 + n] * q0 + k[10 + n] * q1 + k[11 + n] * q2
                + k[18 + n] * r0 + k[19 + n] * r1 + k[20 + n] * r2
            )  # fmt: skip
            f[3 + i] = (
                k[9 + i] * p0 + k[12 + i] * p1 + k[15 + i] * p2
                + k[27 + n] * q0 + k[28 + n] * q1 + k[29 + n] * q2
                + k[36 + n] * r0 + k[37 + n] * r1 + k[38 + n] * r2
            )  # fmt: skip
            f[6 + i] = (
                k[18 + i] * p0 + k[21 + i] * p1 + k[24 + i] * p2
                + k[36 + i] * q0 + k[39 + i] * q1 + k[42 + i] * q2
                + k[45 + n] * r0 + k[46 + n] * r1 + k[47 + n] * r2
            )  # fmt: skip


@kernel("d[] i[] i[] i i d[]")
def diagonal_blocks(blocks, starts, corners, first, last, diagonal):
    """The 3x3 blocks on the diagonal of the Hessian, of particles first to last (9 V,)."""
    for v in range(first, last):
        d = diagonal[9 * v : 9 * v + 9]
        for i in range(9):
            d[i] = 0.0
        for c in range(starts[v], starts[v + 1]):
            tet = corners[c] // 4
            corner = corners[c] - 4 * tet
            a = BLOCKS * tet
            if corner == 0:
                for i in range(3):
                    for k in range(3):
                        r, t = 3 * i + k, 3 * k + i
                        d[r] += (
                            blocks[a + r] + blocks[a + 27 + r] + blocks[a + 45 + r]
                            + blocks[a + 9 + r] + blocks[a + 9 + t] + blocks[a + 18 + r] + blocks[a + 18 + t]
                            + blocks[a + 36 + r] + blocks[a + 36 + t]
                        )  # fmt: skip
            else:
                a += 0 if corner == 1 else (27 if corner == 2 else 45)
                for i in range(9):
                    d[i] += blocks[a + i]
