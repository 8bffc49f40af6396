"""Any number of threads gives the same bits, and so does a body that is alone as one that others are far from."""

import numpy as np
import pytest

import pliant
from pliant.runtime import thread_pool
from pliant.runtime.thread_pool import ThreadPool
from pliant.world import World, contact_system

SUBSTEPS = 3


def mixed(threads: int) -> World:
    """Bodies of all models that fall on one another, on the floor and on a sphere; one hangs on a pin."""
    world = World(colliders=[pliant.Plane(), pliant.Sphere(centre=(0, 0.2, 0), radius=0.4)])
    world._pool = ThreadPool(threads)
    ball, crate = pliant.shapes.ball(radius=0.3, particles=80), pliant.shapes.cuboid(size=(0.4, 0.4, 0.4))
    torus = pliant.shapes.torus()
    for k in range(3):
        turned = (0.0, 0.1 * k, 0.0, 1.0)
        world.add(ball, pliant.ShapeMatching(), position=(0.2 * k, 1.0 + 0.5 * k, 0.1), restitution=0.3)
        world.add(crate, pliant.Rigid(), position=(0.15 - 0.2 * k, 1.6 + 0.5 * k, 0.0), rotation=turned)
        world.add(
            torus, pliant.OrientedParticles(particles=40), scale=0.4, position=(0.1 * k, 2.4 + 0.3 * k, -0.1),
            velocity=(0, -2, 0),
        )  # fmt: skip
    hanging = world.add(ball, pliant.ShapeMatching(), position=(0.0, 1.2, 0.6))
    hanging.pin([0])
    return world


def bits(world: World) -> bytes:
    return b"".join(np.asarray(a).tobytes() for actor in world.actors for a in (actor.positions, actor.velocities))


def test_threads_change_no_bit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(thread_pool, "CORES", 3)  # threads that wait for one another take turns on fewer
    monkeypatch.setattr(contact_system, "WORTH_SHARING", 0)
    worlds = [mixed(threads) for threads in (1, 2, 3)]
    touching = 0
    for _ in range(60):
        for world in worlds:
            world.step(1 / 60, substeps=SUBSTEPS)
        assert len({bits(world) for world in worlds}) == 1
        touching = max(touching, len(worlds[0].contacts.pushes))
    assert touching > 10
    assert [world._registry.contact_system.pieces for world in worlds] == [1, 2, 3]


@pytest.mark.parametrize(
    "settings", [pliant.ShapeMatching(damping=2), pliant.Rigid(), pliant.OrientedParticles(particles=40)]
)
def test_alone_is_as_if_others_were_far(settings: pliant.models.settings.Settings) -> None:
    """Where bodies do not meet, another kernel goes through the same."""
    torus = pliant.shapes.torus()
    worlds = [World(colliders=[pliant.Plane(), pliant.Box(centre=(0, 0, 0))]) for _ in range(2)]
    for world in worlds:
        for k in range(3):
            place = (50.0 * k, 1.5, 0)
            world.add(torus, settings, scale=0.5, position=place, velocity=(0.3, 0, 0.1), restitution=0.5)
    worlds[1].contact = False
    for _ in range(90):
        for world in worlds:
            world.step(1 / 60, substeps=2)
        assert bits(worlds[0]) == bits(worlds[1])
    kernels = [world._registry.contact_system.tasks.kernels for world in worlds]
    assert len(kernels[0]) > len(kernels[1])


def test_what_sleeps_costs_no_calls(monkeypatch: pytest.MonkeyPatch) -> None:
    """A body that is alone sleeps too, and then no thread is asked to do anything."""
    world = World(colliders=[pliant.Plane()])
    crate = world.add(pliant.shapes.cuboid(size=(0.4, 0.4, 0.4)), pliant.Rigid(), position=(0, 0.2, 0))
    for _ in range(120):
        world.step(1 / 60)
    assert world._registry.contact_system.asleep
    monkeypatch.setattr(ThreadPool, "make", lambda *_: pytest.fail("work was shared out for a body that sleeps"))
    before, time = np.array(crate.positions), world.time
    world.step(1 / 60, substeps=4)
    assert world.time == pytest.approx(time + 1 / 60)
    assert (np.asarray(crate.positions) == before).all()
