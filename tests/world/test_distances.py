"""How far a body is from the poses that were drawn."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import pliant
from pliant.world.distances import pose_distances

BALL = pliant.shapes.ball(particles=150)
BALL = BALL.with_pose("flat", BALL.rest * (1.2, 0.6, 1.2)).with_pose("long", BALL.rest * (0.9, 1.3, 0.9))


def placed(**settings):
    world = pliant.World(gravity=(0, 0, 0), precision="double")
    return world.add(BALL, pliant.ShapeMatching(**settings), position=(3, 1, 2))


def test_a_pose_is_no_distance_from_itself_wherever_it_stands():
    actor = placed()
    turn = Rotation.from_rotvec((0.4, -1.1, 2.0)).as_matrix()
    for number, shape in enumerate((BALL.rest, *BALL.poses.values())):
        actor.positions[:] = shape @ turn.T + (5, -2, 1)
        told = actor.distances
        assert told.shape == (3,)
        assert told[number] < 1e-7
        assert (np.delete(told, number) > 0.02).all()


def test_it_is_the_root_mean_square_in_diagonals():
    """Of a skin that is moved to and fro along one axis; a rigid motion cannot undo it."""
    surface = BALL.skin.vertices * (1.0, 0.9, 1.0)
    diagonal = np.linalg.norm(np.ptp(BALL.skin.vertices, axis=0))
    # a ball of radius r has y^2 = r^2 / 3 in the mean over its surface
    radius = np.linalg.norm(BALL.skin.vertices, axis=1).mean()
    assert pose_distances(BALL, surface)[0] == pytest.approx(0.1 * radius / np.sqrt(3) / diagonal, rel=0.03)


def test_a_mirror_image_is_far():
    body = pliant.shapes.cuboid(size=(1, 2, 3), cells=(2, 4, 6))
    twisted = body.with_pose("twist", pliant.poses.twist(body, 90))
    mirrored = twisted.surface("twist") * (-1, 1, 1)
    assert pose_distances(twisted, mirrored)[1] > 0.05


def test_few_particles_are_compared_with_what_was_drawn():
    """Not with what they can carry of it."""
    world = pliant.World(gravity=(0, 0, 0))
    actor = world.add(BALL, pliant.OrientedParticles(particles=12))
    at_best = pose_distances(actor.body, actor.body.surface("flat"))[1]
    drawn = pose_distances(actor.body, BALL.surface("flat"))[1]
    assert at_best > 10 * max(drawn, 1e-7)


def test_a_weight_of_one_is_not_yet_the_pose():
    actor = placed(forced={"flat": 1.0}, forced_time=0.0)
    actor.world.step(1 / 240)
    assert actor.weights[0, 1] == pytest.approx(1.0) and actor.distances[1] > 0.05
    for _ in range(960):
        actor.world.step(1 / 240)
    assert actor.distances[1] < 0.02
