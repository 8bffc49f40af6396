"""Sweeps on a real scheduler with real workers: one is killed, some have another version, one sweep is interrupted."""

import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import pliant
from pliant import cli
from pliant.scene.targets import scene_for
from pliant.session.bake_folder import engine
from pliant.sweeps.assets import of_scene
from pliant.sweeps.cluster import connected
from pliant.sweeps.grid import grid_of
from pliant.sweeps.task import Job, run_row
from sweeps.scenes import cluster, contents, process, wait_for, worker, write_bar

ROWS = 6
SETTINGS = ["stiffness=1..4x3", "body.poses.low=on,off"]
# Slow enough to be caught in the middle of it.
LONG = ("--substeps", "500")


def rows_done(out: Path) -> int:
    return len(list(out.glob("rows/*/measures.json")))


@pytest.mark.slow
def test_a_killed_worker_costs_its_row_and_a_row_is_the_same_anywhere(tmp_path: Path) -> None:
    scene, out = write_bar(tmp_path / "scene"), tmp_path / "out"
    words = ["sweep", str(scene), "-o", str(out), "--no-films", "--keep", ".npz", "--json", "--quiet", *LONG]
    words += [word for each in SETTINGS for word in ("--set", each)]
    with cluster(tmp_path, {}, {}) as (file, workers):
        line = [sys.executable, "-m", "pliant", *words, "--scheduler-file", str(file)]
        swept = subprocess.Popen(line, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        wait_for(lambda: rows_done(out) >= 3)
        parts = list(out.glob("rows/*/*.part"))
        workers[0].kill()
        told, errors = swept.communicate(timeout=300)
        assert swept.returncode == 0, errors.decode()
        assert parts, "no row was under way when the worker was killed"
        # What rows read was unpacked once by each worker, with the file that the mesh names and no other.
        for number in range(2):
            (unpacked,) = (tmp_path / f"worker-{number}").rglob("assets-*")
            assert sorted(path.name for path in unpacked.rglob("*.*")) == ["bar.mtl", "bar.obj"]
    table = json.loads(told)
    assert [line["row"] for line in table] == list(range(ROWS)) and not any(line["error"] for line in table)
    assert not list(out.glob("rows/*/*.part"))
    # The same in this process, without Dask, from another folder: the same bytes.
    elsewhere = write_bar(tmp_path / "elsewhere")
    alone = tmp_path / "alone"
    loaded = scene_for(elsewhere, substeps=500)
    assets, job = of_scene(loaded, "bar"), Job(str(alone), engine(), keep=(".npz",))
    for number in (0, 5):
        result = run_row(number, grid_of(SETTINGS).row(number), job, assets, tmp_path)
        assert not result["error"]
    before = contents(out)
    for key, files in contents(alone).items():
        assert len(files) == 3 and files == before[key]


@pytest.mark.slow
def test_workers_with_another_pliant_or_none_are_told_before_anything_starts(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    scene, out = write_bar(tmp_path / "scene"), tmp_path / "out"
    old, none = tmp_path / "old", tmp_path / "none"
    for folder, text in ((old, '__version__ = "0.0.1"'), (none, 'raise ImportError("No module named pliant")')):
        (folder / "pliant").mkdir(parents=True)
        (folder / "pliant" / "__init__.py").write_text(text)
    call = ["sweep", str(scene), "-o", str(out), "--set", "stiffness=1..3", "--no-films", "--scheduler-file"]
    with cluster(tmp_path, {"PYTHONPATH": str(old)}) as (file, workers):
        assert cli.main([*call, str(file)]) == 2
        said = capsys.readouterr().err
        version = re.escape(pliant.__version__)
        assert re.fullmatch(
            rf"pliant: sweep: worker tcp://\S+ has pliant 0\.0\.1, here is {version}; install the same there "
            r"\(the sweep: 3 rows of 13 frames: about \S+ s on \d+ cores?, \S+ kB in .*\)\n",
            said,
        )
        workers[0].kill()
        address = json.loads(file.read_text())["address"]
        with worker(tmp_path, file, 7, {"PYTHONPATH": str(none)}):
            wait_for(lambda: _only_new(file))
            assert cli.main([*call[:-1], "--scheduler", address]) == 2
        assert "has no pliant; install it there: pip install 'pliant[sweep]==" in capsys.readouterr().err
        wait_for(lambda: not _workers(file))
        assert cli.main([*call[:-1], "--scheduler", address]) == 2
        assert "it has no workers; start some with `dask worker" in capsys.readouterr().err
    assert rows_done(out) == 0


def _workers(file: Path) -> list[str]:
    from distributed import Client

    with Client(scheduler_file=str(file), timeout=5, set_as_default=False) as client:
        return [str(each["local_directory"]) for each in client.scheduler_info(n_workers=-1)["workers"].values()]


def _only_new(file: Path) -> bool:
    found = _workers(file)
    return len(found) == 1 and "worker-7" in found[0]


@pytest.mark.slow
def test_ctrl_c_leaves_what_is_done_and_the_same_call_goes_on(tmp_path: Path) -> None:
    scene, out = write_bar(tmp_path / "scene"), tmp_path / "out"
    words = ["-m", "pliant", "sweep", str(scene), "-o", str(out), "--seed", "1..5", "--no-films", *LONG]
    words += ["--workers", "1"]
    first = subprocess.Popen(
        [sys.executable, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    )
    wait_for(lambda: rows_done(out) >= 2)
    os.killpg(first.pid, signal.SIGINT)  # as a terminal does: to all processes
    _, errors = first.communicate(timeout=120)
    assert first.returncode == 130, errors
    done = rows_done(out)
    assert 2 <= done < 5
    last = errors.splitlines()[-1]
    assert re.fullmatch(r"pliant: stopped; \d of 5 rows are done, the same command goes on", last), errors
    assert "Traceback" not in errors
    assert len((out / "table.csv").read_text().splitlines()) >= 3
    times = {path: path.stat().st_mtime_ns for path in out.glob("rows/*/measures.json")}
    second = subprocess.run([sys.executable, *words, "--json"], capture_output=True, text=True, timeout=300)
    assert second.returncode == 0, second.stderr
    table = json.loads(second.stdout)
    assert [line["seed"] for line in table] == [1, 2, 3, 4, 5] and not any(line["error"] for line in table)
    assert len({line["near(low)"] for line in table}) == 5  # chance has its say
    assert {path: path.stat().st_mtime_ns for path in times} == times  # none was baked again


@pytest.mark.slow
def test_a_scheduler_that_does_not_answer(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pliant.sweeps.cluster.ANSWERS", 0.5)
    call = ["sweep", str(write_bar(tmp_path)), "-o", str(tmp_path / "out"), "--set", "stiffness=1,2", "--no-films"]
    assert cli.main([*call, "--scheduler", "tcp://127.0.0.1:9"]) == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1 and "tcp://127.0.0.1:9: it does not answer" in said and "2 rows of 13 frames" in said
    assert cli.main([*call, "--scheduler-file", str(tmp_path / "none.json")]) == 2
    assert "cannot be read" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


def test_processes_of_tests_end() -> None:
    with process("http.server", "0") as started:
        assert started.poll() is None
    assert started.poll() is not None


@pytest.mark.slow
def test_our_own_cluster_listens_here_alone_and_asks_for_a_key() -> None:
    from distributed import Client

    with connected(workers=1) as client:
        address = client.scheduler.address
        assert address.startswith("tls://127.0.0.1:")
        with pytest.raises((OSError, TimeoutError, ValueError)):
            Client(address.replace("tls://", "tcp://"), timeout=3, set_as_default=False)
