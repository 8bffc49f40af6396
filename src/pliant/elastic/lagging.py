"""Solving with the matrix of now by the factor of an earlier one: in a large solid a factor takes as long as a dozen
solves with it, and the matrix of a deformed body is much like what it was an iteration ago.

Conjugate gradients, with the old factor as their preconditioner, for all right-hand sides at once. What they do not
reach in as many rounds as a factor is worth, a new factor does. Rejected: to keep a factor from one step to the next.
It saves one more, but then a step would depend on how the last was solved, and a run that is resumed give other
bits."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from pliant.elastic.assembly import Pattern
from pliant.elastic.factor import Factor

Array = NDArray[np.float64]
FEWEST_ROUNDS = 4  # where a factor is worth fewer, one is made each time: a dozen thousand unknowns

TRIAL = 3  # rounds that tell whether the rest will do


class Lagging:
    """The matrix whose numbers were taken last (upper triangle, by columns). enough: what may be left of a right-hand
    side, in the measure of the preconditioner."""

    def __init__(self, pattern: Pattern, factor: Factor, enough: float, rounds: int | None = None) -> None:
        self.pattern, self.factor, self.enough = pattern, factor, enough
        self._rounds = rounds
        self._values = pattern.values()
        self._fresh = False  # whether the factor is that of the values
        self.made = self.spent = 0  # factors, and rounds of conjugate gradients, so far

    @property
    def rounds(self) -> int:
        """How many a factor is worth; none where factors are cheap."""
        worth = self.factor.worth() if self._rounds is None else self._rounds
        return worth if worth >= FEWEST_ROUNDS else 0

    def take(self, values: Array, new: bool) -> None:
        """Other numbers of the same pattern, which stay the caller's; new: nothing is known of what was before."""
        self._values, self._fresh = values, False
        if new or not self.rounds:
            self.refactor()

    def refactor(self) -> None:
        """A factor of the numbers as they are now."""
        self.factor.refactor(self._values)
        self._fresh = True
        self.made += 1

    def solve(self, right: Array, smooth: Callable[[Array], Array] | None = None) -> Array:
        """A^-1 right for one (3 V,) or several (3 V, k) right-hand sides. smooth: the preconditioner (3 V, k), if it is
        not the factor alone."""
        if not self._fresh:
            x = self._conjugate(right.reshape(len(right), -1), smooth or self.factor.solve)
            if x is not None:
                return x.reshape(right.shape)
            self.refactor()
        return self.factor.solve(right)

    def _conjugate(self, right: Array, smooth: Callable[[Array], Array]) -> Array | None:
        """None if that takes too many rounds, or if the matrix is not positive along the way."""
        upper = self.pattern.matrix(self._values)
        lower, diagonal = upper.T, self._values[self.pattern.pointers[1:] - 1][:, None]
        x, r = np.zeros_like(right), right.copy()
        z = smooth(r)
        d, fall = z.copy(), _dots(r, z)
        first, least = fall, self.enough**2 * fall
        for count in range(self.rounds):
            open_ = fall > least
            if not open_.any():
                return x
            if count == TRIAL and not _in_time(first[open_], fall[open_], least[open_], self.rounds / TRIAL):
                return None
            self.spent += 1
            q = upper @ d + lower @ d - diagonal * d
            along = _dots(d, q)
            if not (along[open_] > 0.0).all():
                return None
            part = np.where(open_, fall / np.where(open_, along, 1.0), 0.0)
            x += part * d
            r -= part * q
            z = smooth(r)
            fall, before = _dots(r, z), fall
            d = z + fall / np.where(before > 0.0, before, 1.0) * d
        return None if (fall > least).any() else x


def _in_time(first: Array, now: Array, least: Array, times: float) -> bool:
    """Whether what fell from `first` to `now` will be at the least after so many times as long."""
    return bool((first * (now / first) ** times <= least).all())


def _dots(a: Array, b: Array) -> Array:
    return np.einsum("nk,nk->k", a, b)
