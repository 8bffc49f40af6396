"""Large steps in cloth simulation [Baraff & Witkin 1998]: implicit Euler with one Newton iteration,

    (M / h^2 + K + D / h) dx = M (y - x) / h^2 + f(x)

by conjugate gradients, whose residuals and steps are filtered where a particle is pinned, so it stays exactly there."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from pliant.models.mass_spring.kernels import dot
from pliant.models.mass_spring.potential import Potential
from pliant.models.mass_spring.prepare import Player, Solved
from pliant.models.mass_spring.system import laplacian

Array = NDArray[np.float64]
ACCURATE = 1e-5  # of the right-hand side, in the norm of the preconditioner. A tenth: a third more iterations
MOST_ROUNDS = 2000  # of conjugate gradients


def newton_step(player: Player, weights: Array, x: Array, y: Array, h: float, bends: bool = True) -> Array:
    """From x (3 V,) to where the particles are after h, y where inertia would take them. bends: whether what resists
    bending is implicit, too."""
    fixed = player.fixed
    potential = Potential(player, weights, player.settings.spring_damping / h, x)
    inertia = player.masses / h**2
    start = np.where(fixed, y, x)  # pins have moved already
    energy, gradient = potential.evaluate(start)
    right = inertia * (y - start) - gradient
    right[fixed] = 0.0

    def matrix(v: Array) -> Array:
        out = inertia * v + potential.product(v, bends)
        out[fixed] = 0.0
        return out

    step, rounds, converged = conjugate(matrix, right, 1.0 / preconditioner(player, h))
    player.solved = Solved(rounds, converged, float(np.linalg.norm(step.reshape(-1, 3), axis=1).max()), energy)
    return start + step


def preconditioner(player: Player, h: float) -> Array:
    """(3 V,) the diagonal of inertia and springs, which may point anywhere: a third of each in every direction."""
    springs = laplacian(player.network, player.stiffness, player.count, player.settings.spring_damping / h)
    diagonal = player.role.body.masses / h**2 + springs.diagonal() / 3.0 + player.held.diagonal(player.count)
    return np.repeat(diagonal, 3)


def conjugate(matrix: Callable[[Array], Array], right: Array, inverse: Array) -> tuple[Array, int, bool]:
    """Conjugate gradients with a diagonal preconditioner. Returns the solution, how many rounds, and whether they were
    enough."""
    x, r = np.zeros(len(right)), right.copy()
    z = inverse * r
    d, now = z.copy(), dot(r, z)
    enough = ACCURATE**2 * now
    for rounds in range(MOST_ROUNDS):
        if not now > enough:
            return x, rounds, True
        q = matrix(d)
        part = now / dot(d, q)
        x += part * d
        r -= part * q
        z = inverse * r
        now, before = dot(r, z), now
        d = z + now / before * d
    return x, MOST_ROUNDS, False
