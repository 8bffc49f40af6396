"""`pliant.show` and `pliant.record`: what they take, what they refuse, and the picture that is saved."""

import io
import zlib
from base64 import b64decode
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

import pliant
from docs import models
from pliant.graph import graph_of
from pliant.notebook import showing
from pliant.notebook.bodies import STAY, WAY, shot_of_body
from pliant.notebook.widget import PlayerWidget
from pliant.session.player.page import write_page
from pliant.session.player.unpacked import Unpacked
from test_import import modules_after


@pytest.fixture
def jupyter(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(showing, "notebook", lambda: "jupyter")


def bar() -> pliant.Body:
    made = pliant.shapes.cuboid(size=(1, 2, 1), cells=(2, 4, 2))
    return made.with_pose("twist", pliant.poses.twist(made, 90, axis="y", shorten=0.3))


def world() -> pliant.World:
    made = pliant.World(colliders=[pliant.Plane()])
    made.add(bar(), pliant.ShapeMatching(stiffness=4), name="bar", position=(0, 2.5, 0))
    return made


def test_outside_of_a_notebook() -> None:
    with pytest.raises(pliant.PliantError, match=r"this is not a notebook; run it in Jupyter or marimo") as told:
        pliant.show(world())
    assert "\n" not in str(told.value)


def test_without_anywidget(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(showing, "find_spec", lambda name: None)
    with pytest.raises(pliant.PliantError, match=r"anywidget, which is not installed; run: pip install 'pliant\[note"):
        pliant.show(world())


def test_neither_is_loaded_before_it_is_needed() -> None:
    loaded = modules_after("import pliant; pliant.show; pliant.record")
    assert not loaded.intersection({"anywidget", "ipywidgets", "IPython", "marimo", "nicegui", "moderngl"})


@pytest.mark.usefixtures("jupyter")
@pytest.mark.parametrize(
    ("thing", "said"),
    [
        (3, "cannot show a int; give a World, a Body, a recording"),
        (pliant.World(), "there is no body in the world"),
        ("shot.mp4", r"shot.mp4: .mp4 cannot be shown in a notebook; bake a page: pliant bake SCENE -o shot.html"),
        ("nowhere.html", "nowhere.html: cannot be read: No such file"),
        ("gallery:nothing", "nothing"),
        ("nowhere.glb", "there is no such file"),
    ],
)
def test_what_cannot_be_shown(thing: object, said: str) -> None:
    with pytest.raises(pliant.PliantError, match=said) as told:
        pliant.show(thing)
    assert "\n" not in str(told.value)


@pytest.mark.usefixtures("jupyter")
def test_the_height_is_a_number_of_pixels() -> None:
    with pytest.raises(pliant.PliantError, match="height is 1000000; give pixels, 120 to 4000"):
        pliant.show(world(), height=1_000_000)


@pytest.mark.usefixtures("jupyter")
def test_the_picture_of_a_saved_notebook(monkeypatch: pytest.MonkeyPatch) -> None:
    shown = pliant.show(world())
    assert isinstance(shown, PlayerWidget) and repr(shown) == "Player of a world"
    bundle = shown._repr_mimebundle_()
    data = bundle[0] if isinstance(bundle, tuple) else bundle
    assert "application/vnd.jupyter.widget-view+json" in data
    png = b64decode(data["image/png"])
    drawn = np.asarray(Image.open(io.BytesIO(png)).convert("RGB"), np.int64)
    assert len(png) < 100_000 and drawn.shape == (360, 640, 3)
    assert ((drawn[..., 0] - drawn[..., 2]) > 80).mean() > 0.01  # the orange bar
    without = pliant.show(world(), picture=False)
    bundle = without._repr_mimebundle_()
    assert "image/png" not in (bundle[0] if isinstance(bundle, tuple) else bundle)
    # Picture and player as two outputs are for JupyterLab's styles; elsewhere they are one.
    monkeypatch.setenv("VSCODE_PID", "1")
    for each in (shown, without):
        with pytest.raises(NotImplementedError):
            each._ipython_display_()


@pytest.mark.usefixtures("jupyter")
def test_files(tmp_path: Path) -> None:
    write_page(pliant.record(world(), seconds=0.1), tmp_path / "shot.html")
    page = pliant.show(tmp_path / "shot.html")
    assert page.title == "shot" and Unpacked(page.recording).frames == 7
    models.make_all(tmp_path)
    assert Unpacked(pliant.show(tmp_path / "bear.obj").recording).actors == ["bear"]
    (tmp_path / "fall.toml").write_text('[[bodies]]\nshape = "ball"\n')
    scene = pliant.show(tmp_path / "fall.toml", playing=False)
    assert scene.live is not None and not scene.playing
    assert pliant.show("gallery:particle-stiffness").live is not None


def test_a_recording_of_a_world() -> None:
    shot = pliant.record(world(), seconds=1.0)
    (track,) = shot.take.tracks
    assert shot.take.frames == 61 and shot.take.fps == 60
    assert track.weights[:, 0, 1].max() > 0.2 and len(shot.colliders) == 1
    with pytest.raises(pliant.PliantError, match=r"for how long\? Give seconds"):
        pliant.record(world())


def test_a_body_takes_each_pose_and_comes_back() -> None:
    body = bar().with_pose("squash", pliant.poses.squash(bar(), 0.5, axis="y"))
    take = shot_of_body(body).take
    (track,) = take.tracks
    np.testing.assert_allclose(track.weights.sum(axis=2), 1.0, atol=1e-6)
    np.testing.assert_allclose(track.positions[[0, -1]], [body.rest, body.rest], atol=1e-6)
    for number, name in enumerate(body.poses):
        there = track.weights[:, 0, 1 + number] > 0.999
        assert there.sum() == STAY + 2
        assert np.abs(track.positions[there][0] - body.poses[name]).max() < 0.05 * np.linalg.norm(body.size)
    # Half way the bar is half twisted, and as thick as ever: a mean of positions would have made it thinner.
    half = track.positions[1 + WAY // 2]
    thickness = np.linalg.norm(half[:, [0, 2]], axis=1).max()
    assert thickness > 0.95 * np.linalg.norm(body.rest[:, [0, 2]], axis=1).max()


def test_bodies_without_poses_and_of_turning_particles() -> None:
    plain = pliant.shapes.ball(particles=60)
    assert shot_of_body(plain).take.frames == 1
    turning = graph_of(bar(), 12)
    (track,) = shot_of_body(turning).take.tracks
    assert track.rotations is not None
    np.testing.assert_allclose(np.linalg.norm(track.rotations, axis=2), 1.0, atol=1e-5)
    assert zlib.crc32(track.rotations[0].tobytes()) != zlib.crc32(track.rotations[1 + WAY].tobytes())
