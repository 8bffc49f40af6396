"""The ellipsoids that stand for the shares of a body."""

from dataclasses import dataclass, fields
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pliant.body.checks import floats, frozen
from pliant.runtime.errors import BodyError

Array = NDArray[np.float64]

THINNEST = 1e-4  # smallest radius over the largest: a flatter share has no inertia about its longest axis


@dataclass(frozen=True, eq=False)
class Ellipsoids:
    """One ellipsoid a particle: axes (N, 3, 3), proper rotations whose columns are the unit axes at rest; radii (N, 3)
    m along them, the longest first; volumes (N,) m^3 = 4/3 pi abc.
    """

    axes: Array
    radii: Array

    def __post_init__(self) -> None:
        object.__setattr__(self, "axes", frozen(self.axes, np.float64))
        object.__setattr__(self, "radii", floats(self.radii, "ellipsoids: radii"))
        if self.axes.shape != (len(self.radii), 3, 3):
            shape = f"({len(self.radii)}, 3, 3)"
            raise BodyError(
                f"ellipsoids: the axes have shape {self.axes.shape}; give {shape}, a matrix for each row of radii"
            )
        finite = np.nan_to_num(self.axes)
        off = np.abs(np.swapaxes(finite, 1, 2) @ finite - np.eye(3)).max(axis=(1, 2), initial=0)
        wrong = np.flatnonzero((off > 1e-6) | (np.linalg.det(finite) < 0))
        if len(wrong):
            raise BodyError(
                f"ellipsoids: the axes of number {wrong[0]} are no rotation; give unit columns, right-handed"
            )
        wrong = np.flatnonzero((self.radii <= 0).any(axis=1))
        if len(wrong):
            row = tuple(self.radii[wrong[0]].tolist())
            raise BodyError(f"ellipsoids: the radii of number {wrong[0]} are {row}; give numbers above 0 (m)")

    @classmethod
    def of_covariances(cls, covariances: Array, volumes: Array) -> "Ellipsoids":
        """The ellipsoids with the axes and proportions of shares of these covariances (N, 3, 3) m^2, and their volumes.

        A solid ellipsoid has the covariance diag(a^2, b^2, c^2) / 5 about its axes.
        """
        values, vectors = np.linalg.eigh(covariances)
        values, vectors = values[:, ::-1], vectors[:, :, ::-1].copy()
        radii = np.sqrt(5.0 * np.maximum(values, THINNEST**2 * values[:, :1]))
        # The sign of an eigenvector is a whim of rounding: let its largest component be positive.
        largest = np.argmax(np.abs(vectors) > 0.99 * np.abs(vectors).max(axis=1, keepdims=True), axis=1)
        vectors *= np.sign(np.take_along_axis(vectors, largest[:, None, :], axis=1))
        vectors[:, :, 2] *= np.sign(np.linalg.det(vectors))[:, None]
        radii *= np.cbrt(volumes / (4 / 3 * np.pi * radii.prod(axis=1)))[:, None]
        return cls(vectors, radii)

    @cached_property
    def volumes(self) -> Array:
        """(N,) m^3."""
        return frozen(4 / 3 * np.pi * self.radii.prod(axis=1), np.float64)

    @cached_property
    def moments(self) -> Array:
        """(N, 3, 3) m^5: the integral of (X - centre)(X - centre)^T over each ellipsoid at rest [Choi+17] (5)."""
        diagonal = self.volumes[:, None] / 5 * self.radii**2
        return frozen((self.axes * diagonal[:, None, :]) @ np.swapaxes(self.axes, 1, 2), np.float64)

    def scaled(self, factor: float) -> "Ellipsoids":
        return Ellipsoids(self.axes, self.radii * factor)

    def __len__(self) -> int:
        return len(self.radii)

    def __reduce__(self) -> tuple[Any, ...]:
        """Copies and pickles are made anew, so that they are read-only like the original."""
        return Ellipsoids, tuple(getattr(self, each.name) for each in fields(self))
