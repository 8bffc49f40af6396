"""Baking: every output from one run, stopped and gone on with, and told in one line when it cannot be."""

import os
import signal
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import bakes
import pliant
from pliant.scene.show import Show
from pliant.session.bake import Baked, Watch, bake

FRAMES = 30


def frames_of(path: Path) -> np.ndarray:
    """The bar's particles (T, V, 3) as an .npz or a recording has them."""
    with np.load(path) as file:
        return np.asarray(file["bar/particles"])


class At(Watch):
    """Does something when a frame is there, and remembers what was said."""

    def __init__(self, frame: int = 0, do: Callable[[], None] = lambda: None) -> None:
        self.frame, self.do, self.said, self.written = frame, do, [], []

    def say(self, line: str) -> None:
        self.said.append(line)

    def simulating(self, done: int, total: int, begun: int) -> None:
        if done == self.frame:
            self.do()

    def writing(self, path: Path, done: int, total: int) -> None:
        self.written.append((path.name, done, total))


def interrupt() -> None:
    os.kill(os.getpid(), signal.SIGINT)


def run(out: Path, frames: int | None = FRAMES, show: Callable[[], Show] = bakes.swinging, **options: object) -> Baked:
    return bake(show, [out], frames=frames, checkpoint_every=0.0, **options)  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """What an uninterrupted run gives."""
    out = tmp_path_factory.mktemp("whole") / "out.npz"
    run(out)
    return out.read_bytes()


def test_several_outputs_of_one_run(tmp_path: Path) -> None:
    names = ["a/out.npz", "out.pc2", "weights.csv", "obj"]
    watch = At()
    baked = bake(bakes.swinging, [tmp_path / name for name in names], frames=3, watch=watch)
    caches = [f"out-{name}.{kind}" for name in ("ball", "bar", "bouncing") for kind in ("pc2", "rest.obj")]
    written = [path.relative_to(tmp_path).as_posix() for path in baked.outputs]
    assert written == ["a/out.npz", *caches, "weights.csv", "obj"]
    assert (baked.frames, baked.begun, baked.stopped) == (3, 0, False)
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(["a", *written[1:]])
    assert [path.name for path in (tmp_path / "a").iterdir()] == ["out.npz"]
    assert {name for name, _, _ in watch.written} == {"out.npz", "out.pc2", "weights.csv", "obj"}


def test_frames_are_the_world_step_by_step(tmp_path: Path) -> None:
    run(tmp_path / "out.npz", frames=4)
    show, played = bakes.swinging(), []
    for _ in range(4):
        played.append(np.array(show.world["bar"].positions))
        show.step()
    np.testing.assert_array_equal(frames_of(tmp_path / "out.npz"), np.array(played, np.float32))


def test_as_many_frames_as_the_seconds_have(tmp_path: Path) -> None:
    assert run(tmp_path / "out.npz", frames=None).frames == 31  # a second at 30 fps, from its first moment to its last


@pytest.mark.parametrize("frame", [1, 5, 12, 18, 24, FRAMES - 1])
def test_stopped_and_gone_on_with(frame: int, tmp_path: Path, whole: bytes) -> None:
    """Before and after the ball is taken hold of, the bar is laid out anew, and the box hits it."""
    out = tmp_path / "out.npz"
    stopped = run(out, watch=At(frame, interrupt))
    assert (stopped.stopped, stopped.frames, stopped.wanted) == (True, frame, FRAMES)
    assert [path.name for path in tmp_path.iterdir()] == ["out.npz.part"]
    done = run(out, resume=True)
    assert (done.stopped, done.begun, done.frames) == (False, frame, FRAMES)
    assert out.read_bytes() == whole
    assert [path.name for path in tmp_path.iterdir()] == ["out.npz"]
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_a_second_interrupt_stops_at_once(tmp_path: Path, whole: bytes) -> None:
    def twice() -> None:
        interrupt()
        interrupt()

    out = tmp_path / "out.npz"
    with pytest.raises(KeyboardInterrupt):
        run(out, watch=At(7, twice))
    assert run(out, resume=True).begun == 6
    assert out.read_bytes() == whole


def test_more_frames_or_fewer_when_it_goes_on(tmp_path: Path, whole: bytes) -> None:
    out = tmp_path / "out.npz"
    run(out, watch=At(9, interrupt))
    fewer = run(out, frames=4, resume=True)
    assert (fewer.begun, fewer.frames) == (4, 4)
    run(tmp_path / "short.npz", frames=4)
    assert out.read_bytes() == (tmp_path / "short.npz").read_bytes()
    run(out, frames=6, watch=At(3, interrupt))
    assert run(out, frames=FRAMES, resume=True).begun == 3
    assert out.read_bytes() == whole


