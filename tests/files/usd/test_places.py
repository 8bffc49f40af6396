"""Everything stands where the stage shows it: metres, y up, seen from outside."""

from pathlib import Path

import numpy as np
import pytest
from pxr import Gf, Sdf, Usd, UsdGeom, Vt

from files.usd.authoring import CUBE, CUBE_FACES, mesh, primvar, shift, shifted, stage, vectors, volume
from pliant.files.usd import read
from pliant.files.usd.reader import read_stage


def places(vertices: np.ndarray) -> set[tuple[float, ...]]:
    return {tuple(row) for row in np.round(vertices, 5).tolist()}


def test_centimetres_and_z_up(tmp_path: Path) -> None:
    """A pole along z, 2 m high, in a file as Blender, Maya or Houdini may write it."""
    made = stage(tmp_path / "pole.usda", "Z", 0.01)
    pole = mesh(made, "/scene/pole", CUBE * (10, 20, 200))
    UsdGeom.Xform.Define(made, "/scene").AddTranslateOp().Set(Gf.Vec3d(100, 0, 0))
    primvar(pole, "st", "TexCoord2fArray", Vt.Vec2fArray([(0, 0)] * 8), "vertex")
    made.GetRootLayer().Save()
    asset = read(tmp_path / "pole.usda")
    assert np.allclose(asset.vertices.min(axis=0), (1.0, 0.0, -0.2))
    assert np.allclose(asset.vertices.max(axis=0), (1.1, 2.0, 0.0))
    assert volume(asset.vertices, asset.faces) == pytest.approx(0.1 * 0.2 * 2.0)
    assert asset.name == "pole" and asset.source == tmp_path / "pole.usda" and asset.notes == ()


def test_a_file_that_does_not_say_its_unit_is_in_centimetres(tmp_path: Path) -> None:
    made = Usd.Stage.CreateNew(str(tmp_path / "a.usda"))
    mesh(made, "/cube")
    made.GetRootLayer().Save()
    asset = read_stage(tmp_path / "a.usda")
    assert np.ptp(asset.vertices, axis=0) == pytest.approx([0.01] * 3)
    assert "centimetres" in " ".join(asset.notes)


def test_mirrored_and_left_handed_meshes_are_seen_from_outside(tmp_path: Path) -> None:
    for name, mirrored, left in (("a", True, False), ("b", False, True), ("c", True, True)):
        made = stage(tmp_path / f"{name}.usda")
        cube = mesh(made, "/cube", faces=[face[::-1] for face in CUBE_FACES] if left else CUBE_FACES)
        if left:
            cube.CreateOrientationAttr("leftHanded")
        if mirrored:
            cube.AddScaleOp().Set(Gf.Vec3f(-2, 1, 1))
        outward = np.repeat([[-1, 0, 0], [1, 0, 0], [0, -1, 0], [0, 1, 0], [0, 0, -1], [0, 0, 1]], 4, axis=0)
        cube.CreateNormalsAttr(vectors(outward))
        cube.SetNormalsInterpolation("faceVarying")
        made.GetRootLayer().Save()
        asset = read_stage(tmp_path / f"{name}.usda")
        assert volume(asset.vertices, asset.faces) == pytest.approx(2.0 if mirrored else 1.0)
        assert len(asset.vertices) == 24 and asset.normals is not None
        a, b, c = (asset.vertices[asset.faces[:, k]] for k in range(3))
        flat = np.cross(b - a, c - a) / np.linalg.norm(np.cross(b - a, c - a), axis=1, keepdims=True)
        assert np.allclose(asset.normals[asset.faces[:, 0]], flat, atol=2e-3)


def test_normals_are_made_for_meshes_that_have_none(tmp_path: Path) -> None:
    """Beside one that has: an asset has all or none. The mirrored one has its normals outwards too."""
    made = stage(tmp_path / "a.usda")
    told = mesh(made, "/told")
    told.CreateNormalsAttr(vectors(CUBE - 0.5))
    told.SetNormalsInterpolation("vertex")
    silent = mesh(made, "/silent")
    silent.AddTransformOp().Set(Gf.Matrix4d().SetScale(Gf.Vec3d(1, -3, 1)) * shift(5, 0, 0))
    made.GetRootLayer().Save()
    asset = read_stage(tmp_path / "a.usda")
    assert asset.normals is not None and len(asset.vertices) == 16
    for cube in (asset.groups["told"], asset.groups["silent"]):
        out = asset.vertices[cube] - asset.vertices[cube].mean(axis=0)
        assert (np.einsum("ij,ij->i", out, asset.normals[cube]) > 0.3).all()
    assert np.allclose(np.linalg.norm(asset.normals, axis=1), 1.0)


