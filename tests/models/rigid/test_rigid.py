"""Rigid bodies: mechanics as in the textbook."""

import numpy as np
import pytest

import pliant
from pliant.world import World
from pliant.world.paths import rotation
from worlds import run


def crate(size=(0.4, 0.4, 0.4), cells=(2, 2, 2)):
    return pliant.shapes.cuboid(size=size, cells=cells)


def distances(points):
    return np.linalg.norm(points[:, None] - points[None], axis=2)


def spin_of(actor):
    arms = actor.positions - actor.centre
    return (actor.body.masses[:, None] * np.cross(arms, actor.velocities)).sum(axis=0)


def energy_of(actor):
    return 0.5 * float(actor.body.masses @ (np.asarray(actor.velocities, float) ** 2).sum(axis=1))


def test_it_has_the_mass_it_is_given():
    world = World()
    assert world.add(crate(), pliant.Rigid(mass=2.5)).mass == pytest.approx(2.5)
    light = world.add(crate(), pliant.Rigid())
    assert light.mass == pytest.approx(1000 * 0.4**3)
    light.settings = pliant.Rigid(mass=1.0)
    assert light.mass == pytest.approx(1.0)


def test_it_tumbles_comes_to_rest_and_keeps_its_shape():
    world = World(colliders=[pliant.Plane()])
    box = world.add(
        crate(), pliant.Rigid(mass=2.0), position=(0, 1, 0), rotation=(0.2, 0.1, 0.3, 1), angular_velocity=(0, 1, 2)
    )
    run(world, 3.0)
    assert np.abs(distances(box.positions) - distances(box.body.rest)).max() < 1e-6
    assert box.centre[1] == pytest.approx(0.2, abs=1e-3)
    sleep_version = box.positions.copy()
    run(world, 2.0)
    np.testing.assert_allclose(box.positions, sleep_version, atol=1e-6)  # it does not creep


def test_momentum_and_energy_in_free_flight():
    """About its middle axis a brick turns over and over, and keeps both."""
    world = World(gravity=(0, 0, 0), precision="double")
    brick = world.add(crate((0.2, 0.4, 0.6)), pliant.Rigid(), angular_velocity=(0.1, 8, 0.1), velocity=(1, 0, 2))
    before, energy = spin_of(brick), energy_of(brick)
    upright = []
    for _ in range(600):
        world.step(1 / 60)
        upright.append((brick.positions[-1] - brick.positions[0])[1])
    assert min(upright) < -0.3 and max(upright) > 0.3
    np.testing.assert_allclose(spin_of(brick), before, atol=1e-9 * np.linalg.norm(before))
    assert energy_of(brick) == pytest.approx(energy, rel=1e-3)


@pytest.mark.parametrize("degrees, friction", [(20, 0.5), (30, 0.5), (35, 0.5), (30, 0.0)])
def test_on_a_slope_it_holds_and_slides_as_friction_says(degrees, friction):
    turn = rotation((0, 0, -np.radians(degrees)))
    world = World(colliders=[pliant.Plane(normal=turn[:, 1], friction=friction)])
    box = world.add(crate(), pliant.Rigid(mass=3), position=0.2 * turn[:, 1], rotation=turn)
    start = box.centre
    run(world, 1.0)
    rate = 9.81 * (np.sin(np.radians(degrees)) - friction * np.cos(np.radians(degrees)))
    expected = max(0.0, rate / 2 * (1 + 1 / 60))
    np.testing.assert_allclose(box.centre - start, expected * turn[:, 0], atol=2e-3)


def test_on_ice_its_middle_falls_straight_down():
    world = World(colliders=[pliant.Plane(friction=0)])
    box = world.add(crate(), pliant.Rigid(mass=3), position=(0, 0.6, 0), rotation=(0.3, 0.2, 0.5, 1))
    start = box.centre
    run(world, 3.0)
    np.testing.assert_allclose(box.centre[[0, 2]], start[[0, 2]], atol=2e-3)


@pytest.mark.parametrize("restitution", [0.0, 0.5, 0.9])
def test_it_bounces_as_high_as_restitution_says(restitution):
    world = World(colliders=[pliant.Plane(restitution=restitution)])
    box = world.add(crate(), pliant.Rigid(mass=3), position=(0, 1.2, 0))
    run(world, 0.48, substeps=4)
    top = box.centre[1]
    for _ in range(60):
        world.step(1 / 60, 4)
        top = max(top, box.centre[1])
    assert top == pytest.approx(0.2 + restitution**2, abs=0.06)


def test_a_handle_lifts_it_with_its_usual_stretch():
    world = World()
    box = world.add(crate(), pliant.Rigid(mass=3, drag=2.0), position=(0, 1, 0))
    handle = box.grab(26)
    run(world, 8.0)
    assert (handle.target - handle.position)[1] == pytest.approx(0.025, rel=0.02)
    # it hangs below the point by which it is held
    np.testing.assert_allclose(box.centre[[0, 2]], handle.position[[0, 2]], atol=0.01)


def test_it_swings_on_a_pin_and_keeps_its_shape():
    world = World()
    bar = world.add(crate((0.1, 0.1, 1.0), (1, 1, 6)), pliant.Rigid(), position=(0, 2, 0))
    end = np.flatnonzero(bar.body.rest[:, 2] < -0.49)
    bar.pin(end[:1])
    pinned = bar.positions[end[0]].copy()
    lowest = 9.0
    for _ in range(120):
        world.step(1 / 60, 2)
        lowest = min(lowest, bar.centre[1])
    np.testing.assert_allclose(bar.positions[end[0]], pinned, atol=5e-4)
    assert np.abs(distances(bar.positions) - distances(bar.body.rest)).max() < 2e-3
    assert 1.4 < lowest < 1.6


def test_a_fast_spin_and_a_thing_that_comes_at_100_metres_a_second():
    road = pliant.Path([0, 1], [(-50, 0, 0), (50, 0, 0)])
    world = World(colliders=[pliant.Plane(), pliant.Box(centre=(0, 1, 0), half_size=(0.05, 1, 1), path=road)])
    box = world.add(crate(), pliant.Rigid(), position=(0, 0.3, 0), angular_velocity=(0, 0, 300))
    for _ in range(70):
        world.step(1 / 60)
        assert np.isfinite(box.positions).all()
        assert np.abs(box.velocities).max() < 250
    assert np.abs(distances(box.positions) - distances(box.body.rest)).max() < 2e-4  # at 50 m from the origin


def test_it_can_become_soft_and_rigid_again():
    world = World(colliders=[pliant.Plane()])
    box = world.add(crate(), pliant.Rigid(mass=3), position=(0, 1, 0), velocity=(1, 0, 0))
    run(world, 0.2)
    box.settings = pliant.ShapeMatching()
    run(world, 0.5)
    box.settings = pliant.Rigid(mass=3)
    run(world, 0.5)
    assert np.abs(distances(box.positions) - distances(box.body.rest)).max() < 1e-6
