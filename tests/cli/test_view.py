"""`pliant view`, and `pliant` alone."""

from pathlib import Path
from typing import Any

import pytest

from pliant import cli
from pliant.viewer.simulation.opened import Opened

Calls = list[tuple[str | Opened | None, dict[str, Any]]]


@pytest.fixture
def calls(install, small_gallery: None, monkeypatch: pytest.MonkeyPatch) -> Calls:
    """What the viewer was asked for."""
    calls: Calls = []
    install("pliant.viewer.app", run=lambda target, **options: calls.append((target, options)))
    monkeypatch.setattr("sys.platform", "linux")
    monkeypatch.setenv("DISPLAY", ":0")
    return calls


@pytest.mark.parametrize("arguments", [[], ["view"]])
def test_alone_opens_the_gallery(arguments: list[str], calls: Calls) -> None:
    assert cli.main(arguments) == 0
    assert calls == [(None, {"host": "127.0.0.1", "port": 8080, "open_browser": True, "token": None})]


def test_options(calls: Calls) -> None:
    line = "view gallery:cars --host 0.0.0.0 --port 0 --no-browser --token secret"
    assert cli.main(line.split()) == 0
    assert calls == [("cars", {"host": "0.0.0.0", "port": 0, "open_browser": False, "token": "secret"})]


def test_no_browser_without_a_screen(calls: Calls, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("DISPLAY")
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    assert cli.main([]) == 0
    assert calls[0][1]["open_browser"] is False


@pytest.mark.parametrize("name", ["bear.glb", "scenes/fall.toml", "fall.blend", "nothing/at all"])
def test_files_that_cannot_be_read(name: str, calls: Calls, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["view", name]) == 2
    told = capsys.readouterr().err
    assert told.startswith(f"pliant: {name}: ")
    assert told.count("\n") == 1 and calls == []


def test_a_scene_that_names_a_missing_file(calls: Calls, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "fall.toml").write_text('[[bodies]]\nfile = "bear.glb"\n')
    assert cli.main(["view", str(tmp_path / "fall.toml")]) == 2
    told = capsys.readouterr().err
    assert "fall.toml:2: bodies.bear.file:" in told and "no such file" in told
    assert told.count("\n") == 1 and calls == []


def test_scenes_and_assets_are_opened(calls: Calls, tmp_path: Path) -> None:
    (tmp_path / "fall.toml").write_text('title = "It falls"\n[[bodies]]\nshape = "cuboid"\n')
    (tmp_path / "corner.obj").write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n")
    assert cli.main(["view", str(tmp_path / "fall.toml")]) == 0
    assert cli.main(["view", str(tmp_path / "corner.obj"), "--as", "shell", "--particles", "50"]) == 0
    (scene, _), (asset, _) = calls
    assert isinstance(scene, Opened) and isinstance(asset, Opened)
    assert (scene.name, scene.title) == ("fall.toml", "It falls")
    assert (asset.name, asset.title) == ("corner.obj", "corner")
    assert asset.options == {"kind": "shell", "particles": 50}


def test_exhibits_take_no_options_of_files(calls: Calls, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["view", "cars", "--as", "shell"]) == 2
    assert "cars" in capsys.readouterr().err and calls == []
