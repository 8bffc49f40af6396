"""Obstacles that are dragged: they follow the hand, bodies feel them, and the recording knows where they were."""

import numpy as np
import pytest

import obstacles
import pliant
from pliant.runtime.errors import PliantError
from pliant.viewer.protocol.commands import Arrange, Compare, Drag, Keep, Move, Release, Unpin, parse
from pliant.viewer.simulation.moments import frame_of
from pliant.viewer.simulation.scene_files import scene_zip
from pliant.viewer.simulation.simulation import STEP, Simulation
from pliant.viewer.simulation.towing import FASTEST_TOW, TowPath
from viewer import exhibits

SPHERE = 1  # the second collider of the bar's world
START = np.array([1.2, 0.2, 0.0])


@pytest.fixture
def simulation():
    return Simulation(exhibits.EXHIBITS[0])


def place(simulation, number=SPHERE):
    return simulation.world.colliders[number].placed(simulation.world.time)[1]


def drag(simulation, to, steps=60, taken=(1.2, 0.4, 0.0)):
    """Take it at its top, and pull."""
    simulation.apply(Drag(handle=1, collider=SPHERE, target=taken), "page")
    simulation.apply(Move(handle=1, target=tuple(np.add(taken, to))), "page")
    for _ in range(steps):
        simulation.step()


def test_it_follows_the_hand_and_stays_where_it_is_left(simulation):
    drag(simulation, (0.5, 0.3, -0.2))
    np.testing.assert_allclose(place(simulation), np.add(START, (0.5, 0.3, -0.2)), atol=1e-4)
    simulation.apply(Release(handle=1), "page")
    for _ in range(30):
        simulation.step()
    np.testing.assert_allclose(place(simulation), np.add(START, (0.5, 0.3, -0.2)), atol=1e-4)
    drag(simulation, (0.1, 0.0, 0.0), taken=(1.7, 0.5, -0.2))  # taken again where it is now
    np.testing.assert_allclose(place(simulation), np.add(START, (0.6, 0.3, -0.2)), atol=1e-4)


def test_a_reset_brings_it_back(simulation):
    drag(simulation, (0.5, 0, 0))
    simulation.reset()
    np.testing.assert_array_equal(place(simulation), START)


def test_unpinning_everything_puts_it_back(simulation):
    drag(simulation, (0.5, 0, 0))
    simulation.apply(Unpin(), "page")
    for _ in range(60):
        simulation.step()
    np.testing.assert_allclose(place(simulation), START, atol=1e-4)


def test_bodies_feel_it_come():
    def build():
        world = exhibits.bar()
        world.colliders[SPHERE] = pliant.Box(centre=START, half_size=(0.1, 0.15, 1))
        return world

    simulation = Simulation(exhibits.Exhibit("push", "Push", "", "", 1.0, build))
    drag(simulation, (-1.2, 0.0, 0.0), steps=90)
    # its face ends at 0.1; the bar was 0.6 wide
    assert simulation.world["bar"].positions[:, 0].min() < -0.4
    assert simulation.world["bar"].centre[0] < -0.05


def test_a_hand_that_jumps_makes_no_bullet_of_it(simulation):
    drag(simulation, (-40.0, 0.0, 0.0), steps=1)
    assert np.linalg.norm(place(simulation) - START) <= FASTEST_TOW * STEP + 1e-6
    for _ in range(200):
        simulation.step()
    assert np.abs(simulation.world["bar"].velocities).max() < 2 * FASTEST_TOW


def test_the_recording_shows_it_where_it_was(simulation):
    for _ in range(20):
        simulation.step()
    drag(simulation, (0.0, 0.0, 1.0))
    moments = simulation.editor.recorder.moments
    depth = []
    for moment in moments:
        frame_of(simulation, moment)  # can be shown
        depth.append(simulation.world.colliders[SPHERE].placed(moment.time)[1][2])
    assert np.abs(depth[:20]).max() < 1e-6  # not taken yet
    assert depth[-1] == pytest.approx(1.0, abs=1e-3)
    assert (np.diff(depth) >= -1e-9).all()


def test_a_change_of_friction_leaves_it_in_the_hand(simulation):
    drag(simulation, (0.5, 0, 0))
    simulation.apply(Arrange(field="friction", value=0.1), "page")
    assert simulation.world.colliders[SPHERE].friction == 0.1
    np.testing.assert_allclose(place(simulation), np.add(START, (0.5, 0, 0)), atol=1e-4)
    simulation.apply(Move(handle=1, target=(1.2, 0.4, 0.0)), "page")
    for _ in range(60):
        simulation.step()
    np.testing.assert_allclose(place(simulation), START, atol=1e-4)


