"""A bake that is killed at any moment and gone on with gives the same bytes as one that is left alone."""

import os
import random
import resource
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from pliant.session.outputs import WRITTEN

HERE = Path(__file__).parents[1]
OUTPUTS = ("out.glb", "out.npz", "out.pc2", "weights.csv", "out.usdc", "out.usda", "out.html", "obj")
PACE = 0.012  # seconds a frame: about half a second in all


def call(folder: Path, *options: str, outputs: tuple[str, ...] = OUTPUTS) -> list[str]:
    return [sys.executable, str(HERE / "bakes.py"), *options, *(str(folder / name) for name in outputs)]


def start(folder: Path, *options: str, begins: str = "", **more: object) -> "subprocess.Popen[str]":
    """A process that has made its first frame; `begins`: what it said of it."""
    source = str(HERE.parent / "src")
    paths = os.pathsep.join([source, *filter(None, [os.environ.get("PYTHONPATH")])])
    run = subprocess.Popen(
        call(folder, *options),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": paths},
        **more,  # type: ignore[call-overload]
    )
    assert run.stdout is not None
    line = run.stdout.readline()
    assert line.strip() == begins or not begins
    return run


def contents(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """The files of a run that was left alone."""
    folder = tmp_path_factory.mktemp("whole")
    run = start(folder)
    _, told = run.communicate(timeout=120)
    assert run.returncode == 0, told
    files = contents(folder)
    assert {"out.glb", "out.npz", "out-bar.pc2", "weights.csv", "out.usdc", "out.html"} <= set(files)
    assert "obj/frame_0031.obj" in files
    assert not any(".part" in name or WRITTEN in name for name in files)
    return files


@pytest.mark.slow
def test_interrupted_and_then_killed_again_and_again(tmp_path: Path, whole: dict[str, bytes]) -> None:
    run = start(tmp_path, "--pace", "0.1")
    assert run.stdout is not None
    for _ in range(3):  # more frames
        run.stdout.readline()
    run.send_signal(signal.SIGINT)
    said, told = run.communicate(timeout=60)
    assert (run.returncode, told) == (130, "")
    count = int(said.split()[-1])
    assert 1 < count < 31
    assert [path.name for path in tmp_path.iterdir()] == ["out.glb.part"]
    chance = random.Random(1)
    # The first one hits the simulation, the last one the writing.
    pauses = [chance.uniform(0.0, 0.25), chance.uniform(0.1, 0.8), chance.uniform(0.3, 2.0)]
    killed = 0
    for number, pause in enumerate(pauses):
        run = start(tmp_path, "--pace", str(PACE), "--resume", begins=f"frame {count}" if number == 0 else "")
        time.sleep(pause)
        run.send_signal(signal.SIGKILL)
        _, told = run.communicate(timeout=60)
        assert told == ""
        killed += run.returncode == -signal.SIGKILL
        for name, data in contents(tmp_path).items():
            if ".part/" not in name and f".{WRITTEN}" not in name and not name.startswith("."):
                assert data == whole[name]  # whole, or not there
    assert killed >= 2
    run = start(tmp_path, "--resume")
    _, told = run.communicate(timeout=60)
    assert run.returncode == 0, told
    assert contents(tmp_path) == whole


@pytest.mark.slow
def test_a_full_disk(tmp_path: Path, whole: dict[str, bytes]) -> None:
    """A limit on the size of files stands in for it: what is written beyond it fails in the same way."""

    def small() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))

    for limit in (100_000, 200_000):  # the recording is cut off, then an output is
        options = ["--resume"] if limit > 100_000 else []
        run = start(tmp_path, *options, preexec_fn=small)
        _, told = run.communicate(timeout=60)
        assert run.returncode == 2 and told.count("\n") == 1
        assert "cannot be written: File too large; free some space" in told
        assert told.endswith("then go on with the same command and --resume\n")
        assert all(name.startswith("out.glb.part/") or data == whole[name] for name, data in contents(tmp_path).items())
    run = start(tmp_path, "--resume")
    said, told = run.communicate(timeout=60)
    assert run.returncode == 0, told
    assert "begun 31" in said
    assert contents(tmp_path) == whole
