"""Obstacles that people drag about: each follows the hand, and remembers where it was, so that a recording shows it.

A dragged obstacle has a path as any other that moves: the way it came, on top of the path of its own. So bodies feel
how fast it comes, and pages, films and recordings ask it where it was at a time.
"""

from bisect import bisect_right
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pliant.runtime.errors import PliantError
from pliant.session.player.setup import draggable
from pliant.world.paths import Motion, at

if TYPE_CHECKING:
    from pliant.world import World

Array = NDArray[np.float64]
FOLLOW = 0.04  # s: how far it lags behind the hand
FASTEST_TOW = 20.0  # m/s: a hand that jumps does not make a bullet of it
THERE = 1e-5  # m: as near as it comes
REMEMBERED = 8192  # steps, more than a recording has
SAME_TIME = 1e-9  # s


class TowPath:
    """Where an obstacle was taken, over time (s): offsets from the path of its own, straight between the moments."""

    def __init__(self, own: Motion | None, who: str) -> None:
        self.own, self.who = own, who
        self.goal = np.zeros(3)
        self._log: tuple[list[float], list[Array]] = ([], [])  # replaced whole: others read it meanwhile

    def __call__(self, time: float) -> tuple[Array, Array]:
        offset, turn = at(self.own, time, self.who)
        return offset + self.offset(time), turn

    def offset(self, time: float) -> Array:
        """How far it was taken from where it belongs (3,)."""
        times, offsets = self._log
        after = bisect_right(times, time)
        if after == 0:
            return np.zeros(3)
        if after == len(times):
            return offsets[-1]
        share = (time - times[after - 1]) / (times[after] - times[after - 1])
        return (1 - share) * offsets[after - 1] + share * offsets[after]

    def step(self, time: float, seconds: float) -> None:
        """Go on towards the goal for so long."""
        here = self.offset(time)
        left = self.goal - here
        distance = float(np.linalg.norm(left))
        if distance == 0.0:
            return
        part = 1.0 if distance < THERE else 1.0 - np.exp(-seconds / FOLLOW)
        part = min(part, FASTEST_TOW * seconds / distance)
        times, offsets = self._log
        kept = bisect_right(times, time)  # what lies ahead was never played
        times, offsets = times[max(kept - REMEMBERED, 0) : kept], offsets[max(kept - REMEMBERED, 0) : kept]
        if not times or time - times[-1] > SAME_TIME:
            times, offsets = [*times, time], [*offsets, here]
        self._log = [*times, time + seconds], [*offsets, here + part * left]


class Tow:
    """A hand on an obstacle; to a page it is a handle like those on bodies."""

    def __init__(self, way: TowPath, point: Array, here: Array) -> None:
        self.way = way
        self._start = way.goal.copy()
        self._lead = here - point  # from the point that was taken to how far it is taken now

    def move_to(self, target: ArrayLike) -> None:
        self.way.goal = np.asarray(target, np.float64) + self._lead

    @property
    def moved(self) -> bool:
        """Whether it was taken elsewhere."""
        return bool(np.abs(self.way.goal - self._start).max() > THERE)

    def release(self) -> None:
        """It stays where it is."""


class Towing:
    """The obstacles of a world that were dragged. Begins anew with a new world."""

    def __init__(self) -> None:
        self.ways: dict[int, TowPath] = {}

    def take(self, world: "World", number: int, point: ArrayLike) -> Tow:
        """A hand on an obstacle at a point."""
        if number >= len(world.colliders) or not draggable(world.colliders[number]):
            raise PliantError(f"there is no obstacle {number} that could be dragged")
        if number not in self.ways:
            collider = world.colliders[number]
            self.ways[number] = TowPath(collider.path, type(collider).__name__)
            self.bring(world)
        way = self.ways[number]
        return Tow(way, np.asarray(point, np.float64), way.offset(world.time))

    def bring(self, world: "World") -> None:
        """The obstacles of a world on their ways; to be called when they were replaced."""
        for number, way in self.ways.items():
            if world.colliders[number].path is not way:
                world.colliders[number] = replace(world.colliders[number], path=way)

    def step(self, time: float, seconds: float) -> None:
        for way in self.ways.values():
            way.step(time, seconds)

    def put_back(self) -> None:
        """All go back to where they belong."""
        for way in self.ways.values():
            way.goal = np.zeros(3)

    def go_to(self, world: "World", offsets: Mapping[int, Array]) -> None:
        """Have obstacles go where they were dragged to (m), by their number; all others go back."""
        for number in offsets:
            if number not in self.ways and number < len(world.colliders) and draggable(world.colliders[number]):
                self.take(world, number, np.zeros(3))
        for number, way in self.ways.items():
            way.goal = np.asarray(offsets.get(number, np.zeros(3)), np.float64)

    def goals(self) -> dict[int, Array]:
        """How far each was taken (m), or is on the way to, of those that are not to go back."""
        return {number: way.goal for number, way in self.ways.items() if np.abs(way.goal).max() > THERE}
