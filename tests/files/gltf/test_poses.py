"""Morph targets as poses, groups, and meshes that hang on skeletons."""

from pathlib import Path

import numpy as np
import pytest

from files.gltf.making import LIFT, SHEAR, SQUARE, SQUARE_FACES, Making, square
from pliant.files.gltf import read
from pliant.runtime.errors import FileError


def test_names(tmp_path: Path) -> None:
    asset = read(square([LIFT, SHEAR], extras={"targetNames": ["smile", "frown"]}).glb(tmp_path / "x.glb"))
    assert list(asset.poses) == ["smile", "frown"]
    assert asset.poses["smile"] == pytest.approx(SQUARE + LIFT)
    assert asset.poses["frown"] == pytest.approx(SQUARE + SHEAR)


@pytest.mark.parametrize("extras", [None, {}, {"targetNames": None}, {"targetNames": []}, {"targetNames": 7}, "x"])
def test_without_names(tmp_path: Path, extras: object) -> None:
    assert list(read(square([LIFT, SHEAR], extras=extras).glb(tmp_path / "x.glb")).poses) == ["target_0", "target_1"]


def test_poor_names(tmp_path: Path) -> None:
    making = square([LIFT, SHEAR, LIFT, LIFT], name="plate", extras={"targetNames": ["a\n b", 5, "a b"]})
    asset = read(making.glb(tmp_path / "x.glb"))
    assert list(asset.poses) == ["a b", "target_1", "a b 2", "target_3"]
    assert asset.notes == ('mesh "plate": two morph targets are called "a b", one is "a b 2" here',)


def test_names_on_the_primitive(tmp_path: Path) -> None:
    making = square([LIFT])
    making.json["meshes"][0]["primitives"][0]["extras"] = {"targetNames": ["smile"]}
    assert list(read(making.glb(tmp_path / "x.glb")).poses) == ["smile"]


def test_targets_of_the_same_name_are_one_pose(tmp_path: Path) -> None:
    making = Making()
    head = making.mesh(targets=[LIFT, SHEAR], name="head", extras={"targetNames": ["smile", "turn"]})
    teeth = making.mesh(targets=[SHEAR], name="teeth", extras={"targetNames": ["smile"]})
    hat = making.mesh(name="hat")
    making.scene(*(making.node(mesh=mesh) for mesh in (head, teeth, hat)))
    asset = read(making.glb(tmp_path / "x.glb"))
    still = np.zeros_like(SQUARE)
    assert list(asset.poses) == ["smile", "turn"]
    assert asset.poses["smile"] - asset.vertices == pytest.approx(np.concatenate([LIFT, SHEAR, still]))
    assert asset.poses["turn"] - asset.vertices == pytest.approx(np.concatenate([SHEAR, still, still]))


def test_primitives_with_and_without_targets(tmp_path: Path) -> None:
    """An exporter may leave out a target that does not move a primitive."""
    making = square([LIFT], extras={"targetNames": ["up", "shear"]})
    other = {"attributes": {"POSITION": making.accessor(SQUARE + 5)}, "indices": making.accessor(SQUARE_FACES)}
    other["targets"] = [{"NORMAL": making.accessor(LIFT)}, {"POSITION": making.accessor(SHEAR)}]
    making.json["meshes"][0]["primitives"].append(other)
    asset = read(making.glb(tmp_path / "x.glb"))
    assert asset.poses["up"] - asset.vertices == pytest.approx(np.concatenate([LIFT, LIFT * 0]))
    assert asset.poses["shear"] - asset.vertices == pytest.approx(np.concatenate([SHEAR * 0, SHEAR]))


def test_rest_is_the_mesh_without_its_targets(tmp_path: Path) -> None:
    making = square([LIFT, SHEAR], name="plate", weights=[0.0, 0.5], extras={"targetNames": ["smile", "frown"]})
    asset = read(making.glb(tmp_path / "x.glb"))
    assert np.array_equal(asset.vertices, SQUARE)
    assert asset.poses["frown"] == pytest.approx(SQUARE + SHEAR)
    assert asset.notes == ('mesh "plate" is shown with frown 0.5: the rest shape is the one without',)
    making.json["nodes"][0]["weights"] = [0.25, 0.0]
    said = read(making.glb(tmp_path / "x.glb")).notes
    assert said == ('mesh "plate" is shown with smile 0.25: the rest shape is the one without',)


def test_wrong_weights(tmp_path: Path) -> None:
    with pytest.raises(FileError, match=r"meshes\[0\]: weights has 3 numbers, 1 belong there"):
        read(square([LIFT], weights=[1, 2, 3]).glb(tmp_path / "x.glb"))


def test_blender_export_with_a_seam(tmp_path: Path) -> None:
    """A plate of two squares that share an edge, which the exporter split because coordinates jump there."""
    points = np.concatenate([SQUARE, SQUARE + np.float32([1, 0, 0])])
    bend = np.zeros_like(points)
    bend[[1, 2, 4, 7], 2] = 1  # the shared edge rises, on both sides of the seam
    making = Making()
    moved = np.array([1, 2, 4, 7], np.uint16)
    target = making.sparse(moved, bend[moved], 8)
    faces = np.concatenate([SQUARE_FACES, SQUARE_FACES + 4]).astype(np.uint16)
    uv = np.concatenate([SQUARE[:, :2], SQUARE[:, :2] * 0.5]).astype(np.float32)
    normals = np.tile(np.float32([0, 0, 1]), (8, 1))
    mesh = making.mesh(
        points, faces, [target], NORMAL=normals, TEXCOORD_0=uv, name="Plate", weights=[0],
        extras={"targetNames": ["Bend"]},
    )  # fmt: skip
    making.scene(making.node(mesh=mesh, name="Plate"))
    asset = read(making.glb(tmp_path / "plate.glb"))
    assert asset.vertices[1].tolist() == asset.vertices[4].tolist()
    assert asset.uv[1].tolist() != asset.uv[4].tolist()
    assert asset.poses["Bend"] == pytest.approx(points + bend)
    assert len(asset.vertices) == 8
    assert asset.notes == ()


