"""Files of the recording: what others read of them, and that they go."""

import os
import re
import signal
import struct
import subprocess
import sys
import threading
import time
import zipfile
from dataclasses import replace
from pathlib import Path
from unittest.mock import patch

import httpx
import numpy as np
import pytest

import films
import khronos
import pliant
from pliant.runtime.errors import PliantError
from pliant.viewer.panels.saving import _film_of, _write
from pliant.viewer.recording.file_names import plain_name
from pliant.viewer.recording.film import Film, FilmTask, Lens, sampled
from pliant.viewer.server.temporary_files import MOST_KEPT, PageFiles, TemporaryFiles
from pliant.viewer.simulation.simulation import STEP, Simulation
from viewer.exhibits import EXHIBITS

# A server with a temporary file, a thread that writes more and more, and a listener that wants to be told of the end.
BUSY = """
import threading, time
from pliant.viewer import app
from pliant.viewer.server.sessions import Sessions
from viewer import exhibits

class Busy(Sessions):
    def __init__(self, preparation):
        super().__init__(preparation)
        (self.temporary_files.folder() / "take.npz").write_bytes(b"x")
        self.temporary_files.at_end(lambda: print("stopped", flush=True))
        threading.Thread(target=self.write, daemon=True).start()

    def write(self):
        folder = self.temporary_files.folder()
        with self.temporary_files.writing() as check:
            for number in range(10**9):
                folder.mkdir(parents=True, exist_ok=True)
                (folder / str(number)).write_bytes(b"x")
                check(number, 0)

exhibits.install()
app.Sessions = Busy
app.run(port=0, open_browser=False)
"""
LENS = {"eye": [2, 1.5, 4], "target": [0, 0.3, 0], "fov": 28, "aspect": 1.2}


def run(simulation: Simulation, steps: int) -> None:
    for _ in range(steps):
        simulation.step()


