"""Faces and what lies on them: n-gons, seams, colours, subsets."""

from pathlib import Path

import numpy as np
import pytest
from pxr import UsdGeom, Vt

from files.usd.authoring import CUBE, CUBE_FACES, SQUARE, mesh, pairs, primvar, stage, vectors, volume
from pliant.files.asset import Asset
from pliant.files.usd.reader import read_stage
from pliant.runtime.errors import FileError

L = np.array([[0.0, 0, 0], [3, 0, 0], [3, 1, 0], [1, 1, 0], [1, 3, 0], [0, 3, 0]])


def read(made: object) -> Asset:
    layer = made.GetRootLayer()  # type: ignore[attr-defined]
    layer.Save()
    return read_stage(Path(layer.realPath))


def area(asset: Asset) -> float:
    a, b, c = (asset.vertices[asset.faces[:, k]] for k in range(3))
    return float(np.linalg.norm(np.cross(b - a, c - a), axis=1).sum() / 2)


def test_faces_of_any_shape_are_cut_into_triangles(tmp_path: Path) -> None:
    made = stage(tmp_path / "a.usda")
    mesh(made, "/l", L, [range(6)])
    mesh(made, "/square", SQUARE + 5, [range(4)])
    asset = read(made)
    assert len(asset.faces) == 6
    assert area(asset) == pytest.approx(5 + 1)  # a fan from a corner of the L would cover more


def test_coordinates_on_corners_split_vertices_where_they_jump(tmp_path: Path) -> None:
    made = stage(tmp_path / "a.usda")
    cube = mesh(made, "/cube")
    square = [[0, 0], [1, 0], [1, 1], [0, 0.75]]
    primvar(cube, "st", "TexCoord2fArray", pairs(square), "faceVarying", [0, 1, 2, 3] * 6)
    asset = read(made)
    assert asset.uv is not None and len(asset.vertices) == 24 - sum_of_shared()
    for corner in range(8):  # v is down here and up there
        meant = {(float(square[face.index(corner)][0]), 1.0 - square[face.index(corner)][1])
                 for face in CUBE_FACES if corner in face}  # fmt: skip
        here = (np.abs(asset.vertices - CUBE[corner]) < 1e-6).all(axis=1)
        assert {tuple(row) for row in asset.uv[here].tolist()} == meant


def sum_of_shared() -> int:
    """How many corners of the cube have the same coordinates as another corner in the same place."""
    met = [(corner, place) for face in CUBE_FACES for place, corner in enumerate(face)]
    return len(met) - len(set(met))


def test_coordinates_on_points_split_nothing(tmp_path: Path) -> None:
    made = stage(tmp_path / "a.usda")
    primvar(mesh(made, "/cube"), "UVMap", "Float2Array", pairs(CUBE[:, :2]), "vertex")
    asset = read(made)
    assert len(asset.vertices) == 8 and asset.uv is not None
    assert np.allclose(asset.uv, np.stack([asset.vertices[:, 0], 1 - asset.vertices[:, 1]], axis=1))


def test_any_texture_coordinates_will_do(tmp_path: Path) -> None:
    made = stage(tmp_path / "a.usda")
    primvar(mesh(made, "/cube"), "layer7", "TexCoord2hArray", Vt.Vec2hArray([(0.5, 0.25)] * 6), "uniform")
    primvar(UsdGeom.Mesh(made.GetPrimAtPath("/cube")), "size", "Float2Array", pairs([[9, 9]] * 8), "vertex")
    asset = read(made)
    assert asset.uv is not None and np.allclose(asset.uv, (0.5, 0.75)) and len(asset.vertices) == 8


def test_hard_edges_split_and_noise_does_not(tmp_path: Path) -> None:
    made = stage(tmp_path / "a.usda")
    smooth = mesh(made, "/cube")
    noise = np.random.default_rng(1).normal(scale=1e-6, size=(24, 3))
    corners = np.ravel(CUBE_FACES)
    primvar(smooth, "normals", "Normal3fArray", vectors(CUBE[corners] - 0.5 + noise), "faceVarying")
    assert len(read(made).vertices) == 8
    made = stage(tmp_path / "b.usda")
    flat = np.repeat([[-1, 0, 0], [1, 0, 0], [0, -1, 0], [0, 1, 0], [0, 0, -1], [0, 0, 1]], 4, axis=0)
    primvar(mesh(made, "/cube"), "normals", "Normal3fArray", vectors(flat), "faceVarying")
    asset = read(made)
    assert len(asset.vertices) == 24 and asset.normals is not None
    assert volume(asset.vertices, asset.faces) == pytest.approx(1.0)


