"""What holds an actor: pins (hard) and handles (soft)."""

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pliant.errors import SettingsError
from pliant.world.paths import Motion, as_vector, at

if TYPE_CHECKING:
    from pliant.world.actor import Actor

Array = NDArray[np.float64]


class Pin:
    """Particles that stay where they are, or go where a path takes them, whatever else happens."""

    def __init__(self, actor: "Actor", particles: NDArray[np.int32], origin: Array, path: Motion | None) -> None:
        self.actor, self.particles, self.path = actor, particles, path
        self.origin = origin  # (n, 3): where the particles were when they were pinned
        self.centre = origin.mean(axis=0)
        self.begin = actor.world.time

    def targets(self, time: float) -> Array:
        """Where the particles belong at a time (n, 3). A path begins when the pin is set."""
        if self.path is None:
            return self.origin
        offset, turn = at(self.path, time - self.begin, f'actor "{self.actor.name}": pin')
        return (self.origin - self.centre) @ turn.T + self.centre + offset

    def release(self) -> None:
        """Let go."""
        self.actor.world._drop(self)


class Handle:
    """A spring from a particle, or from a point of the skin, to a point in space that can be moved."""

    def __init__(
        self, actor: "Actor", particles: NDArray[np.int32], weights: Array, target: Array, stiffness: float, path: Motion | None
    ) -> None:
        self.actor, self.particles, self.weights = actor, particles, weights
        self.target = target
        self.stiffness = stiffness  # N/m
        self.path, self.origin, self.begin = path, target.copy(), actor.world.time

    @property
    def position(self) -> Array:
        """The point that is held (3,), now."""
        return self.weights @ np.asarray(self.actor.positions[self.particles], dtype=np.float64)

    def move_to(self, target: ArrayLike) -> None:
        """Pull towards another point from now on. Ends a path."""
        self.target = as_vector(target, f'actor "{self.actor.name}": handle: target')
        self.path = None

    def goal(self, time: float) -> Array:
        if self.path is not None:
            self.target = self.origin + at(self.path, time - self.begin, f'actor "{self.actor.name}": handle')[0]
        return self.target

    def release(self) -> None:
        """Let go."""
        self.actor.world._drop(self)


def handle_stiffness(given: Any, mass: float, who: str) -> float:
    """Newtons per metre; by default strong enough to lift the whole actor with a stretch of 2.5 cm on Earth."""
    if given is None:
        return 400.0 * mass
    if not (np.isscalar(given) and np.isfinite(float(given)) and float(given) > 0):  # type: ignore[arg-type]
        raise SettingsError(f"{who}: handle: stiffness = {given!r}; give a positive number of newtons per metre")
    return float(given)
