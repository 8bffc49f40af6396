"""The untangling energy of Garanzha et al. 2021, "Foldover-free maps in 50 lines of code", and its derivatives.

    f(F) = |F|^2 / chi^(2/3)  +  (J^2 + 1) / chi,      J = det F,   chi = (J + sqrt(J^2 + eps^2)) / 2

The first part dislikes change of shape, the second change of volume. For eps -> 0, chi is J where J > 0 and 0
elsewhere: f becomes a barrier that no tet can pass. A larger eps makes it finite also for inverted tets, so that
they can be pulled through.
"""

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

EVEN = np.zeros((3, 3, 3))  # the sign of a permutation, so det F is the sum of EVEN_ijk F_i0 F_j1 F_k2
EVEN[[0, 1, 2], [1, 2, 0], [2, 0, 1]], EVEN[[0, 1, 2], [2, 0, 1], [1, 2, 0]] = 1.0, -1.0
SECOND_DERIVATIVE = np.einsum("ikm,jln->ijklmn", EVEN, EVEN).reshape(81, 9)  # d2J / dF_ij dF_kl = SECOND_ijklmn F_mn
LEAST_CURVATURE = 1e-6  # of the energy's own at rest: a little, so that no direction is left without any


def lifted(determinants: Array, eps: float) -> Array:
    """chi: J lifted above zero. The second form has no cancellation where J is negative."""
    root = np.hypot(determinants, eps)
    below = eps**2 / (2 * (root - np.minimum(determinants, 0.0)))
    return np.where(determinants > 0, (determinants + root) / 2, below)


def energy(gradients: Array, eps: float) -> Array:
    """f (T,) of deformation gradients (T, 3, 3)."""
    det = np.linalg.det(gradients)
    chi = lifted(det, eps)
    return np.einsum("tij,tij->t", gradients, gradients) * chi ** (-2 / 3) + (det**2 + 1) / chi


def derivatives(gradients: Array, eps: float) -> tuple[Array, Array]:
    """The first (T, 3, 3) and second (T, 9, 9) derivatives of f by the entries of F, row by row."""
    det = np.linalg.det(gradients)
    chi, root = lifted(det, eps), np.hypot(det, eps)
    chi_1, chi_2 = chi / root, eps**2 / (2 * root**3)
    square = np.einsum("tij,tij->t", gradients, gradients)
    # Shape part: square * p(J).  Volume part: q(J).
    p = chi ** (-2 / 3)
    p_1 = -2 / 3 * p / chi * chi_1
    p_2 = 10 / 9 * p / chi**2 * chi_1**2 - 2 / 3 * p / chi * chi_2
    q_1 = 2 * det / chi - (det**2 + 1) * chi_1 / chi**2
    q_2 = 2 / chi - 4 * det * chi_1 / chi**2 + (det**2 + 1) * (2 * chi_1**2 / chi**3 - chi_2 / chi**2)
    slope, bend = (square * p_1 + q_1)[:, None], (square * p_2 + q_2)[:, None, None]
    flat, cofactor = gradients.reshape(-1, 9), cofactors(gradients).reshape(-1, 9)
    first = 2 * p[:, None] * flat + slope * cofactor
    mixed = flat[:, :, None] * cofactor[:, None, :]
    second = 2 * p_1[:, None, None] * (mixed + np.swapaxes(mixed, 1, 2))
    second += bend * cofactor[:, :, None] * cofactor[:, None, :]
    second += ((slope * flat) @ SECOND_DERIVATIVE.T).reshape(-1, 9, 9)
    second[:, np.arange(9), np.arange(9)] += 2 * p[:, None]
    return first.reshape(-1, 3, 3), second


def cofactors(gradients: Array) -> Array:
    """dJ/dF (T, 3, 3)."""
    a, b, c = (gradients[:, :, k] for k in range(3))
    return np.stack([np.cross(b, c), np.cross(c, a), np.cross(a, b)], axis=2)


def positive(matrices: Array) -> Array:
    """The nearest positive definite matrices: negative curvature would lead uphill."""
    values, vectors = np.linalg.eigh(matrices)
    return (vectors * np.maximum(values, LEAST_CURVATURE)[:, None, :]) @ np.swapaxes(vectors, 1, 2)
