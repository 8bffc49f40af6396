"""Energy and gradient of an actor's springs, dampers and handles: what every integrator asks for."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pliant.models.mass_spring.kernels import describe, product, pull, resist, weigh
from pliant.models.mass_spring.prepare import Player, arrays, described

Array = NDArray[np.float64]


@dataclass(eq=False)
class Potential:
    """Of one actor in one step. weights (G K,), and the player's goals, are those of the last evaluation. rate:
    damping over the length of the step; begin: where the step began (3 V,)."""

    player: Player
    weights: Array
    rate: float
    begin: Array

    def __post_init__(self) -> None:
        network = self.player.network
        self._arrays = arrays(network)
        self.goals = self.player.goals
        self.values, self.slopes = np.empty_like(self.goals), np.empty(3 * sum(network.sizes) + 9 * network.sizes[2])
        self.along = described(network, self.begin)[1] if self.rate > 0.0 else self.slopes

    def evaluate(self, x: Array) -> tuple[float, Array]:
        """J, and N (3 V,). The local step of [Liu+13] is in it: springs aim at lengths along their directions."""
        player, examples = self.player, self.player.examples
        describe(x, *self._arrays, self.values, self.slopes)
        energy = weigh(
            self.values, player.stiffness, player.rest, examples.change.reshape(-1), examples.group_of,
            examples.grams.reshape(-1), player.given, player.settings.example_strength, player.stays, self.weights,
            self.goals,
        )  # fmt: skip
        gradient = np.zeros(len(x))
        energy += pull(*self._arrays, player.stiffness, self.values, self.goals, self.slopes, gradient)
        if self.rate > 0.0:
            energy += resist(self._arrays[0], self.along, player.stiffness, x - self.begin, self.rate, gradient)
        if len(player.held):
            energy += player.held.energy(x)
            player.held.add_gradient(x, gradient)
        return energy, gradient

    def product(self, v: Array, bends: bool) -> Array:
        """What the Hessian at the last evaluation makes of v (3 V,): of springs, dampers and handles, and of what bends
        where that is wanted. It is positive semidefinite."""
        player = self.player
        out = np.zeros(len(v))
        product(
            *self._arrays, player.stiffness, self.values, self.goals, self.slopes, v, self.rate, int(bends), out
        )  # fmt: skip
        if len(player.held):
            player.held.add_product(v, out)
        return out

    def drag(self, v: Array, damping: float, gradient: Array) -> None:
        """Adds what dampers do at the last evaluation to particles of velocity v (3 V,), by their directions there."""
        resist(self._arrays[0], self.slopes, self.player.stiffness, v, damping, gradient)
