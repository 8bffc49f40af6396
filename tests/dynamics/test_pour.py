"""Many bodies poured into a box come to rest in it, none inside another; and a ball stays in a cup."""

import numpy as np
import pytest

import pliant
from meetings import overlaps, pebble
from pliant.world import World
from worlds import run, speed

HALF = 0.5  # m: of the box


def poured(count: int) -> World:
    """Balls of oriented particles and dice of shape matching, in layers of nine above a box of a square metre."""
    sides = [((1, 2, 0), (0.5, 3, 2)), ((-1, 2, 0), (0.5, 3, 2)), ((0, 2, 1), (2, 3, 0.5)), ((0, 2, -1), (2, 3, 0.5))]
    walls = [pliant.Box(centre=centre, half_size=half) for centre, half in sides]
    world = World(colliders=[pliant.Plane(), *walls])
    random = np.random.default_rng(1)
    die = pliant.shapes.cuboid(size=(0.18, 0.18, 0.18), cells=(2, 2, 2), name="die")
    for number in range(count):
        layer, place = divmod(number, 9)
        position = (0.28 * (place // 3 - 1), 0.2 + 0.25 * layer, 0.28 * (place % 3 - 1))
        turned = {"position": position, "rotation": random.normal(size=4), "name": f"{number}"}
        if number % 2:
            world.add(pebble(), pliant.OrientedParticles(particles=8, iterations=2, damping=5), **turned)
        else:
            world.add(die, pliant.ShapeMatching(stiffness=1.0, damping=5), **turned)
    return world


@pytest.mark.slow
def test_poured_into_a_box_all_come_to_rest() -> None:
    world = poured(45)
    for _ in range(30):
        run(world, 1.0, substeps=2)
        if all(actor.asleep for actor in world.actors):
            break
    assert np.sqrt(np.mean([speed(actor) ** 2 for actor in world.actors])) < 0.01
    for actor in world.actors:
        actor.wake()
    run(world, 1 / 60, substeps=2)  # so that all contacts are looked at
    deep, reach = overlaps(world)
    assert (deep < 0.5 * reach).mean() > 0.99  # half a contact radius; one or two are jammed
    for actor in world.actors:
        assert (np.abs(actor.centre[[0, 2]]) < HALF).all() and actor.positions[:, 1].min() > -1e-3


def cup() -> pliant.Body:
    """A block with a hollow that is open above."""
    whole = pliant.shapes.cuboid(size=(0.9, 0.9, 0.9), cells=(6, 6, 6))
    middles = whole.rest[whole.elements].mean(axis=1)
    solid = (np.abs(middles[:, [0, 2]]).max(axis=1) > 0.3) | (middles[:, 1] < -0.15)
    used, tets = np.unique(whole.elements[solid], return_inverse=True)
    return pliant.Body(whole.rest[used], tets=tets.reshape(-1, 4), name="cup")


@pytest.mark.parametrize("settings", [pliant.Rigid(), pliant.ShapeMatching(stiffness=3.0, damping=10)])
def test_a_ball_dropped_in_a_cup_stays_in(settings: pliant.Rigid | pliant.ShapeMatching) -> None:
    world = World(colliders=[pliant.Plane()])
    world.add(cup(), settings, name="cup", position=(0, 0.45, 0))
    ball = pliant.shapes.ball(particles=150, radius=0.2)
    ball = world.add(ball, pliant.ShapeMatching(damping=5), name="ball", position=(0.05, 1.2, 0.02))
    run(world, 4, substeps=2)
    assert np.abs(ball.centre[[0, 2]] - world["cup"].centre[[0, 2]]).max() < 0.15
    assert 0.33 < ball.centre[1] < 0.5  # on a floor this soft ball comes to lie at 0.07 above it
    assert ball.positions[:, 1].min() > 0.1
    assert speed(ball) < 0.1
