"""What comes into a sub-step from outside, as flat arrays: pins, handles, obstacles, gravity."""

from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


class Handles(NamedTuple):
    """H springs from points of the actors of one model to targets."""

    actors: NDArray[np.int64]  # (H,) number of the actor among those of the model
    particles: NDArray[np.int32]  # (H, 4) that carry the point which is held, counted from the actor's first
    weights: Array  # (H, 4) of these particles; their sum is 1
    arms: Array  # (H, 4, 3) m at rest: from each of them to the point; of an aim its direction; 0 where nothing turns
    stiffness: Array  # (H,) N/m; of an aim N m
    aims: NDArray[np.bool_]  # (H,) whether a direction is turned there, instead of the point being pulled
    targets: Array  # (H, 3) at the end of the sub-step: m, of an aim a unit vector; written anew in every sub-step

    @staticmethod
    def room(count: int) -> "Handles":
        """For so many, all numbers zero.

        >>> Handles.room(2).targets.shape
        (2, 3)
        """
        return Handles(
            np.zeros(count, np.int64), np.zeros((count, 4), np.int32), np.zeros((count, 4)), np.zeros((count, 4, 3)),
            np.zeros(count), np.zeros(count, bool), np.zeros((count, 3)),
        )  # fmt: skip


@dataclass(eq=False)
class StepInputs:
    """Everything is known before anything moves."""

    gravity: tuple[float, float, float] = (0.0, 0.0, 0.0)  # m/s^2
    version: int = 0  # rises when pins, handles or obstacles come or go, or particles stand elsewhere in the state
    # ---- pins: n particles, and where they belong at the end of the sub-step (3 n), m. Their inverse mass is 0.
    pinned: NDArray[np.int64] = field(default_factory=lambda: np.empty(0, np.int64))
    places: Array = field(default_factory=lambda: np.empty(0))
    # particles, and their rotations (n, 4) at the end of the sub-step, where a path turns them
    pinned_rotations: list[tuple[NDArray[Any], Array]] = field(default_factory=list)
    # ---- handles: those that a model pulls by itself, by its name; then those that are pulled after all models, four
    # particles each and a row of stiffness (N/m), target (3) m, weights (4)
    held: dict[str, Handles] = field(default_factory=dict)
    grabbed: NDArray[np.uint32] = field(default_factory=lambda: np.empty(0, np.uint32))
    springs: Array = field(default_factory=lambda: np.empty((0, 8)))
    # ---- obstacles: rows (collision/layout.py), and the distance grids of those that are meshes
    rows: Array = field(default_factory=lambda: np.empty(0))
    grids: NDArray[np.float32] = field(default_factory=lambda: np.empty(0, np.float32))
