"""The matrix of the global step (7) (12) (14), made ready to be applied: as an inverse for small graphs, as a sparse
factor L D L^T for large ones. It depends on the rest shape, the stiffness, the step and what is held only."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from pliant.models.oriented_particles.layout import padded
from pliant.models.oriented_particles.network import Network

if TYPE_CHECKING:
    from scipy.sparse import csc_array

Array = NDArray[np.float64]
# ns for each entry, measured on one core: a row of the inverse is read as it comes, an entry of the factor is looked up
# twice, there and back.
INVERSE_COST, FACTOR_COST = 0.11, 4.0
SURELY_DENSE = 150  # particles: no factor is faster


@dataclass(frozen=True, eq=False)
class Factor:
    """structure empty: values are the inverse, rows padded. Else permutation, column pointers, rows; 1/D and L."""

    structure: NDArray[np.int64]
    values: Array


def system(
    network: Network, stiffness: float, h: float, pinned: NDArray[np.int64], holds: Sequence[tuple[Any, Any, float]]
) -> "csc_array":
    """m/h^2 + k L + sum of w w^T of the handles; pinned particles have rows and columns of their own."""
    from scipy.sparse import coo_array

    from pliant.models.oriented_particles import layout as at

    n = len(network.particles)
    both = stiffness * network.edges[:, at.BOTH]
    diagonal = network.particles[:, at.MASS] / h**2 + np.bincount(network.owners, both, minlength=n)
    rows = [np.arange(n), network.owners]
    columns = [np.arange(n), network.neighbours]
    values = [diagonal, -both]
    for particles, weights, strength in holds:
        a, b = np.meshgrid(particles, particles, indexing="ij")
        rows.append(a.ravel())
        columns.append(b.ravel())
        values.append((strength * np.outer(weights, weights)).ravel())
    row, column, value = np.concatenate(rows), np.concatenate(columns), np.concatenate(values)
    if len(pinned):
        free = np.ones(n, bool)
        free[pinned] = False
        kept = free[row] & free[column]
        row, column = np.concatenate([row[kept], pinned]), np.concatenate([column[kept], pinned])
        value = np.concatenate([value[kept], np.full(len(pinned), diagonal.mean())])
    return coo_array((value, (row, column)), shape=(n, n)).tocsc()


def factor(matrix: "csc_array") -> Factor:
    """Whichever of the two is applied faster."""
    n = matrix.shape[0]
    if n > SURELY_DENSE:
        sparse = _sparse(matrix)
        if FACTOR_COST * 3 * (len(sparse.values) - n) < INVERSE_COST * 3 * padded(n) ** 2:
            return sparse
    return _dense(matrix)


def _dense(matrix: "csc_array") -> Factor:
    from scipy.linalg import cho_factor, cho_solve

    n, wide = matrix.shape[0], padded(matrix.shape[0])
    inverse = cho_solve(cho_factor(matrix.toarray(), lower=True), np.eye(n))
    values = np.zeros((wide, wide))
    values[:n, :n] = (inverse + inverse.T) / 2
    return Factor(np.empty(0, np.int64), values.reshape(-1))


def _sparse(matrix: "csc_array") -> Factor:
    """SuperLU without pivoting on a positive symmetric matrix gives L D L^T with a filling that minimum degree keeps
    small."""
    from scipy.sparse.linalg import splu

    n = matrix.shape[0]
    lu = splu(
        matrix, permc_spec="MMD_AT_PLUS_A", diag_pivot_thresh=0.0, options={"SymmetricMode": True}
    )
    lower = lu.L.tocsc()
    lower.sort_indices()
    diagonal = lu.U.diagonal()
    below = lower.indices > np.repeat(np.arange(n), np.diff(lower.indptr))
    pointers = np.concatenate([[0], np.cumsum(below)])[lower.indptr]
    order = np.argsort(lu.perm_c)
    structure = np.concatenate([order, pointers, lower.indices[below]])
    return Factor(structure.astype(np.int64), np.concatenate([1.0 / diagonal, lower.data[below]]))
