"""A surface in tets: the split lattice, and how each point of the surface rides on it."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.spatial import cKDTree

from pliant.geometry.binding import bind
from pliant.geometry.lattice import carry
from pliant.geometry.measures import diagonal

Array = NDArray[np.float64]
Indices = NDArray[np.int32]

# Outer particles stand a twentieth of a cell outside of the surface. On it, the tets between them would cut off what
# bulges: their volume would be too small, and most of the skin would hang on by weights below zero.
STAND_OFF = 0.05
SPARSE_CAGE = 0.2  # of a tet filled, below which it may go: more tets stay than on a shape drawn for its looks
SYMMETRIC = 2e-3  # of the diagonal: how far the mirror image of a point may be from the next point


@dataclass(frozen=True, eq=False)
class Cage:
    """rest (V, 3) m, tets (T, 4); each point of the surface is the sum of weights[n, k] * rest[slots[n, k]] (N, K)."""

    rest: Array
    tets: Indices
    slots: Indices
    weights: Array


def cage(points: Array, faces: Indices, particles: int) -> Cage:
    """About `particles` of them round a surface, which may be open or have several shells.

    A surface that is the same on both sides gets tets that are: a character dropped upright does not lean.

    >>> from pliant.geometry.surfaces import ball
    >>> points, faces = ball(1.0, 0.1)
    >>> made = cage(points, faces, 200)
    >>> bool(np.allclose(np.einsum("nk,nkx->nx", made.weights, made.rest[made.slots]), points))
    True
    """
    made = carry(
        points,
        faces,
        particles,
        mirror=mirror_axis(points, faces),
        sparse=SPARSE_CAGE,
        stand_off=STAND_OFF,
        by_part=True,
    )
    return Cage(made.rest, made.tets, *bind(points, faces, made.rest, made.tets, made.carriers))


def mirror_axis(points: Array, faces: Indices) -> int | None:
    """The axis along which a surface is symmetric about its middle, if there is one; x before z before y."""
    used = points[np.unique(faces)]
    tree = cKDTree(used)
    for axis in (0, 2, 1):
        image = used.copy()
        image[:, axis] = used[:, axis].min() + used[:, axis].max() - used[:, axis]
        if np.ptp(used[:, axis]) > 0 and tree.query(image)[0].max() < SYMMETRIC * diagonal(used):
            return axis
    return None
