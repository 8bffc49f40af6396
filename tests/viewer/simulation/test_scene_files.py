"""A session saved as a scene plays like the session: bodies, poses, groups, settings, world and pins."""

import io
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import pliant
from pliant.graph import Graph
from pliant.graph.ellipsoids import Ellipsoids
from pliant.models import models
from pliant.scene import load_scene, show_of
from pliant.viewer.protocol.commands import (
    AddPose,
    Arrange,
    DeletePose,
    Force,
    Grab,
    Keep,
    Move,
    RenamePose,
    Tune,
    UseModel,
)
from pliant.viewer.protocol.group_commands import AddGroup, Painted, PaintGroup, Share, SplitGroups
from pliant.viewer.simulation.opened import Opened
from pliant.viewer.simulation.scene_files import scene_zip
from pliant.viewer.simulation.simulation import Simulation
from viewer.assets import write_box
from viewer.exhibits import EXHIBITS, Exhibit

FRAMES = 60


def saved(simulation: Simulation, folder: Path) -> tuple[Path, tuple[str, ...]]:
    """The scene file, unpacked."""
    content, notes = scene_zip(simulation.editor.panel_state(), (0.0, 0.0, 1.0))
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        archive.extractall(folder)
    return folder / "scene.toml", notes


def play_alike(simulation: Simulation, scene: Path, frames: int = FRAMES) -> None:
    """From the beginning, both go the same way to single precision."""
    show = show_of(scene)
    assert (show.fps, show.substeps) == (60.0, simulation.editor.conditions.substeps)
    for frame in range(frames + 1):
        for actor in simulation.actors:
            now, size = show.world[actor.name].positions, float(np.linalg.norm(actor.body.size))
            assert np.abs(now - actor.positions).max() < 2e-4 * size, f"{actor.name} in frame {frame}"
        if frame < frames:
            simulation.step()
            show.step()
    for actor in simulation.actors:
        np.testing.assert_allclose(show.world[actor.name].weights, actor.weights, atol=2e-3)


def same_body(one: pliant.Body, other: pliant.Body) -> None:
    assert (one.kind, one.density, list(one.poses)) == (other.kind, other.density, list(other.poses))
    for name in ("rest", "elements", "masses"):
        np.testing.assert_array_equal(getattr(one, name), getattr(other, name))
    for name in ("vertices", "faces", "indices", "weights", "offsets", "axes"):
        np.testing.assert_array_equal(getattr(one.skin, name), getattr(other.skin, name))
    for name, pose in one.poses.items():
        np.testing.assert_array_equal(pose, other.poses[name])


def test_everything_that_was_changed_is_saved(tmp_path: Path) -> None:
    bar = Simulation(EXHIBITS[0])
    vertex = int(bar.world["bar"].surface[:, 1].argmax())
    x, y, z = bar.world["bar"].surface[vertex].tolist()
    bar.apply(Grab(handle=0, actor="bar", vertex=vertex, target=(x, y, z)), "me")
    bar.apply(Move(handle=0, target=(x + 0.5, y + 1.0, z)), "me")
    for _ in range(20):
        bar.step()
    bar.apply(AddPose(actor="bar", name="pulled"))
    bar.apply(RenamePose(actor="bar", pose="pulled", name='"drawn" out'))
    bar.apply(Tune(actor="bar", field="stiffness", value=0.8))
    bar.apply(Arrange(field="gravity", value=4.0))
    bar.apply(Arrange(field="friction", value=0.9))
    bar.apply(Arrange(field="substeps", value=3))
    bar.apply(Share(actor="bar", mode="groups"))
    bar.apply(AddGroup(actor="bar", name="top"))
    bar.apply(PaintGroup(actor="bar", vertex=vertex, radius=0.2, group=2))
    bar.apply(Painted(actor="bar"))
    bar.apply(Force(actor="bar", pose="twist", weight=0.25))
    bar.reset()
    scene, notes = saved(bar, tmp_path)
    assert notes == ()
    actor, show = bar.world["bar"], show_of(scene)
    same_body(show.world["bar"].body, actor.body)
    assert list(actor.body.poses) == ["twist", '"drawn" out']
    assert show.world["bar"].group_names == actor.group_names == ("left", "right", "top")
    theirs, ours = show.world["bar"].settings, actor.settings
    assert {**theirs.model_dump(), "examples": 0} == {**ours.model_dump(), "examples": 0}
    for name, members in ours.examples.items():  # type: ignore[attr-defined]
        np.testing.assert_array_equal(show.world["bar"].body.groups[name], members)
    assert show.world.gravity.tolist() == [0, -4, 0]
    assert {each.friction for each in show.world.colliders} == {0.9}
    play_alike(bar, scene)


