"""All that people have made of an exhibit, at one moment: to go back to, and to keep."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from pliant.body import Body
from pliant.models.settings import Settings
from pliant.viewer.simulation.grip import Grip
from pliant.viewer.simulation.panel_state import PinMark

if TYPE_CHECKING:
    from pliant.viewer.simulation.simulation import Simulation


@dataclass(frozen=True, eq=False)
class KeptPin:
    """A pin, and what its springs hold: particles (n,) with their stiffness (N/m) and their places about the point."""

    mark: PinMark
    particles: NDArray[np.int64]
    stiffness: NDArray[np.float64]
    offsets: NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Edits:
    """changes: the tables of `Simulation.changes`.  actors: the body that each was given, its settings, and what counts
    as not tuned.  groups: as they are drawn (grouping.py).  towed: how far obstacles were dragged (m).  Arrays and
    bodies are shared, and never written to."""

    changes: tuple[Mapping[Any, Any], ...]
    actors: Mapping[str, tuple[Body, Settings, Settings]]
    groups: Mapping[str, Any]
    pins: tuple[KeptPin, ...]
    towed: Mapping[int, NDArray[np.float64]]
    studio: Any
    second: "Edits | None"


def edits_of(simulation: "Simulation") -> Edits:
    """As they are now."""
    second = simulation.comparison.second
    own = simulation._own_settings
    return Edits(
        changes=tuple(dict(each) for each in simulation.changes()),
        actors={actor.name: (actor.given, actor.settings, own[actor.name]) for actor in simulation.actors},
        groups=simulation.grouping.kept(),
        pins=tuple(_kept(mark, grip) for mark, grip in simulation.editor.pins()),
        towed={number: goal.copy() for number, goal in simulation.towing.goals().items()},
        studio=simulation.studio.state,
        second=None if second is None else edits_of(second),
    )


def bring_back(simulation: "Simulation", edits: Edits) -> None:
    """Everything as it was made then; bodies stay where they are. What the world has no place for any more, since a
    file was changed meanwhile, is left out."""
    simulation.comparison.have(edits.second is not None)
    _bring_back(simulation, edits)
    if simulation.comparison.second is not None and edits.second is not None:
        _bring_back(simulation.comparison.second, edits.second)


def _bring_back(simulation: "Simulation", edits: Edits) -> None:
    for mine, kept in zip(simulation.changes(), edits.changes, strict=True):
        mine.clear()
        mine.update(kept)
    world = simulation.world
    for actor in simulation.actors:
        if actor.name in edits.actors:
            body, settings, own = edits.actors[actor.name]
            if body is not actor.given:
                world.recast(actor, body, settings)
            elif settings is not actor.settings:
                actor.settings = settings
            simulation._own_settings[actor.name] = own
    simulation.grouping.bring_back(edits.groups)
    simulation.editor.arrange()
    simulation.towing.go_to(world, edits.towed)
    simulation.editor.set_pins([_pinned(simulation, pin) for pin in edits.pins])
    simulation.studio.bring_back(edits.studio)


def _kept(mark: PinMark, grip: Grip) -> KeptPin:
    particles = np.array([int(handle.particles[0]) for handle in grip.handles])
    return KeptPin(mark, particles, np.array([handle.stiffness for handle in grip.handles]), np.asarray(grip.offsets))


def _pinned(simulation: "Simulation", pin: KeptPin) -> tuple[PinMark, Grip]:
    actor = simulation.world[pin.mark.actor]
    grip = Grip.again(actor, pin.mark.vertex, pin.particles, pin.stiffness, pin.offsets, pin.mark.target)
    return replace(pin.mark), grip
