"""Takes of oriented particles as .glb files in which the particles are the joints of a skeleton."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from scipy.sparse import csr_array

import pliant
from files.gltf import jointed, takes
from files.gltf.jointed import MOTIONS, bar, track
from files.gltf.opened import Opened
from files.gltf.takes import FPS, FRAMES, take
from files.gltf.test_write import OneByOne, worst
from pliant.files.gltf import read, write
from pliant.files.gltf.skeletons import WHOLE_WEIGHT, influences
from pliant.files.take import Track
from pliant.files.writing import write_take
from pliant.geometry.measures import diagonal
from pliant.graph import graph_of
from pliant.runtime.errors import FileError

ROUNDING = 1e-5  # weights are counted in parts of 65535


@pytest.mark.parametrize("tolerance", [0.0, 1e-4, 1e-2, 0.2])
@pytest.mark.parametrize("motion", [name for name in MOTIONS if name != "still"])
def test_every_frame_is_within_the_tolerance(tmp_path: Path, motion: str, tolerance: float) -> None:
    written = jointed.jointed(bar(), MOTIONS[motion])
    write(written, tmp_path / "x.glb", tolerance=tolerance)
    assert Opened(tmp_path / "x.glb").targets() == []
    assert worst(tmp_path / "x.glb", written) <= tolerance + ROUNDING


@pytest.mark.parametrize("body", [jointed.cloth, jointed.cord])
def test_shells_and_rods(tmp_path: Path, body) -> None:
    written = jointed.jointed(body())
    write(written, tmp_path / "x.glb")
    assert "skins" in Opened(tmp_path / "x.glb").json
    assert worst(tmp_path / "x.glb", written) <= 1e-4 + ROUNDING


def test_the_cloth_is_seen_from_both_sides(tmp_path: Path) -> None:
    for body, both in ((jointed.cloth(), True), (bar(), False)):
        write(jointed.jointed(body), tmp_path / "x.glb")
        (material,) = Opened(tmp_path / "x.glb").json["materials"]
        assert material.get("doubleSided", False) is both


def test_joints_are_the_particles_under_a_root(tmp_path: Path) -> None:
    body = bar()
    write(take(track(body, name="toy")), tmp_path / "x.glb")
    made = Opened(tmp_path / "x.glb")
    (skin,) = made.json["skins"]
    nodes = made.json["nodes"]
    assert [nodes[joint]["name"] for joint in skin["joints"]] == [f"toy {number}" for number in range(12)]
    root = nodes[skin["skeleton"]]
    assert root["name"] == "toy skeleton"
    assert root["children"] == skin["joints"]
    binds = made.values(skin["inverseBindMatrices"]).reshape(-1, 4, 4)
    assert binds[:, 3, :3] == pytest.approx(-body.rest, abs=1e-6)
    assert (binds[:, :3, :3] == np.eye(3)).all()
    (mesh,) = (node for node in nodes if "mesh" in node)
    assert (mesh["name"], mesh["skin"]) == ("toy", 0)
    assert made.json["scenes"][0]["nodes"] == [nodes.index(mesh), skin["skeleton"]]
    attributes = made.json["meshes"][0]["primitives"][0]["attributes"]
    assert made.values(attributes["POSITION"]) == pytest.approx(body.skin.vertices, abs=1e-6)


def test_the_first_frame_is_shown_where_nothing_plays(tmp_path: Path) -> None:
    written = take(track(bar(), lambda rest, time: jointed.tumble(rest, time + 0.3)))
    write(written, tmp_path / "x.glb")
    assert read(tmp_path / "x.glb").vertices == pytest.approx(written.tracks[0].surface(0), abs=1e-5)


@pytest.mark.parametrize("particles", [1, 3, 12, 256, 300])
def test_weights_add_up_exactly(tmp_path: Path, particles: int) -> None:
    body = bar(particles) if particles < 100 else jointed.swarm(particles)
    write(jointed.jointed(body), tmp_path / "x.glb")
    made = Opened(tmp_path / "x.glb")
    attributes = made.json["meshes"][0]["primitives"][0]["attributes"]
    sets = range(2 if body.skin.indices.shape[1] > 4 else 1)  # of four: vertices hang on up to eight
    assert ("JOINTS_1" in attributes) == (particles == 12)
    joints, weights = (
        np.concatenate([made.values(attributes[f"{name}_{each}"]) for each in sets], axis=1).astype(int)
        for name in ("JOINTS", "WEIGHTS")
    )
    assert made.json["accessors"][attributes["JOINTS_0"]]["componentType"] == (5123 if particles > 256 else 5121)
    assert (weights.sum(axis=1) == WHOLE_WEIGHT).all()
    assert (np.diff(weights, axis=1) <= 0).all()
    assert (joints[weights == 0] == 0).all()
    off = spread(joints, weights / WHOLE_WEIGHT, particles) - spread(body.skin.indices, body.skin.weights, particles)
    assert abs(off).max() < 1.5 / WHOLE_WEIGHT


def spread(slots: np.ndarray, weights: np.ndarray, particles: int) -> csr_array:
    """The weight of each particle for each vertex, (vertices, particles)."""
    rows = np.repeat(np.arange(len(slots)), slots.shape[1])
    return csr_array((weights.ravel().astype(float), (rows, slots.ravel())), shape=(len(slots), particles))


def test_a_joint_that_holds_a_vertex_twice_is_there_once() -> None:
    slots = np.array([[3, 1, 3, 2], [5, 5, 5, 5], [0, 2, 1, 0]], np.int32)
    weights = np.array([[0.3, 0.2, 0.3, 0.2], [0.25] * 4, [0.0, 0.5, 0.5, 0.0]])
    skin = replace(bar().skin, vertices=np.zeros((3, 3)), faces=[[0, 1, 2]], indices=slots, weights=weights,
                   offsets=None, axes=None, uv=None, colours=None, look=None, twins=None)  # fmt: skip
    joints, parts = influences(skin)
    assert joints.tolist() == [[3, 1, 2, 0], [5, 0, 0, 0], [1, 2, 0, 0]]
    assert parts[1].tolist() == [WHOLE_WEIGHT, 0, 0, 0]
    assert parts[:, 0] / WHOLE_WEIGHT == pytest.approx([0.6, 1, 0.5], abs=1e-4)


def test_rotations_take_the_short_way(tmp_path: Path) -> None:
    """The track has quaternions of either sign."""
    write(jointed.jointed(bar()), tmp_path / "x.glb", tolerance=0.0)
    turns = [values for (_, path), (_, values) in Opened(tmp_path / "x.glb").channels().items() if path == "rotation"]
    assert len(turns) >= 12
    for values in turns:
        assert np.linalg.norm(values, axis=1) == pytest.approx(np.ones(len(values)), abs=1e-6)
        assert (np.einsum("tj,tj->t", values[1:], values[:-1]) > 0).all()


def test_a_flying_body_is_carried_by_its_root(tmp_path: Path) -> None:
    write(jointed.jointed(bar(), jointed.fly), tmp_path / "x.glb")
    made = Opened(tmp_path / "x.glb")
    root = made.json["skins"][0]["skeleton"]
    assert set(made.channels()) == {(root, "translation"), (root, "rotation")}


def test_what_does_not_move_has_no_animation(tmp_path: Path) -> None:
    write(jointed.jointed(bar(), jointed.still), tmp_path / "x.glb")
    assert "animations" not in Opened(tmp_path / "x.glb").json
    found = read(tmp_path / "x.glb").vertices
    assert found == pytest.approx(bar().skin.vertices + np.array([0, 2, 0]), abs=1e-5)


def test_only_joints_that_move_have_keys(tmp_path: Path) -> None:
    write(jointed.jointed(bar(), jointed.nod), tmp_path / "x.glb")
    made = Opened(tmp_path / "x.glb")
    joints = made.json["skins"][0]["joints"]
    assert set(made.channels()) == {(joints[-1], "rotation")}


def test_a_larger_tolerance_makes_a_smaller_file(tmp_path: Path) -> None:
    sizes = []
    for tolerance in (0.0, 1e-3, 1e-2, 1e-1):
        write(jointed.jointed(bar()), tmp_path / "x.glb", tolerance=tolerance)
        sizes.append((tmp_path / "x.glb").stat().st_size)
    assert sizes == sorted(sizes, reverse=True)
    assert sizes[3] < 0.75 * sizes[0]


@pytest.mark.slow
def test_it_is_small_and_what_was_simulated(tmp_path: Path) -> None:
    body = graph_of(pliant.shapes.dinosaur(), 30)
    written = take(track(body, frames=61))
    write(written, tmp_path / "x.glb")
    write(written, tmp_path / "vertices.glb", style="vertices")
    small, large = ((tmp_path / name).stat().st_size for name in ("x.glb", "vertices.glb"))
    assert len(body.skin.vertices) > 5000
    assert small < 0.1 * large
    times = [0.0, 20 / FPS, 47 / FPS]
    asset = read(tmp_path / "x.glb", sample=times)
    for time in times:
        off = asset.poses[f"at {time:g} s"] - written.tracks[0].surface(round(time * FPS))
        assert np.linalg.norm(off, axis=1).max() < 1.1e-4 * diagonal(body.skin.vertices)


def test_actors_of_one_body_share_its_numbers(tmp_path: Path) -> None:
    body = bar()
    written = take(*(track(body, motion, f"toy {k}") for k, motion in enumerate(MOTIONS.values())))
    write(written, tmp_path / "x.glb")
    made = Opened(tmp_path / "x.glb")
    assert len({skin["inverseBindMatrices"] for skin in made.json["skins"]}) == 1
    assert len({skin["skeleton"] for skin in made.json["skins"]}) == 4
    primitives = [mesh["primitives"][0] for mesh in made.json["meshes"]]
    assert all(each["attributes"] == primitives[0]["attributes"] for each in primitives)
    assert len({each["material"] for each in primitives}) == 4
    assert worst(tmp_path / "x.glb", written) <= 1e-4 + ROUNDING
    write(take(*(track(body, jointed.fly, f"toy {k}") for k in range(10))), tmp_path / "x.glb")
    assert len(Opened(tmp_path / "x.glb").json["meshes"]) == 8  # as many as there are hues


def test_looks_come_along(tmp_path: Path) -> None:
    body = graph_of(takes.painted(tmp_path / "painted.glb"), 10)
    written = take(track(body))
    write(written, tmp_path / "x.glb")
    made = Opened(tmp_path / "x.glb")
    primitives = made.json["meshes"][0]["primitives"]
    assert [made.json["materials"][each["material"]]["name"] for each in primitives] == ["fur", "glass"]
    assert all({"TEXCOORD_0", "JOINTS_0", "WEIGHTS_0"} <= set(each["attributes"]) for each in primitives)
    assert len(made.json["images"]) == 2
    assert worst(tmp_path / "x.glb", written) <= 1e-4 + ROUNDING


def test_other_bodies_in_the_take_are_vertices(tmp_path: Path) -> None:
    written = take(track(bar(), name="joints"), takes.track(takes.solid(), takes.wag, "plain"))
    for style in (None, "skeleton"):
        write(written, tmp_path / "x.glb", style=style)
        made = Opened(tmp_path / "x.glb")
        assert [skin["name"] for skin in made.json["skins"]] == ["joints"]
        assert made.targets(0) == []
        assert made.targets(1) != []
        assert worst(tmp_path / "x.glb", written) <= 1e-4 + ROUNDING


@pytest.mark.parametrize("style", ["vertices", "weights"])
def test_other_styles_are_possible(tmp_path: Path, style: str) -> None:
    body = bar().with_pose("wide", lambda rest: rest * [1.5, 1, 1])
    written = jointed.jointed(body)
    write(written, tmp_path / "x.glb", style=style)
    made = Opened(tmp_path / "x.glb")
    assert "skins" not in made.json
    assert made.targets() != []
    if style == "vertices":
        assert worst(tmp_path / "x.glb", written) <= 1e-4 + 1e-6
    else:
        (wide,) = read(tmp_path / "x.glb").poses.values()
        moved = wide - read(tmp_path / "x.glb").vertices
        assert np.linalg.norm(moved, axis=1) == pytest.approx(
            np.linalg.norm(body.surface("wide") - body.skin.vertices, axis=1), abs=1e-5
        )


def test_a_body_without_joints_is_refused(tmp_path: Path) -> None:
    plain = take(takes.track(takes.solid(), takes.wag))
    said = r'x\.glb: no body is made of oriented particles, so there are no joints; choose the style "vertices"'
    with pytest.raises(FileError, match=said):
        write(plain, tmp_path / "x.glb", style="skeleton")
    with pytest.raises(FileError, match=r'x\.usda: the style "skeleton" is for \.glb'):
        write_take(plain, tmp_path / "x.usda", style="skeleton")
    assert not list(tmp_path.iterdir())


def test_frames_are_taken_one_by_one(tmp_path: Path) -> None:
    whole = track(bar())
    arrays = [OneByOne(each) for each in (whole.positions, whole.weights, whole.rotations)]
    lazy = Track(whole.name, whole.body, arrays[0], arrays[1], whole.groups, arrays[2])  # type: ignore[arg-type]
    write(take(lazy), tmp_path / "lazy.glb")
    write(take(whole), tmp_path / "whole.glb")
    assert (tmp_path / "lazy.glb").read_bytes() == (tmp_path / "whole.glb").read_bytes()


def test_progress(tmp_path: Path) -> None:
    said: list[tuple[int, int]] = []
    two = take(track(bar(), name="a"), track(bar(), jointed.fly, "b"))
    write(two, tmp_path / "x.glb", progress=lambda done, all: said.append((done, all)))
    assert said == [(done, 2 * FRAMES) for done in range(1, 2 * FRAMES + 1)]


def test_one_frame(tmp_path: Path) -> None:
    written = take(track(bar(), frames=1))
    write(written, tmp_path / "x.glb")
    assert "animations" not in Opened(tmp_path / "x.glb").json
    assert read(tmp_path / "x.glb").vertices == pytest.approx(written.tracks[0].surface(0), abs=1e-5)
