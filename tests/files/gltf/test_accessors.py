"""Numbers in buffers, in every way that they may lie there."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from files.gltf.making import LIFT, SQUARE, SQUARE_FACES, Making, square
from pliant.files.gltf import meshes, read, reader
from pliant.runtime.errors import FileError


def test_interleaved(tmp_path: Path) -> None:
    """Positions, normals and coordinates row by row in one view, as engines like them."""
    normals = np.tile(np.float32([0, 0, 1]), (4, 1))
    uv = np.arange(8, dtype=np.float32).reshape(4, 2) / 8
    making = Making()
    view = making.view(np.concatenate([SQUARE, normals, uv], axis=1).tobytes(), byteStride=32)
    columns = {"POSITION": ("VEC3", 0), "NORMAL": ("VEC3", 12), "TEXCOORD_0": ("VEC2", 24)}
    attributes = {
        name: making.add("accessors", bufferView=view, byteOffset=start, componentType=5126, count=4, type=kind)
        for name, (kind, start) in columns.items()
    }
    mesh = making.add("meshes", primitives=[{"attributes": attributes, "indices": making.accessor(SQUARE_FACES)}])
    making.scene(making.node(mesh=mesh))
    asset = read(making.glb(tmp_path / "x.glb"))
    assert np.array_equal(asset.vertices, SQUARE)
    assert np.array_equal(asset.normals, normals)
    assert np.array_equal(asset.uv, uv)


@pytest.mark.parametrize("dtype", [np.uint8, np.uint16, np.uint32])
def test_kinds_of_indices(tmp_path: Path, dtype: Any) -> None:
    making = Making()
    making.scene(making.node(mesh=making.mesh(faces=SQUARE_FACES.astype(dtype))))
    assert read(making.glb(tmp_path / "x.glb")).faces.tolist() == [[0, 1, 2], [0, 2, 3]]


def test_no_indices(tmp_path: Path) -> None:
    making = Making()
    making.scene(making.node(mesh=making.mesh(SQUARE[SQUARE_FACES], None)))
    asset = read(making.glb(tmp_path / "x.glb"))
    assert len(asset.vertices) == 6
    assert asset.faces.tolist() == [[0, 1, 2], [3, 4, 5]]


def test_quantised_positions(tmp_path: Path) -> None:
    """KHR_mesh_quantization: whole numbers, the node scales them; rows are padded to four bytes."""
    making = Making()
    steps = np.zeros((4, 4), np.int16)
    steps[:, :3] = np.round(SQUARE * 1000)
    positions = making.add(
        "accessors", bufferView=making.view(steps.tobytes(), byteStride=8), componentType=5122, count=4, type="VEC3"
    )
    mesh = making.add(
        "meshes", primitives=[{"attributes": {"POSITION": positions}, "indices": making.accessor(SQUARE_FACES)}]
    )
    making.scene(making.node(mesh=mesh, scale=[0.001] * 3))
    making.json["extensionsRequired"] = ["KHR_mesh_quantization"]
    assert read(making.glb(tmp_path / "x.glb")).vertices == pytest.approx(SQUARE)


@pytest.mark.parametrize(
    ("dtype", "raw", "meant"),
    [
        (np.int8, [-128, -127, 0, 127], [-1, -1, 0, 1]),
        (np.uint8, [0, 51, 102, 255], [0, 0.2, 0.4, 1]),
        (np.int16, [-32768, -32767, 0, 32767], [-1, -1, 0, 1]),
        (np.uint16, [0, 13107, 26214, 65535], [0, 0.2, 0.4, 1]),
    ],
)
def test_normalised(tmp_path: Path, dtype: Any, raw: list[int], meant: list[float]) -> None:
    making = Making()
    steps = np.zeros((4, 4), dtype)
    steps[:, 0] = raw
    steps[:, 1] = [0, 0, 1, 1]  # so that the square has some area
    stride = steps.strides[0]
    positions = making.add(
        "accessors", bufferView=making.view(steps.tobytes(), byteStride=stride), componentType={
            "int8": 5120, "uint8": 5121, "int16": 5122, "uint16": 5123}[np.dtype(dtype).name],
        count=4, type="VEC3", normalized=True,
    )  # fmt: skip
    primitive = {"attributes": {"POSITION": positions}, "indices": making.accessor(SQUARE_FACES)}
    making.scene(making.node(mesh=making.add("meshes", primitives=[primitive])))
    assert read(making.glb(tmp_path / "x.glb")).vertices[:, 0] == pytest.approx(meant)


@pytest.mark.parametrize("dtype", [np.uint8, np.uint16, np.uint32])
def test_sparse_without_a_base(tmp_path: Path, dtype: Any) -> None:
    """What Blender writes for a shape key that moves few vertices."""
    making = Making()
    target = making.sparse(np.array([1, 3], dtype), LIFT[[1, 3]], 4)
    making.scene(making.node(mesh=making.mesh(targets=[target])))
    expected = SQUARE + LIFT * [[0], [1], [0], [1]]
    assert read(making.glb(tmp_path / "x.glb")).poses["target_0"] == pytest.approx(expected)


def test_sparse_over_a_base(tmp_path: Path) -> None:
    making = Making()
    base = making.view(LIFT.tobytes())
    target = making.sparse(np.array([2], np.uint16), np.float32([[5, 6, 7]]), 4, bufferView=base)
    making.scene(making.node(mesh=making.mesh(targets=[target])))
    expected = SQUARE + LIFT
    expected[2] = SQUARE[2] + [5, 6, 7]
    assert read(making.glb(tmp_path / "x.glb")).poses["target_0"] == pytest.approx(expected)


def test_sparse_positions_of_which_some_are_not_drawn(tmp_path: Path) -> None:
    making = Making()
    far = np.concatenate([np.full((2, 3), 9, np.float32), SQUARE])
    moved = making.sparse(np.array([0, 3, 5], np.uint16), np.float32([[1, 1, 1], [2, 0, 0], [0, 2, 0]]), 6,
                          bufferView=making.view(far.tobytes()))  # fmt: skip
    primitive = {"attributes": {"POSITION": moved}, "indices": making.accessor(SQUARE_FACES + 2)}
    making.scene(making.node(mesh=making.add("meshes", primitives=[primitive])))
    asset = read(making.glb(tmp_path / "x.glb"))
    assert asset.vertices.tolist() == [[0, 0, 0], [2, 0, 0], [1, 1, 0], [0, 2, 0]]


def test_a_target_that_is_all_zero(tmp_path: Path) -> None:
    making = Making()
    nothing = making.add("accessors", componentType=5126, count=4, type="VEC3")
    making.scene(making.node(mesh=making.mesh(targets=[nothing, LIFT])))
    asset = read(making.glb(tmp_path / "x.glb"))
    assert np.array_equal(asset.poses["target_0"], SQUARE)
    assert np.array_equal(asset.poses["target_1"], SQUARE + LIFT)


def test_strips_and_fans(tmp_path: Path) -> None:
    """Every triangle of the square faces +z, whichever way it is told."""
    for mode, corners in ((5, [0, 1, 3, 2]), (6, [0, 1, 2, 3])):
        making = Making()
        making.scene(making.node(mesh=making.mesh(faces=np.array(corners, np.uint8), mode=mode)))
        asset = read(making.glb(tmp_path / "x.glb"))
        a, b, c = (asset.vertices[asset.faces[:, k]] for k in range(3))
        assert len(asset.faces) == 2
        assert (np.cross(b - a, c - a)[:, 2] == 1).all()


def test_strip_that_jumps(tmp_path: Path) -> None:
    making = Making()
    making.scene(making.node(mesh=making.mesh(faces=np.array([0, 1, 3, 3, 3, 1, 2], np.uint8), mode=5)))
    assert sorted(map(sorted, read(making.glb(tmp_path / "x.glb")).faces.tolist())) == [[0, 1, 3], [1, 2, 3]]


def test_vertices_that_are_not_drawn_are_gone(tmp_path: Path) -> None:
    """Primitives of many exporters share one table of vertices."""
    making = Making()
    table = making.accessor(SQUARE)
    primitives = [
        {"attributes": {"POSITION": table}, "indices": making.accessor(np.array(corners, np.uint16))}
        for corners in ([0, 1, 2], [0, 2, 3])
    ]
    making.scene(making.node(mesh=making.add("meshes", primitives=primitives)))
    asset = read(making.glb(tmp_path / "x.glb"))
    assert asset.vertices.tolist() == SQUARE[[0, 1, 2, 0, 2, 3]].tolist()
    assert asset.faces.tolist() == [[0, 1, 2], [3, 4, 5]]


def test_an_incomplete_triangle_is_noted(tmp_path: Path) -> None:
    making = Making()
    making.scene(making.node(mesh=making.mesh(faces=SQUARE_FACES[:5], name="plate")))
    asset = read(making.glb(tmp_path / "x.glb"))
    assert len(asset.faces) == 1
    assert asset.notes == ('mesh "plate": meshes[0].primitives[0] ends within a triangle, which is left out',)


POSITION = 0  # accessor of the square's positions, 1 its indices


@pytest.mark.parametrize(
    ("number", "change", "said"),
    [
        (0, {"componentType": 5130}, r"accessors\[0\]: componentType is 5130"),
        (0, {"componentType": "float"}, r"accessors\[0\]: componentType is 'float', a whole number"),
        (0, {"type": "VEC2"}, r"accessors\[0\]: its type is 'VEC2', meshes\[0\]\..*attributes needs VEC3"),
        (0, {"count": 5}, r"accessors\[0\]: 5 rows end at byte 60 of a bufferView of 48"),
        (0, {"count": 2**62}, r"accessors\[0\]: count"),
        (0, {"count": -1}, r"accessors\[0\]: count is -1, a number from 1"),
        (0, {"count": 2.5}, r"accessors\[0\]: count is 2.5, a whole number"),
        (0, {"count": True}, r"accessors\[0\]: count is True"),
        (0, {"byteOffset": 4}, r"accessors\[0\]: 4 rows end at byte 52"),
        (0, {"bufferView": 7}, r"accessors\[0\]: it refers to bufferViews\[7\], there are 2"),
        (0, {"bufferView": None}, r"accessors\[0\]: no positions are there"),
        (0, {"bufferView": None, "count": 2**40}, r"rows of accessors\[0\], at most"),
        (1, {"bufferView": None}, r"accessors\[1\]: no indices are there"),
        (1, {"componentType": 5126, "count": 3}, r"accessors\[1\]: componentType is 5126 \(float\), whole numbers"),
    ],
)
def test_wrong_accessors(tmp_path: Path, number: int, change: dict[str, Any], said: str) -> None:
    making = square()
    making.json["accessors"][number].update(change)
    with pytest.raises(FileError, match=said):
        read(making.glb(tmp_path / "x.glb"))


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"byteOffset": 64}, r"bufferViews\[0\]: bytes 64 to 112 of a buffer of 60"),
        ({"byteLength": 1000}, r"bufferViews\[0\]: bytes 0 to 1000"),
        ({"byteStride": 8}, r"accessors\[0\]: its rows of 12 bytes overlap"),
        ({"buffer": 3}, r"the file: it refers to buffers\[3\], there are 1"),
    ],
)
def test_wrong_views(tmp_path: Path, change: dict[str, Any], said: str) -> None:
    making = square()
    making.json["bufferViews"][0].update(change)
    with pytest.raises(FileError, match=said):
        read(making.glb(tmp_path / "x.glb"))


def test_wrong_indices(tmp_path: Path) -> None:
    making = Making()
    making.scene(making.node(mesh=making.mesh(faces=np.array([0, 1, 9], np.uint16))))
    with pytest.raises(FileError, match=r"accessors\[1\]: a triangle of .* has vertex 9, there are 4"):
        read(making.glb(tmp_path / "x.glb"))


def test_numbers_that_are_not_finite(tmp_path: Path) -> None:
    making = Making()
    points = SQUARE.copy()
    points[2, 1] = np.nan
    making.scene(making.node(mesh=making.mesh(points)))
    with pytest.raises(FileError, match=r"accessors\[0\]: row 2 holds a number that is not finite"):
        read(making.glb(tmp_path / "x.glb"))


def test_tables_of_different_length(tmp_path: Path) -> None:
    making = square(targets=[LIFT[:3]])
    with pytest.raises(FileError, match=r"accessors\[2\]: 3 rows for .*targets\[0\], there are 4 positions"):
        read(making.glb(tmp_path / "x.glb"))


@pytest.mark.parametrize(
    ("rows", "change", "said"),
    [
        ([1, 9], {}, r"accessors\[0\]\.sparse\.indices: row 9 is changed, there are 4"),
        ([1, 2], {"count": 5}, r"accessors\[0\]\.sparse: count is 5, a number from 1 to 4"),
        ([1, 2], {"count": 3}, r"accessors\[0\]\.sparse\.indices: 3 rows end at byte 6 of a bufferView of 4"),
        ([1, 2], {"values": None}, r"accessors\[0\]\.sparse: its indices or values are missing"),
    ],
)
def test_wrong_sparse_accessors(tmp_path: Path, rows: list[int], change: dict[str, Any], said: str) -> None:
    making = Making()
    target = making.sparse(np.array(rows, np.uint16), LIFT[:2], 4)
    making.json["accessors"][target]["sparse"].update(change)
    making.scene(making.node(mesh=making.mesh(targets=[target])))
    with pytest.raises(FileError, match=said):
        read(making.glb(tmp_path / "x.glb"))


def test_a_small_file_cannot_ask_for_much_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same numbers may be shown any number of times, and zeros cost no bytes."""
    for module in (meshes, reader):
        monkeypatch.setattr(module, "MOST_VERTICES", 100)
        monkeypatch.setattr(module, "MOST_PLACES", 1000)
    making = Making()
    mesh = making.mesh()
    moved = making.sparse(np.array([0], np.uint16), SQUARE[1:2], 4)
    making.scene(*(making.node(mesh=mesh) for _ in range(26)))
    with pytest.raises(FileError, match=r"104 vertices, at most 100 can be read"):
        read(making.glb(tmp_path / "instances.glb"))
    making.json["scenes"][0]["nodes"] = [0]
    primitive = making.json["meshes"][0]["primitives"][0]
    making.json["meshes"][0]["primitives"] = [primitive] * 1000
    with pytest.raises(FileError, match=r"104 vertices, at most 100 can be read"):
        read(making.glb(tmp_path / "primitives.glb"))
    primitive["targets"] = [{"POSITION": moved}] * 600
    making.json["meshes"][0]["primitives"] = [primitive]
    with pytest.raises(FileError, match=r"1,004 positions in all poses, at most 1,000"):
        read(making.glb(tmp_path / "targets.glb"))
    primitive["targets"] = [{"POSITION": moved}] * 1001
    with pytest.raises(FileError, match=r"1,001 morph targets of .*, at most 1,000"):
        read(making.glb(tmp_path / "targets.glb"))
