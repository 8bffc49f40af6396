"""Where bodies touched, as the world tells it."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pliant.collision import layout as at
from pliant.collision.records import Found, Work

Array = NDArray[np.float64]


class Contacts(NamedTuple):
    """Where bodies touched in the last sub-step, C rows: actors (C, 2) as numbers in `World.actors`, points (C, 3) m,
    normals (C, 3) from the second actor to the first, depths (C,) m to which they were in one another, pushes (C,) N s
    along the normal, and sticking (C,): whether friction holds."""

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
    def of(work: Work, found: Found, numbers: NDArray[Any]) -> "Contacts":
        """From the rows of the kernels, those that push; numbers (B,): of each body's actor in the world."""
        spans, pairs = found.spans.reshape(-1, 2), work.pairs.reshape(-1, 2)
        chosen = [m for m in range(int(work.counts[at.FOUND])) if pairs[m, 1] >= 0]
        which = np.repeat(chosen, [spans[m, 1] - spans[m, 0] for m in chosen]).astype(np.int64)
        places = np.concatenate([np.empty(0, np.int64), *(np.arange(*spans[m]) for m in chosen)])
        rows = found.rows.reshape(-1, at.ROW)[places]
        swapped = found.sides.reshape(-1, at.ROW_SIDES)[places, at.KEY] >= at.DIRECTION_KEYS
        bodies = np.where(swapped[:, None], pairs[which][:, ::-1], pairs[which])
        pushing = rows[:, at.IMPULSES] > 0.0
        rows, bodies = rows[pushing], bodies[pushing]
        tangential = np.linalg.norm(rows[:, at.IMPULSES + 1 : at.IMPULSES + 3], axis=1)
        return Contacts(
            numbers[bodies].reshape(-1, 2), rows[:, at.POINT : at.POINT + 3].copy(),
            rows[:, at.NORMAL : at.NORMAL + 3].copy(), np.maximum(-rows[:, at.ROW_GAP], 0.0),
            rows[:, at.IMPULSES].copy(), tangential < rows[:, at.ROW_FRICTION] * rows[:, at.IMPULSES],
        )  # fmt: skip
