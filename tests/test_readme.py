"""The README is followed word for word: its lines run and show what it says, its pictures are there."""

import re
from pathlib import Path

import pytest

import pliant
from khronos import assert_valid
from pliant.cli import main

README = (Path(__file__).parent.parent / "README.md").read_text(encoding="utf-8")


def test_the_eight_lines_show_a_bar_that_twists_when_it_lands(capsys):
    code = re.findall(r"```python\n(.*?)```", README, flags=re.DOTALL)[0]
    exec(compile(code, "README.md", "exec"), {})
    weights = [int(number) for number in re.findall(r"(\d+)% twist", capsys.readouterr().out)]
    assert len(weights) == 120
    assert max(weights[:30]) == 0  # it falls
    landing = max(weights[30:60])
    assert landing > 40
    assert min(weights[weights.index(landing) : 120]) < landing / 4  # it springs back


def test_every_picture_and_page_is_there():
    pictures = re.findall(r"\]\((docs/[^)]+)\)", README)
    assert len(pictures) == 51  # thirty-eight pictures and twelve pages, one of them twice
    for picture in pictures:
        assert (Path(__file__).parent.parent / picture).is_file(), picture


@pytest.mark.slow
def test_the_way_of_a_character(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for line in (
        "bake gallery:teddy-halves --as weights -o bear.glb",
        "inspect bear.glb",
        "bake bear.glb -o bear_falls.glb",
    ):
        assert f"pliant {line}" in README
        assert main([*line.split(), *(["--frames", "5"] if line.startswith("bake") else [])]) == 0
    assert_valid(tmp_path / "bear_falls.glb")
    Path("scene.toml").write_text('[[bodies]]\nfile = "bear.glb"\n')
    code = re.findall(r"```python\n(.*?)```", README, flags=re.DOTALL)[1].replace("frames=240", "frames=3")
    names = {"pliant": pliant}
    exec(compile(code, "README.md", "exec"), names)
    assert names["bear"].pose_names == ("reach", "stride")
