"""Laws that every deformable model obeys. A new folder under pliant/models is picked up by its name."""

from functools import cache

import numpy as np
import pytest

import meshes
import pliant
from pliant.models import models
from pliant.world import World
from random_bodies import disturb, misfit, momentum
from worlds import same

MODELS = sorted(models())
every_model = pytest.mark.parametrize("name", MODELS)
WEIGHTLESS = (0.0, 0.0, 0.0)
# cells of a body that is large enough to be shared out among threads, where 23,125 particles would take too long
ENOUGH_TO_SHARE = {name: (10, 10, 16) for name in ("fem", "finite_differences", "mass_spring")}
ENOUGH_TO_SHARE |= {"boundary": (4, 4, 6), "modal": (6, 6, 10)}


def settings_of(name, **values):
    return models()[name].settings(**values)


@cache  # to make the large ones takes longer than to play them
def bar(cells=(2, 2, 4)):
    body = pliant.shapes.cuboid(cells=cells)
    for k in range(2):
        matrix = np.eye(3) + np.random.default_rng(k).uniform(-0.2, 0.2, (3, 3))
        body = body.with_pose(f"pose {k}", body.rest @ matrix)
    return body


def play(world, steps, h=1 / 60):
    for _ in range(steps):
        world.step(h)


def test_there_is_a_model():
    assert "shape_matching" in MODELS


@every_model
@pytest.mark.parametrize("precision", ["single", "double"])
def test_rest_stays_at_rest(name, precision):
    world = World(gravity=WEIGHTLESS, precision=precision)
    actor = world.add(bar(), settings_of(name))
    play(world, 120)
    assert np.abs(actor.positions - actor.body.rest).max() < (1e-5 if precision == "single" else 1e-10)


@every_model
def test_momentum_is_kept_in_free_flight(name):
    world = World(gravity=WEIGHTLESS, precision="double")
    actor = world.add(bar(), settings_of(name, damping=0), velocity=(1, 2, 0), angular_velocity=(1, 0, 2))
    disturb(actor, 1)
    p, spin = momentum(actor)
    play(world, 120)
    p2, spin2 = momentum(actor)
    assert np.linalg.norm(p2 - p) < 1e-9 * np.linalg.norm(p)
    assert np.linalg.norm(spin2 - spin) < 1e-9 * np.linalg.norm(spin)


@every_model
def test_gravity_moves_the_centre_as_it_moves_a_stone(name):
    world = World(gravity=(0, -9.81, 0), precision="double")
    actor = world.add(bar(), settings_of(name), velocity=(1, 4, 0))
    disturb(actor, 1, speed=0)
    start = actor.centre
    play(world, 60)
    # steps of h with the velocity at their end: y = y0 + v t - g (t^2 + h t) / 2
    np.testing.assert_allclose(actor.centre - start, (1, 4 - 9.81 * (1 + 1 / 60) / 2, 0), atol=1e-9)


@every_model
def test_all_directions_are_alike(name):
    """Turned and moved, a motion is the same motion turned and moved."""
    turn, shift = meshes.rotation(3), np.array([3.0, -1.0, 2.0])
    places = []
    for rotation, position in ((np.eye(3), np.zeros(3)), (turn, shift)):
        world = World(gravity=rotation @ (0.5, -2.0, 1.0), precision="double")
        actor = world.add(bar(), settings_of(name), rotation=rotation, position=position)
        plain = World(precision="double").add(bar(), settings_of(name))
        disturb(plain, 4)
        actor.positions[:] = plain.positions @ rotation.T + position
        actor.velocities[:] = plain.velocities @ rotation.T
        play(world, 30)
        places.append((actor.positions - position) @ rotation)
    np.testing.assert_allclose(places[0], places[1], atol=1e-8)


@pytest.mark.slow
@every_model
def test_a_deformed_body_comes_back(name):
    world = World(gravity=WEIGHTLESS)
    actor = world.add(bar(), settings_of(name, damping=3.0))
    disturb(actor, 2, moved=0.05)
    assert misfit(actor.positions, actor.body.rest) > 0.05
    play(world, 1200)
    assert misfit(actor.positions, actor.body.rest) < 0.01


@every_model
def test_a_snapshot_continues_bit_for_bit(name):
    world = World(colliders=[pliant.Plane()])
    for number in range(3):
        world.add(bar(), settings_of(name), name=str(number), position=(2 * number, 1.2, 0))
    for actor in world.actors:
        disturb(actor, 3)
    play(world, 20)
    snapshot = world.snapshot()
    play(world, 40)
    first = world.frame()
    world.restore(snapshot)
    play(world, 40)
    again = world.frame()
    assert again.time == first.time
    for actor in world.actors:
        np.testing.assert_array_equal(again.positions[actor.name], first.positions[actor.name])
        np.testing.assert_array_equal(again.velocities[actor.name], first.velocities[actor.name])
        np.testing.assert_array_equal(again.weights[actor.name], first.weights[actor.name])


@pytest.mark.slow
@every_model
def test_threads_do_not_change_a_bit(name):
    frames = []
    for threads in (1, 2):
        world = World(colliders=[pliant.Plane((0, -1.2, 0))], threads=threads)
        actor = world.add(bar(ENOUGH_TO_SHARE.get(name, (24, 24, 36))), settings_of(name))
        disturb(actor, 3, moved=0.001)
        play(world, 5)
        frames.append(world.frame())
    for one, two in zip(*(frame.positions.values() for frame in frames), strict=True):
        np.testing.assert_array_equal(one, two)
    for one, two in zip(*(frame.velocities.values() for frame in frames), strict=True):
        np.testing.assert_array_equal(one, two)


@pytest.mark.slow
@every_model
@pytest.mark.parametrize("weight", [0.0, -9.81])
def test_threads_do_not_change_a_bit_of_a_body_at_rest(name, weight):
    """Undisturbed in free space, and on the floor. What is left of a motion there, most of all in the model's own
    arrays, is too small for a normal number, and all threads treat that alike."""
    snapshots = []
    for threads in (1, 2):
        world = World(gravity=(0, weight, 0), colliders=[pliant.Plane((0, -0.5, 0))] if weight else [], threads=threads)
        world.add(bar(ENOUGH_TO_SHARE.get(name, (24, 24, 36))), settings_of(name))
        play(world, 20 if name != "fem" else 5)
        snapshots.append(world.snapshot())
    assert same(*snapshots)


@every_model
def test_single_precision_stays_near_double(name):
    places = []
    for precision in ("single", "double"):
        world = World(gravity=(0, -1, 0), precision=precision)
        actor = world.add(bar(), settings_of(name), angular_velocity=(1, 0, 1))
        disturb(actor, 6, moved=0.01)
        play(world, 60)
        places.append(actor.positions.astype(float))
    assert np.abs(places[0] - places[1]).max() < 1e-3 * np.linalg.norm(actor.body.size)


@every_model
def test_weights_are_convex_and_named(name):
    world = World(gravity=WEIGHTLESS)
    actor = world.add(bar(), settings_of(name))
    disturb(actor, 7)
    play(world, 10)
    weights = actor.weights
    assert weights.shape == (len(actor.group_names), 1 + len(actor.body.poses))
    assert weights.min() > -1e-5
    np.testing.assert_allclose(weights.sum(axis=1), 1, atol=1e-5)
