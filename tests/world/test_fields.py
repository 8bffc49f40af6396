"""Force fields: what they are by formula, and what bodies do in them."""

import numpy as np
import pytest

import pliant
from pliant.runtime.errors import SceneError, SettingsError
from pliant.scene.build import stage
from pliant.scene.load import load_scene
from pliant.world.fields import Attractor, Turbulence, Upright, Vortex

POINTS = np.random.default_rng(1).uniform(-2, 2, (400, 3))
STEP = 1e-5


def jacobian(field, x, time=0.0):
    """(N, 3, 3): d a_i / d x_j by central differences."""
    steps = STEP * np.eye(3)
    ahead = [field.acceleration(x + step, time) - field.acceleration(x - step, time) for step in steps]
    return np.stack(ahead, axis=2) / (2 * STEP)


def test_an_attractor_points_to_its_centre_and_is_nowhere_stronger_than_it_says():
    field = Attractor((0.5, 1, 0), strength=4.0, radius=0.7)
    a, away = field.acceleration(POINTS, 0.0), np.array([0.5, 1, 0]) - POINTS
    assert np.abs(np.cross(a, away)).max() < 1e-12 and (np.einsum("ni,ni->n", a, away) > 0).all()
    line = np.array([[0.5, 1, 0]]) + np.linspace(0, 3, 2000)[:, None] * [1.0, 0, 0]
    assert np.linalg.norm(field.acceleration(line, 0.0), axis=1).max() == pytest.approx(4.0, rel=1e-4)
    j = jacobian(field, POINTS)
    assert np.abs(j - np.swapaxes(j, 1, 2)).max() < 1e-6  # it has a potential


def test_a_vortex_turns_about_its_axis_and_no_other():
    field = Vortex((0, 0, 1), axis=(0, 2, 0), strength=3.0, radius=0.8)
    a = field.acceleration(POINTS, 0.0)
    arms = POINTS - (0, 0, 1)
    assert np.abs(a[:, 1]).max() < 1e-12
    assert np.abs(np.einsum("ni,ni->n", a, arms * [1, 0, 1])).max() < 1e-12
    assert field.acceleration(np.array([[0.8, 5, 1]]), 0.0)[0] == pytest.approx([0, 0, -3.0])


def test_turbulence_has_no_sources_and_the_strength_that_it_says():
    field = Turbulence(strength=6.0, size=0.9, seed=4)
    assert np.abs(np.trace(jacobian(field, POINTS, 0.4), axis1=1, axis2=2)).max() < 1e-5
    many = np.random.default_rng(2).uniform(-50, 50, (20000, 3))
    assert np.sqrt(np.mean(np.square(field.acceleration(many, 0.0)).sum(axis=1))) == pytest.approx(6.0, rel=0.03)
    assert not np.allclose(field.acceleration(POINTS, 0.0), field.acceleration(POINTS, 0.5))
    assert np.array_equal(field.acceleration(POINTS, 0.2), Turbulence(6.0, 0.9, 1.0, 4).acceleration(POINTS, 0.2))


def floating(**fields):
    body = pliant.shapes.cuboid(size=(0.4, 1.2, 0.4), cells=(1, 3, 1))
    world = pliant.World(gravity=(0, 0, 0), precision="double", **fields)
    return world, world.add(body, pliant.ShapeMatching(stiffness=4), name="bar", rotation=(0, 0, 0.5**0.5, 0.5**0.5))


def test_what_is_kept_upright_stands_up_and_is_pushed_nowhere():
    world, actor = floating(fields=[Upright("bar", strength=4.0)])
    mass = actor.body.masses[:, None]
    start = (mass * actor.positions).sum(axis=0) / actor.body.mass
    for _ in range(180):
        world.step(1 / 60, substeps=2)
    top = actor.positions[actor.body.rest[:, 1] > 0.59].mean(axis=0) - start
    assert top[1] > 0.59 and np.hypot(top[0], top[2]) < 0.05
    assert (mass * actor.positions).sum(axis=0) / actor.body.mass == pytest.approx(start, abs=1e-6)
    assert np.abs(actor.velocities).max() < 0.02  # it has come to rest, and does not swing


def test_a_field_acts_like_the_same_force_by_hand():
    pull = Attractor((0, 3, 0), strength=2.0, radius=2.0)
    world, actor = floating(fields=[pull])
    other, hand = floating()
    hand.push(lambda each: each.body.masses[:, None] * pull.acceleration(np.asarray(each.positions), 0.0))
    for one in (world, other):
        one.step(1 / 60, substeps=3)
    assert actor.positions == pytest.approx(hand.positions, abs=1e-9)
    world.fields = ()
    momentum = actor.body.masses @ actor.velocities
    world.step(1 / 60)
    assert actor.body.masses @ actor.velocities == pytest.approx(momentum, rel=1e-9, abs=1e-9)


def test_a_snapshot_brings_its_fields_back():
    world, actor = floating(fields=[Turbulence(8.0)])
    world.step(1 / 60)
    kept = world.snapshot()
    world.step(1 / 60)
    after = actor.positions.copy()
    world.fields = ()
    world.restore(kept)
    world.step(1 / 60)
    assert np.array_equal(actor.positions, after)


def test_what_is_wrong_is_told_in_a_line(tmp_path):
    for wrong, words in (
        (lambda: Vortex(axis=(0, 0, 0)), "points nowhere"),
        (lambda: Attractor(radius=0), "radius"),
        (lambda: Upright(" "), "name of an actor"),
        (lambda: Turbulence(seed=-1), "whole number"),
        (lambda: pliant.World(fields=[3]), "is no force field"),
    ):
        with pytest.raises(SettingsError, match=words):
            wrong()
    world, _ = floating(fields=[Upright("bear")])
    with pytest.raises(SettingsError, match='no actor "bear"'):
        world.step(1 / 60)


def test_scenes_have_fields(tmp_path):
    text = """
[[bodies]]
shape = {type = "cuboid", cells = [1, 1, 1]}
name = "box"

[[world.fields]]
type = "vortex"
strength = 3.0
radius = 2.0

[[world.fields]]
type = "upright"
actor = "box"
"""
    path = tmp_path / "scene.toml"
    path.write_text(text)
    world = stage(load_scene(path)).world
    assert world.fields == (Vortex(strength=3.0, radius=2.0), Upright("box"))
    path.write_text(text.replace('actor = "box"', 'actor = "bear"'))
    with pytest.raises(SceneError, match=r'world.fields.*no actor "bear"'):
        stage(load_scene(path))
