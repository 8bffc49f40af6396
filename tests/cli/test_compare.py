"""`pliant compare`: several things side by side."""

import numpy as np
import pytest
from PIL import Image

from pliant.cli import main


@pytest.mark.slow
def test_two_settings_side_by_side(tmp_path, capsys):
    out = tmp_path / "png"
    falling = "gallery:twist-bar"
    arguments = ["compare", falling, falling, "-o", str(out), "--frames", "3", "--size", "320x180"]
    assert main([*arguments, "--caption", "one", "--caption", "two"]) == 0
    assert capsys.readouterr().out.strip() == str(out)
    pictures = sorted(out.iterdir())
    assert [path.name for path in pictures] == ["frame_0001.png", "frame_0002.png", "frame_0003.png"]
    picture = np.asarray(Image.open(pictures[0]).convert("RGB"), dtype=int)
    left, right = picture[:120, :157], picture[:120, -157:]  # without the gap between them
    assert np.ptp(left) > 50  # there is something to see
    assert np.abs(left - right).mean() < 1  # the same thing twice


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["gallery:twist-bar", "-o", "x.mp4"], "name at least two"),
        (["gallery:twist-bar", "gallery:twist-bar", "-o", "x.glb"], "only films and pictures"),
        (["gallery:twist-bar", "gallery:twist-bar", "-o", "x.mp4", "--caption", "a"], "1 captions for 2 things"),
        (["gallery:twist-baz", "gallery:twist-bar", "-o", "x.mp4"], 'did you mean "twist-bar"'),
        (["gone.glb", "gallery:twist-bar", "-o", "x.mp4"], "gone.glb"),
    ],
)
def test_mistakes_are_told(arguments, message, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert main(["compare", *arguments]) == 2
    error = capsys.readouterr().err
    assert message in error
    assert error.count("\n") == 1
    assert not any(tmp_path.iterdir())
