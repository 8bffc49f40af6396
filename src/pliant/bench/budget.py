"""How much is spent on timing: all of it, or as little as shows that everything runs."""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import islice
from typing import TypeVar

T = TypeVar("T")

QUICK_ROUNDS = 2  # rounds or steps of a quick run


@dataclass(frozen=True)
class Budget:
    """What a benchmark may spend. A quick one takes the smallest sizes, a few steps and no time beyond that: its
    numbers say nothing.

    >>> QUICK.seconds(8.0), QUICK.count(300), QUICK.first([4, 8, 16])
    (0.0, 2, [4])
    """

    quick: bool = False

    def seconds(self, usual: float) -> float:
        return 0.0 if self.quick else usual

    def count(self, usual: int, few: int = QUICK_ROUNDS) -> int:
        """Of rounds or steps."""
        return min(usual, few) if self.quick else usual

    def first(self, sizes: Iterable[T], few: int = 1) -> list[T]:
        """Of sizes that rise, the first ones."""
        return list(islice(sizes, few) if self.quick else sizes)

    def instead(self, usual: T, small: T) -> T:
        """A small one instead of the usual one."""
        return small if self.quick else usual


WHOLE, QUICK = Budget(), Budget(quick=True)
