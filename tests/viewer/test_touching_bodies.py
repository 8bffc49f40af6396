"""The view of contacts shows where bodies touch one another, and meshes."""

import numpy as np

import obstacles
import pliant
import worlds
from pliant.viewer.layers import _contacts
from pliant.viewer.packing import Side
from worlds import run


def seen(world, time=None):
    side = Side(world, world.actors, (), (10.0, 0.0, 0.0))
    rows = world.rows(world.actors) + np.float32([10, 0, 0, 0])
    return _contacts([side], rows, world.time if time is None else time)


def test_bodies_that_touch():
    world = pliant.World(colliders=[pliant.Plane()])
    for height in (0.26, 0.86):
        world.add(worlds.cube(), pliant.ShapeMatching(damping=5.0), position=(0, height, 0))
    run(world, 2.0, substeps=2)
    found = seen(world)
    between = found[found[:, 1] > 0.2]
    assert len(between) > 0
    assert np.abs(between[:, 0] - 10).max() < 0.5  # drawn where that copy is
    assert np.abs(between[:, 4]).min() > 0.7  # one stands on the other
    assert len(seen(world, 0.5)[:, 1]) < len(found)  # a moment that is past has only those with obstacles


def test_a_mesh_that_is_touched():
    floor = pliant.Mesh(*obstacles.box((1, 0.2, 1)), position=(0, -0.2, 0), cells=24)
    world = pliant.World(colliders=[floor])
    world.add(worlds.cube(), pliant.Rigid(), position=(0, 0.26, 0))
    run(world, 0.5)
    found = seen(world)
    assert len(found) == 9
    np.testing.assert_allclose(found[:, 1], 0, atol=1e-3)
    np.testing.assert_allclose(found[:, 3:], np.tile((0, 1, 0), (9, 1)), atol=1e-3)
