"""Films and folders of pictures, as ffprobe and the eye see them."""

import sys
from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

import films
import pliant
from pliant.files.take import Take
from pliant.runtime.errors import FileError, PliantError
from pliant.session.render import encoder
from pliant.session.render.movie import write_movie, write_pictures

BAR = pliant.shapes.cuboid(size=(0.5, 0.5, 1), cells=(2, 2, 4))
SMALL: dict[str, Any] = {"size": (128, 96), "quality": "draft", "colliders": [pliant.Plane()]}


def hop(frames: int = 5, fps: float = 24.0) -> Take:
    """A bar that goes up a little in each frame."""
    return films.moved(BAR, lambda frame: (0.0, 0.3 + 0.2 * frame, 0.0), frames, fps)


def orange(picture: np.ndarray) -> np.ndarray:
    """Where the first actor's colour is."""
    return picture[..., 0].astype(int) > picture[..., 2].astype(int) + 60


@pytest.mark.parametrize(
    ("fps", "wanted"),
    [(24, Fraction(24)), (23.976, Fraction(24000, 1001)), (12.5, Fraction(25, 2)), (60, Fraction(60))],
)
def test_ffprobe_agrees_on_frames_rate_and_size(tmp_path: Path, fps: float, wanted: Fraction) -> None:
    seen: list[tuple[int, int]] = []
    notes = write_movie(hop(5, fps), tmp_path / "hop.mp4", progress=lambda done, of: seen.append((done, of)), **SMALL)
    assert films.probe(tmp_path / "hop.mp4") == films.Facts("h264", "yuv420p", (128, 96), wanted, 5)
    assert seen == [(done, 5) for done in range(1, 6)]
    assert notes == ()
    assert [path.name for path in tmp_path.iterdir()] == ["hop.mp4"]


def test_one_frame_is_a_film(tmp_path: Path) -> None:
    write_movie(hop(1), tmp_path / "one.mp4", **SMALL)
    assert films.probe(tmp_path / "one.mp4").frames == 1


def test_odd_sizes_become_even_in_films_and_stay_in_pictures(tmp_path: Path) -> None:
    odd = {**SMALL, "size": (129, 97)}
    write_movie(hop(1), tmp_path / "odd.mp4", **odd)
    assert films.probe(tmp_path / "odd.mp4").size == (130, 98)
    write_pictures(hop(1), tmp_path / "png", **odd)
    assert Image.open(tmp_path / "png" / "frame_0001.png").size == (129, 97)


def test_a_film_shows_what_the_take_does(tmp_path: Path) -> None:
    write_movie(hop(), tmp_path / "hop.mp4", **SMALL)
    write_pictures(hop(), tmp_path / "png", **SMALL)
    shown = films.pictures(tmp_path / "hop.mp4")
    heights = [np.argwhere(orange(picture))[:, 0].mean() for picture in shown]
    assert all(later < earlier - 3 for earlier, later in pairwise(heights)), "it rises"
    assert sorted(path.name for path in (tmp_path / "png").iterdir()) == [f"frame_{n:04}.png" for n in range(1, 6)]
    for number, picture in enumerate(shown, 1):
        drawn = np.asarray(Image.open(tmp_path / "png" / f"frame_{number:04}.png"), np.float64)
        assert np.abs(drawn - picture).mean() < 3.0, "colours come back as they were"


@pytest.mark.slow
def test_the_same_take_gives_the_same_bytes(tmp_path: Path) -> None:
    for name in ("a", "b"):
        write_movie(hop(), tmp_path / f"{name}.mp4", **SMALL)
        write_pictures(hop(2), tmp_path / name, **SMALL)
    assert (tmp_path / "a.mp4").read_bytes() == (tmp_path / "b.mp4").read_bytes()
    for path in (tmp_path / "a").iterdir():
        assert path.read_bytes() == (tmp_path / "b" / path.name).read_bytes()
    assert b"Lavf" not in (tmp_path / "a.mp4").read_bytes(), "no names of programs' versions in the file's head"


