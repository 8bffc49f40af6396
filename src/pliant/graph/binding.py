"""Smooth weights: which particles a point of the skin rides on, and how much on each."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse.csgraph import dijkstra
from scipy.spatial import cKDTree
from scipy.spatial.distance import cdist

from pliant.body.skin import Skin
from pliant.graph.cells import Indices, symmetric

Array = NDArray[np.float64]

GRAPH_SLOTS = 4
NODES_LOOKED_AT = 24  # nearest particles in space, from which those near along the graph are taken
EDGE_DETOUR = 2.2  # a walk along edges this much longer than the way through the air is near: as round a triangle
REACH = 1.5  # times the farthest of fewer than five particles: where weights fall to 0 then


@dataclass(frozen=True, eq=False)
class Web:
    """Particles at rest, and by how much the walk between two of them along edges is longer than it should be, (N, N)
    m: 0 for those that are near each other within the body, infinite in different pieces."""

    centres: Array
    detours: Array

    def weights(self, points: Array, hosts: Indices) -> tuple[NDArray[np.int32], Array]:
        """Slots and weights (P, 4) of points that belong to the shares of `hosts` (P,).

        The four nearest particles, with weights (1 - distance / that of the fifth)^2, so that they change smoothly as a
        particle leaves the four. A particle that is near in space but far along the graph counts as far: the left leg
        does not move the skin of the right one.
        """
        count = len(self.centres)
        looked_at = min(NODES_LOOKED_AT, count)
        air, near = cKDTree(self.centres).query(points, k=np.arange(1, looked_at + 1))
        away = air + self.detours[hosts[:, None], near]
        slots, weights = _falling(away, near)
        if looked_at < count:
            # Too few of the nearest were near along the graph: look at all particles.
            short = np.flatnonzero(np.isfinite(np.sort(away, axis=1)[:, : GRAPH_SLOTS + 1]).sum(axis=1) <= GRAPH_SLOTS)
            short = np.union1d(short, np.flatnonzero(np.sort(away, axis=1)[:, GRAPH_SLOTS] > air[:, -1]))
            for rows in np.array_split(short, 1 + len(short) * count // 4_000_000):
                everywhere = cdist(points[rows], self.centres) + self.detours[hosts[rows]]
                slots[rows], weights[rows] = _falling(everywhere, np.tile(np.arange(count), (len(rows), 1)))
        return slots.astype(np.int32), weights


def web_of(centres: Array, edges: Indices) -> Web:
    lengths = np.linalg.norm(centres[edges[:, 0]] - centres[edges[:, 1]], axis=1)
    walks = dijkstra(symmetric(edges, lengths, len(centres)), directed=False)
    air = cdist(centres, centres)
    return Web(centres, np.maximum(walks - EDGE_DETOUR * air, 0.0))


def bound(web: Web, points: Array, hosts: Indices, faces: Any = None, **looks: Any) -> Skin:
    """An oriented skin of these points, drawn with these faces."""
    slots, weights = web.weights(points, hosts)
    faces = np.empty((0, 3), np.int32) if faces is None else faces
    return Skin(points, faces, slots, weights, kind="oriented", pivots=web.centres, **looks)


def _falling(away: Array, who: Indices) -> tuple[Indices, Array]:
    count, kept = len(away), min(GRAPH_SLOTS + 1, away.shape[1])
    nearest = np.argsort(away, axis=1, kind="stable")[:, :kept]
    near, who = np.take_along_axis(away, nearest, axis=1), np.take_along_axis(who, nearest, axis=1)
    found = np.isfinite(near)
    farthest = np.where(found, near, 0.0).max(axis=1)
    reach = np.where(found.sum(axis=1) > GRAPH_SLOTS, farthest, REACH * farthest)
    reach = np.where(reach > 0, reach, 1.0)[:, None]
    falling = np.where(found, 1 - np.where(found, near, 0.0) / reach, 0.0)[:, :GRAPH_SLOTS]
    # Five particles at the same distance would leave nothing.
    weights = np.maximum(falling, 0.0) ** 2 + np.where(found[:, :GRAPH_SLOTS], 1e-12, 0.0)
    weights /= weights.sum(axis=1, keepdims=True)
    slots = np.where(weights > 0, who[:, :GRAPH_SLOTS], who[:, :1])
    padding = GRAPH_SLOTS - weights.shape[1]
    if padding > 0:
        weights = np.concatenate([weights, np.zeros((count, padding))], axis=1)
        slots = np.concatenate([slots, np.repeat(slots[:, :1], padding, axis=1)], axis=1)
    return slots, weights
