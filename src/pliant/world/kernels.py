# mypy: disallow-untyped-defs=False, check-untyped-defs=False
"""Kernels of a sub-step that is done stage by stage, from Python: prediction, pins, handles. Where nothing needs Python
dynamics/predict.py does the first two.

Positions and velocities stand in rows of 4 numbers (x, y, z, unused)."""

import numpy as np

from pliant.collision.layout import FAR_AWAY
from pliant.dynamics.predict import predict_those, put_those
from pliant.runtime.jit import kernel

GOOD, DOUBTFUL = -1, -2


@kernel("x[] x[] x[] x[] x[] x[] d d d d i i")
def predict(x, v, y, p, inverse, acceleration, gx, gy, gz, h, first, last):
    """Where inertia takes the particles from first to last. Returns the first that leaves the finite world, else
    whether all is GOOD or DOUBTFUL (one is so far out that the models may yet fail)."""
    if predict_those(x, v, y, p, inverse, acceleration, gx, gy, gz, h, first, last) == 0:
        return GOOD
    for i in range(first, last):
        for k in range(4 * i, 4 * i + 3):
            if not abs(y[k]) < FAR_AWAY:
                return i
    return DOUBTFUL


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
