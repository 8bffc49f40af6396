"""Broken files of every format: always an asset or a PliantError of one line.

`PLIANT_FUZZ=5000 pytest tests/files/test_fuzz.py` breaks each file that many times, differently each time.
"""

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings

import fuzz_seeds
import fuzzing
from pliant.files.reading import READ_ENDINGS

EXAMPLES = int(os.environ.get("PLIANT_FUZZ", "0"))
USD = tuple(name for name in fuzz_seeds.FORMATS if name.startswith("usd"))
MOST_MEGABYTES = 400  # more than before; the files have a few kilobytes


@pytest.fixture(scope="module")
def worker():
    worker = fuzzing.Worker()
    yield worker
    worker.close()


def lay_out(folder: Path, seed: fuzz_seeds.Seed, data: bytes, number: int) -> Path:
    """The broken file and what belongs beside it. USD remembers files by their names, so each has a new one."""
    name, _, beside = seed
    for other, content in beside.items():
        (folder / other).write_bytes(content)
    if name.endswith(".mtl"):
        (folder / name).write_bytes(data)
        return folder / "a.obj"
    path = folder / name
    if not beside:
        path = folder / f"{number}{path.suffix}"
    path.write_bytes(data)
    return path


def rules(small: int):
    return settings(
        max_examples=EXAMPLES or small,
        deadline=None,
        derandomize=not EXAMPLES,
        database=None,
        suppress_health_check=list(HealthCheck),
    )


def check(outcome: fuzzing.Outcome, path: Path) -> None:
    assert outcome.kind in ("asset", "error"), outcome
    if outcome.kind == "error":
        assert outcome.text.startswith(str(path.parent)) and "\n" not in outcome.text, outcome
    assert "memory" not in outcome.text and outcome.megabytes < MOST_MEGABYTES, outcome
    assert outcome.printed == "", outcome


@pytest.mark.parametrize("name", [name for name in fuzz_seeds.FORMATS if name not in USD])
def test_broken_files(name, worker, tmp_path):
    seed = fuzz_seeds.seed(name)
    number = 0

    @rules(50)
    @given(fuzzing.mutated(seed[1]))
    def try_one(data):
        nonlocal number
        number += 1
        path = lay_out(tmp_path, seed, data, number)
        check(worker.read(path), path)
        path.unlink()

    whole = lay_out(tmp_path, seed, seed[1], 0)
    assert worker.read(whole).kind == "asset"  # what is broken is whole to begin with
    try_one()


@pytest.mark.parametrize("name", USD)
def test_broken_usd_files(name, worker, tmp_path):
    """Many in the process here, where the USD library may break down, and those that do as they would be read."""
    seed = fuzz_seeds.seed(name)
    number = 0

    @rules(40)
    @given(fuzzing.mutated(seed[1]))
    def try_one(data):
        nonlocal number
        number += 1
        path = lay_out(tmp_path, seed, data, number)
        outcome = worker.read(path, "inner")
        if outcome.kind in ("crash", "hang") or number == 1:
            outcome = worker.read(path)
            assert outcome.printed == ""
        assert outcome.kind in ("asset", "error"), outcome
        assert "\n" not in outcome.text
        path.unlink()

    whole = lay_out(tmp_path, seed, seed[1], 0)
    assert worker.read(whole).kind == "asset"
    try_one()


@pytest.mark.parametrize(
    ("misdeed", "kind"),
    [
        ("raise", "fault"), ("exit", "fault"), ("take more", "fault"), ("die", "crash"), ("hang", "hang"),
        ("print", "asset"), ("take", "asset"),
    ],
)  # fmt: skip
def test_what_a_reader_may_not_do_is_seen(misdeed, kind, worker, tmp_path):
    seed = fuzz_seeds.seed("stl binary")
    path = lay_out(tmp_path, seed, seed[1], 0)
    outcome = worker.read(path, misdeed, seconds=2 if misdeed == "hang" else fuzzing.SECONDS)
    assert outcome.kind == kind
    with pytest.raises(AssertionError):
        check(outcome, path)


def test_every_format_is_tried():
    tried = {Path(fuzz_seeds.seed(name)[0]).suffix for name in fuzz_seeds.FORMATS}
    assert tried - {".mtl"} == set(READ_ENDINGS) - {".usd"}  # which is either .usda or .usdc
