"""A world at one moment, to go back to."""

from dataclasses import dataclass
from typing import Any

from pliant.models.settings import Settings
from pliant.world.actor import Actor
from pliant.world.colliders import Collider
from pliant.world.constraints import Handle, Pin
from pliant.world.given import Array
from pliant.world.state import Kept


@dataclass(frozen=True, eq=False)
class Snapshot:
    """Everything that a world needs to go on from here exactly as it did."""

    time: float
    gravity: Array
    colliders: tuple[Collider, ...]
    actors: tuple[tuple[Actor, Settings, Any], ...]  # with settings and force
    pins: tuple[Pin, ...]
    handles: tuple[tuple[Handle, Array, Any], ...]  # with target and path
    kept: Kept
