"""What holds an actor: pins (hard) and handles (soft)."""

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pliant.dynamics.step_inputs import Handles
from pliant.geometry.measures import diagonal
from pliant.geometry.turning import quaternion_products, rotation_matrices
from pliant.runtime.errors import SettingsError
from pliant.world.paths import Motion, as_path, at
from pliant.world.validation import as_quaternion, as_vector, positive

if TYPE_CHECKING:
    from pliant.world.actor import Actor

Array = NDArray[np.float64]
# A handle lifts the whole actor with this stretch on Earth (m): stiff enough to follow a hand, and for what
# hangs on it soft enough to be seen to give.
HANDLE_STRETCH = 0.025


class Pin:
    """Particles that stay where they are, or go where a path takes them, whatever else happens."""

    def __init__(self, actor: "Actor", particles: NDArray[np.int32], origin: Array, path: Motion | None) -> None:
        self.actor, self.particles = actor, particles
        self.who = f'actor "{actor.name}": pin'
        self.path = as_path(path, self.who)
        self.origin = origin  # (n, 3): where the particles were when they were pinned
        self.centre = origin.mean(axis=0)
        self.begin = actor.world.time
        self.start = np.array(actor._rotations_here()[particles], np.float64) if actor._model.node.turns else None
        self.targets(self.begin)  # a path that gives nonsense should say so here

    def targets(self, time: float) -> Array:
        """Where the particles belong at a time (n, 3). A path begins when the pin is set."""
        if self.path is None:
            return self.origin
        offset, turn = at(self.path, time - self.begin, self.who)
        return (self.origin - self.centre) @ turn.T + (self.centre + offset)

    def rotations(self, time: float) -> Array | None:
        """How the particles are turned at a time (n, 4), where they turn at all and follow a path."""
        if self.path is None or self.start is None:
            return None
        turn = as_quaternion(at(self.path, time - self.begin, self.who)[1])
        return quaternion_products(np.tile(turn, (len(self.start), 1)), self.start)

    def release(self) -> None:
        """Let go."""
        self.actor.world._inputs.drop_pin(self)


class Handle:
    """A spring from a particle, or from a point of the skin, to a point in space that can be moved."""

    is_aim = False  # it moves the point; an aim turns it

    def __init__(
        self,
        actor: "Actor",
        particles: NDArray[np.int32],
        weights: Array,
        origin: Array,
        stiffness: Any,
        path: Motion | None,
        arms: Array | None = None,
    ) -> None:
        self.actor, self.particles, self.weights = actor, particles, weights
        self.arms = arms  # (4, 3): from each particle to the point at rest, where particles turn
        self.who = f'actor "{actor.name}": handle'
        given = 9.81 * actor.mass / HANDLE_STRETCH if stiffness is None else stiffness
        self.stiffness = positive(given, f"{self.who}: stiffness", "newtons per metre")
        self.path = as_path(path, self.who)
        self.origin, self.begin = origin, actor.world.time
        self.goal(self.begin)  # a path that gives nonsense should say so here

    @property
    def position(self) -> Array:
        """The point that is held (3,), now."""
        return held_point(self.actor, self.particles, self.weights, self.arms)

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


def handle_rows(handles: "list[Handle]") -> Handles:
    """Handles of actors of one model as flat arrays, for it to pull at."""
    rows = Handles.room(len(handles))
    for row, handle in enumerate(handles):
        rows.actors[row], rows.particles[row] = handle.actor._number, handle.particles
        rows.weights[row], rows.stiffness[row], rows.aims[row] = handle.weights, handle.stiffness, handle.is_aim
        if handle.arms is not None:
            rows.arms[row] = handle.arms
    return rows


def held_point(actor: "Actor", particles: NDArray[np.int32], weights: Array, arms: Array | None) -> Array:
    """Where a point that rides on particles is now (3,)."""
    points = np.asarray(actor._here()[particles], dtype=np.float64)
    if arms is not None:
        points = points + turned_arms(actor, particles, arms)
    return weights @ points


def turned_arms(actor: "Actor", particles: NDArray[np.int32], arms: Array) -> Array:
    """Vectors at rest (4, 3) as the particles have turned them."""
    return np.einsum("nij,nj->ni", rotation_matrices(actor._rotations_here()[particles]), arms)


class Aim(Handle):
    """Turns the body so that a direction at a point of its skin points elsewhere; for particles that turn."""

    is_aim = True

    def __init__(
        self,
        actor: "Actor",
        particles: NDArray[np.int32],
        weights: Array,
        direction: Array,
        origin: Array,
        stiffness: Any,
        path: Motion | None,
    ) -> None:
        self.who = f'actor "{actor.name}": aim'
        given = 9.81 * actor.mass / HANDLE_STRETCH * diagonal(actor.body.rest) ** 2 if stiffness is None else stiffness
        super().__init__(actor, particles, weights, origin, given, path, np.tile(direction, (4, 1)))
        self.direction = direction  # at rest

    @property
    def position(self) -> Array:
        """Where the direction points now: a unit vector (3,)."""
        turned = self.weights @ turned_arms(self.actor, self.particles, np.tile(self.direction, (4, 1)))
        return turned / max(float(np.linalg.norm(turned)), 1e-12)

    def goal(self, time: float) -> Array:
        """The unit vector (3,) that it is turned to at a time. A path turns the first one."""
        if self.path is None:
            return self.origin
        return at(self.path, time - self.begin, self.who)[1] @ self.origin

    def move_to(self, target: ArrayLike) -> None:
        """Turn towards another direction from now on. Ends a path."""
        vector = as_vector(target, f"{self.who}: target")
        length = float(np.linalg.norm(vector))
        if length == 0:
            raise SettingsError(f"{self.who}: target = (0, 0, 0); give a direction")
        self.origin, self.path = vector / length, None
