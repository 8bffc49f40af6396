"""The soak of a crowd runs in a short form, tells what it measures, and sees what goes wrong."""

import importlib.util
import json
import sys
from pathlib import Path
from types import ModuleType

import pytest

FILE = Path(__file__).parents[2] / "benchmarks" / "contact_soak.py"
GOOD = {"minute": 1, "bodies": 72, "lost": 0, "lowest_m": -0.01, "overlap": 0.2, "creep_m": 0.0, "drift_m": 0.1,
        "fastest_m_s": 0.0, "frame_ms": 2.0, "memory_mb": 300.0}  # fmt: skip


@pytest.fixture
def soak() -> ModuleType:
    spec = importlib.util.spec_from_file_location("contact_soak", FILE)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.slow
def test_a_short_soak(soak: ModuleType, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """Two minutes of three seconds each, with a few toys: played once, told as a table and as JSON."""
    play, played = soak.play, []

    def once(*given: object) -> list[dict[str, float]]:
        played[:] = played or play(*given)
        return played

    monkeypatch.setattr(soak, "play", once)
    monkeypatch.setattr(sys, "argv", ["contact_soak.py", "--quick"])
    assert soak.main() == 0
    assert "| minute | bodies |" in capsys.readouterr().out
    monkeypatch.setattr(sys, "argv", ["contact_soak.py", "--quick", "--json"])
    assert soak.main() == 0
    told = json.loads(capsys.readouterr().out)
    assert told["minutes"] == played
    assert [row["minute"] for row in told["minutes"]] == [1, 2]
    for row in told["minutes"]:
        assert set(row) == set(GOOD)
        assert row["bodies"] == 12 + 4 * 1
        assert row["lost"] == 0 and row["lowest_m"] > soak.SUNK
        assert row["memory_mb"] > 0 and row["frame_ms"] > 0


def test_the_paddle_comes_down_and_turns_and_goes(soak: ModuleType) -> None:
    heights = [soak.stirring(time)[0][1] for time in (0.0, 11.0, 30.0)]
    assert heights == pytest.approx([6.0, 0.0, 6.0])
    assert soak.stirring(11.0)[1][0, 2] != pytest.approx(soak.stirring(9.0)[1][0, 2])


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"lost": 2}, "2 bodies have left the columns"),
        ({"lowest_m": -0.2}, "0.200 m below the floor"),
        ({"creep_m": 0.1}, "creeps, 0.100 m"),
        ({"drift_m": 2.0}, "drifts, 2.00 m"),
        ({"memory_mb": 330.0}, "memory grew by 30.0 MB"),
    ],
)
def test_faults_are_seen(soak: ModuleType, changes: dict[str, float], told: str) -> None:
    assert soak.faults([GOOD, {**GOOD, "minute": 2}]) == []
    (fault,) = soak.faults([GOOD, {**GOOD, "minute": 2, **changes}])
    assert told in fault


def test_who_is_hooked_is_told(soak: ModuleType) -> None:
    rows = [GOOD, {**GOOD, "minute": 2, "overlap": 0.9}]
    assert soak.faults(rows) == [] and "none" in soak.hooked(rows[:1])
    assert soak.hooked(rows) == "in 1 of 2 minutes two toys stayed hooked, up to 0.90 contact radii deep"
