"""What a sub-step works with: the one thing that stages and models are given."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import DTypeLike, NDArray

from pliant.dynamics.state import State
from pliant.dynamics.step_inputs import StepInputs
from pliant.maths.aligned import aligned_zeros
from pliant.runtime.thread_pool import ThreadPool


class Scratch:
    """Room for what is forgotten within one call, a piece for each thread. It only grows, so a step allocates nothing
    once it has been played; models take turns with it."""

    def __init__(self) -> None:
        self._rooms: dict[tuple[int, np.dtype[Any]], NDArray[Any]] = {}

    def room(self, thread: int, size: int, dtype: DTypeLike) -> NDArray[Any]:
        """At least so many numbers, aligned for lanes. What is in them is left from the last use.

        >>> scratch = Scratch()
        >>> scratch.room(0, 100, np.float32) is scratch.room(0, 50, np.float32)
        True
        """
        key = thread, np.dtype(dtype)
        if key not in self._rooms or len(self._rooms[key]) < size:
            self._rooms[key] = aligned_zeros(size, dtype)
        return self._rooms[key]


class StepContext(NamedTuple):
    """Made once for all sub-steps of a step: records of arrays, so that a compiled call can be given what they hold."""

    state: State  # of the whole world; the only thing that is written
    inputs: StepInputs  # gathered anew for each sub-step, in the same object
    h: float  # s: the length of a sub-step
    pool: ThreadPool  # results are the same bits for any number of threads
    scratch: Scratch

    @staticmethod
    def alone(state: State, h: float) -> "StepContext":
        """For a model that is called without a world: nothing is held, and this thread does all."""
        return StepContext(state, StepInputs(), h, ThreadPool(1), Scratch())
