"""Animations of a file, sampled for poses."""

import math
from pathlib import Path

import numpy as np
import pytest

from files.gltf.making import LIFT, SHEAR, SQUARE, Making, square
from files.gltf.test_poses import skinned
from pliant.files.gltf import read
from pliant.runtime.errors import FileError

HALF = math.sqrt(0.5)


def test_morph_weights(tmp_path: Path) -> None:
    making = square([LIFT, SHEAR], extras={"targetNames": ["up", "shear"]})
    making.animate(0, "weights", [0, 1, 2], [[0, 0], [1, 0], [1, 1]])
    asset = read(making.glb(tmp_path / "x.glb"), sample=[0.25, 1.5, 9])
    assert list(asset.poses) == ["up", "shear", "at 0.25 s", "at 1.5 s", "at 9 s"]
    assert asset.poses["at 0.25 s"] == pytest.approx(SQUARE + 0.25 * LIFT)
    assert asset.poses["at 1.5 s"] == pytest.approx(SQUARE + LIFT + 0.5 * SHEAR)
    assert asset.poses["at 9 s"] == pytest.approx(SQUARE + LIFT + SHEAR)
    assert asset.notes == ("the animation ends at 2 s; later times show its end",)
    assert np.array_equal(asset.vertices, SQUARE)


def test_before_the_first_key_it_holds(tmp_path: Path) -> None:
    making = square([LIFT])
    making.animate(0, "weights", [1, 2], [0.5, 1])
    assert read(making.glb(tmp_path / "x.glb"), [0]).poses["at 0 s"] == pytest.approx(SQUARE + 0.5 * LIFT)


def test_nodes_that_move(tmp_path: Path) -> None:
    making = Making()
    leaf = making.node(mesh=making.mesh(), translation=[1, 0, 0])
    making.scene(making.node(children=[leaf]))
    making.animate(1, "rotation", [0, 2], [[0, 0, 0, 1], [0, 0, 1, 0]])  # half a turn about z
    making.animate(1, "translation", [0, 2], [[0, 0, 0], [0, 0, 8]])
    making.animate(leaf, "scale", [0, 1], [[1, 1, 1], [3, 1, 1]])
    asset = read(making.glb(tmp_path / "x.glb"), [1])
    # Stretched threefold, beside the axis, a quarter turn about it, and four metres up.
    expected = np.array([[0, 1, 4], [0, 4, 4], [-1, 4, 4], [-1, 1, 4]])
    assert asset.poses["at 1 s"] == pytest.approx(expected, abs=1e-6)


def test_rotations_take_the_short_way(tmp_path: Path) -> None:
    making = square()
    making.animate(0, "rotation", [0, 1], [[0, 0, 0, 1], [0, 0, -HALF, -HALF]])  # a quarter turn, told the long way
    asset = read(making.glb(tmp_path / "x.glb"), [1 / 3])
    turned = math.radians(30)
    assert asset.poses["at 0.333333 s"][1] == pytest.approx([math.cos(turned), math.sin(turned), 0], abs=1e-6)


def test_steps(tmp_path: Path) -> None:
    making = square()
    making.animate(0, "translation", [0, 1, 2], [[0, 0, 0], [1, 0, 0], [2, 0, 0]], "STEP")
    asset = read(making.glb(tmp_path / "x.glb"), [0.99, 1, 2])
    assert [asset.poses[f"at {time} s"][0, 0] for time in ("0.99", "1", "2")] == [0, 1, 2]


def test_cubic_splines(tmp_path: Path) -> None:
    """In-tangent, value, out-tangent for each key; a cubic is met exactly: x = t^3 over two seconds."""
    making = square()
    keys = [[[0, 0, 0], [0, 0, 0], [0, 0, 0]], [[12, 0, 0], [8, 0, 0], [0, 0, 0]]]
    making.animate(0, "translation", [0, 2], np.reshape(keys, (-1, 3)), "CUBICSPLINE")
    asset = read(making.glb(tmp_path / "x.glb"), [0.5, 1, 1.5, 2])
    found = [asset.poses[f"at {time:g} s"][0, 0] for time in (0.5, 1, 1.5, 2)]
    assert found == pytest.approx([0.125, 1, 3.375, 8])


def test_cubic_weights_and_rotations(tmp_path: Path) -> None:
    making = square([LIFT])
    making.animate(0, "weights", [0, 1], [[0, 0, 1], [1, 1, 0]], "CUBICSPLINE")  # w = t
    turns = [[0, 0, 0, 0], [0, 0, 0, 1], [0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 1, 0], [0, 0, 0, 0]]
    making.animate(0, "rotation", [0, 1], turns, "CUBICSPLINE")
    pose = read(making.glb(tmp_path / "x.glb"), [0.5]).poses["at 0.5 s"]
    lifted = SQUARE + 0.5 * LIFT
    assert pose == pytest.approx(np.stack([-lifted[:, 1], lifted[:, 0], lifted[:, 2]], axis=1), abs=1e-6)


