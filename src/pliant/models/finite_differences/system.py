"""The linear system of a step: conjugate gradients, which never make the matrix, and what makes them few."""

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from pliant.models.finite_differences.metric import Metric
from pliant.models.finite_differences.prepare import Player
from pliant.models.mass_spring.kernels import dot
from pliant.models.mass_spring.system import System, system_of

if TYPE_CHECKING:
    from scipy.sparse import csc_array

Array = NDArray[np.float64]
ACCURATE = 1e-4  # of the right-hand side, in the norm of the preconditioner. A tenth: a third more rounds
MOST_ROUNDS = 400  # of conjugate gradients
MOST_SYSTEMS = 4  # kept, for steps of different lengths


def preconditioner(player: Player, h: float) -> System:
    """The matrix at rest as if it were the same in all directions, factored once: so the number of rounds depends
    neither on how hard the body is nor on how many particles it has."""
    if h not in player.systems:
        while len(player.systems) >= MOST_SYSTEMS:
            del player.systems[next(iter(player.systems))]
        springs = laplacian(player.metric, player.stiffness, player.count)
        player.systems[h] = system_of(springs, player.role.body.masses / h**2, player.held, player.pinned)
    return player.systems[h]


def laplacian(metric: Metric, stiffness: Array, count: int) -> "csc_array":
    """(V, V) sum of k b b^T over the vectors of differences: k what the numbers that they are part of make of one, in
    the mean over directions (a third of 4 k for a squared length)."""
    from scipy.sparse import csr_array, diags_array

    vectors = len(metric.starts) - 1
    hardness = np.zeros(vectors)
    tables = metric.lengths[:, None], metric.shears, metric.traces, metric.bends[:, :1], metric.bows[:, None]
    first = 0
    for table, factor in zip(tables, (4 / 3, 1 / 3, 4 / 3, 1.0, 1.0), strict=True):
        k = stiffness[first : first + len(table)]
        np.add.at(hardness, table, factor * k[:, None])
        first += len(table)
    differences = csr_array((metric.coefficients, metric.particles, metric.starts), shape=(vectors, count))
    return (differences.T @ diags_array(hardness) @ differences).tocsc()


def conjugate(matrix: Callable[[Array], Array], system: System, right: Array) -> tuple[Array, int]:
    """Returns the solution, and after how many rounds."""
    x, r = np.zeros(len(right)), right.copy()
    z = system.solve(r)
    d, now = z.copy(), dot(r, z)
    enough = ACCURATE**2 * now
    for rounds in range(MOST_ROUNDS):
        if not now > enough:
            return x, rounds
        q = matrix(d)
        part = now / dot(d, q)
        x += part * d
        r -= part * q
        z = system.solve(r)
        now, before = dot(r, z), now
        d = z + now / before * d
    return x, MOST_ROUNDS
