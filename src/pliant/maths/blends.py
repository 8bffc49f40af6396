# mypy: disallow-untyped-defs=False, check-untyped-defs=False
"""Weights on several simplices at once: the minimum of a small convex quadratic function

    w = argmin  1/2 w^T S w - f^T w     with  w_k >= 0,  sum of w_k over each group <= its cap.

Walks from a point that is allowed: minimise with the weights at zero and the full groups held there, go as far as no
other bound is crossed, hold what was met; once the minimum is reached, let go of the bound that pulls inwards most.
maths/convex.py does a single simplex from scratch. Double precision."""

import numpy as np

from pliant.runtime.jit import kernel, part


@kernel("d[] d[] i[] d[] d[]")
def blend_weights(matrix, f, group, caps, w):
    """Moves w (K), which is allowed, to the minimum. S (K K) is positive semidefinite; group (K): number of the group
    of each weight, each of which has a cap above zero. Where the minimum is not unique, one near to where it began (a
    billionth of the largest number in S holds it there). Returns how many rounds it took; 0 if it did not end."""
    count = len(w)
    groups = len(caps)
    if count == 0:
        return 1
    rounds = _walk(matrix, f, group, caps, w)
    for s in range(groups):
        total = 0.0
        for k in range(count):
            if group[k] == s:
                total += w[k]
        if total > caps[s]:  # by rounding
            for k in range(count):
                if group[k] == s:
                    w[k] *= caps[s] / total
    return rounds


@part
def _walk(given, wish, group, caps, w):
    count = len(w)
    groups = len(caps)
    matrix = given.copy()
    f = wish.copy()
    largest = 0.0
    for k in range(count):
        largest = max(largest, given[k * count + k])
    for k in range(count):
        matrix[k * count + k] += 1e-9 * largest
        f[k] += 1e-9 * largest * w[k]
    zero = np.zeros(count, dtype=np.bool_)
    full = np.zeros(groups, dtype=np.bool_)
    sums = np.zeros(groups)
    for k in range(count):
        zero[k] = w[k] <= 0.0
        sums[group[k]] += w[k]
    for s in range(groups):
        full[s] = sums[s] >= caps[s] * (1.0 - 1e-12)
    small = 1e-12 * largest + 1e-300
    for k in range(count):
        small = max(small, 1e-13 * abs(f[k]))
    target = np.zeros(count)
    level = np.zeros(groups)
    lower = np.zeros((count, count))
    sides = np.zeros((count, groups + 1))
    inner = np.zeros((groups, groups))
    for turn in range(10 * count + 20):
        _minimise(matrix, f, group, caps, zero, full, small, target, level, lower, sides, inner)
        reached = 1.0
        met = -1
        for k in range(count):
            if not zero[k] and target[k] < 0.0:
                way = w[k] / (w[k] - target[k])
                if way < reached:
                    reached = way
                    met = k
        for s in range(groups):
            if not full[s]:
                now = 0.0
                then = 0.0
                for k in range(count):
                    if group[k] == s:
                        now += w[k]
                        then += target[k]
                if then > caps[s]:
                    way = max(caps[s] - now, 0.0) / (then - now)
                    if way < reached:
                        reached = way
                        met = count + s
        for k in range(count):
            if not zero[k]:
                w[k] = max(w[k] + reached * (target[k] - w[k]), 0.0)
        if met >= 0:
            if met < count:
                zero[met] = True
                w[met] = 0.0
            else:
                full[met - count] = True
            continue
        worst = -small
        freed = -1
        for s in range(groups):
            if full[s] and -level[s] < worst:
                worst = -level[s]
                freed = count + s
        for k in range(count):
            if zero[k]:
                slope = -f[k]
                for j in range(count):
                    slope += matrix[k * count + j] * w[j]
                if full[group[k]]:
                    slope -= level[group[k]]
                if slope < worst:
                    worst = slope
                    freed = k
        if freed < 0:
            return turn + 1
        if freed < count:
            zero[freed] = False
        else:
            full[freed - count] = False
    return 0


@part
def _minimise(matrix, f, group, caps, zero, full, small, target, level, lower, sides, inner):
    """The minimum with some weights at zero and some groups full, no matter the other bounds:
    S w = f + level_g for the weights of a full group g, whose level makes their sum its cap."""
    count = len(target)
    groups = len(caps)
    for k in range(count):
        target[k] = 0.0
        for c in range(groups + 1):
            sides[k, c] = 0.0
        if zero[k]:
            continue
        sides[k, 0] = f[k]
        if full[group[k]]:
            sides[k, group[k] + 1] = 1.0
        for j in range(k + 1):
            if zero[j]:
                continue
            s = matrix[k * count + j]
            for m in range(j):
                if not zero[m]:
                    s -= lower[k, m] * lower[j, m]
            if j == k:
                lower[k, k] = np.sqrt(max(s, 1e-12 * matrix[k * count + k] + small))
            else:
                lower[k, j] = s / lower[j, j]
        for c in range(groups + 1):
            for m in range(k):
                if not zero[m]:
                    sides[k, c] -= lower[k, m] * sides[m, c]
            sides[k, c] /= lower[k, k]
    for back in range(count):
        k = count - 1 - back
        if zero[k]:
            continue
        for c in range(groups + 1):
            for m in range(k + 1, count):
                if not zero[m]:
                    sides[k, c] -= lower[m, k] * sides[m, c]
            sides[k, c] /= lower[k, k]
    for s in range(groups):
        level[s] = 0.0
        for o in range(groups):
            inner[s, o] = 0.0
        if not full[s]:
            inner[s, s] = 1.0
            continue
        level[s] = caps[s]
        for k in range(count):
            if group[k] == s:
                level[s] -= sides[k, 0]
                for o in range(groups):
                    if full[o]:
                        inner[s, o] += sides[k, o + 1]
    # inner is symmetric and positive: plain elimination
    for s in range(groups):
        for o in range(s + 1, groups):
            if inner[o, s] != 0.0:
                ratio = inner[o, s] / inner[s, s]
                for c in range(s, groups):
                    inner[o, c] -= ratio * inner[s, c]
                level[o] -= ratio * level[s]
    for back in range(groups):
        s = groups - 1 - back
        for o in range(s + 1, groups):
            level[s] -= inner[s, o] * level[o]
        level[s] = level[s] / inner[s, s] if inner[s, s] > 0.0 else 0.0
    for k in range(count):
        if not zero[k]:
            target[k] = sides[k, 0]
            for s in range(groups):
                if full[s]:
                    target[k] += level[s] * sides[k, s + 1]
