"""The matrix that stays: inertia and the springs as if they had no length, factored once for all steps [Liu+13] (14).

    A = M / h^2 + (1 + damping / h) sum k_e c c^T + sum of the handles          V x V, the same for x, y and z

Every spring pulls by less than its part in A says, so a step with A^-1 never goes too far (local_global.py)."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from pliant.elastic.springs import Springs
from pliant.models.mass_spring.kernels import substitute
from pliant.models.mass_spring.network import Network

if TYPE_CHECKING:
    from scipy.sparse import csc_array

Array = NDArray[np.float64]
Ints = NDArray[np.int64]


def laplacian(network: Network, stiffness: Array, count: int, damping: float = 0.0) -> "csc_array":
    """(V, V) sum of k c c^T over all springs, bows and hinges; dampers (1: as much as the spring) along springs."""
    from scipy.sparse import coo_array

    springs, bows, _ = network.sizes
    signs = np.tile([1.0, -1.0], (springs, 1))
    straight = springs + bows
    row, column, value = [], [], []
    for particles, factors, k in (
        (network.edges, signs, (1.0 + damping) * stiffness[:springs]),
        (network.bows, network.coefficients, stiffness[springs:straight]),
        (network.hinges, network.levers, stiffness[straight:]),
    ):
        wide = particles.shape[1]
        row.append(np.repeat(particles, wide, axis=1).reshape(-1))
        column.append(np.tile(particles, (1, wide)).reshape(-1))
        value.append((k[:, None, None] * factors[:, :, None] * factors[:, None, :]).reshape(-1))
    entries = np.concatenate(value), (np.concatenate(row), np.concatenate(column))
    return coo_array(entries, shape=(count, count)).tocsc()


@dataclass(frozen=True, eq=False)
class System:
    """A matrix made ready to be solved with: L D L^T, columns of L below its diagonal."""

    order: Ints
    pointers: Ints
    rows: Ints
    inverse: Array
    lower: Array

    def solve(self, right: Array) -> Array:
        """A^-1 right, (3 V,)."""
        x = right.copy()
        substitute(self.order, self.pointers, self.rows, self.inverse, self.lower, x)
        return x


def system_of(springs: "csc_array", inertia: Array, held: Springs, pinned: Ints) -> System:
    """Pinned particles have rows and columns of their own, so they stay exactly where they are."""
    from scipy.sparse import coo_array, diags_array

    count = len(inertia)
    matrix = springs + diags_array(inertia)
    if len(held):
        wide = held.particles.shape[1]
        value = held.stiffness[:, None, None] * held.weights[:, :, None] * held.weights[:, None, :]
        row = np.repeat(held.particles, wide, axis=1).reshape(-1)
        column = np.tile(held.particles, (1, wide)).reshape(-1)
        matrix = matrix + coo_array((value.reshape(-1), (row, column)), shape=(count, count))
    if len(pinned):
        free = np.ones(count)
        free[pinned] = 0.0
        only = diags_array(free)
        matrix = only @ matrix @ only + diags_array(np.where(free > 0.0, 0.0, inertia.mean()))
    return _factored(matrix.tocsc())


def _factored(matrix: "csc_array") -> System:
    """SuperLU without pivoting on a positive symmetric matrix gives L D L^T; minimum degree keeps it sparse."""
    from scipy.sparse.linalg import splu

    lu = splu(matrix, permc_spec="MMD_AT_PLUS_A", diag_pivot_thresh=0.0, options={"SymmetricMode": True})
    lower = lu.L.tocsc()
    lower.sort_indices()
    count = matrix.shape[0]
    below = lower.indices > np.repeat(np.arange(count), np.diff(lower.indptr))
    pointers = np.concatenate([[0], np.cumsum(below)])[lower.indptr].astype(np.int64)
    order = np.argsort(lu.perm_c).astype(np.int64)
    rows = lower.indices[below].astype(np.int64)
    return System(order, pointers, rows, 1.0 / lu.U.diagonal(), lower.data[below])
