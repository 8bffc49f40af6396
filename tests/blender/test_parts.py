"""What of the Blender extension needs no Blender: files, curves, the way to the solver, the zip."""

import ast
import importlib.util
import socket
import sys
import tomllib
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import pliant
from blender_parts import FOLDER, part
from pliant.files.pc2 import PC2_HEADER
from pliant.serve import wire

ALLOWED = {"bpy", "mathutils", "numpy", *sys.stdlib_module_names}


def test_a_cache_can_be_played_while_it_grows(tmp_path: Path) -> None:
    cache, frames = part("cache"), np.random.default_rng(0).normal(size=(3, 7, 3)).astype(np.float32)
    writer = cache.CacheWriter(tmp_path / "new" / "a.pc2", 7)
    assert cache.read_cache(writer.path) is None
    for number, frame in enumerate(frames, 1):
        writer.append(frame)
        assert np.array_equal(cache.read_cache(writer.path), frames[:number])
    writer.close()
    with open(writer.path, "rb") as file:
        assert PC2_HEADER.unpack(file.read(PC2_HEADER.size)) == (b"POINTCACHE2\0", 1, 7, 0.0, 1.0, 3)
    (tmp_path / "torn.pc2").write_bytes(writer.path.read_bytes()[:-1])
    assert cache.read_cache(tmp_path / "torn.pc2") is None and cache.read_cache(tmp_path / "none.pc2") is None


def test_what_is_known_beside_it_comes_back(tmp_path: Path) -> None:
    cache = part("cache")
    record = cache.Record(["a", "ä"], ["all"], np.ones((2, 1, 3), np.float32), np.tile(np.eye(4), (2, 1, 1)))
    cache.write_record(tmp_path / "a.npz", record)
    again = cache.read_record(tmp_path / "a.npz")
    assert again.poses == record.poses and np.array_equal(again.weights, record.weights)
    (tmp_path / "a.npz").write_bytes(b"PK")
    assert cache.read_record(tmp_path / "a.npz") is None


@given(st.lists(st.floats(0, 1, width=32), min_size=2, max_size=80), st.floats(1e-3, 0.3))
def test_thinned_curves_miss_nothing_by_more(values: list[float], tolerance: float) -> None:
    kept = part("cache").thinned(np.array(values), tolerance)
    straight = np.interp(np.arange(len(values)), kept, np.array(values)[kept])
    assert kept[0] == 0 and kept[-1] == len(values) - 1
    assert np.abs(straight - values).max() <= tolerance + 1e-9


def test_a_rigid_fit_finds_the_motion() -> None:
    shape = np.random.default_rng(1).normal(size=(20, 3))
    turn = np.array([[0.0, -1, 0], [1, 0, 0], [0, 0, 1]])
    found, offset = part("cache").rigid_fit(shape, shape @ turn.T + (1, 2, 3))
    assert np.allclose(found, turn) and np.allclose(offset, (1, 2, 3))


def test_both_ends_speak_alike() -> None:
    """The two sides share no code; what one packs the other unpacks, in pieces of any size."""
    own = part("wire")
    blocks: dict[str, Any] = {"a/0": np.eye(3), "b": np.arange(5), "c": np.zeros((0, 3))}
    assert own.PROTOCOL == wire.PROTOCOL
    data = own.packed({"do": "scene", "x": [1, None]}, blocks)
    head, _ = wire.PREFIX.unpack(data[:8])
    message = wire.unpacked(data[8 : 8 + head], data[8 + head :])
    assert message.head == {"do": "scene", "x": [1, None]}
    assert all(np.array_equal(message.blocks[name], block) for name, block in blocks.items())
    near, far = socket.socketpair()
    with far:
        link = own.Link(near)
        whole = wire.packed(wire.Message({"is": "frame"}, blocks))
        for first in range(0, len(whole), 50):
            assert link.pump() == []
            far.sendall(whole[first : first + 50])
        (answer,) = link.pump(1.0)
        assert answer[0] == {"is": "frame"} and np.array_equal(answer[1]["a/0"], np.eye(3))
        link.post({"do": "bye"})
        link.pump(1.0)
        assert not link.waiting and far.recv(100)
    with pytest.raises(own.SolverGone):
        link.pump(1.0)
    link.close()


def test_the_solver_is_found_where_it_is_said_to_be(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    solver = part("solver")
    inside = tmp_path / ".venv" / "bin" / "pliant"
    inside.parent.mkdir(parents=True)
    inside.write_text("")
    python = inside.with_name("python3")
    python.write_text("")
    assert solver.command_of(str(tmp_path)) == [str(inside)]
    assert solver.command_of(str(inside)) == [str(inside)]
    assert solver.command_of(str(python)) == [str(python), "-m", "pliant"]
    with pytest.raises(solver.NoSolver, match="there is no Pliant"):
        solver.command_of(str(tmp_path / "nothing"))
    monkeypatch.setenv("PATH", str(inside.parent))
    inside.chmod(0o755)
    assert solver.command_of() == [str(inside)]
    monkeypatch.setenv("PATH", "")
    monkeypatch.setattr(solver, "usual_places", list)
    with pytest.raises(solver.NoSolver, match="was not found"):
        solver.command_of()


@pytest.mark.slow  # starts a process
def test_a_solver_that_does_not_start_says_why() -> None:
    solver = part("solver")
    made = solver.Solver([sys.executable, "-c", "import sys; sys.exit('pliant: it is too late')"])
    with pytest.raises(solver.NoSolver, match="it is too late"):
        for _ in made.starting():
            pass
    made.close()


def test_it_needs_blender_and_python_and_nothing_else() -> None:
    for path in FOLDER.glob("*.py"):
        text = path.read_text(encoding="utf-8")
        assert text.startswith("# SPDX-License-Identifier: GPL-3.0-or-later\n"), path.name
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.Import | ast.ImportFrom) and getattr(node, "level", 0) == 0:
                named = [node.module] if isinstance(node, ast.ImportFrom) else [each.name for each in node.names]
                assert {str(name).split(".")[0] for name in named} <= ALLOWED - {"threading"}, path.name


def test_the_zip_is_the_same_every_time_and_has_its_licence(tmp_path: Path) -> None:
    spec = importlib.util.spec_from_file_location("blender_build", FOLDER.parent / "build.py")
    assert spec is not None and spec.loader is not None
    made = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(made)
    first, second = made.build(tmp_path / "a"), made.build(tmp_path / "b")
    assert first.read_bytes() == second.read_bytes()
    with zipfile.ZipFile(first) as packed:
        names = set(packed.namelist())
        manifest = tomllib.loads(packed.read("blender_manifest.toml").decode())
        assert b"GNU GENERAL PUBLIC LICENSE" in packed.read("LICENSE")
    assert names == {"LICENSE", "blender_manifest.toml", *(path.name for path in FOLDER.glob("*.py"))}
    assert manifest["version"] == pliant.__version__ and manifest["license"] == ["SPDX:GPL-3.0-or-later"]
