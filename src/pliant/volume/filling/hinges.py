"""The edges of a skin as hinges between two triangles: how far a motion bends it there.

Distances alone say little about the angle at an edge: where triangles are a tenth of a tet, a fiftieth of a tet in the
wrong place turns one by ten degrees. The jump of a motion's gradient from one triangle to the next is, to first order,
the change of that angle. Every edge counts alike: where the skin was drawn finer there is more to be seen.
"""

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array, diags_array, eye_array, kron

from pliant.geometry.measures import areas, lengths

Array = NDArray[np.float64]
Indices = NDArray[np.int32]

FINEST = 0.05  # of a tet's edge: triangles lower than that have less say, with the square; slivers have next to none
SLIVER = 1e-9  # of the mean area: a triangle of less has no gradient


def hinge_jumps(points: Array, faces: Indices, edge: float) -> csr_array:
    """The matrix J (3E, N): |J u|^2 is the mean over the E hinges of the squared jump of the gradient of u (N, 3).

    points (N, 3) m and faces (M, 3) of the skin at rest; edge m: of the tets. Open edges and those of three or more
    triangles are no hinges.

    >>> square = np.array([[0.0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]])
    >>> jumps = hinge_jumps(square, np.array([[0, 1, 2], [0, 2, 3]]), 1.0)
    >>> flat, bent = jumps @ square, jumps @ [0.0, 0.1, 0.0, 0.0]
    >>> float(abs(flat).max()), round(float(bent @ bent), 9)
    (0.0, 0.02)
    """
    faces = faces[areas(points, faces) > SLIVER * areas(points, faces).mean()] if len(faces) else faces
    size = areas(points, faces)
    pairs, ends = hinges(faces)
    count = len(pairs)
    if count == 0:
        return csr_array((0, len(points)))
    height = 2 * size[pairs].min(axis=1) / lengths(points, ends)
    weight = np.minimum(height / (FINEST * edge), 1.0) / np.sqrt(count)
    signs, at = np.repeat([1.0, -1.0], count), np.tile(np.arange(count), 2)
    across = csr_array((signs, (at, pairs.T.ravel())), shape=(count, len(faces)))
    jumps = kron(across, eye_array(3), format="csr") @ _gradient(points, faces)
    return csr_array(diags_array(np.repeat(weight, 3)) @ jumps)


def hinges(faces: Indices) -> tuple[NDArray[np.intp], Indices]:
    """Pairs of faces (E, 2) that share an edge with each other and no third, and the two points (E, 2) of that edge.

    >>> [each.tolist() for each in hinges(np.array([[0, 1, 2], [0, 2, 3]]))]
    [[[0, 1]], [[0, 2]]]
    """
    edges = np.sort(np.concatenate([faces[:, [0, 1]], faces[:, [1, 2]], faces[:, [2, 0]]]), axis=1)
    order = np.lexsort(edges.T)
    begins = np.flatnonzero(np.concatenate([[True], (np.diff(edges[order], axis=0) != 0).any(axis=1)])[: len(edges)])
    begins = begins[np.diff(np.append(begins, len(edges))) == 2]
    return np.sort(np.stack([order[begins], order[begins + 1]], axis=1) % max(len(faces), 1)), edges[order[begins]]


def _gradient(points: Array, faces: Indices) -> csr_array:
    """The gradient (3M, N) of what is linear on each triangle: an edge turned by 90 degrees in its plane, over twice
    the area, belongs to the corner across from it."""
    a, b, c = (points[faces[:, k]] for k in range(3))
    normals = np.cross(b - a, c - a)
    normals /= np.einsum("nx,nx->n", normals, normals)[:, None]
    slopes = np.stack([np.cross(normals, each) for each in (c - b, a - c, b - a)], axis=1)
    rows = np.broadcast_to(3 * np.arange(len(faces))[:, None, None] + np.arange(3), slopes.shape)
    columns = np.broadcast_to(faces[:, :, None], slopes.shape)
    return csr_array((slopes.ravel(), (rows.ravel(), columns.ravel())), shape=(3 * len(faces), len(points)))
