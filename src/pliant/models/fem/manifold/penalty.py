"""The method as it is printed: x, x_w and w are unknown together.                                  [Martin+11] (5) (9)

    W_p = W(x_w, x) + gamma sum_i |r_i|^2 / V_i,     r = grad W_I(x_w, w),  V_i a particle's share of the volume

Gauss-Newton for the second term: r changes by Hess_I dx_w - sum a_k dw_k. So that the answer does not depend on scale,
stiffness or mesh, gamma = 100 alpha mu / lambda_1 with lambda_1 the smallest non-zero eigenvalue of Hess_I at rest
against V_i. Weights have hard bounds: the printed penalty on them lets w = 1.35 through."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pliant.elastic.columns import Columns
from pliant.elastic.factor import Factor
from pliant.elastic.kernels import gather
from pliant.models.fem.manifold import System
from pliant.models.fem.manifold.attraction import attraction_energy, attraction_terms
from pliant.models.fem.manifold.coupled import Coupled
from pliant.models.fem.manifold.coupled_kernels import add_couplings, add_square
from pliant.models.fem.manifold.form import Described
from pliant.models.fem.manifold.realised import Realised

Array = NDArray[np.float64]
STRICT = 100.0
SHIFT = 1e-10  # of the largest number on the diagonal: holds the rigid motion of x_w


class Penalty(Realised):
    lasting = False  # all unknowns are in one matrix

    def __init__(
        self, columns: Columns, shear: Array, bulk: Array, stiffness: float, forced: Mapping[str, float]
    ) -> None:
        super().__init__(columns, shear, bulk, stiffness, forced)
        elements = columns.elements
        share = np.repeat(elements.volumes / 4, 4)
        self._over = np.repeat(1.0 / np.bincount(elements.tets.reshape(-1), share, minlength=elements.count), 3)
        mean = float((shear * elements.volumes).sum() / elements.volumes.sum())
        self._unit_gamma = STRICT * mean / self._lowest()
        self.coupled = Coupled(elements, self.blending.pattern)
        self._own_blocks = np.zeros(54 * len(elements.tets))
        self._work = np.zeros(3 * elements.count)
        self._move = np.zeros(3 * elements.count)  # of x_w, an unknown beside x here
        self._matrix = _Matrix()
        self._energy = 0.0

    @property
    def gamma(self) -> float:
        return self.stiffness * self._unit_gamma

    def _lowest(self) -> float:
        """lambda_1: beyond the six rigid motions, which cost nothing."""
        from scipy.sparse import diags
        from scipy.sparse.linalg import LinearOperator, eigsh

        blending, size = self.blending, 3 * self.elements.count
        blending.factor(self.elements.rest.reshape(-1).copy(), blending.target(np.zeros(len(self.columns.sets))))
        inverse = LinearOperator((size, size), matvec=lambda b: blending.solve(np.ascontiguousarray(b).reshape(-1)))
        upper = blending.pattern.matrix(blending.values)
        hessian = upper + upper.T - diags(upper.diagonal())
        start = np.random.default_rng(0).normal(size=size)
        found = eigsh(
            hessian, k=min(8, size - 1), M=diags(1.0 / self._over), sigma=0.0, OPinv=inverse, v0=start,
            return_eigenvectors=False,
        )  # fmt: skip
        found = np.sort(found)
        return float(found[found > 1e-6 * found[-1]][0])

    def expand(self, x: Array, forces: Array, blocks: Array) -> float:
        self._own_blocks[:] = 0.0
        attraction = attraction_terms(
            *self._mesh, self.shear, self.bulk, self.shape, x, forces, self._pulls, self._own_blocks, self._kept,
            self._room,
        )  # fmt: skip
        blocks += self._own_blocks
        _, gradient = self.blending.assemble(self.shape, self.blending.target(self.weighing.now))
        self._residual = gradient.copy()
        self._energy = attraction + self._penalty(gradient)
        return self._energy

    def describe(self) -> Described:
        """x_w counts among the positions: mixed is (C, 6 V)."""
        blending, gamma, size = self.blending, self.gamma, len(self._over)
        hessian = blending.values[self.coupled.whole_from]
        slopes = -2.0 * gamma * blending.works(self.shape, self._over * self._residual)
        chosen = self.weighing.choose(slopes)
        pulls = blending.pulls(self.shape, chosen)
        mixed = np.zeros((len(chosen), 2 * size))
        for row, own in zip(mixed, pulls, strict=True):
            row[size:] = -2.0 * gamma * self._times(hessian, self._over * own)
        return Described(slopes, chosen, 2.0 * gamma * (pulls * self._over) @ pulls.T, mixed)

    def direction(self, system: System, gradient: Array) -> tuple[Array, float]:
        size, gamma, coupled = len(gradient), self.gamma, self.coupled
        hessian = self.blending.values[coupled.whole_from]
        pull = np.empty(size)
        gather(self._pulls, self.elements.corner_starts, self.elements.corners, 0, self.elements.count, pull)
        pull += 2.0 * gamma * self._times(hessian, self._over * self._residual)
        values = np.zeros(len(coupled.rows))
        add_couplings(
            self._mesh[0],
            coupled.pointers,
            coupled.mixed_starts,
            coupled.own_starts,
            self._own_blocks,
            self._kept,
            values,
        )
        add_square(
            coupled.whole_pointers, coupled.whole_rows, hessian, self._over, coupled.pointers, coupled.rows, size,
            2.0 * gamma, self._work, values,
        )  # fmt: skip
        values[coupled.pointers[1:] - 1] += SHIFT * values[coupled.pointers[1:] - 1].max()
        self._matrix.take(system, coupled, values)
        self._seen = self.describe()
        step, slope = self._bordered(self._matrix, np.concatenate([gradient, pull]), self._seen)
        self._move = step[size:]
        return np.ascontiguousarray(step[:size]), slope

    def attempt(self, x: Array, part: float) -> float:
        weights = self.weighing.now + part * self._step
        target = self.blending.target(weights)
        shape = self.shape + part * self._move
        best = self._total(x, shape, target)
        self._tried, self._tried_shape = weights, shape
        # a step that leaves the manifold: go back to it once or twice before it is refused
        for _ in range(2):
            if not self._energy < best < np.inf:
                break
            _, gradient = self.blending.factor(shape, target, exact=False)
            shape = shape - self.blending.solve(gradient)
            energy = self._total(x, shape, target)
            if energy < best:
                best, self._tried_shape = energy, shape
        if not np.isfinite(best):
            self._tried, self._tried_shape = self.weighing.now, self.shape
        return best

    def _total(self, x: Array, shape: Array, target: Array) -> float:
        energy, gradient = self.blending.energy(shape, target)
        if not np.isfinite(energy):
            return np.inf
        return attraction_energy(*self._mesh, self.shear, self.bulk, shape, x, self._room) + self._penalty(gradient)

    def _penalty(self, residual: Array) -> float:
        return self.gamma * float(residual @ (self._over * residual))

    def _times(self, hessian: Array, vector: Array) -> Array:
        from scipy.sparse import csc_matrix

        coupled = self.coupled
        return csc_matrix((hessian, coupled.whole_rows, coupled.whole_pointers), shape=(len(vector),) * 2) @ vector


class _Matrix:
    """The coupled system, factored: x as the Newton solve has it, and the columns of x_w."""

    def __init__(self) -> None:
        self._factor: Factor
        self._made_for: tuple[Any, ...] = ()
        self.free = np.zeros(0, dtype=bool)

    def take(self, system: System, coupled: Coupled, values: Array) -> None:
        """Factor with these numbers of the columns of x_w."""
        upper = system.matrix()
        self.free = np.concatenate([system.free, np.ones(coupled.size, dtype=bool)])
        values[~self.free[coupled.rows]] = 0.0
        structure = (upper.nnz, upper.indptr.tobytes(), upper.indices.tobytes())
        if structure != self._made_for:
            # two rings make it dense, which is what fronts are for
            self._factor, self._made_for = Factor(coupled.whole_pattern(upper), small=0), structure
        self._factor.refactor(np.concatenate([upper.data, values]))

    def solve(self, right: Array) -> Array:
        return self._factor.solve(np.where(self.free[:, None], right, 0.0))

    def matrix(self) -> Any:
        """Not used with this manifold."""
