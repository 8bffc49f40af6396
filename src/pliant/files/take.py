"""A recording, as every writer gets it: what the actors did, frame by frame."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pliant.body import Body


@dataclass(frozen=True, eq=False)
class Track:
    """One actor over time: particles (T, V, 3) in metres and example weights (T, groups, 1 + poses), rest first.

    `rotations` (T, V, 4), quaternions x, y, z, w from rest, are those of oriented particles; other bodies have none.
    The arrays may be maps of a file larger than memory: read them frame by frame.
    """

    name: str
    body: Body
    positions: NDArray[np.float32]
    weights: NDArray[np.float32]
    groups: tuple[str, ...]
    rotations: NDArray[np.float32] | None = None

    def surface(self, frame: int) -> NDArray[np.float64]:
        """The drawn vertices (N, 3) of a frame."""
        positions = np.asarray(self.positions[frame], dtype=np.float64)
        return self.body.skin.deform(positions, self.turns(frame))

    def turns(self, frame: int) -> NDArray[np.float64] | None:
        """The rotations (V, 4) of a frame."""
        return None if self.rotations is None else np.array(self.rotations[frame], dtype=np.float64)


@dataclass(frozen=True, eq=False)
class Take:
    """All actors over the same frames, `fps` of them a second; the first is the moment before the first step."""

    name: str
    fps: float
    tracks: tuple[Track, ...]

    @property
    def frames(self) -> int:
        return len(self.tracks[0].positions) if self.tracks else 0

    @property
    def times(self) -> NDArray[np.float64]:
        return np.arange(self.frames) / self.fps
