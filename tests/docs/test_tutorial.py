"""The tutorial is followed word for word, chapter after chapter, in one folder: its commands, its Python, its files."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from docs.commands import REMARK, ROOT, TUTORIAL, run
from docs.pages import FENCE

CHAPTERS = sorted(path for path in (ROOT / TUTORIAL).glob("*.md") if path.name != "index.md")
NUMBER = re.compile(r"-?\d+(?:\.\d+)?")


def blocks(chapter: Path) -> Iterator[tuple[str, str]]:
    """Kind and text of each, in their order."""
    for found in FENCE.finditer(chapter.read_text(encoding="utf-8")):
        yield found[1], found[2]


def follow(chapter: Path, capsys: pytest.CaptureFixture[str]) -> dict[str, Any]:
    """Run every block; a block of text after one of Python is what it prints. Returns the names of its Python."""
    names: dict[str, Any] = {}
    said = ""
    for kind, text in blocks(chapter):
        if kind == "python":
            capsys.readouterr()
            exec(compile(text, chapter.name, "exec"), names)
            said = capsys.readouterr().out
        elif kind == "toml":
            named = re.match(r"# (\w+\.toml)\n", text)
            assert named, f"{chapter.name}: a block of TOML says in its first line what it is called"
            Path(named[1]).write_text(text)
        elif kind == "sh":
            for line in text.splitlines():
                run(REMARK.split(line.strip())[0])
        else:
            assert kind == "text", f"{chapter.name}: no rule says how to run a block of {kind!r}"
            assert alike(said, text), f"{chapter.name}: printed is\n{said}"
    return names


def alike(said: str, wanted: str) -> bool:
    """The same words, and numbers that differ by what another processor may make of them."""
    a, b = (np.array([float(number) for number in NUMBER.findall(text)]) for text in (said, wanted))
    return NUMBER.sub("#", said) == NUMBER.sub("#", wanted) and np.allclose(a, b, rtol=0.05, atol=0.02)


def test_what_differs_is_seen() -> None:
    assert alike("0.80 m\n", "0.81 m\n") and not alike("0.80 m", "0.9 m") and not alike("1 m", "1 s")


@pytest.mark.slow
def test_the_whole_afternoon(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert [chapter.name[0] for chapter in CHAPTERS] == list("1234567")
    made = {chapter.stem[2:]: follow(chapter, capsys) for chapter in CHAPTERS}
    # What the text says of it in words.
    assert "nothing to mend" in str(made["poses"]["bar"].report())
    flat, one_way, other_way = (made["poses"][slope] for slope in ("flat", "one_way", "other_way"))
    assert abs(flat["squash"] - 0.5) < 0.15 and abs(flat["bow"] - 0.5) < 0.15
    assert one_way["bow"] > 0.9 and other_way["bow"] < 0.4
    squash = made["character"]["squash"]
    assert max(squash) > 0.5 and max(squash[:20]) < 0.05 and squash[-1] < 0.5 * max(squash)
    assert made["scene"]["heaviest"] > 0.5
    feet = made["direction"]["feet"]
    assert feet[0.6] < 0.05 and feet[1.3] > 0.2
