"""The pose designer: pin and pull a body, and see in which shape it would come to rest."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from pliant.models.fem.settings import Fem
from pliant.poses import settle
from pliant.runtime.errors import SettingsError
from pliant.viewer.simulation.posing import turned_back

if TYPE_CHECKING:
    from pliant.viewer.simulation.grip import Grip
    from pliant.world import Actor

HAND_STIFFNESS = 10.0  # times as stiff as the material: a hand is softer than a vice, and leaves no spikes


def settled(actor: "Actor", grips: Iterable["Grip"]) -> NDArray[np.float64]:
    """Where the particles (V, 3) of an actor come to rest, by the static solver and without weight, while grips hold
    it. Its material is that of its own settings if it is made of finite elements; else only the shape matters."""
    mine = [grip for grip in grips if grip.actor is actor]
    if not mine:
        raise SettingsError(f'nothing holds "{actor.name}"; pull it with shift to pin it, in two places at least')
    if actor.body.tets is None:
        raise SettingsError(f'"{actor.name}" is a {actor.body.kind}; only solids of tets settle: choose another model')
    settings = actor.settings if isinstance(actor.settings, Fem) else Fem()
    held = [
        (
            np.array([int(handle.particles[0]) for handle in grip.handles]),
            np.array([handle.target for handle in grip.handles]),
        )
        for grip in mine
    ]
    return settle(
        actor.body,
        handles=_merged(held),
        # from the rest shape where the body is: what it does at this moment may be crushed, and would stay so
        start=turned_back(actor.body.rest, np.asarray(actor.positions, np.float64), actor.body.masses),
        young=settings.young,
        poisson=settings.poisson,
        material=settings.material,
        grip=HAND_STIFFNESS,
    )


def _merged(
    held: list[tuple[NDArray[np.int64], NDArray[np.float64]]],
) -> list[tuple[NDArray[np.int64], NDArray[np.float64]]]:
    """A particle that several grips hold belongs to the first of them."""
    taken: set[int] = set()
    merged = []
    for particles, goals in held:
        free = np.array([int(particle) not in taken for particle in particles])
        taken.update(particles.tolist())
        if free.any():
            merged.append((particles[free], goals[free]))
    return merged
