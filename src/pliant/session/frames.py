"""A recording as frames again, for what looks at frames: films, pages, and the checks of exhibits."""

import numpy as np
from numpy.typing import NDArray

from pliant.files.take import Take
from pliant.world import Frame


def frame_at(take: Take, number: int) -> Frame:
    """A frame of a take; after its end, its last. A take has no velocities: they are how far particles come from the
    frame before to the one after."""
    at = min(number, take.frames - 1)
    before, after = max(at - 1, 0), min(at + 1, take.frames - 1)
    rate = take.fps / max(after - before, 1)
    tracks = take.tracks

    def way(positions: NDArray[np.float32]) -> NDArray[np.float64]:
        return np.subtract(positions[after], positions[before], dtype=np.float64)

    return Frame(
        at / take.fps,
        {track.name: np.asarray(track.positions[at]) for track in tracks},
        {track.name: rate * way(track.positions) for track in tracks},
        {track.name: np.asarray(track.weights[at]) for track in tracks},
        {track.name: turns for track in tracks if (turns := track.turns(at)) is not None},
        {track.name: track.body for track in tracks},
    )
