"""What panels show of a simulation: pins, poses, settings and the conditions of its world, at one moment."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pliant.viewer.recording.recorder import RecordedActor, Recorder
from pliant.viewer.simulation.conditions import Conditions
from pliant.viewer.simulation.grouping import GroupsShown
from pliant.viewer.simulation.origin import Held, SessionOrigin
from pliant.world import Collider

if TYPE_CHECKING:
    from pliant.viewer.simulation.studio import DraftShown


@dataclass(frozen=True)
class PinMark:
    """A pin as a page draws it: the vertex that is held, and the point that it is held at."""

    number: int
    actor: str
    vertex: int
    target: tuple[float, float, float]


@dataclass(frozen=True, eq=False)
class PanelState:
    """What panels show; replaced whole when anything of it changes."""

    conditions: Conditions
    own_conditions: Conditions
    own_settings: Mapping[str, Any]
    actors: tuple[RecordedActor, ...]
    pins: tuple[PinMark, ...]
    recorder: Recorder
    recorded: tuple[RecordedActor, ...]  # all that it has: of two copies both
    colliders: tuple[tuple[Collider, tuple[float, float, float]], ...]  # each with its shift (m)
    models: Mapping[str, str]  # of each actor, and
    own_models: Mapping[str, str]  # the one that the exhibit has
    settings: Mapping[str, Any]
    groups: Mapping[str, GroupsShown]
    held: tuple[Held, ...]  # what the pins hold
    towed: Mapping[int, Any]  # how far obstacles were dragged (m), by their number
    origin: SessionOrigin
    studio: "DraftShown | None" = None  # while time stands still and a pose is made
    steps: tuple[str, ...] = ()  # of the history, the first is how all began
    step: int = 0  # where in it we are
    second: "PanelState | None" = None  # of the copy that it is compared with
