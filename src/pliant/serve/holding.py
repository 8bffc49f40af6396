"""Pins that follow sampled paths: each vertex of a group goes where it was in every frame, and takes along the
particles round it, also those inside.

A particle goes with the vertices nearest to it, as a rigid motion: the mean of their places, and the rotation that fits
them best, weighted by 1 / distance^2. One that lies on a vertex goes where that goes, up to the rotation of what little
it is off. (Weights without a rotation were rejected: what lies deep inside a limb would shrink towards its middle.)
"""

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from scipy.spatial import cKDTree

from pliant.geometry.turning import quaternion_products, quaternions
from pliant.world.constraints import Pin

if TYPE_CHECKING:
    from pliant.world import Actor

Array = NDArray[np.float64]

GUIDES = 12  # vertices that a particle goes with
ON_A_VERTEX = 1e-4  # of their mean distance: what is nearer counts as that near
AT_ONCE = 200_000  # rotations that are found together, which bounds the memory


def carried_along(particles: Array, rest: Array, places: Array) -> tuple[Array, Array]:
    """Where particles (n, 3) go, (F, n, 3), and how they turn, (F, n, 3, 3), when vertices at `rest` (v, 3) go to
    `places` (F, v, 3).

    >>> square = np.array([[0.0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]])
    >>> turned = square @ np.array([[0.0, 1, 0], [-1, 0, 0], [0, 0, 1]]) + 5
    >>> there, _ = carried_along(np.array([[0.5, 0.25, 0.0]]), square, turned[None])
    >>> there.round(6).tolist()
    [[[4.75, 5.5, 5.0]]]
    """
    count = min(GUIDES, len(rest))
    distance, near = cKDTree(rest).query(particles, k=count)
    distance, near = distance.reshape(-1, count), near.reshape(-1, count)
    near_by = np.maximum(distance, ON_A_VERTEX * max(float(distance.mean()), 1e-300))
    weights = near_by**-2.0
    weights /= weights.sum(axis=1, keepdims=True)
    middle = np.einsum("nk,nkx->nx", weights, rest[near])
    arms = rest[near] - middle[:, None]
    found, turns = np.empty((len(places), len(particles), 3)), np.empty((len(places), len(particles), 3, 3))
    step = max(1, AT_ONCE // max(len(particles), 1))
    for first in range(0, len(places), step):
        here = places[first : first + step][:, near]
        centre = np.einsum("nk,fnkx->fnx", weights, here)
        moments = np.einsum("nk,fnkx,nky->fnxy", weights, here - centre[:, :, None], arms)
        turn = _rotations(moments)
        turns[first : first + step] = turn
        found[first : first + step] = centre + np.einsum("fnxy,ny->fnx", turn, particles - middle)
    return found, turns


def _rotations(moments: Array) -> Array:
    """The rotation nearest to each matrix; none where a line or a point leaves it open."""
    u, s, vt = np.linalg.svd(moments)
    signs = np.ones(s.shape)
    signs[..., 2] = np.sign(np.linalg.det(u @ vt))
    turns: Array = (u * signs[..., None, :]) @ vt
    turns[s[..., 1] <= 1e-9 * np.maximum(s[..., 0], 1e-300)] = np.eye(3)
    return turns


class SampledPin(Pin):
    """A pin whose particles each have places of their own in every frame, straight lines between."""

    def __init__(self, actor: "Actor", particles: NDArray[np.int32], places: Array, turns: Array, fps: float) -> None:
        self.places, self.turns, self.fps = places, turns, fps
        super().__init__(actor, particles, places[0], None)
        self.path = self._moving  # told apart from one that stays, by what asks whether it has a path

    def targets(self, time: float) -> Array:
        return self._moving(time - self.begin)

    def rotations(self, time: float) -> Array | None:
        if self.start is None:
            return None
        frame = min(round((time - self.begin) * self.fps), len(self.turns) - 1)
        return quaternion_products(quaternions(self.turns[frame]), self.start)

    def _moving(self, seconds: float) -> Any:
        at = min(max(seconds * self.fps, 0.0), len(self.places) - 1.0)
        before = min(int(at), len(self.places) - 1)
        after = min(before + 1, len(self.places) - 1)
        return self.places[before] + (at - before) * (self.places[after] - self.places[before])


def pin_along(actor: "Actor", particles: NDArray[np.int32], rest: Array, places: Array, fps: float) -> SampledPin:
    """Take hold of particles of an actor that stands where it was handed over. rest (v, 3), places (F, v, 3)."""
    here = np.asarray(actor._here()[particles], np.float64)
    targets, turns = carried_along(here, rest, places)
    pin = SampledPin(actor, particles, targets, turns, fps)
    actor.world._inputs.take_pin(pin)
    return pin
