"""Bodies on bodies come to rest: stacks, slopes, heaps."""

import numpy as np
import pytest

import pliant
from meetings import block, overlaps, pebble
from worlds import run, speed


def test_one_on_another_lies_skin_on_skin() -> None:
    world = pliant.World(colliders=[pliant.Plane()])
    base = world.add(block(), pliant.ShapeMatching(stiffness=1.0), name="base", position=(0, 0.25, 0))
    base.pin(range(27))
    stiff = pliant.ShapeMatching(stiffness=1.0, damping=10)
    top = world.add(block(), stiff, name="top", position=(0.05, 0.76, 0), may_sleep=False)
    run(world, 4, substeps=2)
    gap = top.positions[:, 1].min() - base.positions[:, 1].max()
    assert abs(gap) < 0.003  # of half a metre: neither hovering nor sunk
    assert speed(top) < 0.01
    assert abs(top.centre[0] - 0.05) < 0.005
    found = world.contacts
    assert len(found.depths) >= 4 and found.sticking.all()
    assert (np.abs(found.normals[:, 1]) > 0.99).all()
    np.testing.assert_allclose(found.points[:, 1], 0.5, atol=0.01)


def test_stack_of_five_stands_for_a_minute() -> None:
    world = pliant.World(colliders=[pliant.Plane()])
    stiff = pliant.Rigid()
    for level in range(5):
        world.add(block(), stiff, name=f"{level}", position=(0.02 * (-1) ** level, 0.25 + 0.5 * level, 0))
    run(world, 60, substeps=2)
    for level, actor in enumerate(world.actors):
        assert actor.centre[1] == pytest.approx(0.25 + 0.5 * level, abs=0.02 * (level + 1))
        assert np.hypot(actor.centre[0], actor.centre[2]) < 0.2


@pytest.mark.parametrize(("degrees", "holds"), [(15, True), (40, False)])
def test_slope_holds_and_slides_as_friction_says(degrees: float, holds: bool) -> None:
    turn = np.deg2rad(degrees)
    rotation = (0, 0, np.sin(-turn / 2), np.cos(-turn / 2))
    world = pliant.World()
    plank = pliant.shapes.cuboid(size=(3, 0.5, 1), cells=(12, 2, 4), name="plank")
    slope = world.add(plank, pliant.ShapeMatching(), name="slope", rotation=rotation, friction=0.5)
    slope.pin(range(len(plank.rest)))
    up = np.array([np.sin(turn), np.cos(turn), 0.0])
    along = np.array([np.cos(turn), -np.sin(turn), 0.0])
    stiff = pliant.ShapeMatching(stiffness=1.0, damping=10)
    body = world.add(block(), stiff, name="block", position=0.505 * up - 0.8 * along, rotation=rotation, friction=0.5)
    run(world, 1.0, substeps=2)
    way = float((body.centre - (0.505 * up - 0.8 * along)) @ along)
    if holds:
        assert way < 0.05
    else:  # s = g (sin - mu cos) t^2 / 2, once it lies on the slope
        wanted = 0.5 * 9.81 * (np.sin(turn) - 0.5 * np.cos(turn))
        assert way == pytest.approx(wanted, rel=0.35)


@pytest.mark.slow
def test_two_hundred_poured_into_a_box_come_to_rest() -> None:
    sides = [((1, 2, 0), (0.5, 3, 2)), ((-1, 2, 0), (0.5, 3, 2)), ((0, 2, 1), (2, 3, 0.5)), ((0, 2, -1), (2, 3, 0.5))]
    walls = [pliant.Box(centre=centre, half_size=half) for centre, half in sides]
    world = pliant.World(colliders=[pliant.Plane(), *walls])
    random = np.random.default_rng(1)
    settings = pliant.OrientedParticles(particles=6, stiffness=1e6, iterations=2, damping=10)
    for number in range(200):
        layer, place = divmod(number, 9)
        position = (0.28 * (place // 3 - 1), 0.2 + 0.25 * layer, 0.28 * (place % 3 - 1))
        world.add(pebble(), settings, name=f"{number}", position=position, rotation=random.normal(size=4))
    run(world, 10, substeps=3)
    assert np.median([speed(actor) for actor in world.actors]) < 0.05
    for actor in world.actors:
        assert (np.abs(actor.centre[[0, 2]]) < 0.5).all() and actor.centre[1] > 0.0
    deep, reach = overlaps(world)
    assert np.quantile(deep / reach, 0.99) < 0.25  # half a contact radius, of two of them
