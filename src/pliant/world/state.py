"""The only mutable thing: flat arrays for all particles of all actors."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

CHUNK = 4096  # particles


@dataclass(eq=False)
class State:
    """V particles of A actors; rows of 4 numbers (x, y, z, unused).

    x m, v m/s: position and velocity;  y, p m: predicted and settled positions of the step under way;
    masses kg, inverse 1/kg: 0 where pinned;  acceleration m/s^2: from external forces, empty if there are none;
    own: each model's arrays.
    """

    x: NDArray[Any]
    v: NDArray[Any]
    y: NDArray[Any]
    p: NDArray[Any]
    masses: NDArray[Any]
    inverse: NDArray[Any]
    acceleration: NDArray[Any]
    chunks: NDArray[np.uint32]  # 3 per chunk: first particle, last + 1, actor
    origins: NDArray[np.uint32]  # the first particle of each actor
    sums: NDArray[np.float64]
    motion: NDArray[np.float64]
    own: dict[str, list[NDArray[Any]]] = field(default_factory=dict)

    @staticmethod
    def empty(sizes: list[int], dtype: Any) -> "State":
        """Room for actors of these sizes, all numbers zero."""
        firsts = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
        count = int(firsts[-1])
        chunks = [
            (begin, min(begin + CHUNK, firsts[a + 1]), a)
            for a in range(len(sizes))
            for begin in range(int(firsts[a]), int(firsts[a + 1]), CHUNK)
        ]
        return State(
            *(np.zeros(4 * count, dtype) for _ in range(4)),
            masses=np.zeros(count, dtype),
            inverse=np.zeros(count, dtype),
            acceleration=np.zeros(0, dtype),
            chunks=np.array(chunks, dtype=np.uint32).reshape(-1),
            origins=firsts[:-1].astype(np.uint32),
            sums=np.zeros(16 * len(chunks)),
            motion=np.zeros(12 * len(sizes)),
        )

    def __len__(self) -> int:
        return len(self.masses)
