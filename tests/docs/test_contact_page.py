"""The page on contact: its examples run, and say what the page says."""

import re
from pathlib import Path
from typing import Any

import pytest

from pliant.gallery.listing import list_exhibits

PAGE = (Path(__file__).parents[2] / "docs" / "contact.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)


@pytest.mark.slow
def test_examples_run(capsys: pytest.CaptureFixture[str]) -> None:
    names: dict[str, Any] = {}
    said = []
    for code in EXAMPLES:
        exec(compile(code, "contact.md", "exec"), names)
        said.append(capsys.readouterr().out)
    assert len(EXAMPLES) == 5
    assert int(said[0].split()[0]) > 0  # the balls lie on one another
    assert said[2] == "True False\n"  # the crate sleeps, the ball may not
    crate = names["world"]["crate"]
    assert 0.35 < crate.centre[1] < 0.8  # on the cushion


def test_exhibits_that_are_named_are_there() -> None:
    (line,) = re.findall(r"`pliant gallery` has scenes of it: (.*?)\.\n", PAGE, re.DOTALL)
    named = re.findall(r"`([a-z0-9-]+)`", line)
    assert len(named) == 6
    assert set(named) <= {exhibit.name for exhibit in list_exhibits()}
