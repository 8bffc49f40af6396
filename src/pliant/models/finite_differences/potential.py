"""Energy and gradient of an actor's metric, curvature and handles, and the matrix at its last evaluation."""

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from pliant.models.finite_differences.kernels import change, describe, differences, gather, spread, turn
from pliant.models.finite_differences.prepare import Player
from pliant.models.mass_spring.kernels import weigh

Array = NDArray[np.float64]
NOTHING = np.zeros(0)  # of the weights stays
LEAST = 1e-9  # a weight that is smaller is at its bound and stays there as the body moves


@dataclass(eq=False)
class Potential:
    """Of one actor in one step. weights (G K,), and the rest, are those of the last evaluation."""

    player: Player
    weights: Array
    energy: float = 0.0  # J
    _follow: list[tuple[NDArray[np.bool_], Array, Array]] = field(default_factory=list)

    def __post_init__(self) -> None:
        metric = self.player.metric
        self._stencils = metric.starts, metric.particles, metric.coefficients
        self._items = self.player.indices, self.player.counts
        self.u, self.values = np.empty(3 * (len(metric.starts) - 1)), np.empty(len(self.player.rest))
        self.slopes = np.empty(9 * len(metric.bends) + 3 * len(metric.bows))
        self.goals, self.pulls = np.empty_like(self.values), np.empty_like(self.values)

    def evaluate(self, x: Array) -> tuple[float, Array]:
        """J, and N (3 V,) at x (3 V,)."""
        player, examples = self.player, self.player.examples
        differences(*self._stencils, x, self.u)
        describe(self.u, *self._items, self.values, self.slopes)
        energy = weigh(
            self.values, player.stiffness, player.rest, examples.change.reshape(-1), examples.group_of,
            examples.grams.reshape(-1), player.given, player.settings.example_strength, NOTHING, self.weights,
            self.goals,
        )  # fmt: skip
        off = self.values - self.goals
        np.multiply(player.stiffness, off, out=self.pulls)
        energy += 0.5 * float(self.pulls @ off)
        moved, gradient = np.zeros_like(self.u), np.zeros(len(x))
        spread(self.u, *self._items, self.slopes, self.pulls, moved)
        gather(*self._stencils, moved, gradient)
        if len(player.held):
            energy += player.held.energy(x)
            player.held.add_gradient(x, gradient)
        self.energy = energy
        self._follow = self._followers()
        return energy, gradient

    def add_product(self, v: Array, out: Array) -> None:
        """out += H v (3 V,), the Hessian at the last evaluation made positive semidefinite: k dD dD^T less what the
        weights take over as they follow, and what tensions do."""
        player = self.player
        du, moved = np.empty_like(self.u), np.zeros_like(self.u)
        differences(*self._stencils, v, du)
        pulls = np.empty_like(self.values)
        change(self.u, *self._items, self.slopes, du, pulls)
        pulls *= player.stiffness
        for mine, columns, inverse in self._follow:
            pulls[mine] -= player.stiffness[mine] * ((inverse @ (columns @ pulls[mine])) @ columns)
        spread(self.u, *self._items, self.slopes, pulls, moved)
        turn(*self._items, self.slopes, player.stiffness, self.values, self.pulls, du, moved)
        gather(*self._stencils, moved, out)
        if len(player.held):
            player.held.add_product(v, out)

    def _followers(self) -> list[tuple[NDArray[np.bool_], Array, Array]]:
        """For each group of weights that are within their bounds: its numbers, their columns, and how far the weights
        go for a unit of what draws them, S = Z (Z^T G Z / beta)^-1 Z^T on the face that they are on."""
        player, examples = self.player, self.player.examples
        beta = player.settings.example_strength
        if beta == 0.0 or not len(player.given):
            return []
        found = []
        for group, w in enumerate(self.weights.reshape(-1, len(player.given))):
            gram = examples.grams[group]
            free = np.flatnonzero((player.given < 0.0) & (gram.diagonal() > 0.0) & (w > LEAST))
            if not len(free):
                continue
            face = np.eye(len(free))
            if w.sum() > 1.0 - LEAST:  # rest has no part in it: what one gains the others lose
                face = face[:, :-1] - face[:, -1:]
            inner = face.T @ gram[np.ix_(free, free)] @ face
            mine = examples.group_of == group
            if inner.size:
                follow = beta * face @ np.linalg.pinv(inner, rcond=1e-10, hermitian=True) @ face.T
                found.append((mine, examples.change[np.ix_(free, mine)], follow))
        return found
