"""Convex weights: the point of a simplex nearest to where the unconstrained minimum would be.

For each lane, with K examples beside the rest pose, find

    w = argmin 1/2 w^T G w - b^T w     with  w_k >= 0,  w_0 = 1 - sum w_k >= 0.

On a given face of the simplex (the set of weights that are not zero, w_0 among them) the minimiser is affine in b:
w = M b + u. From one time step to the next the face seldom changes, so a lane remembers M and u, evaluates them, and
checks optimality by the gap

    gap = max_k r_k - sum_k w_k r_k,    r = b - G w,  r_0 = 0,

which is zero exactly at the minimiser. All of that is straight-line arithmetic over 64 lanes. Only a lane that fails
the check walks over the faces (an active-set method, Wolfe's for the simplex) and writes its new M and u.

Rows of a block are 64 lanes wide; symmetric K x K matrices are stored as K (K + 1) / 2 rows, (i, j) with j <= i at
`i (i + 1) / 2 + j`.
"""

import numpy as np

from pliant.jit import part
from pliant.maths.polar import LANES


@part
def spot(i, j):
    """The row of entry (i, j) of a packed symmetric matrix."""
    return i * (i + 1) // 2 + j if i >= j else j * (j + 1) // 2 + i


@part
def multiply_rows(matrix, b, out, count, keep):
    """out = matrix b, for 64 lanes; `keep` adds to what is in `out` already."""
    zero = out.dtype.type(0)
    for i in range(count):
        o = out[LANES * i : LANES * (i + 1)]
        if not keep:
            for lane in range(LANES):
                o[lane] = zero
        for j in range(count):
            s = spot(i, j)
            m = matrix[LANES * s : LANES * (s + 1)]
            c = b[LANES * j : LANES * (j + 1)]
            for lane in range(LANES):
                o[lane] += m[lane] * c[lane]


@part
def convex_weights(gram, b, face, w, residual, checks, count, tolerance):
    """Exact weights for a block. `face` holds M and u and is brought up to date; `residual` and `checks` are scratch."""
    packed = count * (count + 1) // 2
    zero = w.dtype.type(0)
    one = w.dtype.type(1)
    close = w.dtype.type(tolerance)
    for j in range(LANES * count):
        w[j] = face[LANES * packed + j]
    multiply_rows(face, b, w, count, True)
    multiply_rows(gram, w, residual, count, False)

    # checks: row 0 the largest r, row 1 sum w r, row 2 the smallest weight, row 3 the sum of weights, 4 the scale
    for lane in range(LANES):
        checks[lane] = zero
        checks[lane + 64] = zero
        checks[lane + 128] = one
        checks[lane + 192] = zero
        checks[lane + 256] = zero
    for k in range(count):
        wk = w[LANES * k : LANES * (k + 1)]
        bk = b[LANES * k : LANES * (k + 1)]
        rk = residual[LANES * k : LANES * (k + 1)]
        diagonal = spot(k, k)
        gk = gram[LANES * diagonal : LANES * (diagonal + 1)]
        for lane in range(LANES):
            r = bk[lane] - rk[lane]
            weight = wk[lane]
            checks[lane] = r if r > checks[lane] else checks[lane]
            checks[lane + 64] += weight * r
            checks[lane + 128] = weight if weight < checks[lane + 128] else checks[lane + 128]
            checks[lane + 192] += weight
            checks[lane + 256] = gk[lane] if gk[lane] > checks[lane + 256] else checks[lane + 256]
    wrong = 0
    for lane in range(LANES):
        rest = one - checks[lane + 192]
        low = rest if rest < checks[lane + 128] else checks[lane + 128]
        gap = checks[lane] - checks[lane + 64]
        bad = (low < -close) | (gap > close * checks[lane + 256])
        checks[lane] = one if bad else zero
        wrong += 1 if bad else 0
    if wrong > 0:
        _repair(gram, b, face, w, checks, count)


@part
def _repair(gram, b, face, w, wrong, count):
    """The lanes whose face is no longer the right one, each by itself and in double precision."""
    packed = count * (count + 1) // 2
    g = np.empty((count, count))
    inverse = np.empty((count, count))
    lower = np.empty((count, count))
    f = np.empty(count)
    point = np.empty(count)
    target = np.empty(count)
    load = np.empty(count)
    member = np.empty(count + 1, dtype=np.bool_)  # is this weight free? the last one is the rest pose
    order = np.empty(count, dtype=np.int64)
    for lane in range(LANES):
        if wrong[lane] == 0:
            continue
        total = 0.0
        for i in range(count):
            for j in range(count):
                g[i, j] = gram[LANES * spot(i, j) + lane]
            f[i] = b[LANES * i + lane]
            point[i] = max(0.0, min(1.0, float(w[LANES * i + lane])))
            total += point[i]
        if total > 1.0:
            for i in range(count):
                point[i] /= total
        for i in range(count):
            member[i] = point[i] > 0.0
        member[count] = total < 1.0
        walk_faces(g, f, point, member, target, lower, load, order)
        face_operator(g, member, inverse, lower, load, order)
        # M and u of the face, and the weights themselves
        sum_load = 0.0
        for i in range(count):
            sum_load += load[i]
        for i in range(count):
            for j in range(i + 1):
                value = inverse[i, j]
                if not member[count]:
                    value -= load[i] * load[j] / sum_load
                face[LANES * spot(i, j) + lane] = value
            face[LANES * (packed + i) + lane] = 0.0 if member[count] else load[i] / sum_load
            w[LANES * i + lane] = point[i]


