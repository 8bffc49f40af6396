"""How many sub-steps the materials of a world need."""

import warnings
from math import ceil
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from pliant.world.actor import Actor

# s: sub-steps are not made shorter than this for a material, 64 in a 60th of a second: a body that would need more is
# too hard for its model. Half: such a body takes twice as long. Twice: steel and hard rubber of usual meshes are soft.
SHORTEST_SUBSTEP = 1 / 3840


# Contact radii: how far two bodies may go against one another in a sub-step. Half: heaps cost twice as much while they
# fall. Twice: points of a skin get past those of the other before they are pushed.
MOST_RELATIVE_MOTION = 1.0
MOST_CONTACT_SUBSTEPS = 16  # no more than this for fast bodies: what is faster is stopped by its core
FACTOR_HOLD_TIME = 0.5  # s: for how long fewer sub-steps must do before fewer are taken


def contact_substeps(factor: NDArray[np.float64], motion: float, dt: float, asked: int) -> int:
    """As many sub-steps as asked for, or so many more that no two bodies that may meet go past each other in one:
    twice, four times, up to a limit (models keep what they have prepared for a step). Once there are more, there are
    not fewer before that has done for a while: bodies that vibrate are fast and slow by turns, and steps that get
    shorter and longer with them would swing them up. factor (2,): how many times more there were, and for how long
    fewer would have done (s); motion: how far they go within dt, in contact radii."""
    times = 1
    while 2 * times * asked <= MOST_CONTACT_SUBSTEPS and motion > MOST_RELATIVE_MOTION * times * asked:
        times *= 2
    if times >= factor[0]:
        factor[:] = times, 0.0
        return times * asked
    factor[1] += dt
    if factor[1] >= FACTOR_HOLD_TIME - 1e-9:
        factor[:] = factor[0] // 2, 0.0
    while factor[0] > times and factor[0] * asked > MOST_CONTACT_SUBSTEPS:  # others were asked for before
        factor[0] //= 2
    return int(factor[0]) * asked


class Substepping:
    """What the actors' materials ask for, found when one of them changes."""

    def __init__(self) -> None:
        self.longest = np.inf  # s
        self._warned: set[str] = set()

    def ask(self, actors: "list[Actor]") -> None:
        """Look at all of them again."""
        self.longest = np.inf
        for actor in actors:
            if actor._model.longest_step is None:
                continue
            longest = actor._model.longest_step(actor.body, actor.settings)
            if longest < SHORTEST_SUBSTEP:
                self._warn(actor.name, longest)
            self.longest = min(self.longest, longest)

    def substeps(self, dt: float, asked: int) -> int:
        """As many sub-steps as asked for, or so many more that the materials are as stiff as they are set."""
        return max(asked, ceil(dt / max(self.longest, SHORTEST_SUBSTEP) - 1e-9))

    def _warn(self, name: str, longest: float) -> None:
        """In one line, once for each actor and material."""
        times = (SHORTEST_SUBSTEP / longest) ** 2
        message = (
            f'actor "{name}": its material needs {ceil(1 / (60 * longest))} sub-steps in a 60th of a second and gets '
            f"64: it is {times:.2g} times softer than set; lower young, make its cells larger, or use Fem or Rigid"
        )
        if message not in self._warned:
            self._warned.add(message)
            warnings.warn(message, stacklevel=5)
