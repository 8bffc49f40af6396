"""What docs/how-to/notebooks.md says is so."""

import re
from pathlib import Path
from typing import Any

import pytest

from docs.pages import DOCS, FENCE
from pliant.notebook import showing
from pliant.notebook.widget import PlayerWidget

TEXT = (DOCS / "how-to" / "notebooks.md").read_text(encoding="utf-8")
SOURCES = Path(showing.__file__).parents[1]


def test_its_lines_run(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(showing, "notebook", lambda: "jupyter")
    (code,) = [text for kind, text in FENCE.findall(TEXT) if kind == "python"]
    *lines, last = code.strip().splitlines()
    names: dict[str, Any] = {}
    exec("\n".join(lines), names)
    assert isinstance(eval(last, names), PlayerWidget)


def test_every_error_is_one_of_ours() -> None:
    sources = "\n".join(path.read_text(encoding="utf-8") for path in [*SOURCES.rglob("*.py"), *SOURCES.rglob("*.js")])
    rows = [line for line in TEXT.split("## Errors")[1].splitlines() if line.startswith("| `")]
    assert len(rows) == 5
    for row in rows:
        said = re.findall(r"`([^`]+)`", row)[0]
        pieces = re.split(r"\blist\b|\.mp4", said)  # what is named in it
        assert all(piece.strip("; ") in sources for piece in pieces if len(piece) > 12), said


def test_its_patience() -> None:
    live = (SOURCES / "viewer" / "viewport" / "live.js").read_text(encoding="utf-8")
    assert "const PATIENCE = 2000;" in live and "after two seconds" in TEXT


def test_the_notebooks_are_linked() -> None:
    readme = (DOCS.parent / "README.md").read_text(encoding="utf-8")
    for book in (DOCS.parent / "examples").glob("*.ipynb"):
        assert f"](../../examples/{book.name})" in TEXT and f"](examples/{book.name})" in readme
