"""Kernels are compiled by several processes at once, into one cache."""

import subprocess
import sys
import time
from pathlib import Path

import pytest

from pliant.runtime import compile_helpers
from pliant.runtime.compile_helpers import Helpers, Task

NAMES = ("wait_for", "ask", "make_calls")
TASKS: list[Task] = [("single", f"pliant.runtime.waiting.{name}") for name in NAMES]


@pytest.fixture
def told() -> list[str]:
    return []


def helpers(tasks: list[Task], count: int, told: list[str]) -> Helpers:
    return Helpers(tasks, count, told.append, lambda: told.append("done"))


@pytest.mark.slow
def test_helpers_fill_the_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, told: list[str]) -> None:
    monkeypatch.setenv("PLIANT_CACHE", str(tmp_path))
    here = helpers([*TASKS], 2, told)
    here.wait()
    kept = [path.name for path in tmp_path.rglob("*.nbc")]
    assert sorted(name.split(".")[3] for name in kept) == sorted(NAMES)
    assert sorted(told) == sorted([*NAMES, *["done"] * len(NAMES)])
    assert here.take() is None and all(process.wait(30) == 0 for process in here.processes)


@pytest.mark.slow
def test_a_helper_that_fails_leaves_the_rest_to_others(monkeypatch: pytest.MonkeyPatch, told: list[str]) -> None:
    here = helpers([("single", "pliant.runtime.nowhere.nothing"), *TASKS], 1, told)
    here.wait()
    assert told == ["nothing"] and [here.take() for _ in range(4)] == [*TASKS, None]
    monkeypatch.setattr(sys, "executable", "/nowhere/python")
    here = helpers([*TASKS], 2, told)
    here.wait()
    assert told == ["nothing"] and here.take() == TASKS[0]


@pytest.mark.slow
def test_a_helper_ends_with_the_process_that_started_it(tmp_path: Path) -> None:
    """Even one that is killed, and cannot tell it."""
    code = (
        "import os, time; from pliant.runtime import compile_helpers as c\n"
        "h = c.Helpers([('single', 'pliant.runtime.waiting.ask')], 1, print, print)\n"
        "while not h.processes: time.sleep(0.01)\n"
        "print(h.processes[0].pid, flush=True); os.kill(os.getpid(), 9)"
    )
    started = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    pid = next(int(word) for word in started.stdout.split() if word.isdigit())
    for _ in range(600):
        if not alive(pid):
            return
        time.sleep(0.1)
    raise AssertionError("it goes on alone")


def alive(pid: int) -> bool:
    if not Path("/proc").is_dir():
        return False  # no way to ask that is the same everywhere
    return Path(f"/proc/{pid}").exists() and ") Z" not in Path(f"/proc/{pid}/stat").read_text()


def test_the_cores_of_this_process_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    assert compile_helpers.cores() >= 1
    monkeypatch.delattr(compile_helpers.os, "sched_getaffinity", raising=False)
    monkeypatch.setattr(compile_helpers.os, "cpu_count", lambda: None)
    assert compile_helpers.cores() == 1
