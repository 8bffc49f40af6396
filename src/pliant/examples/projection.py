"""The projection on the examples, in plain words: the reference for the kernels (maths/simplex.py in lanes,
maths/convex.py one group at a time, maths/blends.py on several simplices)."""

from itertools import combinations

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


def convex_weights(gram: Array, wish: Array, strength: float = 1.0) -> Array:
    """w = argmin w' G w / beta - 2 f' w  with  w_k >= 0, sum w_k <= 1; the smallest where there are several.

    All faces of the simplex are tried: 2^(K + 1) of them, so this is for a handful of poses.

    >>> convex_weights(np.eye(2), np.array([0.9, -0.3])).round(3).tolist()
    [0.9, 0.0]
    """
    count, wish = len(wish), strength * np.asarray(wish, np.float64)
    best, least = np.zeros(count), 0.0
    for size in range(1, count + 1):
        for face in map(list, combinations(range(count), size)):
            for full in (False, True):
                w = np.zeros(count)
                w[face] = _on_face(gram[np.ix_(face, face)], wish[face], full)
                energy = float(w @ gram @ w - 2.0 * wish @ w)
                if w.min() >= -1e-12 and w.sum() <= 1.0 + 1e-12 and energy < least - 1e-15 * abs(least):
                    best, least = w, energy
    return best


def _on_face(gram: Array, wish: Array, full: bool) -> Array:
    """The minimum with these weights only, and with sum 1 if the face is without rest."""
    inverse = np.linalg.pinv(gram, rcond=1e-12, hermitian=True)
    free: Array = inverse @ wish
    if not full:
        return free
    ones = inverse @ np.ones(len(wish))
    total = ones.sum()
    return free + ones * (1.0 - free.sum()) / total if abs(total) > 1e-300 else free


def clamped_weights(gram: Array, wish: Array, strength: float = 1.0) -> Array:
    """The paper's: unconstrained least squares, then the most negative weight (rest's among them) is set to zero and
    its amount taken from those still in play, until none is negative; then times beta. [Koyama+12] 4.2

    >>> clamped_weights(np.eye(2), np.array([0.9, -0.3])).round(3).tolist()
    [0.75, 0.0]
    """
    free = np.linalg.pinv(gram, rcond=1e-12, hermitian=True) @ wish
    values = np.append(free, 1.0 - free.sum())
    play = np.ones(len(values), dtype=bool)
    while (values[play] < 0.0).any() and play.sum() > 1:
        worst = int(np.flatnonzero(play)[values[play].argmin()])
        play[worst] = False
        values[play] += values[worst] / play.sum()
        values[worst] = 0.0
    return strength * values[:-1]
