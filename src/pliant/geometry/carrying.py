"""Which tet of a lattice carries each vertex of the surface, asked part by part.

Two legs a hair apart overlap in the lattice: each has its own copy of the cells between them. So a vertex does not
go to the nearest tet; it goes to a tet of its own copy, or of a copy into which the solid runs on from there.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_array, csr_array, eye_array

from pliant.geometry.embedding import locate

Array = NDArray[np.float64]
Indices = NDArray[np.int32]

INSIDE = -1e-10  # a point on a face between two tets is inside both, whatever the rounding says
TRIED_AT_ONCE = 4096  # vertices tried against the tets of a part, which bounds the memory
FAR_OUTSIDE = 0.5  # weight below zero from which on it pays to look one copy further


@dataclass(frozen=True, eq=False)
class Parts:
    """The copies of the cells: homes (K, 2), pairs of a copy and a tet of it; joins (J, 2) of copies between which
    the solid runs on; `count` copies in all."""

    homes: NDArray[np.int64]
    joins: NDArray[np.int64]
    count: int


@dataclass(frozen=True, eq=False)
class Kin:
    """Which particles and surface samples belong together. keys: sorted, particle * copies + copy for each copy that a
    particle has a tet in or next to; copy (S,) of each sample."""

    keys: NDArray[np.int64]
    copies: int
    copy: NDArray[np.int64]

    def related(self, particles: NDArray[np.integer], samples: NDArray[np.integer]) -> NDArray[np.bool_]:
        """Whether each sample lies in or next to a copy that its particle has a tet in."""
        asked = particles.astype(np.int64) * self.copies + self.copy[samples]
        at = np.minimum(np.searchsorted(self.keys, asked), len(self.keys) - 1)
        return self.keys[at] == asked


def kin_of(tets: Indices, parts: Parts, copy: NDArray[np.int64]) -> Kin:
    """Of the particles of `tets`, and of surface samples that lie in copies `copy`."""
    copies = np.repeat(parts.homes[:, 0], 4)
    corners = tets[parts.homes[:, 1]].ravel()
    count = int(tets.max()) + 1
    own = _pairs(np.stack([corners, copies], axis=1), (count, parts.count))
    near = (own @ _steps(parts)).tocoo()
    return Kin(np.unique(near.row.astype(np.int64) * parts.count + near.col), parts.count, copy)


def carriers(
    vertices: Array, copy: NDArray[np.int64], rest: Array, tets: Indices, parts: Parts
) -> tuple[Indices, Array]:
    """The tet that carries each vertex (N,), which lies in copy `copy[n]`, and the weights (N, 4) of its corners.

    It is one that holds the vertex; if there is none, the one whose weights are least below zero.
    """
    middle = rest.mean(axis=0)  # far from the origin digits would be lost
    vertices, rest = vertices - middle, rest - middle
    owned = _pairs(parts.homes, (parts.count, len(tets)))
    step = _steps(parts)
    gradients, constants = _weight_functions(rest, tets)
    order = np.argsort(copy, kind="stable")
    starts = np.searchsorted(copy[order], np.arange(parts.count + 1))
    tet, weights = np.zeros(len(vertices), dtype=np.int32), np.zeros((len(vertices), 4))
    depth = np.full(len(vertices), -np.inf)
    reach, gain = step @ owned, 0.0
    while True:
        for c in np.unique(copy[depth < -FAR_OUTSIDE]).tolist():
            mine = order[starts[c] : starts[c + 1]]
            mine = mine[depth[mine] < -FAR_OUTSIDE]
            near = np.sort(reach.indices[reach.indptr[c] : reach.indptr[c + 1]])
            if len(near) == 0:
                continue
            for first in range(0, len(mine), TRIED_AT_ONCE):
                who = mine[first : first + TRIED_AT_ONCE]
                values = np.einsum("nx,tkx->ntk", vertices[who], gradients[near]) + constants[near]
                lowest = values.min(axis=2)
                best = np.minimum(lowest, INSIDE).argmax(axis=1)  # the first of those inside
                found = lowest[np.arange(len(who)), best]
                better = found > depth[who] + gain
                rows = who[better]
                tet[rows], depth[rows] = near[best[better]], found[better]
                weights[rows] = values[better, best[better]]
        # Once more from a copy further away, if much is gained; and on and on for vertices that have found none.
        known = np.isfinite(depth)
        wider = step @ reach
        if (known.all() and gain > 0) or wider.nnz == reach.nnz:
            break
        reach, gain = wider, FAR_OUTSIDE / 2
    lost = np.flatnonzero(~known)
    if len(lost):  # their part has no tet left
        tet[lost] = locate(vertices[lost], rest, tets).elements
        weights[lost] = np.einsum("nx,nkx->nk", vertices[lost], gradients[tet[lost]]) + constants[tet[lost]]
    return tet, weights


def _steps(parts: Parts) -> csr_array:
    """From each copy to itself and those joined to it."""
    next_to = _pairs(np.concatenate([parts.joins, parts.joins[:, ::-1]]), (parts.count, parts.count))
    return (next_to + eye_array(parts.count, dtype=bool)).tocsr()


def _pairs(pairs: NDArray[np.int64], shape: tuple[int, int]) -> csr_array:
    return coo_array((np.ones(len(pairs), dtype=bool), (pairs[:, 0], pairs[:, 1])), shape=shape).tocsr()


def _weight_functions(rest: Array, tets: Indices) -> tuple[Array, Array]:
    """The weights of a tet's corners as functions of the place: gradients (T, 4, 3) and constants (T, 4)."""
    corner = rest[tets]
    edges = np.stack([corner[:, k] - corner[:, 0] for k in (1, 2, 3)], axis=2)
    inverse = np.linalg.inv(edges)
    gradients = np.concatenate([-inverse.sum(axis=1, keepdims=True), inverse], axis=1)
    constants = -np.einsum("tkx,tx->tk", gradients, corner[:, 0])
    constants[:, 0] += 1.0
    return gradients, constants
