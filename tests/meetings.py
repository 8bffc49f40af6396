"""Scenes and measures that the tests of contact share."""

from functools import cache
from typing import Any

import numpy as np

import pliant
from pliant.body import Body
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
    """How deep spheres are inside one another now, and the radius of the smaller one of each pair (m)."""
    from pliant.world.contact import layout as at

    contact_system = world._registry.contact_system
    assert contact_system is not None
    rows = contact_system.rows
    radii = contact_system.proxies.reshape(-1, at.PROXY)[:, at.RADIUS]
    found = []
    for sphere, reach in ((at.ONE, at.REACH), (at.OTHER, at.OTHERS_REACH)):
        own = radii[rows[:, sphere].astype(int)]
        found.append(np.where(own > 0, own, rows[:, reach]))  # of an ellipsoid: along the normal
    return np.maximum(0.0, -rows[:, at.OLD_GAP]), np.minimum(*found)


__all__ = ["block", "cube", "momenta", "overlaps", "pebble", "thrown", "velocity"]
