"""What is asked of all actors at once is what each of them says."""

import numpy as np
import pytest

import pliant


@pytest.fixture(params=["single", "double"])
def crowd(request: pytest.FixtureRequest) -> pliant.World:
    """Actors of several cohorts, with groups, given weights and without poses, that have moved."""
    world = pliant.World(colliders=[pliant.Plane()], precision=request.param)
    bar = pliant.shapes.cuboid(size=(0.5, 1, 0.5), cells=(2, 4, 2))
    posed = bar.with_pose("twist", pliant.poses.twist(bar)).with_pose("bend", pliant.poses.bend(bar))
    for number in range(70):  # more than the lanes of a block
        world.add(posed, pliant.ShapeMatching(), name=f"bar {number}", position=(number, 0.4, 0))
    world.add(posed, pliant.ShapeMatching(examples="regions"), name="regions", position=(0, 0.4, 2))
    halves = {"low": lambda rest: rest[:, 1] < 0, "high": lambda rest: rest[:, 1] >= 0}
    world.add(posed, pliant.ShapeMatching(examples=halves), name="halves", position=(2, 0.4, 2))
    world.add(posed, pliant.ShapeMatching(forced={"twist": 0.3}), name="forced", position=(4, 0.4, 2))
    world.add(bar, pliant.ShapeMatching(), name="plain", position=(6, 0.4, 2))
    world["bar 3"].settings = pliant.ShapeMatching(example_strength=0.5)
    for _ in range(8):
        world.step(1 / 60)
    return world


def test_weights(crowd: pliant.World) -> None:
    together = crowd.frame().weights
    assert list(together) == [actor.name for actor in crowd.actors]
    rounding = {"single": 2e-7, "double": 4e-16}[crowd.precision]  # found in the precision of the world
    for actor in crowd.actors:
        np.testing.assert_allclose(together[actor.name], actor.weights, rtol=0, atol=rounding)
    assert together["bar 3"][0, 1:].max() > 0.01  # something was there to be found
