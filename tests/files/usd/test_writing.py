"""Takes out, and in again."""

from pathlib import Path

import numpy as np
import pytest
from pxr import Usd, UsdGeom, UsdShade

from files.gltf.making import png
from files.usd.takes import all_takes, faces_of, gltf_look, painted, plain_look, posed, take, track
from pliant.body.look import Image, Look, Material, Part
from pliant.files.colour import to_linear
from pliant.files.usd import read, write
from pliant.files.usd.reader import read_stage
from pliant.files.writing import write_take
from pliant.runtime.errors import FileError

ENDINGS = (".usd", ".usda", ".usdc", ".usdz")


def skin_of(stage: Usd.Stage, number: int = 0) -> UsdGeom.Mesh:
    return [UsdGeom.Mesh(prim) for prim in stage.Traverse() if prim.IsA(UsdGeom.Mesh)][number]


@pytest.mark.parametrize("ending", ENDINGS)
def test_a_take_comes_back(tmp_path: Path, ending: str) -> None:
    path = tmp_path / f"bear{ending}"
    wanted = take(track(painted(plain_look(faces_of(painted())))), fps=30.0)
    write(wanted, path)
    asset = read(path, [0.0, 2 / 30])
    skin = wanted.tracks[0].body.skin
    assert list(asset.poses) == ["at 0 s", f"at {2 / 30:g} s"]
    for frame, pose in ((0, asset.vertices), (0, asset.poses["at 0 s"]), (2, asset.poses[f"at {2 / 30:g} s"])):
        meant = wanted.tracks[0].surface(frame)[skin.faces]
        assert np.allclose(pose[asset.faces], meant, atol=1e-5)
    assert asset.uv is not None and skin.uv is not None and np.allclose(asset.uv[asset.faces], skin.uv[skin.faces])
    assert len(asset.vertices) == len(skin.vertices)
    look, meant_look = asset.look, skin.look
    assert look is not None and meant_look is not None
    assert [(part.first, part.last) for part in look.parts] == [(p.first, p.last) for p in meant_look.parts]
    assert [part.name for part in look.parts][:2] == ["front", "back side"] and look.parts[2].material is None
    assert [each.name for each in look.materials] == ["fur", "glass"]
    assert np.allclose([each.colour for each in look.materials], [each.colour for each in meant_look.materials])
    assert np.allclose([each.roughness for each in look.materials], [0.75, 0.125])
    assert [image.data for image in look.images] == [image.data for image in meant_look.images]


def test_what_is_in_the_stage(tmp_path: Path) -> None:
    wanted = take(track(posed(), "bear", 3), track(posed(), "bear", 3, ("left", "right")), fps=29.97)
    write(wanted, tmp_path / "a.usdc")
    stage = Usd.Stage.Open(str(tmp_path / "a.usdc"))
    assert UsdGeom.GetStageUpAxis(stage) == "Y" and UsdGeom.GetStageMetersPerUnit(stage) == 1.0
    assert stage.GetTimeCodesPerSecond() == stage.GetFramesPerSecond() == 29.97
    assert (stage.GetStartTimeCode(), stage.GetEndTimeCode()) == (0, 2)
    assert str(stage.GetDefaultPrim().GetPath()) == "/falls"
    names = [str(child.GetName()) for child in stage.GetDefaultPrim().GetChildren()]
    assert names == ["bear", "bear_1"]
    for number in range(2):
        skin, told = skin_of(stage, number), wanted.tracks[number]
        assert skin.GetSubdivisionSchemeAttr().Get() == "none" and skin.GetNormalsInterpolation() == "vertex"
        for frame in range(3):
            points = np.array(skin.GetPointsAttr().Get(frame))
            assert np.allclose(points, told.surface(frame), atol=1e-6)
            assert np.allclose(np.array(skin.GetExtentAttr().Get(frame)), [points.min(axis=0), points.max(axis=0)])
            normals = told.body.skin.normals(told.surface(frame))
            assert np.allclose(np.array(skin.GetNormalsAttr().Get(frame)), normals, atol=1e-6)
            primvars = UsdGeom.PrimvarsAPI(skin)
            assert list(primvars.GetPrimvar("weightNames").Get()) == ["rest", "wide", "tall"]
            assert np.allclose(primvars.GetPrimvar("weights").Get(frame), told.weights[frame].mean(axis=0))
            assert primvars.GetPrimvar("weights").GetInterpolation() == "constant"
            if number:
                assert list(primvars.GetPrimvar("groupNames").Get()) == ["left", "right"]
                both = np.reshape(primvars.GetPrimvar("groupWeights").Get(frame), (2, 3))
                assert np.allclose(both, told.weights[frame])


