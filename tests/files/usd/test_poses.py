"""Blend shapes, skeletons and moments as poses."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from pxr import Gf, Usd, UsdGeom, UsdSkel, Vt

from files.usd.authoring import CUBE, blend, mesh, pairs, primvar, shift, shifted, skeleton, stage, vectors
from pliant.files.asset import Asset
from pliant.files.usd import read as read_apart
from pliant.files.usd.reader import read_stage
from pliant.runtime.errors import FileError

UP = np.array([0.0, 1, 0])


def read(made: object, *sample: float) -> Asset:
    layer = made.GetRootLayer()  # type: ignore[attr-defined]
    layer.Save()
    return read_stage(Path(layer.realPath), sample)


def test_blend_shapes_are_poses(tmp_path: Path) -> None:
    """In centimetres, z up, on a mesh that is scaled, moved and split at a seam."""
    made = stage(tmp_path / "a.usdc", "Z", 0.01)
    cube = mesh(made, "/scene/cube", CUBE * 100)
    primvar(cube, "st", "TexCoord2fArray", pairs(np.arange(48)), "faceVarying")
    cube.AddTransformOp().Set(Gf.Matrix4d().SetScale(2) * shift(0, 0, 500))
    blend(made, cube, "tall", [[0, 0, 100]] * 4, which=[1, 3, 5, 7])
    blend(made, cube, "aside", np.tile([50.0, 0, 0], (8, 1)))
    made.GetRootLayer().Save()
    asset = read_apart(tmp_path / "a.usdc")
    assert list(asset.poses) == ["tall", "aside"] and len(asset.vertices) == 24
    top = asset.vertices[:, 1] > 6
    assert top.sum() == 12 and asset.vertices[:, 1].min() == pytest.approx(5)
    assert np.allclose(asset.poses["tall"], asset.vertices + np.where(top[:, None], 2 * UP, 0))
    assert np.allclose(asset.poses["aside"], shifted(asset.vertices, 1, 0, 0))


def test_shapes_on_the_way_are_poses_of_their_own(tmp_path: Path) -> None:
    made = stage(tmp_path / "a.usda")
    cube = mesh(made, "/cube")
    between = [(0.5, [[9, 0, 0], [0, 0, 9]]), (0.25, [[8, 0, 0], [0, 0, 8]])]
    blend(made, cube, "smile", [[0, 1, 0], [0, 2, 0]], which=[6, 2], between=between)
    asset = read(made)
    assert list(asset.poses) == ["smile", "smile@0.25", "smile@0.5"]
    moved = {name: pose - asset.vertices for name, pose in asset.poses.items()}
    assert moved["smile"][[6, 2]].tolist() == [[0, 1, 0], [0, 2, 0]]
    assert moved["smile@0.5"][[6, 2]].tolist() == [[9, 0, 0], [0, 0, 9]]
    assert moved["smile@0.25"][[6, 2]].tolist() == [[8, 0, 0], [0, 0, 8]]
    assert all((np.delete(each, [6, 2], axis=0) == 0).all() for each in moved.values())


def test_meshes_share_a_pose_by_its_name(tmp_path: Path) -> None:
    made = stage(tmp_path / "a.usda")
    for name, x in (("head", 0), ("teeth", 3), ("hat", 6)):
        part = mesh(made, f"/{name}", shifted(CUBE, x, 0, 0))
        if name != "hat":
            blend(made, part, "open", np.tile(UP, (8, 1)))
    blend(made, UsdGeom.Mesh(made.GetPrimAtPath("/teeth")), "grin", np.tile(-UP, (8, 1)))
    asset = read(made)
    assert list(asset.poses) == ["open", "grin"]
    up = (asset.poses["open"] - asset.vertices)[:, 1]
    hat = np.isin(np.arange(24), asset.groups["hat"])
    assert (up[hat] == 0).all() and (up[~hat] == 1).all()
    assert ((asset.poses["grin"] - asset.vertices)[:, 1] == -1).sum() == 8


def test_shapes_that_do_not_fit_are_left_out(tmp_path: Path) -> None:
    made = stage(tmp_path / "a.usda")
    cube = mesh(made, "/cube")
    blend(made, cube, "fine", np.tile(UP, (8, 1)))
    blend(made, cube, "short", [[0, 1, 0]])
    blend(made, cube, "beyond", [[0, 1, 0]], which=[8])
    blend(made, cube, "nan", np.full((8, 3), np.nan))
    UsdSkel.BindingAPI(cube.GetPrim()).GetBlendShapeTargetsRel().AddTarget("/nowhere")
    asset = read(made)
    assert list(asset.poses) == ["fine"]
    assert "short, beyond, nan" in " ".join(asset.notes) and "nowhere" in " ".join(asset.notes)


def bound(tmp_path: Path) -> tuple[Any, UsdGeom.Mesh]:
    """A cube whose upper half hangs on a joint that swings up and to the side, the lower on one that stays. It was
    bound 5 m to the right of where its own transform puts it, and the skeleton stands 10 m up."""
    made = stage(tmp_path / "bound.usda")
    UsdSkel.Root.Define(made, "/body")
    cube = mesh(made, "/body/cube")
    cube.AddTranslateOp().Set(Gf.Vec3d(0, 0, -99))
    upper = [int(y > 0.5) for y in CUBE[:, 1]]
    bones = skeleton(
        made, "/body/bones", cube, ["root", "root/arm"], [shift(0, 0, 0), shift(0, 1, 0)], upper, [1.0] * 8
    )
    bones.AddTranslateOp().Set(Gf.Vec3d(0, 10, 0))
    UsdSkel.BindingAPI(cube.GetPrim()).CreateGeomBindTransformAttr(shift(5, 0, 0))
    blend(made, cube, "wide", np.tile([0.5, 0, 0], (8, 1)))
    moves = UsdSkel.Animation.Define(made, "/body/bones/moves")
    moves.CreateJointsAttr(["root", "root/arm"])
    moves.CreateBlendShapesAttr(["wide"])
    for frame, swing, wide in ((0, 0.0, 0.0), (24, 2.0, 0.5)):
        moves.CreateTranslationsAttr().Set(vectors([[0, 0, 0], [0, 1, swing]]), frame)
        moves.CreateRotationsAttr().Set(Vt.QuatfArray([Gf.Quatf(1), Gf.Quatf(1)]), frame)
        moves.CreateScalesAttr().Set(Vt.Vec3hArray([(1, 1, 1)] * 2), frame)
        moves.CreateBlendShapeWeightsAttr().Set(Vt.FloatArray([wide]), frame)
    UsdSkel.BindingAPI.Apply(bones.GetPrim()).CreateAnimationSourceRel().SetTargets([moves.GetPath()])
    return made, cube


def test_skinned_meshes_rest_as_they_were_bound(tmp_path: Path) -> None:
    made, _ = bound(tmp_path)
    asset = read(made)
    assert np.allclose(asset.vertices, shifted(CUBE, 5, 10, 0))
    assert np.allclose(asset.poses["wide"], shifted(CUBE, 5.5, 10, 0))
    assert set(asset.groups) == {"root", "arm"} and (asset.vertices[asset.groups["arm"], 1] == 11).all()
    told = " ".join(asset.notes)
    assert "bound" in told and "0 s to 1 s" in told


def test_skeletons_that_were_bound_in_the_world(tmp_path: Path) -> None:
    """By the book: the skeleton stands 10 m up, and the mesh and the joints tell where in the world they were then."""
    made, cube = bound(tmp_path)
    bones = UsdSkel.Skeleton(made.GetPrimAtPath("/body/bones"))
    bones.GetBindTransformsAttr().Set(Vt.Matrix4dArray([shift(0, 10, 0), shift(0, 11, 0)]))
    UsdSkel.BindingAPI(cube.GetPrim()).GetGeomBindTransformAttr().Set(shift(5, 10, 0))
    asset = read(made, 0.0)
    assert np.allclose(asset.vertices, shifted(CUBE, 5, 10, 0))
    assert np.allclose(asset.poses["at 0 s"], asset.vertices, atol=1e-5)


def test_what_usd_itself_makes_of_the_skeleton_is_the_same(tmp_path: Path) -> None:
    made, _ = bound(tmp_path)
    ours = read(made, 0.0, 0.5, 1.0)
    assert UsdSkel.BakeSkinning(UsdSkel.Root(made.GetPrimAtPath("/body")), Gf.Interval(0, 24))
    baked = read(made, 0.0, 0.5, 1.0)
    for moment in ("at 0 s", "at 0.5 s", "at 1 s"):
        assert np.allclose(ours.poses[moment], baked.poses[moment], atol=1e-4)


def test_skeletons_and_weights_are_sampled(tmp_path: Path) -> None:
    made, _ = bound(tmp_path)
    asset = read(made, 0.0, 1.0)
    assert list(asset.poses) == ["wide", "at 0 s", "at 1 s"]
    assert np.allclose(asset.poses["at 0 s"], asset.vertices)
    swung = shifted(asset.vertices, 0.25, 0, 0)
    swung[asset.vertices[:, 1] > 10.5] += (0, 0, 2)
    assert np.allclose(asset.poses["at 1 s"], swung, atol=1e-5)


def test_blend_shapes_of_blender_keep_their_place(tmp_path: Path) -> None:
    """Blender hangs a mesh with shape keys on a skeleton of one joint, which is a child of the mesh."""
    made = stage(tmp_path / "a.usda", "Z")
    UsdSkel.Root.Define(made, "/scene")
    cube = mesh(made, "/scene/cube")
    cube.AddTranslateOp().Set(Gf.Vec3d(0, 0, 4))
    blend(made, cube, "key", np.tile([0.0, 0, 1], (8, 1)))
    skeleton(made, "/scene/cube/Skel", cube, ["joint1"], [shift(0, 0, 0)], [0] * 8, [1.0] * 8)
    asset = read(made)
    assert asset.vertices[:, 1].min() == pytest.approx(4) and asset.vertices[:, 1].max() == pytest.approx(5)
    assert np.allclose(asset.poses["key"] - asset.vertices, UP)


def test_moving_points_and_places_are_sampled(tmp_path: Path) -> None:
    made = stage(tmp_path / "a.usda")
    made.SetTimeCodesPerSecond(10)
    UsdGeom.Xform.Define(made, "/lift").AddTranslateOp()
    cube = mesh(made, "/lift/cube")
    cube.GetPointsAttr().Clear()
    for frame in (10, 20):
        cube.GetPointsAttr().Set(vectors(CUBE * frame), frame)
        UsdGeom.Xform(made.GetPrimAtPath("/lift")).GetOrderedXformOps()[0].Set(Gf.Vec3d(0, frame, 0), frame)
    asset = read(made)
    assert asset.poses == {} and np.allclose(asset.vertices, CUBE * 10 + (0, 10, 0))
    assert "1 s to 2 s: give times to sample" in " ".join(asset.notes)
    asset = read(made, 1.25, 7.0)
    assert list(asset.poses) == ["at 1.25 s", "at 7 s"]
    assert np.allclose(asset.poses["at 1.25 s"], CUBE * 12.5 + (0, 12.5, 0))
    assert np.allclose(asset.poses["at 7 s"], CUBE * 20 + (0, 20, 0))
    assert "first or last" in " ".join(asset.notes)


def test_points_that_do_not_move_are_the_rest_shape(tmp_path: Path) -> None:
    made = stage(tmp_path / "a.usda")
    cube = mesh(made, "/cube")
    cube.GetPointsAttr().Set(vectors(CUBE * 3), 0)
    asset = read(made)
    assert np.allclose(asset.vertices, CUBE)


def test_instancers_are_sampled(tmp_path: Path) -> None:
    made = stage(tmp_path / "a.usda")
    many = UsdGeom.PointInstancer.Define(made, "/many")
    cube = mesh(made, "/many/cube")
    for frame in (0, 24):
        cube.GetPointsAttr().Set(vectors(CUBE), frame)
        many.CreatePositionsAttr().Set(vectors([[0, frame, 0], [5, 2 * frame, 0]]), frame)
    many.CreatePrototypesRel().SetTargets(["/many/cube"])
    many.CreateProtoIndicesAttr([0, 0])
    asset = read(made, 1.0)
    assert np.allclose(asset.poses["at 1 s"][:8], shifted(CUBE, 0, 24, 0))
    assert np.allclose(asset.poses["at 1 s"][8:], shifted(CUBE, 5, 48, 0))


def test_moments_that_cannot_be_had(tmp_path: Path) -> None:
    made = stage(tmp_path / "still.usda")
    mesh(made, "/cube")
    with pytest.raises(FileError, match="nothing in it moves"):
        read(made, 1.0)
    with pytest.raises(FileError, match="sampled at nan s"):
        read(made, float("nan"))
    made = stage(tmp_path / "changing.usda")
    cube = mesh(made, "/cube")
    cube.GetPointsAttr().Set(vectors(CUBE), 0)
    cube.GetPointsAttr().Set(vectors(CUBE[:5]), 24)
    with pytest.raises(FileError, match=r'"/cube" has 5 points at 1 s and 8 at rest'):
        read(made, 1.0)
    assert Usd.Stage.Open(str(tmp_path / "changing.usda"))
