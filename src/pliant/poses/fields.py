"""A shape from how each ring of it is deformed: the positions whose neighbours stand to one another as wished.

    minimise  sum over rings i, members j   |(x_j - x_i) - F_i (X_j - X_i)|^2

with F_i wished for each particle. It serves every kind of body: rings are in solids, shells and rods."""

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_array, csc_array, diags_array
from scipy.sparse.linalg import splu

from pliant.body import Body
from pliant.body.examples import aligned
from pliant.geometry.regions import Regions, regions

Array = NDArray[np.float64]

ANCHOR = 1e-9  # of the mean diagonal: pieces keep their middle, and nothing else feels it


class RingFields:
    """The rings of a body, and a solver that is factored once for all wishes."""

    def __init__(self, body: Body) -> None:
        self._body = body
        self.parts: Regions = regions(body.rest, body.masses, body.elements, body.kind)
        owners = np.repeat(np.arange(len(body.rest)), np.diff(self.parts.starts))
        others = owners != self.parts.members
        self._i, self._j = owners[others], self.parts.members[others].astype(np.int64)
        self._steps = body.rest[self._j] - body.rest[self._i]
        self._weights = 1.0 / np.maximum(np.square(self._steps).sum(axis=1), 1e-300)
        self._weights *= self.parts.effective[self._j]
        count = len(body.rest)
        rows = np.concatenate([self._i, self._j, self._i, self._j])
        columns = np.concatenate([self._i, self._j, self._j, self._i])
        w = self._weights
        laplacian = coo_array((np.concatenate([w, w, -w, -w]), (rows, columns)), shape=(count, count))
        self._anchor = ANCHOR * float(laplacian.diagonal().mean())
        self._factor = splu(csc_array(laplacian + self._anchor * diags_array(np.ones(count))))

    def shape(self, wishes: Array, stays: NDArray[np.bool_] | None = None) -> Array:
        """Positions (V, 3) for wished gradients F (V, 3, 3), laid over the rest shape, or over what of it `stays`."""
        rest = self._body.rest
        moves = self._weights[:, None] * np.einsum("eij,ej->ei", wishes[self._i], self._steps)
        right = self._anchor * rest
        np.add.at(right, self._j, moves)
        np.subtract.at(right, self._i, moves)
        masses = self._body.masses if stays is None or not stays.any() else self._body.masses * stays
        return aligned(self._factor.solve(right), rest, masses)
