"""Examples of grids: metric and curvature, with the sense of a bend."""

import numpy as np
import pytest

import pliant


def rolled(rest, degrees):
    """Bent round an axis along z, isometric; upwards for positive angles."""
    radius = np.ptp(rest[:, 0]) / np.radians(degrees)
    angle = rest[:, 0] / radius
    return np.column_stack([radius * np.sin(angle), radius * (1 - np.cos(angle)), rest[:, 2]])


def sheet():
    body = pliant.shapes.sheet(cells=(12, 6), thickness=0.03)
    return body.with_pose("up", rolled(body.rest, 90)).with_pose("down", rolled(body.rest, -90))


@pytest.mark.parametrize(("degrees", "weights"), [(90, (1, 0)), (-90, (0, 1)), (45, (0.5, 0))])
def test_curvature_knows_which_way_a_sheet_is_bent(degrees, weights):
    world = pliant.World(gravity=(0, 0, 0), precision="double")
    actor = world.add(sheet(), pliant.FiniteDifferences(example_strength=1.0))
    actor.positions[:] = rolled(actor.body.rest, degrees)
    world.step(1e-4)
    np.testing.assert_allclose(actor.weights[0, 1:], weights, atol=0.02)


def test_a_forced_roll_rolls_the_sheet():
    world = pliant.World(gravity=(0, 0, 0))
    actor = world.add(sheet(), pliant.FiniteDifferences(forced={"down": 1.0}, forced_time=0.2, damping=0, drag=3))
    for _ in range(240):
        world.step(1 / 60)
    radius = 2 / np.pi
    assert np.ptp(actor.positions[:, 0]) == pytest.approx(2 * radius * np.sin(np.pi / 4), rel=0.03)


def test_in_a_pose_nothing_pulls():
    body = pliant.shapes.cuboid(cells=(3, 3, 3))
    body = body.with_pose("squash", body.rest * (1.2, 0.7, 1.1))
    world = pliant.World(gravity=(0, 0, 0), precision="double")
    actor = world.add(body, pliant.FiniteDifferences(example_strength=1.0, damping=0))
    actor.positions[:] = body.poses["squash"]
    for _ in range(30):
        world.step(1 / 60)
    np.testing.assert_allclose(actor.positions, body.poses["squash"], atol=1e-9)
    assert actor.solver.energy < 1e-12


def test_which_poses_are_seen():
    flat = pliant.shapes.sheet(cells=(6, 6))
    flat = flat.with_pose("moved", flat.rest + np.array([1, 2, 3])).with_pose("roll", rolled(flat.rest, 60))
    assert pliant.FiniteDifferences().sees(flat) == {"moved": False, "roll": True}
    ball = pliant.shapes.ball(particles=100)
    assert not any(pliant.FiniteDifferences().sees(ball.with_pose("flat", ball.rest * (1, 0.5, 1))).values())
