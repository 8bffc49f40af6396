"""The fast sibling: no blended shape, the descriptors themselves are blended.

The descriptor of a tet is its Green strain and its volume ratio, D = (E, J): J tells a tet from its mirror image. The
distance from a blend is measured in the metric of the blend (strain_kernels.py), as it is from a real shape. Between
poses a blend of strains belongs to no shape, which would make the weights stick to the poses. So the blend bows:
between rest and pose k it goes through the descriptor of the real shape halfway (elastic/columns.py),

    D(w) = sum_k w_k D_k + sum_k w_0 w_k B_k,     B_k = 4 [ D(Pi(1/2)) - (D_0 + D_k)/2 ],     w_0 = 1 - sum w

The weights are the minimum of a convex quadratic function, with D(w) straight at the present w, and are eliminated from
each Newton iteration together with x (not held while x moves)."""

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from pliant.elastic.blend_kernels import blend_strains
from pliant.elastic.columns import SEVEN, Columns
from pliant.models.fem.manifold.form import Described, Form
from pliant.models.fem.manifold.strain_kernels import (
    STRAIN_ROW,
    products,
    strain_couplings,
    strain_energy,
    strain_terms,
)

Array = NDArray[np.float64]
Ints = NDArray[np.int64]


class Strain(Form):
    def __init__(
        self, columns: Columns, shear: Array, bulk: Array, stiffness: float, forced: Mapping[str, float]
    ) -> None:
        super().__init__(columns, shear, bulk, stiffness, forced)
        tets = len(self.elements.tets)
        self.memory = len(columns.sets)
        self.basis = columns.basis  # (2 K, 7 T)
        self._same_set = columns.sets[:, None] == columns.sets[None, :]
        self._target = np.zeros(SEVEN * tets)
        self._stress, self._kept, self._room = np.zeros(SEVEN * tets), np.zeros(STRAIN_ROW * tets), np.zeros(45)

    def start(self, memory: Array) -> None:
        self.weighing.start()
        memory[:] = self.weighing.now

    def begin(self, memory: Array, x: Array) -> None:
        self.weighing.now = self.weighing.allowed(memory)

    def finish(self, memory: Array) -> None:
        memory[:] = self.weighing.now

    def expand(self, x: Array, forces: Array, blocks: Array) -> float:
        self._blend(self._along(self.weighing.now), self._target)
        return strain_terms(
            *self._mesh, self.shear, self.bulk, x, self._target, forces, blocks, self._stress, self._kept, self._room
        )

    def describe(self) -> Described:
        works = np.empty(len(self.basis))
        products(self.basis.reshape(-1), self._stress, works)
        turns = self._turns()
        slopes = turns @ works
        chosen = self.weighing.choose(slopes)
        fields = np.empty((len(chosen), len(self._target)))
        for row, turn in zip(fields, turns[chosen], strict=True):
            self._blend(turn, row)
        mixed, gram = np.empty((len(chosen), 3 * self.elements.count)), np.empty((len(chosen), len(chosen)))
        strain_couplings(
            self._mesh[0], self.shear, self.bulk, self._kept, fields.reshape(-1), mixed.reshape(-1), gram.reshape(-1),
            np.empty(27 + 10 * len(chosen)),
        )  # fmt: skip
        return Described(slopes, chosen, gram, mixed)

    def aim(self, weights: Array, part: float) -> bool:
        self._blend(self._along(weights), self._target)
        return True

    def energy(self, x: Array) -> float:
        return strain_energy(*self._mesh, self.shear, self.bulk, x, self._target, self._room)

    def _rest(self, weights: Array) -> Array:
        """w_0 of the set of each column."""
        return 1.0 - self._same_set @ weights

    def _along(self, weights: Array) -> Array:
        """(2 K,) how much of the basis makes D(w)."""
        return np.concatenate([weights, self._rest(weights) * weights])

    def _turns(self) -> Array:
        """(K, 2 K) dD/dw_k = D_k + w_0 B_k - sum over its set of w_j B_j, in the basis."""
        now = self.weighing.now
        return np.concatenate([np.eye(len(now)), np.diag(self._rest(now)) - self._same_set * now], axis=1)

    def _blend(self, amounts: Array, out: Array) -> None:
        blend_strains(amounts, self.basis.reshape(-1), len(out), out)
