"""Bodies on bodies: skin on skin, and a stack that stands."""

from typing import Any

import numpy as np
import pytest

import pliant
from meetings import block
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
    assert len(found.depths) >= 4 and found.sticking.mean() > 0.8
    assert (np.abs(found.normals[:, 1]) > 0.99).all()
    np.testing.assert_allclose(found.points[:, 1], 0.5, atol=0.01)


# A stack of cubes of soft stuff buckles under its own weight, as a column does, if it is higher than
# (7.8 E I / (density g A))^(1/3); these are stiff enough not to, and the lowest is visibly flattened.
CUBES = {
    "shape matching": (pliant.ShapeMatching(stiffness=3.0, damping=10), 2.0),
    "oriented particles": (pliant.OrientedParticles(particles=8, stiffness=1e7, damping=10, iterations=4), 1.0),
    "rigid": (pliant.Rigid(), 0.5),
}


@pytest.mark.parametrize(("settings", "edge"), CUBES.values(), ids=CUBES)
def test_stack_of_five_stands_for_a_minute(settings: Any, edge: float) -> None:
    world = pliant.World(colliders=[pliant.Plane()])
    body = pliant.shapes.cuboid(size=(edge, edge, edge), cells=(2, 2, 2))
    for level in range(5):
        place = (0.04 * edge * (-1) ** level, edge * (0.5 + level), 0)
        world.add(body, settings, name=f"{level}", position=place)
    run(world, 10, substeps=2)
    settled = np.array([actor.centre for actor in world.actors])
    run(world, 50, substeps=2)
    stands = np.array([actor.centre for actor in world.actors])
    assert np.linalg.norm(stands - settled, axis=1).max() < 0.05 * edge
    assert np.abs(stands[:, [0, 2]]).max() < 0.15 * edge
    assert (np.diff(stands[:, 1]) > 0.8 * edge).all()  # one above the other
    assert max(speed(actor) for actor in world.actors) < 0.01
