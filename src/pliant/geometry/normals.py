"""Unit normals of triangles and of the vertices between them."""

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

# Stands in where nothing defines a normal, so that a drawing never meets a NaN.
UP = np.array([0.0, 1.0, 0.0])


def unit(vectors: Array, fallback: Array = UP) -> Array:
    """Each row at length one; rows of length zero become `fallback`."""
    length = np.linalg.norm(vectors, axis=-1, keepdims=True)
    return np.where(length > 0, vectors / np.where(length > 0, length, 1.0), fallback)


def face_normals(vertices: Array, faces: NDArray[np.int32]) -> Array:
    """Unit normal of each triangle, anticlockwise corners towards the viewer."""
    a, b, c = (vertices[faces[:, k]] for k in range(3))
    return unit(np.cross(b - a, c - a))


def vertex_normals(vertices: Array, faces: NDArray[np.int32]) -> Array:
    """Unit normal of each vertex: the mean of its triangles' normals, weighted by area.

    >>> square = np.array([[0.0, 0, 0], [0, 0, 1], [1, 0, 1], [1, 0, 0]])
    >>> vertex_normals(square, np.array([[0, 1, 2], [0, 2, 3]]))[2].tolist()
    [0.0, 1.0, 0.0]
    """
    a, b, c = (vertices[faces[:, k]] for k in range(3))
    doubled = np.cross(b - a, c - a)
    corners = faces.T.ravel()
    total = [np.bincount(corners, np.tile(doubled[:, k], 3), minlength=len(vertices)) for k in range(3)]
    return unit(np.stack(total, axis=1))
