# mypy: disallow-untyped-defs=False, check-untyped-defs=False
"""Walking over the faces of a simplex to the minimum of |U w - z|^2: Wolfe's active-set method, many lanes at a time.

Lanes whose face is no longer the right one are brought together, so that a vibrating body, where a third of the regions
may change their face in a step, pays for these only. Each round is the same straight-line arithmetic for all of them:
minimise on the face; go there, or until a weight reaches zero, which then leaves the face; or else let the weight that
wants most to grow enter it. A lane that has arrived is not changed by further rounds. Double precision, because
G = U^T U has the square of the condition of U.

Rows are 64 wide, of which the first `n` are in use. `free` is 1 for weights on the face and 0 for others; its last row
is the weight of the rest pose. Matrices K x K take K K rows.
"""

import numpy as np

from pliant.maths.polar import LANES
from pliant.runtime.jit import part


@part
def faces_room(count):
    """How many numbers `walk_faces` needs to work in."""
    return LANES * (4 * count * count + 7 * count + 4)


@part
def walk_faces(bases, z, z_rows, faces, weights, blends, queue, n, count, room):
    """Bring weights, blends U w and the faces' operators N, u up to date for the first n lanes of the queue."""
    square = LANES * count * count
    line = LANES * count
    u, g, lower, inverse = room[:square], room[square:], room[2 * square :], room[3 * square :]
    rows = room[4 * square :]
    f, at, target, ones = rows[:line], rows[line:], rows[2 * line :], rows[3 * line :]
    gain, pull, free = rows[4 * line :], rows[5 * line :], rows[6 * line :]
    sums = rows[7 * line + LANES :]
    arrived = rows[7 * line + 3 * LANES :]
    for m in range(n):
        arrived[m] = 0.0
    _collect(bases, z, z_rows, weights, u, g, f, at, pull, free, queue, n, count)
    for _round in range(4 * count + 12):
        _factor(g, free, lower, n, count)
        _minimise(lower, f, free, target, ones, sums, n, count)
        if _advance(g, f, at, target, free, gain, arrived, n, count) == 0:
            break
    _invert(lower, free, inverse, n, count)
    # Without rest on the face the weights sum to 1: w = M f + u, M = G^-1 - o o^T / sum o, u = o / sum o, o = G^-1 1.
    for m in range(n):
        total = 0.0
        for j in range(count):
            total += ones[LANES * j + m]
        scale = 0.0 if free[line + m] > 0.0 or total <= 0.0 else 1.0 / total
        for i in range(count):
            gain[LANES * i + m] = ones[LANES * i + m] * scale  # u
    for i in range(count):
        for k in range(count):
            for m in range(n):
                inverse[LANES * (count * i + k) + m] -= gain[LANES * i + m] * ones[LANES * k + m]
    for i in range(count):
        for j in range(count):
            entry = lower[LANES * (count * i + j) : LANES * (count * i + j + 1)]  # N = M U^T
            for m in range(n):
                entry[m] = 0.0
            for k in range(count):
                a = inverse[LANES * (count * i + k) : LANES * (count * i + k + 1)]
                b = u[LANES * (count * j + k) : LANES * (count * j + k + 1)]
                for m in range(n):
                    entry[m] += a[m] * b[m]
    for m in range(n):
        block = queue[m] >> 6
        lane = queue[m] & 63
        w = weights[block * line + lane :]
        blend = blends[block * line + lane :]
        face = faces[block * (square + line) + lane :]
        for i in range(count):
            w[LANES * i] = at[LANES * i + m]
            value = 0.0
            for j in range(count):
                value += u[LANES * (count * i + j) + m] * at[LANES * j + m]
                face[LANES * (count * i + j)] = lower[LANES * (count * i + j) + m]
            blend[LANES * i] = value
            face[square + LANES * i] = gain[LANES * i + m]


