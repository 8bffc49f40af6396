# mypy: disallow-untyped-defs=False, check-untyped-defs=False
"""Springs in numbers: what they see, what that costs, which way they pull. Double precision; x (3 V) is flat.

The energy of N elements with descriptor D, stiffness k, and weights w of K poses (change: D^k - D^0) is

    1/2 sum k (D - D0 - sum_k w_k (D^k - D^0))^2 + 1/2 (1/beta - 1) w^T G w     least over the convex w,

so its gradient is k (D - D~) dD/dx with the rest lengths and angles D~ of the blend: w is eliminated. Where weights
stay, w - w_p stands in the second term."""

import math

import numpy as np

from pliant.examples.plastic_kernels import LASTING_ROWS, flow_groups
from pliant.maths.convex import choose, convex_room
from pliant.runtime.jit import kernel, part


@part
def _edges(x, edges, values, slopes):
    for e in range(len(edges) // 2):
        a = 3 * edges[2 * e]
        b = 3 * edges[2 * e + 1]
        d0 = x[b] - x[a]
        d1 = x[b + 1] - x[a + 1]
        d2 = x[b + 2] - x[a + 2]
        length = math.sqrt(d0 * d0 + d1 * d1 + d2 * d2)
        values[e] = length
        per = 1.0 / max(length, 1e-150)
        slopes[3 * e] = d0 * per
        slopes[3 * e + 1] = d1 * per
        slopes[3 * e + 2] = d2 * per


@part
def _bows(x, bows, coefficients, values, slopes):
    for b in range(len(bows) // 3):
        i, j, k = 3 * bows[3 * b], 3 * bows[3 * b + 1], 3 * bows[3 * b + 2]
        ci, cj, ck = coefficients[3 * b], coefficients[3 * b + 1], coefficients[3 * b + 2]
        d0 = ci * x[i] + cj * x[j] + ck * x[k]
        d1 = ci * x[i + 1] + cj * x[j + 1] + ck * x[k + 1]
        d2 = ci * x[i + 2] + cj * x[j + 2] + ck * x[k + 2]
        length = math.sqrt(d0 * d0 + d1 * d1 + d2 * d2)
        values[b] = length
        per = 1.0 / max(length, 1e-150)
        slopes[3 * b] = d0 * per
        slopes[3 * b + 1] = d1 * per
        slopes[3 * b + 2] = d2 * per


@part
def _hinges(x, hinges, values, slopes):
    """The angle between the normals, positive where the sheet is bent against them, and what moves it (12 numbers)."""
    for h in range(len(hinges) // 4):
        a, b = 3 * hinges[4 * h], 3 * hinges[4 * h + 1]
        c, d = 3 * hinges[4 * h + 2], 3 * hinges[4 * h + 3]
        e0, e1, e2 = x[b] - x[a], x[b + 1] - x[a + 1], x[b + 2] - x[a + 2]
        f0, f1, f2 = x[c] - x[a], x[c + 1] - x[a + 1], x[c + 2] - x[a + 2]
        g0, g1, g2 = x[d] - x[a], x[d + 1] - x[a + 1], x[d + 2] - x[a + 2]
        n0, n1, n2 = e1 * f2 - e2 * f1, e2 * f0 - e0 * f2, e0 * f1 - e1 * f0
        m0, m1, m2 = g1 * e2 - g2 * e1, g2 * e0 - g0 * e2, g0 * e1 - g1 * e0
        square = max(e0 * e0 + e1 * e1 + e2 * e2, 1e-300)
        edge = math.sqrt(square)
        cross = ((n1 * m2 - n2 * m1) * e0 + (n2 * m0 - n0 * m2) * e1 + (n0 * m1 - n1 * m0) * e2) / edge
        values[h] = math.atan2(cross, n0 * m0 + n1 * m1 + n2 * m2)
        p = -edge / max(n0 * n0 + n1 * n1 + n2 * n2, 1e-300)
        q = -edge / max(m0 * m0 + m1 * m1 + m2 * m2, 1e-300)
        s = (e0 * f0 + e1 * f1 + e2 * f2) / square
        t = (e0 * g0 + e1 * g1 + e2 * g2) / square
        o = 12 * h
        slopes[o + 6], slopes[o + 7], slopes[o + 8] = p * n0, p * n1, p * n2
        slopes[o + 9], slopes[o + 10], slopes[o + 11] = q * m0, q * m1, q * m2
        for i in range(3):
            slopes[o + i] = (s - 1.0) * slopes[o + 6 + i] + (t - 1.0) * slopes[o + 9 + i]
            slopes[o + 3 + i] = -s * slopes[o + 6 + i] - t * slopes[o + 9 + i]


@kernel("d[] i[] i[] d[] i[] d[] d[]")
def describe(x, edges, bows, coefficients, hinges, values, slopes):
    """Lengths, bends and angles (N), and their gradients: 3 numbers a spring, 3 a bow, 12 a hinge."""
    springs = len(edges) // 2
    straight = springs + len(bows) // 3
    _edges(x, edges, values, slopes)
    _bows(x, bows, coefficients, values[springs:], slopes[3 * springs :])
    _hinges(x, hinges, values[straight:], slopes[3 * straight :])


@kernel("d[] d[] d[] d[] i[] d[] d[] d d[] d[] d[]")
def weigh(values, stiffness, rest, change, group_of, gram, given, strength, stays, weights, goals):
    """The weights (G K) of the poses in each group, and the descriptor that the springs then aim at (N). Returns what
    the pull towards rest, or towards what stays (G (K + LASTING_ROWS), or none), costs."""
    count = len(rest)
    poses = len(given)
    groups = len(weights) // max(poses, 1)
    for e in range(count):
        goals[e] = rest[e]
    if groups == 0 or strength == 0.0:
        weights[:] = 0.0
        return 0.0
    z = np.zeros(groups * poses)
    for k in range(poses):
        for e in range(count):
            group = group_of[e]
            if group < groups:
                z[group * poses + k] += stiffness[e] * (values[e] - rest[e]) * change[k * count + e]
    room = np.empty(poses * poses + 2 * poses + convex_room(poses))
    choose(poses, groups, gram, given, z, strength, stays, weights, room)
    for k in range(poses):
        for e in range(count):
            group = group_of[e]
            if group < groups:
                goals[e] += weights[group * poses + k] * change[k * count + e]
    cost = 0.0
    for group in range(groups):
        for k in range(poses):
            if given[k] < 0.0:
                for m in range(poses):
                    if given[m] < 0.0:
                        at = group * poses
                        a = weights[at + k]
                        b = weights[at + m]
                        if len(stays) > 0:
                            a -= stays[group * (poses + LASTING_ROWS) + k]
                            b -= stays[group * (poses + LASTING_ROWS) + m]
                        cost += a * gram[(at + k) * poses + m] * b
    return 0.5 * (1.0 / strength - 1.0) * cost


@kernel("d[] d[] d[] i i d")
def flow(weights, stays, rules, groups, poses, h):
    """What stays of the weights after a step of h (s) in which these were in force."""
    flow_groups(weights, stays, rules, groups, poses, h)


@kernel("i[] i[] d[] i[] d[] d[] d[] d[] d[]")
def pull(edges, bows, coefficients, hinges, stiffness, values, goals, slopes, gradient):
    """Adds k (D - D~) dD/dx to the gradient (3 V). Returns the energy (J)."""
    springs = len(edges) // 2
    straight = springs + len(bows) // 3
    energy = 0.0
    for e in range(springs):
        s = stiffness[e] * (values[e] - goals[e])
        energy += s * (values[e] - goals[e])
        a = 3 * edges[2 * e]
        b = 3 * edges[2 * e + 1]
        for i in range(3):
            gradient[a + i] -= s * slopes[3 * e + i]
            gradient[b + i] += s * slopes[3 * e + i]
    for e in range(springs, straight):
        s = stiffness[e] * (values[e] - goals[e])
        energy += s * (values[e] - goals[e])
        for c in range(3):
            a = 3 * bows[3 * (e - springs) + c]
            t = s * coefficients[3 * (e - springs) + c]
            for i in range(3):
                gradient[a + i] += t * slopes[3 * e + i]
    for h in range(len(hinges) // 4):
        e = straight + h
        s = stiffness[e] * (values[e] - goals[e])
        energy += s * (values[e] - goals[e])
        at = 3 * straight + 12 * h
        for c in range(4):
            a = 3 * hinges[4 * h + c]
            for i in range(3):
                gradient[a + i] += s * slopes[at + 3 * c + i]
    return 0.5 * energy


@kernel("i[] d[] d[] d[] d d[]")
def resist(edges, along, stiffness, moved, rate, gradient):
    """Dampers: a spring that was directed along u (3 E) and whose ends moved apart resists by rate (1) times its
    stiffness. Adds that to the gradient, returns the energy: so it is the potential of the drag within a step."""
    energy = 0.0
    for e in range(len(edges) // 2):
        a = 3 * edges[2 * e]
        b = 3 * edges[2 * e + 1]
        s = 0.0
        for i in range(3):
            s += along[3 * e + i] * (moved[b + i] - moved[a + i])
        energy += rate * stiffness[e] * s * s
        s *= rate * stiffness[e]
        for i in range(3):
            gradient[a + i] -= s * along[3 * e + i]
            gradient[b + i] += s * along[3 * e + i]
    return 0.5 * energy


@kernel("i[] i[] d[] i[] d[] d[] d[] d[] d[] d i d[]")
def product(edges, bows, coefficients, hinges, stiffness, values, goals, slopes, v, rate, bends, out):
    """Adds to `out` (3 V) what the Hessian makes of v:  k (u u^T + max(0, 1 - l0/l) (1 - u u^T))  of a spring, whose
    part across would make the matrix indefinite where it is pressed [Baraff & Witkin 1998; Choi & Ko 2002]; k dD dD^T
    of what bends, if that is wanted. rate: of the dampers, times k u u^T."""
    springs = len(edges) // 2
    straight = springs + len(bows) // 3
    for e in range(springs):
        a = 3 * edges[2 * e]
        b = 3 * edges[2 * e + 1]
        d0, d1, d2 = v[b] - v[a], v[b + 1] - v[a + 1], v[b + 2] - v[a + 2]
        u0, u1, u2 = slopes[3 * e], slopes[3 * e + 1], slopes[3 * e + 2]
        across = stiffness[e] * max(0.0, 1.0 - goals[e] / max(values[e], 1e-150))
        s = ((1.0 + rate) * stiffness[e] - across) * (d0 * u0 + d1 * u1 + d2 * u2)
        f0, f1, f2 = s * u0 + across * d0, s * u1 + across * d1, s * u2 + across * d2
        out[a] -= f0
        out[a + 1] -= f1
        out[a + 2] -= f2
        out[b] += f0
        out[b + 1] += f1
        out[b + 2] += f2
    if bends == 0:
        return
    for e in range(springs, straight):
        at = 3 * (e - springs)
        d0 = d1 = d2 = 0.0
        for c in range(3):
            a = 3 * bows[at + c]
            d0 += coefficients[at + c] * v[a]
            d1 += coefficients[at + c] * v[a + 1]
            d2 += coefficients[at + c] * v[a + 2]
        u0, u1, u2 = slopes[3 * e], slopes[3 * e + 1], slopes[3 * e + 2]
        across = stiffness[e]
        if goals[e] > 0.0:
            across *= max(0.0, 1.0 - goals[e] / max(values[e], 1e-150))
        s = (stiffness[e] - across) * (d0 * u0 + d1 * u1 + d2 * u2)
        for c in range(3):
            a = 3 * bows[at + c]
            out[a] += coefficients[at + c] * (s * u0 + across * d0)
            out[a + 1] += coefficients[at + c] * (s * u1 + across * d1)
            out[a + 2] += coefficients[at + c] * (s * u2 + across * d2)
    for h in range(len(hinges) // 4):
        at = 3 * straight + 12 * h
        s = 0.0
        for c in range(4):
            a = 3 * hinges[4 * h + c]
            for i in range(3):
                s += slopes[at + 3 * c + i] * v[a + i]
        s *= stiffness[straight + h]
        for c in range(4):
            a = 3 * hinges[4 * h + c]
            for i in range(3):
                out[a + i] += s * slopes[at + 3 * c + i]


@kernel("d[] d[]")
def dot(a, b):
    """a . b, on this thread alone: the same bits for any number of threads, and none that wait for work."""
    total = 0.0
    for i in range(len(a)):
        total += a[i] * b[i]
    return total


@kernel("i[] i[] i[] d[] d[] d[]")
def substitute(order, pointers, rows, inverse, lower, x):
    """x (3 V) = A^-1 x by L D L^T of A, for all three coordinates at once: order (V) of the unknowns, columns of L
    below its diagonal, 1/D."""
    count = len(order)
    z = np.empty(3 * count)
    for j in range(count):
        for i in range(3):
            z[3 * j + i] = x[3 * order[j] + i]
    for j in range(count):
        v0, v1, v2 = z[3 * j], z[3 * j + 1], z[3 * j + 2]
        for e in range(pointers[j], pointers[j + 1]):
            a, s = 3 * rows[e], lower[e]
            z[a] -= s * v0
            z[a + 1] -= s * v1
            z[a + 2] -= s * v2
    for j in range(count - 1, -1, -1):
        v0, v1, v2 = z[3 * j] * inverse[j], z[3 * j + 1] * inverse[j], z[3 * j + 2] * inverse[j]
        for e in range(pointers[j], pointers[j + 1]):
            a, s = 3 * rows[e], lower[e]
            v0 -= s * z[a]
            v1 -= s * z[a + 1]
            v2 -= s * z[a + 2]
        z[3 * j], z[3 * j + 1], z[3 * j + 2] = v0, v1, v2
    for j in range(count):
        for i in range(3):
            x[3 * order[j] + i] = z[3 * j + i]


@kernel("i[] d[] d[] d d[] d[]")
def limit(edges, longest, inverse, sweeps, x, most):
    """No spring longer than it may be (E): its ends are moved together, the lighter one farther, so momentum is kept. A
    few sweeps in the order of the springs. most (1): the largest strain that is left above the limit."""
    for _sweep in range(int(sweeps)):
        most[0] = 0.0
        for e in range(len(edges) // 2):
            if longest[e] <= 0.0:
                continue
            i, j = edges[2 * e], edges[2 * e + 1]
            both = inverse[i] + inverse[j]
            d0 = x[3 * j] - x[3 * i]
            d1 = x[3 * j + 1] - x[3 * i + 1]
            d2 = x[3 * j + 2] - x[3 * i + 2]
            length = math.sqrt(d0 * d0 + d1 * d1 + d2 * d2)
            if length <= longest[e] or both == 0.0:
                continue
            most[0] = max(most[0], length / longest[e] - 1.0)
            s = (length - longest[e]) / (length * both)
            x[3 * i] += s * inverse[i] * d0
            x[3 * i + 1] += s * inverse[i] * d1
            x[3 * i + 2] += s * inverse[i] * d2
            x[3 * j] -= s * inverse[j] * d0
            x[3 * j + 1] -= s * inverse[j] * d1
            x[3 * j + 2] -= s * inverse[j] * d2
        if most[0] == 0.0:
            break
