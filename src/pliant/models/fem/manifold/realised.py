"""The blend as a real shape: x_w = Pi(w) exactly, so only x and w are unknown.                  [Martin+11] (4) (7) (9)

It is what the penalty form tends to for a strict penalty, without its stiffness. By w_k, x_w moves along
dPi/dw_k = Hess_I^-1 a_k (elastic/blending.py), so with y = Hess_I^-1 dW/dx_w the slopes of all weights are a_k . y: one
solve, however many poses there are. Columns of dPi/dw are made only for weights that may move."""

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from pliant.elastic.columns import Columns
from pliant.elastic.kernels import gather
from pliant.models.fem.manifold import System
from pliant.models.fem.manifold.attraction import (
    ATTRACTION_ROW,
    attraction_couplings,
    attraction_energy,
    attraction_terms,
)
from pliant.models.fem.manifold.form import Form

Array = NDArray[np.float64]


class Realised(Form):
    def __init__(
        self, columns: Columns, shear: Array, bulk: Array, stiffness: float, forced: Mapping[str, float]
    ) -> None:
        super().__init__(columns, shear, bulk, stiffness, forced)
        elements = columns.elements
        self.blending = columns.blending()
        self.memory = len(columns.sets) + 3 * elements.count
        tets = len(elements.tets)
        self.shape = elements.rest.reshape(-1).copy()  # x_w
        self._pulls, self._kept, self._room = np.zeros(9 * tets), np.zeros(ATTRACTION_ROW * tets), np.zeros(45)
        self._move = np.zeros(3 * elements.count)  # of x_w, along the step of the weights
        self._tried_shape = self.shape

    def start(self, memory: Array) -> None:
        self.weighing.start()
        none = np.zeros(len(self.columns.sets))
        shape, _ = self.blending.travel(self.elements.rest.reshape(-1), none, self.weighing.now)
        memory[: len(none)], memory[len(none) :] = self.weighing.now, shape

    def begin(self, memory: Array, x: Array) -> None:
        count = len(self.columns.sets)
        before, self.shape = memory[:count].copy(), memory[count:].copy()
        self.weighing.now = self.weighing.allowed(before)
        if (self.weighing.now != before).any():  # other weights are forced than in the last step
            self.shape, arrived = self.blending.travel(self.shape, before, self.weighing.now)
            if not arrived:  # the body itself may be nearer: it is taken along its course
                shape, found = self.blending.realise(x, self.blending.target(self.weighing.now))
                self.shape = shape if found else self.shape

    def finish(self, memory: Array) -> None:
        count = len(self.columns.sets)
        memory[:count], memory[count:] = self.weighing.now, self.shape

    def expand(self, x: Array, forces: Array, blocks: Array) -> float:
        return attraction_terms(
            *self._mesh, self.shear, self.bulk, self.shape, x, forces, self._pulls, blocks, self._kept, self._room
        )  # fmt: skip

    def direction(self, system: System, gradient: Array) -> tuple[Array, float]:
        none = np.empty(0, np.int64)
        if not self.weighing.free.any():
            self._move[:] = 0.0
            return self._bordered(system, gradient, none, np.empty((0, len(gradient))), np.empty((0, 0)))
        pull = np.empty(len(gradient))
        elements, blending = self.elements, self.blending
        gather(self._pulls, elements.corner_starts, elements.corners, 0, elements.count, pull)
        blending.factor(self.shape, blending.target(self.weighing.now))
        self._slopes = blending.works(self.shape, blending.solve(pull))
        chosen = self.weighing.choose(self._slopes)
        moves = blending.moves(self.shape, chosen)
        mixed, gram = np.empty((len(chosen), len(gradient))), np.empty((len(chosen), len(chosen)))
        room = np.empty(9 + 18 * len(chosen))
        attraction_couplings(
            self._mesh[0], self.shear, self.bulk, self._kept, moves.reshape(-1), mixed.reshape(-1), gram.reshape(-1),
            room,
        )  # fmt: skip
        result = self._bordered(system, gradient, chosen, mixed, gram)
        self._move = self._step[chosen] @ moves
        return result

    def attempt(self, x: Array, part: float) -> float:
        self._tried, self._tried_shape = self.weighing.now, self.shape
        if self._step.any():
            weights = self.weighing.now + part * self._step
            target = self.blending.target(weights)
            ahead = self.shape + part * self._move
            shape, found = self.blending.follow(ahead, target)
            if not found and np.isfinite(self.blending.energy(ahead, target)[0]):
                shape, found = self.blending.realise(ahead, target)
            if not found:
                return np.inf
            self._tried, self._tried_shape = weights, shape
        return attraction_energy(*self._mesh, self.shear, self.bulk, self._tried_shape, x, self._room)

    def accept(self) -> None:
        self.weighing.now, self.shape = self._tried, self._tried_shape
