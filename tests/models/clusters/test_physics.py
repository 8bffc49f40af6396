"""What clusters promise: stiffness that does not depend on the step, a material, volume, coming back from anything."""

import sys
from pathlib import Path

import numpy as np
import pytest

import pliant
from pliant.bench.material import Case, bar, measured
from pliant.gallery.all_models import ends_twist
from random_bodies import misfit

WEIGHTLESS = (0.0, 0.0, 0.0)
REFERENCE = (31.5, 57.1, 77.8)  # degrees: finite elements, pressed by 10, 20, 30 % (docs/all-models.md)
STRETCH, SAG = 75.6e-3, 77.3e-3  # m: finite elements at the finest resolution (docs/material.md)


def cube(cells=2, **more):
    return pliant.shapes.cuboid(size=(1, 1, 1), cells=(cells,) * 3, **more)


def pulled(settings, seconds=5.0):
    """How much longer, and how much wider, a cube gets as a whole (its best affine fit) that is drawn apart by 0.01 of
    its Young's modulus."""
    body = cube(4)
    world = pliant.World(gravity=WEIGHTLESS, precision="double")
    actor = world.add(body, settings)
    share = np.prod([np.where(np.abs(body.rest[:, axis]) > 0.49, 0.5, 1.0) / 4 for axis in (0, 2)], axis=0)
    ends = np.where(np.abs(body.rest[:, 1]) > 0.49, np.sign(body.rest[:, 1]), 0.0)
    actor.push(np.outer(0.01 * 1e5 * share * ends, (0, 1, 0)))
    for _ in range(round(60 * seconds)):
        world.step(1 / 60)
    moments = body.rest.T @ (body.masses[:, None] * body.rest)
    strain = np.linalg.solve(moments, body.rest.T @ (body.masses[:, None] * (actor.positions - body.rest)))
    return strain[1, 1], strain[0, 0]


@pytest.mark.slow
@pytest.mark.parametrize("settings", [{"stiffness": 4.0}, {"young": 2e5}])
def test_one_quadratic_cluster_twists_as_a_solid_does(settings):
    sys.path.insert(0, str(Path(__file__).parents[3] / "benchmarks"))
    try:
        from all_models import pressed
    finally:
        sys.path.pop(0)
    surfaces, skin, _ = pressed(pliant.Clusters(damping=8, example_strength=0.995, **settings), 4, False)
    for surface, expected in zip(surfaces, REFERENCE, strict=True):
        assert ends_twist(skin, surface) == pytest.approx(expected, rel=0.3)


@pytest.mark.slow
def test_a_bar_of_eight_clusters_hangs_and_bends_as_its_material_does():
    case = Case("clusters", "8", bar(4), lambda **more: pliant.Clusters(young=1e6, poisson=0.3, clusters=8, **more))
    assert measured(case, "stretch") == pytest.approx(STRETCH, rel=0.15)
    assert measured(case, "bending") == pytest.approx(SAG, rel=0.3)


@pytest.mark.parametrize("poisson", [0.0, 0.3, 0.45])
def test_a_cube_stretches_and_narrows_as_its_material_does(poisson):
    longer, wider = pulled(pliant.Clusters(young=1e5, poisson=poisson, modes="linear", damping=20))
    assert longer == pytest.approx(0.01, rel=0.03)
    assert -wider / longer == pytest.approx(poisson, abs=0.02)


def test_volume_is_kept_better_the_higher_poissons_ratio():
    left = []
    for poisson in (0.0, 0.45):
        body = cube()
        world = pliant.World(gravity=WEIGHTLESS, precision="double")
        actor = world.add(body, pliant.Clusters(stiffness=1, poisson=poisson, damping=5))
        top = np.abs(body.rest[:, 1]) > 0.49
        actor.positions[:] *= (1, 1.3, 1)
        actor.pin(np.flatnonzero(top))
        for _ in range(240):
            world.step(1 / 60)
        middle = ~top & (np.abs(body.rest[:, 0]) > 0.49)
        left.append(float(np.abs(actor.positions[middle, 0]).mean()))
    assert left[1] < left[0] - 0.01


