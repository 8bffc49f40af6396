"""The pose designer: pin and pull a body, and see in which shape it would come to rest."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
from numpy.typing import NDArray

from pliant.models.fem.settings import Fem
from pliant.poses import settle
from pliant.runtime.errors import SettingsError
from pliant.viewer.simulation.posing import turned_back

if TYPE_CHECKING:
    from pliant.viewer.simulation.grip import Grip
    from pliant.world import Actor

Hold: TypeAlias = tuple[NDArray[np.int64], NDArray[np.float64]]  # particles (n,), and where they belong (n, 3)

HAND_STIFFNESS = 10.0  # times as stiff as the material: a hand is softer than a vice, and leaves no spikes


def settled(actor: "Actor", grips: Iterable["Grip"]) -> NDArray[np.float64]:
    """Where the particles (V, 3) of an actor come to rest, by the static solver and without weight, while grips hold
    it. Its material is that of its own settings if it is made of finite elements; else only the shape matters."""
    mine = [grip for grip in grips if grip.actor is actor]
    pins, handles = own_holds(actor, mine)
    if not (mine or pins or handles):
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
        pins=pins or None,
        handles=merged([*held, *handles], {int(particle) for particles, _ in pins for particle in particles}) or None,
        # from the rest shape where the body is: what it does at this moment may be crushed, and would stay so
        start=turned_back(actor.body.rest, np.asarray(actor.positions, np.float64), actor.body.masses),
        young=settings.young,
        poisson=settings.poisson,
        material=settings.material,
        grip=HAND_STIFFNESS,
    )


def own_holds(actor: "Actor", grips: Iterable["Grip"]) -> tuple[list[Hold], list[Hold]]:
    """What holds an actor besides these grips, such as the exhibit's own pins: those that are exact, and those that are
    springs; each as particles (n,) and where they belong now (n, 3)."""
    world, hands = actor.world, {handle for grip in grips for handle in grip.handles}
    taken: list[Hold] = []
    for pin in world._inputs.pins:
        if pin.actor is actor:
            taken.append((np.asarray(pin.particles, np.int64), np.asarray(pin.targets(world.time), np.float64)))
    springs: list[Hold] = []
    for handle in world._inputs.handles:
        if handle.actor is actor and not handle.is_aim and handle not in hands:
            nearest = int(handle.particles[int(np.argmax(handle.weights))])
            goal = np.asarray(actor.positions[nearest], np.float64) + (handle.target - handle.position)
            springs.append((np.array([nearest]), goal[None]))
    return merged(taken), springs


def merged(held: list[Hold], taken: set[int] | None = None) -> list[Hold]:
    """A particle that is held several times belongs to the first; none of those that are `taken` already is held."""
    taken = set(taken or ())
    merged = []
    for particles, goals in held:
        free = np.array([int(particle) not in taken for particle in particles])
        taken.update(particles.tolist())
        if free.any():
            merged.append((particles[free], goals[free]))
    return merged
