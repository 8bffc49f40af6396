"""The table of forced poses: what it measures, and how it is written."""

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from pliant.examples import ExampleSettings
from pliant.models import models

FILE = Path(__file__).parents[2] / "benchmarks" / "forced_poses.py"


@pytest.fixture(scope="module")
def table() -> ModuleType:
    spec = importlib.util.spec_from_file_location("forced_poses", FILE)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["forced_poses"] = module  # dataclasses look their module up
    spec.loader.exec_module(module)
    return module


def run(table: ModuleType, monkeypatch: pytest.MonkeyPatch, *words: str) -> None:
    monkeypatch.setattr(sys, "argv", ["forced_poses.py", *words])
    table.main()


@pytest.mark.slow
def test_a_quick_table(
    table: ModuleType, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    page = tmp_path / "page.md"
    page.write_text(f"# A page\n\nWords.\n\n{table.MARK}\n\nold\n")
    kept = tmp_path / "rows.jsonl"
    run(table, monkeypatch, "--quick", "--write", str(page), "--kept", str(kept))
    told = capsys.readouterr().out.splitlines()
    cases = list(table._quick())
    poses, named = len(cases), {type(case.settings) for case in cases}
    assert named == {model.settings for model in models().values() if issubclass(model.settings, ExampleSettings)}
    assert len(told) == poses + 1 and told[-1] == f"{poses} of {poses} poses are met"
    text = page.read_text()
    assert text.startswith("# A page\n\nWords.\n") and "old" not in text
    assert sum(line.endswith("| yes |") for line in text.splitlines()) == poses
    # it goes on where it was stopped, in the middle of a line at worst
    rows = kept.read_text().strip().splitlines()
    kept.write_text("\n".join(rows[:-1]) + "\n" + rows[-1][:20])
    tried = []
    taken = table.tried
    monkeypatch.setattr(table, "tried", lambda case, pose: tried.append(pose) or taken(case, pose))
    run(table, monkeypatch, "--quick", "--kept", str(kept))
    assert len(tried) == 1 and f"{poses} of {poses} poses are met" in capsys.readouterr().out


def test_a_folder_without_meshes_is_told(
    table: ModuleType, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.setattr(table, "_exhibits", lambda: iter(()))
    with pytest.raises(SystemExit) as ended:
        run(table, monkeypatch, "--meshes", str(tmp_path))
    assert ended.value.code == 2
    assert "there are no .obj files in it; give a folder of meshes" in capsys.readouterr().err


def test_what_counts_as_an_overshoot(table: ModuleType) -> None:
    assert table.overshoots(np.array([-0.5, -0.01, 0.06, 0.05, 0.0])) == (pytest.approx(0.06), 1)
    assert table.overshoots(np.array([-0.5, -0.01, 0.06, -0.1, 0.05])) == (pytest.approx(0.1), 3)
    assert table.overshoots(np.array([-0.5, -0.3])) == (pytest.approx(0.3), 0)


def test_what_is_met(table: ModuleType) -> None:
    row = table.Row("bar", 8, "fem", "twist", 0.009, 0.0, 0.01, 1)
    assert row.met
    for worse in ({"distance": 0.011}, {"overshoots": 2}, {"problem": "diverged"}):
        assert not table.Row(**{**vars(row), **worse}).met
    assert table.Row(**{**vars(row), "distance": 0.06, "carried": 0.055}).met
