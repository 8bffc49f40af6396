"""A recording in one file: what is kept, how exactly, and that the rest of the file is small."""

import re
import zlib
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import bakes
import pliant
from docs import models
from pliant.files.take import Take
from pliant.gallery.shows import show_of_exhibit
from pliant.scene.show import Show
from pliant.session.player import page, scripts
from pliant.session.player.page import read_recording, write_page
from pliant.session.player.recorded import RECORDED_STEP
from pliant.session.player.shot import Shot
from pliant.session.player.unpacked import Unpacked
from pliant.session.recording import record

ABOVE_ITS_DATA = 2_000_000  # bytes: what is promised


def shot_of(show: Show, frames: int) -> Shot:
    return Shot(record(show, frames), show.world.colliders, show.camera, show.title or show.name)


@pytest.fixture(scope="module")
def swinging() -> Shot:
    """Moving obstacles, groups, bodies with and without poses."""
    return shot_of(bakes.swinging(), 12)


def written(shot: Shot, folder: Path) -> Unpacked:
    write_page(shot, folder / "shot.html")
    return Unpacked(read_recording(folder / "shot.html"))


def test_nothing_of_the_recording_is_lost(swinging: Shot, tmp_path: Path) -> None:
    found = written(swinging, tmp_path)
    assert (found.name, found.title, found.fps, found.frames) == ("swinging", "swinging", 30.0, 12)
    assert found.actors == [track.name for track in swinging.take.tracks]
    for number in range(12):
        for track, (positions, turns) in zip(swinging.take.tracks, found.moment(number), strict=True):
            off = np.abs(positions - track.positions[number]).max()
            assert turns is None and off <= 0.51 * RECORDED_STEP * np.linalg.norm(track.body.size)
    bar = swinging.take.tracks[0]
    assert [names["names"] for names in found.setup["bars"]] == [["rest", "twist", "squash"]]
    np.testing.assert_array_equal(found.numbers, bar.weights[:, 0])
    box = swinging.colliders[1]
    for number, time in enumerate(swinging.take.times):
        turn, centre = box.placed(time)
        np.testing.assert_allclose(found.places[number, 0], [*turn.ravel(), *centre], atol=1e-6)


@pytest.mark.slow
def test_particles_that_turn(tmp_path: Path) -> None:
    shot = shot_of(show_of_exhibit("dinosaur-fall"), 8)
    found = written(shot, tmp_path)
    (track,) = shot.take.tracks
    for number in range(8):
        ((positions, turns),) = found.moment(number)
        assert turns is not None
        np.testing.assert_allclose(turns, track.rotations[number], atol=0.51 * RECORDED_STEP)  # type: ignore[index]
        skin = found.skins[0].deform(positions, turns)
        size = np.linalg.norm(track.body.size)
        assert np.abs(skin - track.surface(number)).max() < 3 * RECORDED_STEP * size


def test_the_file_is_small_above_its_data(swinging: Shot, tmp_path: Path) -> None:
    written(swinging, tmp_path)
    whole = (tmp_path / "shot.html").stat().st_size
    assert whole - len(read_recording(tmp_path / "shot.html")) < ABOVE_ITS_DATA
    raw = sum(track.positions.nbytes for track in swinging.take.tracks)
    ways = zlib.decompress(read_recording(tmp_path / "shot.html"))[-raw:]
    assert len(zlib.compress(ways, 9)) < 0.6 * raw  # of bodies that all move


@pytest.mark.slow
def test_a_frame_costs_what_the_page_says(tmp_path: Path) -> None:
    """docs/formats/html.md: a bar of 225 particles takes about 0.9 kB a frame."""
    sizes = []
    for frames in (1, 151):
        write_page(shot_of(show_of_exhibit("twist-bar"), frames), tmp_path / "shot.html")
        sizes.append((tmp_path / "shot.html").stat().st_size)
    assert (sizes[1] - sizes[0]) / 150 == pytest.approx(900, rel=0.1)


def test_the_same_shot_gives_the_same_bytes(swinging: Shot, tmp_path: Path) -> None:
    for name in ("a.html", "b.html"):
        write_page(swinging, tmp_path / name)
    assert (tmp_path / "a.html").read_bytes() == (tmp_path / "b.html").read_bytes()


def test_nothing_comes_from_outside(swinging: Shot, tmp_path: Path) -> None:
    written(swinging, tmp_path)
    text = (tmp_path / "shot.html").read_text(encoding="utf-8")
    assert not re.findall(r"""(?:src|href)\s*=\s*["']?(?!data:|blob:)""", re.sub(r"xmlns='[^']*'", "", text))
    assert "default-src 'none'" in text
    assert text.count("{{") == 0


def test_a_title_is_text(swinging: Shot, tmp_path: Path) -> None:
    found = written(replace(swinging, title="</script><b>&amp;"), tmp_path)
    text = (tmp_path / "shot.html").read_text(encoding="utf-8")
    assert "<title>&lt;/script&gt;&lt;b&gt;&amp;amp;</title>" in text
    assert found.title == "</script><b>&amp;"


def test_more_than_browsers_open(swinging: Shot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(page, "LARGEST_RECORDING", 2**14)
    monkeypatch.setattr(page, "GROUP", 3 << 10)
    with pytest.raises(pliant.FileError, match=r"shot.html: the recording has more than 0 MB.*give fewer --frames"):
        write_page(swinging, tmp_path / "shot.html")
    assert list(tmp_path.iterdir()) == []


def test_pictures_of_a_skin_come_along(tmp_path: Path) -> None:
    models.make_all(tmp_path)
    body = pliant.load(tmp_path / "bear.glb", particles=60)
    assert body.skin.look is not None and body.skin.look.images
    world = pliant.World()
    world.add(body, pliant.ShapeMatching())
    show = Show("bear", world, seconds=0.0)
    found = written(Shot(record(show, 1)), tmp_path)
    (picture,) = found.setup["pictures"]
    assert picture["data"] == body.skin.look.images[0].data
    drawn = found.view(0).drawables
    assert any(each.texture is not None for each in drawn)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"<html></html>", "there is no recording in it"),
        (b"\xff\xfe\x00", "cannot be read: it is not text"),
        (None, "cannot be read: No such file"),
    ],
)
def test_files_that_hold_no_recording(content: bytes | None, said: str, tmp_path: Path) -> None:
    file = tmp_path / "other.html"
    if content is not None:
        file.write_bytes(content)
    with pytest.raises(pliant.FileError, match=said) as told:
        read_recording(file)
    assert str(told.value).startswith(str(file)) and "\n" not in str(told.value)


def test_a_damaged_recording() -> None:
    with pytest.raises(pliant.FileError, match=r"shot.html: the recording in it is damaged; bake it again"):
        Unpacked(b"not deflated", "shot.html")


def test_without_three_js(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scripts, "find_spec", lambda name: None)
    with pytest.raises(pliant.PliantError, match=r"three.js is missing.*pip install --force-reinstall nicegui"):
        scripts.three_js()


def test_an_empty_take_is_not_asked_for(tmp_path: Path) -> None:
    with pytest.raises(pliant.FileError, match="there is nothing to write"):
        write_page(Shot(Take("nothing", 60.0, ())), tmp_path / "shot.html")
