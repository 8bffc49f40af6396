"""Files as the viewer opens them, without a server."""

from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from pliant.body.look import Image
from pliant.files.fence import may_reach, put_fence, remove_fence
from pliant.files.pictures import picture_beside
from pliant.files.reading import read_asset
from pliant.runtime.errors import FileError, PliantError
from pliant.viewer.panels.notice import COMPILING, waiting_for
from pliant.viewer.server.preparation import Progress
from pliant.viewer.server.uploads import chosen, safe_name
from pliant.viewer.simulation.opened import Opened
from pliant.viewer.simulation.simulation import STEP, Simulation
from viewer.assets import RISING, green_over_blue, write_box

TETRAHEDRON = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n"


@pytest.fixture
def scene(tmp_path: Path) -> Path:
    path = tmp_path / "up.toml"
    path.write_text(RISING)
    return path


def height(simulation: Simulation) -> float:
    return float(simulation.world.actors[0].centre[1])


def test_keyed_gravity_is_followed(scene: Path) -> None:
    simulation = Simulation(Opened("up.toml", scene))
    for _ in range(30):
        simulation.step()
    lying = height(simulation)
    assert lying < 0.4
    for _ in range(30):
        simulation.step()
    assert height(simulation) > lying + 0.3
    assert simulation.world.time == pytest.approx(60 * STEP)


def test_steps_are_as_fine_as_the_scene_asks(scene: Path) -> None:
    show = Opened("up.toml", scene).stage()
    assert show.fps == 60 and show.substeps == 2  # 24 frames of 4 steps are 96 a second


def test_a_reset_reads_the_file_anew(scene: Path) -> None:
    simulation = Simulation(Opened("up.toml", scene))
    before = height(simulation)
    scene.write_text(RISING.replace("position = [0, 0.5, 0]", "position = [0, 1.5, 0]").replace("cube", "other"))
    simulation.reset()
    assert height(simulation) == pytest.approx(before + 1.0)
    scene.write_text("nonsense")
    with pytest.raises(PliantError, match="not TOML"):
        simulation.reset()
    simulation.step()  # the last good world goes on


def test_progress_is_told(tmp_path: Path) -> None:
    told: list[tuple[int, int]] = []
    path = write_box(tmp_path / "box.glb")
    Opened("box.glb", path, {"particles": 61}).stage(lambda done, all_: told.append((done, all_)))
    assert told and all(0 <= done <= all_ for done, all_ in told)


@pytest.mark.parametrize(
    "line",
    [
        'file = "../secret.obj"',
        'file = "/etc/passwd.obj"',
        "file = 'C:\\secret.obj'",
        "file = 'deep\\..\\..\\secret.obj'",
        'file = "box.obj"\npose_folder = ".."',
        'file = "box.obj"\n[bodies.poses.smile]\nfile = "../smile.obj"',
    ],
)
def test_a_scene_from_a_page_stays_in_its_folder(tmp_path: Path, line: str) -> None:
    folder = tmp_path / "drop"
    folder.mkdir()
    for path in (tmp_path / "secret.obj", tmp_path / "smile.obj", folder / "box.obj"):
        path.write_text(TETRAHEDRON)
    (folder / "up.toml").write_text(f"[[bodies]]\n{line}\n")
    with pytest.raises(FileError, match="leads out of the folder") as caught:
        Opened("up.toml", folder / "up.toml", enclosed=True).checked()
    assert str(tmp_path) not in str(caught.value)


