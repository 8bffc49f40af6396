"""Pulling at a draft: a patch of the skin goes where the hand takes it, and the body follows as it settles."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from pliant.body import Body
from pliant.models.fem.settings import Fem
from pliant.poses import settle
from pliant.runtime.errors import BodyError, SettingsError
from pliant.viewer.simulation.brushes import carrying_of, fading, fitted
from pliant.viewer.simulation.grip import patch
from pliant.viewer.simulation.ready_poses import skin_of
from pliant.viewer.simulation.settling import HAND_STIFFNESS, Hold, merged

if TYPE_CHECKING:
    from pliant.models.settings import Settings

Array = NDArray[np.float64]

STRIDES = 12  # iterations of the static solver while a hand pulls; it goes on from there with the next pull
AT_REST = 60  # iterations when it lets go
FAR_END = 0.75  # of the way to what is farthest from the hand: what is farther than that stays, if nothing else is held
FIT_ROUNDS = 30  # of fitting the regions of bodies that have no tets


@dataclass(frozen=True, eq=False)
class HeldPatch:
    """A patch of the skin round a vertex, as a hand or a pin holds it: particles (n,) and where each is from the point
    (n, 3), which is at `target`."""

    vertex: int
    particles: NDArray[np.int64]
    offsets: Array
    target: Array

    @classmethod
    def of(cls, body: Body, shape: Array, vertex: int) -> "HeldPatch":
        """Where the draft has it now."""
        if vertex >= len(body.skin.vertices):
            raise SettingsError("there is no such point on the skin any more; pull again")
        chosen, _ = patch(body, vertex)
        here = skin_of(body, shape)[vertex]
        return cls(vertex, chosen, shape[chosen] - here, here)

    @property
    def hold(self) -> Hold:
        """Its particles, and where they belong."""
        return self.particles, self.target + self.offsets


def elastic_body(body: Body, base: Array) -> Body | None:
    """A body that is at rest in the shape `base`, so that pulling does not undo what was drawn before; None where the
    shape is none that could be at rest, or the body is no solid."""
    if body.tets is None:
        return None
    if np.array_equal(base, body.rest):
        return body
    try:
        return Body(base, tets=body.tets, name=body.name, skin=body.skin, density=body.density)
    except BodyError:  # some of it is inside out
        return body


def pulled(
    solid: Body | None, body: Body, base: Array, shape: Array, held: Sequence[HeldPatch], own: Sequence[Hold], *,
    settings: "Settings", done: bool,
) -> Array:  # fmt: skip
    """The shape (V, 3) that follows the patches that are held, from what was drawn before, `base`. own: what the
    exhibit itself holds; where neither that nor a second patch holds the body, what is far from the hand stays. done:
    the hand lets go, so that it comes to rest."""
    still = list(own)
    if len(held) == 1 and not still:
        still = [_far_from(held[0], body, base)]
    hands = merged([each.hold for each in held], {int(particle) for where, _ in still for particle in where})
    if solid is None:
        return _fitted(body, shape, [*still, *hands])
    material = settings if isinstance(settings, Fem) else Fem()
    return settle(
        solid,
        pins=merged(still) or None,
        handles=hands or None,
        start=shape,
        young=material.young,
        poisson=material.poisson,
        material=material.material,
        grip=HAND_STIFFNESS,
        iterations=AT_REST if done else STRIDES,
        rough=True,
    )


def _far_from(hand: HeldPatch, body: Body, base: Array) -> Hold:
    distance = np.linalg.norm(base - skin_of(body, base)[hand.vertex], axis=1)
    far = np.flatnonzero(distance > FAR_END * distance.max())
    return far, base[far]


def _fitted(body: Body, shape: Array, holds: Sequence[Hold]) -> Array:
    """Sheets, ropes, graphs: regions are moved and turned until they fit, with the held particles in their places."""
    parts = carrying_of(body).regions
    now = shape.copy()
    for particles, places in holds:
        step = places - now[particles]
        reach = 0.5 * float(np.linalg.norm(body.size))
        nearness = fading(np.linalg.norm(now - now[particles].mean(axis=0), axis=1), reach)
        now += nearness[:, None] * step.mean(axis=0)  # a first guess: the neighbourhood goes along
    for _ in range(FIT_ROUNDS):
        for particles, places in holds:
            now[particles] = places
        now = fitted(parts, now, rigid=True)
    for particles, places in holds:
        now[particles] = places
    return now