@part
def _collect(bases, z, z_rows, weights, u, g, f, at, pull, free, queue, n, count):
    """U, G = U^T U, f = U^T z of the lanes, and a point inside the simplex near the weights they had."""
    square = count * count
    for m in range(n):
        block = queue[m] >> 6
        lane = queue[m] & 63
        basis = bases[block * (2 * square + 1) * LANES + lane :]
        for i in range(square):
            u[LANES * i + m] = basis[LANES * i]
        total = 0.0
        for i in range(count):
            pull[LANES * i + m] = z[(block * z_rows + i) * LANES + lane]
            value = max(0.0, float(weights[(block * count + i) * LANES + lane]))
            at[LANES * i + m] = value
            total += value
        for i in range(count):
            if total > 1.0:
                at[LANES * i + m] /= total
            free[LANES * i + m] = 1.0 if at[LANES * i + m] > 0.0 else 0.0
        free[LANES * count + m] = 1.0 if total < 1.0 else 0.0
    for i in range(count):
        row = f[LANES * i : LANES * (i + 1)]
        for m in range(n):
            row[m] = 0.0
        for j in range(count):
            a = u[LANES * (count * j + i) : LANES * (count * j + i + 1)]
            b = pull[LANES * j : LANES * (j + 1)]
            for m in range(n):
                row[m] += a[m] * b[m]
        for j in range(i + 1):
            entry = g[LANES * (count * i + j) : LANES * (count * i + j + 1)]
            other = g[LANES * (count * j + i) : LANES * (count * j + i + 1)]
            for m in range(n):
                entry[m] = 0.0
            for k in range(count):
                a = u[LANES * (count * k + i) : LANES * (count * k + i + 1)]
                b = u[LANES * (count * k + j) : LANES * (count * k + j + 1)]
                for m in range(n):
                    entry[m] += a[m] * b[m]
            if i != j:
                for m in range(n):
                    other[m] = entry[m]


@part
def _factor(g, free, lower, n, count):
    """Cholesky factor of G on the face, with ones for the weights that are not on it."""
    for i in range(count):
        fi = free[LANES * i : LANES * (i + 1)]
        for j in range(i + 1):
            a = lower[LANES * (count * i + j) : LANES * (count * i + j + 1)]
            b = g[LANES * (count * i + j) : LANES * (count * i + j + 1)]
            fj = free[LANES * j : LANES * (j + 1)]
            if i == j:
                for m in range(n):
                    a[m] = b[m] if fi[m] > 0.0 else 1.0
            else:
                for m in range(n):
                    a[m] = b[m] * fi[m] * fj[m]
            for k in range(j):
                p = lower[LANES * (count * i + k) : LANES * (count * i + k + 1)]
                q = lower[LANES * (count * j + k) : LANES * (count * j + k + 1)]
                for m in range(n):
                    a[m] -= p[m] * q[m]
            if i == j:  # the diagonal is kept inverted
                for m in range(n):
                    a[m] = 1.0 / np.sqrt(a[m] if a[m] > 1e-300 else 1e-300)
            else:
                d = lower[LANES * (count * j + j) : LANES * (count * j + j + 1)]
                for m in range(n):
                    a[m] *= d[m]


@part
def _solve(lower, values, n, count):
    """values <- (L L^T)^-1 values."""
    for i in range(count):
        v = values[LANES * i : LANES * (i + 1)]
        for k in range(i):
            a = lower[LANES * (count * i + k) : LANES * (count * i + k + 1)]
            c = values[LANES * k : LANES * (k + 1)]
            for m in range(n):
                v[m] -= a[m] * c[m]
        d = lower[LANES * (count * i + i) : LANES * (count * i + i + 1)]
        for m in range(n):
            v[m] *= d[m]
    for i in range(count - 1, -1, -1):
        v = values[LANES * i : LANES * (i + 1)]
        for k in range(i + 1, count):
            a = lower[LANES * (count * k + i) : LANES * (count * k + i + 1)]
            c = values[LANES * k : LANES * (k + 1)]
            for m in range(n):
                v[m] -= a[m] * c[m]
        d = lower[LANES * (count * i + i) : LANES * (count * i + i + 1)]
        for m in range(n):
            v[m] *= d[m]


