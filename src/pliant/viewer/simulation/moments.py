"""From a simulation to the moments of a recording, and back to what a page draws."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from pliant.session.player.bars import Bar
from pliant.viewer.protocol.packing import Side, pack_frame
from pliant.viewer.recording.recorder import Moment, RecordedActor, RecordedWeights
from pliant.world import Actor, Collider, Plane
from pliant.world.spans import Span

if TYPE_CHECKING:
    from pliant.viewer.simulation.simulation import Simulation


def named(sides: Sequence[Side]) -> Iterator[tuple[str, Side, Actor]]:
    """Every actor in the order of the rows, with the name that it has in a recording: of two copies that are compared
    the second has its letter behind it."""
    first, *others = sides
    for actor in first.actors:
        yield actor.name, first, actor
    taken = {actor.name for actor in first.actors} if others else set()
    for side in others:
        for actor in side.actors:
            name = f"{actor.name} {side.name}"
            while name in taken:
                name += "'"
            taken.add(name)
            yield name, side, actor


def bars_shown(sides: Sequence[Side]) -> tuple[Bar, ...]:
    """All bars, in the order of their numbers in a frame."""
    return tuple(bar for side in sides for bar in side.bars)


def moment_of(simulation: "Simulation") -> Moment:
    """The present, as it is drawn."""
    register = simulation.register
    told = [frame.weights for frame in simulation.comparison.frames()]
    places = [weights.spans for weights in told]
    if register is None or not register.fits(simulation._sides, places):
        register = simulation.register = Register(simulation._sides, places)
    rows = tuple(weights.flat.astype(np.float32, copy=False) for weights in told)
    found = [row[where] for row, where in zip(rows, register.where, strict=True)]
    numbers = found[0] if len(found) == 1 else np.concatenate(found)
    for first, bar, number, place in register.means:
        numbers[first : first + len(bar.names)] = place.of(rows[number]).mean(axis=0)
    shown, rotations = simulation.comparison.rows(1.0), simulation.comparison.rotations(1.0)
    weights = RecordedWeights(rows, register.places)
    return Moment(simulation.now.time, shown, weights, numbers, register.bars, rotations)


class Register:
    """Where the weights of all actors and the numbers of all bars are in the rows that the worlds give."""

    def __init__(self, sides: Sequence[Side], given: Sequence[Mapping[str, Span]]) -> None:
        self.sides, self.given = sides, given
        self.bars = bars_shown(sides)
        numbers = {id(side): number for number, side in enumerate(sides)}
        self.places = {
            name: (numbers[id(side)], given[numbers[id(side)]][actor.name]) for name, side, actor in named(sides)
        }
        self.where: list[NDArray[np.int64]] = []  # the numbers of the bars, in the row of each world
        self.means: list[tuple[int, Bar, int, Span]] = []  # bars of a mean: their place among the numbers
        first = 0
        for number, side in enumerate(sides):
            found = [np.empty(0, np.int64)]
            for bar in side.bars:
                place = given[number][bar.actor]
                begin = place.first + place.columns * (bar.group or 0)
                found.append(np.arange(begin, begin + place.columns))
                if bar.group is None:
                    self.means.append((first, bar, number, place))
                first += place.columns
            self.where.append(np.concatenate(found))

    def fits(self, sides: Sequence[Side], given: Sequence[Mapping[str, Span]]) -> bool:
        """Whether nothing has changed."""
        return sides is self.sides and all(a is b for a, b in zip(given, self.given, strict=True))


def frame_of(simulation: "Simulation", moment: Moment) -> bytes:
    """A recorded moment as a message, drawn like the present. What is seen inside is that of the moment, too."""
    sides = simulation._sides
    names = {id(actor): name for name, _, actor in named(sides)}

    def weights_of(actor: Actor) -> NDArray[np.float64]:
        now = simulation.weights_of(actor)
        then = moment.weights.of(names[id(actor)])
        return then.astype(np.float64) if then is not None and then.shape == now.shape else now

    simulation.insight.note(sides, moment.rows, moment.rotations, moment.time, weights_of)
    simulation.number += 1
    numbers = moment.numbers_for(bars_shown(sides))
    return pack_frame(sides, moment.rows, moment.rotations, simulation.epoch, simulation.number, moment.time, numbers)


def recorded_actors(simulation: "Simulation") -> tuple[RecordedActor, ...]:
    """All actors of a recording."""
    return tuple(replace(RecordedActor.of(actor), name=name) for name, _, actor in named(simulation._sides))


def colliders_of(simulation: "Simulation") -> tuple[tuple[Collider, tuple[float, float, float]], ...]:
    """What a film shows beside the actors, each with how far it is moved from where the world has it. Both copies
    stand on the same ground."""
    return tuple(
        (each, side.shift)
        for number, side in enumerate(simulation._sides)
        for each in side.world.colliders
        if number == 0 or not isinstance(each, Plane)
    )
