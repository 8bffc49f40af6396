"""Films and pictures of a bake."""

import os
import signal
from pathlib import Path

import pytest
from PIL import Image

import pliant
from pliant.scene import scene_from_text, show_of
from pliant.scene.show import Show
from pliant.session.bake import Watch, bake
from pliant.session.outputs import Options
from pliant.session.recording import record

TUG = """
[world]
seconds = 0.4
fps = 24
[[colliders]]
type = "plane"
[[bodies]]
shape = { type = "cuboid", size = [0.4, 1.0, 0.4], cells = [2, 5, 2] }
position = [0, 0.5, 0]
[[bodies.handles]]
where = { side = "top" }
begin = 0.1
end = 0.3
stiffness = 50
path = [[0, [0, 0, 0]], [0.3, [1.5, 1.0, 0]]]
"""
SMALL = Options(size=(160, 96))
FRAMES = 11


def tug() -> Show:
    return show_of(scene_from_text(TUG))


class StopAt(Watch):
    def __init__(self, frame: int) -> None:
        self.frame = frame

    def simulating(self, done: int, total: int, begun: int) -> None:
        if done == self.frame:
            os.kill(os.getpid(), signal.SIGINT)


def files(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    folder = tmp_path_factory.mktemp("whole")
    bake(tug, [folder / "png", folder / "tug.mp4"], options=SMALL)
    return files(folder)


@pytest.mark.slow
def test_a_film_and_its_pictures(whole: dict[str, bytes], tmp_path: Path) -> None:
    names = [f"png/frame_{number:04}.png" for number in range(1, FRAMES + 1)]
    assert set(whole) == {"tug.mp4", *names}
    (tmp_path / "one.png").write_bytes(whole[names[0]])
    assert Image.open(tmp_path / "one.png").size == (160, 96)
    assert len(set(whole[name] for name in names)) > FRAMES // 2  # it moves


@pytest.mark.slow
def test_the_same_film_when_it_was_stopped(whole: dict[str, bytes], tmp_path: Path) -> None:
    """Handles are drawn where they were, also those that were let go before it went on."""
    outputs = [tmp_path / "tug.mp4", tmp_path / "png"]
    assert bake(tug, outputs, options=SMALL, watch=StopAt(9)).stopped
    assert not bake(tug, outputs, options=SMALL, resume=True).stopped
    assert files(tmp_path) == whole


@pytest.mark.slow
def test_size_and_camera(tmp_path: Path, whole: dict[str, bytes]) -> None:
    above = Options(size=(64, 48), camera=(0, 1, 0.1))
    bake(tug, [tmp_path / "png"], frames=1, options=above)
    picture = Image.open(tmp_path / "png" / "frame_0001.png")
    assert picture.size == (64, 48)


def test_what_cannot_be_drawn_is_told_before(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def never() -> Show:
        raise AssertionError("nothing should be simulated")

    with pytest.raises(pliant.FileError, match="1 x 99999 pixels; give a size from 16"):
        bake(never, [tmp_path / "a.mp4"], options=Options(size=(1, 99999)))
    with pytest.raises(pliant.FileError, match="too many for a film"):
        bake(lambda: show_of(scene_from_text(TUG), fps=2000), [tmp_path / "a.mp4"])

    def no_egl() -> None:
        raise pliant.PliantError("pictures need OpenGL")

    monkeypatch.setattr("pliant.session.render.context.open_context", no_egl)
    with pytest.raises(pliant.PliantError, match="pictures need OpenGL"):
        bake(never, [tmp_path / "a.glb", tmp_path / "png"])
    assert not list(tmp_path.iterdir())


def test_two_shows_side_by_side(tmp_path: Path) -> None:
    """What is recorded in memory can be shown beside another."""
    from pliant.session.render.movie import write_pictures

    soft = record(show_of(scene_from_text(TUG)), frames=2)
    stiff = record(show_of(scene_from_text(TUG), changes=["stiffness=5"]), frames=2)
    assert soft.frames == 2 and soft.tracks[0].positions.shape == (2, 54, 3)
    write_pictures([soft, stiff], tmp_path / "png", size=(160, 96), captions=["soft", "stiff"])
    assert len(list((tmp_path / "png").iterdir())) == 2
