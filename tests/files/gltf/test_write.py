"""Takes as .glb files whose every frame is there."""

from pathlib import Path

import numpy as np
import pytest

from files.gltf import takes
from files.gltf.opened import Opened
from files.gltf.takes import FPS, FRAMES, MOTIONS, take, track
from pliant.files.gltf import read, write
from pliant.files.take import Take, Track
from pliant.geometry.measures import diagonal
from pliant.runtime.errors import FileError

TIMES = [frame / FPS for frame in range(FRAMES)]


def worst(path: Path, written: Take) -> float:
    """The largest distance, over all frames, between where vertices were and where the file has them, in diagonals."""
    asset = read(path, sample=TIMES[: written.frames])
    largest = 0.0
    for frame in range(written.frames):
        wanted = np.concatenate([each.surface(frame) for each in written.tracks])
        found = asset.poses.get(f"at {TIMES[frame]:g} s")
        largest = max(largest, float(np.linalg.norm(found - wanted, axis=1).max()))
    return largest / diagonal(written.tracks[0].body.skin.vertices)


@pytest.mark.parametrize("motion", [name for name in MOTIONS if name != "still"])
@pytest.mark.parametrize("tolerance", [0.0, 1e-4, 1e-2])
def test_every_frame_is_within_the_tolerance(tmp_path: Path, motion: str, tolerance: float) -> None:
    written = take(track(takes.solid(), MOTIONS[motion]))
    write(written, tmp_path / "x.glb", tolerance=tolerance)
    assert worst(tmp_path / "x.glb", written) <= tolerance + 1e-6


@pytest.mark.parametrize("body", [takes.shell, takes.rod, takes.coloured])
def test_every_kind_of_body(tmp_path: Path, body) -> None:
    written = take(track(body(), takes.tumble))
    write(written, tmp_path / "x.glb")
    assert worst(tmp_path / "x.glb", written) <= 1e-4 + 1e-6


def test_a_larger_tolerance_makes_a_smaller_file(tmp_path: Path) -> None:
    written = take(track(takes.solid(), takes.tumble))
    sizes = []
    for tolerance in (0.0, 1e-3, 1e-2, 1e-1):
        write(written, tmp_path / "x.glb", tolerance=tolerance)
        sizes.append((tmp_path / "x.glb").stat().st_size)
    assert sizes == sorted(sizes, reverse=True)
    assert sizes[0] > 2 * sizes[3]


def test_what_does_not_move_has_no_animation(tmp_path: Path) -> None:
    write(take(track(takes.solid(), takes.still)), tmp_path / "x.glb")
    made = Opened(tmp_path / "x.glb")
    assert "animations" not in made.json
    assert made.targets() == []
    found = read(tmp_path / "x.glb").vertices
    assert found == pytest.approx(takes.solid().skin.vertices + np.array([0, 2, 0]), abs=1e-6)


def test_a_flying_body_is_carried_by_its_node(tmp_path: Path) -> None:
    write(take(track(takes.solid(), takes.fly)), tmp_path / "x.glb")
    made = Opened(tmp_path / "x.glb")
    assert made.targets() == []
    assert set(made.channels()) == {(0, "translation"), (0, "rotation")}
    times, turns = made.channels()[0, "rotation"]
    assert times == pytest.approx(np.array(TIMES))
    assert (np.einsum("tj,tj->t", turns[1:], turns[:-1]) > 0.9).all()  # the short way from frame to frame


def test_straight_lines_need_their_ends_only(tmp_path: Path) -> None:
    write(take(track(takes.solid(), takes.grow)), tmp_path / "x.glb")
    made = Opened(tmp_path / "x.glb")
    assert len(made.targets()) == 1
    times, weights = made.channels()[0, "weights"]
    assert times == pytest.approx([0, 1])
    assert weights.ravel().tolist() == [0, 1]
    assert made.json["meshes"][0]["extras"] == {"targetNames": ["frame 30"]}


def test_a_body_that_comes_to_rest_needs_no_more_targets(tmp_path: Path) -> None:
    write(take(track(takes.solid(), takes.drop)), tmp_path / "x.glb")
    made = Opened(tmp_path / "x.glb")
    times, weights = made.channels()[0, "weights"]
    assert times[-1] == pytest.approx(1)  # the clip is as long as the take
    assert weights.reshape(len(times), -1)[-1].tolist() == weights.reshape(len(times), -1)[-2].tolist()
    assert len(made.targets()) <= 3


def test_a_held_body_is_written_where_it_moves(tmp_path: Path) -> None:
    body = takes.solid()
    write(take(track(body, takes.wag)), tmp_path / "x.glb")
    made = Opened(tmp_path / "x.glb")
    assert set(made.channels()) == {(0, "weights")}  # a node that turned would move the held end, too
    sparse = made.json["accessors"][made.targets()[0]["POSITION"]]
    assert "bufferView" not in sparse
    assert sparse["sparse"]["count"] == (body.skin.vertices[:, 2] > 1e-9).sum()


def test_normals_follow(tmp_path: Path) -> None:
    body = takes.painted(tmp_path / "painted.glb")
    written = take(track(body, takes.wag))
    write(written, tmp_path / "x.glb", tolerance=0.0)
    made = Opened(tmp_path / "x.glb")
    names = made.json["meshes"][0]["extras"]["targetNames"]
    start = 0
    for number, primitive in enumerate(made.json["meshes"][0]["primitives"]):
        base = made.values(primitive["attributes"]["NORMAL"])
        assert np.linalg.norm(base, axis=1) == pytest.approx(np.ones(len(base)), abs=1e-6)
        for name, target in zip(names, made.targets(0, number), strict=True):
            frame = int(name.removeprefix("frame "))
            wanted = body.skin.normals(written.tracks[0].surface(frame))[start : start + len(base)]
            assert base + made.values(target["NORMAL"]) == pytest.approx(wanted, abs=2e-4)
        start += len(base)
    assert start == len(body.skin.vertices)


