"""What is kept of materials, textures and pictures."""

import base64
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from files.gltf.making import SQUARE, SQUARE_FACES, Making, png
from pliant.files.gltf import read

UV = np.float32([[0, 1], [1, 1], [1, 0], [0, 0]])


def painted(material: dict[str, Any], **attributes: Any) -> Making:
    """A square with a material, and four textures: red (0), green (1), the same green again (2), blue (3)."""
    making = Making()
    for colour in ((255, 0, 0), (0, 255, 0), (0, 0, 255)):
        making.add("images", bufferView=making.view(png(*colour)), mimeType="image/png")
    making.add("samplers", wrapS=33071)
    making.add("samplers", magFilter=9728, wrapT=33648)
    making.add("textures", source=0)
    making.add("textures", source=1, sampler=1, name="leaves")
    making.add("textures", source=1)
    making.add("textures", source=2)
    making.add("materials", name="unused", emissiveTexture={"index": 0})
    number = making.add("materials", **material)
    making.scene(making.node(mesh=making.mesh(material=number, **{"TEXCOORD_0": UV, **attributes})))
    return making


def test_only_what_is_used_is_kept_and_numbered_anew(tmp_path: Path) -> None:
    material = {
        "name": "bark", "doubleSided": True, "alphaMode": "MASK",
        "pbrMetallicRoughness": {
            "baseColorTexture": {"index": 3}, "baseColorFactor": [0.5, 0.25, 1, 0.75],
            "metallicFactor": 0.1, "roughnessFactor": 0.2,
        },
        "normalTexture": {"index": 1, "scale": 2},
        "extensions": {"KHR_materials_clearcoat": {"clearcoatFactor": 1, "clearcoatTexture": {"index": 3}}},
    }  # fmt: skip
    asset = read(painted(material).glb(tmp_path / "x.glb"))
    look = asset.look
    (found,) = look.materials
    assert (found.name, found.colour, found.metallic, found.roughness) == ("bark", (0.5, 0.25, 1, 0.75), 0.1, 0.2)
    assert found.double_sided
    assert look.images[found.image].data == png(0, 0, 255)
    assert len(look.images) == len(look.textures) == 2
    gltf = found.gltf
    assert gltf["alphaMode"] == "MASK"
    assert gltf["normalTexture"]["scale"] == 2
    leaves = look.textures[gltf["normalTexture"]["index"]]
    assert leaves["name"] == "leaves"
    assert look.images[leaves["source"]].data == png(0, 255, 0)
    assert look.samplers[leaves["sampler"]] == {"magFilter": 9728, "wrapT": 33648}
    coat = gltf["extensions"]["KHR_materials_clearcoat"]["clearcoatTexture"]["index"]
    assert look.images[look.textures[coat]["source"]].data == png(0, 0, 255)
    assert asset.uv == pytest.approx(UV)
    assert asset.notes == ()


def test_defaults(tmp_path: Path) -> None:
    (found,) = read(painted({}).glb(tmp_path / "x.glb")).look.materials
    assert (found.name, found.colour, found.metallic, found.roughness) == ("material 1", (1, 1, 1, 1), 1, 1)
    assert (found.image, found.double_sided) == (None, False)


def test_no_material(tmp_path: Path) -> None:
    making = Making()
    making.scene(making.node(mesh=making.mesh(name="plate")))
    look = read(making.glb(tmp_path / "x.glb")).look
    (part,) = look.parts
    assert (part.name, part.first, part.last, part.material) == ("plate", 0, 2, None)
    assert look.materials == ()


def test_parts_cover_all_faces(tmp_path: Path) -> None:
    making = Making()
    table = making.accessor(SQUARE)
    numbers = [making.add("materials", name=name) for name in ("fur", "nose")]
    primitives = [
        {"attributes": {"POSITION": table}, "indices": making.accessor(SQUARE_FACES[:3]), "material": numbers[1]},
        {"attributes": {"POSITION": table}, "indices": making.accessor(SQUARE_FACES), "material": numbers[0]},
    ]
    making.scene(making.node(name="bear", mesh=making.add("meshes", primitives=primitives)))
    asset = read(making.glb(tmp_path / "x.glb"))
    look = asset.look
    found = [(part.name, part.first, part.last, look.materials[part.material].name) for part in look.parts]
    assert found == [("bear nose", 0, 1, "nose"), ("bear fur", 1, 3, "fur")]
    assert asset.groups["nose"].tolist() == [0, 1, 2]
    assert asset.groups["fur"].tolist() == [3, 4, 5, 6]


def test_second_set_of_coordinates(tmp_path: Path) -> None:
    """The set that the colour reads is taken; a texture that reads another is left out and noted."""
    material = {
        "name": "bark",
        "pbrMetallicRoughness": {"baseColorTexture": {"index": 0, "texCoord": 1}},
        "occlusionTexture": {"index": 1},
    }
    asset = read(painted(material, TEXCOORD_1=UV * 3).glb(tmp_path / "x.glb"))
    assert asset.uv == pytest.approx(UV * 3)
    assert asset.look.materials[0].gltf["pbrMetallicRoughness"]["baseColorTexture"] == {"index": 0}
    assert "occlusionTexture" not in asset.look.materials[0].gltf
    assert asset.notes == ('material "bark": occlusionTexture reads a second set of coordinates and is left out',)


def laid(**values: Any) -> dict[str, Any]:
    return {"KHR_texture_transform": values}


