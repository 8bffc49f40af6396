"""`pliant view`, and `pliant` alone."""

from typing import Any

import pytest

from pliant import cli

Calls = list[tuple[str | None, dict[str, Any]]]


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


@pytest.mark.parametrize("name", ["bear.glb", "scenes/fall.toml"])
def test_files_are_not_shown(name: str, calls: Calls, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["view", name]) == 2
    told = capsys.readouterr().err
    assert told.startswith(f"pliant: {name}: the viewer opens the exhibits of the gallery, not files; `pliant bake")
    assert told.count("\n") == 1 and calls == []
