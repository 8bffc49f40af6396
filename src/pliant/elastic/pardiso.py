"""Intel's PARDISO, where the extra [pardiso] is installed: order and structure once, numbers in each step."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from pliant.elastic.assembly import Pattern
from pliant.runtime.errors import SettingsError

Array = NDArray[np.float64]
POSITIVE = 2  # its number for real, symmetric and positive matrices, of which it takes the upper triangle by rows
EVERYTHING, NUMBERS, SOLVE = 12, 22, 33  # its phases


def solver_class() -> Any:
    """What pypardiso offers; says how to get it where it is missing."""
    try:
        from pypardiso import PyPardisoSolver
    except ImportError:
        message = 'solver "pardiso" is not installed; pip install "pliant[pardiso]", or choose "direct"'
        raise SettingsError(message) from None
    return PyPardisoSolver


class ByPardiso:
    """On one thread, so that results are the same everywhere."""

    def __init__(self, pattern: Pattern) -> None:
        self._solver = solver_class()(mtype=POSITIVE)
        self._solver.libmkl.MKL_Set_Num_Threads(1)
        numbered = pattern.matrix(np.arange(1.0, len(pattern.values()) + 1)).tocsr()
        numbered.sort_indices()
        self._order = numbered.data.astype(np.int64) - 1  # from columns to rows
        self._matrix, self._phase = numbered, EVERYTHING

    def refactor(self, values: Array) -> None:
        self._matrix.data = values[self._order]
        self._call(self._phase, np.zeros((len(self._matrix.indptr) - 1, 1)))
        self._phase = NUMBERS

    def solve(self, right: Array) -> Array:
        return self.solve_several(right[:, None])[:, 0]

    def solve_several(self, right: Array) -> Array:
        return np.ascontiguousarray(self._call(SOLVE, np.asfortranarray(right)))

    def is_positive(self) -> bool:
        """Others are refused."""
        return True

    def _call(self, phase: int, right: Array) -> Array:
        self._solver.set_phase(phase)
        solved: Array = self._solver._call_pardiso(self._matrix, right)
        return solved
