"""Textures, pictures and samplers of a file: only those that are used, numbered anew."""

from __future__ import annotations

from typing import Any

from pliant.body.look import Image
from pliant.files.gltf.container import Container
from pliant.files.gltf.item import Item
from pliant.files.limits import MOST_PICTURE_BYTES, check
from pliant.files.pictures import mime_of
from pliant.runtime.errors import FileError

SOURCES = ("EXT_texture_webp", "EXT_texture_avif", "KHR_texture_basisu", "MSFT_texture_dds")
OTHER_PICTURES = {b"\xabKTX 20\xbb\r\n\x1a\n": "image/ktx2", b"DDS ": "image/vnd-ms.dds"}  # by their first bytes


class Textures:
    """The textures that were asked for so far, as a look has them."""

    def __init__(self, container: Container) -> None:
        self._container = container
        self._textures: dict[int, int | None] = {}  # the file's number -> ours, None if it cannot be had
        self._images: dict[int, int | None] = {}
        self._samplers: dict[int, int] = {}
        self.textures: list[dict[str, Any]] = []
        self.images: list[Image] = []
        self.samplers: list[dict[str, Any]] = []

    def picture_of(self, texture: int) -> int | None:
        """The place of a texture's picture in the look."""
        entry = self.textures[texture]
        other: int | None = entry.get("extensions", {}).get("EXT_texture_webp", {}).get("source")
        return entry.get("source", other)

    def number(self, number: int, asker: Item) -> int | None:
        """Our number of a texture, None if its picture is not to be had."""
        if number not in self._textures:
            item = self._container.entry("textures", number, asker)
            found: dict[str, Any] = {}
            plain = self._image(item.index("source"), item)
            if plain is not None:
                found["source"] = plain
            for name in SOURCES:
                extension = item.extension(name)
                other = self._image(extension.index("source"), extension) if extension is not None else None
                if other is not None:
                    found.setdefault("extensions", {})[name] = {"source": other}
            self._textures[number] = None
            if found:
                if "sampler" in item:
                    found["sampler"] = self._sampler(item.integer("sampler"), item)
                if "name" in item:
                    found["name"] = item.name("")
                self._textures[number] = len(self.textures)
                self.textures.append(found)
        return self._textures[number]

    def _sampler(self, number: int, asker: Item) -> int:
        if number not in self._samplers:
            data = copied(self._container.entry("samplers", number, asker).data)
            data.pop("extensions", None)
            self._samplers[number] = len(self.samplers)
            self.samplers.append(data)
        return self._samplers[number]

    def _image(self, number: int | None, asker: Item) -> int | None:
        if number is None:
            return None
        if number not in self._images:
            item = self._container.entry("images", number, asker)
            image = self._pixels(item, item.name("") or _stem(item) or f"image {number}")
            self._images[number] = None if image is None else len(self.images)
            if image is not None:
                self.images.append(image)
        return self._images[number]

    def _pixels(self, item: Item, name: str) -> Image | None:
        """A picture, undecoded. A model without it is still a model: what is wrong is noted."""
        try:
            if "bufferView" in item:
                data = bytes(self._container.view(item.integer("bufferView"), item)[0])
            else:
                data = self._container.resource(item)
            check(item.path, f"bytes in {item.where}", len(data), MOST_PICTURE_BYTES)
        except FileError as error:
            self._container.note(f'picture "{name}" is left out: {str(error).removeprefix(f"{item.path}: ")}')
            return None
        mime = _mime(data)
        if mime is None:
            self._container.note(f'picture "{name}" is left out: it is neither PNG, JPEG, WebP nor KTX2')
            return None
        return Image(name, mime, data)


def copied(value: Any) -> Any:
    """JSON to be changed, without what is null, which means nothing in glTF."""
    if isinstance(value, dict):
        return {key: copied(each) for key, each in value.items() if each is not None}
    return [copied(each) for each in value] if isinstance(value, list) else value


def _mime(data: bytes) -> str | None:
    """What kind of picture it is, from its first bytes; what the file says may be wrong."""
    if data[4:12] in (b"ftypavif", b"ftypavis"):
        return "image/avif"
    return mime_of(data) or next((mime for start, mime in OTHER_PICTURES.items() if data.startswith(start)), None)


def _stem(item: Item) -> str:
    """The name of a picture by its file."""
    uri = item.data.get("uri")
    return "" if not isinstance(uri, str) or uri.startswith("data:") else uri.rpartition("/")[2].partition(".")[0]
