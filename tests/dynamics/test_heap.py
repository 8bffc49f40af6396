"""Two hundred bodies poured into a box come to rest in it, lie still, and come to rest again after a blow."""

import numpy as np
import pytest

import pliant
from meetings import overlaps, pebble
from pliant.gallery.touching import lowest
from pliant.world import World
from worlds import run, speed

COUNT = 200
HALF = 0.5  # m: of the box
RADIUS = 0.1  # m: of a ball


def heap(seed: int) -> World:
    """Balls of oriented particles, each turned its own way, in layers of sixteen above a box of a square metre."""
    sides = [((1, 3, 0), (0.5, 5, 2)), ((-1, 3, 0), (0.5, 5, 2)), ((0, 3, 1), (2, 5, 0.5)), ((0, 3, -1), (2, 5, 0.5))]
    walls = [pliant.Box(centre=centre, half_size=half) for centre, half in sides]
    world = World(colliders=[pliant.Plane(), *walls])
    random = np.random.default_rng(seed)
    settings = pliant.OrientedParticles(particles=12, iterations=2, damping=5)
    for number in range(COUNT):
        layer, place = divmod(number, 16)
        aside, back = random.uniform(-0.01, 0.01, 2)
        position = (0.24 * (place // 4 - 1.5) + aside, 0.2 + 0.24 * layer, 0.24 * (place % 4 - 1.5) + back)
        world.add(pebble(), settings, name=f"{number}", position=position, rotation=random.normal(size=4))
    return world


def settle(world: World, seconds: int) -> None:
    """Until all sleep, or for so long."""
    for _ in range(seconds):
        run(world, 1.0, substeps=2)
        if all(actor.asleep for actor in world.actors):
            break


def check_rest(world: World) -> None:
    """All lie still in the box, none in the floor or deep inside another; woken, they settle a little and sleep."""
    assert all(actor.asleep or speed(actor) < 0.01 for actor in world.actors)
    before = np.array([actor.centre for actor in world.actors])
    for actor in world.actors:
        actor.wake()
    run(world, 1 / 60, substeps=2)  # so that all contacts are looked at
    deep, reach = overlaps(world)
    assert len(deep) > COUNT and (deep < 0.5 * reach).all()  # half a contact radius
    assert lowest({actor.name: actor.body for actor in world.actors}, world.frame()) > -0.1 * RADIUS
    assert all((np.abs(actor.positions[:, [0, 2]]) < HALF).all() for actor in world.actors)
    settle(world, 6)
    assert all(actor.asleep or speed(actor) < 0.01 for actor in world.actors)
    ways = np.linalg.norm(np.array([actor.centre for actor in world.actors]) - before, axis=1)
    assert ways.max() < 0.1 * RADIUS


@pytest.mark.slow
def test_two_hundred_poured_into_a_box_come_to_rest() -> None:
    world = heap(seed=1)
    settle(world, 10)
    check_rest(world)
    lay = [np.array(actor.positions) for actor in world.actors]
    run(world, 2.0, substeps=2)
    for actor, before in zip(world.actors, lay, strict=True):
        if actor.asleep:
            np.testing.assert_array_equal(actor.positions, before)

    before = np.array([actor.centre for actor in world.actors])
    round_stone = pliant.shapes.ball(particles=100, radius=0.15)
    stone = world.add(round_stone, pliant.Rigid(mass=20), name="stone", position=(0.1, 1.6, 0), velocity=(0, -4, 0))
    run(world, 0.7, substeps=2)
    assert sum(not actor.asleep for actor in world.actors) > 10  # it woke those that it hit
    settle(world, 12)
    assert all(actor.asleep or speed(actor) < 0.01 for actor in world.actors)
    after = np.array([actor.centre for actor in world.actors[:COUNT]])
    assert np.linalg.norm(after - before, axis=1).max() > 0.5 * RADIUS  # and pushed some of them away
    assert stone.centre[1] > 0.3  # upon the heap