def test_what_stays_is_saved(tmp_path: Path) -> None:
    said = "model = { plasticity = { yield_point = 0.05 }, keys.plasticity.creep = [[0, 0], [1, 20]] }"
    path = tmp_path / "bar.toml"
    path.write_text("[[bodies]]\nname = 'bar'\nshape = 'cuboid'\nposes.twist = { type = 'twist' }\n" + said + "\n")
    simulation = Simulation(Opened("bar.toml", path))
    scene, notes = saved(simulation, tmp_path)
    model = load_scene(scene).bodies[0].model
    assert model.said()["plasticity"].yield_point == 0.05
    assert model.keys.plasticity.creep == [(0.0, 0.0), (1.0, 20.0)] and not notes  # type: ignore[attr-defined]


def test_pins_are_saved(tmp_path: Path) -> None:
    bar = Simulation(EXHIBITS[0])
    vertex = int(bar.world["bar"].surface[:, 1].argmax())
    x, y, z = bar.world["bar"].surface[vertex].tolist()
    bar.apply(Grab(handle=0, actor="bar", vertex=vertex, target=(x, y, z)), "me")
    bar.apply(Move(handle=0, target=(x, y + 0.6, z)), "me")
    bar.apply(Keep(handle=0), "me")
    scene, _ = saved(bar, tmp_path)
    (body,) = load_scene(scene).bodies
    assert len(body.handles) == 1  # one for the pin, not one for each particle
    play_alike(bar, scene)
    assert float(bar.world["bar"].centre[1]) > 0.5


def test_kinds_and_moving_colliders(tmp_path: Path) -> None:
    """A shell, a rod, two actors of one body, and a box whose path is a function."""
    kinds = Simulation(EXHIBITS[1])
    scene, notes = saved(kinds, tmp_path)
    assert sorted(path.name for path in tmp_path.glob("*.npz")) == ["ball.npz", "rope.npz", "sheet.npz"]
    assert notes == ("box 2 moves as a function says: the scene has 2 s of it",)
    moving = load_scene(scene).colliders[1]
    assert len(moving.path) == 2  # straight on: two keys say it all
    play_alike(kinds, scene)


def spinning() -> Any:
    world = pliant.World(gravity=(0, -9, 1), precision="double", colliders=[_see_saw()])
    body = pliant.shapes.ball(radius=0.3, particles=60)
    placed = dict(position=(0, 1, 0), rotation=(0, 0.6, 0, 0.8), scale=1.5)
    actor = world.add(body, pliant.ShapeMatching(), velocity=(1, 2, 3), angular_velocity=(4, 5, -6), **placed)
    actor.pin([3, 5], pliant.Path([0, 1], [(0, 0, 0), (0, 1, 0)], smooth=True))
    actor.grab(7, stiffness=50.0, path=lambda t: (np.sin(t), 0.0, 0.0))
    actor.push((0.0, 3.0, 0.0))
    return world


def _see_saw() -> pliant.Box:
    turn = np.radians([(0, 0, 0), (0, 0, 30)])
    return pliant.Box(half_size=(1, 0.1, 1), rotation=(0, 0.28, 0, 0.96), path=pliant.Path([0, 0.5], None, turn))


def test_flight_spin_and_paths(tmp_path: Path) -> None:
    ball = Simulation(Exhibit("spin", "Spin", "", "", 2.0, spinning))
    scene, notes = saved(ball, tmp_path)
    assert len(notes) == 2 and notes[0].startswith('a handle of "ball" moves as a function says')
    assert notes[1].startswith('the force on "ball" is a function')
    ball.world["ball"].push(None)  # which the scene has no word for
    play_alike(ball, scene)
    assert "# Note: the force" in scene.read_text(encoding="utf-8")


