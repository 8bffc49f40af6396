"""What an actor takes along while the state is laid out anew, and what it comes with."""

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pliant.world.given import Array, as_vector

if TYPE_CHECKING:
    from pliant.world.actor import Actor


class Luggage:
    """Of one actor: places, velocities and memories, in arrays of its own."""

    def __init__(
        self,
        positions: NDArray[Any],
        velocities: NDArray[Any],
        bounce: NDArray[Any] | None = None,
        memory: Any = None,
        turns: NDArray[Any] | None = None,
        spins: NDArray[Any] | None = None,
    ) -> None:
        self.positions, self.velocities = positions, velocities
        self.turns, self.spins = turns, spins  # of particles that turn: quaternions (V, 4), rad/s (V, 3)
        self.bounce = bounce  # what it remembers of its last impact
        self.memory = memory  # what its model remembers of it


def placed(actor: "Actor", turn: Array, position: ArrayLike, velocity: ArrayLike, spin: ArrayLike) -> Luggage:
    """Of an actor that comes: its body turned about its own origin and moved to `position` (m), flying with `velocity`
    (m/s) and turning with `spin` (rad/s) about its centre."""
    who, body = f'actor "{actor.name}"', actor.body
    positions = body.rest @ turn.T + as_vector(position, f"{who}: position")
    centre = body.masses @ positions / body.mass
    rate = as_vector(spin, f"{who}: angular_velocity")
    velocities = as_vector(velocity, f"{who}: velocity") + np.cross(rate, positions - centre)
    luggage = Luggage(positions, velocities)
    if actor._model.oriented:
        luggage.turns = np.tile(actor._rotation, (len(positions), 1))
        luggage.spins = np.tile(rate, (len(positions), 1))
    return luggage
