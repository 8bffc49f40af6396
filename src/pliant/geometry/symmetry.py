"""Tet meshes that are the same on both sides of a plane."""

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Indices = NDArray[np.int32]

SWAPPED = [0, 2, 1, 3]  # corners of a tet's mirror image, which turns the other way


def both_sides(
    points: Array, tets: Indices, axis: int, middle: float, shared: NDArray[np.bool_]
) -> tuple[Array, Indices, NDArray[np.int64]]:
    """The part of a mesh on the high side of a plane, and its mirror image on the low side.

    No tet may cross the plane at `middle` on `axis`. `shared` marks the particles where both sides hang together;
    another one on the plane is not joined to its image there. Returns points, tets and the twin of each particle; a
    shared one is its own twin.
    """
    upper = tets[points[tets][:, :, axis].mean(axis=1) > middle]
    used, upper = np.unique(upper, return_inverse=True)
    half = points[used]
    off_plane = np.flatnonzero(~shared[used])
    twin = np.arange(len(half))
    twin[off_plane] = len(half) + np.arange(len(off_plane))
    image = half[off_plane].copy()
    image[:, axis] = 2 * middle - image[:, axis]
    twins = np.concatenate([twin, off_plane])
    return np.concatenate([half, image]), with_images(upper.reshape(-1, 4), twins), twins


def with_images(half: NDArray[np.integer], twin: NDArray[np.int64]) -> Indices:
    """Tets and, after them, their mirror images."""
    return np.concatenate([half, twin[half][:, SWAPPED]]).astype(np.int32)


def upper_half(tets: Indices, twin: NDArray[np.int64]) -> Indices:
    """The tets of the high side: their particles come before their twins."""
    return tets[(twin[tets] >= tets).all(axis=1)]


def symmetric_steps(steps: Array, twin: NDArray[np.int64], axis: int, leading: bool = False) -> Array:
    """The mean of each particle's step and its twin's mirrored one; `leading`: what the high side does, mirrored."""
    image = steps[twin]
    image[:, axis] *= -1
    if not leading:
        return (steps + image) / 2
    number = np.arange(len(twin))[:, None]
    twins = twin[:, None]
    return np.where(twins > number, steps, np.where(twins < number, image, (steps + image) / 2))
