"""Some particles are moved, the others follow smoothly: a start for what comes next."""

import numpy as np
from numpy.typing import NDArray

from pliant.elastic.elements import Elements

Array = NDArray[np.float64]


def carried(elements: Elements, x: Array, particles: NDArray[np.int64], places: Array) -> Array:
    """x (V, 3) with `particles` at `places` and the change of all others harmonic over the rest shape: the one whose
    gradient is smallest."""
    from scipy.sparse import coo_array
    from scipy.sparse.linalg import splu

    count, g = elements.count, elements.gradients
    local = np.einsum("t,tac,tbc->tab", elements.volumes, g, g)
    rows = np.repeat(elements.tets, 4, axis=1).ravel()
    columns = np.tile(elements.tets, (1, 4)).ravel()
    matrix = coo_array((local.ravel(), (rows, columns)), shape=(count, count)).tocsc()
    held = np.zeros(count, bool)
    held[particles] = True
    moved = np.zeros((count, 3))
    moved[particles] = places - x[particles]
    free = np.flatnonzero(~held)
    if len(free):
        right = -(matrix @ moved)[free]
        inner = matrix[free][:, free] + 1e-12 * matrix.diagonal().mean() * _eye(len(free))
        moved[free] = splu(inner.tocsc(), permc_spec="MMD_AT_PLUS_A", diag_pivot_thresh=0.0).solve(right)
    return x + moved


def _eye(count: int) -> object:
    from scipy.sparse import eye_array

    return eye_array(count, format="csc")
