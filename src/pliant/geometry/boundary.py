"""The outer triangles of a tet mesh."""

import numpy as np
from numpy.typing import NDArray

# The face opposite each corner, turned outwards in a tet of positive volume.
OUTWARD_FACES = np.array([[1, 2, 3], [0, 3, 2], [0, 1, 3], [0, 2, 1]])


def boundary_faces(tets: NDArray[np.int32]) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Triangles that belong to one tet only, outward, and the tet behind each, in the order of the tets."""
    faces = tets[:, OUTWARD_FACES].reshape(-1, 3)
    low, middle, high = np.sort(faces, axis=1).astype(np.int64).T
    count = int(faces.max()) + 1  # three corners fit one 64-bit key up to two million particles
    _, first, times = np.unique((low * count + middle) * count + high, return_index=True, return_counts=True)
    outer = np.sort(first[times == 1])
    return faces[outer].astype(np.int32), (outer // 4).astype(np.int32)


def boundary_triangles(tets: NDArray[np.int32]) -> NDArray[np.int32]:
    """Triangles that belong to one tet only, outward.

    >>> boundary_triangles(np.array([[0, 1, 2, 3]])).tolist()
    [[1, 2, 3], [0, 3, 2], [0, 1, 3], [0, 2, 1]]
    """
    return boundary_faces(tets)[0]
