"""Actors change their model, their number of particles and their settings while they move."""

from functools import cache

import numpy as np
import pytest

import pliant
from pliant.world.distances import pose_distances


@cache
def bear():
    return pliant.shapes.teddy(particles=400)


def thrown():
    world = pliant.World(gravity=(0, 0, 0), precision="double")
    actor = world.add(bear(), pliant.ShapeMatching(), velocity=(1, 2, 0), angular_velocity=(0, 1, 0.5))
    for _ in range(20):
        world.step(1 / 60)
    return world, actor


@pytest.mark.slow
def test_a_bear_in_flight_becomes_oriented_particles_and_back():
    world, actor = thrown()
    centre, speed = actor.centre, actor.body.masses @ actor.velocities / actor.mass
    surface = actor.surface
    actor.settings = pliant.OrientedParticles(particles=60)
    assert actor.positions.shape == (60, 3) and actor.rotations.shape == (60, 4)
    np.testing.assert_allclose(actor.centre, centre, atol=5e-3)
    np.testing.assert_allclose(actor.body.masses @ actor.velocities / actor.mass, speed, atol=2e-2)
    assert np.abs(actor.surface - surface).max() < 0.05
    for _ in range(20):
        world.step(1 / 60)
    np.testing.assert_allclose(actor.centre, centre + speed / 3, atol=2e-2)
    actor.settings = pliant.ShapeMatching()
    assert actor.positions.shape == bear().rest.shape and actor.rotations is None
    np.testing.assert_allclose(actor.centre, centre + speed / 3, atol=2e-2)
    world.step(1 / 60)


def test_another_number_of_particles():
    world, actor = thrown()
    actor.settings = pliant.OrientedParticles(particles=30)
    handle = actor.grab(skin=5)
    centre = actor.centre
    actor.settings = pliant.OrientedParticles(particles=50)
    assert len(actor.positions) == 50
    np.testing.assert_allclose(actor.centre, centre, atol=2e-2)
    assert handle not in world._inputs.handles
    world.step(1 / 60)


def test_numbers_are_changed_in_place():
    world = pliant.World()
    actor = world.add(bear(), pliant.OrientedParticles(particles=30))
    world.step(1 / 60)
    pack = world._registry.packs["oriented_particles"]
    actor.settings = actor.settings.changed(stiffness=5e5, damping=1, iterations=3)
    assert world._registry.packs["oriented_particles"] is pack and not world._registry.stale
    world.step(1 / 60)


def test_forced_poses_hold_and_are_left_out():
    body = bear().with_pose("flat", bear().rest * (1.2, 0.6, 1.2))
    world = pliant.World(gravity=(0, 0, 0))
    actor = world.add(body, pliant.OrientedParticles(particles=30, forced={"flat": 1.0}, damping=5))
    for _ in range(240):
        world.step(1 / 60)
    assert actor.weights[0].tolist() == [0.0, 1.0]
    squashed = np.ptp(actor.positions[:, 1]) / np.ptp(actor.body.rest[:, 1])
    assert squashed == pytest.approx(0.6, abs=0.05)
    actor.settings = actor.settings.changed(forced={"flat": 0.0})
    for _ in range(240):
        world.step(1 / 60)
    assert actor.weights[0].tolist() == [1.0, 0.0]
    assert np.ptp(actor.positions[:, 1]) == pytest.approx(np.ptp(actor.body.rest[:, 1]), rel=0.02)


def test_aiming_needs_particles_that_turn():
    world = pliant.World()
    actor = world.add(bear(), pliant.ShapeMatching())
    with pytest.raises(pliant.SettingsError, match="do not turn; use OrientedParticles"):
        actor.aim((0, 1, 0), skin=0)


def test_a_pose_that_the_body_has_not_is_told():
    with pytest.raises(pliant.SettingsError, match='has no pose "smile"'):
        pliant.World().add(bear(), pliant.OrientedParticles(forced={"smile": 1.0}))


def test_a_particle_can_be_in_one_group_only():
    with pytest.raises(pliant.SettingsError, match="a particle has one set of weights"):
        pliant.World().add(bear(), pliant.OrientedParticles(examples={"a": [1, 2], "b": [2, 3]}))


@pytest.mark.slow
def test_a_forced_pose_leaves_a_pose_of_another_part_alone():
    """The toe of a shoe whose heel is forced: what the heel does to it is not taken for the toe's own pose."""
    from pliant.gallery import pressed_shoe

    shoe = next(actor.given for actor in pressed_shoe.build().actors if actor.given.poses)
    world = pliant.World(gravity=(0, 0, 0))
    actor = world.add(shoe, pliant.OrientedParticles(forced={"heel": 1.0}))
    for _ in range(36):
        world.step(1 / 60, substeps=4)
    assert actor.weights[0, 1] < 0.01
    carried = pose_distances(actor.body, actor.body.surface("heel"))[2]
    assert abs(actor.distances[2] - carried) < 1e-3
