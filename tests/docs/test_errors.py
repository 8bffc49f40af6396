"""Every error that a page explains is met: the file is broken as it says, and the message is the one on the page."""

import re
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from docs import models
from docs.mistakes import MET
from docs.pages import PAGES, tables
from pliant import cli

SOURCES = Path(cli.__file__).parents[1]
# What takes a full disk, gigabytes, minutes or another machine: the words stand in the sources.
ELSEWHERE = (
    "it may be damaged",
    "cannot be written:",
    "GB, a .glb holds 4.3",
    "MB, which browsers do not open",
    "takes too long to read",
    "do not fit into a .usdz package",
    "pictures need OpenGL 3.3 on EGL",
    "no poses: it will always come back to its rest shape",
)


def explained(page: str) -> list[list[str]]:
    """The pieces of text that each row of the tables of errors quotes."""
    heads = ("it says", "you see")
    rows = [row for rows in tables(page) if rows[0][0] in heads for row in rows[1:]]
    return [pieces for row in rows if (pieces := re.findall(r"`([^`]+)`", row[0])) and pieces[0] != "inspect"]


CASES = [(page, start) for page, makers in MET.items() for start in makers]


@pytest.mark.parametrize(("leaf", "start"), CASES, ids=[f"{page}: {start}" for page, start in CASES])
def test_the_message_is_the_one_on_the_page(leaf, start, tmp_path, monkeypatch, capsys):
    models.make_all(tmp_path)
    monkeypatch.chdir(tmp_path)
    (pieces,) = [pieces for pieces in explained(leaf) if pieces[0].startswith(start)]
    words = MET[leaf][start](tmp_path)
    if words[0].startswith("without "):
        hide(words.pop(0).removeprefix("without "), monkeypatch)
    assert cli.main(words) == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    for piece in pieces:
        assert piece in said


def hide(module: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, module, None)
    monkeypatch.setattr("pliant.session.outputs.find_spec", lambda name: None if name == module else find_spec(name))


def test_every_error_on_a_page_is_met_somewhere():
    for page in PAGES:
        for pieces in explained(page):
            known = any(pieces[0].startswith(start) for start in MET.get(page, {}))
            assert known or any(words in pieces[0] for words in ELSEWHERE), f"{page}: {pieces[0]}"
    assert len(CASES) > 50


def test_what_cannot_be_provoked_is_at_least_what_the_sources_say():
    sources = "\n".join(path.read_text(encoding="utf-8") for path in SOURCES.rglob("*.py"))
    joined = re.sub(r'"\s*\n\s*f?"', "", sources)  # a message may go on in the next line
    assert [words for words in ELSEWHERE if words not in joined] == []
