"""What a session began with and what is pinned in it, for saving it as a scene."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from pliant.scene.serialise import Start
from pliant.viewer.simulation.opened import Opened

if TYPE_CHECKING:
    from pliant.gallery.exhibit import Exhibit
    from pliant.scene.schema import Scene
    from pliant.scene.show import Show
    from pliant.viewer.simulation.grip import Grip


@dataclass(frozen=True, eq=False)
class SessionOrigin:
    """Where a session came from. scene: None for an exhibit, whose world was made in Python."""

    start: Start
    scene: "Scene | None"
    seconds: float
    title: str

    @classmethod
    def of(cls, exhibit: "Exhibit | Opened", show: "Show") -> "SessionOrigin":
        """To be asked before anything moves or is changed."""
        scene = exhibit.scene() if isinstance(exhibit, Opened) else None
        return cls(Start.of(show.world), scene, show.seconds, exhibit.title)


@dataclass(frozen=True, eq=False)
class Held:
    """A pin as the session holds it: a spring from each particle (n,) to a point (n, 3)."""

    actor: str
    particles: NDArray[np.int64]
    stiffness: NDArray[np.float64]
    points: NDArray[np.float64]

    @classmethod
    def by(cls, grip: "Grip") -> "Held":
        return cls(
            grip.actor.name,
            np.array([handle.particles[0] for handle in grip.handles]),
            np.array([handle.stiffness for handle in grip.handles]),
            np.array([handle.origin for handle in grip.handles]),
        )