SCENE = """\
title = "Two of them"
[world]
seconds = 3
seed = 5
keys.gravity = [[0, [0, -9.81, 0]], [0.5, [0, 3, 0]]]
[[colliders]]
type = "plane"
keys.friction = [[0, 0.1], [1, 0.9]]
[[bodies]]
shape = "ball"
particles = 80
scale = 0.7
position = [0, 1, 0]
anchor = "bottom"
rotation = [10, 20, 30]
velocity = [1, 0, 0]
angular_velocity = [0, 90, 0]
copies = { count = 2, spacing = [2, 0, 0] }
jitter = { position = 0.1, rotation = 20 }
groups.low = { side = "bottom" }
[bodies.poses]
flat = { type = "squash", axis = "y" }
tall = { type = "stretch", axis = "y" }
[bodies.model]
stiffness = 2
examples = { low = "low", high = { side = "top" } }
[bodies.model.keys]
damping = [[0, 1], [1, 5]]
forced.flat = [[0, "free"], [0.3, 0.5]]
forced.tall = [[0, 0]]
[[bodies.handles]]
where = { side = "top", fraction = 0.2 }
begin = 0.2
end = 0.8
path = [[0.2, [0, 0, 0]], [0.5, [0, 0.5, 0]]]
[[bodies.pins]]
where = { nearest = [0, -1, 0], count = 2 }
end = 0.1
"""


@pytest.fixture
def scene_file(tmp_path: Path) -> Path:
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "two.toml").write_text(SCENE)
    return tmp_path / "in" / "two.toml"


@pytest.mark.slow
def test_a_scene_keeps_its_direction(scene_file: Path, tmp_path: Path) -> None:
    two = Simulation(Opened("two.toml", scene_file).checked())
    two.apply(Tune(actor="ball 2", field="stiffness", value=3.0))
    two.apply(DeletePose(actor="ball 2", pose="tall"))
    two.apply(SplitGroups(actor="ball 2"))
    two.reset()
    scene, notes = saved(two, tmp_path / "out")
    assert notes == ()
    bodies = load_scene(scene).bodies
    assert [body.label for body in bodies] == ["ball 1", "ball 2"]
    assert [body.model.stiffness for body in bodies] == [2.0, 3.0]  # type: ignore[attr-defined]
    play_alike(two, scene)


def test_an_asset_is_saved_with_its_paint(tmp_path: Path) -> None:
    box = Simulation(Opened("box.glb", write_box(tmp_path / "box.glb"), {"particles": 60}).checked())
    scene, _ = saved(box, tmp_path / "out")
    ours, theirs = box.world["box"].body, show_of(scene).world["box"].body
    same_body(theirs, ours)
    assert ours.skin.look is not None and theirs.skin.look is not None and ours.skin.uv is not None
    np.testing.assert_array_equal(ours.skin.uv, theirs.skin.uv)
    assert [image.data for image in ours.skin.look.images] == [image.data for image in theirs.skin.look.images]
    assert [each.colour for each in ours.skin.look.materials] == [each.colour for each in theirs.skin.look.materials]
    play_alike(box, scene)


def test_saved_again_it_is_the_same(scene_file: Path, tmp_path: Path) -> None:
    """A scene that was opened from what was saved gives the same file."""
    first, _ = saved(Simulation(Opened("two.toml", scene_file).checked()), tmp_path / "first")
    second, _ = saved(Simulation(Opened("scene.toml", first).checked()), tmp_path / "second")
    assert second.read_text() == first.read_text()
    for path in (tmp_path / "first").glob("*.npz"):
        assert (tmp_path / "second" / path.name).read_bytes() == path.read_bytes()


ORIENTED = """\
[world]
gravity = [0, -2, 0]
[[bodies]]
name = "ring"
shape = {{ type = "torus", radius = 0.5, tube = 0.15 }}
particles = 200
scale = 1.5
position = [0, 2, 0]
groups.few = {{ indices = [7, 90] }}
model = {{ type = "{model}"{more} }}
[bodies.poses]
flat = {{ type = "squash", axis = "y", amount = 0.4 }}
[[bodies.pins]]
where = {{ any_of = ["few", {{ indices = [40] }}] }}
end = 0.5
[[bodies.handles]]
where = {{ side = "back", fraction = 0.2 }}
begin = 0.1
path = [[0.1, [0, 0, 0]], [0.6, [0, 0.3, 0.2]]]
"""


def opened(tmp_path: Path, model: str, more: str = "") -> Simulation:
    (tmp_path / "ring.toml").write_text(ORIENTED.format(model=model, more=more))
    return Simulation(Opened("ring.toml", tmp_path / "ring.toml").checked())


