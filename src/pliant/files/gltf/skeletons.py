"""Oriented particles as joints: how a skin hangs on them, and how they move."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pliant.body import Skin
from pliant.files.gltf.keying import Keys, keyed
from pliant.files.gltf.riding import Ride, riding, standing
from pliant.files.take import Track

Array = NDArray[np.float64]
Frames = Callable[[], Iterable[tuple[Array, Array]]]  # positions (V, 3) and rotations (V, 4), frame by frame

WHOLE_WEIGHT = 65535  # weights are counted in parts of this
SHORT_ARC = 0.1  # the farthest a kept quaternion may be off: keys stay so near that all readers blend them the same way


@dataclass(frozen=True, eq=False)
class JointMotion:
    """The root carries the body along (`ride`); under it every particle goes and turns by its own keys."""

    ride: Ride
    places: list[Keys]  # (K, 3)
    turns: list[Keys]  # (K, 4)

    @property
    def cost(self) -> int:
        """Numbers it takes to write it, the times included."""
        own = sum(each.values.size + len(each.frames) for each in self.places + self.turns if not each.is_still)
        return own + (0 if self.ride.is_still else 7 * len(self.ride.translations))


def has_joints(track: Track) -> bool:
    """Whether an actor is made of oriented particles, on which its skin hangs as on the joints of a skeleton."""
    skin = track.body.skin
    return skin.kind == "oriented" and track.rotations is not None and bool((skin.weights >= 0).all())


def influences(skin: Skin) -> tuple[NDArray[np.unsignedinteger], NDArray[np.uint16]]:
    """Joints and weights (N, K) as glTF wants them: the heaviest first, none twice, unused ones 0, and weights
    that add up to `WHOLE_WEIGHT`. K is 4, or 8 where some vertex hangs on more: a set of four, or two."""
    order = np.argsort(skin.indices, axis=1, kind="stable")
    joints = np.take_along_axis(skin.indices, order, axis=1)
    weights = np.take_along_axis(skin.weights, order, axis=1)
    for slot in range(1, joints.shape[1]):
        twice = joints[:, slot] == joints[:, slot - 1]
        weights[twice, slot] += weights[twice, slot - 1]
        weights[twice, slot - 1] = 0.0
    order = np.argsort(-weights, axis=1, kind="stable")
    joints = np.take_along_axis(joints, order, axis=1)
    parts = np.take_along_axis(weights, order, axis=1) * (WHOLE_WEIGHT / weights.sum(axis=1, keepdims=True))
    counted = np.floor(parts).astype(np.int64)
    # What rounding down has left goes to those that lost most.
    left = WHOLE_WEIGHT - counted.sum(axis=1, keepdims=True)
    rank = np.argsort(np.argsort(counted - parts, axis=1, kind="stable"), axis=1)
    counted += rank < left
    joints[counted == 0] = 0
    used = 4 * -(-int((counted > 0).sum(axis=1).max(initial=1)) // 4)
    joints, counted = joints[:, :used], counted[:, :used]
    small = joints.max(initial=0) < 2**8
    return joints.astype(np.uint8 if small else np.uint16), counted.astype(np.uint16)


def inverse_binds(pivots: Array) -> NDArray[np.float32]:
    """Matrices (V, 16), column by column, from where the skin was modelled to each joint: a step to its centre."""
    matrices = np.tile(np.eye(4, dtype=np.float32), (len(pivots), 1, 1))
    matrices[:, 3, :3] = -pivots
    return matrices.reshape(-1, 16)


def reaches(skin: Skin, particles: int) -> Array:
    """How far the vertices that hang on a particle (V,) are from its centre: what a turn moves them by."""
    assert skin.pivots is not None
    far = np.zeros(particles)
    for slot in range(skin.indices.shape[1]):
        held = np.flatnonzero(skin.weights[:, slot])
        joint = skin.indices[held, slot]
        np.maximum.at(far, joint, np.linalg.norm(skin.vertices[held] - skin.pivots[joint], axis=1))
    return far


def joint_motion(track: Track, frames: Frames, tolerance: float, tick: Callable[[], None]) -> JointMotion:
    """The motion of the particles of a track such that every drawn vertex is within `tolerance` (m) in every frame.

    A vertex is a mean of where its joints take it. Each of these is off by the error of the joint's place and, times
    its reach, that of its turn; a quaternion that is off by d turns by 2 d. Half of the tolerance is for either.
    """
    count = len(track.body.rest)
    half = 0.5 * tolerance
    turn = np.minimum(half / (2 * np.maximum(reaches(track.body.skin, count), 1e-12)), SHORT_ARC)
    reach = np.concatenate([np.full(count, half / np.sqrt(3.0)), turn / np.sqrt(4.0)])
    ride = riding(((track.body.rest, places) for places, _ in frames()), track.body.masses, pivot=None)

    def motion(carried: Ride, told: Callable[[], None]) -> JointMotion:
        rows = keyed(_local(frames(), carried, told), reach)
        places = [Keys(each.frames, each.values[:, :3]) for each in rows[:count]]
        return JointMotion(carried, places, [Keys(each.frames, _unit(each.values)) for each in rows[count:]])

    still = motion(standing(len(ride.translations)), lambda: None)
    moved = motion(ride, tick)
    return moved if moved.cost < 0.9 * still.cost else still


def _local(frames: Iterable[tuple[Array, Array]], ride: Ride, tick: Callable[[], None]) -> Iterator[Array]:
    """Tables (2 V, 4): places, padded, and then rotations as the root sees them. Of the two quaternions that are the
    same rotation the one nearer to the frame before."""
    from scipy.spatial.transform import Rotation

    before = np.array([0.0, 0.0, 0.0, 1.0])
    for frame, (places, rotations) in enumerate(frames):
        turns = (Rotation.from_matrix(ride.rotations[frame].T) * Rotation.from_quat(rotations)).as_quat()
        turns *= np.where((turns * before).sum(axis=1) < 0, -1.0, 1.0)[:, None]
        before = turns
        local = ride.local(frame, places)
        yield np.concatenate([np.column_stack([local, np.zeros(len(local))]), turns])
        tick()


def _unit(turns: NDArray[np.float32]) -> NDArray[np.float32]:
    return turns / np.linalg.norm(turns, axis=1, keepdims=True)
