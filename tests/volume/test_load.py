"""A file in, a body out."""

from pathlib import Path

import numpy as np
import pytest

import pliant
from made_assets import bar, bent, sheet, twisted
from pliant.runtime.errors import FileError
from pliant.volume import load_whole


def write_obj(path: Path, vertices, faces) -> Path:
    lines = [f"v {x!r} {y!r} {z!r}" for x, y, z in np.asarray(vertices).tolist()]
    lines += ["f " + " ".join(str(corner + 1) for corner in face) for face in np.asarray(faces).tolist()]
    path.write_text("\n".join(lines) + "\n")
    return path


def test_a_file_becomes_a_body_that_simulates(folder: Path) -> None:
    vertices, faces = bar()
    path = write_obj(folder / "bar.obj", vertices, faces)
    pose = write_obj(folder / "bend.obj", bent(vertices, 60), faces)
    body = pliant.load(path, poses={"bend": pose}, particles=150, density=500.0)
    assert body.name == "bar" and body.pose_names == ("bend",) and body.density == 500.0
    assert body.mass == pytest.approx(0.233 * 500, rel=0.05)
    world = pliant.World(colliders=[pliant.Plane()], precision="double")
    actor = world.add(body, pliant.ShapeMatching(stiffness=3), position=(0, 1.5, 0))
    for _ in range(60):
        world.step(1 / 60, substeps=3)
    assert np.isfinite(actor.positions).all()
    assert actor.positions[:, 1].min() > -0.01
    assert np.ptp(actor.surface, axis=0).max() == pytest.approx(2.0, abs=0.4)


def test_a_flat_file_names_the_way_out(folder: Path) -> None:
    path = write_obj(folder / "flag.obj", *sheet(12))
    with pytest.raises(FileError, match=r"flag.obj: .*--as shell"):
        pliant.load(path)
    assert pliant.load(path, kind="shell", particles=100).kind == "shell"


def test_one_bad_pose_is_noted_and_all_bad_ones_are_an_error(folder: Path) -> None:
    vertices, faces = bar()
    path = write_obj(folder / "bar.obj", vertices, faces)
    good = write_obj(folder / "good.obj", twisted(vertices, 90), faces)
    same = write_obj(folder / "same.obj", vertices, faces)
    made = load_whole(path, poses={"good": good, "same": same}, particles=100)
    assert made.body.pose_names == ("good",) and any('"same"' in note for note in made.notes)
    with pytest.raises(FileError, match=r'bar.obj: none of the poses .*"same" was left out: it is the rest shape'):
        load_whole(path, poses={"same": same}, particles=100)
