"""Python and scenes on pages that no other test follows run, and show what the page says."""

import doctest
import os
import re
import subprocess
import sys
import textwrap
from dataclasses import fields
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from docs import models
from docs.commands import PAGES, ROOT, squash_scene
from docs.pages import FENCE
from pliant.dynamics.step_context import StepContext
from pliant.models import ExampleWeights, Memory, Model
from pliant.scene import show_of

WITH_PYTHON = {
    page: found
    for page, path in PAGES.items()
    if page.startswith(("docs/concepts/", "docs/architecture/"))
    and (found := [textwrap.dedent(text) for kind, text in FENCE.findall(path.read_text("utf-8")) if kind == "python"])
}


def followed(page: str) -> dict[str, Any]:
    names: dict[str, Any] = {}
    for code in WITH_PYTHON[page]:
        exec(compile(code, page, "exec"), names)
    return names


def test_weights() -> None:
    actor = followed("docs/concepts/weights.md")["actor"]
    assert actor.weights[0] == pytest.approx([0.4, 0.6], abs=0.1)


def test_groups() -> None:
    actor = followed("docs/concepts/groups.md")["actor"]
    assert actor.group_names == ("top", "bottom") and actor.weights.shape == (2, 2)


def test_a_kernel_as_python() -> None:
    names = followed("docs/architecture/index.md")
    assert names["y"] == pytest.approx([0.1, -0.0981, 0, 0]) and names["worst"] == -1


def test_a_kernel_without_a_compiler() -> None:
    """With NUMBA_DISABLE_JIT=1 the same lines go through the plain function, by its own name."""
    code = (
        WITH_PYTHON["docs/architecture/index.md"][0].replace(".py_func", "")
        + "\nassert not hasattr(predict, 'py_func')"
    )
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=environment)
    assert done.returncode == 0 and "-0.0981" in done.stdout, done.stderr


def test_the_smallest_model(monkeypatch: pytest.MonkeyPatch) -> None:
    """It falls, stands, keeps its shape, and obeys what the world does with any model."""
    from pliant.models import models as known

    monkeypatch.setitem(known(), "one_cluster", None)  # taken away again at the end
    names = followed("docs/architecture/models.md")
    world, cube = names["world"], names["cube"]
    assert abs(cube.surface[:, 1].min()) < 0.01 and 0.9 < np.ptp(cube.surface[:, 1]) < 1.0
    assert cube.weights.tolist() == [[1.0]] and cube.group_names == ("all",)
    cube.grab(0).move_to((0, 3, 0))
    cube.settings = cube.settings.changed(stiffness=0.6)
    other = world.add(cube.body, names["OneCluster"](), name="other", position=(3, 1, 0))
    kept = world.snapshot()
    for _ in range(30):
        world.step(1 / 60)
    assert cube.centre[1] > 0.8 and other.centre[1] < 1.0
    world.restore(kept)


FIELDS = {
    "docs/architecture/models.md": (Model, Memory, ExampleWeights),
    "docs/architecture/index.md": (StepContext,),
}


@pytest.mark.parametrize("page", FIELDS)
def test_the_page_has_every_field(page: str) -> None:
    """Of the records that it describes, in their order, and no other."""
    rows = re.findall(r"^\| `(\w+)` \|", PAGES[page].read_text("utf-8"), re.MULTILINE)
    names = [getattr(kind, "_fields", None) or [each.name for each in fields(kind)] for kind in FIELDS[page]]
    for each in names:
        told = [row for row in rows if row in each]
        assert [name for name in each if name not in told] == []
    if page.endswith("models.md"):
        assert set(rows) == {name for each in names for name in each}


def test_all_pages_with_python_are_followed_here() -> None:
    pages = {"docs/concepts/weights.md", "docs/concepts/groups.md"}
    assert set(WITH_PYTHON) == pages | {"docs/architecture/index.md", "docs/architecture/models.md"}


def test_a_character_squashes_when_it_lands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The answer of the how-to page: nothing in the air, much of it at the landing, and it stands up again."""
    monkeypatch.chdir(tmp_path)
    models.glb(tmp_path / "bear.glb", targets=False)
    Path("squash.toml").write_text(squash_scene())
    show = show_of("squash.toml")
    frames = list(show.play())
    number = 1 + show.world["bear"].body.pose_names.index("landing")
    weights = np.array([frame.weights["bear"][0, number] for frame in frames])
    tall = np.array([np.ptp(frame.positions["bear"][:, 1]) for frame in frames])
    assert weights[:20].max() < 0.01 and weights.max() > 0.4
    assert tall.min() < 0.8 * tall[0] and tall[-1] > 0.9 * tall[0]


@pytest.mark.parametrize("folder", ["docs/site_pages", "benchmarks/plots.py"])
def test_examples_in_what_makes_the_site(folder: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The docstrings of files that are in no package, with examples that run."""
    path = ROOT / folder
    monkeypatch.syspath_prepend(str(path.parent))
    names = [f"{path.name}.{each.stem}" for each in path.glob("[a-z]*.py")] or [path.stem]
    done = [doctest.testmod(import_module(name)) for name in names]
    assert sum(each.attempted for each in done) > 1 and not any(each.failed for each in done)


@pytest.mark.slow
def test_sweeps(tmp_path: Path) -> None:
    """As a program that does not ask for its name: the workers must not run it again."""
    page = PAGES["docs/how-to/sweeps.md"].read_text("utf-8")
    (code,) = [text for kind, text in FENCE.findall(page) if kind == "python"]
    (tmp_path / "many.py").write_text(code)
    (tmp_path / "squash-sweep.toml").write_bytes((ROOT / "docs/scenes/squash-sweep.toml").read_bytes())
    done = subprocess.run([sys.executable, "many.py"], capture_output=True, text=True, cwd=tmp_path, timeout=300)
    assert done.returncode == 0, done.stderr
    first, *rest = done.stdout.splitlines()
    assert first.startswith("{'row': ") and "'near(squash)': " in first and "'error': ''" in first
    assert rest[0].startswith("[2 6] [") and len(rest) == 1
    (scene,) = [text for kind, text in FENCE.findall(page) if kind == "toml"]
    (tmp_path / "scene.toml").write_text(scene)
    assert len(show_of(tmp_path / "scene.toml").world.actors) == 1
