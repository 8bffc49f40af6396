"""Ellipsoids against obstacles."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import pliant
from pliant.graph import Ellipsoids, Graph

ROUND = Ellipsoids([np.eye(3)], [[0.2, 0.2, 0.2]])
BALL = Graph([[0, 0, 0]], edges=np.zeros((0, 2)), ellipsoids=ROUND, name="ball")
EGG = Graph([[0, 0, 0]], edges=np.zeros((0, 2)), ellipsoids=Ellipsoids([np.eye(3)], [[0.3, 0.2, 0.1]]), name="egg")


def play(world, seconds, h=1 / 120):
    for _ in range(round(seconds / h)):
        world.step(h)


def one(graph, colliders, precision="double", **placed):
    world = pliant.World(colliders=colliders, precision=precision)
    return world.add(graph, pliant.OrientedParticles(particles=1, damping=0), **placed)


@pytest.mark.parametrize(
    "turn, reach", [((0, 0, 0, 1), 0.2), ((0, 0, 0.7071, 0.7071), 0.3), ((0.7071, 0, 0, 0.7071), 0.1)]
)
def test_an_ellipsoid_lies_on_the_floor_as_far_as_it_reaches(turn, reach):
    actor = one(EGG, [pliant.Plane(friction=10)], position=(0, reach + 0.001, 0), rotation=turn)
    play(actor.world, 0.05)
    assert actor.positions[0, 1] == pytest.approx(reach, abs=1e-3)


@pytest.mark.parametrize(
    "collider, height",
    [
        (pliant.Sphere(centre=(0, 0, 0), radius=0.5), 0.7),
        (pliant.Box(centre=(0, 0, 0), half_size=(1, 0.5, 1)), 0.7),
        (pliant.Capsule(start=(-1, 0, 0), end=(1, 0, 0), radius=0.5), 0.7),
    ],
    ids=["sphere", "box", "capsule"],
)
def test_a_ball_rests_on_round_things_and_boxes(collider, height):
    actor = one(BALL, [collider], position=(0, height + 0.05, 0))
    play(actor.world, 0.5)
    assert actor.positions[0, 1] == pytest.approx(height, abs=2e-3)


def test_a_sliding_ball_begins_to_roll():
    """Friction turns it until the point that touches stands still: five sevenths of the speed are left."""
    actor = one(BALL, [pliant.Plane(friction=0.5)], position=(0, 0.2, 0), velocity=(2, 0, 0))
    play(actor.world, 2)
    speed, spin = actor.velocities[0, 0], actor.angular_velocities[0, 2]
    assert speed == pytest.approx(2 * 5 / 7, rel=0.03)
    assert spin == pytest.approx(-speed / 0.2, rel=0.03)


def test_a_ball_rolls_down_a_slope_with_five_sevenths_of_the_pull():
    angle = np.radians(20)
    normal = (np.sin(angle), np.cos(angle), 0)
    start = 0.2 * np.array(normal)
    actor = one(BALL, [pliant.Plane(normal=normal, friction=1.0)], position=start)
    play(actor.world, 1)
    way = (actor.positions[0] - start) @ (np.cos(angle), -np.sin(angle), 0)
    assert way == pytest.approx(0.5 * 5 / 7 * 9.81 * np.sin(angle), rel=0.04)


def slope(degrees, friction):
    body = pliant.shapes.cuboid(size=(0.6, 0.2, 0.6), cells=(6, 2, 6))
    angle = np.radians(degrees)
    normal = np.array((np.sin(angle), np.cos(angle), 0))
    world = pliant.World(colliders=[pliant.Plane(normal=normal, friction=friction)])
    turn = (0, 0, -np.sin(angle / 2), np.cos(angle / 2))
    matter = pliant.OrientedParticles(particles=18, stiffness=1e6)
    actor = world.add(body, matter, position=0.11 * normal, rotation=turn)
    play(world, 1)
    start = actor.centre
    play(world, 1)
    return float(np.linalg.norm(actor.centre - start))


def test_a_plate_holds_on_a_slope_below_the_angle_of_friction_and_slides_above():
    assert slope(15, friction=0.5) < 2e-3
    assert slope(35, friction=0.5) > 0.5


def test_nothing_falls_through_the_floor():
    world = pliant.World(colliders=[pliant.Plane()])
    matter = pliant.OrientedParticles(particles=12)
    actor = world.add(pliant.shapes.torus(), matter, position=(0, 2, 0), velocity=(0, -20, 0))
    lowest = np.inf
    for _ in range(300):
        world.step(1 / 60)
        lowest = min(lowest, float(actor.positions[:, 1].min()))
    assert lowest > 0.5 * actor.body.ellipsoids.radii.min()
    assert np.abs(actor.velocities).max() < 1.0


def lowest_point(actor):
    """Of an egg: how high its lowest point is."""
    axes = Rotation.from_quat(actor.rotations[0]).as_matrix() * EGG.ellipsoids.radii[0]
    return float(actor.positions[0, 1] - np.linalg.norm(axes[1]))


@pytest.mark.parametrize("friction", [0.0, 0.5])
def test_what_turns_does_not_turn_into_the_floor(friction):
    """An egg that lies flat and whirls gets taller by a tenth of a metre within a few steps: it is lifted as fast, and
    not thrown."""
    floor = pliant.Plane(friction=friction)
    actor = one(EGG, [floor], position=(0, 0.1, 0), rotation=(0.7071, 0, 0, 0.7071), angular_velocity=(0, 0, 25))
    tallest = 0.0
    for _ in range(60):
        actor.world.step(1 / 120)
        assert lowest_point(actor) > -0.015  # a fortieth of its length, as it rises
        tallest = max(tallest, float(actor.positions[0, 1]))
    assert 0.2 < tallest < 0.35
