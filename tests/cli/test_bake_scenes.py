"""`pliant bake` and `pliant inspect` of scene files and assets."""

import json
import os
import signal
from importlib import import_module
from pathlib import Path

import numpy as np
import pytest

from pliant import cli
from pliant.session import bake as session

SCENE = """
title = "A tug"
[world]
seconds = 0.5
fps = 30
substeps = 2
[[colliders]]
type = "plane"
[[bodies]]
name = "bar"
shape = { type = "cuboid", size = [0.4, 1.0, 0.4], cells = [2, 5, 2] }
position = [0, 1.2, 0]
poses = { turned = { type = "twist", degrees = 60, shorten = 0.2 } }
model = { stiffness = 2.0 }
[[bodies.handles]]
where = { side = "top" }
begin = 0.1
end = 0.3
path = [[0, [0, 0, 0]], [0.3, [0.3, 0.2, 0]]]
[output]
file = ["tug.npz", "made/tug.glb"]
style = "weights"
"""


@pytest.fixture
def scene(tmp_path: Path) -> Path:
    path = tmp_path / "tug.toml"
    path.write_text(SCENE)
    return path


def particles(path: Path) -> np.ndarray:
    with np.load(path) as file:
        return np.asarray(file["bar/particles"])


def stop_at(frame: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl-C when a frame is there."""

    class Stopping(session.Watch):
        def simulating(self, done: int, total: int, begun: int) -> None:
            if done == frame:
                os.kill(os.getpid(), signal.SIGINT)

    monkeypatch.setattr(import_module("pliant.cli.bake"), "_watch", lambda _: Stopping())


def test_a_scene_says_what_is_written(scene: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["bake", str(scene), "--json", "-q"]) == 0
    summary = json.loads(capsys.readouterr().out)
    assert (summary["name"], summary["frames"], summary["fps"]) == ("tug", 16, 30.0)
    assert [each["path"] for each in summary["outputs"]] == [
        str(scene.with_name("tug.npz")),
        str(scene.parent / "made" / "tug.glb"),
    ]
    assert particles(scene.with_name("tug.npz")).shape == (16, 54, 3)


def test_options_go_before_what_the_scene_says(scene: Path, tmp_path: Path) -> None:
    out, other = tmp_path / "a.npz", tmp_path / "b.npz"
    assert cli.main(["bake", str(scene), "-q", "-o", str(out), "--frames", "4"]) == 0
    assert particles(out).shape[0] == 4 and not scene.with_name("tug.npz").exists()
    call = [
        "bake",
        str(scene),
        "-q",
        "--as",
        "vertices",
        "--set",
        "gravity=[0,-1,0]",
        "--fps",
        "60",
        "--seconds",
        "0.1",
    ]
    assert cli.main([*call, "-o", str(other)]) == 0
    assert particles(other).shape[0] == 7
    assert particles(other)[-1, :, 1].mean() > particles(out)[-1, :, 1].mean()


@pytest.mark.parametrize("frame", [2, 5, 12])
def test_stopped_and_gone_on_with(
    frame: int, scene: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Before the handle takes hold, while it pulls, and after it has let go."""
    whole, cut = tmp_path / "whole.npz", tmp_path / "cut.npz"
    call = ["bake", str(scene), "-q"]
    assert cli.main([*call, "-o", str(whole)]) == 0
    with monkeypatch.context() as patch:
        stop_at(frame, patch)
        assert cli.main([*call, "-o", str(cut)]) == 130
    told = capsys.readouterr().err
    assert told == f"pliant: stopped at frame {frame} of 16; the same command with --resume goes on\n"
    assert cli.main([*call, "-o", str(cut), "--resume"]) == 0
    assert cut.read_bytes() == whole.read_bytes()


def test_a_scene_that_was_changed_is_not_gone_on_with(
    scene: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    call = ["bake", str(scene), "-q", "-o", str(tmp_path / "out.npz"), "--resume"]
    with monkeypatch.context() as patch:
        stop_at(5, patch)
        assert cli.main(call[:-1]) == 130
    scene.write_text(SCENE.replace("stiffness = 2.0", "stiffness = 2.5"))
    capsys.readouterr()
    assert cli.main(call) == 2
    told = capsys.readouterr().err
    assert "recorded from another scene, asset or settings; undo the change, or start anew without --resume" in told
    scene.write_text(SCENE.replace("A tug", "Another title"))  # plays alike
    assert cli.main(call) == 0


@pytest.mark.parametrize(
    ("old", "new", "said"), [("stiffness", "stifness", 'did you mean "stiffness"?'), ("[[bo", "[bo", ":")]
)
def test_mistakes_get_one_line(old: str, new: str, said: str, scene: Path, capsys: pytest.CaptureFixture[str]) -> None:
    scene.write_text(SCENE.replace(old, new))
    for command in ("bake", "inspect"):
        assert cli.main([command, str(scene)]) == 2
        told = capsys.readouterr().err
        assert told.startswith("pliant: ") and told.count("\n") == 1 and said in told and "tug.toml" in told
    assert [path.name for path in scene.parent.iterdir()] == ["tug.toml"]


def test_inspect_a_scene(scene: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["inspect", str(scene), "--json"]) == 0
    seen = json.loads(capsys.readouterr().out)
    (bar,) = seen["bodies"]
    assert (seen["title"], seen["seconds"], bar["mesh"]["particles"]) == ("A tug", 0.5, 54)
    assert [pose["name"] for pose in bar["report"]["poses"]] == ["turned"]
    assert bar["surface"] is None and bar["fits"] == []


@pytest.mark.slow
def test_an_asset_with_a_pose(scene: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What a bake writes with its own morph targets is an asset with poses."""
    bear, out = tmp_path / "made" / "tug.glb", tmp_path / "falls.npz"
    assert cli.main(["bake", str(scene), "-q"]) == 0
    assert cli.main(["inspect", str(bear), "--particles", "200", "--json"]) == 0
    seen = json.loads(capsys.readouterr().out)
    (body,) = seen["bodies"]
    assert [fit["name"] for fit in body["fits"]] == ["turned"]
    assert body["fits"][0]["verdict"] not in ("folded", "mirrored") and body["fits"][0]["largest"] < 0.1
    assert body["surface"]["holes"] == 0 and body["surface"]["closed"]
    assert body["mesh"]["volume"] == pytest.approx(body["surface"]["volume"], rel=0.1)
    call = ["bake", str(bear), "--particles", "200", "-q", "-o", str(out), "--seconds", "0.2"]
    assert cli.main(call) == 0
    with np.load(out) as file:
        (name,) = file["actors"].tolist()
        assert file[f"{name}/particles"].shape == (13, body["mesh"]["particles"], 3)
        assert file[f"{name}/poses"].tolist() == ["turned"]