def test_positions_are_read_frame_by_frame(tmp_path: Path) -> None:
    class OnDisk:
        """As a map of a file: it gives single frames."""

        def __init__(self, array: np.ndarray) -> None:
            self.array = array

        def __len__(self) -> int:
            return len(self.array)

        def __getitem__(self, index: int) -> np.ndarray:
            assert isinstance(index, int), "one frame at a time"
            return self.array[index]

        def __array__(self, *_: object, **__: object) -> np.ndarray:
            raise AssertionError("all frames at once")

    take = hop(3)
    (one,) = take.tracks
    lazy = type(one)(one.name, one.body, OnDisk(one.positions), OnDisk(one.weights), one.groups)  # type: ignore[arg-type]
    write_movie(Take("lazy", 24.0, (lazy,)), tmp_path / "lazy.mp4", **SMALL)
    write_movie(take, tmp_path / "plain.mp4", **SMALL)
    assert (tmp_path / "lazy.mp4").read_bytes() == (tmp_path / "plain.mp4").read_bytes()


def test_takes_side_by_side(tmp_path: Path) -> None:
    low, high = hop(2), films.moved(BAR, lambda frame: (0.0, 2.0, 0.0), 4)
    write_pictures([low, high], tmp_path / "png", captions=["low", "high"], **{**SMALL, "size": (240, 120)})
    sheets = [np.asarray(Image.open(tmp_path / "png" / f"frame_{n:04}.png")) for n in range(1, 5)]
    assert len(sheets) == 4, "the shorter waits at its end"
    left, right = sheets[0][:, :120], sheets[0][:, 120:]
    middles = [np.argwhere(orange(half)).mean(axis=0) for half in (left, right)]
    assert middles[0][0] > middles[1][0] + 10, "one camera for both: what is higher is shown higher"
    assert orange(left).sum() == pytest.approx(orange(right).sum(), rel=0.25), "and in the same size"
    assert np.array_equal(sheets[1][:, :117], sheets[3][:, :117])
    captions = sheets[0][-24:]
    assert (captions[:, :117].min(axis=(0, 2)) < 120).any() and (captions[:, 123:].min(axis=(0, 2)) < 120).any()
    assert not np.array_equal(captions[:, :117], captions[:, 123:])


def test_each_take_has_its_own_colliders_and_handles(tmp_path: Path) -> None:
    ball = pliant.Sphere(centre=(0, 0.5, 1.2), radius=0.4)
    grips = lambda frame: [(frame.positions["body"][0], (0.0, 1.6, 0.0))]  # noqa: E731
    wide = {**SMALL, "size": (240, 120), "colliders": [[ball], []], "grips": [None, grips]}
    write_pictures([hop(1), hop(1)], tmp_path / "png", **wide)
    picture = np.asarray(Image.open(tmp_path / "png" / "frame_0001.png")).astype(int)
    left, right = picture[:, :117], picture[:, 123:]
    assert (left.max(axis=2) < 90).sum() < 10 < (right.max(axis=2) < 90).sum(), "dark handles on the right alone"
    grey = [(np.ptp(half, axis=2) < 12) & (half.mean(axis=2) < 215) for half in (left, right)]
    assert grey[0].sum() > grey[1].sum() + 50, "a grey ball on the left alone"


def test_four_takes_fill_the_picture(tmp_path: Path) -> None:
    write_pictures([hop(1)] * 4, tmp_path / "png", **{**SMALL, "size": (200, 200)})
    picture = np.asarray(Image.open(tmp_path / "png" / "frame_0001.png"))
    for rows in (slice(0, 97), slice(103, 200)):
        for columns in (slice(0, 97), slice(103, 200)):
            assert orange(picture[rows, columns]).sum() > 200


