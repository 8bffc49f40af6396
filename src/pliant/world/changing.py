"""An actor changes: other settings, or other particles for another model or another number of oriented particles."""

from collections.abc import Mapping

import numpy as np

from pliant.body import Body
from pliant.geometry.turning import rotation_vectors, turned_by
from pliant.graph import Graph
from pliant.models import Model
from pliant.models.settings import Settings
from pliant.world.given import Array
from pliant.world.luggage import Luggage

MOMENT = 1e-3  # s: velocities are carried over as the way of so long a moment


def played(given: Body, model: Model, settings: Settings) -> Body:
    """The body that a model plays: its own version of what was given, or just that."""
    if model.embody is not None:
        return model.embody(given, settings)
    if isinstance(given, Graph) and given.source is not None:
        return given.source
    return given


def moved_over(luggage: Luggage, old: Body, new: Body) -> Luggage:
    """Places and velocities of the particles of another version of the same body."""
    here = _fine(luggage, old, 0.0)
    soon = _fine(luggage, old, MOMENT)
    if not isinstance(new, Graph):
        return Luggage(here, (soon - here) / MOMENT, luggage.bounce)
    places, turns = new.gather(here)
    later, turned = new.gather(soon)
    return Luggage(
        places, (later - places) / MOMENT, luggage.bounce,
        turns=turns, spins=rotation_vectors(turns, turned) / MOMENT,
    )  # fmt: skip


def _fine(luggage: Luggage, body: Body, after: float) -> Array:
    """The particles of the body that was given, some time later."""
    places = np.asarray(luggage.positions, np.float64) + after * np.asarray(luggage.velocities, np.float64)
    if not isinstance(body, Graph):
        return places
    assert luggage.turns is not None and luggage.spins is not None
    turns = turned_by(np.asarray(luggage.turns, np.float64), after * np.asarray(luggage.spins, np.float64))
    return body.spread(places, turns)


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
    return isinstance(a, float | int) and isinstance(b, float | int)
