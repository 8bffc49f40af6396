# mypy: disallow-untyped-defs=False, check-untyped-defs=False
"""Solving for four right-hand sides at once: each number of L is fetched once for all four."""

from pliant.elastic.multifrontal import HEAD
from pliant.runtime.jit import kernel


@kernel("i[] i[] d[] d[] d[] d[]")
def substitute_four(heads, unknowns, lower, diagonal, work, x):
    """As `multifrontal.substitute`, with four numbers side by side for each unknown: x (4 * 3 V), work four times as
    long as the largest front."""
    count = len(heads) // HEAD
    for t in range(count):
        n, c, base, at = heads[HEAD * t], heads[HEAD * t + 1], heads[HEAD * t + 2], heads[HEAD * t + 4]
        for i in range(n):
            u = 4 * unknowns[at + i]
            for k in range(4):
                work[4 * i + k] = x[u + k]
        for j in range(c):
            w0, w1, w2, w3 = work[4 * j], work[4 * j + 1], work[4 * j + 2], work[4 * j + 3]
            for i in range(j + 1, n):
                v = lower[base + j * n + i]
                work[4 * i] -= v * w0
                work[4 * i + 1] -= v * w1
                work[4 * i + 2] -= v * w2
                work[4 * i + 3] -= v * w3
        for i in range(n):
            u = 4 * unknowns[at + i]
            for k in range(4):
                x[u + k] = work[4 * i + k]
    for t in range(count - 1, -1, -1):
        n, c, base, at = heads[HEAD * t], heads[HEAD * t + 1], heads[HEAD * t + 2], heads[HEAD * t + 4]
        unknown = heads[HEAD * t + 7]
        for i in range(n):
            u = 4 * unknowns[at + i]
            for k in range(4):
                work[4 * i + k] = x[u + k]
        for j in range(c - 1, -1, -1):
            s0 = s1 = s2 = s3 = 0.0
            for i in range(j + 1, n):
                v = lower[base + j * n + i]
                s0 += v * work[4 * i]
                s1 += v * work[4 * i + 1]
                s2 += v * work[4 * i + 2]
                s3 += v * work[4 * i + 3]
            d = diagonal[unknown + j]
            work[4 * j] = work[4 * j] / d - s0
            work[4 * j + 1] = work[4 * j + 1] / d - s1
            work[4 * j + 2] = work[4 * j + 2] / d - s2
            work[4 * j + 3] = work[4 * j + 3] / d - s3
        for i in range(c):
            u = 4 * unknowns[at + i]
            for k in range(4):
                x[u + k] = work[4 * i + k]
