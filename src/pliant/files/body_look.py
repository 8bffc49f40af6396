"""How a skin is painted, as JSON beside its arrays: described, and read back with suspicion."""

from collections.abc import Callable
from dataclasses import asdict
from typing import Any

from pliant.body.look import Image, Look, Material, Part
from pliant.files.gltf.item import Item, one_line
from pliant.files.gltf.textures import OTHER_PICTURES
from pliant.files.limits import MOST_PICTURE_BYTES, check
from pliant.files.pictures import mime_of

MOST_ITEMS = 10_000  # parts, materials or pictures


def described(look: Look) -> dict[str, Any]:
    """Everything but the pictures' bytes."""
    return {
        "parts": [asdict(part) for part in look.parts],
        "materials": [
            {
                "name": each.name,
                "colour": list(each.colour),
                "metallic": each.metallic,
                "roughness": each.roughness,
                "image": each.image,
                "double_sided": each.double_sided,
                "gltf": None if each.gltf is None else dict(each.gltf),
            }
            for each in look.materials
        ],
        "images": [{"name": image.name} for image in look.images],
        "textures": [dict(each) for each in look.textures],
        "samplers": [dict(each) for each in look.samplers],
    }


def look_of(item: Item, faces: int, data: Callable[[str], bytes]) -> Look:
    """The look of a skin of so many faces. data: gives the bytes of a picture by the name of its array."""
    for key in ("parts", "materials", "images", "textures", "samplers"):
        check(item.path, key, len(item._list(key)), MOST_ITEMS)
    images = tuple(_image(each, number, data) for number, each in enumerate(item.items("images")))
    samplers = tuple(each.data for each in item.items("samplers"))
    textures = tuple(_texture(each, len(images), len(samplers)) for each in item.items("textures"))
    materials = tuple(_material(each, len(images), len(textures)) for each in item.items("materials"))
    parts = tuple(_part(each, len(materials)) for each in item.items("parts"))
    ends = [0, *(part.last for part in parts)]
    if parts and ([part.first for part in parts] != ends[:-1] or ends[-1] != faces):
        raise item.wrong(f"its parts do not cover the {faces:,} faces one after the other")
    return Look(parts, materials, images, textures, samplers)


def _part(item: Item, materials: int) -> Part:
    first = item.integer("first")
    return Part(item.name(""), first, item.integer("last", least=first), _place(item, "material", materials))


def _material(item: Item, images: int, textures: int) -> Material:
    red, green, blue, alpha = item.numbers("colour", (0.8, 0.8, 0.8, 1.0))
    gltf = item.item("gltf")
    if gltf is not None:
        _check_textures(gltf, textures)
    return Material(
        item.name("material"),
        (red, green, blue, alpha),
        item.number("metallic", 0.0),
        item.number("roughness", 0.6),
        _place(item, "image", images),
        item.flag("double_sided"),
        None if gltf is None else gltf.data,
    )


def _check_textures(item: Item, textures: int) -> None:
    """That whatever names a texture of glTF names one that is there; exports count on it."""
    for key, value in item.data.items():
        if isinstance(value, dict) and key != "extras":
            inner = Item(item.path, f"{item.where}.{key}", value)
            if key.endswith("Texture") and "index" in value:
                _place(inner, "index", textures, needed=True)
            _check_textures(inner, textures)


def _texture(item: Item, images: int, samplers: int) -> dict[str, Any]:
    _place(item, "source", images)
    _place(item, "sampler", samplers)
    for key in ("source", "sampler"):
        if key in item.data and item.data[key] is None:
            raise item.wrong(f"{key} is null")
    if "extensions" in item.data:
        extensions = item.item("extensions")
        for name in () if extensions is None else extensions.data:
            inner = Item(item.path, f"{item.where}.extensions.{one_line(name)}", item.data["extensions"][name])
            _place(inner, "source", images, needed=True)
    return item.data


def _image(item: Item, number: int, data: Callable[[str], bytes]) -> Image:
    pixels = data(f"image_{number}")
    check(item.path, f"bytes in {item.where}", len(pixels), MOST_PICTURE_BYTES)
    mime = mime_of(pixels) or next((mime for start, mime in OTHER_PICTURES.items() if pixels.startswith(start)), None)
    if mime is None and pixels[4:12] in (b"ftypavif", b"ftypavis"):
        mime = "image/avif"
    if mime is None:
        raise item.wrong("it is neither PNG, JPEG, WebP, AVIF nor KTX2")
    return Image(item.name(f"image {number}"), mime, pixels)


def _place(item: Item, key: str, count: int, needed: bool = False) -> int | None:
    """The number of something in a list of so many, or None where there is none."""
    if not needed and key not in item:
        return None
    if not count:
        raise item.wrong(f"{key} names something that is not there")
    return item.integer(key, most=count - 1)
