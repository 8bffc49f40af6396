"""How far bodies are from their poses, on its way to a page: u32 DISTANCES, u32 how many, then a f32 for each number of
the bars (bars.py), in diagonals of the body; NaN where a bar is that of a group, for it is the whole body that is
compared. Little-endian, like packing.py; sent a few times a second, not with every frame."""

import struct
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from pliant.viewer.protocol.packing import Side
from pliant.world.distances import pose_distances

DISTANCES = 17  # beside SETUP, FRAME, BODIES and LABELS


def pack_distances(sides: Sequence[Side], rows: NDArray[np.float32], rotations: NDArray[np.float32]) -> bytes:
    """Of the particles (P, 4) of all sides as they are shown, and the rotations (T, 4) of those that turn."""
    numbers = distances_of(sides, rows, rotations)
    return struct.pack("<II", DISTANCES, len(numbers)) + numbers.tobytes()


def distances_of(
    sides: Sequence[Side], rows: NDArray[np.float32], rotations: NDArray[np.float32]
) -> NDArray[np.float32]:
    """The numbers for all bars, one bar after the other."""
    found: list[NDArray[np.float64]] = []
    first = turned = 0
    for side in sides:
        asked = {bar.actor for bar in side.bars if not bar.grouped}
        known: dict[str, NDArray[np.float64]] = {}
        for actor in side.actors:
            count, spins = len(actor.body.rest), actor.turns
            if actor.name in asked:
                own = rotations[turned : turned + count] if spins else None
                surface = actor.body.skin.deform(rows[first : first + count, :3].astype(np.float64), own)
                known[actor.name] = pose_distances(actor.body, surface)
            first, turned = first + count, turned + (count if spins else 0)
        found += [np.full(len(bar.names), np.nan) if bar.grouped else known[bar.actor] for bar in side.bars]
    return np.concatenate(found).astype("<f4") if found else np.empty(0, "<f4")
