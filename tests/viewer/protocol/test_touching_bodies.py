"""The view of contacts shows where bodies touch one another, and meshes."""

import numpy as np

import obstacles
import pliant
import worlds
from pliant.viewer.protocol.commands import Grab, Move
from pliant.viewer.protocol.layers import _contacts
from pliant.viewer.protocol.packing import Side
from pliant.viewer.simulation.simulation import Simulation
from viewer import exhibits
from worlds import run


def seen(world, time=None):
    side = Side(world, world.actors, (), (10.0, 0.0, 0.0))
    rows = world.frame().particle_rows + np.float32([10, 0, 0, 0])
    return _contacts([side], rows, world.time if time is None else time)


def test_bodies_that_touch():
    world = pliant.World(colliders=[pliant.Plane()])
    for height in (0.26, 0.86):
        world.add(worlds.cube(), pliant.ShapeMatching(damping=5.0), position=(0, height, 0))
    run(world, 0.8, substeps=2)  # before they sleep
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


def test_a_rigid_body_is_grabbed_and_wakes():
    """It comes to rest and sleeps, which the page tells; a hand wakes it, and its shape stays as it is."""

    def build():
        world = pliant.World(colliders=[pliant.Plane()])
        for x, settings in ((0.0, pliant.Rigid(mass=3)), (2.0, pliant.ShapeMatching(damping=5))):
            world.add(worlds.cube(), settings, name=type(settings).__name__, position=(x, 0.26, 0))
        return world

    simulation = Simulation(exhibits.Exhibit("two", "Two", "", "A stone and a cushion.", 1.0, build))
    rigid, other = simulation.actors
    assert simulation.sleepers == 0
    for _ in range(300):
        simulation.step()
        if simulation.sleepers == 2:
            break
    assert rigid.asleep and other.asleep and simulation.sleepers == 2
    vertex = int(rigid.surface[:, 1].argmax())
    simulation.apply(Grab(handle=1, actor=rigid.name, vertex=vertex, target=tuple(rigid.surface[vertex])), "page")
    simulation.apply(Move(handle=1, target=tuple(rigid.surface[vertex] + (0, 1, 0))), "page")
    for _ in range(60):
        simulation.step()
    assert simulation.sleepers == 1 and not rigid.asleep
    assert rigid.centre[1] > 0.6
    rest = rigid.body.rest
    apart = np.linalg.norm(rigid.positions[:, None] - rigid.positions, axis=2)
    np.testing.assert_allclose(apart, np.linalg.norm(rest[:, None] - rest, axis=2), atol=1e-4)