def test_hidden_prims_and_helpers_are_left_out(tmp_path: Path) -> None:
    made = stage(tmp_path / "a.usda")
    mesh(made, "/shown/cube")
    UsdGeom.Imageable(UsdGeom.Xform.Define(made, "/hidden").GetPrim()).MakeInvisible()
    mesh(made, "/hidden/cube")
    for purpose in ("proxy", "guide", "render"):
        mesh(made, f"/{purpose}", CUBE + 9).CreatePurposeAttr(purpose)
    mesh(made, "/off", CUBE - 9).GetPrim().SetActive(False)
    UsdGeom.Sphere.Define(made, "/ball")
    made.GetRootLayer().Save()
    asset = read_stage(tmp_path / "a.usda")
    assert places(asset.vertices) == places(np.concatenate([CUBE, CUBE + 9]))
    told = "\n".join(asset.notes)
    assert "/hidden" in told and "/proxy" in told and "/guide" in told and "Sphere" in told and "ball" in told
    assert "/off" not in told


def test_instances_stand_in_all_their_places(tmp_path: Path) -> None:
    made = stage(tmp_path / "a.usda")
    mesh(made, "/Library/cube/skin")
    made.GetPrimAtPath("/Library").SetSpecifier(Sdf.SpecifierClass)  # a class: not shown itself
    for name, x in (("left", 0.0), ("right", 3.0)):
        copy = UsdGeom.Xform.Define(made, f"/{name}")
        copy.GetPrim().GetReferences().AddInternalReference("/Library/cube")
        copy.GetPrim().SetInstanceable(True)
        copy.AddTranslateOp().Set(Gf.Vec3d(x, 0, 0))
    made.GetRootLayer().Save()
    asset = read_stage(tmp_path / "a.usda")
    assert places(asset.vertices) == places(np.concatenate([CUBE, shifted(CUBE, 3, 0, 0)]))


def test_instancers_are_followed(tmp_path: Path) -> None:
    made = stage(tmp_path / "a.usda")
    many = UsdGeom.PointInstancer.Define(made, "/many")
    many.AddTranslateOp().Set(Gf.Vec3d(0, 5, 0))
    part = mesh(made, "/many/kinds/cube/part")
    part.AddTranslateOp().Set(Gf.Vec3d(0, 0, 1))
    made.GetPrimAtPath("/many/kinds/cube").SetTypeName("Xform")
    many.CreatePrototypesRel().SetTargets(["/many/kinds/cube"])
    many.CreateProtoIndicesAttr([0, 0, 0])
    many.CreatePositionsAttr(vectors([[0, 0, 0], [4, 0, 0], [8, 0, 0]]))
    many.CreateScalesAttr(vectors([[1, 1, 1], [2, 2, 2], [1, 1, 1]]))
    many.InvisId(2, Usd.TimeCode.Default())
    made.GetRootLayer().Save()
    asset = read_stage(tmp_path / "a.usda")
    whole = np.concatenate([shifted(CUBE, 0, 5, 1), (shifted(CUBE, 0, 0, 1)) * 2 + (4, 5, 0)])
    assert places(asset.vertices) == places(whole)
    assert volume(asset.vertices, asset.faces) == pytest.approx(9.0)


def test_references_to_other_files(tmp_path: Path) -> None:
    part = stage(tmp_path / "part.usdc")
    mesh(part, "/cube")
    part.SetDefaultPrim(part.GetPrimAtPath("/cube"))
    part.GetRootLayer().Save()
    made = stage(tmp_path / "a.usda")
    made.DefinePrim("/there").GetReferences().AddReference("./part.usdc")
    made.DefinePrim("/lost").GetReferences().AddReference("./nowhere.usdc")
    made.GetRootLayer().Save()
    asset = read(tmp_path / "a.usda")
    assert places(asset.vertices) == places(CUBE)
    assert "lead nowhere" in " ".join(asset.notes)