def test_subdivision_surfaces_are_their_cages(tmp_path: Path) -> None:
    made = stage(tmp_path / "a.usda")
    cube = mesh(made, "/cube", scheme="catmullClark")
    cube.CreateNormalsAttr(vectors(CUBE))
    cube.CreateHoleIndicesAttr([0])
    asset = read(made)
    assert len(asset.faces) == 10 and asset.normals is None
    assert asset.notes == ("subdivision surfaces, taken as their cages: cube", "faces that are holes, left out: cube")


def test_colours_on_points_and_on_faces(tmp_path: Path) -> None:
    made = stage(tmp_path / "a.usda")
    primvar(mesh(made, "/cube"), "displayColor", "Color3fArray", vectors(CUBE), "vertex")
    asset = read(made)
    assert asset.colours is not None and np.allclose(asset.colours, asset.vertices) and asset.look is None
    made = stage(tmp_path / "b.usda")
    sides = np.eye(3)[[0, 0, 1, 1, 2, 2]]
    primvar(mesh(made, "/cube"), "displayColor", "Color3fArray", vectors(sides), "uniform")
    mesh(made, "/white", CUBE + 5)
    asset = read(made)
    assert len(asset.vertices) == 24 + 8 and asset.colours is not None
    assert np.allclose(asset.colours[asset.groups["white"]], 1.0)
    a, b, c = (asset.vertices[asset.faces[:12, k]] for k in range(3))
    across = np.abs(np.cross(b - a, c - a)) > 0  # the x faces are red, the y faces green, the z faces blue
    assert np.allclose(asset.colours[asset.faces[:12, 0]], across)


def test_one_colour_is_a_material(tmp_path: Path) -> None:
    made = stage(tmp_path / "a.usda")
    cube = mesh(made, "/cube")
    cube.CreateDoubleSidedAttr(True)
    cube.CreateDisplayColorAttr(vectors([[1, 0.5, 0]]))
    asset = read(made)
    assert asset.colours is None and asset.look is not None
    assert asset.look.materials[0].colour == (1.0, 0.5, 0.0, 1.0) and asset.look.materials[0].double_sided


def test_what_does_not_fit_is_left_out_and_told(tmp_path: Path) -> None:
    made = stage(tmp_path / "a.usda")
    cube = mesh(made, "/cube")
    primvar(cube, "st", "TexCoord2fArray", pairs(np.zeros((5, 2))), "faceVarying")
    cube.CreateNormalsAttr(vectors(CUBE[:3]))
    primvar(cube, "displayColor", "Color3fArray", vectors(CUBE), "vertex", [0, 1, 99, 3, 4, 5, 6, 7])
    asset = read(made)
    assert asset.uv is None and asset.normals is None and asset.colours is None and len(asset.faces) == 12
    told = " ".join(asset.notes)
    assert "st do not fit" in told and "normals do not fit" in told and "displayColor" in told


def test_subsets_are_parts_and_groups(tmp_path: Path) -> None:
    made = stage(tmp_path / "a.usda")
    cube = mesh(made, "/cube")
    UsdGeom.Subset.CreateGeomSubset(cube, "top", "face", Vt.IntArray([3]), "materialBind", "nonOverlapping")
    UsdGeom.Subset.CreateGeomSubset(cube, "edge", "point", Vt.IntArray([0, 1]), "marks")
    asset = read(made)
    assert asset.look is not None and [part.name for part in asset.look.parts] == ["cube", "top"]
    top = asset.look.parts[1]
    assert (asset.vertices[asset.faces[top.first : top.last]][..., 1] == 1).all() and top.last == len(asset.faces) == 12
    assert (asset.vertices[asset.groups["top"], 1] == 1).all() and len(asset.groups["top"]) == 4
    assert asset.vertices[asset.groups["edge"]].tolist() == CUBE[:2].tolist()


@pytest.mark.parametrize(
    ("faces", "said"),
    [([[0, 1, 99]], "names point 99, there are 8"), ([[0, 1, -1]], "names point -1"), ([], "no faces")],
)
def test_faces_that_cannot_be(tmp_path: Path, faces: list[list[int]], said: str) -> None:
    made = stage(tmp_path / "a.usda")
    mesh(made, "/cube", CUBE, faces)
    with pytest.raises(FileError, match=said) as caught:
        read(made)
    assert str(caught.value).startswith(str(tmp_path / "a.usda")) and "\n" not in str(caught.value)


def test_points_that_are_no_numbers(tmp_path: Path) -> None:
    made = stage(tmp_path / "a.usda")
    mesh(made, "/cube", np.where(CUBE == 0, np.nan, CUBE))
    with pytest.raises(FileError, match='mesh "/cube", point 0'):
        read(made)