@part
def walk_faces(g, f, point, member, target, lower, load, order):
    """Wolfe's method: from the feasible `point` with free weights `member` to the minimiser over the simplex."""
    count = len(f)
    scale = 1e-300
    for i in range(count):
        scale = max(scale, g[i, i])
    for _round in range(8 * (count + 1) + 16):
        minimise_on_face(g, f, member, target, lower, load, order)
        rest = 1.0
        rest_target = 1.0
        for i in range(count):
            rest -= point[i]
            rest_target -= target[i]
        # How far can we go towards the face's minimiser before a weight reaches zero?
        step = 1.0
        blocking = -1
        for i in range(count):
            if member[i] and target[i] < 0.0:
                part_way = point[i] / (point[i] - target[i])
                if part_way < step:
                    step = part_way
                    blocking = i
        if member[count] and rest_target < 0.0:
            part_way = max(rest, 0.0) / (max(rest, 0.0) - rest_target)
            if part_way < step:
                step = part_way
                blocking = count
        for i in range(count):
            point[i] += step * (target[i] - point[i])
            if not member[i]:
                point[i] = 0.0
        if blocking >= 0:
            member[blocking] = False
            if blocking < count:
                point[blocking] = 0.0
            continue
        # On the face all is done; is there a weight outside it that wants to grow?
        best = 0.0 if not member[count] else -1.0
        entering = count if not member[count] else -1
        level = 0.0
        for i in range(count):
            r = f[i]
            for j in range(count):
                r -= g[i, j] * point[j]
            load[i] = r
            level += point[i] * r
        for i in range(count):
            if not member[i] and (entering < 0 or load[i] > best):
                best = load[i]
                entering = i
        if entering < 0 or best - level <= 1e-12 * scale:
            return
        member[entering] = True


@part
def factor_face(g, member, lower, order):
    """Cholesky factor of G restricted to the free weights; returns how many there are."""
    size = 0
    for i in range(len(g)):
        if member[i]:
            order[size] = i
            size += 1
    for i in range(size):
        for j in range(i + 1):
            total = g[order[i], order[j]]
            for k in range(j):
                total -= lower[i, k] * lower[j, k]
            lower[i, j] = np.sqrt(max(total, 1e-300)) if i == j else total / lower[j, j]
    return size


@part
def solve_face(lower, size, values):
    for i in range(size):
        for k in range(i):
            values[i] -= lower[i, k] * values[k]
        values[i] /= lower[i, i]
    for i in range(size - 1, -1, -1):
        for k in range(i + 1, size):
            values[i] -= lower[k, i] * values[k]
        values[i] /= lower[i, i]


@part
def minimise_on_face(g, f, member, target, lower, load, order):
    """The minimiser with the given weights free, the others zero, and the sum equal to 1 where rest is not free."""
    count = len(f)
    size = factor_face(g, member, lower, order)
    for i in range(count):
        target[i] = 0.0
    if size == 0:
        return
    values = load  # scratch
    for i in range(size):
        values[i] = f[order[i]]
    solve_face(lower, size, values)
    for i in range(size):
        target[order[i]] = values[i]
    if not member[count]:
        for i in range(size):
            values[i] = 1.0
        solve_face(lower, size, values)
        excess = -1.0
        ones = 0.0
        for i in range(size):
            excess += target[order[i]]
            ones += values[i]
        for i in range(size):
            target[order[i]] -= values[i] * excess / ones


@part
def face_operator(g, member, inverse, lower, load, order):
    """(G on the free weights)^-1 padded with zeros, and its row sums in `load`."""
    count = len(g)
    size = factor_face(g, member, lower, order)
    column = np.empty(count)
    for i in range(count):
        load[i] = 0.0
        for j in range(count):
            inverse[i, j] = 0.0
    for j in range(size):
        for i in range(size):
            column[i] = 1.0 if i == j else 0.0
        solve_face(lower, size, column)
        for i in range(size):
            inverse[order[i], order[j]] = column[i]
    for i in range(size):
        for j in range(size):
            load[order[i]] += inverse[order[i], order[j]]


@part
def clamped_weights(inverse, b, w, count):
    """The paper's weights: unconstrained least squares, then the most negative weight is set to zero and its amount
    taken from the others, until none is negative. Taken from the weights still in play only: from all the others, as
    printed, the procedure can go on for ever."""
    multiply_rows(inverse, b, w, count, False)
    play = np.empty(count + 1, dtype=np.bool_)
    values = np.empty(count + 1)
    for lane in range(LANES):
        rest = 1.0
        lowest = 0.0
        for k in range(count):
            values[k] = w[LANES * k + lane]
            rest -= values[k]
            lowest = min(lowest, values[k])
        values[count] = rest
        if min(lowest, rest) >= 0.0:
            continue
        for k in range(count + 1):
            play[k] = True
        left = count + 1
        while left > 1:
            worst = -1
            for k in range(count + 1):
                if play[k] and values[k] < 0.0 and (worst < 0 or values[k] < values[worst]):
                    worst = k
            if worst < 0:
                break
            play[worst] = False
            left -= 1
            share = values[worst] / left
            values[worst] = 0.0
            for k in range(count + 1):
                if play[k]:
                    values[k] += share
        for k in range(count):
            w[LANES * k + lane] = values[k]
