"""The README is followed word for word: its lines run and show what it says, its pictures are there."""

import re
from pathlib import Path

README = (Path(__file__).parent.parent / "README.md").read_text(encoding="utf-8")


def test_the_eight_lines_show_a_bar_that_twists_when_it_lands(capsys):
    (code,) = re.findall(r"```python\n(.*?)```", README, flags=re.DOTALL)
    exec(compile(code, "README.md", "exec"), {})
    weights = [int(number) for number in re.findall(r"(\d+)% twist", capsys.readouterr().out)]
    assert len(weights) == 120
    assert max(weights[:30]) == 0  # it falls
    landing = max(weights[30:60])
    assert landing > 40
    assert min(weights[weights.index(landing) : 120]) < landing / 4  # it springs back


def test_every_picture_is_there():
    pictures = re.findall(r"\]\((docs/[^)]+)\)", README)
    assert len(pictures) == 7
    for picture in pictures:
        assert (Path(__file__).parent.parent / picture).is_file(), picture
