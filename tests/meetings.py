"""Scenes and measures that the tests of contact share."""

from functools import cache
from typing import Any

import numpy as np

import pliant
from pliant.body import Body
from pliant.collision import layout as at
from pliant.world import World
from worlds import cube, momentum


@cache
def block(density: float = 1000.0) -> Body:
    """27 particles, half a metre."""
    return pliant.shapes.cuboid(size=(0.5, 0.5, 0.5), cells=(2, 2, 2), density=density, name="block")


@cache
def pebble() -> Body:
    """A ball of 0.2 m."""
    return pliant.shapes.ball(particles=100, radius=0.1, name="pebble")


def thrown(
    restitution: float = 0.0, heavier: float = 1.0, shift: float = 0.0, friction: float = 0.5, **world: Any
) -> World:
    """A block flies at another one that waits, at 1 m/s, without gravity and without damping."""
    made = World(gravity=(0, 0, 0), **world)
    calm = pliant.ShapeMatching(damping=0)
    given = {"restitution": restitution, "friction": friction}
    made.add(block(), calm, name="one", position=(-0.3, 0, 0), velocity=(1, 0, 0), **given)
    made.add(block(1000.0 * heavier), calm, name="other", position=(0.3, shift, 0.5 * shift), **given)
    return made


def momenta(world: World) -> Any:
    """Linear and angular of all actors together."""
    return np.sum([np.concatenate(momentum(actor)) for actor in world.actors], axis=0)


def velocity(world: World, name: str) -> float:
    return float(momentum(world[name])[0][0] / world[name].mass)


def overlaps(world: World) -> Any:
    """How deep the proxies of bodies that touch are in one another now, and the contact radius of each (m)."""
    contact_system = world._registry.contact_system
    assert contact_system is not None
    work, found = contact_system.work, contact_system.found
    spans, pairs = found.spans.reshape(-1, 2), work.pairs.reshape(-1, 2)
    of_two = [m for m in range(work.counts[at.FOUND]) if pairs[m, 1] >= 0]
    rows = found.rows.reshape(-1, at.ROW)[np.concatenate([np.arange(*spans[m]) for m in of_two])]
    return np.maximum(0.0, -rows[:, at.ROW_GAP]), rows[:, at.ROW_RADIUS]


__all__ = ["block", "cube", "momenta", "overlaps", "pebble", "thrown", "velocity"]
