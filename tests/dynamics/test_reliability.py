"""Whatever is done to a crowd: all numbers stay finite, and speeds are bounded by what came in."""

import warnings
from typing import Any

import numpy as np
import pytest

import pliant
from meetings import block, pebble
from pliant.world import World
from worlds import run, speed


def fastest(world: World) -> float:
    """The fastest particle, m/s; all numbers are finite."""
    for actor in world.actors:
        assert np.isfinite(actor.positions).all() and np.isfinite(actor.velocities).all()
    return max(float(np.linalg.norm(actor.velocities, axis=1).max()) for actor in world.actors)


def test_a_thousand_on_one_spot() -> None:
    world = World(gravity=(0, 0, 0))
    for number in range(1000):
        world.add(pebble(), pliant.OrientedParticles(particles=1), name=f"{number}")
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        run(world, 0.1)
    told = [str(each.message) for each in caught if each.category is UserWarning]
    assert len(told) == 1 and "left out" in told[0] and "\n" not in told[0]  # what was given up, once
    assert fastest(world) < 1.0


MODELS = {
    "shape matching": pliant.ShapeMatching(),
    "oriented particles": pliant.OrientedParticles(particles=8, iterations=2),
    "rigid": pliant.Rigid(),
}


@pytest.mark.parametrize("settings", MODELS.values(), ids=MODELS)
def test_made_at_the_same_point(settings: Any) -> None:
    world = World(gravity=(0, 0, 0))
    for number in range(4):
        world.add(block(), settings, name=f"{number}")
    for _ in range(30):
        world.step(1 / 60)
        assert fastest(world) < 2.0


def test_threads_without_thickness() -> None:
    world = World(colliders=[pliant.Plane()])
    for number in range(3):
        turn = 0.5 * number
        world.add(
            pliant.shapes.rope(particles=9), pliant.ShapeMatching(), name=f"{number}", position=(0, 0.2, 0),
            rotation=(0, np.sin(turn), 0, np.cos(turn)),
        )  # fmt: skip
    for _ in range(60):
        world.step(1 / 60)
        assert fastest(world) < np.sqrt(2 * 9.81 * 0.2) + 2.0


def test_an_obstacle_at_a_hundred_metres_a_second_through_a_pile() -> None:
    speed_of_it = 100.0
    hammer = pliant.Sphere(centre=(-8, 0.3, 0), radius=0.3, path=lambda time: (speed_of_it * time, 0, 0))
    world = World(colliders=[pliant.Plane(), hammer])
    for number in range(12):
        place = (0.25 * (number % 3 - 1), 0.12 + 0.22 * (number // 6), 0.25 * (number // 3 % 2))
        settings = list(MODELS.values())[number % 3]
        world.add(pebble(), settings, name=f"{number}", position=place)
    for _ in range(20):
        world.step(1 / 60)
        assert all(speed(actor) < 2.0 * speed_of_it + 1.0 for actor in world.actors)  # as what leaves a wall, at most
        assert fastest(world) < 5.0 * speed_of_it  # a particle that was taken along for metres springs back


# Softer stuff is splashed at such a speed.
BALLS = {**MODELS, "shape matching": pliant.ShapeMatching(stiffness=30.0)}


@pytest.mark.parametrize("settings", BALLS.values(), ids=BALLS)
def test_balls_do_not_pass_through_each_other_at_twenty_metres_a_second(settings: Any) -> None:
    world = World(gravity=(0, 0, 0))
    for name, side in (("left", -1), ("right", 1)):
        world.add(pebble(), settings, name=name, position=(side * 0.8, 0, 0), velocity=(-side * 10, 0, 0))
    for _ in range(24):
        world.step(1 / 60)
        assert world["left"].centre[0] < world["right"].centre[0]
        assert speed(world["left"]) < 20.5


@pytest.mark.parametrize("one", MODELS.values(), ids=MODELS)
@pytest.mark.parametrize("other", MODELS.values(), ids=MODELS)
@pytest.mark.parametrize("heavier", [1.0, 10.0])
def test_momentum_goes_from_one_to_the_other(one: Any, other: Any, heavier: float) -> None:
    """Without restitution and damping: what one loses the other gets, and they part no faster than they met."""
    world = World(gravity=(0, 0, 0))
    still = {"damping": 0.0}
    left = world.add(block(), one.changed(**still), name="left", position=(-0.4, 0, 0), velocity=(2, 0, 0))
    right = world.add(block(1000.0 * heavier), other.changed(**still), name="right", position=(0.4, 0, 0))
    before = left.mass * 2.0
    run(world, 1.0, substeps=2)
    velocities = [float(each.body.masses @ each.velocities[:, 0] / each.mass) for each in (left, right)]
    after = left.mass * velocities[0] + right.mass * velocities[1]
    assert after == pytest.approx(before, rel=1e-3)
    common = before / (left.mass + right.mass)
    assert velocities[0] <= common + 0.02 and velocities[1] >= common - 0.02  # they do not go through each other
    assert velocities[1] - velocities[0] <= 2.0 + 1e-2
