"""A recording as frames again, for what draws them."""

import numpy as np

from pliant.files.take import Take
from pliant.world import Frame


def frame_of_take(take: Take, number: int) -> Frame:
    """A moment of a take; after its end, its last. Velocities are those between the frames before and after."""
    at = min(number, take.frames - 1)
    before, after = max(at - 1, 0), min(at + 1, take.frames - 1)
    rate = take.fps / max(after - before, 1)
    tracks = take.tracks

    def way(positions: "np.typing.NDArray[np.float32]") -> "np.typing.NDArray[np.float64]":
        return np.subtract(positions[after], positions[before], dtype=np.float64)

    return Frame(
        at / take.fps,
        {track.name: np.asarray(track.positions[at]) for track in tracks},
        {track.name: rate * way(track.positions) for track in tracks},
        {track.name: np.asarray(track.weights[at]) for track in tracks},
        {track.name: turns for track in tracks if (turns := track.turns(at)) is not None},
        {track.name: track.body for track in tracks},
    )