def test_normalised_keys(tmp_path: Path) -> None:
    making = square([LIFT])
    making.animate(0, "weights", [0, 1], [0, 0])
    making.json["animations"][0]["samplers"][0]["output"] = making.accessor(
        np.array([0, 255], np.uint8), normalized=True
    )
    assert read(making.glb(tmp_path / "x.glb"), [0.5]).poses["at 0.5 s"] == pytest.approx(SQUARE + 0.5 * LIFT)


def test_skeletons_that_move(tmp_path: Path) -> None:
    making, _, tip = skinned()
    making.animate(tip, "translation", [0, 1], [[2, 0, 0], [2, 4, 0]])
    pose = read(making.glb(tmp_path / "x.glb"), [0.5]).poses["at 0.5 s"]
    assert pose == pytest.approx(SQUARE + np.float32([[0, 0, 0], [2, 2, 0], [2, 2, 0], [0, 0, 0]]))


def test_weights_that_nobody_animates_are_as_the_file_shows_them(tmp_path: Path) -> None:
    making = square([LIFT], weights=[1])
    making.animate(0, "translation", [0, 1], [[0, 0, 0], [1, 0, 0]])
    assert read(making.glb(tmp_path / "x.glb"), [1]).poses["at 1 s"] == pytest.approx(SQUARE + LIFT + [1, 0, 0])


def test_of_several_animations_the_first_to_move_a_thing_has_it(tmp_path: Path) -> None:
    making = square([LIFT])
    making.animate(0, "translation", [0, 1], [[0, 0, 0], [1, 0, 0]])
    making.animate(0, "translation", [0, 1], [[0, 0, 0], [0, 9, 0]], new=True)
    making.json["animations"][1]["name"] = "other"
    making.animate(0, "weights", [0, 1], [0, 1], new=True)  # Blender writes shape keys as one of their own
    asset = read(making.glb(tmp_path / "x.glb"), [1])
    assert asset.poses["at 1 s"] == pytest.approx(SQUARE + LIFT + [1, 0, 0])
    assert asset.notes == ('animation "other" is not sampled: an earlier one moves the same',)


def test_nothing_to_sample(tmp_path: Path) -> None:
    with pytest.raises(FileError, match=r"there is no animation to sample; leave out the sample times"):
        read(square([LIFT]).glb(tmp_path / "x.glb"), [1])


@pytest.mark.parametrize("time", [-1.0, math.inf, math.nan])
def test_wrong_times(tmp_path: Path, time: float) -> None:
    making = square([LIFT])
    making.animate(0, "weights", [0, 1], [0, 1])
    with pytest.raises(FileError, match=r"cannot be sampled at .* s; give times from 0 s on"):
        read(making.glb(tmp_path / "x.glb"), [time])


def test_odd_channels_are_noted(tmp_path: Path) -> None:
    making = square()
    making.animate(0, "pointer", [0, 1], [[0, 0, 0], [1, 0, 0]])
    making.animate(0, "translation", [0, 1], [[0, 0, 0], [1, 0, 0]])
    assert read(making.glb(tmp_path / "x.glb"), [1]).notes == ('an animation of "pointer" is left out',)
    making.json["nodes"][0]["matrix"] = np.eye(4).ravel().tolist()
    making.json["nodes"][0]["name"] = "plate"
    making.node(translation=[0, 0, 0])
    making.animate(1, "translation", [0, 1], [[0, 0, 0], [1, 0, 0]])
    notes = read(making.glb(tmp_path / "x.glb"), [1]).notes
    assert 'the animation of node "plate" is left out: the node has a matrix' in notes


@pytest.mark.parametrize(
    ("times", "values", "interpolation", "said"),
    [
        ([1, 0], [0, 1], "LINEAR", "the times do not rise"),
        ([0, 1], [0, 1, 2], "LINEAR", r"3 rows for animations\[0\]\.samplers\[0\], 2 belong there"),
        ([0, 1], [0, 1], "CUBICSPLINE", r"2 rows for .*, 6 belong there"),
        ([0, 1], [0, 1], "WAVY", r"animations\[0\]\.samplers\[0\]: interpolation is 'WAVY'"),
    ],
)
def test_wrong_curves(tmp_path: Path, times: list, values: list, interpolation: str, said: str) -> None:
    making = square([LIFT])
    making.animate(0, "weights", times, values, interpolation)
    with pytest.raises(FileError, match=said):
        read(making.glb(tmp_path / "x.glb"), [0.5])
