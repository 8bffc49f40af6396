"""Numbers that no machine can hold are refused in one line, with the key and its line, before anything is made."""

import json
import os
import subprocess
import sys
from inspect import signature
from pathlib import Path

import pytest

from pliant import cli, shapes
from pliant.runtime import memory
from pliant.runtime.errors import BodyError, SceneError
from pliant.scene import needs, scene_from_text
from pliant.scene.build import stage
from pliant.scene.makers import shape_tables

ABSURD = ("1e15", "1e9", "0", "-1", "nan", "inf", "1e-300", "1e300", "1000000000000000")
BODY = '[[bodies]]\nshape = "cuboid"\n'
FINE = {("density", "1e9")}  # kg/m³, and the simulation does not mind


def shape_cases() -> list[tuple[str, str]]:
    """Every size and count of every shape, alone and all of them at once."""
    cases = []
    for name, table in shape_tables().items():
        for key in set(table.model_fields) - {"type", "skin"}:
            default = signature(getattr(shapes, name)).parameters[key].default
            places = len(default) if isinstance(default, tuple) else 0
            for value in ABSURD:
                given = [value] if not places else _lists(value, places, "1.0" if key == "size" else "4")
                cases += [(f"{name}.{key} = {each}", _shape(name, key, each)) for each in given]
        for key in ("particles", "density", "thickness"):
            cases += [
                (f"{name}: {key} = {value}", f'[[bodies]]\nshape = "{name}"\n{key} = {value}\n')
                for value in ABSURD
                if (key, value) not in FINE
            ]
    return cases


def _lists(value: str, places: int, other: str) -> list[str]:
    one_each = [[value if k == place else other for k in range(places)] for place in range(places)]
    return [f"[{', '.join(each)}]" for each in (*one_each, [value] * places)]


def _shape(name: str, key: str, value: str) -> str:
    return f'[[bodies]]\nshape = {{ type = "{name}", {key} = {value} }}\n'


def outcomes(cases: list[tuple[str, str]], folder: Path) -> dict[str, str]:
    (folder / "cases.json").write_text(json.dumps(cases))
    command = [sys.executable, str(Path(__file__).with_name("absurd.py")), str(folder / "cases.json")]
    done = subprocess.run(command, capture_output=True, text=True, timeout=900)
    assert done.returncode == 0, done.stderr
    return dict(json.loads(line) for line in done.stdout.splitlines())


@pytest.mark.slow
def test_every_size_and_count_of_every_shape(tmp_path: Path) -> None:
    cases = shape_cases()
    assert len(cases) > 300
    found = outcomes(cases, tmp_path)
    assert len(found) == len(cases)
    wrong = {label: said for label, said in found.items() if not _is_told(said)}
    assert not wrong, json.dumps(wrong, indent=1)


def _is_told(said: str) -> bool:
    """By file, line and key, in one line."""
    return said.startswith(("absurd.toml:2: bodies.", "absurd.toml:3: bodies.")) and "\n" not in said


OTHERS = [
    *((f"world.{key} = {value}", f"[world]\n{key} = {value}\n{BODY}", f"world.{key}")
      for key in ("seconds", "fps", "substeps", "threads") for value in ABSURD
      if (key, value) != ("seconds", "1e-300")),
    *((f"output.{key} = {value}", f"{BODY}[output]\n{key} = {value}\n", f"output.{key}")
      for key in ("frames", "fps") for value in ABSURD),
    *((f"output.size = {value}", f"{BODY}[output]\nsize = {value}\n", "output.size")
      for value in ("[1000000, 1000000]", "[0, 0]", "[-1, 720]", "[16384, 16384]", "[1e15, 1]", "[nan, nan]")),
    *((f"copies = {value}", f"{BODY}copies = {{ count = {value}, spacing = [3, 0, 0] }}\n",
       "bodies.cuboid.copies.count")
      for value in (*ABSURD, "[1000, 1000, 1000]", "[1000000000, 1, 1]")),
    *((f"scale = {value}", f"{BODY}scale = {value}\n", "bodies.cuboid.scale") for value in (*ABSURD, "1e6")),
    *((f"{pose}.{key} = {value}", f'{BODY}poses.p = {{ type = "{pose}", {key} = {value} }}\n', "bodies.cuboid.poses.p")
      for pose, key in (("stretch", "amount"), ("bulge", "amount"), ("shear", "amount"), ("buckle", "waves"),
                        ("buckle", "rows"), ("dent", "radius"), ("bulge", "width"))
      for value in ("1e15", "nan", "inf", "1e300", "1000000000")),
    ("seconds x fps", f"[world]\nseconds = 100000\nfps = 10000\n{BODY}", "world.seconds"),
    ("steps of a frame", f"[world]\nfps = 10000\nsubsteps = 10000\n{BODY}[output]\nfps = 0.001\nframes = 2\n",
     "output.fps"),
]  # fmt: skip


@pytest.mark.slow
def test_every_other_count_and_resolution(tmp_path: Path) -> None:
    found = outcomes([(label, text) for label, text, _ in OTHERS], tmp_path)
    keys = {label: key for label, _, key in OTHERS}
    wrong = {
        label: said
        for label, said in found.items()
        if not said.startswith("absurd.toml:") or f": {keys[label]}" not in said or "\n" in said
    }
    assert len(found) == len(keys) and not wrong, json.dumps(wrong, indent=1)


