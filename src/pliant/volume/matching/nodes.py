"""A deformation of a surface by nodes on it: each node has a place and a rotation, and carries what is near to it.

y_s = sum of w_sk (R_k (p_s - g_k) + x_k), g_k the node at rest; neighbours keep their shape as far as they can:
sum over edges |x_i - x_j - R_j (g_i - g_j)|^2, as rigid as possible."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from pliant.volume.filling.rotations import nearest_rotations
from pliant.volume.fine import Fine
from pliant.volume.landmarks import across_pieces

Array = NDArray[np.float64]
Numbers = NDArray[np.int64]

CARRYING_NODES = 6  # nodes that carry a point, at most


@dataclass(frozen=True, eq=False)
class Nodes:
    """rest (K, 3) m; ends (E, 2): directed edges, each both ways; slots and weights (N, C): what carries each point."""

    rest: Array
    ends: Numbers
    slots: Numbers
    weights: Array

    def carry(self, points: Array, places: Array, rotations: Array) -> Array:
        """Points (N, 3) at rest when the nodes are at places (K, 3), turned by rotations (K, 3, 3)."""
        arms = points[:, None] - self.rest[self.slots]
        moved = np.einsum("ncij,ncj->nci", rotations[self.slots], arms) + places[self.slots]
        return np.einsum("nc,nci->ni", self.weights, moved)

    def rotations(self, places: Array) -> Array:
        """(K, 3, 3): of each node the rotation nearest to what its neighbours did."""
        i, j = self.ends.T
        moved, rest = places[i] - places[j], self.rest[i] - self.rest[j]
        sums = np.zeros((len(self.rest), 3, 3))
        np.add.at(sums, j, moved[:, :, None] * rest[:, None, :] / np.square(rest).sum(axis=1)[:, None, None])
        return nearest_rotations(sums)

    @property
    def matrix(self) -> csr_array:
        """(N, K): the weights."""
        rows = np.repeat(np.arange(len(self.slots)), self.slots.shape[1])
        return csr_array((self.weights.ravel(), (rows, self.slots.ravel())), shape=(len(self.slots), len(self.rest)))


def nodes_on(surface: Fine, seeds: Numbers) -> Nodes:
    """Nodes at some points of a surface, along which neighbours are found: fingers that touch do not hold together."""
    owner = surface.nearest_of(seeds)[1]
    lost = owner < 0  # a piece without a node of its own goes with the nearest
    places = surface.points[seeds]
    if lost.any():
        from scipy.spatial import cKDTree

        owner[lost] = cKDTree(places).query(surface.points[lost])[1]
    pairs = np.sort(owner[surface.edges.ends], axis=1)
    pairs = np.concatenate([pairs[pairs[:, 0] != pairs[:, 1]], across_pieces(surface, seeds)])
    pairs = np.unique(np.sort(pairs, axis=1), axis=0)
    ends = np.concatenate([pairs, pairs[:, ::-1]])
    around = _neighbours(places, ends)
    choice = around[owner]  # the owner first, then its neighbours
    distance = np.linalg.norm(surface.points[:, None] - places[choice], axis=2)
    distance[:, 1:][choice[:, 1:] == owner[:, None]] = np.inf  # there were fewer neighbours
    order = np.argsort(distance, axis=1, kind="stable")[:, : CARRYING_NODES + 1]
    slots, near = np.take_along_axis(choice, order, axis=1), np.take_along_axis(distance, order, axis=1)
    farthest = np.where(np.isfinite(near), near, 0.0).max(axis=1, keepdims=True)
    reach = np.maximum(np.where(np.isfinite(near[:, -1:]), near[:, -1:], 1.5 * farthest), 1e-12)
    weights = np.square(np.maximum(1 - near[:, :-1] / reach, 0)) + 1e-9
    return Nodes(places, ends, slots[:, :-1], weights / weights.sum(axis=1, keepdims=True))


def _neighbours(places: Array, ends: Numbers) -> Numbers:
    """(K, C): each node and its neighbours, the node itself where there are fewer."""
    count = len(places)
    order = np.argsort(ends[:, 0], kind="stable")
    first, second = ends[order].T
    sizes = np.bincount(first, minlength=count)
    starts = np.concatenate([[0], np.cumsum(sizes)])
    around = np.tile(np.arange(count)[:, None], (1, max(int(sizes.max(initial=0)), CARRYING_NODES) + 2))
    around[first, 1 + np.arange(len(first)) - starts[first]] = second
    return around
