"""What example poses mean is the same for every model that has them (pliant.examples)."""

import numpy as np
import pytest

import pliant
from pliant.models import models
from pliant.world import World

MODELS = sorted(name for name, model in models().items() if "forced" in model.settings.model_fields)
every_model = pytest.mark.parametrize("name", MODELS)
WEIGHTLESS = (0.0, 0.0, 0.0)
H = 1 / 60
# the examples alone, and no examples at all, in the words of each model
WHOLE = {"fem": {"example_stiffness": 1000.0}}
NONE = {"fem": {"example_stiffness": 0.0}}


def settings_of(name, **values):
    return models()[name].settings(**values)


def bar():
    return pliant.shapes.cuboid(size=(1, 2, 1), cells=(3, 6, 3))


def two_poses(body):
    return body.with_pose("squash", body.rest * (1.1, 0.75, 1.1)).with_pose("shear", sheared(body))


def sheared(body):
    return body.rest + np.outer(0.3 * body.rest[:, 1], (1, 0, 0))


def put_in(actor, pose):
    """The actor is where a pose of its own body is, turned as it is there."""
    actor.positions[:] = actor.body.poses[pose]
    if hasattr(actor.body, "turns"):
        actor.rotations[:] = actor.body.turns[pose]
    actor.velocities[:] = 0.0


def halves(body):
    """Two bodies' worth of one: the lower and the upper third."""
    height = body.rest[:, 1]
    low, high = np.quantile(height, (0.34, 0.66))
    return {"low": np.flatnonzero(height < low), "high": np.flatnonzero(height > high)}


@every_model
@pytest.mark.parametrize("pose", ["squash", "shear"])
def test_in_a_pose_its_weight_is_one(name, pose):
    world = World(gravity=WEIGHTLESS, precision="double")
    actor = world.add(two_poses(bar()), settings_of(name, **WHOLE.get(name, {"example_strength": 1.0})))
    put_in(actor, pose)
    world.step(1e-4)
    row = dict(zip(("rest", *actor.body.poses), actor.weights[0], strict=True))
    assert row[pose] == pytest.approx(1.0, abs=0.01)


@every_model
def test_forced_is_obeyed(name):
    world = World(gravity=WEIGHTLESS)
    actor = world.add(two_poses(bar()), settings_of(name, forced={"shear": 0.4}, forced_time=0.1))
    for _ in range(12):
        world.step(H)
    np.testing.assert_allclose(actor.weights[:, 2], 0.4, atol=1e-6)
    assert actor.weights[:, 1].max() <= 0.6 + 1e-6


@every_model
def test_groups_do_not_see_each_other(name):
    """Only the lower part is deformed: the upper one finds no weights."""
    body = two_poses(bar())
    world = World(gravity=WEIGHTLESS, precision="double")
    actor = world.add(body, settings_of(name, examples=halves(body)))
    shear = actor.body.poses["shear"] - actor.body.rest
    rise = actor.body.rest[:, 1]
    low = np.quantile(body.rest[:, 1], 0.34)
    keep = np.where(rise < low, 1.0, 0.0)[:, None]
    top = shear[np.argmin(np.abs(rise - low))]
    actor.positions[:] = actor.body.rest + keep * shear + (1 - keep) * top
    world.step(1e-4)
    told = dict(zip(actor.group_names, actor.weights[:, 2], strict=True))
    assert told["low"] > 0.3
    assert told["high"] < 0.1


@every_model
def test_poses_that_are_switched_off_leave_no_trace(name):
    places = []
    for body in (bar(), two_poses(bar())):
        world = World(gravity=(0, -1, 0), colliders=[pliant.Plane((0, -1.2, 0))], precision="double")
        off = NONE.get(name, {"example_strength": 0.0}) if body.poses else {}
        actor = world.add(body, settings_of(name, **off), angular_velocity=(1, 0, 2))
        for _ in range(30):
            world.step(H)
        places.append(actor.positions.copy())
    np.testing.assert_array_equal(places[0], places[1])


@every_model
def test_a_pose_like_rest_does_nothing(name):
    places = []
    body = bar()
    for each in (body, body.with_pose("still", body.rest + 1e-7 * np.sin(40 * body.rest))):
        world = World(gravity=(0, -1, 0), colliders=[pliant.Plane((0, -1.2, 0))], precision="double")
        actor = world.add(each, settings_of(name), angular_velocity=(1, 0, 2))
        for _ in range(30):
            world.step(H)
        places.append(actor.positions.copy())
    assert actor.weights[0, 1] == pytest.approx(0.0, abs=1e-6)
    np.testing.assert_allclose(places[0], places[1], atol=1e-4)


@pytest.mark.slow
@every_model
def test_a_limb_that_is_pulled_takes_its_own_pose(name):
    """Poses of different parts have weights of their own: a nod does not share the body's one weight with a wag."""
    body = pliant.shapes.cuboid(size=(0.5, 3, 0.5), cells=(2, 12, 2))
    x, y = body.rest[:, 0], body.rest[:, 1]
    for pose, part in (("nod", y - 0.6), ("wag", -0.6 - y)):
        body = body.with_pose(pose, body.rest + np.outer(0.6 * np.clip(part, 0, None) ** 2, (1, 0, 0)))
    world = World(gravity=WEIGHTLESS)
    actor = world.add(body, settings_of(name))
    height = actor.body.rest[:, 1]
    actor.pin(np.flatnonzero(np.abs(height) < 0.5).tolist())
    tip = int(np.argmax(height + 0.01 * actor.body.rest[:, 0]))
    handle = actor.grab(tip)
    handle.move_to(actor.body.poses["nod"][tip])
    for _ in range(90):
        world.step(H, substeps=4)
    assert actor.group_names == ("nod", "wag")
    assert actor.weights[0, 1] > 0.6
    assert actor.weights[1, 2] < 0.05 and x.size
