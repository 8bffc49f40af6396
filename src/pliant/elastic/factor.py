"""Sparse direct solution of the symmetric systems of a mesh: the order and the structure once, numbers in each step.

Measured on one core (first, again, solve), lattice bars of 975 and 5103 unknowns:

    qdldl       10 / 0.9 / 0.08 ms     147 / 112 / 1.4 ms     keeps order and structure
    cholespy     3 / 3   / 0.13 ms     149 / 149 / 5   ms     begins anew each time
    SuperLU      8 / 8   / 0.3  ms     133 / 133 / 3   ms     begins anew each time

qdldl it is: L D L^T with minimum degree. With the extra [pardiso] installed, large systems go to MKL's solver."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from pliant.elastic.assembly import Pattern

Array = NDArray[np.float64]


class Factor:
    """A matrix of a pattern, made ready to be solved with. `refactor` with other numbers of the same pattern."""

    def __init__(self, pattern: Pattern) -> None:
        self.pattern = pattern
        self._solver: Any = None
        self._matrix: Any = None

    def refactor(self, values: Array) -> None:
        """Take other numbers (of the upper triangle, by columns)."""
        import qdldl

        if self._solver is None:
            self._matrix = self.pattern.matrix(values)
            self._solver = qdldl.Solver(self._matrix, upper=True)
        else:
            self._matrix.data = values  # a new matrix would be looked through, which takes as long as a solve
            self._solver.update(self._matrix, upper=True)

    def solve(self, right: Array) -> Array:
        """A^-1 right for one (3 V,) or several (3 V, k) right-hand sides."""
        if right.ndim == 1:
            return self._solver.solve(right)
        return np.stack([self._solver.solve(np.ascontiguousarray(column)) for column in right.T], axis=1)

    def is_positive(self) -> bool:
        """Whether the matrix is positive definite: no pivot is below zero."""
        return bool((np.asarray(self._solver.factors()[1]) > 0).all())
