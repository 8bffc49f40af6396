"""Files that are no USD, or not any more: one line, nothing on the terminal, and never the end of the program."""

import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pxr import UsdGeom

from files.usd.authoring import CUBE, blend, mesh, package, pairs, primvar, stage, vectors
from files.usd.takes import posed, take, track
from pliant.files.asset import Asset
from pliant.files.reading import read_asset
from pliant.files.usd import apart, child, read, writer
from pliant.files.usd import write as write_usd
from pliant.runtime.errors import FileError


def sound(folder: Path) -> dict[str, bytes]:
    """A file of each kind that can be read."""
    for ending in ("usda", "usdc"):
        made = stage(folder / f"a.{ending}", "Z", 0.01)
        cube = mesh(made, "/scene/cube")
        made.SetDefaultPrim(made.GetPrimAtPath("/scene"))
        primvar(cube, "st", "TexCoord2fArray", pairs(np.arange(48)), "faceVarying")
        primvar(cube, "displayColor", "Color3fArray", vectors(CUBE), "vertex")
        blend(made, cube, "tall", [[0, 0, 100]] * 4, which=[1, 3, 5, 7], between=[(0.5, [[1, 0, 0]] * 4)])
        for frame in (0, 24):
            cube.GetPointsAttr().Set(vectors(CUBE * (1 + frame)), frame)
        mesh(made, "/scene/large", np.arange(3000).reshape(-1, 3), np.arange(1000).reshape(-1, 4))
        made.GetRootLayer().Save()
    package(folder / "a.usdc", folder / "a.usdz")
    return {ending: (folder / f"a.{ending}").read_bytes() for ending in ("usda", "usdc", "usdz")}


def refused(path: Path) -> str:
    with pytest.raises(FileError) as caught:
        read(path)
    told = str(caught.value)
    assert told.startswith(f"{path}: ") and "\n" not in told and len(told) < 500
    return told


