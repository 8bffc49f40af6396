"""What holds an actor: pins (hard) and handles (soft)."""

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pliant.world.given import as_vector, positive
from pliant.world.paths import Motion, as_path, at

if TYPE_CHECKING:
    from pliant.world.actor import Actor

Array = NDArray[np.float64]
# A handle lifts the whole actor with this stretch on Earth (m): stiff enough to follow a hand, and for what
# hangs on it soft enough to be seen to give.
STRETCH = 0.025


class Pin:
    """Particles that stay where they are, or go where a path takes them, whatever else happens."""

    def __init__(self, actor: "Actor", particles: NDArray[np.int32], origin: Array, path: Motion | None) -> None:
        self.actor, self.particles = actor, particles
        self.who = f'actor "{actor.name}": pin'
        self.path = as_path(path, self.who)
        self.origin = origin  # (n, 3): where the particles were when they were pinned
        self.centre = origin.mean(axis=0)
        self.begin = actor.world.time
        self.targets(self.begin)  # a path that gives nonsense should say so here

    def targets(self, time: float) -> Array:
        """Where the particles belong at a time (n, 3). A path begins when the pin is set."""
        if self.path is None:
            return self.origin
        offset, turn = at(self.path, time - self.begin, self.who)
        return (self.origin - self.centre) @ turn.T + (self.centre + offset)

    def release(self) -> None:
        """Let go."""
        self.actor.world._inputs.drop_pin(self)


class Handle:
    """A spring from a particle, or from a point of the skin, to a point in space that can be moved."""

    def __init__(
        self,
        actor: "Actor",
        particles: NDArray[np.int32],
        weights: Array,
        origin: Array,
        stiffness: Any,
        path: Motion | None,
    ) -> None:
        self.actor, self.particles, self.weights = actor, particles, weights
        self.who = f'actor "{actor.name}": handle'
        given = 9.81 * actor.mass / STRETCH if stiffness is None else stiffness
        self.stiffness = positive(given, f"{self.who}: stiffness", "newtons per metre")
        self.path = as_path(path, self.who)
        self.origin, self.begin = origin, actor.world.time
        self.goal(self.begin)

    @property
    def position(self) -> Array:
        """The point that is held (3,), now."""
        return self.weights @ np.asarray(self.actor.positions[self.particles], dtype=np.float64)

    @property
    def target(self) -> Array:
        """The point it is pulled to (3,), now."""
        return self.goal(self.actor.world.time)

    def move_to(self, target: ArrayLike) -> None:
        """Pull towards another point from now on. Ends a path."""
        self.origin = as_vector(target, f"{self.who}: target")
        self.path = None

    def goal(self, time: float) -> Array:
        """The point it is pulled to (3,) at a time. A path begins when the actor is grabbed."""
        if self.path is None:
            return self.origin
        return self.origin + at(self.path, time - self.begin, self.who)[0]

    def release(self) -> None:
        """Let go."""
        self.actor.world._inputs.drop_handle(self)