def test_what_is_drawn_stays_the_same_cast(simulation):
    """A page does not have to load everything anew because a visitor takes hold of something."""
    epoch = simulation.epoch
    drag(simulation, (0.5, 0, 0), steps=5)
    simulation.apply(Keep(handle=1), "page")  # an obstacle cannot be pinned, and is not
    assert simulation.epoch == epoch
    assert not simulation.editor.panel_state().pins


def test_both_copies_are_dragged(simulation):
    simulation.apply(Compare(on=True), "page")
    drag(simulation, (0.3, 0, 0))
    second = simulation.comparison.second
    np.testing.assert_allclose(place(second), np.add(START, (0.3, 0, 0)), atol=1e-4)


def test_one_that_has_a_path_is_dragged_along_it():
    simulation = Simulation(exhibits.EXHIBITS[1])
    simulation.apply(Drag(handle=1, collider=1, target=(0, 0.2, 0)), "page")
    simulation.apply(Move(handle=1, target=(0, 1.2, 0)), "page")
    for _ in range(60):
        simulation.step()
    x, y, _ = place(simulation, 1)
    assert x == pytest.approx(1.0, abs=0.02)  # its own path: a metre a second
    assert y == pytest.approx(1.1, abs=1e-3)


def test_a_scene_is_saved_with_obstacles_where_they_were_left(simulation, tmp_path):
    import io
    import zipfile

    from pliant.scene import scene_from_text

    drag(simulation, (0.5, 0, 0))
    data, _ = scene_zip(simulation.editor.panel_state())
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        scene = scene_from_text(archive.read("scene.toml").decode())
    np.testing.assert_allclose(scene.colliders[SPHERE].centre, np.add(START, (0.5, 0, 0)), atol=1e-6)


def test_a_saved_scene_has_its_meshes_and_rigid_bodies_with_it(tmp_path):
    import zipfile

    from pliant.scene import show_of
    from pliant.viewer.simulation.simulation import Simulation

    def build():
        cup = pliant.Mesh(*obstacles.cup(), position=(0, 0.1, 0), cells=24, name="cup", friction=0.7)
        world = pliant.World(colliders=[pliant.Plane(), cup])
        ball = pliant.shapes.ball(particles=60, radius=0.2)
        world.add(ball, pliant.ShapeMatching(), position=(0, 1, 0), friction=0.9)
        crate = pliant.shapes.cuboid(size=(0.5, 0.5, 0.5), cells=(2, 2, 2))
        world.add(crate, pliant.Rigid(mass=2.5), name="crate", position=(2, 0.3, 0), may_sleep=False)
        return world

    exhibit = exhibits.Exhibit("cup", "A cup", "", "Into it.", 1.0, build)
    data, notes = scene_zip(Simulation(exhibit).editor.panel_state())
    (tmp_path / "saved.zip").write_bytes(data)
    with zipfile.ZipFile(tmp_path / "saved.zip") as archive:
        archive.extractall(tmp_path)
    assert not notes
    world = show_of(tmp_path / "scene.toml").world
    cup = world.colliders[1]
    vertices, triangles = obstacles.cup()
    np.testing.assert_array_equal(cup.vertices, vertices)
    np.testing.assert_array_equal(cup.triangles, triangles)
    assert (cup.name, cup.friction, cup.cells) == ("cup", 0.7, 24)
    ball, crate = world.actors
    assert (ball.friction, ball.may_sleep) == (0.9, True)
    assert (crate.settings, crate.may_sleep) == (pliant.Rigid(mass=2.5), False)
    assert crate.mass == pytest.approx(2.5)


def test_there_must_be_something_to_drag(simulation):
    for number in (0, 7):  # the ground, and nothing
        with pytest.raises(PliantError, match="no obstacle"):
            simulation.apply(Drag(handle=1, collider=number, target=(0, 0, 0)), "page")


def test_messages():
    assert parse('{"do": "drag", "handle": 1, "collider": 0, "target": [0, 1, 2]}') == Drag(
        handle=1, collider=0, target=(0.0, 1.0, 2.0)
    )
    assert parse('{"do": "drag", "handle": 1, "collider": -1, "target": [0, 1, 2]}') is None
    assert parse('{"do": "drag", "handle": 1, "collider": 0, "target": [0, 1, null]}') is None


def test_a_way_remembers_and_forgets():
    way = TowPath(None, "Box")
    way.goal = np.array([1.0, 0, 0])
    for step in range(100):
        way.step(step / 60, 1 / 60)
    np.testing.assert_array_equal(way(-1.0)[0], 0)
    np.testing.assert_allclose(way(100.0)[0], way.goal)
    between = way.offset(1.5 / 60)
    np.testing.assert_allclose(between, (way.offset(1 / 60) + way.offset(2 / 60)) / 2)
