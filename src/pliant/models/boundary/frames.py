"""The frame of a body, or of a part of it: where it is as a whole, and what is left when that is taken off."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Frame:
    """rest (V, 3) from the centre of mass; shares (V,): of the mass."""

    centre: Array
    rest: Array
    shares: Array

    def match(self, places: Array) -> tuple[Array, Array]:
        """The centre (3,) of places (V, 3), and the rotation R that brings the rest shape nearest to them: what is left
        has no moment about it."""
        centre = self.shares @ places
        u, _, v = np.linalg.svd((self.shares[:, None] * (places - centre)).T @ self.rest)
        return centre, u @ np.diag([1.0, 1.0, np.sign(np.linalg.det(u @ v)) or 1.0]) @ v

    def displacement(self, places: Array) -> Array:
        """(V, 3) from rest, in the frame."""
        centre, turn = self.match(places)
        found: Array = (places - centre) @ turn - self.rest
        return found


def frame_of(rest: Array, masses: Array) -> Frame:
    shares = masses / masses.sum()
    centre = shares @ rest
    return Frame(centre, rest - centre, shares)


def turned(angle: Array) -> Array:
    """The rotation (3, 3) by a vector, rad [Rodrigues]."""
    size = float(np.linalg.norm(angle))
    if size < 1e-12:
        return np.eye(3)
    x, y, z = angle / size
    k = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    found: Array = np.eye(3) + np.sin(size) * k + (1.0 - np.cos(size)) * k @ k
    return found
