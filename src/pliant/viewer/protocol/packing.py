"""Binary messages for the viewport. Little-endian; every part begins at a multiple of four bytes.

    setup   see session/player/setup.py: skins and how they are bound, actors, colliders, bars
    frame   u32 FRAME, u32 epoch, u32 number, u32 weights, f64 time (s), u32 moving colliders, u32 particles,
            f32 weights, 12 f32 a moving collider (rotation by rows, centre), 4 f32 a particle (x, y, z, 0), then
            4 f32 a particle that turns (its rotation since rest, x, y, z, w); these count as particles, too

A setup is what stays. It is sent once for each epoch; after that only particles travel. Rows of four floats go into the
particle texture as they come.
"""

import struct
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pliant.session.player.bars import Bar, weights_of
from pliant.session.player.setup import places_of
from pliant.session.render.camera import Camera
from pliant.world import Actor, Collider, Frame, Plane, World

FRAME = 2
_HEAD = struct.Struct("<IIIIdII")


@dataclass(frozen=True, eq=False)
class Side:
    """A world and where it is drawn: one alone, or two beside each other that are compared. `shift` in metres."""

    world: World
    actors: Sequence[Actor]
    bars: Sequence[Bar]
    shift: tuple[float, float, float] = (0.0, 0.0, 0.0)
    name: str = ""

    @property
    def colliders(self) -> Sequence[Collider]:
        return self.world.colliders


_F4 = np.dtype("<f4")


def numbers_of(frames: Sequence[Frame], sides: Sequence[Side]) -> NDArray[np.float32]:
    """The numbers of all bars, from a frame of each side."""
    return np.concatenate([weights_of(frame, side.bars) for frame, side in zip(frames, sides, strict=True)])


def pack_frame(
    sides: Sequence[Side],
    rows: NDArray[np.float32],
    rotations: NDArray[np.float32],
    epoch: int,
    number: int,
    time: float,
    weights: NDArray[np.float32],
) -> bytes:
    """A moment: `rows` are the particles of all sides as they are to be shown, `rotations` the rotations of those that
    turn, `weights` the numbers of all bars."""
    places = places_of(sides, time)
    head = _HEAD.pack(FRAME, epoch, number, len(weights), time, len(places), len(rows) + len(rotations))
    arrays: tuple[NDArray[Any], ...] = (weights, places, rows, rotations)
    return b"".join([head, *map(_raw, arrays)])


def _raw(array: NDArray[Any]) -> memoryview:
    """The numbers as they are sent; no copy where they are so already."""
    return (array if array.dtype == _F4 and array.flags.c_contiguous else np.ascontiguousarray(array, _F4)).data


def camera_for(world: World, wish: Any, aspect: float = 1.6) -> Camera:
    """The exhibit's own camera, or one that sees the first moment whole from the direction it asks for."""
    from pliant.session.render.stage import Stage

    return Stage.of(world).camera([_with_landing(world)], wish, aspect)


def _with_landing(world: World) -> Frame:
    """The first moment, and where bodies will land if the ground is not far: a camera should see both."""
    frame = world.frame()
    floors = [float(each.placed(0.0)[1][1]) for each in world.colliders if isinstance(each, Plane)]
    if not floors or not frame.positions:
        return frame
    cloud = np.concatenate(list(frame.positions.values()))
    size = float(np.ptp(cloud, axis=0).max())
    floor = max(min(floors), float(cloud[:, 1].min()) - 1.5 * size)
    landed = np.column_stack([cloud[:, 0], np.full(len(cloud), floor), cloud[:, 2]])
    return Frame(frame.time, {**frame.positions, "landed": landed}, rotations=frame.rotations, bodies=frame.bodies)
