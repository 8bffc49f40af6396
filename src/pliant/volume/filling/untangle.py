"""Turns inverted tets the right way round while the skin stays near the posed surface: projected Newton."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array, diags_array, eye_array, kron

from pliant.volume.filling.barrier import derivatives, energy, lifted, positive
from pliant.volume.filling.system import FillingSystem, factored

Array = NDArray[np.float64]

STEPS = 25
FIRST_EPS, LEAST_FIRST = 0.2, 0.01  # of the most negative J, and at least this if any is negative
LAST_EPS = 1e-10  # from here on the energy is a barrier
LEAST_DROP = 0.3  # part by which chi of the worst tet is to shrink from step to step, at least
DECREASE = 1e-4  # of what the slope promises that a step has to bring
SHORTEST = 1e-6  # of a Newton step: what is not lower there is not lower at all
SETTLED = 1e-4  # part of the energy: when a step brings less, and nothing is inverted, it is done


@dataclass(frozen=True, eq=False)
class Goal:
    """What is minimised: x' A x - 2 x' b + c + shape * sum of v_t f(F_t / stretch)."""

    system: FillingSystem
    matrix: csr_array
    side: Array
    constant: float
    shape: float
    stretch: float

    def gradients(self, x: Array) -> Array:
        return self.system.deformation(x) / self.stretch

    def value(self, x: Array, eps: float) -> float:
        with np.errstate(over="ignore", divide="ignore"):
            inside = self.system.volumes @ energy(self.gradients(x), eps)
        outside = np.sum(x * (self.matrix @ x - 2 * self.side)) + self.constant
        return float(outside + self.shape * inside)

    def slope_and_curvature(self, x: Array, eps: float) -> tuple[Array, csr_array]:
        """First derivative (V, 3) and positive definite second derivative (3V, 3V)."""
        system, slopes = self.system, self.system.slopes
        first, second = derivatives(self.gradients(x), eps)
        weight = self.shape * system.volumes
        slope = 2 * (self.matrix @ x - self.side)
        per_corner = np.einsum("tij,tcj->tci", first, slopes) * (weight / self.stretch)[:, None, None]
        np.add.at(slope, system.tets, per_corner)
        blocks = positive(second).reshape(-1, 3, 3, 3, 3)
        local = np.einsum("tijkl,tcj,tdl->tcidk", blocks, slopes, slopes, optimize=True)
        local *= (weight / self.stretch**2)[:, None, None, None, None]
        at = (3 * system.tets[:, :, None] + np.arange(3)).reshape(-1, 12)
        rows, columns = np.repeat(at, 12, axis=1).ravel(), np.tile(at, (1, 12)).ravel()
        size = 3 * len(x)
        return slope, csr_array((local.ravel(), (rows, columns)), shape=(size, size))


def untangle(
    system: FillingSystem, x: Array, start: Array, surface: Array, pull: float, shape: float, stretch: float
) -> Array:
    """Positions (V, 3) near `x` with fewer, if possible no, inverted tets.

    `pull` draws the skin to the surface, `shape` weighs the untangling energy of the tets, whose usual size is
    `stretch` times that at rest.
    """
    matrix = csr_array(system.drawing(pull) + system.jumping + diags_array(system.held))
    side = system.drawing_side(pull, surface) + system.held[:, None] * start
    constant = system.drawing_constant(pull, surface) + float((system.held @ start**2).sum())
    goal = Goal(system, matrix, side, constant, shape, stretch)
    quadratic = 2 * kron(matrix, eye_array(3), format="csr")
    worst = float(np.linalg.det(goal.gradients(x)).min())
    eps = LAST_EPS if worst > 0 else max(-FIRST_EPS * worst, LEAST_FIRST)
    for _ in range(STEPS):
        slope, curvature = goal.slope_and_curvature(x, eps)
        step = -factored(quadratic + curvature)(slope.ravel()).reshape(-1, 3)
        before = goal.value(x, eps)
        moved, after = _searched(goal, x, step, eps, before, float(np.sum(slope * step)))
        if moved is None:
            break
        x = moved
        worst = float(np.linalg.det(goal.gradients(x)).min())
        if eps == LAST_EPS and before - after < SETTLED * after:
            break
        eps = _next_eps(eps, worst, before, after)
    return x


def _searched(
    goal: Goal, x: Array, step: Array, eps: float, before: float, promise: float
) -> tuple[Array | None, float]:
    """The first of ever shorter steps that brings enough, and the energy there."""
    length = 1.0
    while length > SHORTEST:
        moved = x + length * step
        after = goal.value(moved, eps)
        if after <= before + DECREASE * length * promise:  # false for NaN
            return moved, after
        length /= 2
    return None, before


def _next_eps(eps: float, worst: float, before: float, after: float) -> float:
    """The eps at which chi of the worst tet is a given part smaller: chi(worst, eps) = aim solved for eps."""
    drop = max(1.0 - after / before, LEAST_DROP)
    aim = (1.0 - drop) * float(lifted(np.array(worst), eps))
    return max(2.0 * float(np.sqrt(aim * (aim - worst))), LAST_EPS) if worst < aim else LAST_EPS