@pytest.mark.slow
def test_the_longest_and_the_thinnest_are_made(tmp_path: Path) -> None:
    """What is allowed is possible, also ten thousand times as long as wide."""
    sizes = {"needle": "[1e6, 2e2, 4e2]", "speck": "[1e-6, 1e-6, 1e-6]", "plate": "[1.0, 1e-4, 2.0]"}
    cases = [(name, _shape("cuboid", "size", size)) for name, size in sizes.items()]
    cases += [("flat", _shape("cuboid", "size", "[1e6, 1.0, 1e6]")), ("wire", _shape("torus", "tube", "1e-5"))]
    found = outcomes(cases, tmp_path)
    assert {name: found[name] for name in sizes} == dict.fromkeys(sizes, "built")
    for name in ("flat", "wire"):
        assert _is_told(found[name]) and "at most 10,000 times each other" in found[name]


@pytest.mark.parametrize("size", ["[1, 1e15, 1]", "[0, 1, 1]", "[nan, 1, 1]"])
def test_on_the_command_line(
    size: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("big.toml").write_text(f'title = "x"\n[[bodies]]\nshape = {{ type = "cuboid", size = {size} }}\n')
    assert cli.main(["bake", "big.toml", "-o", "big.npz"]) == 2
    told = capsys.readouterr().err
    assert told.startswith("pliant: big.toml:3: bodies.cuboid.shape.size[") and told.count("\n") == 1
    assert not list(tmp_path.glob("big.npz*"))


FREE = 1_000_000_000
LARGE = {
    'shape = "rope"\nparticles = 1000000': "bodies.rope.particles: 1,000,000 particles would need about 40.0 GB",
    'shape = "ball"\nparticles = 1000000': "bodies.ball.particles: 1,000,000 particles would need about 4.0 GB",
    'shape = "teddy"\nparticles = 200000': "bodies.teddy.particles: 200,000 particles would need about 2.8 GB",
    'shape = { type = "sheet", cells = [1000, 1000] }': "bodies.sheet.shape.cells: 1,002,001 particles would need",
    'shape = "cuboid"\ncopies = { count = 9000, spacing = [3, 0, 0] }': "bodies.cuboid.copies.count: 9,000 x 225 part",
    'shape = "cuboid"\nmodel.type = "fem"\ncopies = { count = 900, spacing = [3, 0, 0] }': "bodies.cuboid.copies.count",
}


@pytest.mark.parametrize("body", LARGE)
def test_what_does_not_fit_into_the_memory_that_is_free(body: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory, "available", lambda: FREE)
    with pytest.raises(SceneError) as caught:
        stage(scene_from_text(f"[[bodies]]\n{body}\n", Path("large.toml")))
    told = str(caught.value)
    assert told.startswith("large.toml:") and LARGE[body] in told and "\n" not in told
    assert "1.0 GB are free; give fewer" in told


def test_where_the_system_does_not_tell(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory, "available", lambda: None)
    needs.check_memory(1e30, "everything", "less")


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: shapes.cuboid(size=(1, 1e15, 1)), "cuboid: a height of 1e"),
        (lambda: shapes.cuboid(size=(1, float("nan"), 1)), "cuboid: a height of nan m"),
        (lambda: shapes.ball(radius=float("inf")), "ball: a radius of inf m"),
        (lambda: shapes.sheet(thickness=1e-300), "sheet: a thickness of 1e-300 m"),
        (lambda: shapes.rope(length=1e300), "rope: a length of 1e"),
        (lambda: shapes.torus(radius=1e9), "torus: a radius of 1e"),
        (lambda: shapes.cylinder(height=1e9), "cylinder: a height of 1e"),
    ],
)
def test_lengths_of_shapes_in_python(make, said: str) -> None:
    with pytest.raises(BodyError) as caught:
        make()
    assert str(caught.value).startswith(said) and "give a length from" in str(caught.value)


def test_memory_as_linux_tells_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The least of what the machine, the container and those around it leave."""
    processes, groups = tmp_path / "proc", tmp_path / "groups"
    (processes / "self").mkdir(parents=True)
    (processes / "meminfo").write_text("MemTotal: 8000000 kB\nMemAvailable: 4000000 kB\n")
    (processes / "self" / "cgroup").write_text("0::/outer/inner\n")
    (groups / "outer" / "inner").mkdir(parents=True)
    monkeypatch.setattr(memory, "PROCESSES", processes)
    monkeypatch.setattr(memory, "GROUPS", groups)
    monkeypatch.setattr(memory, "_of_process", lambda: iter(()))
    assert memory.available() == 4_096_000_000
    for group, most in (("outer", "3000000000"), ("outer/inner", "max")):
        (groups / group / "memory.max").write_text(f"{most}\n")
        (groups / group / "memory.current").write_text("1500000000\n")
        (groups / group / "memory.stat").write_text("anon 1\ninactive_file 500000000\n")
    assert memory.available() == 2_000_000_000


def test_memory_of_this_machine() -> None:
    found = memory.available()
    if sys.platform == "linux":
        assert found is not None and 0 < found <= os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
