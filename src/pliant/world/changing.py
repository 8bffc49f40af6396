"""An actor changes: other settings, or other particles for another model or another number of oriented particles."""

from collections.abc import Mapping

import numpy as np
from pydantic import BaseModel

from pliant.body import Body
from pliant.geometry.turning import rotation_vectors, turned_by
from pliant.graph import Graph
from pliant.models.settings import Settings
from pliant.world.actor_state import ActorState
from pliant.world.validation import Array

SHORT_TIME = 1e-3  # s: velocities are carried over as the displacement in so short a time


def moved_over(saved: ActorState, old: Body, new: Body) -> ActorState:
    """Places and velocities of the particles of another version of the same body."""
    here = _fine(saved, old, 0.0)
    soon = _fine(saved, old, SHORT_TIME)
    if not isinstance(new, Graph):
        return ActorState(here, (soon - here) / SHORT_TIME)
    places, rotations = new.gather(here)
    later, turned = new.gather(soon)
    return ActorState(
        places, (later - places) / SHORT_TIME,
        rotations=rotations, angular_velocities=rotation_vectors(rotations, turned) / SHORT_TIME,
    )  # fmt: skip


def _fine(saved: ActorState, body: Body, after: float) -> Array:
    """The particles of the body that was given, some time later."""
    places = np.asarray(saved.positions, np.float64) + after * np.asarray(saved.velocities, np.float64)
    if not isinstance(body, Graph):
        return places
    assert saved.rotations is not None and saved.angular_velocities is not None
    angles = after * np.asarray(saved.angular_velocities, np.float64)
    return body.spread(places, turned_by(np.asarray(saved.rotations, np.float64), angles))


def only_numbers_differ(old: Settings, new: Settings) -> bool:
    """Numbers are changed in place. What else can be set may hold selections and functions, and these are the
    same only if they are the same object."""
    for name in type(new).model_fields:
        a, b = getattr(old, name), getattr(new, name)
        if _numbers(a, b):
            continue
        if isinstance(a, Mapping) and isinstance(b, Mapping):
            if list(a) != list(b) or not all(a[key] is b[key] or _numbers(a[key], b[key]) for key in a):
                return False
        elif a is not b and not (isinstance(a, str) and a == b):
            return False
    return True


def _numbers(a: object, b: object) -> bool:
    if isinstance(a, BaseModel) and type(a) is type(b):  # a record of settings of its own
        return all(_numbers(getattr(a, name), getattr(b, name)) for name in type(a).model_fields)
    return isinstance(a, float | int) and isinstance(b, float | int)
