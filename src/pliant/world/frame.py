"""What leaves the simulator."""

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, eq=False)
class Frame:
    """An immutable copy of a moment: time in seconds and, by actor, particles (V, 3) in metres, velocities
    (V, 3) in m/s and example weights (groups, 1 + poses), rest first. `rotations` has the actors whose particles
    turn: (V, 4) quaternions x, y, z, w, from rest."""

    time: float
    positions: Mapping[str, NDArray[np.float64]]
    velocities: Mapping[str, NDArray[np.float64]]
    weights: Mapping[str, NDArray[np.float64]]
    rotations: Mapping[str, NDArray[np.float64]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for arrays in (self.positions, self.velocities, self.weights, self.rotations):
            for array in arrays.values():
                array.flags.writeable = False
