"""`pliant gallery`."""

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from pliant import cli

pytestmark = pytest.mark.usefixtures("small_gallery")


def test_list_for_people(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["gallery"]) == 0
    heading, first, second = (line.split() for line in capsys.readouterr().out.splitlines())
    assert heading == ["name", "title", "paper", "seconds"]
    assert first[0] == "twist-bar" and first[-1] == "4"
    assert second[0] == "cars" and second[-1] == "2.5"


def test_list_for_programs(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["gallery", "cars", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == [
        {"name": "cars", "title": "A wall", "paper": "Koyama+12 Fig. 9", "seconds": 2.5}
    ]


def test_check_that_passes(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["gallery", "--check", "gallery:twist-bar"]) == 0
    assert capsys.readouterr().out == "twist-bar\n  ok    twist weight: 0.9123\n"


def test_check_that_fails(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["gallery", "--check"]) == 1
    assert "  FAIL  roof: 3\n" in capsys.readouterr().out


def test_check_for_programs(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["gallery", "--check", "--json"]) == 1
    bar, cars = json.loads(capsys.readouterr().out)
    assert bar == {
        "name": "twist-bar",
        "passed": True,
        "checks": [{"text": "twist weight", "value": 0.91234, "passed": True}],
    }
    assert not cars["passed"] and [check["passed"] for check in cars["checks"]] == [True, False]


def test_pictures(install, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def render_exhibits(names: Sequence[str], folder: Path) -> list[Path]:
        return [folder / f"{name}.png" for name in names]

    install("pliant.gallery.pictures", render_exhibits=render_exhibits)
    assert cli.main(["gallery", "cars", "--pictures", str(tmp_path)]) == 0
    assert capsys.readouterr().out == f"{tmp_path / 'cars.png'}\n"


@pytest.mark.parametrize(
    ("name", "hint"),
    [("twistbar", 'did you mean "twist-bar"?'), ("jelly", "`pliant gallery` lists them all")],
)
@pytest.mark.parametrize("command", [["gallery"], ["gallery", "--check"], ["view"]])
def test_unknown_names_get_one_line(
    command: list[str], name: str, hint: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main([*command, name]) == 2
    assert capsys.readouterr().err == f'pliant: there is no exhibit "{name}"; {hint}\n'