def test_files_behind_a_fence_reach_nothing_outside(tmp_path: Path) -> None:
    folder = tmp_path / "drop"
    folder.mkdir()
    for path in (tmp_path / "out.png", folder / "in.png"):
        path.write_bytes(green_over_blue())
    (tmp_path / "out.mtl").write_text("newmtl red\nKd 1 0 0\nmap_Kd in.png\n")
    box = folder / "box.obj"
    box.write_text("mtllib ../out.mtl\nusemtl red\n" + TETRAHEDRON)
    assert isinstance(picture_beside(box, "../out.png"), Image)
    assert len(read_asset(box).look.materials) == 1  # type: ignore[union-attr]
    put_fence(folder)
    try:
        assert isinstance(picture_beside(box, "../out.png"), str)
        assert isinstance(picture_beside(box, "in.png"), Image)
        assert not may_reach(box, tmp_path / "out.mtl") and may_reach(tmp_path / "out.mtl", box)
        asset = read_asset(box)
        assert any("out.mtl" in note for note in asset.notes)
    finally:
        remove_fence(folder)


def test_layers_behind_a_fence_reach_nothing_outside(tmp_path: Path) -> None:
    pytest.importorskip("pxr")
    folder = tmp_path / "drop"
    folder.mkdir()
    write_box(tmp_path / "secret.usda")
    stage = folder / "stage.usda"
    stage.write_text("#usda 1.0\n(\n    subLayers = [@../secret.usda@]\n)\n")
    assert len(read_asset(stage).vertices)
    put_fence(folder)
    try:
        with pytest.raises(FileError, match="outside its folder"):
            read_asset(stage)
    finally:
        remove_fence(folder)


def test_pictures_and_parts_are_told(tmp_path: Path) -> None:
    simulation = Simulation(Opened("box.glb", write_box(tmp_path / "box.glb"), {"particles": 60}))
    ((digest, image),) = simulation.images.items()
    assert image.data == green_over_blue()
    assert digest.encode() in simulation.setup and b'"uv"' in simulation.setup
    simulation.step()
    assert np.isfinite(simulation.world.actors[0].positions).all()


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("bear.glb", "bear.glb"),
        ("Bär (2).OBJ", "Bär (2).OBJ"),
        ("../../up.toml", "up.toml"),
        ("a\\b\\c.stl", "c.stl"),
        ("nul.obj", "_nul.obj"),
        ("x\n;$`.ply", "x____.ply"),
        ("..\u202e.glb", "_.glb"),
        (300 * "a" + ".glb", 100 * "a" + ".glb"),
    ],
)
def test_names_are_made_safe(given: str, kept: str) -> None:
    assert safe_name(given) == kept


@pytest.mark.parametrize("given", ["", "..", "bear", "bear.exe", "bear.glb.exe", ".glb", "/", "bear.svg"])
def test_other_files_are_refused(given: str) -> None:
    with pytest.raises(FileError, match="not taken here"):
        safe_name(given)


def test_one_of_several_files_is_opened() -> None:
    assert chosen(["bear.mtl", "fur.png", "Bear.OBJ"]) == "Bear.OBJ"
    assert chosen(["a.glb", "b.glb", "all.toml"]) == "all.toml"
    wrong = {"several assets": ["a.glb", "b.glb"], "nothing": ["fur.png"], "two files": ["a.glb", "A.glb"]}
    for told, names in wrong.items():
        with pytest.raises(FileError, match=told):
            chosen(names)


def test_what_a_page_waits_for_is_told() -> None:
    def told(phase: str, kernels: Progress, filling: Progress) -> tuple[str, float]:
        session = SimpleNamespace(
            status=SimpleNamespace(phase=phase),
            preparation=SimpleNamespace(progress=kernels),
            progress=filling,
            exhibit=SimpleNamespace(title="bear"),
        )
        text, progress = waiting_for(session)  # type: ignore[arg-type]
        return text, progress.part

    assert told("preparing", Progress(1, 4), Progress()) == (COMPILING, 0.375)
    assert told("building", Progress(), Progress(1, 2)) == ("Filling bear with particles", 0.75)
    assert told("building", Progress(), Progress()) == ("Opening bear", 0.0)
    assert told("ready", Progress(), Progress(1, 2)) == told("failed", Progress(1, 2), Progress()) == ("", 0.0)