def test_another_output_when_it_goes_on(tmp_path: Path, whole: bytes) -> None:
    run(tmp_path / "out.npz", watch=At(5, interrupt))
    outputs = [tmp_path / "out.pc2", tmp_path / "out.npz"]
    assert bake(bakes.swinging, outputs, frames=FRAMES, resume=True).begun == 5
    assert (tmp_path / "out.npz").read_bytes() == whole
    assert not (tmp_path / "out.npz.part").exists() and (tmp_path / "out-bar.pc2").exists()


def test_begun_anew_without_resume(tmp_path: Path, whole: bytes) -> None:
    out, watch = tmp_path / "out.npz", At()
    run(out, watch=At(5, interrupt))
    assert run(out, watch=watch).begun == 0
    assert watch.said == ["out.npz.part is of an earlier bake and is begun anew; --resume would go on with it"]
    assert out.read_bytes() == whole


def test_nothing_to_go_on_with(tmp_path: Path, whole: bytes) -> None:
    watch = At()
    assert run(tmp_path / "out.npz", resume=True, watch=watch).begun == 0
    assert watch.said == ["there is nothing to go on with; it begins at the first frame"]
    assert (tmp_path / "out.npz").read_bytes() == whole


def test_another_show_is_not_gone_on_with(tmp_path: Path) -> None:
    out = tmp_path / "out.npz"
    run(out, watch=At(5, interrupt))
    with pytest.raises(pliant.FileError, match="recorded from another scene, asset or settings; undo the change, or"):
        run(out, resume=True, show=lambda: bakes.swinging("another"))
    assert not out.exists()

    def heavier() -> Show:
        show = bakes.swinging()
        show.world["bar"].positions[0] += 1e-3
        return show

    with pytest.raises(pliant.FileError, match="the bodies have come out otherwise"):
        run(out, resume=True, show=heavier)
    assert run(out, resume=True).begun == 5  # nothing is lost


def test_a_torn_frame_is_cut_off(tmp_path: Path, whole: bytes) -> None:
    out = tmp_path / "out.npz"
    run(out, watch=At(5, interrupt))
    with open(tmp_path / "out.npz.part" / "frames.f32", "ab") as file:
        file.write(b"torn")
    run(out, resume=True)
    assert out.read_bytes() == whole


@pytest.mark.parametrize("name", ["frames.f32", "checkpoint.npz"])
def test_damage_is_told(name: str, tmp_path: Path) -> None:
    out = tmp_path / "out.npz"
    run(out, watch=At(5, interrupt))
    path = tmp_path / "out.npz.part" / name
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 0xFF
    path.write_bytes(data)
    with pytest.raises(pliant.FileError, match=r"damaged.*start anew"):
        run(out, resume=True)


def test_one_bake_at_a_time(tmp_path: Path) -> None:
    out = tmp_path / "out.npz"

    def again() -> Show:
        with pytest.raises(pliant.FileError, match="another bake is writing it"):
            run(out)
        return bakes.swinging()

    assert run(out, show=again).frames == FRAMES


def test_a_show_that_cannot_be_made_leaves_nothing(tmp_path: Path) -> None:
    def fail() -> Show:
        raise pliant.SceneError("swing.toml: line 3: no")

    with pytest.raises(pliant.SceneError, match="line 3"):
        run(tmp_path / "out.npz", show=fail)
    assert not list(tmp_path.iterdir())


def test_diverged_keeps_the_frames_before(tmp_path: Path, whole: bytes) -> None:
    def bursting() -> Show:
        show = bakes.swinging()
        step = show.step

        def burst() -> None:
            if len(steps) == 8:
                show.world["bar"].velocities[:] = 1e30
            steps.append(1)
            step()

        steps: list[int] = []
        show.step = burst  # type: ignore[method-assign]
        return show

    out = tmp_path / "out.npz"
    with pytest.raises(pliant.Diverged, match=r"use a smaller step.*the 9 frames before.*--frames 9 --resume") as told:
        run(out, show=bursting)
    assert "\n" not in str(told.value)
    assert run(out, frames=9, resume=True).frames == 9
    run(tmp_path / "nine.npz", frames=9)
    assert out.read_bytes() == (tmp_path / "nine.npz").read_bytes()
