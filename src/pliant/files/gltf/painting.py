"""How skins are painted in a .glb: the materials they came with, or pleasant ones."""

from __future__ import annotations

from typing import Any

import numpy as np

from pliant.body import Skin
from pliant.body.look import Look, Material
from pliant.files.colour import to_linear
from pliant.files.drawn import is_thin
from pliant.files.gltf.builder import Builder

HUES = ("#e8833a", "#3f8fd2", "#3fae8c", "#d7536b", "#f0c548", "#5f4b9e", "#9ad6ea", "#8c4a2c")  # sRGB, one an actor
PICTURE_EXTENSIONS = {"image/png": None, "image/jpeg": None, "image/webp": "EXT_texture_webp"}


class Painter:
    """Writes materials, textures and pictures when they are first used, and only once."""

    def __init__(self, builder: Builder) -> None:
        self._builder = builder
        self._made: dict[tuple[int | str, ...], int] = {}

    def material(self, skin: Skin, place: int | None, actor: int) -> int:
        """The number of the material of a part; `place` is that in the skin's look, None for none."""
        if place is None or skin.look is None:
            return self._plain(skin, actor)
        look = skin.look
        key = ("material", id(look), place)
        if key not in self._made:
            self._made[key] = self._builder.add("materials", self._described(look, look.materials[place]))
        return self._made[key]

    def _plain(self, skin: Skin, actor: int) -> int:
        """Matte, in the colours of the skin or else a hue for each actor."""
        hue = "#ffffff" if skin.colours is not None else HUES[actor % len(HUES)]
        thin = is_thin(skin)
        key = ("plain", hue, thin)
        if key not in self._made:
            srgb = np.array([int(hue[at : at + 2], 16) for at in (1, 3, 5)]) / 255
            entry: dict[str, Any] = {
                "name": "Pliant",
                "pbrMetallicRoughness": {
                    "baseColorFactor": [*to_linear(srgb).round(6).tolist(), 1.0],
                    "metallicFactor": 0.0,
                    "roughnessFactor": 0.6,
                },
            }
            if thin:
                entry["doubleSided"] = True
            self._made[key] = self._builder.add("materials", entry)
        return self._made[key]

    def _described(self, look: Look, material: Material) -> dict[str, Any]:
        if material.gltf is not None:
            return self._renumbered(look, dict(material.gltf))
        pbr: dict[str, Any] = {
            "baseColorFactor": [float(each) for each in material.colour],
            "metallicFactor": float(material.metallic),
            "roughnessFactor": float(material.roughness),
        }
        texture = None if material.image is None else self._texture_of_image(look, material.image)
        if texture is not None:
            pbr["baseColorTexture"] = {"index": texture}
        entry: dict[str, Any] = {"name": material.name, "pbrMetallicRoughness": pbr}
        if material.double_sided:
            entry["doubleSided"] = True
        if material.colour[3] < 1:
            entry["alphaMode"] = "BLEND"
        return entry

    def _renumbered(self, look: Look, data: dict[str, Any]) -> dict[str, Any]:
        """A glTF material with the numbers its textures have in this file."""
        result = {}
        for key, value in data.items():
            if isinstance(value, dict) and key != "extras":
                value = self._renumbered(look, value)
                if key.endswith("Texture") and "index" in value:
                    value["index"] = self._texture(look, value["index"])
            result[key] = value
        return result

    def _texture(self, look: Look, place: int) -> int:
        key = ("texture", id(look), place)
        if key not in self._made:
            entry = dict(look.textures[place])
            if "source" in entry:
                entry["source"] = self._image(look, entry["source"])
            if "extensions" in entry:
                entry["extensions"] = {
                    name: {**value, "source": self._image(look, value["source"])}
                    for name, value in entry["extensions"].items()
                }
            if "sampler" in entry:
                entry["sampler"] = self._sampler(look, entry["sampler"])
            self._made[key] = self._builder.add("textures", entry)
        return self._made[key]

    def _texture_of_image(self, look: Look, place: int) -> int | None:
        """A texture for a picture of another kind of file; None if glTF has no such pictures."""
        mime = look.images[place].mime
        if mime not in PICTURE_EXTENSIONS:
            return None
        key = ("texture of image", id(look), place)
        if key not in self._made:
            source = {"source": self._image(look, place)}
            extension = PICTURE_EXTENSIONS[mime]
            entry: dict[str, Any] = source if extension is None else {"extensions": {extension: source}}
            self._made[key] = self._builder.add("textures", entry)
        return self._made[key]

    def _sampler(self, look: Look, place: int) -> int:
        key = ("sampler", id(look), place)
        if key not in self._made:
            self._made[key] = self._builder.add("samplers", dict(look.samplers[place]))
        return self._made[key]

    def _image(self, look: Look, place: int) -> int:
        key = ("image", id(look), place)
        if key not in self._made:
            image = look.images[place]
            entry = {"name": image.name, "mimeType": image.mime, "bufferView": self._builder.view(image.data)}
            self._made[key] = self._builder.add("images", entry)
        return self._made[key]
