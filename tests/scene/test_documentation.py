"""The page on scene files is followed word for word, the reference has every table, the scenes do what they say."""

import re
from pathlib import Path

import numpy as np
import pytest

import made_assets
from files.gltf.making import Making
from pliant.scene import load_scene, scene_from_text, scene_text, show_of, with_overrides
from pliant.scene.reference import tables

DOCS = Path(__file__).parents[2] / "docs"
PAGE = (DOCS / "scene-files.md").read_text(encoding="utf-8")
SCENES = sorted((DOCS / "scenes").glob("*.toml"))
EXAMPLES = re.findall(r"```toml\n(.*?)```", PAGE, flags=re.DOTALL)


def test_every_table_is_in_the_reference_once():
    """The site fills them in from the schema."""
    page = (DOCS / "reference" / "scene-file.md").read_text(encoding="utf-8")
    assert sorted(re.findall(r"^:::\{scene_keys\} (\S+)$", page, flags=re.MULTILINE)) == sorted(tables())


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """With a bear.glb in it, more or less."""
    here = tmp_path_factory.mktemp("page")
    vertices, faces = made_assets.bar()
    points = vertices.astype(np.float32)
    making = Making()
    flat = (points * (0.3, -0.4, 0.3)).astype(np.float32)
    making.scene(making.node(mesh=making.mesh(points, faces.ravel().astype(np.uint32), [flat])))
    making.glb(here / "bear.glb")
    return here


@pytest.mark.slow
@pytest.mark.parametrize("text", EXAMPLES, ids=range(len(EXAMPLES)))
def test_every_example_plays(folder: Path, text: str):
    scene = scene_from_text(text, folder / "example.toml")
    show = show_of(scene, **({"particles": 150} if any(body.file for body in scene.bodies) else {}))
    for frame in show.play(8):
        assert all(np.isfinite(positions).all() for positions in frame.positions.values())
    assert show.world.actors


def test_the_settings_of_the_page(folder: Path):
    scene = scene_from_text(EXAMPLES[0], folder / "bear.toml")
    settings = re.findall(r"--set ([^\s`]+)", PAGE)
    assert len([setting for setting in settings if setting != "key=value"]) == 4
    with_overrides(scene, [setting for setting in settings if setting != "key=value"])


def test_the_python_of_the_page(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):
    monkeypatch.chdir(DOCS.parent)
    (code,) = re.findall(r"```python\n(.*?)```", PAGE, flags=re.DOTALL)
    exec(compile(code, "scene-files.md", "exec"), {})
    weights = [int(number) for number in re.findall(r"(\d+)% twist", capsys.readouterr().out)]
    assert len(weights) == 60 and max(weights[:30]) == 0 and max(weights) > 80


def test_links_lead_somewhere():
    for link in re.findall(r"\]\(([^)]+)\)", PAGE):
        assert (DOCS / link).exists(), link


# ---- docs/scenes --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", SCENES, ids=lambda path: path.stem)
def test_scenes_are_saved_as_they_were_loaded(path: Path):
    scene = load_scene(path)
    assert scene.title and scene_from_text(scene_text(scene)) == scene


def played(name: str):
    show = show_of(DOCS / "scenes" / f"{name}.toml")
    return show, list(show.play())


def test_twist_bar():
    _, frames = played("twist-bar")
    weights = np.array([frame.weights["bar"][0, 1] for frame in frames])
    assert weights[:30].max() < 0.01 and weights.max() > 0.9 and weights[-1] < 0.3


def test_four_poses():
    show, frames = played("four-poses")
    poses = show.world["tower"].body.poses
    for time, number, name in ((1.5, 1, "twist"), (2.7, 2, "bow"), (3.9, 3, "squash"), (4.9, 4, "waist")):
        frame = frames[round(60 * time)]
        assert np.isclose(frame.weights["tower"][0, number], 1, atol=1e-5)
        size, wanted = np.ptp(frame.positions["tower"], axis=0), np.ptp(poses[name], axis=0)
        assert size == pytest.approx(wanted, rel=0.12), name


def test_melting_ball():
    _, frames = played("melting-ball")
    tall = {name: np.array([np.ptp(f.positions[name][:, 1]) for f in frames]) for name in frames[0].positions}
    assert len(tall) == 3
    for heights in tall.values():
        firm, melted, last = heights[60], heights[180], heights[-1]
        assert firm > 0.85 and melted < 0.65 and last > 0.85


@pytest.mark.slow
def test_two_teddies():
    show, frames = played("two-teddies")
    held = frames[120]  # 2 s
    ((hand, target),) = show.grips(held)
    assert np.linalg.norm(hand - target) < 0.3
    left, right = held.weights["led"][:, 1]
    assert left > 0.3 and right < left / 2
    assert show.grips(frames[-1]) == []
    assert np.linalg.norm(frames[-1].velocities["led"], axis=1).mean() < 0.3
