"""Materials of a file: only those that are used.

Drawn vertices have one pair of texture coordinates here. Where a material reads several sets, the set of its colour is
taken; where all its textures are laid the same way (KHR_texture_transform), the coordinates themselves are laid so.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from pliant.body.look import Look, Material, Part
from pliant.files.gltf.accessors import Array
from pliant.files.gltf.container import Container
from pliant.files.gltf.item import Item
from pliant.files.gltf.textures import Textures, copied

LAYING = "KHR_texture_transform"
GLOSSY = "KHR_materials_pbrSpecularGlossiness"


@dataclass(frozen=True)
class Laying:
    """How a texture lies on its coordinates."""

    offset: tuple[float, ...] = (0.0, 0.0)
    rotation: float = 0.0
    scale: tuple[float, ...] = (1.0, 1.0)

    def __call__(self, uv: Array) -> Array:
        u, v = (uv * self.scale).T
        cosine, sine = np.cos(self.rotation), np.sin(self.rotation)
        return np.stack([cosine * u + sine * v, cosine * v - sine * u], axis=1) + self.offset


@dataclass(frozen=True, eq=False)
class Paint:
    """A material as it goes into a look, the set of coordinates it reads, and how these are laid."""

    material: Material
    uv_set: int
    laying: Laying


class Paints:
    """The materials of a file, each read when it is first asked for."""

    def __init__(self, container: Container) -> None:
        self.container = container
        self._paints: dict[int, Paint] = {}
        self._textures = Textures(container)

    def uv_set(self, material: int | None) -> int:
        return 0 if material is None else self._paint(material).uv_set

    def laid(self, material: int | None, uv: Array) -> Array:
        return uv if material is None else self._paint(material).laying(uv)

    def number(self, material: int | None) -> int | None:
        """The place of a material in the look, from its number in the file."""
        return None if material is None else list(self._paints).index(material)

    def name(self, material: int) -> str:
        return self._paint(material).material.name

    def look(self, parts: tuple[Part, ...]) -> Look:
        materials = tuple(paint.material for paint in self._paints.values())
        used = self._textures
        return Look(parts, materials, tuple(used.images), tuple(used.textures), tuple(used.samplers))

    def _paint(self, number: int) -> Paint:
        if number not in self._paints:
            item = self.container.entry("materials", number, self.container.root)
            self._paints[number] = self._read(Item(item.path, item.where, copied(item.data)), number)
        return self._paints[number]

    def _read(self, item: Item, number: int) -> Paint:
        name = item.name(f"material {number}")
        for extension in _without_strangers(item.data):
            self.container.note(f'material "{name}": {extension} is left out')
        colours = self._colour_texture(item)
        uv_set = _uv_set(colours) if colours is not None else None
        layings = set()
        for holder, key, info in list(_texture_infos(item.data, item)):
            ours = self._textures.number(info.integer("index"), info)
            own = _uv_set(info)
            if ours is None:
                del holder[key]
                continue
            uv_set = own if uv_set is None else uv_set
            if own != uv_set:
                self.container.note(f'material "{name}": {key} reads a second set of coordinates and is left out')
                del holder[key]
                continue
            info.data["index"] = ours
            info.data.pop("texCoord", None)
            layings.add(_laying(info))
        laying = Laying()
        if len(layings) == 1:
            laying = layings.pop()
            for _, _, info in _texture_infos(item.data, item):
                _forget_laying(info)
        elif layings:
            self.container.note(f'material "{name}": its textures are laid in different ways, which only exports keep')
        return Paint(self._material(item, name), uv_set or 0, laying)

    def _material(self, item: Item, name: str) -> Material:
        pbr = item.item("pbrMetallicRoughness")
        glossy = item.extension(GLOSSY)
        texture = self._colour_texture(item)
        metallic = roughness = 1.0
        colour: tuple[float, ...] = (1.0,) * 4
        if pbr is not None:
            colour = pbr.numbers("baseColorFactor", colour)
            metallic, roughness = pbr.number("metallicFactor", 1.0), pbr.number("roughnessFactor", 1.0)
        elif glossy is not None:
            colour, metallic = glossy.numbers("diffuseFactor", colour), 0.0
            roughness = 1.0 - glossy.number("glossinessFactor", 1.0)
        red, green, blue, alpha = np.clip(colour, 0.0, 1.0).tolist()
        return Material(
            name,
            (red, green, blue, alpha),
            min(max(metallic, 0.0), 1.0),
            min(max(roughness, 0.0), 1.0),
            None if texture is None else self._textures.picture_of(texture.integer("index")),
            item.flag("doubleSided"),
            item.data,
        )

    @staticmethod
    def _colour_texture(item: Item) -> Item | None:
        pbr, glossy = item.item("pbrMetallicRoughness"), item.extension(GLOSSY)
        found = pbr.item("baseColorTexture") if pbr is not None else None
        return found if found is not None or glossy is None else glossy.item("diffuseTexture")


def _texture_infos(data: dict[str, Any], item: Item) -> Iterator[tuple[dict[str, Any], str, Item]]:
    """Every reference to a texture in a material and its extensions: its holder, its key, itself."""
    for key, value in data.items():
        if isinstance(value, dict) and key != "extras":
            if key.endswith("Texture") and "index" in value:
                yield data, key, Item(item.path, f"{item.where}.{key}", value)
            else:
                yield from _texture_infos(value, item)


def _without_strangers(data: dict[str, Any]) -> list[str]:
    """The names of extensions that were taken out because their numbers might mean something in the old file."""
    gone: list[str] = []
    for key, value in list(data.items()):
        if not isinstance(value, dict) or key == "extras":
            continue
        if key == "extensions":
            for name in [name for name in value if not name.startswith(("KHR_materials_", "EXT_materials_", LAYING))]:
                del value[name]
                gone.append(name)
        gone += _without_strangers(value)
        if key == "extensions" and not value:
            del data[key]
    return gone


def _uv_set(info: Item) -> int:
    laying = info.extension(LAYING)
    own = info.integer("texCoord", 0)
    return own if laying is None else laying.integer("texCoord", own)


def _laying(info: Item) -> Laying:
    laying = info.extension(LAYING)
    if laying is None:
        return Laying()
    laying.data.pop("texCoord", None)
    return Laying(
        laying.numbers("offset", (0.0, 0.0)), laying.number("rotation", 0.0), laying.numbers("scale", (1.0, 1.0))
    )


def _forget_laying(info: Item) -> None:
    extensions = info.data.get("extensions", {})
    extensions.pop(LAYING, None)
    if not extensions:
        info.data.pop("extensions", None)
