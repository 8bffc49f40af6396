"""The kernels against plain NumPy."""

import numpy as np
import pytest

import pliant
from pliant.bench.clusters_twin import ClustersTwin
from random_bodies import disturb

H = 1 / 240
WEIGHTLESS = (0.0, 0.0, 0.0)


def bar(kind="solid"):
    if kind == "solid":
        body = pliant.shapes.cuboid(size=(1, 2, 1), cells=(2, 4, 2))
        return body.with_pose("twist", pliant.poses.twist(body, degrees=60, axis="y", shorten=0.2)).with_pose(
            "squash", body.rest * (1.1, 0.7, 1.1)
        )
    body = pliant.shapes.sheet(cells=(4, 6)) if kind == "shell" else pliant.shapes.rope()
    return body.with_pose("wide", body.rest * (1.2, 1.0, 1.1))


@pytest.mark.parametrize("modes", ["rigid", "linear", "quadratic"])
@pytest.mark.parametrize("clusters", [1, 4])
@pytest.mark.parametrize("hard", [{"stiffness": 4.0}, {"young": 3e5}])
def test_steps_are_those_of_the_twin(modes, clusters, hard):
    settings = pliant.Clusters(modes=modes, clusters=clusters, damping=0, **hard)
    world = pliant.World(gravity=WEIGHTLESS, precision="double")
    actor = world.add(bar(), settings)
    disturb(actor, 3, moved=0.03)
    twin = ClustersTwin(actor.body, settings)
    for _ in range(10):
        x = actor.positions.copy()
        expected = twin.step(x, x + H * actor.velocities, H)
        world.step(H)
        np.testing.assert_allclose(actor.positions, expected, atol=1e-9)
        np.testing.assert_allclose(actor.weights[:, 1:], twin.weights, atol=1e-9)


@pytest.mark.parametrize("kind", ["shell", "rod"])
def test_flat_and_straight_bodies_too(kind):
    settings = pliant.Clusters(clusters=2, damping=0, stiffness=2.0)
    world = pliant.World(gravity=WEIGHTLESS, precision="double")
    actor = world.add(bar(kind), settings)
    actor.positions[:] += 0.02 * np.sin(7 * actor.body.rest[:, ::-1])
    twin = ClustersTwin(actor.body, settings)
    x = actor.positions.copy()
    expected = twin.step(x, x, H)
    world.step(H)
    np.testing.assert_allclose(actor.positions, expected, atol=1e-7)


def test_a_crowd_is_played_as_each_by_itself():
    """A hundred lanes in two blocks, of two bodies."""
    world = pliant.World(gravity=WEIGHTLESS, precision="double", contact=False)
    bodies = [bar(), pliant.shapes.cuboid(cells=(2, 2, 2)).with_pose("flat", lambda rest: rest * (1.2, 0.6, 1.2))]
    bodies[1] = bodies[1].with_pose("thin", bodies[1].rest * (0.7, 1.2, 0.7))
    actors = [world.add(bodies[n % 2], pliant.Clusters(damping=0, stiffness=2), position=(n, 0, 0)) for n in range(100)]
    twins = [ClustersTwin(actor.body, actor.settings) for actor in actors]
    for number, actor in enumerate(actors):
        disturb(actor, number, moved=0.02)
    for _ in range(3):
        places = [a.positions.copy() for a in actors]
        expected = [t.step(x, x + H * a.velocities, H) for t, x, a in zip(twins, places, actors, strict=True)]
        world.step(H)
        for actor, wanted in zip(actors, expected, strict=True):
            np.testing.assert_allclose(actor.positions, wanted, atol=1e-9)
