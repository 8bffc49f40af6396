"""What is not looked at could not have touched: contacts are the same as if all were looked at in every sub-step."""

import numpy as np
import pytest

import pliant
from pliant.collision.layout import PAIR_COUNT
from pliant.world import World

MODELS = {
    "rigid": pliant.Rigid(),
    "particles": pliant.OrientedParticles(particles=40),
}


def heap(settings: pliant.models.settings.Settings) -> World:
    world = World(colliders=[pliant.Plane(), pliant.Sphere(centre=(0.1, 0.3, 0), radius=0.3)])
    torus = pliant.shapes.torus()
    size = float(np.ptp(torus.rest[:, 0]))
    for k in range(4):
        place = (0.1 * k, 1.0 + 0.4 * k * size, 0.05 * k)
        world.add(torus, settings, scale=0.5, position=place, velocity=(0.3 * k, -1, 0.2))
    return world


@pytest.mark.parametrize("settings", MODELS.values(), ids=MODELS)
def test_what_is_known_changes_nothing(settings: pliant.models.settings.Settings) -> None:
    known, anew = heap(settings), heap(settings)
    touched = 0
    for _ in range(90):
        for world in (known, anew):
            world.step(1 / 60, substeps=1)
        anew._registry.contact_system._forget()
        touched += len(known.contacts.pushes) > 0
        for one, other in zip(known.actors, anew.actors, strict=True):
            assert (np.asarray(one.positions) == np.asarray(other.positions)).all()
    assert touched > 10


def test_a_body_that_is_put_elsewhere_is_met_there() -> None:
    world = World(gravity=(0, 0, 0))
    ball = pliant.shapes.ball(radius=0.3, particles=100)
    one = world.add(ball, pliant.ShapeMatching(), position=(0, 0, 0))
    other = world.add(ball, pliant.ShapeMatching(), position=(0, 5, 0))
    for _ in range(10):
        world.step(1 / 60, substeps=2)
    assert len(world.contacts.pushes) == 0
    other.positions[:] = one.positions + np.array([0, 0.55, 0])
    world.step(1 / 60, substeps=2)
    assert len(world.contacts.pushes) > 0


def test_many_pairs_find_room() -> None:
    """More than there is room for at first: all on one spot."""
    world = World(gravity=(0, 0, 0))
    crate = pliant.shapes.cuboid(size=(0.1, 0.1, 0.1), cells=(1, 1, 1))
    for k in range(90):
        world.add(crate, pliant.Rigid(), position=(0.001 * k, 0, 0))
    with pytest.warns(UserWarning, match="left out of a step"):
        world.step(1 / 60)
    assert world._registry.contact_system.work.counts[PAIR_COUNT] == 90 * 89 // 2
