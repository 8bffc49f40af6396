"""A file is read once on its way to a world, whatever is asked of it."""

import os
from collections import Counter
from importlib import import_module
from pathlib import Path

import pytest
from typer.testing import CliRunner

from made_assets import bar, bent, twisted
from pliant.cli import app
from pliant.files import reading
from pliant.scene import load, show_of
from pliant.scene.assets import SceneAssets
from pliant.viewer.simulation.opened import Opened

volume_embody = import_module("pliant.volume.embody")
SCENE = """
[[colliders]]
type = "mesh"
file = "bar.obj"
position = [0, -2, 0]

[[bodies]]
name = "one"
file = "bar.obj"
particles = 60
position = [0, 2, 0]

[[bodies]]
name = "two"
file = "bar.obj"
particles = 80
position = [2, 2, 0]

[[bodies]]
name = "three"
file = "bar.obj"
particles = 60
position = [4, 2, 0]
poses.twist = { file = "twist.obj" }

[output]
file = "out.npz"
frames = 2
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    vertices, faces = bar()
    for name, points in {"bar": vertices, "twist": twisted(vertices, 60), "bend": bent(vertices, 60)}.items():
        lines = [f"v {x:.6f} {y:.6f} {z:.6f}" for x, y, z in points]
        lines += [f"f {a} {b} {c}" for a, b, c in faces + 1]
        (tmp_path / f"{name}.obj").write_text("\n".join(lines) + "\n")
    (tmp_path / "scene.toml").write_text(SCENE)
    return tmp_path


@pytest.fixture
def parsed(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """How often each file was parsed, and how many bodies were made."""
    counts: Counter[str] = Counter()
    guarded, parse, embody = reading.guarded, load.parse, volume_embody.embody

    def counted(path: Path, read):  # type: ignore[no-untyped-def]
        counts[path.name] += 1
        return guarded(path, read)

    def parsed_text(text: str, path: Path | None = None):  # type: ignore[no-untyped-def]
        counts["" if path is None else path.name] += 1
        return parse(text, path)

    def embodied(asset, **options):  # type: ignore[no-untyped-def]
        counts["bodies"] += 1
        return embody(asset, **options)

    monkeypatch.setattr(reading, "guarded", counted)
    monkeypatch.setattr(load, "parse", parsed_text)
    monkeypatch.setattr(volume_embody, "embody", embodied)
    return counts


def run(*words: str) -> None:
    result = CliRunner().invoke(app, list(words), catch_exceptions=False)
    assert result.exit_code == 0, result.output


@pytest.mark.parametrize("command", ["inspect", "bake"])
@pytest.mark.parametrize("poses", [{}, {"twist": "twist.obj", "bend": "bend.obj"}])
def test_an_asset(folder: Path, parsed: Counter[str], command: str, poses: dict[str, str]) -> None:
    more = [word for name, file in poses.items() for word in ("--pose", f"{name}={folder / file}")]
    more += ["-o", str(folder / "out.npz"), "--frames", "2"] if command == "bake" else ["--json"]
    run(command, str(folder / "bar.obj"), "--particles", "60", *more)
    assert parsed == {"bar.obj": 1, "bodies": 1, **dict.fromkeys(poses.values(), 1)}


@pytest.mark.slow
@pytest.mark.parametrize("command", ["inspect", "bake", "scene"])
def test_a_scene_that_names_a_file_four_times(folder: Path, parsed: Counter[str], command: str) -> None:
    run(command, str(folder / "scene.toml"))
    assert parsed == {"scene.toml": 1, "bar.obj": 1, "twist.obj": 1, "bodies": 3}


@pytest.mark.parametrize("enclosed", [False, True])
def test_what_is_viewed(folder: Path, parsed: Counter[str], enclosed: bool) -> None:
    opened = Opened("scene.toml", folder / "scene.toml", enclosed=enclosed).checked()
    opened.stage()
    assert parsed == {"scene.toml": 1, "bar.obj": 1, "twist.obj": 1, "bodies": 3}
    asset = Opened("bar.obj", folder / "bar.obj", {"particles": 60}, enclosed).checked()
    asset.stage()
    assert (parsed["bar.obj"], parsed["bodies"]) == (2, 4)
    asset.stage()  # a reset looks at the file again
    assert (parsed["bar.obj"], parsed["bodies"]) == (3, 5)


def test_a_file_that_was_changed_is_read_again(folder: Path, parsed: Counter[str]) -> None:
    assets, path = SceneAssets(), folder / "bar.obj"
    first = assets.read(path)
    assert assets.read(path) is first
    os.utime(path, ns=(0, 0))
    assert assets.read(path) is not first
    assert parsed["bar.obj"] == 2


def test_nothing_is_kept_of_a_world_that_is_built(folder: Path) -> None:
    scene = load.load_scene(folder / "scene.toml")
    show_of(scene)
    assets = scene.origin.assets
    assert not assets._read and not assets._posed and not assets._made