@pytest.mark.slow
def test_files_that_are_no_usd(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    files = sound(tmp_path)
    usdc, usdz = files["usdc"], files["usdz"]
    cases = {
        "garbage.usd": bytes(range(256)) * 8,
        "garbage.usda": b"#usda 1.0\ndef Mesh \"x\" {\n  point3f[] points = [(1, 2\n}\n",
        "letters.usda": b"#usda 1.0\n\xff\xfe\xff",
        "garbage.usdc": b"PXR-USDC" + bytes(range(256)),
        "cut.usdc": usdc[: len(usdc) // 2],
        "tail.usdc": usdc[:-40] + b"\xff" * 40,
        "cut.usdz": usdz[: len(usdz) // 2],
        "garbage.usdz": b"PK\x03\x04" + bytes(100),
        "empty.usda": b"#usda 1.0\n",
        "nothing.usdc": b"",
        "deep.usda": b"#usda 1.0\n" + b'def Xform "x" {\n' * 20000,
        "scale.usda": b"#usda 1.0\n(\n metersPerUnit = 0\n)\n",
    }  # fmt: skip
    for name, data in cases.items():
        (tmp_path / name).write_bytes(data)
        refused(tmp_path / name)
    assert "no such file" in refused(tmp_path / "lost.usda")
    assert capfd.readouterr() == ("", "")


def test_where_text_is_wrong_is_told(tmp_path: Path) -> None:
    (tmp_path / "a.usda").write_text('#usda 1.0\ndef Mesh "x" {\n  point3f[] points = [(1, 2\n}\n')
    assert "4:1: parse error" in refused(tmp_path / "a.usda")


def test_nothing_to_be_seen(tmp_path: Path) -> None:
    made = stage(tmp_path / "a.usda")
    UsdGeom.Sphere.Define(made, "/ball")
    made.GetRootLayer().Save()
    assert "no mesh to be seen" in refused(tmp_path / "a.usda")


def test_a_file_that_refers_to_itself(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.usda").write_text('#usda 1.0\ndef Xform "x" (references = @./a.usda@</x>) {\n}\n')
    refused(tmp_path / "a.usda")
    assert capfd.readouterr() == ("", "")


def test_without_the_library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sound(tmp_path)
    monkeypatch.setitem(sys.modules, "pxr", None)
    assert 'pip install "pliant[usd]"' in refused(tmp_path / "a.usdc")
    with pytest.raises(FileError, match=r"b\.usdc: .*pip install"):
        write_usd(take(track(posed())), tmp_path / "b.usdc")


@pytest.mark.parametrize(("ends", "said"), [("kill -SEGV $$", "broke down"), ("kill -XCPU $$", "too long"),
                                            ("exit 3", "temporary files"), ("exit 1", "broke down")])  # fmt: skip
def test_a_child_that_ends_badly(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, ends: str, said: str) -> None:
    sound(tmp_path)
    python = tmp_path / "python"
    python.write_text(f"#!/bin/sh\n{ends}\n")
    python.chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(python))
    assert said in refused(tmp_path / "a.usdc")


def test_a_child_that_waits_is_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    python = tmp_path / "python"
    python.write_text("#!/bin/sh\nexec sleep 60\n")
    python.chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(python))
    monkeypatch.setattr(apart, "CHILD_WAIT", 0.2)
    assert "too long" in refused(tmp_path / "a.usdc")


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="other systems keep no such limits")
def test_the_child_has_limits() -> None:
    """Memory and computing time, which both grow with the file."""
    greedy = "from pliant.files.usd.child import allow; allow({}); import numpy; print(numpy.empty({}).nbytes)"
    small, large = (
        subprocess.run([sys.executable, "-c", greedy.format(size, 300_000_000)], capture_output=True, text=True)
        for size in (1000, 50_000_000)
    )
    assert "MemoryError" in small.stderr and large.stdout.strip() == "2400000000"
    busy = "import pliant.files.usd.child as child\nchild.CHILD_CPU_SECONDS = 1\nchild.allow(0)\nwhile True: pass"
    assert subprocess.run([sys.executable, "-c", busy], capture_output=True, timeout=60).returncode == -signal.SIGXCPU


def test_the_child_ends_in_time_where_there_are_no_limits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As on Windows: by the clock, also while another language computes; and its parent knows why it ended."""
    busy = "import sys; sys.platform = 'win32'\nimport pliant.files.usd.child as child\n"
    busy += "child.CHILD_CPU_SECONDS = 0.5\nchild.allow(0)\nimport time\ntime.sleep(100)"
    done = subprocess.run([sys.executable, "-c", busy], capture_output=True, timeout=60)
    assert (done.returncode, done.stderr) == (child.OUT_OF_TIME, b"")
    monkeypatch.setattr(sys, "platform", "win32")
    limit = child.CHILD_WAIT_FACTOR * child.CHILD_CPU_SECONDS
    assert "takes too long" in str(apart._failed(tmp_path, child.OUT_OF_TIME, limit + 0.1))
    assert "broke down" in str(apart._failed(tmp_path, child.OUT_OF_TIME, 1.0))


def test_a_folder_that_cannot_be_written(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(FileError, match="cannot be written"):
        write_usd(take(track(posed())), tmp_path / "file" / "a.usdc")
    assert capfd.readouterr() == ("", "")


@pytest.mark.skipif(sys.platform == "win32", reason="has no limit on the size of files")
@pytest.mark.parametrize("ending", ["usda", "usdc", "usdz"])
def test_a_full_disk(tmp_path: Path, ending: str, capfd: pytest.CaptureFixture[str]) -> None:
    """What stood there before still stands, and nothing else does."""
    import resource

    (tmp_path / f"a.{ending}").write_text("old")
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, before[1]))
    try:
        with pytest.raises(FileError, match="cannot be written") as caught:
            write_usd(take(track(posed(), frames=100)), tmp_path / f"a.{ending}")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert "\n" not in str(caught.value)
    assert [(path.name, path.read_text()) for path in tmp_path.iterdir()] == [(f"a.{ending}", "old")]
    assert capfd.readouterr() == ("", "")


def test_frames_go_to_the_disk_on_the_way(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """So that a take larger than memory can be written; and the outcome is the same."""
    wanted = take(track(posed(), frames=40))
    write_usd(wanted, tmp_path / "at_once.usdc")
    sizes: list[int] = []

    def grown(*_: int) -> None:
        sizes.extend(file.stat().st_size for file in tmp_path.glob(".*/scene.usdc"))

    monkeypatch.setattr(writer, "UNSAVED", 5000)
    write_usd(wanted, tmp_path / "a.usdc", progress=grown)
    assert len(sizes) == 40 and len(set(sizes)) > 3 and sorted(sizes) == sizes
    whole, grew = (read(tmp_path / name, [39 / 24]) for name in ("at_once.usdc", "a.usdc"))
    assert np.array_equal(whole.poses["at 1.625 s"], grew.poses["at 1.625 s"])
    assert np.array_equal(whole.vertices, grew.vertices)


@pytest.mark.slow
@pytest.mark.parametrize("ending", ["usda", "usdc", "usdz"])
# few: each is read by a process of its own; tests/files/test_fuzz.py breaks many more within one
@settings(max_examples=8, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(changes=st.lists(st.tuples(st.floats(0, 1), st.integers(0, 255)), min_size=1, max_size=8), cut=st.floats(0, 8))
def test_changed_bytes(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], ending: str, changes: list[tuple[float, int]], cut: float
) -> None:
    """An asset or one line, whatever the bytes."""
    if not (tmp_path / "a.usdc").exists():
        sound(tmp_path)
    data = bytearray((tmp_path / f"a.{ending}").read_bytes())
    for place, value in changes:
        data[int(place * (len(data) - 1))] = value
    path = tmp_path / f"changed.{ending}"
    path.write_bytes(data[: int(cut * len(data)) + 1] if cut < 1 else data)
    try:
        assert isinstance(read_asset(path, sample=[0.5]), Asset)
    except FileError as error:
        assert str(error).startswith(f"{path}: ") and "\n" not in str(error)
    assert capfd.readouterr() == ("", "")
