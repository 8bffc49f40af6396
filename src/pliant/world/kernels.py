# mypy: disallow-untyped-defs=False, check-untyped-defs=False
"""Kernels of a sub-step that is done stage by stage, from Python: prediction, pins, handles. Where nothing needs Python
dynamics/predict.py does the first two.

Positions and velocities stand in rows of 4 numbers (x, y, z, unused)."""

import numpy as np

from pliant.collision.layout import FAR_AWAY
from pliant.dynamics.predict import WILD, put_those
from pliant.runtime.jit import kernel

GOOD, DOUBTFUL = -1, -2


@kernel("x[] x[] x[] x[] x[] x[] d d d d i i")
def predict(x, v, y, p, inverse, acceleration, gx, gy, gz, h, first, last):
    """y = x + h v + h^2 a;  p = y. Returns the first particle that leaves the finite world, else whether all
    is GOOD or DOUBTFUL (one is so far out that the models may yet fail)."""
    real = x.dtype.type
    step = real(h)
    a0 = real(h * h * gx)
    a1 = real(h * h * gy)
    a2 = real(h * h * gz)
    square = real(h * h)
    forced = len(acceleration) > 0
    bad = -1
    doubtful = False
    for i in range(first, last):
        f = np.uint64(4 * i)
        g = f + np.uint64(1)
        k = f + np.uint64(2)
        if inverse[i] > 0:
            y0 = x[f] + step * v[f] + a0
            y1 = x[g] + step * v[g] + a1
            y2 = x[k] + step * v[k] + a2
            if forced:
                y0 += square * acceleration[f]
                y1 += square * acceleration[g]
                y2 += square * acceleration[k]
        else:
            y0 = x[f]
            y1 = x[g]
            y2 = x[k]
        if not (abs(y0) < WILD and abs(y1) < WILD and abs(y2) < WILD):
            doubtful = True
            if not (abs(y0) < FAR_AWAY and abs(y1) < FAR_AWAY and abs(y2) < FAR_AWAY) and bad < 0:
                bad = i
        elif not (abs(x[f]) < WILD and abs(x[g]) < WILD and abs(x[k]) < WILD):
            doubtful = True
        y[f] = y0
        y[g] = y1
        y[k] = y2
        p[f] = y0
        p[g] = y1
        p[k] = y2
    if bad >= 0:
        return bad
    return DOUBTFUL if doubtful else GOOD


@kernel("x[] i[] d[]")
def put(x, particles, places):
    """Particles go to their places (3 each)."""
    put_those(x, particles, places, 0, len(x) // 4)


@kernel("x[] x[] u[] d[] d")
def pull(p, inverse, particles, handles, h):
    """Handles as springs solved implicitly: a point s = sum b_j p_j held at t with stiffness k moves by (t -
    s) W / (W + 1 / (k h^2)), W = sum b_j^2 / m_j, shared out by b_j / m_j. Eight numbers per handle: k, t, b.
    Where it comes to rest the spring carries exactly k times its stretch, and no stiffness is too much."""
    for n in range(len(handles) // 8):
        stiffness = handles[8 * n]
        give = 0.0
        s0 = s1 = s2 = 0.0
        for j in range(4):
            b = handles[8 * n + 4 + j]
            i = np.int64(particles[4 * n + j])
            give += b * b * inverse[i]
            s0 += b * p[4 * i]
            s1 += b * p[4 * i + 1]
            s2 += b * p[4 * i + 2]
        if give == 0.0:
            continue
        scale = 1.0 / (give + 1.0 / (stiffness * h * h))
        for j in range(4):
            i = np.int64(particles[4 * n + j])
            share = handles[8 * n + 4 + j] * inverse[i] * scale
            p[4 * i] += share * (handles[8 * n + 1] - s0)
            p[4 * i + 1] += share * (handles[8 * n + 2] - s1)
            p[4 * i + 2] += share * (handles[8 * n + 3] - s2)
