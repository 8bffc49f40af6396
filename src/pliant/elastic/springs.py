"""Handles as springs of no length: a point that rides on a few particles is pulled to a place."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pliant.elastic.assembly import Pattern

Array = NDArray[np.float64]
Ints = NDArray[np.int64]


@dataclass(eq=False)
class Springs:
    """N points: particles (N, K), weights (N, K), stiffness (N,) N/m, targets (N, 3) m."""

    particles: Ints
    weights: Array
    stiffness: Array
    targets: Array

    def __post_init__(self) -> None:
        low = np.minimum(self.particles[:, :, None], self.particles[:, None, :])
        high = np.maximum(self.particles[:, :, None], self.particles[:, None, :])
        amounts = self.stiffness[:, None, None] * self.weights[:, :, None] * self.weights[:, None, :]
        slots = self.particles.shape[1]
        upper = np.triu(np.ones((slots, slots), bool)) & (amounts != 0)
        # a pair of different slots that hold the same particle counts there and back
        twice = np.where((low == high) & ~np.eye(slots, dtype=bool), 2.0, 1.0)
        self._low, self._high, self._amounts = low[upper], high[upper], (twice * amounts)[upper]

    @staticmethod
    def none() -> "Springs":
        """No springs."""
        return Springs(np.zeros((0, 4), np.int64), np.zeros((0, 4)), np.zeros(0), np.zeros((0, 3)))

    def __len__(self) -> int:
        return len(self.stiffness)

    def reach(self, x: Array) -> Array:
        """From each target to its point (N, 3), x flat."""
        return np.einsum("nk,nkc->nc", self.weights, x.reshape(-1, 3)[self.particles]) - self.targets

    def energy(self, x: Array) -> float:
        return 0.5 * float(self.stiffness @ (self.reach(x) ** 2).sum(axis=1)) if len(self) else 0.0

    def add_gradient(self, x: Array, gradient: Array) -> None:
        """Add to the gradient (3 V,)."""
        if len(self):
            pulls = (self.stiffness[:, None] * self.reach(x))[:, None, :] * self.weights[:, :, None]
            np.add.at(gradient.reshape(-1, 3), self.particles, pulls)

    def add_product(self, v: Array, out: Array) -> None:
        """Add what their Hessian makes of v (3 V,)."""
        moved = np.einsum("nk,nkc->nc", self.weights, v.reshape(-1, 3)[self.particles])
        pulls = (self.stiffness[:, None] * moved)[:, None, :] * self.weights[:, :, None]
        np.add.at(out.reshape(-1, 3), self.particles, pulls)

    def add_to_matrix(self, pattern: Pattern, values: Array) -> None:
        """Add k w_a w_b to each pair of particles that share a point."""
        if len(self):
            pattern.add_units(self._amounts, self._low, self._high, values)

    def diagonal(self, count: int) -> Array:
        """What they add to the diagonal of each particle (V,)."""
        own = self._low == self._high
        return np.bincount(self._low[own], self._amounts[own], count).astype(np.float64)