def test_seams_are_welded_and_shaded_smoothly(tmp_path: Path) -> None:
    told = track(painted())
    write(take(told), tmp_path / "a.usda")
    stage = Usd.Stage.Open(str(tmp_path / "a.usda"))
    skin = skin_of(stage)
    twins = told.body.skin.twins
    assert twins is not None and len(np.unique(twins)) < len(twins)
    assert len(skin.GetPointsAttr().Get(0)) == len(skin.GetNormalsAttr().Get(0)) == len(np.unique(twins))
    st = UsdGeom.PrimvarsAPI(skin).GetPrimvar("st")
    assert st.GetInterpolation() == "faceVarying"
    uv, faces = told.body.skin.uv, told.body.skin.faces
    assert uv is not None
    up = np.array(st.ComputeFlattened()).reshape(-1, 3, 2)
    assert np.allclose(up, np.stack([uv[..., 0], 1 - uv[..., 1]], axis=-1)[faces])


def test_names_of_any_kind(tmp_path: Path) -> None:
    names = ["Bär 1", "熊", "a/b", "a b", "", "1st", "materials", "new\nline"]
    write(take(*(track(posed(), name, 1) for name in names), name="/.."), tmp_path / "a.usda")
    stage = Usd.Stage.Open(str(tmp_path / "a.usda"))
    found = stage.GetDefaultPrim().GetChildren()
    assert len({prim.GetName() for prim in found}) == len(names)
    assert [prim.GetDisplayName() for prim in found][:4] == names[:4]
    assert all(prim.GetName().isascii() and prim.GetName().isidentifier() for prim in found)


def test_pictures_lie_beside_the_file_or_in_it(tmp_path: Path) -> None:
    body = painted(plain_look(faces_of(painted())))
    wanted = take(track(body, "one"), track(body, "two"))
    for ending in ENDINGS:
        write(wanted, tmp_path / f"b{ending}")
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "b.usd", "b.usda", "b.usdc", "b.usdz", "b_textures",
    ]  # fmt: skip
    assert [path.name for path in (tmp_path / "b_textures").iterdir()] == ["fur.png"]
    assert (tmp_path / "b_textures" / "fur.png").read_bytes() == png(200, 100, 50)


def test_maps_of_gltf_files_are_kept(tmp_path: Path) -> None:
    write(take(track(painted(gltf_look(faces_of(painted()))))), tmp_path / "a.usda")
    stage = Usd.Stage.Open(str(tmp_path / "a.usda"))
    surface = UsdShade.Shader(stage.GetPrimAtPath("/falls/materials/all/surface"))
    fed = {}
    for given in surface.GetInputs():
        if given.HasConnectedSource():
            source = given.GetConnectedSources()[0][0]
            file = UsdShade.Shader(source.source.GetPrim()).GetInput("file").Get().path
            fed[given.GetBaseName()] = (file, source.sourceName)
    assert fed == {
        "diffuseColor": ("./a_textures/a.png", "rgb"), "opacity": ("./a_textures/a.png", "a"),
        "metallic": ("./a_textures/b.png", "b"), "roughness": ("./a_textures/b.png", "g"),
        "occlusion": ("./a_textures/b.png", "r"), "normal": ("./a_textures/c.png", "rgb"),
        "emissiveColor": ("./a_textures/d.png", "rgb"),
    }  # fmt: skip
    assert surface.GetInput("opacityThreshold").Get() == 0.25
    colour = UsdShade.Shader(stage.GetPrimAtPath("/falls/materials/all/colour"))
    assert (colour.GetInput("wrapS").Get(), colour.GetInput("wrapT").Get()) == ("clamp", "repeat")
    dull = UsdShade.Shader(stage.GetPrimAtPath("/falls/materials/dull/surface"))
    assert tuple(dull.GetInput("emissiveColor").Get()) == (0.5, 0, 0)


