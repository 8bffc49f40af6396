# mypy: disallow-untyped-defs=False, check-untyped-defs=False
"""Metric tensors in numbers. Double precision; x (3 V) and all vectors of differences u (3 M) are flat.

`indices` are the vectors that each number of the descriptor is made of, one kind after the other as in metric.py;
`counts` (6): how many there are of lengths, shears, traces, bends, bows, and how many vectors a trace has. The energy
is  1/2 sum k (D - D~)^2,  so what acts on a vector is  k (D - D~) dD/du,  and what that makes of particles is the same
sum of differences turned round."""

import math

from pliant.runtime.jit import kernel, part


@kernel("i[] i[] d[] d[] d[]")
def differences(starts, particles, coefficients, x, u):
    """u = B x."""
    for m in range(len(starts) - 1):
        s0 = s1 = s2 = 0.0
        for e in range(starts[m], starts[m + 1]):
            a = 3 * particles[e]
            c = coefficients[e]
            s0 += c * x[a]
            s1 += c * x[a + 1]
            s2 += c * x[a + 2]
        u[3 * m] = s0
        u[3 * m + 1] = s1
        u[3 * m + 2] = s2


@kernel("i[] i[] d[] d[] d[]")
def gather(starts, particles, coefficients, u, out):
    """out += B^T u."""
    for m in range(len(starts) - 1):
        for e in range(starts[m], starts[m + 1]):
            a = 3 * particles[e]
            c = coefficients[e]
            out[a] += c * u[3 * m]
            out[a + 1] += c * u[3 * m + 1]
            out[a + 2] += c * u[3 * m + 2]


@part
def _dot(a, i, b, j):
    return a[i] * b[j] + a[i + 1] * b[j + 1] + a[i + 2] * b[j + 2]


@part
def _add(factor, a, i, out, o):
    out[o] += factor * a[i]
    out[o + 1] += factor * a[i + 1]
    out[o + 2] += factor * a[i + 2]


@part
def _cross(a, i, b, j, factor, out, o):
    out[o] = factor * (a[i + 1] * b[j + 2] - a[i + 2] * b[j + 1])
    out[o + 1] = factor * (a[i + 2] * b[j] - a[i] * b[j + 2])
    out[o + 2] = factor * (a[i] * b[j + 1] - a[i + 1] * b[j])


@part
def _bend(u, b, p, q, slopes, o):
    """n . u_b, n the unit normal of u_p and u_q; what moves it: n, q x t / A and t x p / A for these three, with A the
    length of p x q and t what of u_b lies in the sheet."""
    _cross(u, p, u, q, 1.0, slopes, o)
    area = max(math.sqrt(_dot(slopes, o, slopes, o)), 1e-150)
    for i in range(3):
        slopes[o + i] /= area
    value = _dot(slopes, o, u, b)
    t = slopes[o + 6 : o + 9]  # where t x p will be
    for i in range(3):
        t[i] = u[b + i] - value * slopes[o + i]
    t0, t1, t2 = t[0], t[1], t[2]
    _cross(u, q, t, 0, 1.0 / area, slopes, o + 3)
    t[0] = (t1 * u[p + 2] - t2 * u[p + 1]) / area
    t[1] = (t2 * u[p] - t0 * u[p + 2]) / area
    t[2] = (t0 * u[p + 1] - t1 * u[p]) / area
    return value


@kernel("d[] i[] i[] d[] d[]")
def describe(u, indices, counts, values, slopes):
    """The descriptor (N). slopes: of bends (9 each) and bows (3 each); those of the others are vectors themselves."""
    at = n = 0
    for _item in range(counts[0]):
        a = 3 * indices[at]
        values[n] = _dot(u, a, u, a)
        at += 1
        n += 1
    for _item in range(counts[1]):
        values[n] = _dot(u, 3 * indices[at], u, 3 * indices[at + 1])
        at += 2
        n += 1
    for _item in range(counts[2]):
        s = 0.0
        for _i in range(counts[5]):
            a = 3 * indices[at]
            s += _dot(u, a, u, a)
            at += 1
        values[n] = s
        n += 1
    o = 0
    for _item in range(counts[3]):
        values[n] = _bend(u, 3 * indices[at], 3 * indices[at + 1], 3 * indices[at + 2], slopes, o)
        at += 3
        n += 1
        o += 9
    for _item in range(counts[4]):
        a = 3 * indices[at]
        length = math.sqrt(_dot(u, a, u, a))
        values[n] = length
        for i in range(3):
            slopes[o + i] = u[a + i] / max(length, 1e-150)
        at += 1
        n += 1
        o += 3


