"""Obstacles that are meshes: bodies meet them as they meet the shapes that have a formula."""

from dataclasses import replace

import numpy as np
import pytest

import obstacles
import pliant
import worlds
from pliant.collision.grid_kernels import sample
from pliant.geometry.surfaces import ball
from pliant.runtime.errors import SettingsError
from pliant.world import World
from worlds import run

CELLS = 32
MODELS = {
    "shape matching": pliant.ShapeMatching(stiffness=0.8),
    "oriented particles": pliant.OrientedParticles(particles=20),
    "rigid": pliant.Rigid(),
}
every_model = pytest.mark.parametrize("settings", MODELS.values(), ids=MODELS)


def speed(actor):
    return float(np.linalg.norm(actor.velocities, axis=1).max())


def test_kernels_read_the_grid_as_numpy_does():
    mesh = pliant.Mesh(*obstacles.cup(), scale=2.0, cells=24)
    row = mesh.grid_row()
    points = np.random.default_rng(1).uniform(-2, 2.5, (500, 3))
    distances, normals = mesh.probe(points, 0.0)
    found = np.array([sample(row, 0, *point) for point in points])
    np.testing.assert_allclose(found[:, 0], distances, atol=1e-5)
    np.testing.assert_allclose(found[:, 1:], normals, atol=2e-4)


@pytest.mark.parametrize(
    "exact",
    [pliant.Sphere(radius=0.5), pliant.Box(half_size=(0.5, 0.4, 0.3))],
    ids=["ball", "box"],
)
def test_a_body_falls_on_a_mesh_as_on_its_formula(exact):
    mesh = pliant.Mesh(*(ball(0.5, 0.05) if isinstance(exact, pliant.Sphere) else obstacles.box((0.5, 0.4, 0.3))))
    ends = []
    for obstacle in (exact, mesh):
        world = World(colliders=[obstacle, pliant.Plane(point=(0, -0.5, 0))])
        actor = world.add(worlds.cube(), pliant.ShapeMatching(), position=(0.02, 1.2, 0.01))
        run(world, 0.45)
        ends.append(actor.centre)
    assert ends[0][1] < 0.9
    assert abs(ends[0][1] - ends[1][1]) < 0.02
    if isinstance(exact, pliant.Box):  # on a ball it does not stand, and which way it falls is chance
        assert np.linalg.norm(ends[0] - ends[1]) < 1e-3


@pytest.mark.slow
@every_model
def test_a_ball_dropped_in_a_cup_stays_in(settings):
    cup = pliant.Mesh(*obstacles.cup(), friction=0.5)
    world = World(colliders=[cup, pliant.Plane(point=(0, -2, 0))])
    actor = world.add(pliant.shapes.ball(particles=100, radius=0.25), settings, position=(0.15, 1.3, 0.05))
    run(world, 4.0, substeps=2)
    assert speed(actor) < 0.6  # a soft one wobbles for a while, a rigid one rolls to and fro
    assert 0.05 < actor.centre[1] < 0.5
    assert np.hypot(actor.centre[0], actor.centre[2]) < 0.4
    assert cup.distances(actor.positions).min() > -5e-3  # a hundredth of its size: the cup is a grid of distances


@every_model
@pytest.mark.parametrize("side", [1, -1], ids=["from above", "from below"])
def test_an_open_mesh_stops_bodies_from_both_sides(settings, side):
    sheet = pliant.Mesh(*obstacles.sheet(), cells=CELLS)
    world = World(gravity=(0, -9.81 * side, 0), colliders=[sheet])
    actor = world.add(pliant.shapes.ball(particles=60, radius=0.2), settings, position=(0, side, 0))
    run(world, 2.0)
    assert 0.1 < side * actor.centre[1] < 0.4
    assert speed(actor) < 1.0


@pytest.mark.parametrize("settings", [pliant.ShapeMatching(damping=4.0), pliant.Rigid()], ids=["soft", "rigid"])
def test_a_moving_mesh_carries_a_body_by_friction(settings):
    ride = pliant.Path([0.5, 2.5], [(0, 0, 0), (0.7, 0, 0)], smooth=True)

    def carried(tray):
        world = World(colliders=[tray, pliant.Plane(point=(0, -1, 0))])
        actor = world.add(worlds.cube(), settings, position=(0, 0.26, 0))
        run(world, 3.0)
        return actor.centre

    def mesh(friction):
        surface = obstacles.box((1.5, 0.1, 1.0))  # its end, which is rounded, stays away from the cube
        return pliant.Mesh(*surface, position=(0, -0.1, 0), cells=CELLS, friction=friction, path=ride)

    box = pliant.Box(centre=(0, -0.1, 0), half_size=(1.5, 0.1, 1.0), friction=0.8, path=ride)
    np.testing.assert_allclose(carried(mesh(0.8)), carried(box), atol=1e-4)
    assert carried(mesh(0.8))[0] == pytest.approx(0.7, abs=0.03)
    assert abs(carried(mesh(0.0))[0]) < 1e-4


