"""The sides that shares have in common: how large they are, which way they look, and how far they reach.

A share is made of small cells, so its sides are rough like a stair. Vector areas do not see that: those of a closed
surface add up to nothing, however rough it is.
"""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from pliant.geometry.normals import unit
from pliant.graph.cells import Indices, SimplexCells, summed

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Sides:
    """Common sides of P pairs of shares, or of E edges of a graph.

    pairs (P, 2): the two shares, the lower number first; areas (P, 3) m^2: vector areas, from the first to the second
    (of shells and rods without a thickness: lengths or 1); centres (P, 3) m; moments (P, 3, 3) m^4: second
    moments about the centre, in the plane of the side; inwards (N, 3) m^2: what the vector areas of all sides of a
    share add up to, which is minus that of its part of the body's surface.

    Sides of an edge that has none, where a body hangs together in a corner only, are 0.
    """

    pairs: Indices
    areas: Array
    centres: Array
    moments: Array
    inwards: Array

    def of_edges(self, edges: Indices) -> "Sides":
        """Those of some pairs, in their order."""
        count = len(self.inwards)
        known, wanted = (pairs[:, 0] * count + pairs[:, 1] for pairs in (self.pairs, edges.astype(np.int64)))
        place = np.searchsorted(known, wanted)
        found = np.append(known, -1)[place] == wanted

        def taken(values: Array) -> Array:
            out = np.zeros((len(edges), *values.shape[1:]))
            out[found] = values[place[found]]
            return out

        return replace(
            self, pairs=edges, areas=taken(self.areas), centres=taken(self.centres), moments=taken(self.moments)
        )

    def scaled(self, factor: float) -> "Sides":
        return replace(
            self,
            areas=self.areas * factor**2,
            centres=self.centres * factor,
            moments=self.moments * factor**4,
            inwards=self.inwards * factor**2,
        )


def sides_of(cells: SimplexCells, share: Indices, count: int, thickness: float | None = None) -> Sides:
    """The sides of all shares that touch, sorted by their pairs. `share` (M,) says whose each cell is."""
    pairs = share[cells.touching]
    points, vectors, chosen = _facets(cells, np.flatnonzero((pairs[:, 0] != pairs[:, 1]) & (cells.sides > 0)))
    pairs = pairs[chosen]
    vectors = np.where((pairs[:, 0] > pairs[:, 1])[:, None], -vectors, vectors)
    pairs = np.sort(pairs, axis=1)
    keys, side = np.unique(pairs[:, 0] * count + pairs[:, 1], return_inverse=True)
    found = np.stack([keys // count, keys % count], axis=1)
    areas = _sums(side, vectors, len(keys))
    normals = unit(areas)
    # Each facet counts with what is seen of it along the normal.
    seen = np.einsum("fi,fi->f", vectors, normals[side])
    k, middles = points.shape[1], points.mean(axis=1)
    weights = summed(side, seen, len(keys))
    centres = _sums(side, seen[:, None] * middles, len(keys)) / np.where(weights > 0, weights, 1.0)[:, None]
    arms, arm = points - centres[side][:, None], middles - centres[side]
    # The mean of r r^T over a simplex is (sum over its k corners + k^2 times that of its middle) / (k (k + 1)).
    rows = np.einsum("fai,faj->fij", arms, arms) + k**2 * arm[:, :, None] * arm[:, None, :]
    moments = _sums(side, seen[:, None, None] * rows / (k * (k + 1)), len(keys))
    if thickness is not None:
        areas, moments = _thickened(areas, moments, normals, thickness, k)
    flat = np.eye(3) - normals[:, :, None] * normals[:, None, :]
    inwards = _sums(found[:, 0], areas, count) - _sums(found[:, 1], areas, count)
    return Sides(found, areas, centres, flat @ moments @ flat, inwards)


def _facets(cells: SimplexCells, chosen: Indices) -> tuple[Array, Array, Indices]:
    """Corners (F, K - 1, 3) of the sides of touching cells, their vector areas (F, 3) from the first cell to the
    second, and which of the chosen ones these are: cells that have all corners in common have no side."""
    first, second = (cells.corners[cells.touching[chosen, side]] for side in range(2))
    common = (first[:, :, None] == second[:, None, :]).any(axis=2)
    k = first.shape[1]
    proper = common.sum(axis=1) == k - 1
    first, second, common, chosen = first[proper], second[proper], common[proper], chosen[proper]
    points = cells.points[first[common].reshape(-1, k - 1)]
    a = cells.points[first[~common]] - points[:, 0]  # the corner of the first cell that is not in the side
    if k == 2:
        return points, -unit(a), chosen
    along = points[:, 1] - points[:, 0]
    if k == 4:
        normals = np.cross(along, points[:, 2] - points[:, 0]) / 2
        return points, np.where((np.einsum("fi,fi->f", normals, a) > 0)[:, None], -normals, normals), chosen
    other = (second[:, :, None] == first[:, None, :]).any(axis=2)
    b = cells.points[second[~other]] - points[:, 0]
    edge = unit(along)
    a, b = (unit(each - np.einsum("fi,fi->f", each, edge)[:, None] * edge) for each in (a, b))
    return points, unit(b - a) * np.linalg.norm(along, axis=1)[:, None], chosen


def _thickened(areas: Array, moments: Array, normals: Array, thickness: float, k: int) -> tuple[Array, Array]:
    """Of a line in a shell, the section of a plate; of a point of a rod, that of a round bar."""
    if k == 1:
        area = np.pi / 4 * thickness**2
        return areas * area, area * thickness**2 / 16 * np.broadcast_to(np.eye(3), moments.shape)
    lines = np.linalg.eigh(moments)[1][:, :, 2]  # which way most of the line goes
    across = unit(np.cross(normals, lines))
    lengths = np.linalg.norm(areas, axis=1)[:, None, None]
    plate = lengths * thickness**3 / 12 * across[:, :, None] * across[:, None, :]
    return areas * thickness, moments * thickness + plate


def _sums(owners: Indices, values: Array, count: int) -> Array:
    out = np.zeros((count, *values.shape[1:]))
    np.add.at(out, owners, values)
    return out
