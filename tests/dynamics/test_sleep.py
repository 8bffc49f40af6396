"""Who has come to rest may sleep: it stands still, costs nothing, and wakes when something happens to it."""

from collections.abc import Callable

import numpy as np
import pytest

import pliant
from meetings import block, pebble
from pliant.world import World
from worlds import run


def sleep_version(**options: bool) -> World:
    """A block that lies on the ground, and one far away."""
    world = World(colliders=[pliant.Plane()])
    settings = pliant.ShapeMatching(stiffness=1.0, damping=20)
    world.add(block(), settings, name="near", position=(0, 0.25, 0), **options)
    world.add(block(), settings, name="far", position=(4, 0.25, 0), **options)
    run(world, 3)
    return world


def test_sleepers_do_not_creep() -> None:
    world = sleep_version()
    assert world["near"].asleep and world["far"].asleep
    before = np.array(world["near"].positions)
    run(world, 5)
    np.testing.assert_array_equal(world["near"].positions, before)
    assert not world["near"].velocities.any()


def test_who_may_not_sleep_does_not() -> None:
    world = sleep_version(may_sleep=False)
    assert not world["near"].asleep


def drop(world: World) -> None:
    world.add(block(), pliant.ShapeMatching(), name="third", position=(0, 0.9, 0))
    run(world, 0.5)


def gravity(world: World) -> None:
    world.gravity = (3, -9.81, 0)


def grab(world: World) -> None:
    world["near"].grab(0).move_to((0, 2, 0))


def push(world: World) -> None:
    world["near"].push((0, 5000, 0))


def obstacle(world: World) -> None:
    world.colliders.append(pliant.Sphere(centre=(0, 0.3, 0.4), radius=0.3))


def settings(world: World) -> None:
    world["near"].settings = pliant.ShapeMatching(stiffness=0.3, damping=20)


@pytest.mark.parametrize("what", [drop, gravity, grab, push, obstacle, settings], ids=lambda what: what.__name__)
def test_wakes(what: Callable[[World], None]) -> None:
    world = sleep_version()
    before = np.array(world["near"].positions)
    what(world)
    run(world, 0.3)
    assert np.abs(world["near"].positions - before).max() > 1e-4


def test_woken_by_who_hits_it_only() -> None:
    world = sleep_version()
    world["far"].velocities[:] = (-9, 1, 0)
    world["far"].wake()
    run(world, 0.2)
    assert world["near"].asleep
    run(world, 1.0)
    assert not world["near"].asleep or world["near"].centre[0] < -0.01


@pytest.mark.parametrize("on_again", [False, True])
def test_sleepers_keep_their_shape_when_contact_is_switched_off(on_again: bool) -> None:
    world = sleep_version()
    before = np.array(world["near"].positions)
    world.contact = False
    assert not world["near"].asleep
    world.contact = on_again
    run(world, 1)
    np.testing.assert_allclose(world["near"].positions, before, atol=0.01)  # no model held its particles together


def test_a_sleeper_is_met_where_it_is_whoever_moves() -> None:
    """Wherever the first particle of the world goes meanwhile."""
    world = World(colliders=[pliant.Plane()])
    model = pliant.OrientedParticles(particles=12, iterations=2)
    runner = world.add(pebble(), model, position=(-5, 300, 0), velocity=(-4, 0, 0), may_sleep=False)
    sleeper = world.add(pebble(), model, position=(0, 0.1, 0))
    comer = world.add(pebble(), model, position=(1, 0.1, 0), may_sleep=False)
    run(world, 3, substeps=2)
    assert sleeper.asleep and runner.centre[0] < -8 and world._registry.order[0] is runner
    comer.velocities[:] = (-3, 0, 0)
    run(world, 0.6, substeps=2)
    assert comer.centre[0] > sleeper.centre[0] + 0.15  # it did not go through
    assert sleeper.centre[0] < -0.03 and not sleeper.asleep