def test_what_is_wrong_is_one_line_that_begins_with_the_file(tmp_path: Path) -> None:
    path = tmp_path / "a.mp4"
    nan = films.moved(BAR, lambda frame: (0.0, np.nan if frame else 0.0, 0.0), 2)
    wrong: list[tuple[Any, dict[str, Any], str]] = [
        ([], {}, "no frame"),
        (Take("empty", 24.0, ()), {}, "no frame"),
        (nan, {}, "frame 2 has no finite"),
        ([hop(1, 24.0), hop(1, 25.0)], {}, "24, 25"),
        (hop(1), {"captions": ["a", "b"]}, "2 captions for 1"),
        (hop(1), {"size": (4, 4)}, "16 to 8192"),
        (hop(1), {"size": "large"}, "16 to 8192"),
        (hop(1), {"quality": "best"}, '"good" or "draft"'),
        (hop(1), {"camera": (0, 0, 0)}, "direction"),
        (hop(1), {"colliders": [[], []]}, "give one entry each"),
        ([hop(1)] * 40, {"size": (64, 64)}, "too few for 40"),
    ]
    for take, options, said in wrong:
        with pytest.raises(FileError, match=said) as caught:
            write_movie(take, path, **{**SMALL, **options})
        assert str(caught.value).startswith(str(path)) and "\n" not in str(caught.value)
    assert not list(tmp_path.iterdir())


def test_an_unwritable_place_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(FileError, match="cannot be written"):
        write_movie(hop(1), tmp_path / "file" / "a.mp4", **SMALL)


@pytest.mark.parametrize(
    ("script", "said"),
    [
        ("cat > /dev/null; echo 'a.mp4: No space left on device' >&2; exit 1", "No space left on device; free some"),
        ("echo 'Unknown encoder libx264' >&2; exit 1", r"ffmpeg failed \(Unknown encoder libx264\)"),
        ("exit 3", "it ended with 3"),
    ],
)
def test_when_ffmpeg_fails_nothing_is_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, script: str, said: str
) -> None:
    broken = tmp_path / "ffmpeg"
    broken.write_text(f"#!/bin/sh\n{script}\n")
    broken.chmod(0o755)
    monkeypatch.setattr(encoder, "find_ffmpeg", lambda path: str(broken))
    with pytest.raises(FileError, match=said) as caught:
        write_movie(hop(2), tmp_path / "a.mp4", **SMALL)
    assert "\n" not in str(caught.value)
    assert [path.name for path in tmp_path.iterdir()] == ["ffmpeg"]


def test_without_ffmpeg_one_line_names_the_remedy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("IMAGEIO_FFMPEG_EXE", str(tmp_path / "nowhere"))
    with pytest.raises(FileError, match=r"pip install .*imageio-ffmpeg") as caught:
        write_movie(hop(1), tmp_path / "a.mp4", **SMALL)
    assert "\n" not in str(caught.value)
    monkeypatch.setitem(sys.modules, "imageio_ffmpeg", None)
    with pytest.raises(FileError, match=r"pip install 'pliant\[render\]'"):
        write_movie(hop(1), tmp_path / "a.mp4", **SMALL)
    assert not list(tmp_path.iterdir())


def test_without_egl_one_line_names_the_remedy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(**_: object) -> None:
        raise OSError("libEGL.so.1: cannot open shared object file")

    monkeypatch.setattr("moderngl.create_context", refuse)
    for write, name in ((write_movie, "a.mp4"), (write_pictures, "png")):
        with pytest.raises(PliantError, match="apt-get install libegl1 libgl1 libgl1-mesa-dri") as caught:
            write(hop(1), tmp_path / name, **SMALL)
        assert "\n" not in str(caught.value)
    assert not list(tmp_path.iterdir())


def test_a_film_that_is_interrupted_leaves_nothing(tmp_path: Path) -> None:
    def stop(done: int, _: int) -> None:
        if done == 2:
            raise KeyboardInterrupt

    for write, name in ((write_movie, "a.mp4"), (write_pictures, "png")):
        with pytest.raises(KeyboardInterrupt):
            write(hop(), tmp_path / name, progress=stop, **SMALL)
    assert not list(tmp_path.iterdir())
