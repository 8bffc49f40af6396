"""Statics: the shape in which a body is at rest under pins, handles and weight.                     [Martin+11] (7)"""

import numpy as np
from numpy.typing import NDArray

from pliant.elastic.assembly import make_pattern
from pliant.elastic.conjugate import Conjugate
from pliant.elastic.factor import Factor
from pliant.elastic.newton import Outcome, minimise
from pliant.elastic.objective import EXACT, HESSIAN, Companion, Direct, Objective, Potential
from pliant.elastic.springs import Springs

Array = NDArray[np.float64]
SHIFT = 1e-10  # of the diagonal: a body that may still move as a whole has no stiffness against it
EXACT_FROM = 0.01  # of the size: from here on the exact Hessian is tried
MOST_UNKNOWNS = 100_000  # unknowns: more do not fit as factors


class Statics(Objective):
    """Near the solution the exact Hessian is used, which ends in few iterations, unless it is not positive there."""

    def __init__(self, *args: object, near: float, **options: object) -> None:
        super().__init__(*args, **options)  # type: ignore[arg-type]
        self.near = near
        self._x = np.zeros(0)

    def expand(self, x: Array) -> tuple[float, Array]:
        self._x = x
        return super().expand(x)

    def direction(self, gradient: Array, again: bool = False) -> tuple[Array, float]:
        step, slope = super().direction(gradient)
        # with a companion the whole may point uphill although its part in x is positive
        down = isinstance(self.linear, Direct) and self.linear.factor.is_positive() and slope < 0.0
        if self.level == EXACT and not down:
            self.level = HESSIAN
            super().expand(self._x)
            step, slope = super().direction(gradient)
        elif float(np.abs(step).max()) < self.near and isinstance(self.linear, Direct):
            self.level = EXACT  # from the next iteration on
        return step, slope


def settle_statically(
    potential: Potential,
    start: Array,
    *,
    fixed: NDArray[np.int64] | None = None,
    springs: Springs | None = None,
    force: Array | None = None,
    companion: Companion | None = None,
    tolerance: float = 1e-8,
    most_iterations: int = 200,
) -> Outcome:
    """From `start` (3 V,) to the nearest shape at rest: fixed unknowns (3 V,) stay, springs pull, forces (3 V,) push,
    until no particle moves farther than `tolerance` sizes of the body."""
    springs = Springs.none() if springs is None else springs
    pattern = make_pattern(potential.elements, [springs.particles] if len(springs) else [])
    large = pattern.size > MOST_UNKNOWNS
    linear = Conjugate(pattern, 1e-6) if large else Direct(pattern, Factor(pattern))
    size = float(np.linalg.norm(np.ptp(potential.elements.rest, axis=0)))
    problem = Statics(
        potential,
        linear,
        fixed=fixed,
        springs=springs,
        force=force,
        companion=companion,
        shift=SHIFT,
        near=EXACT_FROM * size,
    )
    return minimise(problem, start, tolerance * size, most_iterations)
