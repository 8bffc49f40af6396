"""The only mutable thing: flat arrays for all particles of all actors."""

from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from pliant.maths.aligned import aligned_zeros

Own = list[NDArray[Any]]  # the arrays of one model in the state, as it lays them out itself


class ContactMemory(Protocol):
    """What a contact system remembers from sub-step to sub-step."""

    def kept(self) -> list[NDArray[Any]]:
        """Copies of it; how long they are depends on how many contacts there are."""

    def put_back(self, memory: list[NDArray[Any]]) -> None:
        """The same again."""


@dataclass(eq=False)
class State:
    """V particles of A actors; rows of 4 numbers (x, y, z, unused).

    x m, v m/s: position and velocity;  y, p m: predicted and settled positions of the step under way; masses
    kg, inverse 1/kg: 0 where pinned;  acceleration m/s^2: from external forces, empty if there are none;
    own: each model's arrays. Where particles turn there
    are q: their rotations from rest (quaternions x, y, z, w), w rad/s: their angular velocities (the fourth number is 1
    for one that is a body by itself and may roll), and hulls: the ellipsoids that touch obstacles, E diag(r^2) E^T (6:
    00 11 22 01 02 12); else these are empty. sleep_timers (A,): how long each actor has been at rest (s), -1 for one
    that sleeps. substep_factor: how many times more sub-steps than asked for the last step took, and for how long fewer
    would have done (s). Kept from step to step: x, v, q, w, hulls, own, sleep_timers, substep_factor and what contacts
    remember. All else is made anew."""

    x: NDArray[Any]
    v: NDArray[Any]
    y: NDArray[Any]
    p: NDArray[Any]
    masses: NDArray[Any]
    inverse: NDArray[Any]
    acceleration: NDArray[Any]
    origins: NDArray[np.uint32]  # the first particle of each actor
    q: NDArray[Any]
    w: NDArray[Any]
    hulls: NDArray[Any]
    sleep_timers: NDArray[np.float64]
    own: dict[str, Own] = field(default_factory=dict)  # by the name of the model
    substep_factor: NDArray[np.float64] = field(default_factory=lambda: np.array([1.0, 0.0]))
    sleep_version: int = 0  # 0: no actor sleeps; else a number that is another one whenever others do
    sleep_changes: int = 0  # such numbers so far
    contacts: ContactMemory | None = None  # None: there are no actors

    @staticmethod
    def empty(sizes: list[int], dtype: Any, turning: bool = False) -> "State":
        """Room for actors of these sizes, all numbers zero; `turning`: some of them have particles that turn."""
        firsts = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
        count = int(firsts[-1])
        turned = count if turning else 0
        return State(
            x=aligned_zeros(4 * count, dtype),
            v=aligned_zeros(4 * count, dtype),
            y=aligned_zeros(4 * count, dtype),
            p=aligned_zeros(4 * count, dtype),
            masses=np.zeros(count, dtype),
            inverse=np.zeros(count, dtype),
            acceleration=np.zeros(0, dtype),
            origins=firsts[:-1].astype(np.uint32),
            q=aligned_zeros(4 * turned, dtype),
            w=aligned_zeros(4 * turned, dtype),
            hulls=aligned_zeros(6 * turned, dtype),
            sleep_timers=np.zeros(len(sizes)),
        )

    def __len__(self) -> int:
        return len(self.masses)

    def kept(self) -> "Kept":
        """Copies of all that is kept from step to step."""
        own = {name: [array.copy() for array in arrays] for name, arrays in self.own.items()}
        return Kept(
            self.x.copy(),
            self.v.copy(),
            (self.q.copy(), self.w.copy(), self.hulls.copy()),
            own,
            self.sleep_timers.copy(),
            self.substep_factor.copy(),
            [] if self.contacts is None else self.contacts.kept(),
        )

    def put_back(self, kept: "Kept") -> None:
        self.x[:], self.v[:] = kept.x, kept.v
        self.sleep_timers[:], self.substep_factor[:] = kept.sleep_timers, kept.substep_factor
        if self.contacts is not None:
            self.contacts.put_back(kept.contacts)
        self.put_back_own(kept)

    def put_back_own(self, kept: "Kept") -> None:
        """What models have written."""
        self.q[:], self.w[:], self.hulls[:] = kept.turning
        for name, arrays in kept.own.items():
            for mine, saved in zip(self.own[name], arrays, strict=True):
                mine[:] = saved


@dataclass(frozen=True, eq=False)
class Kept:
    """What a state keeps from step to step."""

    x: NDArray[Any]
    v: NDArray[Any]
    turning: tuple[NDArray[Any], NDArray[Any], NDArray[Any]]
    own: dict[str, Own]
    sleep_timers: NDArray[np.float64]
    substep_factor: NDArray[np.float64]
    contacts: list[NDArray[Any]]