def test_webp_becomes_png(tmp_path: Path) -> None:
    from io import BytesIO

    from PIL import Image as Pillow

    made = BytesIO()
    Pillow.new("RGB", (2, 2), (255, 0, 0)).save(made, "WEBP", lossless=True)
    images = (Image("red", "image/webp", made.getvalue()), Image("odd", "image/ktx2", b"\xabKTX 20\xbb\r\n\x1a\n"))
    faces = faces_of(painted())
    materials = (Material("red", image=0), Material("odd", (0.5, 0.5, 0.5, 1.0), image=1))
    look = Look((Part("a", 0, 9, 0), Part("b", 9, faces, 1)), materials, images)
    write(take(track(painted(look))), tmp_path / "a.usdc")
    asset = read_stage(tmp_path / "a.usdc")
    assert asset.look is not None and len(asset.look.images) == 1
    with Pillow.open(BytesIO(asset.look.images[0].data)) as back:
        assert back.format == "PNG" and back.getpixel((0, 0)) == (255, 0, 0)
    assert asset.look.materials[1].image is None and asset.look.materials[1].colour == (0.5, 0.5, 0.5, 1.0)


def test_colours_come_back_times_the_material(tmp_path: Path) -> None:
    body = painted(coloured=True)
    faces = faces_of(body)
    look = Look((Part("all", 0, faces, 0),), (Material("tint", (1.0, 0.5, 0.25, 1.0)),))
    tinted = painted(look, coloured=True)
    for given, factor in ((body, (1, 1, 1)), (tinted, (1, 0.5, 0.25))):
        write(take(track(given)), tmp_path / "a.usdc")
        asset = read_stage(tmp_path / "a.usdc")
        skin = given.skin
        assert asset.colours is not None and skin.colours is not None
        light = to_linear(skin.colours[skin.faces])  # a skin has colours as a screen shows them
        assert np.allclose(asset.colours[asset.faces], light * factor, atol=1e-6)


def test_the_same_take_gives_the_same_bytes(tmp_path: Path) -> None:
    for name, wanted in all_takes().items():
        for ending in ENDINGS:
            first, second = tmp_path / "1" / f"a{ending}", tmp_path / "2" / f"a{ending}"
            write(wanted, first)
            write(wanted, second)
            assert first.read_bytes() == second.read_bytes(), f"{name}{ending}"


def test_progress_and_the_common_way_in(tmp_path: Path) -> None:
    told = []
    write_take(take(track(posed(), frames=3)), tmp_path / "A.USDC", progress=lambda *done: told.append(done))
    assert told == [(1, 3), (2, 3), (3, 3)] and (tmp_path / "A.USDC").stat().st_size > 1000


@pytest.mark.parametrize(
    ("wanted", "said"), [(take(), "no frame"), (take(track(posed()), fps=0.0), "0.0 frames a second")]
)
def test_takes_that_cannot_be_written(tmp_path: Path, wanted: object, said: str) -> None:
    with pytest.raises(FileError, match=said):
        write(wanted, tmp_path / "a.usdc")  # type: ignore[arg-type]
    assert list(tmp_path.iterdir()) == []