@pytest.mark.parametrize("settings", [{"stiffness": 0.05}, {"young": 1e4}])
def test_the_frequency_does_not_depend_on_the_step(settings):
    times = []
    for h in (1 / 60, 1 / 240):
        body = cube()
        world = pliant.World(gravity=WEIGHTLESS, precision="double")
        actor = world.add(body, pliant.Clusters(damping=0, poisson=0, **settings))
        actor.positions[:] = body.rest * (1, 1.05, 1)
        heights = []
        for _ in range(round(4 / h)):
            world.step(h)
            heights.append(float(np.ptp(actor.positions[:, 1])) - 1.0)
        passes = np.flatnonzero(np.diff(np.sign(heights)))
        times.append(h * (passes[-1] - passes[0]) / (len(passes) - 1))
    assert times[0] == pytest.approx(times[1], rel=0.03)


@pytest.mark.parametrize("crush", ["point", "plane", "inside out"])
@pytest.mark.parametrize("modes", ["rigid", "linear", "quadratic"])
def test_it_comes_back_from_anything(crush, modes):
    body = cube(3)
    world = pliant.World(gravity=WEIGHTLESS)
    actor = world.add(body, pliant.Clusters(modes=modes, damping=4, stiffness=0.5))
    actor.positions[:] *= {"point": (0, 0, 0), "plane": (1, 0, 1), "inside out": (1, -1, 1)}[crush]
    for _ in range(900):
        world.step(1 / 60)
    assert misfit(actor.positions, body.rest) < 0.01


@pytest.mark.slow
@pytest.mark.parametrize("clusters", [1, 6])
@pytest.mark.parametrize("poisson", [0.0, 0.45])
def test_a_free_body_gains_no_energy(clusters, poisson):
    body = pliant.shapes.cuboid(size=(1, 2, 1), cells=(3, 6, 3))
    body = body.with_pose("twist", pliant.poses.twist(body, degrees=60, axis="y", shorten=0.2))
    body = body.with_pose("squash", body.rest * (1.1, 0.7, 1.1))
    world = pliant.World(gravity=WEIGHTLESS, precision="double")
    actor = world.add(body, pliant.Clusters(stiffness=4, damping=0, clusters=clusters, poisson=poisson))
    actor.positions[:] = body.rest @ (np.eye(3) + np.random.default_rng(3).uniform(-0.15, 0.15, (3, 3)))
    told = []
    for _ in range(6 * 240):
        world.step(1 / 240)
        told.append(float(body.masses @ np.square(actor.velocities).sum(axis=1)))
    assert np.mean(told[-480:]) <= 1.05 * np.mean(told[:480])


def test_more_clusters_than_particles():
    with pytest.raises(pliant.SettingsError, match=r'actor "cuboid": clusters = 50: the body has 27 .* ShapeMatching'):
        pliant.World().add(cube(), pliant.Clusters(clusters=50))


def test_modes_that_do_not_exist():
    with pytest.raises(pliant.SettingsError, match=r"Clusters: modes = 'cubic'"):
        pliant.Clusters(modes="cubic")
    with pytest.raises(pliant.SettingsError, match="Clusters: young = -1"):
        pliant.Clusters(young=-1.0)


def test_every_cluster_holds_on_to_another():
    """Else a body of several would fall apart."""
    body = pliant.shapes.cuboid(size=(1, 4, 1), cells=(2, 8, 2))
    world = pliant.World(gravity=(0, -2, 0))
    actor = world.add(body, pliant.Clusters(clusters=6, stiffness=4))
    actor.pin(lambda rest: rest[:, 1] > 1.9)
    for _ in range(180):
        world.step(1 / 60, substeps=4)
    assert np.ptp(actor.positions[:, 1]) < 5.0


def test_what_changes_while_it_runs():
    body = cube().with_pose("flat", cube().rest * (1.2, 0.6, 1.2))
    world = pliant.World(gravity=WEIGHTLESS)
    actor = world.add(body, pliant.Clusters(stiffness=1, damping=10))
    world.step(1 / 60)
    actor.settings = actor.settings.changed(forced={"flat": 1.0}, forced_time=0.0)
    for _ in range(120):
        world.step(1 / 60)
    assert actor.weights[0, 1] == pytest.approx(1.0)
    assert misfit(actor.positions, body.poses["flat"]) < 0.01
    actor.settings = actor.settings.changed(forced={}, clusters=3, modes="linear")
    for _ in range(240):
        world.step(1 / 60)
    assert misfit(actor.positions, body.rest) < 0.01
