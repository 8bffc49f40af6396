# mypy: disallow-untyped-defs=False, check-untyped-defs=False
"""Small dense symmetric systems."""

import math

from pliant.runtime.jit import part


@part
def factor(a, n):
    """L L^T = A (n n), in its lower half. False if it is not positive."""
    for i in range(n):
        for j in range(i + 1):
            s = a[i * n + j]
            for k in range(j):
                s -= a[i * n + k] * a[j * n + k]
            if i == j:
                if not s > 0.0:
                    return False
                a[i * n + i] = math.sqrt(s)
            else:
                a[i * n + j] = s / a[j * n + j]
    return True


@part
def substitute(a, n, b):
    """A^-1 b, in place."""
    for i in range(n):
        s = b[i]
        for k in range(i):
            s -= a[i * n + k] * b[k]
        b[i] = s / a[i * n + i]
    for i in range(n - 1, -1, -1):
        s = b[i]
        for k in range(i + 1, n):
            s -= a[k * n + i] * b[k]
        b[i] = s / a[i * n + i]