@pytest.mark.slow
@pytest.mark.parametrize("model", [name for name in models() if name != "finite_differences"])  # a ring is no grid
def test_what_a_scene_holds_is_saved_under_every_model(model: str, tmp_path: Path) -> None:
    """Also where a model plays other particles than the body has."""
    ring = opened(tmp_path, model)
    scene, notes = saved(ring, tmp_path / "out")
    assert notes == ()
    play_alike(ring, scene, 36)


def test_a_session_of_oriented_particles_is_saved(tmp_path: Path) -> None:
    """The file has the body that they stand for; pins of the page hold the same particles again, a new pose is kept."""
    ring = opened(tmp_path, "oriented_particles", ", particles = 12")
    actor = ring.world["ring"]
    vertex = int(actor.surface[:, 0].argmax())
    x, y, z = actor.surface[vertex].tolist()
    ring.apply(Grab(handle=0, actor="ring", vertex=vertex, target=(x, y, z)), "me")
    ring.apply(Move(handle=0, target=(x + 0.4, y + 0.3, z)), "me")
    for _ in range(20):
        ring.step()
    ring.apply(AddPose(actor="ring", name="pulled"))
    ring.reset()
    ring.apply(Grab(handle=1, actor="ring", vertex=vertex, target=(x, y, z)), "me")
    ring.apply(Keep(handle=1), "me")
    scene, notes = saved(ring, tmp_path / "out")
    assert notes == ('the pose "pulled" of "ring" was made of 12 particles; the body takes it from them',)
    (body,) = load_scene(scene).bodies
    show = show_of(scene)
    assert len(show.world["ring"].given.rest) == len(ring.world["ring"].body.source.rest)  # type: ignore[attr-defined]
    assert list(show.world["ring"].body.poses) == ["flat", "pulled"]
    held = [handle.particles[0] for handle in show.world._inputs.handles]
    (pin,) = ring.editor.panel_state().held
    assert held == sorted(pin.particles.tolist()) and len(body.handles) == 2
    size = np.linalg.norm(show.world["ring"].body.size)
    ours, theirs = (world["ring"].body.poses["pulled"] for world in (ring.world, show.world))
    assert np.abs(ours - theirs).max() < 1e-3 * size


def test_a_hold_that_begins_later_finds_its_place_under_another_model(tmp_path: Path) -> None:
    """The model is changed on the page: the scene's handle holds what is at the back, of however many particles."""
    ring = opened(tmp_path, "shape_matching")
    ring.apply(UseModel(actor="ring", model="oriented_particles"))
    for _ in range(12):
        ring.step()
    body = ring.world["ring"].body
    held = sorted(int(handle.particles[0]) for handle in ring.world._inputs.handles)
    back = body.rest[:, 2]
    assert held == np.flatnonzero(back < back.min() + 0.2 * np.ptp(back)).tolist()


def test_what_a_scene_has_no_word_for_is_told(tmp_path: Path) -> None:
    """Handles that turn, and a body that begins deformed."""

    def build() -> Any:
        world = pliant.World(gravity=(0, 0, 0))
        actor = world.add(pliant.shapes.ball(particles=60), pliant.OrientedParticles(particles=8))
        actor.aim((1, 0, 0), particle=0)
        actor.positions[:] *= 0.5
        return world

    scene, notes = saved(Simulation(Exhibit("ball", "Ball", "", "", 2.0, build)), tmp_path)
    assert notes == (
        '"ball" begins deformed; the scene begins with its rest shape',
        '"ball" is turned by a handle, which a scene has no word for; it was left out',
    )
    assert not show_of(scene).world._inputs.handles


def test_a_graph_that_was_made_by_hand_cannot_be_saved(tmp_path: Path) -> None:
    def build() -> Any:
        balls = Ellipsoids([np.eye(3)] * 2, [[0.5, 0.5, 0.5]] * 2)
        pair = Graph([[0, 0, 0], [1, 0, 0]], edges=[[0, 1]], ellipsoids=balls, name="pair")
        world = pliant.World()
        world.add(pair, pliant.OrientedParticles(particles=2))
        return world

    with pytest.raises(pliant.BodyError, match='"pair" is a graph that was made by hand; scenes hold bodies'):
        saved(Simulation(Exhibit("pair", "Pair", "", "", 2.0, build)), tmp_path)
