"""What a step makes of an oscillator, exactly:  q'' + 2 d q' + l q = 0."""

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
RESOLVED = 1.0  # rad in a step: faster oscillators than this are damped, more and more
UNRESOLVED = 3.0  # rad: from here on critically. Half and twice: the step shows six, or two, points of an oscillation


def responses(values: Array, damping: Array, h: float) -> Array:
    """(5, R): q from q, q from its rate, rate from q, rate from rate after a step of h (s), and the eigenvalues l
    (1/s^2). damping: 2 d (1/s). What the step cannot show is damped critically, so that it follows what pushes it
    instead of swinging: the answer to a constant force is exact in any case.

    >>> values, damping = np.array([4.0]), np.array([0.0])
    >>> responses(values, damping, 0.1)[0].round(6).tolist()  # cos 0.2
    [0.980067]
    """
    omega = np.sqrt(values)
    beyond = np.clip((omega * h - RESOLVED) / (UNRESOLVED - RESOLVED), 0.0, 1.0)
    d = np.maximum(0.5 * damping, omega * beyond**2 * (3.0 - 2.0 * beyond))
    root = np.sqrt(np.abs(values - d * d))
    t = root * h
    fade = np.exp(-d * h)
    # cos and sin(root h) / root below critical damping, cosh and sinh / root above it, their limits at it
    near = t < 1e-4
    safe = np.where(near, 1.0, root)
    slow = d * d > values
    up, down = np.exp(-d * h + t), np.exp(-d * h - t)  # of the two rates, without overflow
    even = np.where(slow, 0.5 * (up + down), fade * np.cos(t))
    odd = np.where(slow, 0.5 * (up - down) / safe, fade * np.sin(t) / safe)
    square = np.where(slow, t * t, -t * t)
    even = np.where(near, fade * (1.0 + 0.5 * square), even)
    odd = np.where(near, fade * h * (1.0 + square / 6.0), odd)
    return np.stack([even + d * odd, odd, -values * odd, even - d * odd, values])
