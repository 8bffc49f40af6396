"""Takes as .glb files of the artist's own morph targets."""

from pathlib import Path

import numpy as np
import pytest

from files.gltf import takes
from files.gltf.opened import Opened
from files.gltf.takes import FPS, FRAMES, take, track
from pliant.body import Body
from pliant.files.gltf import read, write

POSES = {"wide": np.array([1.5, 1, 1]), "tall": np.array([1, 1.5, 1])}


def posed() -> Body:
    body = takes.solid()
    for name, factor in POSES.items():
        body = body.with_pose(name, body.rest * factor)
    return body


def solved(groups: int = 2) -> np.ndarray:
    """Weights over time: rest first, groups apart by a little, their mean running from rest over wide to tall."""
    time = np.linspace(0, 1, FRAMES)[:, None]
    wide, tall = np.sin(np.pi * time), time**2 * 0.5
    mean = np.concatenate([1 - wide - tall, wide, tall], axis=1)
    apart = np.linspace(-0.1, 0.1, groups)[None, :, None] * [[[-1, 0.5, 0.5]]]
    return mean[:, None] + apart


def follow(rest: np.ndarray, time: float) -> np.ndarray:
    """Exactly the blend of the mean weights, thrown and turned."""
    _, wide, tall = solved()[round(time * (FRAMES - 1))].mean(axis=0)
    return takes.fly(rest * (1 + wide * (POSES["wide"] - 1) + tall * (POSES["tall"] - 1)), time)


def test_targets_are_the_poses(tmp_path: Path) -> None:
    body = posed()
    write(take(track(body, follow, weights=solved(), groups=2)), tmp_path / "x.glb", style="weights")
    made = Opened(tmp_path / "x.glb")
    assert made.json["meshes"][0]["extras"]["targetNames"] == ["wide", "tall"]
    attributes = made.json["meshes"][0]["primitives"][0]["attributes"]
    base, normals = made.values(attributes["POSITION"]), made.values(attributes["NORMAL"])
    assert base == pytest.approx(body.skin.vertices, abs=1e-6)
    for name, target in zip(POSES, made.targets(), strict=True):
        wanted = body.skin.deform(body.poses[name])
        assert base + made.values(target["POSITION"]) == pytest.approx(wanted, abs=1e-6)
        assert normals + made.values(target["NORMAL"]) == pytest.approx(body.skin.normals(wanted), abs=2e-4)


def test_weights_are_the_mean_over_groups(tmp_path: Path) -> None:
    write(take(track(posed(), follow, weights=solved(), groups=2)), tmp_path / "x.glb", style="weights")
    times, values = Opened(tmp_path / "x.glb").channels()[0, "weights"]
    assert times == pytest.approx(np.arange(FRAMES) / FPS)
    assert values.reshape(FRAMES, 2) == pytest.approx(solved().mean(axis=1)[:, 1:], abs=1e-6)


def test_the_node_carries_the_rest_of_the_motion(tmp_path: Path) -> None:
    """A body that is exactly the blend of its poses comes back exactly."""
    written = take(track(posed(), follow, weights=solved(), groups=2))
    write(written, tmp_path / "x.glb", style="weights")
    times = [frame / FPS for frame in range(FRAMES)]
    asset = read(tmp_path / "x.glb", sample=times)
    for frame, time in enumerate(times):
        assert asset.poses[f"at {time:g} s"] == pytest.approx(written.tracks[0].surface(frame), abs=1e-5)


def test_it_is_small(tmp_path: Path) -> None:
    written = take(track(posed(), takes.tumble, weights=solved(), groups=2, frames=FRAMES))
    write(written, tmp_path / "vertices.glb", tolerance=0.0)
    write(written, tmp_path / "weights.glb", style="weights")
    assert (tmp_path / "weights.glb").stat().st_size < 0.3 * (tmp_path / "vertices.glb").stat().st_size


def test_actors_of_one_body_share_its_mesh(tmp_path: Path) -> None:
    body = posed()
    tracks = [track(body, follow, f"bar {k}", weights=solved(), groups=2) for k in range(4)]
    write(take(*tracks), tmp_path / "x.glb", style="weights")
    made = Opened(tmp_path / "x.glb")
    assert len(made.json["meshes"]) == 1
    assert [node["mesh"] for node in made.json["nodes"]] == [0] * 4
    assert {key for key in made.channels() if key[1] == "weights"} == {(node, "weights") for node in range(4)}


def test_bodies_without_poses_come_along(tmp_path: Path) -> None:
    written = take(track(posed(), follow, "bar", weights=solved(), groups=2), track(takes.rod(), takes.fly, "cord"))
    write(written, tmp_path / "x.glb", style="weights")
    made = Opened(tmp_path / "x.glb")
    assert [node["name"] for node in made.json["nodes"]] == ["bar", "cord"]
    assert (1, "weights") not in made.channels()
    assert (1, "rotation") in made.channels()


def test_a_straight_rope_does_not_spin(tmp_path: Path) -> None:
    """Nothing tells how a straight line is turned about itself: from frame to frame it must not jump."""
    body = takes.rod().with_pose("long", lambda rest: rest * 2)

    def wave(rest: np.ndarray, time: float) -> np.ndarray:
        angle = 2 * time
        return np.stack([rest[:, 0] * np.cos(angle), rest[:, 0] * np.sin(angle), np.full(len(rest), time)], axis=1)

    write(take(track(body, wave)), tmp_path / "x.glb", style="weights")
    _, turns = Opened(tmp_path / "x.glb").channels()[0, "rotation"]
    steps = 2 * np.arccos(np.clip(np.einsum("tj,tj->t", turns[1:], turns[:-1]), -1, 1))
    assert steps == pytest.approx(np.full(FRAMES - 1, 2 / (FRAMES - 1)), abs=1e-3)
