"""Forced poses come on cue: over `forced_time`, without blows, and the body arrives when it should."""

import numpy as np
import pytest

import pliant
from pliant.examples import ExampleSettings
from pliant.models import models
from pliant.world.cues import Fade, fades_after, in_force
from random_bodies import momentum

MODELS = sorted(name for name, model in models().items() if issubclass(model.settings, ExampleSettings))
every_model = pytest.mark.parametrize("name", MODELS)
BAR = pliant.shapes.cuboid(size=(1, 2, 1), cells=(3, 6, 3), name="bar")
BAR = BAR.with_pose("twist", pliant.poses.twist(BAR, 90, axis="y", shorten=0.2))
BAR = BAR.with_pose("bend", pliant.poses.bend(BAR, 40))
H = 1 / 240


# What shows a pose best: one cluster alone is 2.5 % off a twist by 90 degrees.
BEST = {"shape_matching": {"goals": "held"}, "clusters": {"clusters": 4, "poisson": 0.0}}


def settings_of(name, **values):
    return models()[name].settings(**BEST.get(name, {}), **values)


def free(name, precision="single", **values):
    """A bar at rest, without weight."""
    world = pliant.World(gravity=(0, 0, 0), precision=precision)
    return world.add(BAR, settings_of(name, **values), name="bar")


def play(world, seconds, h=H):
    for _ in range(round(seconds / h)):
        world.step(h)


def smooth(u):
    return u * u * (3 - 2 * u)


@every_model
def test_a_pose_comes_into_force_over_its_time(name):
    actor = free(name, forced={"twist": 1.0}, forced_time=0.2)
    for number in range(1, 49):
        actor.world.step(H)
        assert actor.weights[0, 1] == pytest.approx(smooth(number / 48), abs=1e-6)
    assert actor.weights[0].tolist() == [0.0, 1.0, 0.0]
    assert actor.settings.forced == {"twist": 1.0}


@every_model
def test_no_time_is_at_once(name):
    actor = free(name, forced={"twist": 0.7}, forced_time=0.0)
    actor.world.step(H)
    assert actor.weights[0, 1] == pytest.approx(0.7)


@every_model
@pytest.mark.parametrize("pose", ["twist", "bend"])
def test_the_skin_is_there_in_time_and_does_not_rebound(name, pose):
    """Goals alone are late and swing past by half of the way."""
    actor = free(name, forced={pose: 1.0})
    number = 1 + list(BAR.poses).index(pose)
    there = actor.body.surface(pose)
    carried = pliant.world.distances.pose_distances(actor.body, there)[number]
    play(actor.world, 0.6)
    farthest = actor.distances[number]
    for _ in range(60):
        play(actor.world, 1 / 60)
        farthest = max(farthest, actor.distances[number])
    assert farthest < max(0.01, 1.2 * carried)


@every_model
def test_a_free_pose_is_taken_over_where_it_is(name):
    actor = free(name, example_strength=1.0) if name != "fem" else free(name)
    actor.positions[:] = actor.body.poses["twist"]
    if actor.rotations is not None:
        actor.rotations[:] = actor.body.turns["twist"]
    play(actor.world, 2 * H)
    found = actor.weights[0, 1]
    assert found > 0.5
    actor.settings = actor.settings.changed(forced={"twist": 0.0})
    actor.world.step(H)
    assert found - 0.01 < actor.weights[0, 1] <= found
    play(actor.world, 0.3)
    assert actor.weights[0, 1] == pytest.approx(0.0, abs=1e-9)


@every_model
def test_another_weight_on_the_way_bends_the_course_and_never_passes_it(name):
    actor = free(name, forced={"twist": 1.0, "bend": 0.0})
    play(actor.world, 0.15)
    actor.settings = actor.settings.changed(forced={"twist": 0.2, "bend": 0.6})
    told = [actor.weights[0, 1:]]
    for _ in range(round(0.3 / H)):
        actor.world.step(H)
        told.append(actor.weights[0, 1:])
    twist, bend = np.array(told).T
    assert twist[0] == pytest.approx(0.5, abs=1e-6) and twist[-1] == pytest.approx(0.2, abs=1e-6)
    assert (np.diff(bend) > -1e-7).all() and bend[-1] == pytest.approx(0.6, abs=1e-6)
    assert twist.min() > 0.2 - 1e-6 and twist.max() < 1.0 and (twist + bend).max() < 1.0 + 1e-6
    assert np.abs(np.diff(twist, 2)).max() < 2.5 * 6 * (H / 0.3) ** 2  # velocities do not jump


