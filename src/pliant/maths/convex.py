# mypy: disallow-untyped-defs=False, check-untyped-defs=False
"""The point of a simplex nearest to a wish, for one small problem at a time (maths/simplex.py does many at once):

    w = argmin  1/2 w^T G w - f^T w     with  w_k >= 0,  sum w_k <= 1.

Wolfe's active-set walk: minimise on the face of the weights that are not zero, go there or until one of them reaches
zero and leaves the face, else let the weight that gains most enter it. The last of the K + 1 flags is the rest pose,
whose weight is 1 - sum w_k. Double precision."""

import math

from pliant.runtime.jit import part


@part
def convex_room(count):
    """How many numbers `nearest_blend` needs to work in."""
    return count * count + 5 * count + 2


@part
def nearest_blend(gram, f, w, count, room):
    """Fills w (K) from G (K K) and f (K). A set of examples that is dependent gets one of its minimisers."""
    lower = room[: count * count]
    free = room[count * count :]
    target = room[count * count + count + 1 :]
    ones = room[count * count + 2 * count + 1 :]
    gain = room[count * count + 3 * count + 1 :]
    scale = 0.0
    for k in range(count):
        w[k] = 0.0
        free[k] = 0.0
        scale = max(scale, gram[k * count + k])
    free[count] = 1.0
    if scale == 0.0:
        return
    small = 1e-11 * scale
    for _round in range(4 * count + 12):
        # who gains most by growing, against those on the face?
        level = 0.0
        held = 0
        for k in range(count):
            gain[k] = f[k]
            for j in range(count):
                gain[k] -= gram[k * count + j] * w[j]
            if free[k] > 0.0:
                level += gain[k]
                held += 1
        level = 0.0 if free[count] > 0.0 or held == 0 else level / held
        best = -1
        most = level + small
        for k in range(count):
            if free[k] == 0.0 and gain[k] > most:
                best = k
                most = gain[k]
        if free[count] == 0.0 and most < small and level + small < 0.0:
            best = count
        if best < 0 and _round > 0:
            return
        if best >= 0:
            free[best] = 1.0
        for _drop in range(count + 2):
            _minimise(gram, f, free, lower, target, ones, count)
            part_way = 1.0
            leaver = -1
            rest_now = 1.0
            rest_then = 1.0
            for k in range(count):
                rest_now -= w[k]
                rest_then -= target[k]
                if free[k] > 0.0 and target[k] < 0.0:
                    way = w[k] / (w[k] - target[k]) if w[k] > target[k] else 0.0
                    if way < part_way:
                        part_way = way
                        leaver = k
            if free[count] > 0.0 and rest_then < 0.0:
                way = max(rest_now, 0.0) / (rest_now - rest_then) if rest_now > rest_then else 0.0
                if way < part_way:
                    part_way = way
                    leaver = count
            for k in range(count):
                w[k] += part_way * (target[k] - w[k])
            if leaver < 0:
                break
            free[leaver] = 0.0
            if leaver < count:
                w[leaver] = 0.0


@part
def _minimise(gram, f, free, lower, target, ones, count):
    """The minimum on the face, no matter the signs: G w = f there, or with the weights' sum kept at 1 where the rest
    pose is not on the face."""
    for i in range(count):
        if free[i] == 0.0:
            target[i] = 0.0
            ones[i] = 0.0
            continue
        for j in range(i + 1):
            if free[j] == 0.0:
                continue
            s = gram[i * count + j]
            for m in range(j):
                if free[m] > 0.0:
                    s -= lower[i * count + m] * lower[j * count + m]
            if i == j:
                lower[i * count + i] = math.sqrt(max(s, 1e-12 * gram[i * count + i]) + 1e-300)
            else:
                lower[i * count + j] = s / lower[j * count + j]
        a = f[i]
        b = 1.0
        for m in range(i):
            if free[m] > 0.0:
                a -= lower[i * count + m] * target[m]
                b -= lower[i * count + m] * ones[m]
        target[i] = a / lower[i * count + i]
        ones[i] = b / lower[i * count + i]
    total = 0.0
    weight = 0.0
    for back in range(count):
        i = count - 1 - back
        if free[i] == 0.0:
            continue
        for m in range(i + 1, count):
            if free[m] > 0.0:
                target[i] -= lower[m * count + i] * target[m]
                ones[i] -= lower[m * count + i] * ones[m]
        target[i] /= lower[i * count + i]
        ones[i] /= lower[i * count + i]
        total += target[i]
        weight += ones[i]
    if free[count] == 0.0 and weight > 0.0:
        more = (1.0 - total) / weight
        for i in range(count):
            target[i] += more * ones[i]


@part
def choose(examples, groups, gram, given, z, strength, stays, weights, room):
    """The weights of each group (G K) from Gram matrices (G K K) and wishes z (G K): those given, and for
    the others the nearest convex blend of what remains, with a pull towards rest:  w' G w / beta - 2 f w  is least. A
    pose that deforms nothing in a group has no weight in it. stays: what the pull is to in place of rest, rows of
    `lasting` numbers that begin with K weights (examples/plastic_kernels.py); empty if it is rest."""
    lasting = len(stays) // max(groups, 1)
    for group in range(groups):
        g = gram[group * examples * examples :]
        free = 0
        remainder = 1.0
        for k in range(examples):
            seen = g[k * examples + k] > 0.0
            if given[k] < 0.0:
                free += 1 if seen else 0
            elif seen:
                remainder -= given[k]
        remainder = max(remainder, 0.0)
        small = room[: free * free]
        f = room[free * free :]
        w = room[free * free + free :]
        more = room[free * free + 2 * free :]
        if free > 0 and remainder > 0.0:
            a = 0
            for k in range(examples):
                if given[k] >= 0.0 or g[k * examples + k] <= 0.0:
                    continue
                f[a] = z[group * examples + k]
                b = 0
                for m in range(examples):
                    if given[m] >= 0.0:
                        f[a] -= g[k * examples + m] * given[m]
                    elif g[m * examples + m] > 0.0:
                        small[a * free + b] = g[k * examples + m]
                        b += 1
                f[a] *= strength
                if lasting > 0:
                    for m in range(examples):
                        f[a] += (1.0 - strength) * g[k * examples + m] * stays[group * lasting + m]
                f[a] /= remainder
                a += 1
            nearest_blend(small, f, w, free, more)
        a = 0
        for k in range(examples):
            if given[k] >= 0.0:
                weights[group * examples + k] = given[k]
            elif g[k * examples + k] <= 0.0:
                weights[group * examples + k] = 0.0
            else:
                weights[group * examples + k] = remainder * w[a] if remainder > 0.0 else 0.0
                a += 1
