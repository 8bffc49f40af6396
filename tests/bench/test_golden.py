"""Twelve scenes of all models give the same bits with one thread and with two, and again after going back to the
middle; the program that keeps their hashes sees a frame that differs."""

import json
from pathlib import Path
from types import ModuleType

import pytest

FOLDER = Path(__file__).parents[2] / "benchmarks"
NAMES = (
    "shape matching", "oriented particles", "finite elements", "rigid bodies", "mixture", "impacts", "self-contact",
    "crowd", "pile", "moving obstacles", "mesh obstacles", "holds",
)  # fmt: skip


@pytest.fixture
def golden(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(FOLDER))
    import golden

    return golden


@pytest.mark.slow
@pytest.mark.parametrize("precision", ["single", "double"])
@pytest.mark.parametrize("name", NAMES)
def test_the_same_bits_on_two_threads_and_after_going_back(golden: ModuleType, name: str, precision: str) -> None:
    (scene,) = (scene for scene in golden.SCENES if scene.name == name)
    middle = 3 * scene.brief // 4  # bodies have met
    alone, shared = (scene.build(precision=precision, threads=threads) for threads in (1, 2))
    start = golden.hashed(scene.play(alone, 0, middle))
    assert golden.hashed(scene.play(shared, 0, middle)) == start
    assert len(set(start.frames[:9])) == 9  # it moves
    kept = alone.snapshot()
    end = golden.hashed(scene.play(alone, middle, scene.brief))
    alone.restore(kept)
    assert golden.hashed(scene.play(alone, middle, scene.brief)) == end
    assert golden.hashed(scene.play(shared, middle, scene.brief)) == end


def test_all_scenes_are_tried(golden: ModuleType) -> None:
    assert tuple(scene.name for scene in golden.SCENES) == NAMES


def test_the_pile_falls_asleep_and_is_woken(golden: ModuleType) -> None:
    (scene,) = (scene for scene in golden.SCENES if scene.name == "pile")
    world = scene.build(precision="single", threads=1)
    for _ in scene.play(world, 0, 180):
        pass
    assert all(actor.asleep for actor in world.actors)
    for _ in scene.play(world, 180, max(scene.cues) + 1):
        pass
    assert not any(actor.asleep for actor in world.actors)


def run(golden: ModuleType, *words: str) -> int:
    return golden.main(["--scene", "impacts", "--quick", *words])


@pytest.mark.slow
def test_what_was_kept_is_what_is_compared(
    golden: ModuleType, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "golden.json"
    assert run(golden, "--write", str(file)) == 0
    assert run(golden, "--check", str(file)) == 0
    assert "all 4 as in" in capsys.readouterr().out
    kept = json.loads(file.read_text())
    kept["scenes"]["impacts, double, 2 threads"]["frames"][2] = "00000000"
    file.write_text(json.dumps(kept))
    assert run(golden, "--check", str(file)) == 1
    assert "impacts, double, 2 threads: differs from frame 3 of 4 on" in capsys.readouterr().out


def test_bits_of_another_machine_are_not_compared(
    golden: ModuleType, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "golden.json"
    golden.write(file, {})
    assert golden.read(file) == {}
    kept = json.loads(file.read_text())
    kept["machine"]["numba"] = "0.1"
    file.write_text(json.dumps(kept))
    assert golden.main(["--check", str(file)]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith(f"{file}: was made elsewhere (numba 0.1, here ")


@pytest.mark.parametrize("text", ["", "[]", '{"scenes": {}}', '{"machine": {}, "scenes": {"pile": 3}}'])
def test_a_file_of_something_else_is_told(
    golden: ModuleType, tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str
) -> None:
    file = tmp_path / "other.json"
    file.write_text(text)
    assert golden.main(["--check", str(file)]) == 2
    assert golden.main(["--check", str(tmp_path / "none.json")]) == 2
    assert len(capsys.readouterr().err.splitlines()) == 2


def test_bits_that_depend_on_threads_are_told(golden: ModuleType) -> None:
    scene = golden.SCENES[0]
    one, two = golden.hashed([b"a", b"b", b"c"]), golden.hashed([b"a", b"x", b"c"])
    rows = {golden.key_of(scene, "single", 1): one, golden.key_of(scene, "single", 2): two}
    (line,) = golden.divided(rows)
    assert line == "shape matching, single, 2 threads: differs from frame 2 of 3 on (from one thread)"
    assert not list(golden.divided({key: one for key in rows}))
