"""Obstacles have the last word: no particle ends a step deeper in one than it began it."""

import numpy as np
import pytest

import pliant
from pliant.world import World

OBSTACLES = {
    "ball": pliant.Sphere(centre=(0.1, 0.3, 0), radius=0.4),
    "edge": pliant.Box(centre=(0, 0.2, 0), half_size=(0.3, 0.2, 0.3)),
    "turning": pliant.Capsule(
        start=(0, 0.3, -1), end=(0, 0.3, 1), radius=0.2,
        path=lambda time: ((0.2 * np.sin(2 * time), 0.0, 0.0), np.eye(3)),
    ),
}  # fmt: skip


def gap(obstacle: pliant.Sphere | pliant.Box | pliant.Capsule, time: float, points: np.ndarray) -> float:
    match obstacle:
        case pliant.Sphere():
            return float((np.linalg.norm(points - obstacle.centre, axis=1) - obstacle.radius).min())
        case pliant.Box():
            beyond = np.abs(points - obstacle.centre) - obstacle.half_size
            outside = np.linalg.norm(np.maximum(beyond, 0.0), axis=1)
            return float((outside + np.minimum(beyond.max(axis=1), 0.0)).min())
        case _:
            shifted = points - (0.2 * np.sin(2 * time), 0.3, 0)
            shifted[:, 2] -= np.clip(shifted[:, 2], -1.0, 1.0)
            return float((np.linalg.norm(shifted, axis=1) - 0.2).min())


@pytest.mark.parametrize("obstacle", OBSTACLES.values(), ids=OBSTACLES)
def test_nothing_is_inside_after_a_step(obstacle: pliant.Sphere | pliant.Box | pliant.Capsule) -> None:
    world = World(colliders=[pliant.Plane(), obstacle], precision="double")
    bar = pliant.shapes.cuboid(size=(0.5, 1, 0.5), cells=(2, 4, 2))
    actor = world.add(bar, pliant.ShapeMatching(), position=(0, 1.6, 0), velocity=(0.3, -3, 0))
    touched = 0
    for _ in range(120):
        world.step()
        points = np.array(actor.positions)
        assert gap(obstacle, world.time, points) > -1e-9 and points[:, 1].min() > -1e-9
        touched += gap(obstacle, world.time, points) < 0.01
    assert touched > 5


def test_what_begins_inside_comes_out_and_is_not_thrown() -> None:
    world = World(colliders=[pliant.Plane()])
    actor = world.add(pliant.shapes.cuboid(), pliant.ShapeMatching(), position=(0, 0, 0))
    highest = 0.0
    for _ in range(120):
        world.step()
        highest = max(highest, float(actor.centre[1]))
    assert actor.positions[:, 1].min() > -2e-6
    assert highest < 0.75
