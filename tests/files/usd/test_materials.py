"""Materials and pictures in."""

from pathlib import Path
from shutil import rmtree
from typing import Any

import numpy as np
import pytest
from pxr import Gf, Sdf, UsdGeom, UsdShade, Vt

from files.gltf.making import png
from files.usd.authoring import CUBE, bind, material, mesh, package, pairs, primvar, shader, stage, vectors
from pliant.files.asset import Asset
from pliant.files.usd import read as read_apart
from pliant.files.usd.reader import read_stage

Types = Sdf.ValueTypeNames


def read(made: object) -> Asset:
    layer = made.GetRootLayer()  # type: ignore[attr-defined]
    layer.Save()
    return read_stage(Path(layer.realPath))


def painted(tmp_path: Path, picture: str = "./maps/fur.png") -> Any:
    """A stage with a cube with a picture on it."""
    made = stage(tmp_path / "a.usdc")
    cube = mesh(made, "/scene/cube")
    made.SetDefaultPrim(made.GetPrimAtPath("/scene"))
    primvar(cube, "st", "TexCoord2fArray", pairs(CUBE[:, :2]), "vertex")
    bind(cube, material(made, "/scene/fur", picture=picture, roughness=0.25, metallic=0.5, opacity=0.75))
    return made


def test_pictures_beside_the_file_and_in_a_package(tmp_path: Path) -> None:
    (tmp_path / "maps").mkdir()
    (tmp_path / "maps" / "fur.png").write_bytes(png(200, 100, 50))
    made = painted(tmp_path)
    made.GetRootLayer().Save()
    packed = package(tmp_path / "a.usdc", tmp_path / "a.usdz")
    for path in (tmp_path / "a.usdc", packed):
        asset = read_apart(path)
        assert asset.look is not None and asset.notes == ()
        (image,), (fur,) = asset.look.images, asset.look.materials
        assert image.data == png(200, 100, 50) and image.mime == "image/png" and image.name == "fur"
        assert fur.name == "fur" and fur.image == 0 and fur.colour == (1.0, 1.0, 1.0, 0.75)
        assert (fur.metallic, fur.roughness) == (0.5, 0.25)
        assert [(part.first, part.last, part.material) for part in asset.look.parts] == [(0, 12, 0)]
        rmtree(tmp_path / "maps", ignore_errors=True)  # the package stands by itself


def test_a_picture_from_another_machine_is_found_by_its_name(tmp_path: Path) -> None:
    (tmp_path / "fur.png").write_bytes(png(1, 2, 3))
    asset = read(painted(tmp_path, "C:\\textures\\fur.png"))
    assert asset.look is not None and asset.look.images[0].data == png(1, 2, 3)


@pytest.mark.parametrize(
    ("picture", "said"),
    [("./lost.png", "not found"), ("./fur.exr", "not a PNG"), ("./fur.<UDIM>.png", "UDIM"), ("./maps", "left out")],
)
def test_pictures_that_cannot_be_had_are_told(tmp_path: Path, picture: str, said: str) -> None:
    (tmp_path / "fur.exr").write_bytes(b"\x76\x2f\x31\x01")
    (tmp_path / "maps").mkdir()
    asset = read(painted(tmp_path, picture))
    assert asset.look is not None and asset.look.images == () and asset.look.materials[0].image is None
    assert any(said in note for note in asset.notes), asset.notes


def test_materials_of_subsets(tmp_path: Path) -> None:
    made = stage(tmp_path / "a.usda")
    cube = mesh(made, "/cube")
    red, blue = (material(made, f"/{name}", colour) for name, colour in (("red", (1, 0, 0)), ("blue", (0, 0, 1))))
    bind(cube, red)
    found = UsdShade.MaterialBindingAPI.Apply(cube.GetPrim()).CreateMaterialBindSubset("lid", Vt.IntArray([3]))
    bind(found, blue)
    asset = read(made)
    assert asset.look is not None
    names = [(part.name, asset.look.materials[part.material or 0].name) for part in asset.look.parts]
    assert names == [("cube", "red"), ("lid", "blue")]
    lid = asset.faces[asset.look.parts[1].first :]
    assert (asset.vertices[lid][..., 1] == 1).all() and len(lid) == 2
    assert asset.look.materials[1].colour == (0.0, 0.0, 1.0, 1.0)
    assert len(asset.groups["blue"]) == 4


def test_coordinates_are_laid_as_the_material_says(tmp_path: Path) -> None:
    (tmp_path / "fur.png").write_bytes(png(1, 2, 3))
    made = painted(tmp_path, "./fur.png")
    primvar(
        UsdGeom.Mesh(made.GetPrimAtPath("/scene/cube")), "second", "TexCoord2fArray", pairs(CUBE[:, :2] + 7), "vertex"
    )
    UsdShade.Shader(made.GetPrimAtPath("/scene/fur/reader")).GetInput("varname").Set("second")
    laid = shader(made, "/scene/fur/laid", "UsdTransform2d")
    laid.CreateInput("in", Types.Float2).ConnectToSource(
        UsdShade.Shader(made.GetPrimAtPath("/scene/fur/reader")).GetOutput("result")
    )
    laid.CreateInput("rotation", Types.Float).Set(90.0)
    laid.CreateInput("scale", Types.Float2).Set(Gf.Vec2f(2, 3))
    laid.CreateInput("translation", Types.Float2).Set(Gf.Vec2f(0.5, 0))
    texture = UsdShade.Shader(made.GetPrimAtPath("/scene/fur/picture"))
    texture.GetInput("st").ConnectToSource(laid.CreateOutput("result", Types.Float2))
    asset = read(made)
    u, v = (asset.vertices[:, 0] + 7) * 2, (asset.vertices[:, 1] + 7) * 3
    assert asset.uv is not None and np.allclose(asset.uv, np.stack([0.5 - v, 1 - u], axis=1), atol=1e-5)


def test_vertex_colours_count_where_the_material_reads_them(tmp_path: Path) -> None:
    for read_them in (True, False):
        made = stage(tmp_path / f"{read_them}.usda")
        cube = mesh(made, "/cube")
        primvar(cube, "displayColor", "Color3fArray", vectors(CUBE), "vertex")
        found = material(made, "/plain", (0.5, 0.5, 0.5))
        bind(cube, found)
        if read_them:
            reader = shader(made, "/plain/colours", "UsdPrimvarReader_float3")
            reader.CreateInput("varname", Types.String).Set("displayColor")
            surface = UsdShade.Shader(made.GetPrimAtPath("/plain/surface"))
            surface.GetInput("diffuseColor").ConnectToSource(reader.CreateOutput("result", Types.Float3))
        asset = read(made)
        assert (asset.colours is not None) == read_them
        assert any("vertex colours" in note for note in asset.notes) != read_them


def test_other_shaders_and_maps_are_told(tmp_path: Path) -> None:
    (tmp_path / "fur.png").write_bytes(png(1, 2, 3))
    made = painted(tmp_path, "./fur.png")
    surface = UsdShade.Shader(made.GetPrimAtPath("/scene/fur/surface"))
    texture = UsdShade.Shader(made.GetPrimAtPath("/scene/fur/picture"))
    surface.CreateInput("normal", Types.Normal3f).ConnectToSource(texture.GetOutput("rgb"))
    bind(mesh(made, "/scene/odd", CUBE + 3), UsdShade.Material.Define(made, "/scene/strange"))
    asset = read(made)
    assert asset.notes == (
        "pictures of normal are left out of materials: fur",
        "materials that are no UsdPreviewSurface, shown grey: strange",
    )