@pytest.mark.parametrize("ending", [".glb", ".usdc", ".npz", ".pc2"])
def test_files_are_what_others_read(ending: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    simulation = Simulation(EXHIBITS[1])  # several actors
    run(simulation, 30)
    panel_state, temporary_files = simulation.editor.panel_state(), TemporaryFiles()
    path = _write(panel_state, "../my kinds.glb", PageFiles(temporary_files), ending, (0.1, 0.4))
    assert path.is_relative_to(tmp_path)
    assert path.name == {".pc2": "my-kinds-pc2.zip"}.get(ending, f"my-kinds{ending}")
    if ending == ".glb":
        khronos.assert_valid(path)
    elif ending == ".usdc":
        from pxr import Usd, UsdGeom

        stage = Usd.Stage.Open(str(path))
        meshes = [UsdGeom.Mesh(each) for each in stage.Traverse() if each.IsA(UsdGeom.Mesh)]
        assert len(meshes) == 4
        assert all(len(each.GetPointsAttr().GetTimeSamples()) == 19 for each in meshes)
    elif ending == ".npz":
        assert all(len(array) == 19 for name, array in np.load(path).items() if name.endswith("positions"))
    else:
        with zipfile.ZipFile(path) as archive:
            assert archive.testzip() is None
            names = archive.namelist()
            assert len(names) == 8 and not [name for name in names if "/" in name or name.startswith(".")]
            head = archive.read(next(name for name in names if name.endswith(".pc2")))[:32]
            assert head[:11] == b"POINTCACHE2" and struct.unpack_from("<i", head, 28)[0] == 19
    temporary_files.remove()
    assert not list(tmp_path.iterdir())


def test_folders_go(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    temporary_files = TemporaryFiles()
    one, other = PageFiles(temporary_files), PageFiles(temporary_files)
    kept = [one.folder() for _ in range(MOST_KEPT + 2)]
    assert [each.exists() for each in kept] == [False, False] + [True] * MOST_KEPT
    others = other.folder()
    one.remove()
    assert not any(each.exists() for each in kept) and others.exists()
    stopped = []
    temporary_files.at_end(lambda: stopped.append(others.exists()))
    temporary_files.remove()
    assert stopped == [True]  # what writes is ended before its folder goes
    assert not list(tmp_path.iterdir())
    with pytest.raises(PliantError, match="closed"):
        temporary_files.folder()


def test_names_are_safe() -> None:
    names = ["../../etc/passwd", "a/b\\c:d", "bär.glb", "nul", "", "-rf", "x" * 500, "a\0b\n"]
    assert all(
        set(plain) <= set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-") and 0 < len(plain) < 90
        for plain in map(plain_name, names)
    )
    assert plain_name("nul") == "_nul"


@pytest.mark.parametrize(
    "wrong",
    [
        None,
        {},
        {**LENS, "fov": 0},
        {**LENS, "eye": [0, float("nan"), 0]},
        {**LENS, "target": [1e9, 0, 0]},
        {**LENS, "more": 1},
        {**LENS, "eye": "here"},
    ],
    ids=["nothing", "empty", "fov", "nan", "far", "more", "text"],
)
def test_a_camera_that_makes_no_sense(wrong: object) -> None:
    with pytest.raises(PliantError, match="camera"):
        Lens.of(wrong)


def test_a_film_sees_what_the_page_sees() -> None:
    assert Lens.of(LENS).camera().fov == pytest.approx(28)  # the page is narrower: the film shows more at its sides
    wide = Lens.of({**LENS, "aspect": 32 / 9}).camera()
    assert np.tan(np.radians(wide.fov / 2)) == pytest.approx(2 * np.tan(np.radians(14)))


def test_colliders_of_a_film_move_as_they_did() -> None:
    cart = pliant.Box(centre=(0, 0.1, 0), half_size=(0.2, 0.1, 0.2), path=lambda t: (t, 0.0, 0.0))
    ball, plane = pliant.Sphere(centre=(0, 1, 0), radius=0.5), pliant.Plane()
    made = sampled([(cart, (0, 0, 0)), (ball, (0, 0, 3.0)), (plane, (0, 0, 0))], [2.0, 2.5, 3.0], 2.0)
    assert [made[0].placed(t)[1].tolist() for t in (0.0, 0.5, 1.0)] == [[2, 0.1, 0], [2.5, 0.1, 0], [3, 0.1, 0]]
    assert made[1].placed(0.5)[1].tolist() == [0, 1, 3]
    assert made[2] is plane


@pytest.mark.slow
def test_a_film_is_drawn_elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    simulation = Simulation(EXHIBITS[1])  # with a cart whose path is a function
    run(simulation, 12)
    temporary_files = TemporaryFiles()
    whole = _film_of(simulation.editor.panel_state(), "kinds", PageFiles(temporary_files), (2 * STEP, 9 * STEP), LENS)
    assert whole.task.take.frames == 4 and whole.task.size == (1280, 720)
    task = FilmTask(whole.task.take, whole.task.colliders, whole.task.camera, whole.task.path, (160, 90))
    film = Film(task)
    path = film.draw()
    assert path is not None and film.progress == 1.0
    facts = films.probe(path)
    assert (facts.size, facts.frames, facts.fps) == ((160, 90), 4, 30)
    path.unlink()
    for system in dict.fromkeys((sys.platform, "win32")):  # which has no signal to ask it by
        film = Film(whole.task)
        threading.Thread(target=cancel_when_begun, args=(film, system)).start()
        assert film.draw() is None and film.progress < 1.0
        assert not list(path.parent.iterdir())  # nor what there was of it
    nothing = FilmTask(replace(task.take, tracks=()), (), task.camera, path)
    with pytest.raises(PliantError, match="no frame"):
        Film(nothing).draw()
    temporary_files.remove()
    assert not list(tmp_path.iterdir())


def cancel_when_begun(film: Film, system: str) -> None:
    while film.progress == 0.0:
        time.sleep(0.01)
    with patch.object(sys, "platform", system):
        film.cancel()


def test_the_process_of_a_film_ends_with_the_server() -> None:
    """Its input ends before a task has come."""
    process = subprocess.run(
        [sys.executable, "-m", "pliant.viewer.recording.film"], input=b"", capture_output=True, timeout=120, check=False
    )
    assert process.returncode != 0 and process.stdout == b""


@pytest.mark.slow
@pytest.mark.parametrize("end", [signal.SIGTERM, signal.SIGINT], ids=["SIGTERM", "SIGINT"])
def test_nothing_is_left_behind(tmp_path: Path, end: signal.Signals) -> None:
    paths = os.pathsep.join([str(Path(__file__).parents[2]), *filter(None, sys.path)])
    environment = {**os.environ, "TMPDIR": str(tmp_path), "PYTHONPATH": paths}
    with subprocess.Popen(
        [sys.executable, "-c", BUSY], stdout=subprocess.PIPE, text=True, env=environment, start_new_session=True
    ) as process:
        assert process.stdout is not None
        address = re.search(r"http://127\.0\.0\.1:\d+", process.stdout.readline())
        assert address
        assert httpx.get(address.group(), timeout=60).status_code == 200
        assert len(list(tmp_path.rglob("*"))) > 3
        process.send_signal(end)
        assert process.stdout.read().split() == ["stopped"]
        process.wait(60)
    assert not list(tmp_path.iterdir())
