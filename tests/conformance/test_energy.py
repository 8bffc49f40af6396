"""Weights and goals follow one energy: a free body without damping gains none, whatever its shape and its modes."""

import numpy as np
import pytest

import pliant
from pliant.bench.twin import Twin
from pliant.models import models
from pliant.world import World

H = 1 / 240
GAIN = 1.05  # what the time step itself may do
SHAPES = ["cuboid", "cylinder", "ball", "torus", "teddy", "car", "balloon_dog", "dinosaur", "sheet", "rope"]
FEWER = {"cylinder": 400}  # particles than usual, which are 2,025
WEIGHTLESS = (0.0, 0.0, 0.0)


def shape(name):
    """One of ours, with two poses."""
    body = getattr(pliant.shapes, name)(**({"particles": FEWER[name]} if name in FEWER else {}))
    for pose in list(body.poses):
        body = body.without_pose(pose)
    if body.kind == "rod":
        return body.with_pose("stretch", body.rest * 1.2).with_pose("bend", pliant.poses.bend(body, degrees=60))
    twist = pliant.poses.twist(body, degrees=60, axis="xyz"[int(np.argmax(body.size))], shorten=0.2)
    squash = (1.1, 0.7, 1.1) if body.kind == "solid" else (0.8, 1.0, 1.0)
    return body.with_pose("twist", twist).with_pose("squash", body.rest * squash)


def disturbed(body, settings, seed=3):
    """At rest but deformed: all its energy is potential."""
    world = World(gravity=WEIGHTLESS, precision="double")
    actor = world.add(body, settings)
    matrix = np.eye(3) + np.random.default_rng(seed).uniform(-0.15, 0.15, (3, 3))
    actor.positions[:] = actor.body.rest @ matrix
    return world, actor


def energy(twin, x, v, before):
    """J: of motion at mid-step, of the goals, and of the pull towards rest.  kappa = 1 / beta - 1."""
    settings = twin.settings
    alpha = min(1.0, settings.stiffness * (60 * H) ** 2)
    twin.before, twin.settled = before, True
    _, w, r = twin.goals(x)
    p = twin.offsets(x)[0]
    aim = np.einsum("mij,mj->mi", np.repeat(r, twin.sizes, axis=0), twin.blended(w))
    goals = float(twin.m @ np.square(aim - p).sum(axis=1))
    kappa = 1.0 / settings.example_strength - 1.0
    goals += kappa * float(np.einsum("gk,gkl,gl->", w, twin.grams, w)) - float(twin.relieved(w)[0].sum())
    return 0.5 * alpha / H**2 * goals + 0.5 * float(twin.body.masses @ np.square(v).sum(axis=1))


def energies(world, actor):
    """J: total energies over two seconds."""
    world.step(H)
    twin = Twin(actor.body, actor.settings)
    if len(actor.group_names) != len(twin.groups):
        pytest.fail("the poses of this test are to be in one part")
    told = []
    for _ in range(12):
        before, v = actor.weights[:, 1:].copy(), actor.velocities.copy()
        world.step(H)
        # the velocity at the time of the positions that the goals were found for
        x = actor.positions - H * actor.velocities
        told.append(energy(twin, x, 0.5 * (v + actor.velocities), before))
        for _ in range(40):
            world.step(H)
    return told


# Two runs of each shape have both goals, both kinds of weights and both strengths; four shapes have all eight together.
TOGETHER = [
    (("held", "global", "soft"), ("paper", "regions", "hard")),
    (("held", "regions", "hard"), ("paper", "global", "soft")),
    (("held", "regions", "soft"), ("paper", "global", "hard")),
    (("held", "global", "hard"), ("paper", "regions", "soft")),
]
STRENGTHS = {"soft": {"stiffness": 4.0, "example_strength": 1.0}, "hard": {"stiffness": 16.0, "example_strength": 0.98}}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "together"), [(name, TOGETHER[k % len(TOGETHER)]) for k, name in enumerate(SHAPES)], ids=SHAPES
)
def test_shape_matching_gains_no_energy(name, together):
    body = shape(name)
    for goals, examples, strength in together:
        settings = pliant.ShapeMatching(damping=0, examples=examples, goals=goals, **STRENGTHS[strength])
        told = energies(*disturbed(body, settings))
        assert max(told) < GAIN * told[0], (goals, examples, strength, told)


@pytest.mark.parametrize("strength", [0.98, 0.995, 1.0])
def test_a_coarse_twist_by_half_a_turn_gains_no_energy(strength):
    """Let go between rest and the pose, where what blends cost is taken out of the energy."""
    bar = pliant.shapes.cuboid(size=(1, 2, 1), cells=(4, 4, 4))
    bar = bar.with_pose("twist", pliant.poses.twist(bar, degrees=180, axis="y"))
    settings = pliant.ShapeMatching(stiffness=4, damping=0, example_strength=strength)
    world, actor = disturbed(bar, settings)
    actor.positions[:] = 1.05 * pliant.poses.twist(bar, degrees=110, axis="y")
    told = energies(world, actor)
    assert Twin(actor.body, settings).relief.all()
    assert max(told) < GAIN * told[0], told


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(name for name, model in models().items() if model.node.deforms))
def test_what_moves_was_there_at_the_start(name):
    """Let go at rest but deformed, no later half second has more motion than the first."""
    world, actor = disturbed(shape("cuboid"), models()[name].settings(damping=0))
    peaks = []
    for _ in range(6):
        told = []
        for _ in range(120):
            world.step(H)
            told.append(float(actor.body.masses @ np.square(actor.velocities).sum(axis=1)))
        peaks.append(max(told))
    assert max(peaks) <= GAIN * peaks[0]
