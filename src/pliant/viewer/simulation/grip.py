"""Taking hold of a body as a hand does: a patch of it, firmly in the middle and loosely at its edge.

A spring on a single vertex of the skin would draw out a spike.
"""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pliant.body import Body
from pliant.world import Actor

FIRMNESS = 400.0  # N/m for each kilogram of the body: it can be lifted with a stretch of 2.5 cm
PIN = 10.0  # times as firm; a spring still, so that nothing is torn where a hand lets go in a hurry
GRIP_REACH = 0.14  # of the diagonal of the body
FEWEST_GRIPPED, MOST_GRIPPED = 6, 48  # particles


def patch(body: Body, vertex: int) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """The particles round a vertex of the skin, and how firmly each is held, 1 together."""
    skin, rest = body.skin, body.rest
    distance = np.linalg.norm(rest - skin.weights[vertex] @ rest[skin.indices[vertex]], axis=1)
    nearest = np.argsort(distance, kind="stable")[:MOST_GRIPPED]
    reach = max(GRIP_REACH * np.linalg.norm(body.size), 1.2 * distance[nearest[:FEWEST_GRIPPED]].max())
    chosen = nearest[distance[nearest] < reach]
    firmness = (1.0 - (distance[chosen] / reach) ** 2) ** 2
    return chosen, firmness / firmness.sum()


class Grip:
    """Handles on the particles round a vertex of the skin, which keep their places relative to each other."""

    def __init__(self, actor: Actor, vertex: int) -> None:
        self.actor, self.vertex = actor, vertex
        probe = actor.grab(skin=vertex)  # checks the number, and knows where the vertex is
        here = self.target = probe.position
        probe.release()
        chosen, firmness = patch(actor.body, vertex)
        firmness *= FIRMNESS * actor.mass
        self.offsets = np.asarray(actor.positions[chosen], np.float64) - here
        self.handles = [
            actor.grab(int(particle), stiffness=float(stiffness))
            for particle, stiffness in zip(chosen, firmness, strict=True)
        ]

    @classmethod
    def again(
        cls,
        actor: Actor,
        vertex: int,
        particles: NDArray[np.int64],
        stiffness: NDArray[np.float64],
        offsets: NDArray[np.float64],
        target: ArrayLike,
    ) -> "Grip":
        """One that was let go: the same springs, wherever the body is by now."""
        grip = cls.__new__(cls)
        grip.actor, grip.vertex, grip.offsets = actor, vertex, offsets
        grip.handles = [
            actor.grab(int(particle), stiffness=float(each))
            for particle, each in zip(particles, stiffness, strict=True)
        ]
        grip.move_to(target)
        return grip

    def move_to(self, target: ArrayLike) -> None:
        """Pull the vertex, and what is round it, towards a point."""
        self.target = np.asarray(target, np.float64)
        for handle, offset in zip(self.handles, self.offsets, strict=True):
            handle.move_to(self.target + offset)

    def firm(self) -> None:
        """Hold it as a pin does: it hardly gives."""
        firmness = [PIN * handle.stiffness for handle in self.handles]
        particles = [int(handle.particles[0]) for handle in self.handles]
        self.release()
        self.handles = [
            self.actor.grab(particle, stiffness=stiffness)
            for particle, stiffness in zip(particles, firmness, strict=True)
        ]
        self.move_to(self.target)

    def release(self) -> None:
        """Let go."""
        for handle in self.handles:
            handle.release()
