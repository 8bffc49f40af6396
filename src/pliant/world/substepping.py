"""How many sub-steps the materials of a world need."""

import warnings
from math import ceil
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from pliant.world.actor import Actor

# s: sub-steps are not made shorter than this for a material, 64 in a 60th of a second: a body that would need more is
# too hard for its model. Half: such a body takes twice as long. Twice: steel and hard rubber of usual meshes are soft.
SHORTEST_SUBSTEP = 1 / 3840


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
