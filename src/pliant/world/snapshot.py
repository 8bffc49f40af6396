"""A world at one moment, to go back to."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pliant.dynamics.state import Kept
from pliant.models.settings import Settings
from pliant.runtime.errors import SettingsError
from pliant.world.actor import Actor
from pliant.world.colliders import Collider
from pliant.world.constraints import Handle, Pin
from pliant.world.cues import Fades, forced_in
from pliant.world.fields import Field
from pliant.world.validation import Array, formatted
from pliant.world.wind import Wind

if TYPE_CHECKING:
    from pliant.world.world import World


@dataclass(frozen=True, eq=False)
class Snapshot:
    """Everything that a world needs to go on from here exactly as it did."""

    time: float
    gravity: Array
    wind: Wind | None
    fields: tuple[Field, ...]
    events: dict[str, float]
    colliders: tuple[Collider, ...]
    actors: tuple[tuple[Actor, Settings, Fades, Any], ...]  # with settings, what fades of forced weights, and force
    pins: tuple[Pin, ...]
    handles: tuple[tuple[Handle, Array, Any], ...]  # with target and path
    order: tuple[Actor, ...]  # in which they stand in what is kept
    kept: Kept


def taken(world: "World") -> Snapshot:
    """Of a world whose state is laid out."""
    inputs = world._inputs
    return Snapshot(
        world.time,
        world.gravity,
        world.wind,
        world.fields,
        dict(world.events),
        tuple(world.colliders),
        tuple((actor, actor.settings, actor._fades, actor._force) for actor in world.actors),
        tuple(inputs.pins),
        tuple((handle, handle.origin, handle.path) for handle in inputs.handles),
        tuple(world._registry.order),
        world._registry.state.kept(),
    )


def put_back(world: "World", snapshot: Snapshot) -> None:
    """The world is as it was then, if it has the same actors."""
    if not isinstance(snapshot, Snapshot):
        raise SettingsError(f"World.restore takes what World.snapshot gave; got {formatted(snapshot)}")
    if world.actors != tuple(actor for actor, *_ in snapshot.actors):
        raise SettingsError("World.restore: actors have come or gone since this snapshot; take a new one")
    inputs = world._inputs
    for actor, settings, _, force in snapshot.actors:
        if actor.settings is not settings:
            world._tune(actor, settings)
        actor._force = force
        inputs.take_force(actor)
    world.time, world.gravity, world.wind = snapshot.time, snapshot.gravity, snapshot.wind
    world.fields, world.events = snapshot.fields, dict(snapshot.events)
    world._ready(snapshot.order).put_back(snapshot.kept)
    for actor, settings, fades, _ in snapshot.actors:
        if forced_in(settings):
            world._registry.cue(actor, fades, snapshot.time)
            world._registry.tell_forced(actor)
    world.colliders[:] = snapshot.colliders
    inputs.pins = list(snapshot.pins)
    inputs.handles = [handle for handle, _, _ in snapshot.handles]
    for handle, origin, path in snapshot.handles:
        handle.origin, handle.path = origin, path
    inputs.changed()
    inputs.take_colliders(world.colliders)  # no actor wakes: those that slept then sleep now
    world._registry.retuned()
    if world._registry.contact_system is not None:
        world._registry.contact_system.come_back()
