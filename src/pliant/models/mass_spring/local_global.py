"""Fast simulation of mass-spring systems [Liu et al. 2013]: implicit Euler as a minimisation,

    g(p) = (p - y)^T M (p - y) / (2 h^2) + E(p),          p <- p - A^-1 grad g(p)

with the matrix A of system.py, factored once. For springs this is their local step (each takes its direction) and their
global step (one linear system) in one; the angles of a sheet go along with theirs [Bergou+06]. The last steps tell how
A differs from the Hessian [Liu+17], which makes of some hundred iterations ten or twenty; g falls in each of them."""

import numpy as np
from numpy.typing import NDArray

from pliant.models.mass_spring.kernels import dot
from pliant.models.mass_spring.potential import Potential
from pliant.models.mass_spring.prepare import Player, Solved
from pliant.models.mass_spring.system import System, laplacian, system_of

Array = NDArray[np.float64]
HISTORY = 5  # steps that are remembered. Half: a third more iterations; twice: as many, which cost more
ENOUGH = 1e-4  # of what the slope promises (Armijo)
HALVINGS = 12  # of a step before it is given up
MOST_SYSTEMS = 4  # kept, for steps of different lengths


def settle(player: Player, weights: Array, x: Array, y: Array, h: float, begin: Array | None = None) -> Array:
    """From y (3 V,), where inertia would take the particles, to where they settle after h. begin: where the dampers'
    motion is counted from, if not from x."""
    settings, fixed = player.settings, player.fixed
    potential = Potential(player, weights, settings.spring_damping / h, x if begin is None else begin)
    system = kept_system(player, h)
    inertia = player.masses / h**2

    def objective(p: Array) -> tuple[float, Array]:
        energy, gradient = potential.evaluate(p)
        away = p - y
        gradient += inertia * away
        gradient[fixed] = 0.0
        return energy + 0.5 * dot(inertia, away * away), gradient

    p = y.copy()
    energy, gradient = objective(p)
    steps: list[tuple[Array, Array, float]] = []
    least, residual, rounds, converged = settings.tolerance * player.size, 0.0, 0, False
    while rounds < settings.iterations and not converged and np.isfinite(energy):
        rounds += 1
        way = _direction(system, gradient, steps)
        slope = dot(gradient, way)
        if not slope < 0.0:
            steps.clear()
            way = -system.solve(gradient)
            slope = dot(gradient, way)
        part = 1.0
        for _ in range(HALVINGS):
            there = p + part * way
            energy_there, gradient_there = objective(there)
            if energy_there <= energy + ENOUGH * part * slope + 1e-14 * abs(energy):
                break
            part *= 0.5
        step, bend = part * way, gradient_there - gradient
        along = dot(step, bend)
        if along > 1e-12 * dot(step, step) * inertia.mean():
            steps.append((step, bend, along))
            del steps[:-HISTORY]
        p, energy, gradient = there, energy_there, gradient_there
        residual = float(np.linalg.norm(step.reshape(-1, 3), axis=1).max())
        converged = residual <= least
    player.solved = Solved(rounds, converged, residual, energy)
    return p


def _direction(system: System, gradient: Array, steps: list[tuple[Array, Array, float]]) -> Array:
    """-H gradient, with A^-1 corrected by what the last steps have seen: the two loops of L-BFGS."""
    q = gradient.copy()
    kept = []
    for step, bend, along in reversed(steps):
        share = dot(step, q) / along
        q -= share * bend
        kept.append(share)
    way = system.solve(q)
    for (step, bend, along), share in zip(steps, reversed(kept), strict=True):
        way += (share - dot(bend, way) / along) * step
    return -way


def kept_system(player: Player, h: float) -> System:
    """The factors for steps of h, with what is held now."""
    if h not in player.systems:
        while len(player.systems) >= MOST_SYSTEMS:
            del player.systems[next(iter(player.systems))]
        settings = player.settings
        springs = laplacian(player.network, player.stiffness, player.count, settings.spring_damping / h)
        player.systems[h] = system_of(springs, player.role.body.masses / h**2, player.held, player.pinned)
    return player.systems[h]
