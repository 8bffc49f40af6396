"""Shows looked at before they are played for long."""

import json
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

import pliant
from films import SHEET, small_sheets
from pliant.scene import scene_from_text, show_of
from pliant.scene.show import Show
from pliant.session.inspection import inspect_show, picture_of, plain, stacked

ROW = """
[[colliders]]
type = "plane"
[[bodies]]
name = "cube"
shape = { type = "cuboid", size = [1, 1, 1], cells = [2, 2, 2] }
poses = { flat = { type = "squash", amount = 0.4 } }
scale = 0.9
copies = { count = 3, spacing = [2, 0, 0] }
[[bodies]]
name = "rope"
shape = "rope"
position = [0, 3, 0]
"""


def test_bodies_are_told_once() -> None:
    seen = inspect_show(show_of(scene_from_text(ROW), fps=24, substeps=3))
    cube, rope = seen.bodies
    assert cube.actors == ("cube 1", "cube 2", "cube 3") and rope.actors == ("rope",)
    assert (cube.mesh.particles, rope.mesh.kind) == (27, "rod")
    assert [pose.name for pose in cube.poses.poses] == ["flat"] and not rope.poses.poses
    assert (seen.cost.fps, seen.cost.substeps, seen.colliders) == (24.0, 3, ("plane",))
    floats = 3 * (3 * 27 + 2) + 3 * rope.mesh.particles + 1
    assert seen.cost.frame == 4 * floats
    assert json.loads(json.dumps(seen.to_dict(), allow_nan=False))["bodies"][0]["name"] == "cuboid"


def test_time_is_measured_by_playing() -> None:
    show = show_of(scene_from_text(ROW), substeps=2)
    cost = inspect_show(show).cost
    assert show.world.time == pytest.approx(cost.measured / show.fps)
    assert cost.step is not None and cost.frame_time == pytest.approx(2 * cost.step)


def test_one_that_diverges_says_so() -> None:
    def bursting() -> Show:
        world = pliant.World()
        world.add(pliant.shapes.ball(particles=100), pliant.ShapeMatching(), velocity=(9e8, 0, 0))
        return Show(name="burst", world=world, seconds=4.0, fps=1.0)

    cost = inspect_show(bursting()).cost
    assert "diverged" in cost.note
    assert cost.measured < 4


def test_picture(tmp_path: Path) -> None:
    show = show_of(scene_from_text(ROW))
    with small_sheets():
        out = picture_of(show, tmp_path / "poses.png")
    wide, high = Image.open(out).size
    assert high > 2 * SHEET and wide > SHEET  # a row for the cubes, which have a pose, and one for the rope


def test_rows_of_a_picture_may_differ_in_width() -> None:
    sheet = stacked([np.zeros((2, 3, 3), np.uint8), np.zeros((1, 5, 3), np.uint8)])
    assert sheet.shape == (3, 5, 3)
    assert sheet[0, 3:].min() == 255 and sheet[2].max() == 0


def test_plain() -> None:
    given = {"a": np.float64("nan"), "b": (1, np.int32(2), None, True), "c": Path("x")}
    assert plain(given) == {"a": None, "b": [1, 2, None, True], "c": "x"}
