"""Examples of springs: lengths and angles, with the sense of a fold."""

import numpy as np
import pytest

import pliant


def folded(rest, degrees):
    """A sheet folded along its middle, isometric."""
    half = np.radians(degrees) / 2
    x = rest.copy()
    x[:, 1] = np.sin(half) * np.abs(rest[:, 0])
    x[:, 0] = np.cos(half) * rest[:, 0]
    return x


def sheet():
    body = pliant.shapes.sheet(cells=(6, 6), thickness=0.03)
    return body.with_pose("up", folded(body.rest, 80)).with_pose("down", folded(body.rest, -80))


@pytest.mark.parametrize(("degrees", "weights"), [(80, (1, 0)), (-80, (0, 1)), (40, (0.5, 0))])
def test_angles_know_which_way_a_sheet_is_folded(degrees, weights):
    world = pliant.World(gravity=(0, 0, 0), precision="double")
    actor = world.add(sheet(), pliant.MassSpring(example_strength=1.0))
    actor.positions[:] = folded(actor.body.rest, degrees)
    world.step(1e-4)
    np.testing.assert_allclose(actor.weights[0, 1:], weights, atol=0.02)


def test_a_forced_fold_folds_the_sheet():
    world = pliant.World(gravity=(0, 0, 0))
    actor = world.add(sheet(), pliant.MassSpring(forced={"down": 1.0}, forced_time=0.2, damping=0, drag=3))
    actor.positions[:, 1] += 1e-4 * np.sin(40 * actor.positions[:, 0])
    for _ in range(240):
        world.step(1 / 60)
    x = actor.positions.astype(float)
    wide = np.ptp(x[:, 0])
    assert wide == pytest.approx(np.cos(np.radians(40)), rel=0.05)


def test_rest_lengths_are_those_of_the_blend():
    """In a pose, with its weight at one, no spring pulls: the body stays there."""
    body = pliant.shapes.cuboid(cells=(3, 3, 3))
    body = body.with_pose("squash", body.rest * (1.2, 0.7, 1.1))
    world = pliant.World(gravity=(0, 0, 0), precision="double")
    actor = world.add(body, pliant.MassSpring(example_strength=1.0, damping=0))
    actor.positions[:] = body.poses["squash"]
    for _ in range(30):
        world.step(1 / 60)
    np.testing.assert_allclose(actor.positions, body.poses["squash"], atol=1e-9)
    assert actor.solver.energy < 1e-12


def test_which_poses_are_seen():
    flat = pliant.shapes.sheet(cells=(6, 6))
    flat = flat.with_pose("moved", flat.rest + np.array([1, 2, 3])).with_pose("fold", folded(flat.rest, 60))
    assert pliant.MassSpring().sees(flat) == {"moved": False, "fold": True}