@every_model
def test_a_pose_that_is_set_free_stays_where_it_is(name):
    """Nothing jumps: it is accelerated by what of its material it gets back, and the shorter a step is, the more
    nearly with the square of that it moves."""
    moved = []
    for h in (H / 4, H / 16):
        actor = free(name, forced={"twist": 1.0}, precision="double")
        play(actor.world, 1.0)
        ahead = actor.positions + h * actor.velocities
        actor.settings = actor.settings.changed(forced={})
        actor.world.step(h)
        strength = getattr(actor.settings, "example_strength", 1.0)
        assert actor.weights[0, 1] > 0.95 * strength
        moved.append(np.abs(actor.positions - ahead).max() / np.linalg.norm(BAR.size))
    if name == "boundary":  # it has no inertia: it follows at once, as far as its weights have come
        assert moved[0] < 2e-3 and moved[1] < 0.5 * moved[0]
    else:
        assert moved[0] < 2e-4 and moved[1] < max(0.08 * moved[0], 1e-6)


@every_model
def test_momentum_is_kept_on_the_way(name):
    world = pliant.World(gravity=(0, 0, 0), precision="double")
    actor = world.add(BAR, settings_of(name, damping=0), velocity=(1, 2, 0), angular_velocity=(1, 0, 2))
    p, spin = momentum(actor)
    actor.settings = actor.settings.changed(forced={"twist": 1.0})
    play(world, 0.4)
    p2, spin2 = momentum(actor)
    assert np.linalg.norm(p2 - p) < 1e-9 * np.linalg.norm(p)
    assert np.linalg.norm(spin2 - spin) < 1e-6 * np.linalg.norm(spin)


def test_finite_elements_take_a_pose_that_turns_tets_inside_out():
    """Strains are the same inside out: such tets must not hold the others up half-way."""
    bar = pliant.shapes.cuboid(size=(1, 2, 1), cells=(3, 6, 3))
    bent = pliant.poses.bend(bar, 60)
    corner = int(np.argmax(bar.rest @ [1, 1, 1]))
    bent[corner] -= 0.6 * (bent[corner] - bent.mean(axis=0)) / np.linalg.norm(bent[corner] - bent.mean(axis=0))
    bar = bar.with_pose("poked", bent)
    assert any(finding.kind == "inverted" for finding in bar.report().findings)
    world = pliant.World(gravity=(0, 0, 0))
    actor = world.add(bar, pliant.Fem(forced={"poked": 1.0}))
    play(world, 0.6)
    assert actor.distances[1] < 0.01


def test_frames_of_other_lengths_give_the_same():
    """The course depends on the time alone."""
    places = []
    for fps, substeps in ((60, 4), (30, 8), (24, 10)):
        actor = free("shape_matching", forced={"twist": 1.0}, precision="double")
        for _ in range(round(fps / 6)):
            actor.world.step(1 / fps, substeps=substeps)
        places.append(np.array(actor.positions))
    np.testing.assert_allclose(places[1], places[0], atol=1e-9)
    np.testing.assert_allclose(places[2], places[0], atol=1e-9)
    coarse = free("shape_matching", forced={"twist": 1.0}, precision="double")
    play(coarse.world, 1 / 6, 1 / 60)
    assert np.abs(np.asarray(coarse.positions) - places[0]).max() < 0.03


