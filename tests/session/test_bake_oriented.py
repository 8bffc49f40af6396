"""Bakes of oriented particles: how they turn is recorded, resumed, and in every output."""

from collections.abc import Callable
from functools import cache
from pathlib import Path

import numpy as np
import pytest

import pliant
from pliant.body import Body
from pliant.files.gltf import read
from pliant.files.take import Take
from pliant.runtime.errors import FileError
from pliant.scene.show import Show
from pliant.session.bake import Watch, bake
from pliant.session.outputs import Options
from pliant.session.recording import bodies_hash, record
from pliant.session.render.stage import Stage

FPS, FRAMES = 30.0, 24


@cache
def rod() -> Body:
    body = pliant.shapes.cuboid(size=(0.2, 0.2, 1.0), cells=(2, 2, 8), name="rod")
    return body.with_pose("bend", pliant.poses.bend(body, 40, axis="z"))


def show(oriented: bool = True) -> Show:
    """A bar that is pulled and wrung while it falls on a floor, beside a ball of plain particles."""
    world = pliant.World(colliders=[pliant.Plane()])
    settings = pliant.OrientedParticles(particles=8) if oriented else pliant.ShapeMatching()
    bar = world.add(rod(), settings, name="bar", position=(0, 0.5, 0), angular_velocity=(0, 0, 3))
    world.add(pliant.shapes.ball(particles=60), pliant.ShapeMatching(), name="ball", position=(2, 0.6, 0))

    def animate(now: float) -> None:
        # What is held, and from where it starts, depends on what happened before.
        if oriented and now >= 0.3 and not world._inputs.handles:
            bar.grab(skin=0, path=pliant.Path([0, 0.5], [(0, 0, 0), (0, 0.4, 0)]))
            for direction in ((1, 0, 0), (0, 1, 0)):
                bar.aim(direction, skin=0, path=pliant.Path([0, 1], turns=[(0, 0, 0), (0, 0, 1.5)]))

    return Show(name="wrung", title="", world=world, seconds=1.0, fps=FPS, substeps=2, animate=animate, key="wrung")


@cache
def taken() -> Take:
    return record(show(), FRAMES)


class StopAt(Watch):
    def __init__(self, frame: int, stop: Callable[[], None]) -> None:
        self.frame, self.stop = frame, stop

    def simulating(self, done: int, total: int, begun: int) -> None:
        if done == self.frame:
            self.stop()


def stopped() -> None:
    raise RuntimeError("killed")


def test_rotations_are_recorded() -> None:
    bar, ball = taken().tracks
    assert bar.rotations is not None and ball.rotations is None
    assert bar.rotations.shape == (FRAMES, 8, 4)
    assert np.linalg.norm(bar.rotations, axis=2) == pytest.approx(1.0, abs=1e-5)
    assert np.abs(np.abs(bar.rotations[:, :, 3]) - 1).max() > 0.05  # it turns
    played = show()
    for _ in range(FRAMES - 1):
        played.step()
    frame = played.world.frame()
    assert list(frame.rotations) == ["bar"]
    assert not frame.rotations["bar"].flags.writeable
    assert bar.rotations[-1] == pytest.approx(frame.rotations["bar"], abs=1e-6)
    assert bar.surface(FRAMES - 1) == pytest.approx(played.world["bar"].surface, abs=1e-5)


def test_a_bake_goes_on_with_the_same_bytes(tmp_path: Path) -> None:
    """Stopped in the air, and again while it is pulled and turned by three handles at one point."""
    names = ["out.npz", "out.glb"]
    whole, torn = ([tmp_path / folder / name for name in names] for folder in ("whole", "torn"))
    bake(show, whole, frames=FRAMES, checkpoint_every=0.0)
    for frame in (5, 15):
        with pytest.raises(RuntimeError, match="killed"):
            watch = StopAt(frame, stopped)
            bake(show, torn, frames=FRAMES, checkpoint_every=0.0, resume=frame > 5, watch=watch)
    baked = bake(show, torn, frames=FRAMES, checkpoint_every=0.0, resume=True)
    assert baked.begun >= 14
    for one, other in zip(whole, torn, strict=True):
        assert one.read_bytes() == other.read_bytes()


def test_every_output_has_the_same_surface(tmp_path: Path) -> None:
    out = [tmp_path / name for name in ("out.npz", "out.glb", "out.pc2", "obj")]
    bake(show, out, frames=FRAMES)
    bar, ball = taken().tracks
    with np.load(tmp_path / "out.npz") as file:
        assert file["bar/particles"] == pytest.approx(bar.positions, abs=1e-6)
        turned = np.abs(np.einsum("tvi,tvi->tv", file["bar/rotations"], bar.rotations))
        assert turned == pytest.approx(1.0, abs=1e-5)
        assert (np.einsum("tvi,tvi->tv", file["bar/rotations"][1:], file["bar/rotations"][:-1]) > 0).all()
        assert file["bar/skin_pivots"] == pytest.approx(bar.body.rest)
        assert "ball/skin_pivots" not in file
    last = (FRAMES - 1) / FPS
    wanted = np.concatenate([bar.surface(FRAMES - 1), ball.surface(FRAMES - 1)])
    found = read(tmp_path / "out.glb", sample=[last]).poses[f"at {last:g} s"]
    assert np.linalg.norm(found - wanted, axis=1).max() < 2e-4
    cache = np.fromfile(tmp_path / "out-bar.pc2", "<f4", offset=32).reshape(FRAMES, -1, 3)
    assert cache[-1].min(axis=0) == pytest.approx(bar.surface(FRAMES - 1).min(axis=0), abs=1e-5)
    assert len(list((tmp_path / "obj").glob("frame_*.obj"))) == FRAMES


def test_a_skeleton_needs_particles_that_turn(tmp_path: Path) -> None:
    said = r'out\.glb: no body is made of oriented particles, so there are no joints; choose the style "vertices"'
    with pytest.raises(FileError, match=said):
        bake(lambda: show(oriented=False), [tmp_path / "out.glb"], frames=3, options=Options(style="skeleton"))
    assert not list(tmp_path.iterdir())


def test_the_cast_tells_how_it_is_shared_out() -> None:
    """A recording does not go on with other ellipsoids or turned particles."""
    one, other = show(), show()
    assert bodies_hash(one.world) == bodies_hash(other.world)
    turns = other.world["bar"].rotations
    assert turns is not None
    turns[3] = [0, 1, 0, 0]
    assert bodies_hash(one.world) != bodies_hash(other.world)


def test_a_stage_sees_the_skin_that_stands_out() -> None:
    world = show().world
    world.remove(world["ball"])
    stage, frame, skin = Stage.of(world), world.frame(), world["bar"].surface
    points = stage.extent([frame])
    assert np.ptp(points, axis=0) == pytest.approx(np.ptp(skin, axis=0), abs=1e-5)
    assert (np.ptp(points, axis=0) > np.ptp(world["bar"].positions, axis=0) + 0.05).all()
    drawn = np.concatenate([each.vertices for each in stage.actors(frame)])
    assert np.ptp(drawn, axis=0) == pytest.approx(np.ptp(skin, axis=0), abs=1e-5)
