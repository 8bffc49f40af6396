"""What is loaded is what was saved: for every scene that the schema allows."""

import tomllib
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings

import pliant
import random_scenes
import toml_texts
from pliant.scene import load_scene, save_scene, scene_from_text, scene_text
from pliant.scene.load import checked
from pliant.scene.origin import Origin
from pliant.scene.save import document, plain, value


@pytest.mark.slow
@settings(suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.large_base_example])
@given(random_scenes.scenes())
def test_load_save_load_is_the_identity(data):
    scene = checked(data, Origin())
    text = scene_text(scene)
    again = scene_from_text(text)
    assert again == scene
    assert plain(again) == plain(scene)  # nothing is said that was not, and nothing is left unsaid
    assert scene_text(again) == text


@given(toml_texts.DOCUMENTS)
def test_the_writer_says_what_it_is_given(data):
    text = document(data)
    assert tomllib.loads(text) == data
    assert document(tomllib.loads(text)) == text


def test_a_scene_as_it_is_written():
    scene = scene_from_text("""
        title = "Two"
        [[bodies]]
        shape = {type = "cuboid", size = [1, 2.5, 1]}
        pins = [{where = {side = "top"}}]
        model = {stiffness = 2.0, keys = {damping = [[0, 1], [1.5, 4]]}}
        poses = {"long name" = {type = "twist"}}
        position = [0.0, 2.0, -0.0]
        [[bodies]]
        shape = "ball"
        name = "b"
        [world]
        gravity = [0, 0, 0]
    """)
    assert scene_text(scene) == (
        'title = "Two"\n\n[world]\ngravity = [0, 0, 0]\n\n'
        '[[bodies]]\nshape = { type = "cuboid", size = [1, 2.5, 1] }\nposition = [0, 2, -0.0]\n\n'
        '[bodies.poses]\n"long name" = { type = "twist" }\n\n'
        "[bodies.model]\nstiffness = 2\nkeys = { damping = [[0, 1], [1.5, 4]] }\n\n"
        '[[bodies.pins]]\nwhere = { side = "top" }\n\n[[bodies]]\nname = "b"\nshape = "ball"\n'
    )


def test_long_lists_take_lines():
    text = document({"indices": list(range(60))})
    assert max(map(len, text.splitlines())) < 20
    assert tomllib.loads(text) == {"indices": list(range(60))}


def test_files(tmp_path: Path):
    scene = scene_from_text('bodies = [{shape = "teddy", colour = "#aabbcc"}]')
    save_scene(scene, tmp_path / "deep" / "scene.toml")
    assert load_scene(tmp_path / "deep" / "scene.toml") == scene
    assert [path.name for path in tmp_path.rglob("*")] == ["deep", "scene.toml"]  # nothing is left beside it


def test_a_folder_that_cannot_be_written(tmp_path: Path):
    (tmp_path / "file").write_text("")
    with pytest.raises(pliant.FileError, match="cannot be written"):
        save_scene(scene_from_text(""), tmp_path / "file" / "scene.toml")


@pytest.mark.parametrize(
    ("given", "text"),
    [(1.0, "1"), (-0.0, "-0.0"), (1e16, "1e+16"), (1e22, "1e+22"), (0.1, "0.1"), (True, "true"), ([], "[]")],
)
def test_values(given, text):
    assert value(given) == text
    assert tomllib.loads(f"x = {text}")["x"] == given
