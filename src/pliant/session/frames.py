"""Frames of a take, for what looks at frames: films, and the checks of exhibits."""

import numpy as np

from pliant.files.take import Take
from pliant.world import Frame


def frame_at(take: Take, at: int) -> Frame:
    """A frame by its number. A take has no velocities: they are how far particles come from the frame before to the
    one after."""
    before, after = max(at - 1, 0), min(at + 1, take.frames - 1)
    positions, speeds, weights, rotations = {}, {}, {}, {}
    for track in take.tracks:
        positions[track.name] = np.array(track.positions[at], dtype=np.float64)
        way = np.asarray(track.positions[after], np.float64) - np.asarray(track.positions[before], np.float64)
        speeds[track.name] = way * (take.fps / max(after - before, 1))
        weights[track.name] = np.array(track.weights[at], dtype=np.float64)
        turns = track.turns(at)
        if turns is not None:
            rotations[track.name] = turns
    return Frame(at / take.fps, positions, speeds, weights, rotations)