def test_texture_transform_moves_the_coordinates(tmp_path: Path) -> None:
    extensions = laid(offset=[0.5, 0], rotation=math.pi / 2, scale=[2, 4])
    material = {"pbrMetallicRoughness": {"baseColorTexture": {"index": 0, "extensions": extensions}}}
    asset = read(painted(material).glb(tmp_path / "x.glb"))
    u, v = UV.T * [[2], [4]]
    assert asset.uv == pytest.approx(np.stack([v + 0.5, -u], axis=1), abs=1e-6)
    assert asset.look.materials[0].gltf["pbrMetallicRoughness"]["baseColorTexture"] == {"index": 0}
    assert asset.notes == ()


def test_texture_transforms_that_differ_are_kept_and_noted(tmp_path: Path) -> None:
    material = {
        "name": "bark",
        "pbrMetallicRoughness": {"baseColorTexture": {"index": 0, "extensions": laid(scale=[2, 2])}},
        "normalTexture": {"index": 1},
    }
    asset = read(painted(material).glb(tmp_path / "x.glb"))
    assert asset.uv == pytest.approx(UV)
    kept = asset.look.materials[0].gltf["pbrMetallicRoughness"]["baseColorTexture"]
    assert kept["extensions"] == laid(scale=[2, 2])
    assert asset.notes == ('material "bark": its textures are laid in different ways, which only exports keep',)


def test_strange_extensions_are_left_out(tmp_path: Path) -> None:
    extensions = {"ACME_shader": {"texture": 2}, "KHR_materials_unlit": {}}
    asset = read(painted({"name": "bark", "extensions": extensions}).glb(tmp_path / "x.glb"))
    assert asset.look.materials[0].gltf["extensions"] == {"KHR_materials_unlit": {}}
    assert asset.notes == ('material "bark": ACME_shader is left out',)


def test_specular_glossiness(tmp_path: Path) -> None:
    glossy = {"diffuseFactor": [1, 0, 0, 1], "glossinessFactor": 0.75, "diffuseTexture": {"index": 1}}
    asset = read(painted({"extensions": {"KHR_materials_pbrSpecularGlossiness": glossy}}).glb(tmp_path / "x.glb"))
    (found,) = asset.look.materials
    assert (found.colour, found.metallic, found.roughness) == ((1, 0, 0, 1), 0, 0.25)
    assert asset.look.images[found.image].data == png(0, 255, 0)


def test_pictures_from_anywhere(tmp_path: Path) -> None:
    making = painted({"pbrMetallicRoughness": {"baseColorTexture": {"index": 0}}, "normalTexture": {"index": 1}})
    making.json["images"][0] = {"uri": "my%20maps/red.png"}
    making.json["images"][1] = {"uri": "data:image/jpeg;base64," + base64.b64encode(png(1, 2, 3)).decode()}
    (tmp_path / "my maps").mkdir()
    (tmp_path / "my maps" / "red.png").write_bytes(png(255, 0, 0))
    images = read(making.glb(tmp_path / "x.glb")).look.images
    assert [(image.name, image.mime, image.data) for image in images] == [
        ("red", "image/png", png(255, 0, 0)),
        ("image 1", "image/png", png(1, 2, 3)),  # what it is, not what it is said to be
    ]


@pytest.mark.parametrize(
    ("image", "said"),
    [
        ({"uri": "gone.png"}, "picture \"gone\" is left out: images[0]: the file 'gone.png' is missing"),
        ({"uri": "../red.png"}, "picture \"red\" is left out: images[0]: '../red.png' leads out of the folder"),
        ({"bufferView": 99}, 'picture "image 0" is left out: images[0]: it refers to bufferViews[99]'),
        ({"uri": "data:image/png,hello"}, 'picture "image 0" is left out: it is neither PNG, JPEG, WebP nor KTX2'),
    ],
)
def test_a_model_without_its_pictures_is_still_a_model(tmp_path: Path, image: dict[str, Any], said: str) -> None:
    making = painted({"pbrMetallicRoughness": {"baseColorTexture": {"index": 0}}})
    making.json["images"][0] = image
    asset = read(making.glb(tmp_path / "x.glb"))
    assert asset.look.materials[0].image is None
    assert asset.look.materials[0].gltf == {"pbrMetallicRoughness": {}}
    assert asset.notes[0].startswith(said)


def test_webp_with_and_without_a_fallback(tmp_path: Path) -> None:
    webp = b"RIFF\x1a\0\0\0WEBPVP8L" + bytes(14)
    making = painted({"pbrMetallicRoughness": {"baseColorTexture": {"index": 0}}})
    number = making.add("images", bufferView=making.view(webp), mimeType="image/webp")
    making.json["textures"][0] = {"extensions": {"EXT_texture_webp": {"source": number}}}
    asset = read(making.glb(tmp_path / "x.glb"))
    assert asset.look.textures == ({"extensions": {"EXT_texture_webp": {"source": 0}}},)
    assert asset.look.images[asset.look.materials[0].image].mime == "image/webp"


def test_vertex_colours(tmp_path: Path) -> None:
    making = Making()
    light = np.float32([[0, 0.5, 1, 1], [1, 0, 0, 1], [0, 1, 0, 0.5], [0, 0, 1, 1]])
    coded = making.mesh(COLOR_0=making.accessor(np.round(light * 65535).astype(np.uint16), normalized=True))
    plain = making.mesh()
    making.scene(making.node(mesh=coded, name="a"), making.node(mesh=plain))
    asset = read(making.glb(tmp_path / "x.glb"))
    assert asset.colours[:4] == pytest.approx(light[:, :3], abs=1e-5)
    assert (asset.colours[4:] == 1).all()
    assert asset.notes == ('mesh "mesh 0": how transparent its vertex colours are is left out',)
