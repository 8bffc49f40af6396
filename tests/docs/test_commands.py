"""Every command and every example on the pages runs, in a folder with the files that they name."""

import re
import shlex
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from docs import models
from docs.pages import PAGES, blocks, commands, text_of
from pliant import cli


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    models.make_all(tmp_path)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def is_drawn(line: str) -> bool:
    """Whether pictures are made."""
    return any(word == "--picture" or word.endswith((".mp4", "/png")) for word in shlex.split(line, comments=True))


def shortened(line: str) -> list[str]:
    """The words of a command, so that it takes a moment: a few frames, small pictures."""
    words = shlex.split(line, comments=True)[1:]
    if words[0] in ("bake", "compare"):
        words += ["--frames", "3"]
        words += ["--size", "64x48"] if is_drawn(line) else []
    return words


def run(line: str) -> None:
    words = shortened(line)
    assert cli.main(words) == 0, line
    outputs = [Path(after) for word, after in pairwise(words) if word in ("-o", "--picture")]
    for path in outputs:
        assert any(path.iterdir()) if path.is_dir() else path.stat().st_size, line


@pytest.mark.parametrize("leaf", PAGES)
def test_every_command_runs(leaf: str, folder: Path) -> None:
    for line in commands(leaf):
        if not is_drawn(line):
            run(line)


DRAWN = [line for page in PAGES for line in commands(page) if is_drawn(line)]


@pytest.mark.slow
@pytest.mark.parametrize("line", dict.fromkeys(DRAWN))
def test_every_picture_is_drawn(line: str, folder: Path) -> None:
    run(line)


def test_the_pages_have_commands() -> None:
    assert [page for page in PAGES if not commands(page)] == []
    assert sum(len(commands(page)) for page in PAGES) > 30
    assert len(DRAWN) > 5


def test_every_option_that_is_named_is_one() -> None:
    """Also where a page speaks about an option without a whole command."""
    from typer.main import get_command

    known = {
        option
        for command in get_command(cli.app).commands.values()
        for parameter in command.params
        for option in parameter.opts
    }
    named = {page: set(re.findall(r"(?<![\w-])--[a-z]+(?:-[a-z]+)*", text_of(page))) for page in PAGES}
    assert {"--pose", "--as", "--fps", "--set", "--sample"} <= set().union(*named.values())
    assert {page: found - known for page, found in named.items() if found - known} == {}


def test_the_npz_example(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (line,) = commands("npz.md")
    assert cli.main(shortened(line)) == 0
    (code,) = blocks("npz.md", "python")
    names: dict[str, object] = {}
    capsys.readouterr()
    exec(compile(code, "npz.md", "exec"), names)
    said = capsys.readouterr().out.splitlines()
    assert [line.split()[-1] for line in said[1:3]] == ["squash", "twist"]
    surface, bear = names["surface"], names["bear"]
    assert isinstance(surface, np.ndarray) and isinstance(bear, dict)
    # Two frames after it was let go it has fallen by less than a centimetre, and nothing has touched it.
    moved = surface - bear["skin_rest"]
    assert np.ptp(moved, axis=0) == pytest.approx(0, abs=1e-4)


def test_the_script_for_blender_is_python() -> None:
    (code,) = blocks("weights-csv.md", "python")
    compile(code, "weights-csv.md", "exec")