def test_friction_holds_and_slides_as_it_says():
    """On a slope of 25 degrees, tan = 0.466."""
    turn = pliant.world.paths.rotation((0, 0, -np.radians(25)))
    for friction, moves in ((0.55, False), (0.3, True)):
        ramp = pliant.Mesh(*obstacles.box((2, 0.1, 1)), rotation=turn, cells=48, friction=friction)
        world = World(colliders=[ramp])
        box = world.add(worlds.cube(), pliant.Rigid(), rotation=turn, position=turn @ (-1.2, 0.351, 0))
        run(world, 0.2)
        start = box.centre
        run(world, 0.5)
        slid = float((box.centre - start) @ turn[:, 0])
        g = 9.81 * (np.sin(np.radians(25)) - friction * np.cos(np.radians(25)))
        expected = g * (0.5 * 0.2 + 0.5**2 / 2) if moves else 0.0
        assert slid == pytest.approx(expected, abs=0.03 if moves else 1e-3)


@every_model
@pytest.mark.parametrize("kind", ["closed", "open"])
def test_a_mesh_at_100_metres_a_second_hits_and_nothing_explodes(settings, kind):
    surface = obstacles.box((0.1, 1, 1)) if kind == "closed" else obstacles.sheet()
    turn = np.eye(3) if kind == "closed" else pliant.world.paths.rotation((0, 0, np.pi / 2))
    flight = pliant.Path([0, 0.2], [(-10, 0, 0), (10, 0, 0)])
    wall = pliant.Mesh(*surface, rotation=turn, cells=CELLS, path=flight)
    world = World(gravity=(0, 0, 0), colliders=[wall])
    actor = world.add(pliant.shapes.ball(particles=60, radius=0.3), settings)
    fastest = 0.0
    for _ in range(30):
        world.step(1 / 60)
        assert np.isfinite(actor.positions).all()
        fastest = max(fastest, speed(actor))
        # it was not run through: all of it is before the wall
        assert actor.positions[:, 0].min() > wall.placed(world.time)[1][0] - 0.02
    assert 50 < fastest < 210  # twice the speed of what hit it, and the wobble of that


@pytest.mark.parametrize("velocity", [20.0, 100.0])
def test_a_fast_body_does_not_pass_a_thin_mesh(velocity):
    sheet = pliant.Mesh(*obstacles.sheet(4.0), cells=64)
    world = World(gravity=(0, 0, 0), colliders=[sheet])
    actor = world.add(worlds.cube(), pliant.ShapeMatching(), position=(0, 1.5, 0), velocity=(0.3, -velocity, 0.2))
    run(world, 0.3)
    assert actor.positions[:, 1].min() > 0


def test_restitution():
    heights = []
    for restitution in (0.0, 0.8):
        floor = pliant.Mesh(*obstacles.box((2, 0.2, 2)), position=(0, -0.2, 0), cells=CELLS, restitution=restitution)
        world = World(colliders=[floor])
        actor = world.add(worlds.cube(), pliant.Rigid(), position=(0, 1.25, 0))
        run(world, 0.5)
        heights.append(max(actor.centre[1] for _ in range(40) if world.step(1 / 60) is None))
    assert heights[0] < 0.27
    assert heights[1] == pytest.approx(0.25 + 0.64, abs=0.06)


def test_a_copy_elsewhere_has_the_same_grid():
    mesh = pliant.Mesh(*obstacles.box(), cells=16)
    assert replace(mesh, friction=0.1, position=(1, 2, 3), scale=3.0).grid is mesh.grid
    assert replace(mesh, cells=20).grid is not mesh.grid


def test_two_meshes_and_a_snapshot():
    table = pliant.Mesh(*obstacles.box((1, 0.1, 1)), cells=CELLS, position=(0, -0.1, 0))
    stone = pliant.Mesh(*ball(0.3, 0.1), cells=CELLS, position=(0.4, 0.2, 0), path=lambda t: (0.1 * np.sin(t), 0, 0))
    world = World(colliders=[table, stone])
    actor = world.add(worlds.cube(), pliant.ShapeMatching(), position=(0, 1, 0))
    run(world, 0.5)
    moment = world.snapshot()
    run(world, 0.5)
    first = actor.positions.copy()
    world.restore(moment)
    run(world, 0.5)
    np.testing.assert_array_equal(actor.positions, first)


BAD = {
    "no triangles": ((np.eye(3), np.empty((0, 3))), "at least one row of three"),
    "two numbers": ((np.eye(3)[:, :2], [[0, 1, 2]]), "at least three points"),
    "not finite": (([[0, 0, 0], [1, 0, np.nan], [0, 1, 0]], [[0, 1, 2]]), "not finite"),
    "no such vertex": ((np.eye(3), [[0, 1, 3]]), "numbers from 0 to 2"),
    "a line": (([[0, 0, 0], [1, 0, 0], [2, 0, 0]], [[0, 1, 2]]), "no surface to collide with"),
}


@pytest.mark.parametrize("given, said", BAD.values(), ids=BAD)
def test_what_is_no_mesh_is_refused_in_one_line(given, said):
    with pytest.raises(SettingsError, match=said) as told:
        pliant.Mesh(*given)
    assert "\n" not in str(told.value)


@pytest.mark.parametrize("key, value", [("cells", 3), ("cells", 1000), ("thickness", 0), ("scale", 0), ("solid", "no")])
def test_a_wrong_option_is_told(key, value):
    with pytest.raises(SettingsError, match=key):
        pliant.Mesh(*obstacles.box(), **{key: value})
