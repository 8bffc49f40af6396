"""The only mutable thing: flat arrays for all particles of all actors."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pliant.maths.aligned import aligned_zeros
from pliant.world.layout import BOUNCE, MOTION, SUMS

CHUNK = 4096  # particles


@dataclass(eq=False)
class State:
    """V particles of A actors; rows of 4 numbers (x, y, z, unused).

    x m, v m/s: position and velocity;  y, p m: predicted and settled positions of the step under way; masses
    kg, inverse 1/kg: 0 where pinned;  acceleration m/s^2: from external forces, empty if there are none;
    bounces: of each actor, what it remembers of an impact;  own: each model's arrays. Kept from step to step:
    x, v, bounces and own. All else is made anew."""

    x: NDArray[Any]
    v: NDArray[Any]
    y: NDArray[Any]
    p: NDArray[Any]
    masses: NDArray[Any]
    inverse: NDArray[Any]
    acceleration: NDArray[Any]
    chunks: NDArray[np.uint32]  # 3 per chunk: first particle, last + 1, actor
    origins: NDArray[np.uint32]  # the first particle of each actor
    sums: NDArray[np.float64]  # scratch of each chunk
    motion: NDArray[np.float64]  # scratch of each actor, and its damping
    bounces: NDArray[np.float64]
    own: dict[str, list[NDArray[Any]]] = field(default_factory=dict)

    @staticmethod
    def empty(sizes: list[int], dtype: Any) -> "State":
        """Room for actors of these sizes, all numbers zero."""
        firsts = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
        count = int(firsts[-1])
        chunks = [
            (begin, min(begin + CHUNK, int(firsts[a + 1])), a)
            for a in range(len(sizes))
            for begin in range(int(firsts[a]), int(firsts[a + 1]), CHUNK)
        ]
        return State(
            x=aligned_zeros(4 * count, dtype),
            v=aligned_zeros(4 * count, dtype),
            y=aligned_zeros(4 * count, dtype),
            p=aligned_zeros(4 * count, dtype),
            masses=np.zeros(count, dtype),
            inverse=np.zeros(count, dtype),
            acceleration=np.zeros(0, dtype),
            chunks=np.array(chunks, dtype=np.uint32).reshape(-1),
            origins=firsts[:-1].astype(np.uint32),
            sums=np.zeros(SUMS * len(chunks)),
            motion=np.zeros(MOTION * len(sizes)),
            bounces=np.zeros(BOUNCE * len(sizes)),
        )

    def __len__(self) -> int:
        return len(self.masses)

    def kept(self) -> "Kept":
        """Copies of all that is kept from step to step."""
        own = {name: [array.copy() for array in arrays] for name, arrays in self.own.items()}
        return Kept(self.x.copy(), self.v.copy(), self.bounces.copy(), own)

    def put_back(self, kept: "Kept") -> None:
        self.x[:], self.v[:], self.bounces[:] = kept.x, kept.v, kept.bounces
        self.put_back_own(kept.own)

    def put_back_own(self, own: dict[str, list[NDArray[Any]]]) -> None:
        for name, arrays in own.items():
            for mine, saved in zip(self.own[name], arrays, strict=True):
                mine[:] = saved


@dataclass(frozen=True, eq=False)
class Kept:
    """What a state keeps from step to step."""

    x: NDArray[Any]
    v: NDArray[Any]
    bounces: NDArray[np.float64]
    own: dict[str, list[NDArray[Any]]]
