"""Smooth weights: which particles a point of the skin rides on, and how much on each."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse.csgraph import dijkstra
from scipy.spatial import cKDTree
from scipy.spatial.distance import cdist

from pliant.body.skin import Skin
from pliant.geometry.binding import falling
from pliant.graph.cells import Indices, symmetric

Array = NDArray[np.float64]

GRAPH_CARRIERS = 4.0  # particles well within reach, as many as [Choi+17] have: with 3 creases show, 6 blur what bends
# The same for the particles of the source, which are not drawn: of a pose that they take from the graph's and give back
# as means of shares, at least a quarter is left in every mode. With 4 it is a fiftieth in some.
RIDING_CARRIERS = 2.0
GRAPH_SLOTS = 8  # particles that carry a point, at most: of about 6. With 12 a skin is no smoother
NODES_LOOKED_AT = 24  # nearest particles in space, from which those near along the graph are taken
EDGE_DETOUR = 2.2  # a walk along edges this much longer than the way through the air is near: as round a triangle


@dataclass(frozen=True, eq=False)
class Web:
    """Particles at rest, and by how much the walk between two of them along edges is longer than it should be, (N, N)
    m: 0 for those that are near each other within the body, infinite in different pieces."""

    centres: Array
    detours: Array

    def weights(
        self, points: Array, hosts: Indices, carriers: float = GRAPH_CARRIERS
    ) -> tuple[NDArray[np.int32], Array]:
        """Slots and weights (P, K), K up to 8, of points that belong to the shares of `hosts` (P,).

        The weights are (1 - (d / R)^2)^2, with the reach R of a skin on tets (geometry/binding.py) for `carriers`
        in place of ten particles: they are C1 where the body is whole, never below 0, and sum to 1. A particle that is
        near in space but far along the graph counts as far: the left leg does not move the skin of the right one.
        """
        count = len(self.centres)
        looked_at = min(NODES_LOOKED_AT, count)
        air, near = cKDTree(self.centres).query(points, k=np.arange(1, looked_at + 1))
        slots, weights, reach = _carried(air + self.detours[hosts[:, None], near], near, carriers)
        if looked_at < count:
            # What was not looked at may be within reach, where many of the nearest are far along the graph.
            short = np.flatnonzero(reach > air[:, -1])
            for rows in np.array_split(short, 1 + len(short) * count // 4_000_000):
                everywhere = cdist(points[rows], self.centres) + self.detours[hosts[rows]]
                who = np.tile(np.arange(count), (len(rows), 1))
                slots[rows], weights[rows], _ = _carried(everywhere, who, carriers)
        used = 4 * -(-int((weights > 0).sum(axis=1).max(initial=1)) // 4)
        return slots[:, :used].astype(np.int32), weights[:, :used]


def web_of(centres: Array, edges: Indices) -> Web:
    lengths = np.linalg.norm(centres[edges[:, 0]] - centres[edges[:, 1]], axis=1)
    walks = dijkstra(symmetric(edges, lengths, len(centres)), directed=False)
    air = cdist(centres, centres)
    return Web(centres, np.maximum(walks - EDGE_DETOUR * air, 0.0))


def bound(web: Web, points: Array, hosts: Indices, faces: Any, **looks: Any) -> Skin:
    """An oriented skin of these points, drawn with these faces."""
    slots, weights = web.weights(points, hosts)
    return Skin(points, faces, slots, weights, kind="oriented", pivots=web.centres, **looks)


def ridden(web: Web, points: Array, hosts: Indices) -> Skin:
    """The particles of the source as a skin without faces."""
    slots, weights = web.weights(points, hosts, RIDING_CARRIERS)
    return Skin(points, np.empty((0, 3), np.int32), slots, weights, kind="oriented", pivots=web.centres)


def _carried(away: Array, who: Indices, carriers: float) -> tuple[Indices, Array, Array]:
    """Slots and weights (P, 8), the nearest first, and the reach (P,)."""
    order = np.argsort(away, axis=1, kind="stable")
    away, who = np.take_along_axis(away, order, axis=1), np.take_along_axis(who, order, axis=1)
    found, reach = falling(away, min(GRAPH_SLOTS, away.shape[1]), carriers)
    wide = found.shape[1]
    slots, weights = np.repeat(who[:, :1], GRAPH_SLOTS, axis=1), np.zeros((len(away), GRAPH_SLOTS))
    weights[:, :wide] = found / found.sum(axis=1, keepdims=True)
    slots[:, :wide] = np.where(found > 0, who[:, :wide], who[:, :1])
    return slots, weights, reach
