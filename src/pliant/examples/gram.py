"""Gram matrices of the poses' columns: what cannot be seen is left out, what is alike shares its weight."""

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
# Examples that are equal or dependent make a Gram matrix singular. Its small eigenvalues are lifted to this part of the
# largest, which gives the smallest of all equally good sets of weights.
SINGULAR = 1e-6
# A pose whose descriptor differs from that of rest by less, as a part of the whole, is no example: noise would give it
# any weight. Half of it is below what an eye tells from rest, twice of it is not.
UNSEEN = 2e-3


def visible(columns: Array, sizes: Array | float) -> NDArray[np.bool_]:
    """(K,) which poses a model can see: squared lengths of the columns (K,) against what rest itself amounts to."""
    return columns > UNSEEN**2 * sizes


def factors(grams: Array) -> tuple[Array, Array]:
    """(G, K, K) Gram matrices L^T L = V s^2 V^T -> U = s V^T and its inverse, with small s lifted: L^T L = U^T U."""
    values, axes = np.linalg.eigh(grams)
    largest = np.maximum(values[:, -1:], 1e-12)
    s = np.sqrt(np.maximum(values, SINGULAR * largest))
    return s[:, :, None] * np.swapaxes(axes, 1, 2), axes / s[:, None, :]
