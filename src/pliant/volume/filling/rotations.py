"""Rotations: the nearest one to many matrices, and the rigid motion that carries points onto others."""

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


def nearest_rotations(matrices: Array) -> Array:
    """The proper rotation (N, 3, 3) nearest to each matrix, also if that is inside out or flat.

    >>> nearest_rotations(np.diag([2.0, 3.0, -0.1])[None])[0].tolist()
    [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]
    """
    left, _, right = np.linalg.svd(matrices)
    # A reflection becomes a rotation by turning the direction of least stretch round.
    left[:, :, 2] *= np.sign(np.linalg.det(left @ right))[:, None]
    return left @ right


def covariance(points: Array, images: Array, shares: Array) -> tuple[Array, Array, Array]:
    """Centres (3,) of the points and of their images, and the matrix (3, 3) that relates them."""
    shares = shares / shares.sum()
    centre, image = shares @ points, shares @ images
    return centre, image, (images - image).T @ (shares[:, None] * (points - centre))


def rigid_motion(points: Array, images: Array, shares: Array) -> tuple[Array, Array]:
    """The rotation R and shift t with the least weighted sum of |R p + t - image|^2."""
    centre, image, relation = covariance(points, images, shares)
    rotation = nearest_rotations(relation[None])[0]
    return rotation, image - rotation @ centre
