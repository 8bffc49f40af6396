"""The blend as a real shape: x_w = Pi(w) exactly, so only x and w are unknown.                  [Martin+11] (4) (7) (9)

It is what the penalty form tends to for a strict penalty, without its stiffness. By w_k, x_w moves along
dPi/dw_k = Hess_I^-1 a_k (elastic/blending.py), so with y = Hess_I^-1 dW/dx_w the slopes of all weights are a_k . y: one
solve, however many poses there are. Columns of dPi/dw are made only for weights that may move."""

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from pliant.elastic.columns import Columns
from pliant.elastic.kernels import gather
from pliant.models.fem.manifold.attraction import (
    ATTRACTION_ROW,
    attraction_couplings,
    attraction_energy,
    attraction_terms,
)
from pliant.models.fem.manifold.form import Described, Form

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
        self._moves = np.empty((0, 3 * elements.count))  # of x_w, by each of the weights that may move
        self._tried_shape = self.shape
        self._begun = False  # whether this step has a factor of the blend

    def start(self, memory: Array) -> None:
        self.weighing.start()
        none = np.zeros(len(self.columns.sets))
        shape, _ = self.blending.travel(self.elements.rest.reshape(-1), none, self.weighing.now)
        memory[: len(none)], memory[len(none) :] = self.weighing.now, shape

    def begin(self, memory: Array, x: Array) -> None:
        count = len(self.columns.sets)
        self._begun = False
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

    def describe(self) -> Described:
        size, count = 3 * self.elements.count, len(self.columns.sets)
        self._moves = np.empty((0, size))
        if not self.weighing.free.any():
            return Described(np.zeros(count), np.empty(0, np.int64), np.empty((0, 0)), self._moves)
        pull = np.empty(size)
        elements, blending = self.elements, self.blending
        gather(self._pulls, elements.corner_starts, elements.corners, 0, elements.count, pull)
        if self._begun:
            blending.near(self.shape, blending.target(self.weighing.now))
        else:
            blending.factor(self.shape, blending.target(self.weighing.now))
        self._begun = True
        slopes = blending.works(self.shape, blending.solve(pull))
        chosen = self.weighing.choose(slopes)
        self._moves = blending.moves(self.shape, chosen)
        mixed, gram = np.empty((len(chosen), size)), np.empty((len(chosen), len(chosen)))
        attraction_couplings(
            self._mesh[0], self.shear, self.bulk, self._kept, self._moves.reshape(-1), mixed.reshape(-1),
            gram.reshape(-1), np.empty(9 + 18 * len(chosen)),
        )  # fmt: skip
        return Described(slopes, chosen, gram, mixed)

    def aim(self, weights: Array, part: float) -> bool:
        self._tried_shape = self.shape
        if not self._step.any():
            return True
        target = self.blending.target(weights)
        ahead = self.shape + part * (self._step[self._seen.chosen] @ self._moves)
        shape, found = self.blending.follow(ahead, target)
        if not found and np.isfinite(self.blending.energy(ahead, target)[0]):
            shape, found = self.blending.realise(ahead, target)
        self._tried_shape = shape if found else self.shape
        return found

    def energy(self, x: Array) -> float:
        return attraction_energy(*self._mesh, self.shear, self.bulk, self._tried_shape, x, self._room)

    def accept(self) -> None:
        super().accept()
        self.shape = self._tried_shape
