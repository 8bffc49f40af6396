"""How much there is of an element: volumes, areas, lengths, and the mass each particle carries."""

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


def volumes(positions: Array, tets: NDArray[np.int32]) -> Array:
    """Signed volume of each tet (m^3), positive when corner 3 lies above the anticlockwise 0, 1, 2.

    >>> volumes(np.eye(4, 3, -1), np.array([[0, 1, 2, 3]])) * 6
    array([1.])
    """
    a, b, c, d = (positions[tets[:, k]] for k in range(4))
    return np.einsum("ij,ij->i", np.cross(b - a, c - a), d - a) / 6.0


def areas(positions: Array, triangles: NDArray[np.int32]) -> Array:
    """Area of each triangle (m^2)."""
    a, b, c = (positions[triangles[:, k]] for k in range(3))
    return np.linalg.norm(np.cross(b - a, c - a), axis=1) / 2.0


def lengths(positions: Array, segments: NDArray[np.int32]) -> Array:
    """Length of each segment (m)."""
    return np.linalg.norm(positions[segments[:, 1]] - positions[segments[:, 0]], axis=1)


def element_volumes(positions: Array, elements: NDArray[np.int32], thickness: float | None = None) -> Array:
    """The volume of material in each element (m^3): a shell is `thickness` thick, a rod a round bar that
    wide.
    """
    corners = elements.shape[1]
    if corners == 4:
        return volumes(positions, elements)
    if thickness is None:
        raise TypeError("shells and rods need a thickness")
    if corners == 3:
        return areas(positions, elements) * thickness
    return lengths(positions, elements) * (np.pi / 4 * thickness**2)


def lumped_masses(
    positions: Array, elements: NDArray[np.int32], density: float, thickness: float | None = None
) -> Array:
    """Mass of each particle (kg): every element hands out its mass in equal shares to its corners."""
    shares = density * element_volumes(positions, elements, thickness) / elements.shape[1]
    spread = np.repeat(shares, elements.shape[1])
    return np.bincount(elements.ravel(), weights=spread, minlength=len(positions)).astype(np.float64)


def diagonal(positions: Array) -> float:
    """Length of the diagonal of the bounding box (m): the yardstick for relative tolerances."""
    return float(np.linalg.norm(np.ptp(positions, axis=0)))
