"""Air pushes at what it meets, for every model, and calm worlds know nothing of it."""

import numpy as np
import pytest

import pliant
from pliant.models import models
from pliant.scene.load import scene_from_text

AIR = 1.2  # kg/m^3


def speed(actor):
    return actor.body.masses @ actor.velocities / actor.mass


@pytest.mark.parametrize("name", sorted(models()))
def test_a_cube_is_carried_along(name):
    """Square to the wind:  m dv/dt = rho A (u - v)^2 / 2,  so  1/(u - v) grows by rho A t / (2 m).
    Heavy enough that wind neither squashes nor widens it."""
    world = pliant.World(gravity=(0, 0, 0), wind=(5, 0, 0), precision="double")
    actor = world.add(pliant.shapes.cuboid(cells=(3, 3, 3), size=(1, 1, 1), density=100), models()[name].settings())
    for _ in range(60):
        world.step(1 / 60)
    slower = 1 / (1 / 5 + AIR / (2 * actor.mass))
    np.testing.assert_allclose(speed(actor), (5 - slower, 0, 0), rtol=0.005, atol=1e-5)


@pytest.mark.parametrize("turned", [False, True])
def test_a_sheet_falls_no_faster_than_air_lets_it(turned):
    """Both sides are alike:  m g = rho A v^2 / 2."""
    sheet = pliant.shapes.sheet(cells=(4, 4), thickness=0.01, density=100)
    world = pliant.World(wind=(0, 0, 0), precision="double")
    actor = world.add(sheet, pliant.MassSpring(young=1e6, bending=100), rotation=(1.0 * turned, 0, 0, 1.0 - turned))
    for _ in range(300):
        world.step(1 / 60)
    assert speed(actor)[1] == pytest.approx(-np.sqrt(2 * actor.mass * 9.81 / AIR), rel=1e-3)


def test_lift_pushes_a_slanting_sheet_across_the_wind():
    sheet = pliant.shapes.sheet(cells=(4, 4), thickness=0.01, density=100)
    half = np.radians(15)
    rises = []
    for lift in (0.0, 1.0):
        world = pliant.World(gravity=(0, 0, 0), wind=pliant.Wind((4, 0, 0), lift=lift), precision="double")
        actor = world.add(sheet, pliant.Rigid(), rotation=(0, 0, -np.sin(half), np.cos(half)))
        world.step(1 / 60)
        rises.append(speed(actor))
    assert abs(rises[0][1]) < 1e-12 < rises[0][0]
    assert abs(rises[1][1]) > 0.5 * rises[1][0]


def test_a_rope_is_blown_by_what_comes_across_it():
    places = []
    for wind in ((6, 0, 0), (0, 0, 6)):
        world = pliant.World(gravity=(0, 0, 0), wind=wind, precision="double")
        actor = world.add(pliant.shapes.rope(), pliant.MassSpring())
        world.step(1 / 60)
        places.append(speed(actor))
    assert np.abs(places[0]).max() < 1e-12
    assert places[1][2] > 0


def test_what_moves_with_the_air_feels_nothing():
    world = pliant.World(gravity=(0, 0, 0), wind=(3, 1, 0), precision="double")
    actor = world.add(pliant.shapes.cuboid(cells=(2, 2, 2)), pliant.MassSpring(), velocity=(3, 1, 0))
    for _ in range(20):
        world.step(1 / 60)
    np.testing.assert_allclose(speed(actor), (3, 1, 0), atol=1e-12)


def test_forces_and_wind_add_up_and_wind_may_end():
    world = pliant.World(gravity=(0, 0, 0), wind=(2, 0, 0), precision="double")
    actor = world.add(pliant.shapes.cuboid(cells=(2, 2, 2)), pliant.MassSpring())
    actor.push((0, actor.mass, 0))
    for _ in range(30):
        world.step(1 / 60)
    assert speed(actor)[1] == pytest.approx(0.5, rel=1e-3)
    assert speed(actor)[0] > 0
    world.wind = None
    before = speed(actor)
    world.step(1 / 60)
    assert speed(actor)[0] == pytest.approx(before[0], rel=1e-9)


def test_gusts_are_the_same_again():
    """A snapshot in a gusty wind goes on bit for bit."""
    world = pliant.World(wind=pliant.Wind((6, 0, 1), gusts=0.4))
    actor = world.add(pliant.shapes.sheet(cells=(6, 6)), pliant.MassSpring())
    actor.pin([0, 6])
    for _ in range(10):
        world.step(1 / 60)
    snapshot = world.snapshot()
    ends = []
    for _ in range(2):
        world.restore(snapshot)
        for _ in range(20):
            world.step(1 / 60)
        ends.append(actor.positions.copy())
    np.testing.assert_array_equal(ends[0], ends[1])


def test_a_light_sheet_in_a_gale_stays_finite():
    world = pliant.World(wind=(60, 0, 0))
    actor = world.add(pliant.shapes.sheet(cells=(6, 6), thickness=1e-4, density=100), pliant.MassSpring(young=1e7))
    actor.pin([0, 6])
    for _ in range(60):
        world.step(1 / 60)
    assert np.abs(actor.positions).max() < 3


def test_a_scene_has_wind():
    text = '[world]\nwind = {velocity = [4, 0, 0], gusts = 0.1}\n[[bodies]]\nname = "a"\nshape = {type = "cuboid"}\n'
    wind = scene_from_text(text).world.wind
    assert wind is not None
    assert (tuple(wind.velocity), wind.gusts, wind.drag) == ((4, 0, 0), 0.1, 1.0)


@pytest.mark.parametrize("wrong", ["north", (1, 2), [float("nan")] * 3])
def test_a_wrong_wind_is_told(wrong):
    with pytest.raises(pliant.SettingsError, match=r"World: wind = .*; give m/s along x, y and z, or a Wind"):
        pliant.World(wind=wrong)
