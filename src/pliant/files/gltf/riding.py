"""The rigid part of a motion, which a node can carry: where a body goes and how it turns, frame by frame."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pliant.geometry.regions import proper_rotations

Array = NDArray[np.float64]

BEFORE = 1e-6  # how much the turn of the frame before counts: it decides where the particles leave a turn open


@dataclass(frozen=True, eq=False)
class Ride:
    """x in frame t of a node stands at rotations[t] @ x + translations[t]; rotations (T, 3, 3), translations (T, 3)."""

    rotations: Array
    translations: Array

    @property
    def is_still(self) -> bool:
        return bool((self.rotations == self.rotations[0]).all() and (self.translations == self.translations[0]).all())

    @property
    def is_nothing(self) -> bool:
        return self.is_still and bool((self.rotations[0] == np.eye(3)).all() and not self.translations[0].any())

    def local(self, frame: int, points: Array) -> Array:
        """World points (N, 3) as the node sees them."""
        return (points - self.translations[frame]) @ self.rotations[frame]

    def quaternions(self) -> NDArray[np.float32]:
        """(T, 4) x y z w, each within half a turn of the one before so that a blend takes the short way."""
        from scipy.spatial.transform import Rotation

        turns = Rotation.from_matrix(self.rotations).as_quat()
        opposite = np.einsum("tj,tj->t", turns[1:], turns[:-1]) < 0
        turns[1:] *= np.cumprod(np.where(opposite, -1.0, 1.0))[:, None]
        single = turns.astype(np.float32)
        return single / np.linalg.norm(single, axis=1, keepdims=True)


def standing(frames: int) -> Ride:
    """No motion at all."""
    return Ride(np.tile(np.eye(3), (frames, 1, 1)), np.zeros((frames, 3)))


def riding(shapes: Iterable[tuple[Array, Array]], masses: Array, pivot: Array | None) -> Ride:
    """The best rigid motion from reference to position, given as pairs of (V, 3), one a frame.

    The node's origin is the `pivot` at rest, or the centre of the body where that is None.
    """
    share = masses / masses.sum()
    rotations, translations = [], []
    turn = np.eye(3)
    for reference, positions in shapes:
        from_centre, centre = reference - share @ reference, share @ positions
        product = ((positions - centre).T * share) @ from_centre
        size = max(float(np.linalg.norm(product)), 1e-300)
        turn = proper_rotations((product / size + BEFORE * turn)[None])[0]
        rotations.append(turn)
        translations.append(centre if pivot is None else centre - turn @ (share @ reference - pivot))
    return Ride(np.array(rotations), np.array(translations))