def test_marks_become_groups(tmp_path: Path) -> None:
    """Attributes of an artist's own, which Blender writes if asked to."""
    asset = read(square(_HELD=np.float32([0, 1, 0.9, 0.2]), _FLOW=LIFT).glb(tmp_path / "x.glb"))
    assert {name: rows.tolist() for name, rows in asset.groups.items()} == {"HELD": [1, 2]}
    assert asset.groups["HELD"].dtype == np.int32


def skinned() -> tuple[Making, int, int]:
    """A square whose left edge hangs on one joint and whose right edge on another, modelled at the origin while the
    second joint now stands two metres to the right. The node of the mesh is elsewhere, which must not matter."""
    making = Making()
    joints = np.zeros((4, 4), np.uint8)
    joints[:, 1] = 1
    weights = np.float32([[1, 0, 0, 0], [0, 1, 0, 0], [0, 1, 0, 0], [1, 0, 0, 0]])
    mesh = making.mesh(targets=[LIFT], name="cloth", JOINTS_0=joints, WEIGHTS_0=weights)
    root = making.node(name="root", children=[1])
    tip = making.node(name="tip", translation=[2, 0, 0])
    inverses = making.accessor(np.tile(np.eye(4, dtype=np.float32).reshape(16), (2, 1)))
    making.add("skins", joints=[root, tip], inverseBindMatrices=inverses)
    making.scene(root, making.node(mesh=mesh, skin=0, translation=[50, 50, 50]))
    return making, root, tip


def test_skeletons_bend_meshes(tmp_path: Path) -> None:
    making, _, _ = skinned()
    asset = read(making.glb(tmp_path / "x.glb"))
    bent = SQUARE + np.float32([[0, 0, 0], [2, 0, 0], [2, 0, 0], [0, 0, 0]])
    assert asset.vertices == pytest.approx(bent)
    assert asset.poses["target_0"] == pytest.approx(bent + LIFT)
    assert asset.groups["root"].tolist() == [0, 3]
    assert asset.groups["tip"].tolist() == [1, 2]
    assert asset.notes == ('mesh "cloth" hangs on a skeleton: it is taken as the skeleton stands in the file',)


def test_skeletons_turn_normals_and_blend(tmp_path: Path) -> None:
    making, _, tip = skinned()
    making.json["nodes"][tip] = {"name": "tip", "rotation": [0, 1, 0, 0]}  # half a turn about y
    primitive = making.json["meshes"][0]["primitives"][0]
    primitive["attributes"]["NORMAL"] = making.accessor(np.tile(np.float32([0, 0, 1]), (4, 1)))
    asset = read(making.glb(tmp_path / "x.glb"))
    assert asset.normals == pytest.approx(np.array([[0, 0, 1], [0, 0, -1], [0, 0, -1], [0, 0, 1]]))
    assert asset.vertices[1] == pytest.approx([-1, 0, 0])
    # Half and half, and weights that do not sum to one: the mean of the two places.
    halves = np.float32([[1, 1, 0, 0]] * 4)
    primitive["attributes"]["WEIGHTS_0"] = making.accessor(halves)
    assert read(making.glb(tmp_path / "x.glb")).vertices[1] == pytest.approx([0, 0, 0])


def test_vertices_without_weights_go_with_their_first_joint(tmp_path: Path) -> None:
    making, _, _ = skinned()
    attributes = making.json["meshes"][0]["primitives"][0]["attributes"]
    attributes["WEIGHTS_0"] = making.accessor(np.zeros((4, 4), np.float32))
    assert read(making.glb(tmp_path / "x.glb")).vertices == pytest.approx(SQUARE)


def test_inverse_bind_matrices(tmp_path: Path) -> None:
    """A mesh that was bound to the skeleton as it stands keeps its shape."""
    making, _, _ = skinned()
    inverses = np.tile(np.eye(4, dtype=np.float32), (2, 1, 1))
    inverses[1, :3, 3] = [-2, 0, 0]
    making.json["skins"][0]["inverseBindMatrices"] = making.accessor(np.swapaxes(inverses, 1, 2).reshape(2, 16))
    assert read(making.glb(tmp_path / "x.glb")).vertices == pytest.approx(SQUARE)


def test_wrong_skeletons(tmp_path: Path) -> None:
    making, root, _ = skinned()
    skin = making.json["skins"][0]
    skin["joints"] = [root]
    with pytest.raises(FileError, match=r'mesh "cloth" names joint 1 of a skeleton of 1'):
        read(making.glb(tmp_path / "x.glb"))
    skin["joints"] = [root, 77]
    with pytest.raises(FileError, match=r"skins\[0\]: it refers to nodes\[77\]"):
        read(making.glb(tmp_path / "x.glb"))
    skin["joints"] = [root] * 3
    with pytest.raises(FileError, match=r"accessors\[5\]: 2 matrices for the 3 joints of skins\[0\]"):
        read(making.glb(tmp_path / "x.glb"))
    making.json["nodes"][2]["skin"] = 4
    with pytest.raises(FileError, match=r"nodes\[2\]: it refers to skins\[4\], there are 1"):
        read(making.glb(tmp_path / "x.glb"))