@kernel("d[] i[] i[] d[] d[] d[]")
def spread(u, indices, counts, slopes, pulls, out):
    """out += sum of pulls (N) times dD/du: the transpose of `change`. Tensions, where pulls are k (D - D~)."""
    at = n = 0
    for _item in range(counts[0]):
        a = 3 * indices[at]
        _add(2.0 * pulls[n], u, a, out, a)
        at += 1
        n += 1
    for _item in range(counts[1]):
        a, b = 3 * indices[at], 3 * indices[at + 1]
        _add(pulls[n], u, b, out, a)
        _add(pulls[n], u, a, out, b)
        at += 2
        n += 1
    for _item in range(counts[2]):
        for _i in range(counts[5]):
            a = 3 * indices[at]
            _add(2.0 * pulls[n], u, a, out, a)
            at += 1
        n += 1
    o = 0
    for _item in range(counts[3]):
        for _i in range(3):
            _add(pulls[n], slopes, o, out, 3 * indices[at])
            at += 1
            o += 3
        n += 1
    for _item in range(counts[4]):
        _add(pulls[n], slopes, o, out, 3 * indices[at])
        at += 1
        n += 1
        o += 3


@kernel("d[] i[] i[] d[] d[] d[]")
def change(u, indices, counts, slopes, du, out):
    """How much each number of the descriptor (N) changes when the vectors change by du: dD/du du."""
    at = n = 0
    for _item in range(counts[0]):
        a = 3 * indices[at]
        out[n] = 2.0 * _dot(u, a, du, a)
        at += 1
        n += 1
    for _item in range(counts[1]):
        a, b = 3 * indices[at], 3 * indices[at + 1]
        out[n] = _dot(u, a, du, b) + _dot(u, b, du, a)
        at += 2
        n += 1
    for _item in range(counts[2]):
        s = 0.0
        for _i in range(counts[5]):
            a = 3 * indices[at]
            s += _dot(u, a, du, a)
            at += 1
        out[n] = 2.0 * s
        n += 1
    o = 0
    for _item in range(counts[3]):
        s = 0.0
        for _i in range(3):
            s += _dot(slopes, o, du, 3 * indices[at])
            at += 1
            o += 3
        out[n] = s
        n += 1
    for _item in range(counts[4]):
        out[n] = _dot(slopes, o, du, 3 * indices[at])
        at += 1
        n += 1
        o += 3


@kernel("i[] i[] d[] d[] d[] d[] d[] d[]")
def turn(indices, counts, slopes, stiffness, values, pulls, du, out):
    """out += what tensions (N, k (D - D~)) make of du as the vectors turn and stretch, d2D/du2, as far as it is
    positive: what is pressed together would make the matrix indefinite. Of bows: k of the part across, instead of what
    `spread` has along, where they are longer than they should be."""
    at = n = 0
    for _item in range(counts[0]):
        a = 3 * indices[at]
        _add(2.0 * max(pulls[n], 0.0), du, a, out, a)
        at += 1
        n += 1
    for _item in range(counts[1]):
        a, b = 3 * indices[at], 3 * indices[at + 1]
        half = 0.5 * abs(pulls[n])
        other = 0.5 * pulls[n]
        _add(half, du, a, out, a)
        _add(other, du, b, out, a)
        _add(half, du, b, out, b)
        _add(other, du, a, out, b)
        at += 2
        n += 1
    for _item in range(counts[2]):
        for _i in range(counts[5]):
            a = 3 * indices[at]
            _add(2.0 * max(pulls[n], 0.0), du, a, out, a)
            at += 1
        n += 1
    at += 3 * counts[3]
    n += counts[3]
    o = 9 * counts[3]
    for _item in range(counts[4]):
        a = 3 * indices[at]
        across = max(0.0, pulls[n]) / max(values[n], 1e-150) if values[n] > 1e-150 else stiffness[n]
        _add(across, du, a, out, a)
        _add(-across * _dot(slopes, o, du, a), slopes, o, out, a)
        at += 1
        n += 1
        o += 3
