"""Sparse direct solution of the symmetric systems of a mesh: order and structure once, numbers in each step.

Measured on one core, lattice bars of 975, 5103 and 10647 unknowns: factors made again, and a solve, in ms:

    fronts      0.8 / 0.12      26 / 1.5      143 / 9       nested dissection, dense fronts (multifrontal.py)
    qdldl       0.9 / 0.08      54 / 1.4                    minimum degree, by columns
    cholespy    3.0 / 0.13     150 / 5                      begins anew each time
    SuperLU     8   / 0.3      133 / 3                      begins anew each time

The factors of minimum degree are smaller, which counts as long as they fit into the cache beside everything else: in a
step of the smallest bar qdldl takes 1.1 ms and fronts take 1.7. So small systems go to qdldl, all others to fronts."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from pliant.elastic.assembly import Pattern
from pliant.elastic.fronts import make_fronts
from pliant.elastic.multifrontal import HEAD, PACKED_WEIGHTS, factorise, substitute
from pliant.elastic.pardiso import ByPardiso
from pliant.elastic.substitution import substitute_four

Array = NDArray[np.float64]
SMALL_SYSTEM = 2000  # unknowns
PRODUCTS_A_NUMBER = 80  # of a factor that take as long as one number of L in a solve, which has to be fetched


class Factor:
    """A matrix of a pattern, made ready to be solved with. `refactor` with other numbers of the same pattern."""

    def __init__(self, pattern: Pattern, small: int = SMALL_SYSTEM, pardiso: bool = False) -> None:
        self.pattern, self._small = pattern, small
        self._way: ByColumns | ByFronts | ByPardiso | None = ByPardiso(pattern) if pardiso else None

    def refactor(self, values: Array) -> None:
        """Take other numbers (of the upper triangle, by columns)."""
        if self._way is None:
            self._way = ByColumns(self.pattern) if self.pattern.size <= self._small else ByFronts(self.pattern)
        self._way.refactor(values)

    def solve(self, right: Array) -> Array:
        """A^-1 right for one (3 V,) or several (3 V, k) right-hand sides."""
        assert self._way is not None
        if right.ndim == 2:
            return self._way.solve_several(right)
        return self._way.solve(right)

    def worth(self) -> int:
        """For how many solves one could make a factor, of fronts; 0 for other ways, or if there is none so far."""
        return self._way.worth() if isinstance(self._way, ByFronts) else 0

    def is_positive(self) -> bool:
        """Whether the matrix is positive definite: no pivot is at or below zero."""
        assert self._way is not None
        return self._way.is_positive()


class ByColumns:
    """With qdldl."""

    def __init__(self, pattern: Pattern) -> None:
        self._pattern = pattern
        self._solver: Any = None
        self._matrix: Any = None

    def refactor(self, values: Array) -> None:
        import qdldl

        if self._solver is None:
            self._matrix = self._pattern.matrix(values)
            self._solver = qdldl.Solver(self._matrix, upper=True)
        else:
            self._matrix.data = values  # a new matrix would be looked through, which takes as long as a solve
            self._solver.update(self._matrix, upper=True)

    def solve(self, right: Array) -> Array:
        return self._solver.solve(right)

    def solve_several(self, right: Array) -> Array:
        return np.stack([self._solver.solve(np.ascontiguousarray(column)) for column in right.T], axis=1)

    def is_positive(self) -> bool:
        return bool((np.asarray(self._solver.factors()[1]) > 0).all())


class ByFronts:
    """With our own kernels, which leave the interpreter to other threads meanwhile."""

    def __init__(self, pattern: Pattern) -> None:
        self._fronts = make_fronts(pattern)
        lower, stack, rest = self._fronts.sizes
        self._lower, self._stack, self._rest = np.empty(lower), np.empty(stack), np.empty(rest)
        self._diagonal, self._work = np.empty(pattern.size), np.empty(self._fronts.width)
        self._weights = np.empty(PACKED_WEIGHTS)
        self._wrong = 0

    def worth(self) -> int:
        """The products of all fronts over the numbers of L."""
        n, c = self._fronts.heads.reshape(-1, HEAD)[:, :2].T.astype(float)
        products = (n**3 - (n - c) ** 3).sum() / 3.0
        return int(products / (PRODUCTS_A_NUMBER * len(self._lower)))

    def refactor(self, values: Array) -> None:
        f = self._fronts
        self._wrong = factorise(
            f.heads, f.children, f.maps, f.map_starts, f.places, values,
            self._lower, self._diagonal, self._stack, self._rest, self._weights,
        )  # fmt: skip

    def solve(self, right: Array) -> Array:
        x = np.array(right, dtype=np.float64)
        substitute(self._fronts.heads, self._fronts.unknowns, self._lower, self._diagonal, self._work, x)
        return x

    def solve_several(self, right: Array) -> Array:
        f = self._fronts
        solved = np.empty(right.shape)
        four, work = np.zeros((len(right), 4)), np.empty(4 * f.width)
        for first in range(0, right.shape[1], 4):
            columns = right[:, first : first + 4]
            four[:, : columns.shape[1]] = columns
            four[:, columns.shape[1] :] = 0.0
            substitute_four(f.heads, f.unknowns, self._lower, self._diagonal, work, four.reshape(-1))
            solved[:, first : first + 4] = four[:, : columns.shape[1]]
        return solved

    def is_positive(self) -> bool:
        return self._wrong == 0
