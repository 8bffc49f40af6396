"""Which rows a sweep has, and what is wrong with one, told in one line before anything starts."""

from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pliant import cli
from pliant.runtime.errors import PliantError
from pliant.sweeps.grid import grid_of
from pliant.sweeps.ranges import values_in
from sweeps.scenes import write_bar


@given(st.floats(-1e6, 1e6), st.floats(-1e6, 1e6), st.integers(2, 50))
def test_a_range_begins_and_ends_where_it_says(first: float, last: float, count: int) -> None:
    values = values_in(f"{first:.6g}..{last:.6g}x{count}")
    assert len(values) == count
    assert values[0] == float(f"{first:.6g}") and values[-1] == pytest.approx(float(f"{last:.6g}"), abs=1e-9)
    steps = [b - a for a, b in pairwise(values)]
    assert max(steps) - min(steps) <= 1e-9 * max(1.0, abs(first), abs(last))


@given(st.lists(st.integers(1, 4), min_size=1, max_size=4))
def test_every_combination_comes_once(lengths: list[int]) -> None:
    grid = grid_of({f"key{number}": list(range(length)) for number, length in enumerate(lengths)})
    rows = [tuple(row.values()) for row in grid]
    assert len(rows) == grid.count == len(set(rows))
    assert rows == sorted(rows)


def test_rows_from_files(tmp_path: Path) -> None:
    (tmp_path / "rows.csv").write_text("stiffness,body.poses.low\n1,on\n2.5,off\n")
    (tmp_path / "rows.toml").write_text('[[rows]]\nstiffness = 1\nbody.poses.low = "on"\n[[rows]]\nstiffness = 2.5\n'
                                        'body.poses.low = "off"\n')  # fmt: skip
    wanted = [{"stiffness": 1, "body.poses.low": "on"}, {"stiffness": 2.5, "body.poses.low": "off"}]
    for name in ("rows.csv", "rows.toml"):
        assert list(grid_of(rows=tmp_path / name)) == wanted
    assert grid_of(["damping=1..3"], seeds="1..2", rows=tmp_path / "rows.csv").count == 12
    assert list(grid_of(["damping=3,4"], rows=tmp_path / "rows.csv", side_by_side=True))[1] == {
        "damping": 4, "stiffness": 2.5, "body.poses.low": "off",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("a.csv", "", "there are no rows"),
        ("a.csv", "stiffness,\n1,2\n", "every column needs a key"),
        ("a.csv", "stiffness\n1,2\n", ":2: 2 values for 1 keys"),
        ("a.toml", "rows = 3", r"give each row as \[\[rows\]\]"),
        ("a.toml", "[[rows]]\na = 1\n[[rows]]\nb = 1", "row 2 has other settings"),
        ("a.toml", "[[rows]", "not TOML"),
        ("a.txt", "x", r"\.csv or \.toml"),
    ],
)
def test_files_that_hold_no_rows(tmp_path: Path, name: str, text: str, said: str) -> None:
    (tmp_path / name).write_text(text)
    with pytest.raises(PliantError, match=said):
        grid_of(rows=tmp_path / name)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--set", "body.stifness=1..3"], 'there is no key "stifness"; did you mean "stiffness"?'),
        (["--set", "stiffness="], "stiffness=: an empty range"),
        (["--set", "stiffness=3..1"], "an empty range, it ends before it begins"),
        (["--set", "stiffness=1..3x0"], "an empty range, 0 values"),
        (["--set", "stiffness=0.1..4"], "how many values?"),
        (["--set", "stiffness=1..two"], '"1..two" is no range'),
        (["--set", "stiffness=0..4x3log"], "equal ratios need two numbers above 0"),
        (["--set", "stiffness=1..2000x3"], "1000.5 given; give a number from 0 to 100"),
        (["--set", "stiffness=1,,2"], "a value is missing"),
        (["--set", "body.poses.high=on,off", "--set", "file_poses=all"], 'no pose "high"'),
        (["--set", "stiffness=1,2", "--set", "stiffness=3"], '"stiffness" is given twice'),
        (["--set", "stiffness=1,2", "--set", "damping=1..3", "--zip"], "stiffness has 2, damping has 3 values"),
        (["--set", "stiffness"], '"stiffness" sets nothing'),
        ([], "nothing changes from row to row"),
        (["--set", "stiffness=1,2", "--best", "nar(low)"], 'no measure "nar(low)"; did you mean "near(low)"?'),
        (["--set", "stiffness=1,2", "--best", "near(low) ~ 3"], "give measures and limits"),
        (["--set", "stiffness=1,2", "--keep", ".xyz"], '--keep ".xyz"; give .npz'),
        (["--set", "stiffness=1,2", "--memory", "lots"], "--memory lots: "),
        (["--set", "bodies.bar.file=none.obj"], "none.obj"),
        (["--rows", "none.csv"], "none.csv: cannot be read"),
        (
            ["--set", "stiffness=1..9x1000", "--set", "damping=1..9x1000", "--seed", "1..10"],
            "10,000,000 rows of 13 frames: about ",
        ),
    ],
)
def test_bad_sweeps_get_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], words: list[str], said: str
) -> None:
    scene, out = write_bar(tmp_path), tmp_path / "out"
    assert cli.main(["sweep", str(scene), "-o", str(out), "--no-films", *words]) == 2
    told = capsys.readouterr()
    assert told.out == "" and told.err.count("\n") == 1 and said in told.err, told.err
    assert not out.exists()


def test_ten_million_rows_are_told_with_time_and_disk(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    call = ["sweep", str(write_bar(tmp_path)), "-o", str(tmp_path / "out"), "--no-films", "--set", "drag=0..1x10000000"]
    assert cli.main(call) == 2
    said = capsys.readouterr().err
    assert "10,000,000 rows of 13 frames: about " in said and " GB in " in said and "at most 1,000,000 rows" in said


def test_without_dask_one_line_says_how_to_get_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    import importlib.util

    found = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None if name == "distributed" else found(name))
    assert cli.main(["sweep", str(write_bar(tmp_path)), "-o", str(tmp_path / "out"), "--set", "stiffness=1,2"]) == 2
    assert capsys.readouterr().err.endswith("which are not installed; run: pip install 'pliant[sweep]'\n")


def test_a_plan_starts_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    call = ["sweep", str(write_bar(tmp_path)), "-o", str(tmp_path / "out"), "--set", "stiffness=1,2", "--dry-run"]
    assert cli.main([*call, "--no-films", "--workers", "2"]) == 0
    assert capsys.readouterr().out.startswith("2 rows of 13 frames: about 1 s on 2 cores, ")
    assert not (tmp_path / "out").exists()


@pytest.mark.slow
def test_exhibits_are_swept_too(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    call = ["sweep", "gallery:twist-bar", "-o", str(tmp_path / "out"), "--no-films", "--dry-run"]
    assert cli.main([*call, "--set", "body.poses.twist=on,off"]) == 0
    assert capsys.readouterr().out.startswith("2 rows of 481 frames: ")
    assert cli.main([*call, "--seed", "1..3"]) == 2
    assert "nothing in an exhibit is left to chance" in capsys.readouterr().err
    assert cli.main([*call, "--set", "body.poses.twst=on,off"]) == 2
    assert "give on or off for a pose of" in capsys.readouterr().err
