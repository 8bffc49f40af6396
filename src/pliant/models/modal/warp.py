# mypy: disallow-untyped-defs=False, check-untyped-defs=False
"""Rotations that grow with the modes [Choi & Ko 2005].

A particle whose rotation vector grows evenly from 0 to w, while its displacement grows by u in the frame that turns
with it, ends at  W u  with  W = integral of exp(s w) ds from 0 to 1, and is turned by  exp(w)."""

import math

from pliant.runtime.jit import inline, part


@inline
def rodrigues(w0, w1, w2, one, b, c, a0, a1, a2):
    """one a + b w x a + c w x (w x a)."""
    x0, x1, x2 = w1 * a2 - w2 * a1, w2 * a0 - w0 * a2, w0 * a1 - w1 * a0
    return (
        one * a0 + b * x0 + c * (w1 * x2 - w2 * x1),
        one * a1 + b * x1 + c * (w2 * x0 - w0 * x2),
        one * a2 + b * x2 + c * (w0 * x1 - w1 * x0),
    )


@part
def turned(w0, w1, w2, a0, a1, a2):
    """exp(w) a."""
    square = w0 * w0 + w1 * w1 + w2 * w2
    if square < 1e-8:
        return rodrigues(w0, w1, w2, 1.0, 1.0 - square / 6.0, 0.5 - square / 24.0, a0, a1, a2)
    angle = math.sqrt(square)
    return rodrigues(w0, w1, w2, 1.0, math.sin(angle) / angle, (1.0 - math.cos(angle)) / square, a0, a1, a2)


@part
def warped(w0, w1, w2, a0, a1, a2):
    """W a."""
    square = w0 * w0 + w1 * w1 + w2 * w2
    if square < 1e-8:
        return rodrigues(w0, w1, w2, 1.0, 0.5 - square / 24.0, 1.0 / 6.0 - square / 120.0, a0, a1, a2)
    angle = math.sqrt(square)
    b = (1.0 - math.cos(angle)) / square
    return rodrigues(w0, w1, w2, 1.0, b, (1.0 - math.sin(angle) / angle) / square, a0, a1, a2)


@part
def amounts(fields, row, q, modes):
    """The vector of a field (3 V R) at a particle, for modes in the amounts q."""
    a0 = a1 = a2 = 0.0
    at = 3 * modes * row
    for j in range(modes):
        a0 += fields[at + j] * q[j]
        a1 += fields[at + modes + j] * q[j]
        a2 += fields[at + 2 * modes + j] * q[j]
    return a0, a1, a2


@part
def add_share(fields, row, g0, g1, g2, modes, out):
    """What a vector g at a particle is along each mode."""
    at = 3 * modes * row
    for j in range(modes):
        out[j] += fields[at + j] * g0 + fields[at + modes + j] * g1 + fields[at + 2 * modes + j] * g2


@part
def shape(rest, masses, phi, psi, q, count, modes, is_warped, turns, out):
    """Where modes in the amounts q put the particles, in the frame and about the centre of mass: out (3 V), and
    rotation vectors of the particles, turns (3 V)."""
    c0 = c1 = c2 = total = 0.0
    for i in range(count):
        u0, u1, u2 = amounts(phi, i, q, modes)
        if is_warped:
            w0, w1, w2 = amounts(psi, i, q, modes)
            turns[3 * i], turns[3 * i + 1], turns[3 * i + 2] = w0, w1, w2
            u0, u1, u2 = warped(w0, w1, w2, u0, u1, u2)
        out[3 * i], out[3 * i + 1], out[3 * i + 2] = rest[3 * i] + u0, rest[3 * i + 1] + u1, rest[3 * i + 2] + u2
        m = masses[i]
        total += m
        c0 += m * out[3 * i]
        c1 += m * out[3 * i + 1]
        c2 += m * out[3 * i + 2]
    c0, c1, c2 = c0 / total, c1 / total, c2 / total
    for i in range(count):
        out[3 * i] -= c0
        out[3 * i + 1] -= c1
        out[3 * i + 2] -= c2
