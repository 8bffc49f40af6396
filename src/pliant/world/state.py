"""The state of a world: that of dynamics/, with room for what contact and obstacles note of chunks and actors."""

from typing import Any

import numpy as np

from pliant.dynamics.state import Kept as Kept
from pliant.dynamics.state import State as State
from pliant.maths.aligned import aligned_zeros
from pliant.world.contact.layout import BODY_IMPACT
from pliant.world.layout import BOUNCE, MARK, MOTION, SUMS

CHUNK = 4096  # particles


def empty_state(sizes: list[int], dtype: Any, turning: bool = False) -> State:
    """Room for actors of these sizes, all numbers zero; `turning`: some of them have particles that turn."""
    state = State.empty(sizes, dtype, turning)
    firsts = [*state.origins.tolist(), len(state)]
    chunks = [
        (begin, min(begin + CHUNK, firsts[a + 1]), a)
        for a in range(len(sizes))
        for begin in range(firsts[a], firsts[a + 1], CHUNK)
    ]
    state.chunks = np.array(chunks, dtype=np.uint32).reshape(-1)
    state.sums = np.zeros(SUMS * len(chunks))
    state.motion = aligned_zeros(MOTION * len(sizes), np.float64)
    state.bounces = np.zeros(BOUNCE * len(sizes))
    state.impacts = np.zeros(BODY_IMPACT * len(sizes))
    state.marks = np.zeros(MARK)
    return state