@pytest.mark.slow
@every_model
@pytest.mark.parametrize("later", [0.05, 0.5])
def test_back_to_a_snapshot_on_the_way(name, later):
    """Bit for bit, whether the course was over meanwhile or not."""
    actor = free(name, forced={"twist": 1.0})
    play(actor.world, 0.1)
    moment = actor.world.snapshot()
    weights = actor.weights
    play(actor.world, 0.3)
    first = np.array(actor.positions)
    play(actor.world, later)
    actor.settings = actor.settings.changed(forced={"twist": 0.0})
    play(actor.world, later)
    actor.world.restore(moment)
    np.testing.assert_array_equal(actor.weights, weights)
    play(actor.world, 0.3)
    np.testing.assert_array_equal(actor.positions, first)


def test_another_actor_changes_nothing():
    """One that is led itself, and one that is not; they may come in the middle of the course, too."""
    places = []
    for come in (None, 0.0, 0.1):
        actor = free("shape_matching", forced={"twist": 1.0})
        world = actor.world
        world.contact = False
        for part in (0.0, 0.1):
            if part == come:
                world.add(BAR, settings_of("shape_matching", forced={"bend": 0.5}), position=(5, 0, 0))
                world.add(BAR, settings_of("shape_matching"), position=(9, 0, 0))
            play(world, 0.1 if part == 0.0 else 0.3)
        places.append(np.array(actor.positions))
    np.testing.assert_array_equal(places[1], places[0])
    np.testing.assert_array_equal(places[2], places[0])


def test_what_has_arrived_costs_nothing():
    actor = free("shape_matching", forced={"twist": 1.0})
    world = actor.world
    play(world, 0.2)
    assert world._registry.cued == [actor] and world._inputs.led == [actor] and not world._inputs.steady
    play(world, 0.2)
    assert world._registry.cued == [] and world._inputs.led == [] and world._inputs.steady
    assert not world._registry.state.acceleration.any()
    assert actor._playing is actor.settings


def test_a_force_goes_on_beside_the_course():
    """And stays when it is over."""
    actor = free("shape_matching", forced={"twist": 1.0}, damping=0.0)
    actor.push((actor.mass, 0.0, 0.0))
    play(actor.world, 0.6)
    assert actor.centre[0] == pytest.approx(0.5 * 0.6**2, rel=0.02)


@pytest.mark.slow
def test_who_is_led_does_not_fall_asleep():
    world = pliant.World(colliders=[pliant.Plane()])
    settings = settings_of("shape_matching", stiffness=8)
    actor = world.add(BAR, settings, position=(0, 1, 0))
    world.add(BAR, settings, name="other", position=(5, 1, 0))
    for _ in range(400):
        world.step(1 / 60, substeps=4)
    assert actor.asleep
    actor.settings = settings.changed(forced={"bend": 0.02}, forced_time=6.0)
    for _ in range(390):
        world.step(1 / 60, substeps=4)
    assert actor.weights[0, 2] == pytest.approx(0.02, abs=1e-6)


def test_fades_of_a_track():
    """A pose that follows a track has no fade of its own, but for the way to its beginning."""
    old, new = pliant.ShapeMatching(forced={"a": 0.2}), pliant.ShapeMatching(forced={"a": 0.3, "b": 0.5})
    fades = fades_after(old, (), new, 1.0, lambda: {"a": 0.2, "b": 0.1, "c": 0.7}, {"a", "b"})
    assert fades == (Fade(1.0, 0.3, {"c": 0.7, "a": 0.2, "b": 0.1}, {"c": pytest.approx(0.2), "a": 0.2, "b": 0.5}),)
    assert in_force(new, fades, 1.0).forced == pytest.approx({"a": 0.3, "b": 0.1})
    assert in_force(new, fades, 1.3).forced == {"a": 0.3, "b": 0.5}


def test_fades_do_not_give_more_than_there_is():
    settings = pliant.ShapeMatching(forced={"a": 0.6, "b": 0.4})
    fades = (Fade(0.0, 1.0, {"a": 1.0, "b": 0.4}, {"a": 0.0, "b": 0.4}),)
    assert sum(in_force(settings, fades, 0.0).forced.values()) == pytest.approx(1.0)


def test_a_wrong_time_is_told():
    with pytest.raises(pliant.SettingsError, match="forced_time = -1"):
        pliant.ShapeMatching(forced_time=-1)
