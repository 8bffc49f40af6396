"""`pliant inspect`."""

import json
from pathlib import Path

import pytest

from films import small_sheets
from pliant import cli
from pliant.gallery.shows import show_of_exhibit
from pliant.session import inspection


def test_for_programs(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["inspect", "gallery:twist-bar", "--json", "--fps", "30"]) == 0
    seen = json.loads(capsys.readouterr().out)
    (bar,) = seen["bodies"]
    assert (seen["name"], seen["seconds"], seen["colliders"]) == ("twist-bar", 8.0, ["plane"])
    assert (bar["name"], bar["actors"], bar["models"]) == ("bar", ["bar"], ["ShapeMatching"])
    assert (bar["mesh"]["particles"], bar["mesh"]["elements"], bar["mesh"]["components"]) == (225, 640, 1)
    assert bar["skin"]["outside"] == 0
    assert [pose["name"] for pose in bar["report"]["poses"]] == ["twist"]
    cost = seen["cost"]
    assert (cost["fps"], cost["substeps"], cost["threads"], cost["precision"]) == (30.0, 8, 1, "single")
    assert cost["measured"] >= 2
    assert cost["frame_time"] == pytest.approx(8 * cost["step"])
    assert cost["realtime"] == pytest.approx(1000 / 30 / cost["frame_time"])


@pytest.fixture(scope="module")
def car_crash() -> inspection.Inspection:
    return inspection.inspect_show(show_of_exhibit("car-crash"))


@pytest.mark.slow
@pytest.mark.parametrize("width", [40, 80, 200])
def test_for_people_on_any_terminal(
    width: int,
    car_crash: inspection.Inspection,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(inspection, "inspect_show", lambda _: car_crash)
    monkeypatch.setenv("COLUMNS", str(width))
    assert cli.main(["inspect", "gallery:car-crash"]) == 0
    answer = capsys.readouterr().out
    assert max(map(len, answer.splitlines())) <= width
    words = " ".join(answer.split())
    for said in (
        "particles",
        "quality",
        "verdict" if "verdict" in words else "pose",
        "memory",
        "measured here and now",
    ):
        assert said in words
    assert "…" not in answer  # nothing is cut off


@pytest.mark.slow
def test_each_body_once(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["inspect", "gallery:strength-sweep", "--json"]) == 0
    bodies = json.loads(capsys.readouterr().out)["bodies"]
    names = [name for body in bodies for name in body["actors"]]
    assert len(names) == len(set(names)) >= len(bodies)


@pytest.mark.slow
def test_picture(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "poses.png"
    with small_sheets():
        assert cli.main(["inspect", "gallery:twist-bar", "--json", "--picture", str(out)]) == 0
    assert json.loads(capsys.readouterr().out)["picture"] == str(out)
    assert out.read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["gallery:twistbar"], 'did you mean "twist-bar"?'),
        (["nowhere.glb"], "nowhere.glb"),
        (["gallery:twist-bar", "--as", "weights"], "give solid, shell or rod"),
        (["gallery:twist-bar", "--mesher", "wild"], "takes no --mesher"),
        (["gallery:twist-bar", "--picture", "poses.jpg"], "a picture is written as .png"),
    ],
)
def test_wrong_calls_get_one_line(arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["inspect", *arguments]) == 2
    answer = capsys.readouterr()
    assert answer.out == "" and answer.err.count("\n") == 1 and said in answer.err
