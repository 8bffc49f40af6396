"""The surface that is to be reached: samples with normals, and the closest point of it to any other."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.spatial import cKDTree

from pliant.geometry.measures import areas
from pliant.geometry.nearest import closest_on_triangles
from pliant.geometry.normals import unit, vertex_normals
from pliant.volume.fine import cut_finer, finest

Array = NDArray[np.float64]
Numbers = NDArray[np.int64]

NEAR_FACES = 8  # of the faces whose middles are nearest, one holds the closest point where faces are alike in size
FINE_EDGE = 0.03  # of the diagonal: longer edges are cut, so that this is so
MOST_TARGET_POINTS = 30_000


@dataclass(frozen=True, eq=False)
class TargetSurface:
    """points (N, 3), normals (N, 3), shares (N,) m^2; corners (M, 3, 3) of the faces and the normals of these."""

    points: Array
    normals: Array
    shares: Array
    corners: Array
    corner_normals: Array
    tree: cKDTree

    def closest(self, places: Array) -> tuple[Array, Array]:
        """The closest points (N, 3) and the unit normals there."""
        near = self.tree.query(places, k=min(NEAR_FACES, len(self.corners)))[1].reshape(len(places), -1)
        count = near.shape[1]
        corners = self.corners[near.ravel()]
        weights = closest_on_triangles(np.repeat(places, count, axis=0), corners)
        feet = np.einsum("nk,nkj->nj", weights, corners)
        gaps = np.square(feet - np.repeat(places, count, axis=0)).sum(axis=1).reshape(-1, count)
        best = np.arange(len(places)) * count + gaps.argmin(axis=1)
        normals = np.einsum("nk,nkj->nj", weights[best], self.corner_normals[near.ravel()[best]])
        return feet[best], unit(normals)


def target_surface(points: Array, faces: NDArray[np.int32]) -> TargetSurface:
    """The surface, cut so finely that the closest face is among those with the nearest middles."""
    size = float(np.linalg.norm(np.ptp(points[np.unique(faces)], axis=0)))
    fine = cut_finer(points, faces, finest(points, faces, FINE_EDGE * size, MOST_TARGET_POINTS))
    corner = fine.faces.astype(np.int32)
    normals = vertex_normals(fine.points, corner)
    shares = np.zeros(len(fine.points))
    np.add.at(shares, corner.ravel(), np.repeat(areas(fine.points, corner) / 3, 3))
    corners = fine.points[corner]
    return TargetSurface(fine.points, normals, shares, corners, normals[corner], cKDTree(corners.mean(axis=1)))
