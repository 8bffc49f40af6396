"""Conjugate gradients without a matrix, for bodies whose factors would be too large. The blocks of the tets are applied
one by one and gathered at the particles; the preconditioner is the inverse of each particle's own 3x3 block."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from pliant.elastic.assembly import Pattern
from pliant.elastic.kernels import FORCE, diagonal_blocks, gather, stretch_blocks
from pliant.elastic.newton import dot
from pliant.elastic.objective import Objective
from pliant.runtime.thread_pool import ThreadPool

Array = NDArray[np.float64]
# of the right-hand side: what is left of it when the iterations end. Newton's method mends the rest in its next one; a
# companion builds on the answers
ENOUGH, EXACTLY = 1e-2, 1e-6
MOST_ITERATIONS = 2000


class Conjugate:
    """Solves with the Hessian of an objective. Sums are made in the same order in any number of threads."""

    lasting = False

    def __init__(self, pattern: Pattern, enough: float | None = None) -> None:
        self.pattern, self.enough = pattern, enough
        self.iterations = 0  # of the last solve
        self._crew = ThreadPool(1)
        self._objective: Objective
        self._inverse: Array = np.zeros((0, 3, 3))

    def using(self, pool: Any) -> "Conjugate":
        """With these threads."""
        self._crew = pool
        return self

    def take(self, objective: Objective) -> None:
        self._objective = objective
        elements, blocks = objective.potential.elements, objective.potential.blocks
        diagonal = np.empty(9 * elements.count)
        self._crew.share_out(
            lambda first, last, _piece: diagonal_blocks(
                blocks, elements.corner_starts, elements.corners, first, last, diagonal
            ),
            elements.count,
        )
        whole = diagonal.reshape(-1, 3, 3)
        self._plain = np.zeros(elements.count) if objective.inertia is None else objective.inertia.copy()
        mean = float(np.einsum("vii->", whole) / (3 * elements.count) + self._plain.mean())
        self._plain += objective.shift * mean
        added = self._plain + 1e-14 * mean
        if objective.springs is not None:
            added = added + objective.springs.diagonal(elements.count)
        whole[:, [0, 1, 2], [0, 1, 2]] += added[:, None]
        self._inverse = np.linalg.inv(whole).astype(np.float64, copy=False)
        self._free = objective.fixed == 0
        self._forces = np.empty(FORCE * len(elements.tets))

    def product(self, v: Array) -> Array:
        """H v."""
        objective = self._objective
        elements, blocks, forces = objective.potential.elements, objective.potential.blocks, self._forces
        tets, out = elements.tets.reshape(-1), np.empty_like(v)
        self._crew.share_out(
            lambda first, last, _piece: stretch_blocks(blocks, tets, v, first, last, forces), len(elements.tets)
        )
        self._crew.share_out(
            lambda first, last, _piece: gather(
                forces, elements.corner_starts, elements.corners, first, last, out
            ),
            elements.count,
        )
        out += np.repeat(self._plain, 3) * v
        if objective.springs is not None:
            objective.springs.add_product(v, out)
        return np.where(self._free, out, 0.0)

    def solve(self, right: Array) -> Array:
        """H^-1 right for one (3 V,) or several (3 V, k) right-hand sides."""
        if right.ndim == 2:
            return np.stack([self.solve(np.ascontiguousarray(column)) for column in right.T], axis=1)
        x = np.zeros_like(right)
        r = np.where(self._free, right, 0.0)
        enough = self.enough or (ENOUGH if self._objective.companion is None else EXACTLY)
        square = enough * enough * dot(r, r)
        z = self._smooth(r)
        d = z.copy()
        fall = dot(r, z)
        for count in range(1, MOST_ITERATIONS + 1):
            self.iterations = count
            if fall <= 0.0:
                break
            hd = self.product(d)
            part = fall / dot(d, hd)
            x += part * d
            r -= part * hd
            if dot(r, r) <= square:
                break
            z = self._smooth(r)
            fall, before = dot(r, z), fall
            d *= fall / before
            d += z
        return x

    def _smooth(self, r: Array) -> Array:
        z = np.einsum("vij,vj->vi", self._inverse, r.reshape(-1, 3)).reshape(-1)
        return np.where(self._free, z, 0.0)

    def values(self) -> Array:
        """The upper triangle after all, for those who ask for it."""
        values = self.pattern.values()
        self._objective.fill(values)
        return values
