"""Where nodes put their meshes."""

import math
from pathlib import Path

import numpy as np
import pytest

from files.gltf.making import LIFT, SQUARE, Making, square
from pliant.files.gltf import read
from pliant.runtime.errors import FileError

HALF = math.sqrt(0.5)
QUARTER_ABOUT_Z = [0, 0, HALF, HALF]


def upward(asset) -> np.ndarray:
    """Twice the area of each triangle, towards the viewer on +z."""
    a, b, c = (asset.vertices[asset.faces[:, k]] for k in range(3))
    return np.cross(b - a, c - a)[:, 2]


def test_translation_rotation_scale(tmp_path: Path) -> None:
    making = Making()
    making.scene(making.node(mesh=making.mesh(), translation=[1, 2, 3], rotation=QUARTER_ABOUT_Z, scale=[2, 1, 1]))
    asset = read(making.glb(tmp_path / "x.glb"))
    # Scaled, then turned (x to y, y to -x), then moved.
    assert asset.vertices == pytest.approx(np.array([[1, 2, 3], [1, 4, 3], [0, 4, 3], [0, 2, 3]]))


def test_matrix_is_column_by_column(tmp_path: Path) -> None:
    making = Making()
    making.scene(making.node(mesh=making.mesh(), matrix=[0, 2, 0, 0, -1, 0, 0, 0, 0, 0, 1, 0, 1, 2, 3, 1]))
    asset = read(making.glb(tmp_path / "x.glb"))
    assert asset.vertices == pytest.approx(np.array([[1, 2, 3], [1, 4, 3], [0, 4, 3], [0, 2, 3]]))


def test_hierarchy(tmp_path: Path) -> None:
    making = Making()
    leaf = making.node(mesh=making.mesh(), translation=[1, 0, 0])
    middle = making.node(children=[leaf], rotation=QUARTER_ABOUT_Z)
    making.scene(making.node(children=[middle], scale=[10, 10, 10]))
    assert read(making.glb(tmp_path / "x.glb")).vertices[:2] == pytest.approx(np.array([[0, 10, 0], [0, 20, 0]]))


def test_poses_stand_where_their_node_does(tmp_path: Path) -> None:
    making = square(targets=[LIFT])
    making.json["nodes"][0] |= {"translation": [0, 0, 7], "scale": [1, 1, 3]}
    asset = read(making.glb(tmp_path / "x.glb"))
    assert asset.poses["target_0"] == pytest.approx((SQUARE + LIFT) * [1, 1, 3] + [0, 0, 7])


def test_a_mirror_turns_triangles_and_normals_round(tmp_path: Path) -> None:
    making = Making()
    normals = np.tile(np.float32([0, 0, 1]), (4, 1))
    making.scene(making.node(mesh=making.mesh(NORMAL=normals), scale=[-1, 1, 1]))
    asset = read(making.glb(tmp_path / "x.glb"))
    assert asset.vertices[:, 0].min() == -1
    assert (upward(asset) > 0).all()
    assert asset.normals == pytest.approx(normals)
    making.json["nodes"][0]["scale"] = [1, 1, -1]
    asset = read(making.glb(tmp_path / "x.glb"))
    assert (upward(asset) < 0).all()
    assert asset.normals == pytest.approx(-normals)


def test_normals_stand_upright_under_uneven_scale(tmp_path: Path) -> None:
    """A slope of 45 degrees, made twice as long."""
    making = Making()
    slope = np.float32([[0, 0, 0], [1, 0, -1], [1, 1, -1], [0, 1, 0]])
    normals = np.tile(np.float32([HALF, 0, HALF]), (4, 1))
    making.scene(making.node(mesh=making.mesh(slope, NORMAL=normals), scale=[2, 1, 1]))
    asset = read(making.glb(tmp_path / "x.glb"))
    assert asset.normals[0] == pytest.approx(np.array([1, 0, 2]) / math.sqrt(5))
    assert np.abs(asset.normals @ (asset.vertices[1] - asset.vertices[0])).max() < 1e-6


def test_one_mesh_on_two_nodes(tmp_path: Path) -> None:
    making = Making()
    mesh = making.mesh(targets=[LIFT], name="plate", extras={"targetNames": ["up"]})
    first, second = making.node(mesh=mesh, name="left"), making.node(mesh=mesh, name="right", translation=[5, 0, 0])
    making.scene(first, second)
    asset = read(making.glb(tmp_path / "x.glb"))
    assert asset.vertices == pytest.approx(np.concatenate([SQUARE, SQUARE + np.array([5, 0, 0])]))
    assert asset.poses["up"] - asset.vertices == pytest.approx(np.concatenate([LIFT, LIFT]))
    assert asset.faces.max() == 7
    assert [part.name for part in asset.look.parts] == ["left", "right"]
    assert asset.groups["left"].tolist() == [0, 1, 2, 3]
    assert asset.groups["right"].tolist() == [4, 5, 6, 7]


