"""Copies of where some actors are, one actor after the other, for viewers and recordings."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from pliant.world.actor import Actor
from pliant.world.state import State


class Rows:
    """The same actors are asked for again and again, sixty times a second: where they stand is found once."""

    def __init__(self) -> None:
        self._actors: Sequence[Actor] = ()
        self._state: State | None = None
        self._order: NDArray[np.int64] | None = None  # None: all of them, as they stand

    def of(self, state: State, actors: Sequence[Actor]) -> NDArray[np.float32]:
        """Rows (P, 4) of x, y, z (m) and a zero."""
        if self._actors is not actors or self._state is not state:
            ranges = (actor._first + np.arange(len(actor.body.rest)) for actor in actors)
            order = np.concatenate([np.empty(0, np.int64), *ranges])
            self._order = None if np.array_equal(order, np.arange(len(state))) else order
            self._actors, self._state = actors, state
        x = state.x.reshape(-1, 4)
        if self._order is None:
            rows = x.astype(np.float32)
        else:
            rows = x.take(self._order, axis=0).astype(np.float32, copy=False)
        rows[:, 3] = 0.0
        return rows


def rotations_of(state: State, actors: Sequence[Actor]) -> NDArray[np.float32]:
    """Quaternions (T, 4) of those whose particles turn."""
    if not len(state.q):
        return np.empty((0, 4), np.float32)
    found = [rotations for actor in actors if (rotations := actor.rotations) is not None]
    return np.concatenate(found).astype(np.float32) if found else np.empty((0, 4), np.float32)
