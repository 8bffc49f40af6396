# mypy: disallow-untyped-defs=False, check-untyped-defs=False
"""Shape matching with examples as one would write it first: a scalar kernel, an array per quantity, a region at a time.

It is here to show what the layout of the real kernels gains. Same warm start, same precision; the method is the paper's
own (goals by stretches, clamped weights), which costs least here.
"""

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pliant.body import Body
from pliant.examples import factors
from pliant.geometry.regions import regions
from pliant.models.shape_matching.constants import body_constants, gram_by_region
from pliant.models.shape_matching.settings import ShapeMatching
from pliant.runtime.jit import kernel, part


@part
def _times(a, b, out):
    """out = a b, 3x3."""
    for c in range(3):
        for d in range(3):
            out[3 * c + d] = a[3 * c] * b[d] + a[3 * c + 1] * b[3 + d] + a[3 * c + 2] * b[6 + d]


@part
def _matrix(q, r):
    x, y, z, w = q[0], q[1], q[2], q[3]
    r[0], r[1], r[2] = 1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)
    r[3], r[4], r[5] = 2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)
    r[6], r[7], r[8] = 2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)


@part
def _rotate(a, q, r, turns):
    """The rotation of a by a few warm-started quaternion iterations [Mueller+16], then its matrix."""
    for _turn in range(turns):
        _matrix(q, r)
        ox = oy = oz = scale = 0.0
        for c in range(3):  # columns of R against columns of A
            u0, u1, u2 = r[c], r[3 + c], r[6 + c]
            v0, v1, v2 = a[c], a[3 + c], a[6 + c]
            ox += u1 * v2 - u2 * v1
            oy += u2 * v0 - u0 * v2
            oz += u0 * v1 - u1 * v0
            scale += u0 * v0 + u1 * v1 + u2 * v2
        scale = 1.0 / (abs(scale) + 1e-9)
        ox, oy, oz = ox * scale, oy * scale, oz * scale
        angle = math.sqrt(ox * ox + oy * oy + oz * oz)
        if angle < 1e-7:
            break
        f = math.sin(angle / 2) / angle
        g = math.cos(angle / 2)
        x, y, z, w = q[0], q[1], q[2], q[3]
        ox, oy, oz = ox * f, oy * f, oz * f
        q[0] = g * x + ox * w + oy * z - oz * y
        q[1] = g * y + oy * w + oz * x - ox * z
        q[2] = g * z + oz * w + ox * y - oy * x
        q[3] = g * w - ox * x - oy * y - oz * z
    _matrix(q, r)


@part
def _clamp(w):
    """The most negative weight to zero, its amount from the others, until none is negative; rest is one of them."""
    k = len(w)
    for out in range(k):  # `out` weights are no longer in play
        rest = 1.0
        worst = -1
        for e in range(k):
            rest -= w[e]
            if w[e] < 0.0 and (worst < 0 or w[e] < w[worst]):
                worst = e
        if worst < 0 and rest >= 0.0:
            return
        if worst < 0 or rest < w[worst]:
            share = rest / max(k - out, 1)
            for e in range(k):
                if w[e] != 0.0:
                    w[e] += share
        else:
            share = w[worst] / (k - out)
            w[worst] = 0.0
            for e in range(k):
                if w[e] != 0.0:
                    w[e] += share


