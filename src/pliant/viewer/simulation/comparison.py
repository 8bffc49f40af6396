"""Two copies of an exhibit beside each other, each with its own models and settings, pulled by the same hands."""

from collections.abc import Hashable
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from pliant.runtime.errors import PliantError
from pliant.session.player.bars import MOST_BARS, bars_of
from pliant.viewer.protocol.commands import (
    FIRST,
    SECOND,
    Balance,
    Command,
    Compare,
    Drag,
    Grab,
    Keep,
    Move,
    OnSecond,
    Release,
    Unpin,
)
from pliant.viewer.protocol.packing import Side
from pliant.world import Frame, Plane

if TYPE_CHECKING:
    from pliant.viewer.simulation.panel_state import PanelState
    from pliant.viewer.simulation.simulation import Simulation
    from pliant.world import World

COPY_GAP = 0.5  # between the two, of the width of one
UP = np.array([0.0, 1.0, 0.0])


class Comparison:
    """Belongs to a simulation, which is the first of the two. The second is a simulation of its own, so that all that
    is true of the first is true of it; it is only drawn elsewhere."""

    def __init__(self, simulation: "Simulation") -> None:
        self.first = simulation
        self.second: Simulation | None = None
        self.shift = np.zeros(3)

    # ---- called by the simulation ------------------------------------------------------------------------

    def reset(self) -> None:
        """The first has begun anew."""
        if self.second is not None:
            self.second.reset()
            self.second.editor.number_pins_like(self.first.editor)
            self.shift = shift_for(self.first)

    def step(self) -> None:
        if self.second is None:
            return
        try:
            self.second.step()
        except PliantError as error:
            raise type(error)(f"{SECOND}: {error}") from error

    def rows(self, part: float) -> NDArray[np.float32]:
        """The particles of both as they are drawn."""
        mine = self.first.rows(part)
        if self.second is None:
            return mine
        theirs = self.second.rows(part).copy()
        theirs[:, :3] += self.shift.astype(np.float32)
        return np.concatenate([mine, theirs])

    def rotations(self, part: float) -> NDArray[np.float32]:
        """The rotations of the particles of both, of those that turn."""
        mine = self.first.rotations(part)
        return mine if self.second is None else np.concatenate([mine, self.second.rotations(part)])

    def frames(self) -> tuple[Frame, ...]:
        """The last step of each."""
        return (self.first.now,) if self.second is None else (self.first.now, self.second.now)

    def sides(self) -> tuple[Side, ...]:
        """What is drawn, and where."""
        first, second = self.first, self.second
        if second is None:
            return (Side(first.world, first.actors, bars_of(first.actors)),)
        x, y, z = self.shift.tolist()
        sides = (
            Side(first.world, first.actors, bars_of(first.actors, MOST_BARS // 2), name=FIRST),
            Side(second.world, second.actors, bars_of(second.actors, MOST_BARS // 2), (x, y, z), SECOND),
        )
        return tuple(
            replace(side, bars=[replace(bar, label=f"{side.name} · {bar.label}") for bar in side.bars])
            for side in sides
        )

    def panel_state(self) -> "PanelState | None":
        return None if self.second is None else self.second.editor.panel_state()

    def takes(self, command: Command, owner: Hashable) -> bool:
        """Whether a command is about the two of them; what both hands do is passed on to the second."""
        match command:
            case Compare(on=on):
                self._compare(on)
                return True
            case OnSecond(command=inner):
                if self.second is not None:
                    self.second.apply(inner, owner)
                return True
            case Balance(how=how):
                self._balance(how)
                return True
            case Grab() | Drag() | Move() | Release() | Keep() | Unpin():
                if self.second is not None:
                    self.second.apply(command, owner)
        return False

    def have(self, two: bool) -> None:
        """Be two copies, or one."""
        self._compare(two)

    def worlds(self) -> "tuple[World, ...]":
        """Of the copies there are."""
        return tuple(each.world for each in (self.first, self.second) if each is not None)

    # ---- parts -------------------------------------------------------------------------------------------

    def _compare(self, on: bool) -> None:
        if on == (self.second is not None):
            return
        if on:
            self.second = type(self.first)(self.first.exhibit, self.first.progress)
            self.second.editor.recorder.stop()  # the first records both
            self.second.history.stop()  # and has all that is done
            self.second.playback = self.first.playback
            self._balance("copy")
        else:
            self.second = None

    def _balance(self, how: str) -> None:
        if self.second is None:
            return
        for mine, theirs in zip(self.first.changes(), self.second.changes(), strict=True):
            kept, other = dict(mine), dict(theirs)
            theirs.clear()
            theirs.update(kept)
            if how == "swap":
                mine.clear()
                mine.update(other)
        self.first.reset()


def shift_for(simulation: "Simulation") -> NDArray[np.float64]:
    """Where the second copy is drawn: to the right of the first, as the camera sees it, and clear of it."""
    camera = simulation._camera
    right = np.cross(np.subtract(camera.target, camera.eye), UP)
    length = float(np.linalg.norm(right))
    right = right / length if length > 1e-9 else np.array([1.0, 0.0, 0.0])
    along = [simulation.rows()[:, :3] @ right]
    for each in simulation.world.colliders:
        if not isinstance(each, Plane):
            middle, reach = each.placed(0.0)[1] @ right, each.size()
            along.append(np.array([middle - reach, middle + reach]))
    width = float(np.ptp(np.concatenate(along)))
    return np.asarray(right * (1.0 + COPY_GAP) * width, np.float64)
