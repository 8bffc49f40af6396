"""Newton's method with a line search: the energy never rises."""

from dataclasses import dataclass, field
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

ARMIJO = 1e-4  # of the fall that the slope promises, the part that must come true
SHORTEST_STEP = 2.0**-30  # part of a step that is still tried
TRUSTED = 0.3  # steps that became shorter by such a factor will go on to do so
ROUNDING = 1e-13  # of the energy: a promise of less cannot be told from rounding


def dot(a: Array, b: Array) -> float:
    """The sum of products. BLAS would wake its threads for it, which cost more than they bring."""
    return float(np.einsum("i,i->", a, b))


class Problem(Protocol):
    """What is minimised. It may have unknowns of its own beside x, which it moves along with it."""

    def expand(self, x: Array) -> tuple[float, Array]:
        """Energy and gradient at x; the Hessian is kept for `direction`."""

    def direction(self, gradient: Array, again: bool = False) -> tuple[Array, float]:
        """The Newton step and the slope of the energy along it; `again`: the last factors may be used once more."""

    def attempt(self, x: Array, part: float) -> float:
        """The energy at x, which is this part of the step away."""

    def accept(self) -> None:
        """The last attempt becomes the present."""


@dataclass(frozen=True, eq=False)
class Outcome:
    """x, and how it was found: energies (J) before the first and after each iteration, never rising; residual (m): how
    far a particle may still be from its place; converged: that is below the tolerance."""

    x: Array
    iterations: int
    converged: bool
    energies: list[float] = field(default_factory=list)
    residual: float = np.inf


def minimise(
    problem: Problem, x: Array, tolerance: float, most_iterations: int = 50, near: float = 0.0
) -> Outcome:
    """From x downhill until every particle is within the tolerance (m) of its place. After a step in which none went
    farther than `near` (m), the Hessian is hardly another: its factors are used once more, unless they lead uphill.

    The way that is left is told from the last two steps: if they became shorter by a factor q, all further ones are
    together q / (1 - q) of the last."""
    x = x.copy()
    energies: list[float] = []
    residual = before = np.inf
    again = False
    for iteration in range(most_iterations):
        energy, gradient = problem.expand(x)
        if not energies:
            energies.append(energy)
        if not np.isfinite(energy):
            return Outcome(x, iteration, False, energies, np.inf)
        step, slope = problem.direction(gradient, again)
        if again and not slope < 0.0:
            again = False
            step, slope = problem.direction(gradient)
        longest = float(np.abs(step).max(initial=0.0))
        if not np.isfinite(longest):
            return Outcome(x, iteration, False, energies, np.inf)
        if longest == 0.0:
            return Outcome(x, iteration, True, energies, 0.0)
        part = 1.0
        while True:
            trial = x + part * step
            reached = problem.attempt(trial, part)
            if reached <= energy + ARMIJO * part * slope:
                break
            if again:
                again = False
                step, slope = problem.direction(gradient)
                longest = float(np.abs(step).max(initial=0.0))
                continue
            if -slope <= ROUNDING * abs(energy):  # as low as rounding lets one see
                if reached <= energy:
                    break
                return Outcome(x, iteration, True, energies, longest)
            part /= 2
            if part < SHORTEST_STEP:
                return Outcome(x, iteration, longest < tolerance, energies, longest)
        x = trial
        problem.accept()
        energies.append(reached)
        ratio = longest / before if part == 1.0 and np.isfinite(before) else 1.0
        residual = part * longest * (ratio / (1.0 - ratio) if ratio < TRUSTED else 1.0)
        before = longest if part == 1.0 else np.inf
        again = part == 1.0 and longest < near
        if residual < tolerance and part == 1.0:
            return Outcome(x, iteration + 1, True, energies, residual)
    return Outcome(x, most_iterations, False, energies, residual)
