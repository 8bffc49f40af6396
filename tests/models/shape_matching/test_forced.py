"""Weights that are given instead of found."""

import numpy as np
import pytest

import pliant
from pliant.gallery.measures import likeness, twist

BAR = pliant.shapes.cuboid(size=(1, 2, 1), cells=(3, 6, 3), name="bar")
BAR = BAR.with_pose("twist", pliant.poses.twist(BAR, 90, axis="y"))
BAR = BAR.with_pose("squash", pliant.poses.squash(BAR, amount=0.3))


def settled(settings, start=None, seconds=3.0):
    world = pliant.World(gravity=(0, 0, 0), precision="double")
    actor = world.add(BAR, settings)
    if start is not None:
        actor.positions[:] = start
    for _ in range(round(60 * seconds)):
        world.step(1 / 60)
    return actor


@pytest.mark.parametrize("examples", ["global", "regions"])
def test_a_forced_pose_is_taken_without_being_pushed(examples):
    matter = pliant.ShapeMatching(stiffness=0.8, examples=examples, goals="held", forced={"twist": 1.0})
    actor = settled(matter)
    assert np.allclose(actor.weights[:, 1], 1.0)
    assert likeness(BAR, np.asarray(actor.positions), "twist") > 0.8


def test_a_pose_that_is_off_is_never_chosen():
    free = settled(pliant.ShapeMatching(example_strength=1.0, damping=20), BAR.poses["twist"], 0.05)
    matter = pliant.ShapeMatching(example_strength=1.0, damping=20, forced={"twist": 0.0})
    off = settled(matter, BAR.poses["twist"], 0.05)
    assert free.weights[0, 1] > 0.8
    assert off.weights[0, 1] == 0
    assert abs(twist(BAR, np.asarray(off.positions))) < abs(twist(BAR, np.asarray(free.positions)))


def test_off_is_the_same_as_a_body_without_the_pose():
    world = pliant.World(precision="double", contact=False)  # they are in one place
    forced = world.add(BAR, pliant.ShapeMatching(forced={"twist": 0.0}), name="off")
    without = world.add(BAR.without_pose("twist"), pliant.ShapeMatching(), name="without")
    for actor in (forced, without):
        actor.positions[:] = 0.5 * (BAR.rest + BAR.poses["squash"])
    for _ in range(30):
        world.step(1 / 60)
    np.testing.assert_allclose(forced.positions, without.positions, atol=1e-10)
    np.testing.assert_allclose(forced.weights[:, [0, 2]], without.weights, atol=1e-9)


def test_the_other_poses_share_what_remains():
    target = 0.5 * BAR.poses["twist"] + 0.5 * BAR.poses["squash"]
    matter = pliant.ShapeMatching(stiffness=0.0, example_strength=1.0, forced={"twist": 0.4}, forced_time=0.0)
    actor = settled(matter, target, 0.05)
    rest, given, found = actor.weights[0]
    assert given == pytest.approx(0.4)
    assert 0 < found <= 0.6 + 1e-12
    assert rest + given + found == pytest.approx(1.0)


def test_numbers_change_while_it_runs():
    actor = settled(pliant.ShapeMatching(stiffness=0.8, forced={"squash": 0.0, "twist": 0.0}), seconds=0.1)
    for weight in np.linspace(0, 1, 60):
        actor.settings = actor.settings.changed(forced={"squash": float(weight), "twist": 0.0})
        actor.world.step(1 / 60)
    for _ in range(120):
        actor.world.step(1 / 60)
    assert actor.weights[0].tolist() == pytest.approx([0.0, 0.0, 1.0])
    assert np.ptp(actor.positions[:, 1]) == pytest.approx(np.ptp(BAR.poses["squash"][:, 1]), rel=0.02)


def test_mistakes_are_told():
    with pytest.raises(pliant.SettingsError, match="at most 1"):
        pliant.ShapeMatching(forced={"a": 0.7, "b": 0.7})
    with pytest.raises(pliant.SettingsError, match='no pose "twst"'):
        pliant.World().add(BAR, pliant.ShapeMatching(forced={"twst": 1.0}))
