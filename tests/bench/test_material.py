"""The table of `benchmarks/material.py`: made from what was measured, and in the page as it was made."""

import importlib.util
import re
from pathlib import Path
from types import ModuleType

import pytest

from pliant.bench import material

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "material.md").read_text(encoding="utf-8")


@pytest.fixture
def script() -> ModuleType:
    spec = importlib.util.spec_from_file_location("material_table", ROOT / "benchmarks" / "material.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def measured(monkeypatch: pytest.MonkeyPatch, values: dict[str, list[float]]) -> list[dict[str, str]]:
    """Rows of models that would measure so, coarse to fine."""
    order = {model: iter(numbers) for model, numbers in values.items()}
    cases = [material.Case(model, str(i), None, None) for model in values for i in range(len(values[model]))]  # type: ignore[arg-type]
    monkeypatch.setattr(material, "LIMITS", {"stretch": 0.15})
    monkeypatch.setattr(material, "cases", lambda quick: cases)
    monkeypatch.setattr(material, "measured", lambda case, test: next(order[case.model]))
    return list(material.rows(lambda text: None))


def test_what_is_met_and_what_is_not(monkeypatch: pytest.MonkeyPatch, script: ModuleType) -> None:
    values = {"fem": [0.95, 1.0], "near": [1.05, 1.14], "far": [1.05, 1.16], "fickle": [0.9, 1.05]}
    rows = measured(monkeypatch, values)
    assert [row["result"] for row in rows] == ["met", "met", "not met", "not met"]
    assert rows[0]["off"] == pytest.approx(0.05) and rows[3]["refined"] == pytest.approx(1 / 6)
    table = script.table(rows)
    assert "| stretch | 950 mm | 1000 mm | 5% | 5% | 15%, 10% | met |" in table
    page = script.written(f"before\n{script.BEGIN}\nold\n{script.END}\nafter\n", table)
    assert "old" not in page and page.startswith("before\n") and page.endswith(f"{script.END}\nafter\n")
    assert script.written(page, table) == page
    with pytest.raises(SystemExit, match="no place for a table"):
        script.written("nothing", table)


def test_the_page_tells_where_a_model_keeps_within_the_limits() -> None:
    rows = [line.strip("| ").split(" | ") for line in PAGE.splitlines() if re.match(r"\| (stretch|bending|freq)", line)]
    assert len(rows) == 9
    for test, *_, off, refined, _, result in rows:
        kept = int(off[:-1]) <= 100 * material.LIMITS[test] and int(refined[:-1]) <= 100 * material.REFINED
        assert result == ("met" if kept else "not met"), (test, off, refined)


def test_the_example_of_the_page_runs() -> None:
    (code,) = re.findall(r"```python\n(.*?)```", PAGE, flags=re.DOTALL)
    found: dict[str, object] = {}
    exec(compile(code, "material.md", "exec"), found)
    assert len(found["world"].actors) == 3  # type: ignore[attr-defined]
