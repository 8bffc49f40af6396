"""Mesh colliders, rigid bodies and how bodies meet, in a scene file."""

import tomllib
from pathlib import Path

import numpy as np
import pytest

import obstacles
import pliant
from json_schemas import fits
from pliant.runtime.errors import SceneError
from pliant.scene import load_scene, scene_from_text, scene_text, show_of
from pliant.scene.json_schema import json_schema
from pliant.scene.summary import summary
from pliant.session.inspection import inspect_show

SCENE = """
[world]
contact = false

[[colliders]]
type = "mesh"
name = "cup"
file = "things/cup.obj"
position = [0, 0.5, 0]
rotation = [0, 90, 0]
scale = 2
cells = 64
friction = 0.7
path = [[0, [0, 0, 0]], [1, [0, 1, 0]]]

[[bodies]]
shape = { type = "ball", radius = 0.3 }
particles = 60
position = [0, 3, 0]
friction = 0.9
restitution = 0.3
self_contact = true
model = { type = "rigid", mass = 2.5 }
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    vertices, triangles = obstacles.cup()
    rows = [f"v {x} {y} {z}" for x, y, z in vertices] + [f"f {a} {b} {c}" for a, b, c in triangles + 1]
    (tmp_path / "things").mkdir()
    (tmp_path / "things" / "cup.obj").write_text("\n".join(rows))
    (tmp_path / "scene.toml").write_text(SCENE)
    return tmp_path


@pytest.mark.slow
def test_it_is_built_as_it_is_said(folder: Path) -> None:
    world = show_of(folder / "scene.toml").world
    (cup,) = world.colliders
    assert isinstance(cup, pliant.Mesh)
    assert (cup.name, cup.friction, cup.scale, cup.cells) == ("cup", 0.7, 2.0, 64)
    np.testing.assert_allclose(cup.placed(0.5)[1], (0, 1.0, 0))
    # the floor of the cup is 6 cm thick, twice as large 12
    np.testing.assert_allclose(cup.distances([[0, 0.5 + 0.3, 0], [0, 0.5 + 0.06, 0]]), (0.18, -0.06), atol=0.03)
    (ball,) = world.actors
    assert ball.mass == pytest.approx(2.5)
    assert (ball.friction, ball.restitution, ball.self_contact) == (0.9, 0.3, True)
    assert world.contact is False


def test_it_can_be_saved_checked_and_inspected(folder: Path) -> None:
    scene = scene_from_text(SCENE)
    assert scene_from_text(scene_text(scene)) == scene
    assert fits(tomllib.loads(SCENE), json_schema(), json_schema())
    (collider,) = summary(load_scene(folder / "scene.toml"), show_of(folder / "scene.toml"))["colliders"]
    assert collider == {"type": "mesh", "name": "cup", "moves": True, "file": "things/cup.obj"}
    (said,) = inspect_show(show_of(folder / "scene.toml")).colliders
    assert said.startswith("mesh (things/cup.obj: 384 triangles, a grid of ")


def test_another_mesh_is_another_show(folder: Path) -> None:
    """A bake is not taken up with another obstacle of the same name."""
    (folder / "scene.toml").write_text(SCENE.replace("cells = 64", "cells = 16"))
    first = show_of(folder / "scene.toml").key
    assert show_of(folder / "scene.toml").key == first
    path = folder / "things" / "cup.obj"
    path.write_text(path.read_text().replace("v 0.7 ", "v 0.71 "))
    assert show_of(folder / "scene.toml").key != first


MISTAKES = {
    "no file": ('type = "mesh"', "`file` is missing"),
    "not there": ('type = "mesh"\nfile = "cap.obj"', "cap.obj"),
    "no mesh": ('type = "mesh"\nfile = "scene.toml"', "scene.toml"),
    "too many cells": ('type = "mesh"\nfile = "things/cup.obj"\ncells = 1000', "from 8 to 256"),
    "arrays": ('type = "mesh"\nfile = "things/cup.obj"\nvertices = [1, 2]', 'no key "vertices"'),
    "a thickness of nothing": ('type = "mesh"\nfile = "things/cup.obj"\nthickness = 0', "from 1e-06"),
}


@pytest.mark.parametrize("text, told", MISTAKES.values(), ids=MISTAKES)
def test_mistakes_are_told_on_one_line(folder: Path, text: str, told: str) -> None:
    (folder / "wrong.toml").write_text(f"[[colliders]]\n{text}\n")
    with pytest.raises(SceneError) as error:
        show_of(folder / "wrong.toml")
    assert told in str(error.value)
    assert "\n" not in str(error.value)
    assert "wrong.toml:" in str(error.value)


def test_a_dropped_scene_may_not_lead_out_of_its_folder(tmp_path: Path) -> None:
    from pliant.viewer.simulation.opened import check_enclosed

    with pytest.raises(SceneError, match="leads out of the folder"):
        check_enclosed(scene_from_text('[[colliders]]\ntype = "mesh"\nfile = "../secret.obj"\n'))
    check_enclosed(scene_from_text('[[colliders]]\ntype = "mesh"\nfile = "cup.obj"\n'))
