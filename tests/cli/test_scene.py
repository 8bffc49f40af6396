"""`pliant scene`."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from pliant import cli
from pliant.scene import load_scene

SCENE = """
title = "Two balls"
[world]
seconds = 2
keys.gravity = [[0, [0, 0, 0]]]
[[colliders]]
type = "plane"
name = "ground"
path = [[0, [0, 0, 0]]]
[[bodies]]
shape = "ball"
particles = 100
copies = { count = 2, spacing = [2, 0, 0] }
poses.flat.type = "squash"
[bodies.model.keys]
stiffness = [[0, 1], [1, 2]]
forced.flat = [[0, 1]]
[[bodies.pins]]
where = { side = "top" }
"""
CUBE = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\nv 0 0 1\nv 1 0 1\nv 0 1 1\nv 1 1 1\n" + "".join(
    f"f {face}\n" for face in ("1 3 4 2", "5 6 8 7", "1 2 6 5", "3 7 8 4", "1 5 7 3", "2 4 8 6")
)


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "two.toml").write_text(SCENE)
    (tmp_path / "cube.obj").write_text(CUBE)
    return Path("two.toml")


def test_what_is_in_a_scene(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["scene", str(file)]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "two.toml: Two balls",
        "  2 s, 121 frames, 60 a second, 4 steps each",
        "  collider ground: plane, moving",
        "  body ball (2 copies): shape ball, solid, 125 particles, 490 kg",
        "    shape_matching, poses: flat; groups: all",
        "    1 pin",
        "  over time: world.gravity, bodies.ball.model.forced.flat, bodies.ball.model.stiffness",
        "  no mistakes",
    ]


def test_for_programs_and_with_settings(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["scene", str(file), "--json", "--set", "seconds=1", "--set", "stiffness=2"]) == 0
    facts = json.loads(capsys.readouterr().out)
    assert (facts["seconds"], facts["frames"]) == (1, 61)
    assert facts["bodies"][0]["actors"] == ["ball 1", "ball 2"]
    assert facts["keyed"] == ["world.gravity", "bodies.ball.model.forced.flat"]


@pytest.mark.parametrize(
    ("right", "wrong", "said"),
    [
        ("stiffness =", "stifness =", 'two.toml:16: bodies.ball.model.keys.stifness: there is no key "stifness"'),
        ('"squash"', '"squash', "two.toml:14:26: not TOML: a text in quotes must end on its line"),
        ('side = "top"', 'group = "top"', "two.toml:19: bodies.ball.pins[0].where: the selection: there is no group"),
        ('shape = "ball"', 'file = "bal.obj"', "two.toml:11: bodies.bal.file: "),
    ],
)
def test_mistakes_get_one_line(
    file: Path, right: str, wrong: str, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    file.write_text(SCENE.replace(right, wrong))
    assert cli.main(["scene", str(file)]) == 2
    answer = capsys.readouterr()
    assert answer.out == ""
    assert answer.err.startswith(f"pliant: {said}") and answer.err.count("\n") == 1


def test_a_setting_that_has_no_meaning(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["scene", str(file), "--set", "stifness=3"]) == 2
    said = 'pliant: stifness=3: there is no key "stifness"; did you mean "stiffness"?'
    assert capsys.readouterr().err.startswith(said)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([], "nothing given; give one of a scene file, --new ASSET, --schema or --keys"),
        (["two.toml", "--schema"], "--schema and FILE given"),
        (["two.toml", "-o", "x.toml"], "-o is for --new"),
        (["nobody.toml"], "nobody.toml: there is no such file"),
        (["--new", "nobody.glb"], "nobody.glb: there is no such file"),
        (["--new", "cube.obj", "-o", "two.toml"], "two.toml: is there already"),
        (["--new", "cube.obj", "-o", "x.txt"], "a scene file ends in .toml"),
    ],
)
def test_wrong_calls(file: Path, arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["scene", *arguments]) == 2
    answer = capsys.readouterr()
    assert said in answer.err and answer.err.count("\n") == 1 and answer.out == ""


def test_the_schema(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["scene", "--schema"]) == 0
    schema = json.loads(capsys.readouterr().out)
    assert schema["$schema"].endswith("2020-12/schema") and "bodies" in schema["properties"]


def test_the_schema_to_a_file(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["scene", "--schema", "-o", "scene.schema.json"]) == 0
    assert capsys.readouterr().out == "scene.schema.json\n"
    assert "properties" in json.loads(Path("scene.schema.json").read_text(encoding="utf-8"))


def test_the_keys(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["scene", "--keys"]) == 0
    answer = capsys.readouterr().out
    assert "## world\n\n| key |" in answer and "`example_strength`" in answer


@pytest.mark.slow
def test_a_first_scene(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["scene", "--new", "cube.obj"]) == 0
    text = capsys.readouterr().out
    assert cli.main(["scene", "--new", "cube.obj", "-o", "deep/cube.toml"]) == 0
    assert load_scene("deep/cube.toml").bodies[0].file == "../cube.obj"
    assert text.replace('"cube.obj" ', '"../cube.obj" ').split() == Path("deep/cube.toml").read_text().split()
    assert cli.main(["scene", "deep/cube.toml"]) == 0
    assert "  no mistakes\n" in capsys.readouterr().out


def test_help_loads_nothing_heavy() -> None:
    code = "import sys; from pliant.cli import main; code = main(); print(*sys.modules); sys.exit(code)"
    run = subprocess.run([sys.executable, "-c", code, "scene", "--help"], capture_output=True, text=True, check=True)
    assert "--schema" in run.stdout
    assert not set(run.stdout.split()).intersection(("numba", "numpy", "scipy"))
