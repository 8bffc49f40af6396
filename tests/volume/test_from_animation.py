"""Poses from an animation: what is chosen, what it is called, and what is refused."""

import json
from functools import cache
from pathlib import Path

import numpy as np
import pytest

import pliant
from made_assets import bar, bent, twisted
from pliant import cli
from pliant.body import Skin
from pliant.files.gltf import places
from pliant.files.gltf.reader import read
from pliant.files.motion import read_motion
from pliant.files.take import Take, Track
from pliant.files.writing import write_take
from pliant.runtime.errors import FileError, SettingsError
from pliant.volume.from_animation import poses_from_animation

FPS = 24


@cache
def character() -> pliant.Body:
    """A round bar whose surface vertices are particles, so that an animation moves each as it likes."""
    points, faces = bar()
    count = len(points)
    skin = Skin(points, faces, np.arange(count)[:, None] * np.eye(1, 4, dtype=int), np.tile(np.eye(1, 4), (count, 1)))
    return pliant.Body(points, triangles=faces, skin=skin, name="bar")


def acted(path: Path, move: object, frames: int = 49) -> Path:
    """An animation in which `move(rest, part)` says where the points are."""
    body = character()
    parts = np.linspace(0, 1, frames)
    positions = np.array([move(body.rest, part) for part in parts], np.float32)  # type: ignore[operator]
    track = Track("bar", body, positions, np.ones((frames, 1, 1), np.float32), ("all",))
    write_take(Take("act", FPS, (track,)), path, style="vertices" if path.suffix == ".glb" else None)
    return path


def twist_then_bend(rest: np.ndarray, part: float) -> np.ndarray:
    """Out into a twist and back, out into a bend and back, while all of it walks away and turns."""
    shape = twisted(rest, 90 * np.sin(2 * np.pi * part)) if part < 0.5 else rest
    shape = bent(shape, 60 * -np.sin(2 * np.pi * part)) if part > 0.5 and part < 1 else shape
    c, s = np.cos(part), np.sin(part)
    return shape @ np.array([[c, s, 0], [-s, c, 0], [0, 0, 1]]) + (3 * part, 0, 0)


@pytest.fixture(scope="module")
def clip(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return acted(tmp_path_factory.mktemp("clips") / "bar.glb", twist_then_bend)


def test_few_vertices_move_as_they_do_among_all(clip: Path) -> None:
    rows = np.array([700, 3, 41])
    found = places(clip, [0.3, 1.1], rows)
    whole = read(clip, [0.3, 1.1]).poses
    assert np.array_equal(found[0], whole["at 0.3 s"][rows]) and np.array_equal(found[1], whole["at 1.1 s"][rows])


def test_the_extremes_are_chosen_named_and_laid_over_rest(clip: Path) -> None:
    found = poses_from_animation(clip, 2, fps=FPS)
    first, second = sorted(found.frames, key=lambda frame: frame.time)
    assert (first.time, second.time) == (pytest.approx(0.5, abs=0.05), pytest.approx(1.5, abs=0.05))
    assert (first.name, second.name) == ("twist", "bend")
    assert found.curve[0, 0] == pytest.approx(1) and found.curve[-1, 0] < 0.35 * found.curve[0, 0]
    assert found.gaps[found.times == first.time].max() < 1e-3
    for name in ("twist", "bend"):  # the walk is gone: poses stand where the body does
        assert found.asset.poses[name].mean(axis=0) == pytest.approx(found.asset.vertices.mean(axis=0), abs=0.2)
    straight = found.asset.poses["twist"] - twisted(found.asset.vertices, 90)
    assert np.abs(straight - straight.mean(axis=0)).max() < 0.05


def test_more_poses_leave_less_and_a_loose_tolerance_stops(clip: Path) -> None:
    many = poses_from_animation(clip, 8, fps=FPS)
    assert (np.diff(many.curve[:, 0]) <= 1e-9).all() and many.curve[-1, 0] < 0.2
    loose = poses_from_animation(clip, 8, fps=FPS, tolerance=0.5)
    assert len(loose.frames) < len(many.frames) and loose.curve[-1, 0] <= 0.5


def test_usd_tells_the_same_as_gltf(clip: Path, tmp_path: Path) -> None:
    other = acted(tmp_path / "bar.usdc", twist_then_bend, frames=25)
    motion = read_motion(other)
    assert (motion.first, motion.last) == (pytest.approx(0), pytest.approx(1))
    rows = np.array([5, 600])
    assert motion.places(np.array([0.25]), rows)[0] == pytest.approx(
        twist_then_bend(character().rest, 0.25)[rows], abs=1e-5
    )


def test_without_a_change_of_shape_there_is_no_pose(tmp_path: Path) -> None:
    walking = acted(tmp_path / "walk.glb", lambda rest, part: rest + np.array([part, 0, 0]), frames=5)
    with pytest.raises(FileError, match="moves the body as a whole"):
        poses_from_animation(walking)
    with pytest.raises(FileError, match="have no animation"):
        read_motion(_obj(tmp_path))
    with pytest.raises(SettingsError, match="count is 0"):
        poses_from_animation(walking, 0)


def _obj(folder: Path) -> Path:
    path = folder / "tri.obj"
    path.write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n")
    return path


def test_the_command_writes_a_file_that_has_the_poses(
    clip: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "bar-poses.glb"
    call = ["poses", str(clip), "--from-animation", "--count", "2", "--fps", str(FPS), "--particles", "120"]
    assert cli.main([*call, "-o", str(out), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert {pose["name"] for pose in told["poses"]} == {"twist", "bend"} and len(told["curve"]) == 3
    assert [fit["verdict"] for fit in told["fits"]] == ["reached", "reached"]
    body = pliant.load(out, particles=120)
    assert set(body.pose_names) == {"twist", "bend"}
    assert cli.main([*call, "-o", str(tmp_path / "bar.npz")]) == 0
    assert "twist" in capsys.readouterr().out
    again = pliant.load(tmp_path / "bar.npz")
    assert again.poses["twist"] == pytest.approx(body.poses["twist"], abs=1e-3)
    assert cli.main(["poses", str(clip)]) == 2 and "--from-animation" in capsys.readouterr().err
    assert cli.main([*call, "-o", str(tmp_path / "bar.txt")]) == 2 and ".glb" in capsys.readouterr().err
