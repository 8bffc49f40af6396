"""A surface cut finer, its new points knowing from which of the old ones they come; and the graph along it."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_array, csr_array, eye_array, vstack
from scipy.sparse.csgraph import connected_components, dijkstra

from pliant.geometry.solid import refined_count, split_faces
from pliant.volume.mending import Edges, edges_of

Array = NDArray[np.float64]
Numbers = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Fine:
    """points (K, 3) and faces (M, 3); mix (K, P): each point as a mean of those that were given."""

    points: Array
    faces: Numbers
    mix: csr_array

    @cached_property
    def edges(self) -> Edges:
        return edges_of(self.faces.astype(np.int32), len(self.points))

    @cached_property
    def graph(self) -> csr_array:
        """Lengths (m) of the edges between points."""
        a, b = self.edges.ends.T
        length = np.maximum(np.linalg.norm(self.points[a] - self.points[b], axis=1), 1e-300)
        count = len(self.points)
        both = coo_array((np.tile(length, 2), (np.concatenate([a, b]), np.concatenate([b, a]))), shape=(count, count))
        return both.tocsr()

    @cached_property
    def pieces(self) -> tuple[int, NDArray[np.int32]]:
        """How many pieces there are, and the piece of each point."""
        return connected_components(self.graph, directed=False)

    @cached_property
    def border(self) -> NDArray[np.bool_]:
        """Points on an open edge."""
        found = np.zeros(len(self.points), dtype=bool)
        found[self.edges.ends[self.edges.uses == 1]] = True
        return found

    def nearest_of(self, seeds: Numbers) -> tuple[Array, Numbers]:
        """For each point the way along the surface (m) to the nearest seed and which seed (its row) that is; -1 where
        none can be reached."""
        distance, _, source = dijkstra(
            self.graph, directed=False, indices=seeds, min_only=True, return_predecessors=True
        )
        row = np.full(len(self.points), -1)
        row[seeds] = np.arange(len(seeds))
        return distance, np.where(source >= 0, row[np.maximum(source, 0)], -1)


def finest(points: Array, faces: NDArray[np.int32], wanted: float, most: int) -> float:
    """The length `wanted`, or a larger one with which the surface is cut into no more than about `most` points."""
    while refined_count(points, faces, wanted) > max(most, 1.2 * len(points)):
        wanted *= 1.3
    return wanted


def cut_finer(points: Array, faces: NDArray[np.int32], longest: float) -> Fine:
    """The surface with edges of at most `longest` metres; points that no face uses are left out.

    >>> fine = cut_finer(np.eye(3), np.array([[0, 1, 2]], dtype=np.int32), 1.0)
    >>> len(fine.points), fine.faces.shape, fine.mix.toarray()[3].tolist()
    (6, (4, 3), [0.5, 0.5, 0.0])
    """
    used, compact = np.unique(faces, return_inverse=True)
    mix = eye_array(len(points), format="csr")[used]
    place, fine = points[used], compact.reshape(-1, 3).astype(np.int64)
    while True:
        edges = edges_of(fine.astype(np.int32), len(place))
        a, b = edges.ends.T
        long = np.linalg.norm(place[a] - place[b], axis=1) > longest
        if not long.any():
            return Fine(place, fine, mix)
        middle = np.full(len(a), -1)
        middle[long] = len(place) + np.arange(long.sum())
        mix = vstack([mix, 0.5 * (mix[a[long]] + mix[b[long]])], format="csr")
        place = np.concatenate([place, (place[a[long]] + place[b[long]]) / 2])
        fine = split_faces(fine, middle[edges.of_face])
