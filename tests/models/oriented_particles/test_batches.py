"""Many bodies at once: lanes, threads and factors change the speed and nothing else."""

import sys
from functools import cache

import numpy as np
import pytest

import pliant
from pliant.graph import graph_of
from pliant.models.oriented_particles import factors

SOLVE = "pliant.models.oriented_particles.solve"


@cache
def teddy():
    return pliant.shapes.teddy(particles=300)


def crowd(precision="double", count=20, threads=1, particles=15, **settings):
    world = pliant.World(precision=precision, threads=threads, colliders=[pliant.Plane(point=(0, -0.4, 0))])
    graph = graph_of(teddy(), particles)
    rng = np.random.default_rng(0)
    for number in range(count):
        matter = pliant.OrientedParticles(particles=particles, iterations=4, **settings)
        actor = world.add(graph, matter, position=(3 * number, 0, 0), angular_velocity=(1, 0.3 * number, -1))
        actor.positions[:] += 0.03 * rng.normal(size=actor.positions.shape)
    return world


def play(world, steps=30):
    for _ in range(steps):
        world.step(1 / 60)
    return [
        np.concatenate([getattr(a, what) for a in world.actors])
        for what in ("positions", "velocities", "angular_velocities")
    ]


@pytest.mark.slow
def test_lanes_do_what_single_bodies_do(monkeypatch):
    lanes = crowd()
    together = play(lanes)
    assert len(lanes._registry.packs["oriented_particles"].batches) > 0
    monkeypatch.setattr(sys.modules[SOLVE], "FEWEST_IN_BATCH", 10**6)
    single = crowd()
    alone = play(single)
    assert len(single._registry.packs["oriented_particles"].batches) == 0
    for a, b in zip(together, alone, strict=True):
        np.testing.assert_allclose(a, b, atol=1e-8)


def test_pinned_bodies_go_in_lanes_if_they_are_pinned_alike(monkeypatch):
    def pinned():
        world = crowd(count=12, damping=2.0)
        world.contact = False  # the one that is dragged away flies through others: the least difference would grow
        for number, actor in enumerate(world.actors):
            actor.pin([1, 5] if number < 7 else [3], path=None if number != 4 else (lambda t: (12, 0.2 * t, 0)))
        played = play(world, 15)
        pack = world._registry.packs["oriented_particles"]
        return pack.batches.reshape(-1, 18)[:, 1].tolist(), played

    filled, together = pinned()
    assert filled == [7, 5]
    monkeypatch.setattr(sys.modules[SOLVE], "FEWEST_IN_BATCH", 10**6)
    filled, alone = pinned()
    assert filled == []
    for a, b in zip(together, alone, strict=True):
        np.testing.assert_allclose(a, b, atol=1e-6)
    assert np.abs(together[2]).max() > 0.1  # they turn about their pins


def test_those_that_are_awake_share_lanes():
    world = crowd(count=40, stiffness=1e5)
    world.step(1 / 60)
    contact_system = world._registry.contact_system
    world._registry.state.sleep_timers[[n for n in range(40) if n % 4]] = -1.0
    contact_system.recall()
    before = [actor.positions.copy() for actor in world.actors]
    world.step(1 / 60)
    pack = world._registry.packs["oriented_particles"]
    assert pack.awake[2].reshape(-1, 18)[:, 1].tolist() == [10]  # one block instead of three
    moved = [not np.array_equal(a.positions, b) for a, b in zip(world.actors, before, strict=True)]
    assert moved == [n % 4 == 0 for n in range(40)]


def test_a_wild_spin_in_single_precision_is_no_matter_for_lanes(monkeypatch):
    """Beyond some angle a step, the series for rotations are left for the functions themselves."""

    def spun():
        world = pliant.World(gravity=(0, 0, 0))
        matter = pliant.OrientedParticles(particles=15, damping=0)
        for _ in range(6):
            world.add(graph_of(teddy(), 15), matter, angular_velocity=(0, 90, 0))
        world.contact = False
        played = play(world, 3)
        return len(world._registry.packs["oriented_particles"].batches) > 0, played

    in_lanes, together = spun()
    assert in_lanes
    monkeypatch.setattr(sys.modules[SOLVE], "FEWEST_IN_BATCH", 10**6)
    in_lanes, alone = spun()
    assert not in_lanes
    for a, b in zip(together, alone, strict=True):
        np.testing.assert_allclose(a, b, rtol=2e-3, atol=2e-3)


@pytest.mark.parametrize("precision", ["single", "double"])
@pytest.mark.parametrize("few", [3, 10**6], ids=["lanes", "single bodies"])
def test_threads_change_no_bit(precision, few, monkeypatch):
    monkeypatch.setattr(sys.modules[SOLVE], "FEWEST_IN_BATCH", few)
    monkeypatch.setattr(sys.modules[SOLVE], "EFFORT_WORTH_SHARING", 1)
    one, two = (play(crowd(precision, count=40, threads=n), 10) for n in (1, 2))
    for a, b in zip(one, two, strict=True):
        assert (a == b).all()


def test_an_inverse_and_a_sparse_factor_place_particles_alike(monkeypatch):
    def placed():
        world = pliant.World(precision="double")
        actor = world.add(pliant.shapes.sheet(), pliant.OrientedParticles(particles=200, stiffness=1e5))
        actor.pin([0, 5])
        actor.grab(skin=40).move_to((0, 1, 0))
        for _ in range(20):
            world.step(1 / 60)
        return np.array(actor.positions), next(iter(world._registry.packs["oriented_particles"].factors.values()))

    monkeypatch.setattr(factors, "FACTOR_COST", 1e9)
    dense, inverse = placed()
    monkeypatch.setattr(factors, "FACTOR_COST", 0.0)
    sparse, factor = placed()
    assert len(inverse.structure) == 0 and len(factor.structure) > 0
    np.testing.assert_allclose(dense, sparse, atol=1e-9)


def test_snapshots_bring_back_every_bit():
    world = crowd("single", count=5)
    play(world, 5)
    kept = world.snapshot()
    first = play(world, 10)
    world.restore(kept)
    for a, b in zip(first, play(world, 10), strict=True):
        assert (a == b).all()


def test_who_is_held_leaves_the_lanes_and_comes_back():
    world = crowd(count=6)
    world.step(1 / 60)
    pack = world._registry.packs["oriented_particles"]
    assert len(pack.singles) == 0
    handle = world.actors[2].grab(skin=10)
    world.step(1 / 60)
    assert world._registry.packs["oriented_particles"].singles.tolist() == [world.actors[2]._number]
    handle.release()
    world.step(1 / 60)
    assert len(world._registry.packs["oriented_particles"].singles) == 0
