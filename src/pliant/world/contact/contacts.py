"""Where bodies touched, as the world tells it."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pliant.world.contact import layout as at

Array = NDArray[np.float64]


class Contacts(NamedTuple):
    """Where bodies touched in the last sub-step, C rows: actors (C, 2) as numbers in `World.actors`, points (C, 3) m,
    normals (C, 3) from the second actor to the first, depths (C,) m that had to be undone, pushes (C,) N s along the
    normal, and sticking (C,): whether friction holds."""

    actors: NDArray[np.int64]
    points: Array
    normals: Array
    depths: Array
    pushes: Array
    sticking: NDArray[np.bool_]

    @staticmethod
    def none() -> "Contacts":
        """No bodies touch."""
        rows = np.zeros((0, 3))
        return Contacts(np.zeros((0, 2), np.int64), rows, rows, np.zeros(0), np.zeros(0), np.zeros(0, np.bool_))

    @staticmethod
    def of(rows: Array, places: Array, owners: NDArray[Any], numbers: list[int], h: float) -> "Contacts":
        """From the rows of the kernels, those that push; numbers: of the actors in the world."""
        rows = rows[rows[:, at.PUSH] > 0.0]
        spheres = rows[:, [at.ONE, at.OTHER]].astype(np.int64)
        centres = places.reshape(-1, at.PROXY_PLACE)[:, at.END_CENTRE : at.END_CENTRE + 3]
        normals = rows[:, at.NORMAL : at.NORMAL + 3]
        one = centres[spheres[:, 0]] - rows[:, [at.REACH]] * normals
        other = centres[spheres[:, 1]] + rows[:, [at.OTHERS_REACH]] * normals
        return Contacts(
            np.array(numbers, np.int64)[owners[spheres].astype(np.int64)].reshape(-1, 2), 0.5 * (one + other),
            normals.copy(), np.maximum(rows[:, at.DEPTH], 0.0), rows[:, at.PUSH] / max(h, 1e-300),
            rows[:, at.STICKS] > 0.0,
        )  # fmt: skip