@part
def _minimise(lower, f, free, target, ones, sums, n, count):
    """The minimiser on the face; where rest is not on it, the one whose weights sum to 1."""
    for j in range(count):
        for m in range(n):
            target[LANES * j + m] = f[LANES * j + m] * free[LANES * j + m]
            ones[LANES * j + m] = free[LANES * j + m]
    _solve(lower, target, n, count)
    _solve(lower, ones, n, count)
    rest = free[LANES * count :]
    total = sums[LANES:]
    for m in range(n):
        sums[m] = -1.0
        total[m] = 1e-300
    for j in range(count):
        t = target[LANES * j : LANES * (j + 1)]
        o = ones[LANES * j : LANES * (j + 1)]
        for m in range(n):
            sums[m] += t[m]
            total[m] += o[m]
    for m in range(n):
        sums[m] = 0.0 if rest[m] > 0.0 else sums[m] / total[m]
    for j in range(count):
        t = target[LANES * j : LANES * (j + 1)]
        o = ones[LANES * j : LANES * (j + 1)]
        for m in range(n):
            t[m] -= o[m] * sums[m]


@part
def _advance(g, f, at, target, free, gain, arrived, n, count):
    """Move towards the minimiser of the face, let a weight leave or enter. Returns how many lanes have not arrived."""
    moving = 0
    for i in range(count):
        r = gain[LANES * i : LANES * (i + 1)]
        for m in range(n):
            r[m] = f[LANES * i + m]
        for j in range(count):
            a = g[LANES * (count * i + j) : LANES * (count * i + j + 1)]
            t = target[LANES * j : LANES * (j + 1)]
            for m in range(n):
                r[m] -= a[m] * t[m]
    for m in range(n):
        if arrived[m] != 0.0:
            continue
        step = 1.0
        leaving = -1
        rest = 1.0
        rest_target = 1.0
        for i in range(count):
            a = at[LANES * i + m]
            t = target[LANES * i + m]
            rest -= a
            rest_target -= t
            if free[LANES * i + m] > 0.0 and t < 0.0 and a < step * (a - t):
                step = a / (a - t)
                leaving = i
        rest = max(rest, 0.0)
        if free[LANES * count + m] > 0.0 and rest_target < 0.0 and rest < step * (rest - rest_target):
            step = rest / (rest - rest_target)
            leaving = count
        for i in range(count):
            at[LANES * i + m] += step * (target[LANES * i + m] - at[LANES * i + m])
        if leaving >= 0:
            free[LANES * leaving + m] = 0.0
            if leaving < count:
                at[LANES * leaving + m] = 0.0
            moving += 1
            continue
        # The face's minimum is reached; is there a weight outside that wants to grow?
        best = 0.0
        entering = count if free[LANES * count + m] == 0.0 else -1
        level = 0.0
        scale = 0.0
        for i in range(count):
            r = gain[LANES * i + m]
            level += at[LANES * i + m] * r
            scale += g[LANES * (count * i + i) + m]
            if free[LANES * i + m] == 0.0 and (entering < 0 or r > best):
                best = r
                entering = i
        if entering >= 0 and best - level > 1e-12 * scale:
            free[LANES * entering + m] = 1.0
            moving += 1
        else:
            arrived[m] = 1.0
    return moving


@part
def _invert(lower, free, inverse, n, count):
    """(G on the face)^-1, zero elsewhere. G^-1 is symmetric, so its columns are written as rows."""
    for j in range(count):
        column = inverse[LANES * count * j : LANES * count * (j + 1)]
        for i in range(count):
            for m in range(n):
                column[LANES * i + m] = free[LANES * i + m] if i == j else 0.0
        _solve(lower, column, n, count)
