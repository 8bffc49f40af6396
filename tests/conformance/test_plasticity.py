"""Weights that stay are the same for every model that has them (models/plasticity.py)."""

import numpy as np
import pytest

import pliant
from pliant.models import models
from pliant.world import World

MODELS = sorted(name for name, model in models().items() if "plasticity" in model.settings.model_fields)
every_model = pytest.mark.parametrize("name", MODELS)
WEIGHTLESS = (0.0, 0.0, 0.0)
H = 1 / 60
SOFT = {"shape_matching": {"stiffness": 4.0}, "clusters": {"stiffness": 4.0}}


def settings_of(name, plasticity, **values):
    return models()[name].settings(plasticity=plasticity, **SOFT.get(name, {}), **values)


def body():
    bar = pliant.shapes.cuboid(size=(1, 2, 1), cells=(3, 6, 3))
    bar = bar.with_pose("squash", bar.rest * (1.1, 0.75, 1.1))
    return bar.with_pose("shear", bar.rest + np.outer(0.3 * bar.rest[:, 1], (1, 0, 0)))


def in_pose(name, plasticity, pose="squash", part=1.0, precision="double", **values):
    """An actor that is held in a blend of rest and a pose, in a world without weight."""
    world = World(gravity=WEIGHTLESS, precision=precision)
    actor = world.add(body(), settings_of(name, plasticity, **values), name="bar")
    actor.positions[:] = actor.body.rest + part * (actor.body.poses[pose] - actor.body.rest)
    return world, actor


def held(world, actor, frames):
    """It is pinned as it is, then let go."""
    pin = actor.pin(np.arange(len(actor.body.rest)))
    for _ in range(frames):
        world.step(H)
    pin.release()


def test_most_models_have_it():
    assert {"shape_matching", "clusters", "oriented_particles", "mass_spring"} <= set(MODELS)


@every_model
def test_below_the_yield_point_nothing_stays(name):
    places = []
    for plasticity in (None, pliant.Plasticity(yield_point=0.6)):
        world, actor = in_pose(name, plasticity, part=0.5)
        for _ in range(20):
            world.step(H)
            assert actor.plastic_weights[:, 0].min() == 1.0
        places.append(actor.positions.copy())
    np.testing.assert_array_equal(*places)


@every_model
def test_a_dent_is_the_drawn_one(name):
    """Held in a pose, all of it stays, and the body comes to rest in the very pose."""
    world, actor = in_pose(name, pliant.Plasticity(yield_point=0.02, creep=60.0))
    held(world, actor, 30)
    for _ in range(240):
        world.step(H, substeps=2)
    assert actor.plastic_weights[:, 1].min() > 0.95
    assert actor.distances[1] < 0.02


@every_model
@pytest.mark.parametrize("precision", ["single", "double"])
def test_plastic_weights_are_convex_and_go_no_farther_than_most(name, precision):
    world, actor = in_pose(name, pliant.Plasticity(yield_point=0.0, creep=300.0, most=0.7), precision=precision)
    for pose in ("squash", "shear", "squash"):
        actor.positions[:] = actor.body.poses[pose]
        held(world, actor, 5)
        stayed = actor.plastic_weights
        assert stayed.min() >= -1e-6
        np.testing.assert_allclose(stayed.sum(axis=1), 1.0, atol=1e-6)
        assert stayed[:, 1:].sum(axis=1).max() <= 0.7 + 1e-5


@every_model
def test_a_second_hit_adds_and_hardening_takes_away(name):
    stayed = {}
    for hardening in (0.0, 1.0):
        world, actor = in_pose(name, pliant.Plasticity(yield_point=0.1, creep=300.0, hardening=hardening))
        for part in (0.5, 1.0):
            actor.positions[:] = actor.body.rest + part * (actor.body.poses["squash"] - actor.body.rest)
            held(world, actor, 10)
            stayed[hardening, part] = actor.plastic_weights[0, 1]
    assert 0.2 < stayed[0.0, 0.5] < stayed[0.0, 1.0]
    assert stayed[1.0, 0.5] < stayed[0.0, 0.5] - 0.05
    assert stayed[1.0, 1.0] < stayed[0.0, 1.0] - 0.05


@every_model
def test_annealing_takes_as_long_as_it_is_said(name):
    world, actor = in_pose(name, pliant.Plasticity(yield_point=0.02, creep=300.0))
    held(world, actor, 20)
    before = actor.plastic_weights[0, 1]
    actor.anneal(0.5)
    for _ in range(15):
        world.step(H)
    assert actor.plastic_weights[0, 1] == pytest.approx(before / 2, rel=1e-3)
    for _ in range(16):
        world.step(H)
    assert actor.plastic_weights[0, 1] == pytest.approx(0.0, abs=1e-6)
    held(world, actor, 1)
    actor.anneal()
    assert actor.plastic_weights[0, 0] == 1.0


@every_model
def test_it_is_in_snapshots_and_survives_other_actors(name):
    world, actor = in_pose(name, pliant.Plasticity(yield_point=0.05, creep=60.0))
    held(world, actor, 10)
    snapshot = world.snapshot()
    ends = []
    for _ in range(2):
        world.restore(snapshot)
        for _ in range(5):
            world.step(H)
        ends.append((actor.plastic_weights.copy(), actor.positions.copy()))
    np.testing.assert_array_equal(ends[0][0], ends[1][0])
    np.testing.assert_array_equal(ends[0][1], ends[1][1])
    world.add(body(), settings_of(name, pliant.Plasticity()), name="another", position=(5, 0, 0))
    np.testing.assert_allclose(actor.plastic_weights, ends[1][0], atol=1e-7)


@every_model
def test_numbers_may_change_while_it_runs(name):
    world, actor = in_pose(name, pliant.Plasticity(yield_point=2.0))
    held(world, actor, 5)
    assert actor.plastic_weights[0, 0] == 1.0
    actor.settings = actor.settings.changed(plasticity=pliant.Plasticity(yield_point=0.1, creep=60.0))
    actor.positions[:] = actor.body.poses["squash"]
    held(world, actor, 20)
    assert actor.plastic_weights[0, 1] > 0.5


@every_model
def test_momentum_is_kept(name):
    world, actor = in_pose(name, pliant.Plasticity(yield_point=0.02, creep=60.0))
    masses = actor.body.masses
    for _ in range(30):
        world.step(H)
        momentum = masses @ actor.velocities
        spin = np.cross(actor.positions - actor.centre, masses[:, None] * actor.velocities).sum(axis=0)
        assert np.abs(momentum).max() < 1e-8 * actor.mass
        assert np.abs(spin).max() < 1e-3 * actor.mass or name == "oriented_particles"  # its particles spin, too
    assert actor.plastic_weights[0, 1] > 0.02


def test_what_is_wrong_is_told_in_one_line():
    with pytest.raises(pliant.SettingsError, match="Plasticity: yield_point = -1"):
        pliant.Plasticity(yield_point=-1)
    with pytest.raises(pliant.SettingsError, match='did you mean "hardening"'):
        pliant.Plasticity(hardning=1)
    with pytest.raises(pliant.SettingsError, match="example_strength above 0"):
        pliant.ShapeMatching(plasticity=pliant.Plasticity(), example_strength=0)
    actor = World().add(body(), pliant.ShapeMatching())
    with pytest.raises(pliant.SettingsError, match="give its settings a plasticity"):
        actor.anneal(1.0)
