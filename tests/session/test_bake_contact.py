"""Bakes of bodies that meet: a mesh for an obstacle, a rigid body, a soft one, and those that sleep."""

from functools import cache
from pathlib import Path

import numpy as np
import pytest
from pxr import Usd, UsdGeom

import obstacles
import pliant
from khronos import assert_valid
from pliant.files.gltf import read
from pliant.scene.show import Show
from pliant.session.bake import Watch, bake
from pliant.session.recording import record
from pliant.session.render.stage import Stage

FPS, FRAMES = 30.0, 54
CRATE = 0.3  # metres


def show() -> Show:
    """A soft ball falls into a cup that moves, a crate falls on a cushion that lies there asleep."""
    way = pliant.Path([0, 1], [(0, 0, 0), (0.3, 0, 0)])
    cup = pliant.Mesh(*obstacles.cup(), position=(1.5, 0, 0), cells=24, name="cup", path=way)
    world = pliant.World(colliders=[pliant.Plane(), cup])
    ball = pliant.shapes.ball(radius=0.25, particles=60)
    world.add(ball, pliant.ShapeMatching(), name="ball", position=(1.5, 0.6, 0))
    cushion = pliant.shapes.cuboid(size=(1, 0.4, 1), cells=(4, 2, 4))
    world.add(cushion, pliant.ShapeMatching(stiffness=6, damping=8), name="cushion", position=(0, 0.2, 0))
    crate = pliant.shapes.cuboid(size=(CRATE, CRATE, CRATE), cells=(2, 2, 2))
    thrown = {"position": (0, 4.5, 0), "velocity": (0, 3, 0), "angular_velocity": (1, 2, 0)}
    world.add(crate, pliant.Rigid(mass=5), name="crate", **thrown)
    return Show(name="met", title="", world=world, seconds=1.8, fps=FPS, substeps=3, animate=None, key="met")


@cache
def edges() -> np.ndarray:
    """Of the crate at rest."""
    rest = show().world["crate"].body.rest
    return np.linalg.norm(rest[:, None] - rest, axis=2)


class Killed(Watch):
    def __init__(self, frame: int) -> None:
        self.frame = frame

    def simulating(self, done: int, total: int, begun: int) -> None:
        if done == self.frame:
            raise RuntimeError("killed")


@pytest.mark.slow
def test_a_bake_goes_on_with_the_same_bytes(tmp_path: Path) -> None:
    """Stopped while the cushion sleeps, and again while the crate lies on it."""
    names = ["out.npz", "out.glb"]
    whole, torn = ([tmp_path / folder / name for name in names] for folder in ("whole", "torn"))
    bake(show, whole, frames=FRAMES, checkpoint_every=0.0)
    for frame in (35, 45):
        with pytest.raises(RuntimeError, match="killed"):
            bake(show, torn, frames=FRAMES, checkpoint_every=0.0, resume=frame > 35, watch=Killed(frame))
    assert bake(show, torn, frames=FRAMES, checkpoint_every=0.0, resume=True).begun >= 40
    for one, other in zip(whole, torn, strict=True):
        assert one.read_bytes() == other.read_bytes()


def test_what_happens() -> None:
    played = show()
    slept = []
    for _ in range(FRAMES - 1):
        played.step()
        slept.append(played.world["cushion"].asleep)
    world = played.world
    assert any(slept[30:]) and not slept[-1]  # after the cup has stopped, until the crate came
    assert 0.35 < world["crate"].centre[1] < 0.8
    ball = world["ball"].centre - world.colliders[1].placed(world.time)[1]
    assert np.hypot(ball[0], ball[2]) < 0.4 and 0.15 < ball[1] < 0.8  # in the cup that took it along


@pytest.mark.slow
def test_every_output_has_the_crate_as_it_is(tmp_path: Path) -> None:
    out = [tmp_path / name for name in ("out.npz", "out.glb", "out.usdc")]
    bake(show, out, frames=FRAMES)
    with np.load(tmp_path / "out.npz") as file:
        places = file["crate/particles"].astype(float)
    for now in places:
        np.testing.assert_allclose(np.linalg.norm(now[:, None] - now, axis=2), edges(), atol=1e-5)
    assert np.ptp(places[:, :, 1], axis=1).max() > CRATE + 0.05  # it turns
    assert_valid(tmp_path / "out.glb")
    last = (FRAMES - 1) / FPS
    taken = record(show(), FRAMES)
    wanted = np.concatenate([track.surface(FRAMES - 1) for track in taken.tracks])
    found = read(tmp_path / "out.glb", sample=[last]).poses[f"at {last:g} s"]
    assert np.linalg.norm(found - wanted, axis=1).max() < 2e-4
    stage = Usd.Stage.Open(str(tmp_path / "out.usdc"))
    meshes = [UsdGeom.Mesh(prim) for prim in stage.Traverse() if prim.IsA(UsdGeom.Mesh)]
    tops = sorted(np.array(mesh.GetPointsAttr().Get(FRAMES - 1))[:, 1].max() for mesh in meshes)
    assert tops == pytest.approx(sorted(track.surface(FRAMES - 1)[:, 1].max() for track in taken.tracks), abs=1e-3)


def test_a_picture_shows_the_mesh_where_it_is() -> None:
    stage = Stage.of(show().world)
    (first,), (later,) = stage.obstacles(0.0), stage.obstacles(1.0)
    vertices, _ = obstacles.cup()
    for drawn, along in ((first, 1.5), (later, 1.8)):
        placed = vertices + np.array([along, 0, 0])
        np.testing.assert_allclose(drawn.vertices.min(axis=0), placed.min(axis=0), atol=1e-6)
        np.testing.assert_allclose(drawn.vertices.max(axis=0), placed.max(axis=0), atol=1e-6)
    np.testing.assert_allclose(np.linalg.norm(first.normals, axis=1), 1.0, atol=1e-6)
