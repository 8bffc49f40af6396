"""Materials, pictures, coordinates and colours: in and out again."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from files.gltf import takes
from files.gltf.making import png
from files.gltf.opened import Opened
from files.gltf.takes import take, track
from pliant.body.look import Image, Look, Material, Part
from pliant.files.colour import to_linear
from pliant.files.gltf import read, write


def test_an_artists_look_comes_back(tmp_path: Path) -> None:
    body = takes.painted(tmp_path / "painted.glb")
    before = read(tmp_path / "painted.glb")
    write(take(track(body, takes.tumble, "box")), tmp_path / "x.glb")
    after = read(tmp_path / "x.glb")
    assert np.array_equal(after.faces, before.faces)
    assert np.array_equal(after.uv, before.uv)
    assert [material.gltf for material in after.look.materials] == [each.gltf for each in before.look.materials]
    assert after.look.textures == before.look.textures
    assert after.look.samplers == before.look.samplers
    for new, old in zip(after.look.images, before.look.images, strict=True):
        assert (new.name, new.mime, new.data) == (old.name, old.mime, old.data)
    spans = [[(part.first, part.last, part.material) for part in each.look.parts] for each in (after, before)]
    assert spans[0] == spans[1]
    assert Opened(tmp_path / "x.glb").json["extensionsUsed"] == ["KHR_materials_ior"]


def test_pictures_are_written_once(tmp_path: Path) -> None:
    body = takes.painted(tmp_path / "painted.glb")
    write(take(*(track(body, takes.fly, f"box {k}") for k in range(3))), tmp_path / "x.glb")
    made = Opened(tmp_path / "x.glb").json
    assert [len(made[table]) for table in ("images", "textures", "samplers", "materials")] == [2, 2, 1, 2]


def test_colours(tmp_path: Path) -> None:
    body = takes.coloured()
    write(take(track(body, takes.tumble)), tmp_path / "x.glb")
    assert read(tmp_path / "x.glb").colours == pytest.approx(to_linear(body.skin.colours), abs=1e-5)
    (material,) = Opened(tmp_path / "x.glb").json["materials"]
    assert material["pbrMetallicRoughness"]["baseColorFactor"] == [1, 1, 1, 1]


def test_plain_bodies_get_a_hue_each(tmp_path: Path) -> None:
    write(take(*(track(takes.solid(), takes.fly, f"bar {k}") for k in range(3))), tmp_path / "x.glb")
    materials = Opened(tmp_path / "x.glb").json["materials"]
    hues = {tuple(each["pbrMetallicRoughness"]["baseColorFactor"]) for each in materials}
    assert len(hues) == 3


def test_a_shell_is_seen_from_both_sides(tmp_path: Path) -> None:
    write(take(track(takes.shell(), takes.fly)), tmp_path / "x.glb")
    assert Opened(tmp_path / "x.glb").json["materials"][0]["doubleSided"] is True


def test_a_look_from_another_kind_of_file(tmp_path: Path) -> None:
    """Materials without glTF's own words, such as those of an OBJ or USD file; parts share vertices there."""
    body = takes.solid()
    faces = len(body.skin.faces)
    webp = b"RIFF\x1a\0\0\0WEBPVP8L" + bytes(14)
    look = Look(
        (Part("a", 0, 5, 0), Part("b", 5, 9, 1), Part("c", 9, 9, 1), Part("d", 9, 12, 2), Part("e", 12, faces)),
        (
            Material("red", (1, 0, 0, 1), 0.25, 0.5, image=0),
            Material("veil", (0, 0, 1, 0.5), double_sided=True, image=1),
            Material("odd", image=2),
        ),
        tuple(
            Image(name, f"image/{kind}", data)
            for name, kind, data in (("red", "png", png(255, 0, 0)), ("veil", "webp", webp), ("odd", "bmp", b"BM"))
        ),
    )
    uv = np.random.default_rng(0).uniform(0.1, 0.9, (len(body.skin.vertices), 2))
    body = body.with_skin(replace(body.skin, look=look, uv=uv))
    write(take(track(body, takes.tumble)), tmp_path / "x.glb")
    made = Opened(tmp_path / "x.glb").json
    red, veil, odd, plain = made["materials"]
    assert red["pbrMetallicRoughness"] == {
        "baseColorFactor": [1, 0, 0, 1],
        "metallicFactor": 0.25,
        "roughnessFactor": 0.5,
        "baseColorTexture": {"index": 0},
    }
    assert veil["alphaMode"] == "BLEND" and veil["doubleSided"]
    assert "baseColorTexture" not in odd["pbrMetallicRoughness"]
    assert plain["name"] == "Pliant"
    assert made["textures"] == [{"source": 0}, {"extensions": {"EXT_texture_webp": {"source": 1}}}]
    assert made["extensionsRequired"] == made["extensionsUsed"] == ["EXT_texture_webp"]
    assert len(made["meshes"][0]["primitives"]) == 4
    found = read(tmp_path / "x.glb")
    assert len(found.faces) == faces
    corners = found.vertices[found.faces]
    assert corners == pytest.approx(track(body, takes.tumble).surface(0)[body.skin.faces], abs=1e-5)
    assert found.uv[found.faces] == pytest.approx(uv[body.skin.faces], abs=1e-6)