@kernel("u[] u[] x[] x[] x[] x[] x[] x[] x[] x[] x[] x[] x[] x[] x[] x[] i i d d i")
def plain_step(
    starts, members, rows, centres, inverses, rest, shares, examples, back, q1, q2, moments, weights, x, y, p,
    count, by_region, strength, alpha, turns,
):  # fmt: skip
    """Flat arrays: 4 numbers per ring member, 3 per centre, 9 per matrix, 9 K per region's examples, 12 per moment."""
    k = len(weights) // (count if by_region else 1)
    a = np.empty(9)
    s = np.empty(9)
    r = np.empty(9)
    z = np.zeros(k)
    w = np.zeros(k)
    transforms = np.empty(12 * count)
    for phase in range(2):  # all regions are described before the first goal, so that a group can sum
        for i in range(count):
            m = moments[12 * i : 12 * i + 12]
            if phase == 0:
                m[:] = 0.0
                for j in range(starts[i], starts[i + 1]):
                    n = members[j]
                    for c in range(3):
                        d = x[4 * n + c] - x[4 * i + c]
                        for e in range(3):
                            m[3 * c + e] += d * rows[4 * j + e]
                        m[9 + c] += d * rows[4 * j + 3]
                for c in range(3):
                    m[9 + c] += x[4 * i + c]
                if k == 0:
                    continue
                _times(m, inverses[9 * i : 9 * i + 9], a)
                _rotate(a, q1[4 * i : 4 * i + 4], r, turns)
                for e in range(k):
                    total = 0.0
                    for c in range(3):
                        for d in range(3):
                            stretch = r[c] * a[d] + r[3 + c] * a[3 + d] + r[6 + c] * a[6 + d]
                            total += (stretch - (1.0 if c == d else 0.0)) * examples[9 * (k * i + e) + 3 * c + d]
                    if by_region:
                        weights[k * i + e] = total
                    else:
                        z[e] += total
                continue
            for c in range(9):
                s[c] = 1.0 if c % 4 == 0 else 0.0
            if k > 0 and (by_region or i == 0):
                if by_region:
                    z[:] = weights[k * i : k * i + k]
                inverse = back[k * k * i : k * k * (i + 1)] if by_region else back
                for e in range(k):
                    w[e] = 0.0
                    for c in range(k):
                        w[e] += inverse[k * e + c] * z[c]
                _clamp(w)
                for e in range(k):
                    w[e] *= strength
                    weights[(k * i if by_region else 0) + e] = w[e]
            for e in range(k):
                for c in range(9):
                    s[c] += w[e] * examples[9 * (k * i + e) + c]
            _times(m, s, a)
            _rotate(a, q2[4 * i : 4 * i + 4], r, turns)
            _times(r, s, a)
            for c in range(3):
                t = m[9 + c]
                for d in range(3):
                    transforms[12 * i + 3 * c + d] = a[3 * c + d]
                    t -= a[3 * c + d] * centres[3 * i + d]
                transforms[12 * i + 9 + c] = t
    for i in range(count):
        for c in range(3):
            goal = 0.0
            for j in range(starts[i], starts[i + 1]):
                n = 12 * members[j]
                goal += transforms[n + 9 + c]
                for d in range(3):
                    goal += transforms[n + 3 * c + d] * rest[4 * i + d]
            p[4 * i + c] = y[4 * i + c] + alpha * (goal * shares[i] - x[4 * i + c])


class Plain:
    """One body, ready to be stepped by the plain kernel."""

    def __init__(self, body: Body, settings: ShapeMatching, dtype: Any) -> None:
        c = body_constants(body)
        v, k = len(body.rest), len(body.poses)
        self.by_region = settings.examples == "regions"
        self.settings, self.count = settings, v
        if k:
            each = gram_by_region(c.stretches)
            _, back = factors(each if self.by_region else each.sum(axis=0)[None])
            back = back @ np.swapaxes(back, 1, 2)  # w = (L^T L)^-1 L^T (S - I)
        else:
            back = np.zeros(0)
        r = regions(body.rest, body.masses, body.elements, body.kind)
        own = np.repeat(np.arange(v), np.diff(r.starts))
        share = r.effective[r.members]
        rows = np.concatenate([r.offsets * (share / c.scales[own])[:, None], (share / r.masses[own])[:, None]], axis=1)
        full = _full(c.stretches.reshape(-1, 6))
        self.constants = [
            c.starts.astype(np.uint32),
            c.members.astype(np.uint32),
            *(
                np.ascontiguousarray(a, dtype=dtype).reshape(-1)
                for a in (
                    rows,
                    c.regions[:, :3],
                    _full(c.regions[:, 3:9]),
                    np.pad(c.rest, ((0, 0), (0, 1))),
                    c.shares,
                    full,
                    back,
                )
            ),
        ]
        turn = np.tile(np.array([0, 0, 0, 1], dtype), v)
        groups = v if self.by_region else 1
        self.memory = [turn.copy(), turn.copy(), np.zeros(12 * v, dtype), np.zeros(groups * k, dtype)]

    def solve(self, x: NDArray[Any], y: NDArray[Any], p: NDArray[Any], h: float, turns: int = 3) -> None:
        alpha = min(1.0, self.settings.stiffness * (60 * h) ** 2)
        strength = self.settings.example_strength
        plain_step(*self.constants, *self.memory, x, y, p, self.count, int(self.by_region), strength, alpha, turns)


def _full(six: NDArray[Any]) -> NDArray[Any]:
    """(N, 6) in the order 00 11 22 01 02 12 -> (N, 9)."""
    return six[:, [0, 3, 4, 3, 1, 5, 4, 5, 2]]
