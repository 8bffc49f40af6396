"""The state of one actor, apart from the world's: while that is laid out anew, and before the actor is in it."""

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pliant.world.validation import Array, as_vector

if TYPE_CHECKING:
    from pliant.world.actor import Actor


class ActorState:
    """Of one actor: positions, velocities, and what it and its model remember, in arrays of its own. Where its
    particles turn there are also rotations (V, 4), quaternions, and angular velocities (V, 3), rad/s."""

    def __init__(
        self,
        positions: NDArray[Any],
        velocities: NDArray[Any],
        memory: Any = None,
        rotations: NDArray[Any] | None = None,
        angular_velocities: NDArray[Any] | None = None,
    ) -> None:
        self.positions, self.velocities = positions, velocities
        self.rotations, self.angular_velocities = rotations, angular_velocities
        self.memory = memory  # what its model remembers of it


def placed(
    actor: "Actor", turn: Array, position: ArrayLike, velocity: ArrayLike, angular_velocity: ArrayLike
) -> ActorState:
    """Of an actor that comes: its body turned about its own origin and moved to `position` (m), flying with `velocity`
    (m/s) and turning with `angular_velocity` (rad/s) about its centre."""
    who, body = f'actor "{actor.name}"', actor.body
    positions = body.rest @ turn.T + as_vector(position, f"{who}: position")
    centre = body.masses @ positions / body.mass
    rate = as_vector(angular_velocity, f"{who}: angular_velocity")
    velocities = as_vector(velocity, f"{who}: velocity") + np.cross(rate, positions - centre)
    state = ActorState(positions, velocities)
    if actor._model.node.turns:
        state.rotations = np.tile(actor._rotation, (len(positions), 1))
        state.angular_velocities = np.tile(rate, (len(positions), 1))
    return state