def test_bounds_are_those_of_the_numbers(tmp_path: Path) -> None:
    write(take(track(takes.solid(), takes.wag)), tmp_path / "x.glb")
    made = Opened(tmp_path / "x.glb")
    bounded = [number for number, each in enumerate(made.json["accessors"]) if "min" in each]
    assert len(bounded) > 10
    for number in bounded:
        values = made.values(number)
        assert made.json["accessors"][number]["min"] == values.min(axis=0).tolist()
        assert made.json["accessors"][number]["max"] == values.max(axis=0).tolist()


def test_actors_have_their_names(tmp_path: Path) -> None:
    body = takes.solid()
    written = take(track(body, takes.wag, "left"), track(body, takes.fly, "right"), name="two bars")
    write(written, tmp_path / "x.glb")
    made = Opened(tmp_path / "x.glb")
    assert [node["name"] for node in made.json["nodes"]] == ["left", "right"]
    assert made.json["scenes"] == [{"name": "two bars", "nodes": [0, 1]}]
    assert made.json["animations"][0]["name"] == "two bars"
    assert made.json["asset"]["generator"].startswith("Pliant ")
    first, second = (mesh["primitives"][0] for mesh in made.json["meshes"])
    assert first["indices"] == second["indices"]  # what they have in common is there once
    assert first["material"] != second["material"]
    assert worst(tmp_path / "x.glb", written) <= 1e-4 + 1e-6


def test_the_same_take_gives_the_same_bytes(tmp_path: Path) -> None:
    for name in ("a.glb", "b.glb"):
        write(take(track(takes.solid(), takes.tumble)), tmp_path / name)
    assert (tmp_path / "a.glb").read_bytes() == (tmp_path / "b.glb").read_bytes()


class OneByOne:
    """Positions that can be had one frame at a time, like a map of a file that is larger than memory."""

    def __init__(self, frames: np.ndarray) -> None:
        self._frames = frames

    def __len__(self) -> int:
        return len(self._frames)

    def __getitem__(self, frame: int) -> np.ndarray:
        assert isinstance(frame, int)
        return self._frames[frame].copy()


@pytest.mark.parametrize("style", ["vertices", "weights"])
def test_frames_are_taken_one_by_one(tmp_path: Path, style: str) -> None:
    body = takes.solid().with_pose("wide", lambda rest: rest * [2, 1, 1])
    whole = track(body, takes.tumble)
    lazy = Track(whole.name, body, OneByOne(whole.positions), OneByOne(whole.weights), whole.groups)  # type: ignore[arg-type]
    write(take(lazy), tmp_path / "lazy.glb", style=style)
    write(take(whole), tmp_path / "whole.glb", style=style)
    assert (tmp_path / "lazy.glb").read_bytes() == (tmp_path / "whole.glb").read_bytes()


@pytest.mark.parametrize("style", ["vertices", "weights"])
def test_progress(tmp_path: Path, style: str) -> None:
    body = takes.solid().with_pose("wide", lambda rest: rest * [2, 1, 1])
    said: list[tuple[int, int]] = []
    write(take(track(body, takes.wag, "a"), track(body, takes.fly, "b")), tmp_path / "x.glb", style=style,
          progress=lambda done, all: said.append((done, all)))  # fmt: skip
    assert said == [(done, 2 * FRAMES) for done in range(1, 2 * FRAMES + 1)]


def test_a_take_that_cannot_be_written_leaves_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "x.glb"
    path.write_bytes(b"old")
    broken = track(takes.solid(), takes.wag, "jelly")
    broken.positions[7, 3] = np.nan
    with pytest.raises(FileError, match=r'x\.glb: actor "jelly" left the finite numbers in frame 7; bake it with'):
        write(take(broken), path)
    assert path.read_bytes() == b"old"
    assert [each.name for each in tmp_path.iterdir()] == ["x.glb"]


def test_no_folder_to_write_to(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(FileError, match=r"x\.glb: cannot be written: "):
        write(take(track(takes.solid(), takes.wag)), tmp_path / "file" / "x.glb")


def test_too_large_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pliant.files.gltf.builder.MOST_GLB_BYTES", 1000)
    with pytest.raises(FileError, match=r"x\.glb: it would have .* GB, a \.glb holds 4\.3; write fewer frames"):
        write(take(track(takes.solid(), takes.wag)), tmp_path / "x.glb")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"style": "points"}, r"x\.glb: there is no style 'points' of \.glb; choose"),
        ({"tolerance": -1.0}, r"x\.glb: the tolerance is -1\.0"),
        ({"tolerance": float("nan")}, r"x\.glb: the tolerance is nan"),
        ({"style": "weights"}, r"x\.glb: no body has example poses, so there are no weights"),
    ],
)
def test_wrong_options(tmp_path: Path, options: dict, said: str) -> None:
    with pytest.raises(FileError, match=said):
        write(take(track(takes.solid(), takes.wag)), tmp_path / "x.glb", **options)


def test_nothing_to_write(tmp_path: Path) -> None:
    for empty in (take(), take(track(takes.solid(), takes.wag, frames=0))):
        with pytest.raises(FileError, match=r"x\.glb: there is no frame to write"):
            write(empty, tmp_path / "x.glb")
