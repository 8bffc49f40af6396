"""What is done another way on Windows and macOS: here those ways are taken on whatever system this is."""

import ctypes
import os
import subprocess
import sys
import types
from pathlib import Path
from typing import Any

import pytest

from pliant.runtime import memory, processes, processor
from pliant.session import stopping


@pytest.fixture
def windows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "win32")


# ---- processes -----------------------------------------------------------------------------------------------------


def test_apart_from_the_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 512, raising=False)
    monkeypatch.setattr(sys, "platform", "win32")
    assert processes.apart() == {"creationflags": 512}
    for system in ("linux", "darwin"):
        monkeypatch.setattr(sys, "platform", system)
        assert processes.apart() == {"start_new_session": True}


@pytest.mark.parametrize("system", ["win32", "linux"])
def test_a_process_is_asked_to_end(system: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """By the end of its input where there is no signal; also one that has ended already."""
    code = "import sys; print(1, flush=True); sys.stdin.read(); sys.exit(7)"
    with subprocess.Popen([sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        process.stdout.readline()
        monkeypatch.setattr(sys, "platform", system)
        processes.ask_to_end(process)
        monkeypatch.undo()
        assert process.wait(60) == (7 if system == "win32" or os.name == "nt" else -15)
    processes.ask_to_end(process)


def test_signals_are_those_that_the_system_has() -> None:
    assert {each.name for each in stopping.SIGNALS} >= {"SIGINT", "SIGTERM"}
    assert ("SIGBREAK" in {each.name for each in stopping.SIGNALS}) == (os.name == "nt")


# ---- what there is -------------------------------------------------------------------------------------------------


class Kernel32:
    """Windows with so much left; it knows the structure by its size alone."""

    def __init__(self, memory: int, pages: int, answers: bool = True) -> None:
        self.numbers, self.answers = (memory, pages), answers

    def GlobalMemoryStatusEx(self, place: Any) -> int:
        words = ctypes.cast(place, ctypes.POINTER(ctypes.c_uint64))
        length = ctypes.cast(place, ctypes.POINTER(ctypes.c_uint32))[0]
        assert length == 64  # sizeof(MEMORYSTATUSEX)
        words[2], words[4] = self.numbers  # ullAvailPhys, ullAvailPageFile
        return int(self.answers)


@pytest.mark.parametrize(
    ("kernel", "left"),
    [(Kernel32(5000, 9000), 5000), (Kernel32(9000, 4000), 4000), (Kernel32(1, 1, answers=False), None), (None, None)],
)
def test_memory_of_windows(
    kernel: Kernel32 | None, left: int | None, windows: None, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """What it does not tell is not known: nothing is refused then."""
    monkeypatch.setattr(memory, "PROCESSES", tmp_path)
    monkeypatch.setattr(memory, "GROUPS", tmp_path)
    monkeypatch.setitem(sys.modules, "resource", None)
    monkeypatch.setattr(ctypes, "windll", types.SimpleNamespace(kernel32=kernel), raising=False)
    assert memory.available() == left


def test_memory_of_a_mac(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(sys, "platform", "darwin")
    monkeypatch.setattr(memory, "PROCESSES", tmp_path)  # there is none
    monkeypatch.setattr(memory, "GROUPS", tmp_path)
    monkeypatch.setitem(sys.modules, "resource", None)
    pages = {"SC_PHYS_PAGES": 1000, "SC_PAGE_SIZE": 16384}
    monkeypatch.setattr(os, "sysconf", pages.__getitem__, raising=False)
    assert memory.available() == 16384 * 1000


class Key:
    def __enter__(self) -> "Key":
        return self

    def __exit__(self, *_: object) -> None:
        pass


def test_the_name_of_the_processor(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """As the system tells it; by its architecture where the system does not."""
    monkeypatch.setattr(processor, "CPUINFO", tmp_path / "cpuinfo")
    monkeypatch.setattr(processor.platform, "processor", lambda: "")
    monkeypatch.setattr(processor.platform, "machine", lambda: "riscv64")
    for system in ("linux", "darwin", "win32"):
        monkeypatch.setattr(sys, "platform", system)
        monkeypatch.setattr(processor, "BRAND", (str(tmp_path / "no such program"),))
        monkeypatch.setitem(sys.modules, "winreg", None)
        assert processor.processor() == "riscv64", system
    monkeypatch.setattr(sys, "platform", "darwin")
    monkeypatch.setattr(processor, "BRAND", (sys.executable, "-c", "print('Apple M9')"))
    assert processor.processor() == "Apple M9"
    monkeypatch.setattr(sys, "platform", "win32")
    registry = types.ModuleType("winreg")
    vars(registry).update(
        HKEY_LOCAL_MACHINE=0, OpenKey=lambda *_: Key(), QueryValueEx=lambda *_: ("Core i99 @ 9 GHz  ", 1)
    )
    monkeypatch.setitem(sys.modules, "winreg", registry)
    assert processor.processor() == "Core i99 @ 9 GHz"
    (tmp_path / "cpuinfo").write_text("processor : 0\nmodel name\t: Xeon X\n")
    assert processor.machine() == f"Xeon X, {os.cpu_count()} cores"