def test_the_scene_is_chosen(tmp_path: Path) -> None:
    making = Making()
    mesh = making.mesh()
    making.scene(making.node(mesh=mesh, translation=[0, 0, 1]))
    making.scene(making.node(mesh=mesh, translation=[0, 0, 2]))
    making.json["scenes"][1]["name"] = "second"
    asset = read(making.glb(tmp_path / "x.glb"))
    assert asset.vertices[0].tolist() == [0, 0, 2]
    assert asset.notes == ('scene "second" is taken, 1 more left out',)
    del making.json["scene"]
    assert read(making.glb(tmp_path / "x.glb")).vertices[0].tolist() == [0, 0, 1]


def test_without_scenes_every_root_is_shown(tmp_path: Path) -> None:
    making = Making()
    mesh = making.mesh()
    child = making.node(mesh=mesh)
    making.node(mesh=mesh, children=[child], translation=[0, 0, 1])
    making.node(mesh=mesh, translation=[0, 0, 2])
    assert sorted(read(making.glb(tmp_path / "x.glb")).vertices[::4, 2].tolist()) == [1, 1, 2]


def test_hidden_nodes_and_their_children_are_left_out(tmp_path: Path) -> None:
    making = Making()
    mesh = making.mesh()
    child = making.node(mesh=mesh)
    hidden = making.node(name="guide", children=[child], extensions={"KHR_node_visibility": {"visible": False}})
    making.scene(making.node(mesh=mesh), hidden)
    asset = read(making.glb(tmp_path / "x.glb"))
    assert len(asset.vertices) == 4
    assert asset.notes == ('node "guide" is hidden in the file and left out',)


def test_nodes_scaled_to_nothing_are_left_out(tmp_path: Path) -> None:
    making = Making()
    mesh = making.mesh()
    making.scene(making.node(mesh=mesh), making.node(mesh=mesh, name="dot", scale=[0, 0, 0]))
    asset = read(making.glb(tmp_path / "x.glb"))
    assert len(asset.vertices) == 4
    assert asset.notes == ('node "dot" is scaled to nothing and left out',)


def test_other_things_are_noted(tmp_path: Path) -> None:
    making = Making()
    mesh = making.mesh(name="cloud")
    making.json["meshes"][mesh]["primitives"].append({"mode": 0, "attributes": {"POSITION": 0}})
    making.json["meshes"][mesh]["primitives"].append({"mode": 3, "attributes": {"POSITION": 0}})
    making.json["meshes"][mesh]["primitives"].append({"attributes": {}})
    making.scene(making.node(mesh=mesh), making.node(camera=0))
    asset = read(making.glb(tmp_path / "x.glb"))
    assert len(asset.faces) == 2
    assert asset.notes == (
        'mesh "cloud": its points are left out; only triangles make a surface',
        'mesh "cloud": its lines are left out; only triangles make a surface',
        'mesh "cloud": meshes[0].primitives[3] has no positions and is left out',
    )
    del making.json["meshes"][mesh]["primitives"][0]
    with pytest.raises(FileError, match=r"its scene shows no triangle; export it with the meshes"):
        read(making.glb(tmp_path / "x.glb"))


def test_cycles(tmp_path: Path) -> None:
    making = square()
    making.node(children=[2])
    making.node(children=[1])
    with pytest.raises(FileError, match=r"nodes\[1\]: it is its own ancestor"):
        read(making.glb(tmp_path / "x.glb"))
    making.json["nodes"][0]["children"] = [0]
    with pytest.raises(FileError, match=r"nodes\[0\]: it is its own ancestor"):
        read(making.glb(tmp_path / "x.glb"))


def test_two_parents(tmp_path: Path) -> None:
    making = square()
    making.node(children=[0])
    making.node(children=[0])
    with pytest.raises(FileError, match=r"nodes\[0\]: it is a child of nodes\[1\] and of nodes\[2\]"):
        read(making.glb(tmp_path / "x.glb"))


@pytest.mark.slow
def test_a_chain_of_many_nodes(tmp_path: Path) -> None:
    making = square()
    for node in range(20_000):
        making.node(children=[node], translation=[0, 0, 1])
    making.scene(20_000)
    assert read(making.glb(tmp_path / "x.glb")).vertices[0].tolist() == [0, 0, 20_000]


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"mesh": 4}, r"nodes\[0\]: it refers to meshes\[4\], there are 1"),
        ({"mesh": "0"}, r"nodes\[0\]: mesh is '0', a whole number"),
        ({"children": [8]}, r"nodes\[0\]: it refers to nodes\[8\], there are 1"),
        ({"children": 3}, r"nodes\[0\]: children is 3, a list"),
        ({"translation": [1, 2]}, r"nodes\[0\]: translation has 2 numbers, 3 belong there"),
        ({"scale": [1, "2", 3]}, r"nodes\[0\]: scale\[1\] is '2', a number belongs there"),
        ({"matrix": [1] * 16}, r"nodes\[0\]: its matrix does not end"),
        ({"translation": [1e300, 0, 0]}, r"its nodes put a vertex beyond all numbers"),
    ],
)
def test_wrong_nodes(tmp_path: Path, change: dict, said: str) -> None:
    making = square()
    making.json["nodes"][0] |= change
    with pytest.raises(FileError, match=said):
        read(making.glb(tmp_path / "x.glb"))
