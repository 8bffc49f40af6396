"""The outside of a glTF file: JSON and buffers, in one file, in several, or inside the JSON."""

from __future__ import annotations

import binascii
import json
import re
import struct
from base64 import b64decode
from functools import cache
from pathlib import Path
from typing import Any, NoReturn
from urllib.parse import unquote_to_bytes

from pliant.files.gltf.item import REMEDY, TOP, Item
from pliant.files.limits import MOST_BYTES, check
from pliant.runtime.errors import FileError

GLB, JSON_CHUNK, BINARY_CHUNK = 0x46546C67, 0x4E4F534A, 0x004E4942
MESHOPT = ("EXT_meshopt_compression", "KHR_meshopt_compression")
DRACO = "KHR_draco_mesh_compression"
COMPRESSION = {
    DRACO: "Draco compression (KHR_draco_mesh_compression)",
    **{name: f"meshopt compression ({name})" for name in MESHOPT},
}
UNPACKED = {
    DRACO: "export again from Blender with Data > Compression off, or run `gltf-transform copy in.glb out.glb`",
    **dict.fromkeys(MESHOPT, "export again without it, or run `gltfpack -noq -kn -ke -i in.glb -o out.glb`"),
}

# What may be required of us: extensions that we read, and those that only paint or light.
KNOWN_EXTENSIONS = {
    "KHR_mesh_quantization", "KHR_texture_transform", "KHR_lights_punctual", "KHR_node_visibility",
    "EXT_texture_webp", "KHR_texture_basisu", "EXT_texture_avif", "MSFT_texture_dds",
    "KHR_xmp_json_ld", "EXT_lights_image_based",
}  # fmt: skip


class Container:
    """A glTF file taken apart: `root` is its JSON; buffers and views are handed out when asked for."""

    def __init__(self, path: Path, root: Item, binary: memoryview | None) -> None:
        self.path, self.root, self._binary = path, root, binary
        # Tables and buffers are asked for again and again.
        self.table = cache(root.items)
        self._buffer = cache(self._load_buffer)
        self.notes: list[str] = []
        self._counts: dict[str, int] = {}

    def count(self, what: str, number: int, most: int) -> None:
        """Announce that so many more of something are about to be read; an error if that makes too many in all."""
        self._counts[what] = self._counts.get(what, 0) + number
        check(self.path, what, self._counts[what], most)

    def note(self, text: str) -> None:
        """Remember, once, what was left out or mended."""
        if text not in self.notes:
            self.notes.append(text)

    def entry(self, table: str, number: int, asker: Item) -> Item:
        """An object by its number; `asker` is named if there is none."""
        rows = self.table(table)
        if number >= len(rows):
            raise asker.wrong(f"it refers to {table}[{number}], there are {len(rows)}")
        return rows[number]

    def view(self, number: int, asker: Item) -> tuple[memoryview, int]:
        """The bytes of a buffer view and its stride, 0 where there is none."""
        item = self.entry("bufferViews", number, asker)
        buffer = item.integer("buffer")
        start, length = item.integer("byteOffset", 0), item.integer("byteLength")
        if self._is_stand_in(buffer, item):
            raise self._compressed(next(name for name in MESHOPT if item.extension(name)), item.where)
        data = self._buffer(buffer)
        if start + length > len(data):
            raise item.wrong(f"bytes {start} to {start + length} of a buffer of {len(data)} bytes")
        return data[start : start + length], item.integer("byteStride", 0, most=252)

    def _is_stand_in(self, buffer: int, view: Item) -> bool:
        """Whether a view is compressed and the buffer for those who cannot unpack it was left out."""
        return any(view.extension(name) for name in MESHOPT) and "uri" not in self.entry("buffers", buffer, view)

    def _load_buffer(self, number: int) -> memoryview:
        item = self.entry("buffers", number, self.root)
        length = item.integer("byteLength")
        if "uri" in item:
            data = memoryview(self.resource(item))
        elif number == 0 and self._binary is not None:
            data = self._binary
        else:
            raise item.wrong("neither a uri nor a binary chunk holds its data")
        if length > len(data):
            raise item.wrong(f"{length} bytes are announced, {len(data)} are there", "copy or export the file again")
        return data[:length]

    def resource(self, item: Item) -> bytes:
        """The bytes behind a `uri`: written out in it, or a file beside this one."""
        uri = item.text("uri")
        if uri[:5].lower() == "data:":
            return _data(uri, item)
        path = self._beside(uri, item)
        try:
            check(self.path, f"bytes of {path.name}", path.stat().st_size, MOST_BYTES)
            return path.read_bytes()
        except OSError as error:
            raise item.wrong(f"{path} cannot be read: {error.strerror}", "put it back beside the file") from error

    def _beside(self, uri: str, item: Item) -> Path:
        """The file that a relative uri names, in this file's folder or below."""
        text = unquote_to_bytes(uri.replace("\\", "/")).decode("utf-8", "replace")
        outside = "copy it into the folder of the glTF file, or export again as .glb"
        if re.match(r"[A-Za-z][A-Za-z0-9+.-]+:", text) or "\0" in text:
            raise item.wrong(f"the uri {uri[:60]!r} is not a file beside this one", outside)
        folder = self.path.resolve().parent
        try:
            path = (folder / text).resolve()
            if not path.is_relative_to(folder):
                raise item.wrong(f"{uri[:60]!r} leads out of the folder", outside)
            if not path.is_file():
                raise item.wrong(f"the file {text!r} is missing", "put it back, or export again as .glb")
        except (OSError, RuntimeError) as error:  # names that are too long, links that go round
            raise item.wrong(f"the uri {uri[:60]!r} cannot be followed", outside) from error
        return path

    def refuse_what_is_required(self) -> None:
        """An error if the file cannot be understood without an extension that we do not have."""
        for name in self.root.texts("extensionsRequired"):
            if name in COMPRESSION:
                raise self._compressed(name, "")
            if name not in KNOWN_EXTENSIONS and not name.startswith(("KHR_materials_", "EXT_materials_")):
                raise FileError(f"{self.path}: it needs the extension {name}, which Pliant lacks; export without it")

    def refuse_draco(self, where: str) -> NoReturn:
        raise self._compressed(DRACO, where)

    def _compressed(self, name: str, where: str) -> FileError:
        place = f"{where}: " if where else ""
        what = f"{place}it uses {COMPRESSION[name]}, which Pliant cannot unpack"
        return FileError(f"{self.path}: {what}; {UNPACKED[name]}")


def open_container(path: Path) -> Container:
    """A .glb or .gltf file, whatever its name ends in."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise FileError(f"{path}: cannot be read: {error.strerror}; check the name and the permissions") from error
    binary: memoryview | None = None
    text: bytes | memoryview = data
    if data[:4] == b"glTF":
        text, binary = _chunks(path, memoryview(data))
    root = Item(path, TOP, _parsed(path, bytes(text)))
    asset = root.item("asset")
    version = str(asset.data.get("version", "")) if asset else ""
    if not version.startswith("2."):
        said = f"version {version[:10]!r}" if version else "no version"
        raise FileError(f"{path}: it is glTF of {said}; Pliant reads 2.0, so export it again as glTF 2.0")
    container = Container(path, root, binary)
    container.refuse_what_is_required()
    return container


def _chunks(path: Path, data: memoryview) -> tuple[memoryview, memoryview | None]:
    """The JSON and the binary chunk of a .glb."""
    if len(data) < 20:
        raise FileError(f"{path}: it ends within its header; copy or export it again")
    version, length = struct.unpack_from("<II", data, 4)
    if version != 2:
        raise FileError(f"{path}: it is binary glTF of version {version}; Pliant reads 2, so export it again")
    if length > len(data):
        raise FileError(f"{path}: it is cut off, {len(data)} of {length} bytes are there; copy or export it again")
    found: list[tuple[int, memoryview]] = []
    place = 12
    while place + 8 <= length and len(found) < 2:
        size, kind = struct.unpack_from("<II", data, place)
        if place + 8 + size > length:
            raise FileError(f"{path}: chunk {len(found)} goes beyond the end of the file; {REMEDY}")
        found.append((kind, data[place + 8 : place + 8 + size]))
        place += 8 + size + -size % 4
    if not found or found[0][0] != JSON_CHUNK:
        raise FileError(f"{path}: its first chunk is not JSON; {REMEDY}")
    return found[0][1], found[1][1] if len(found) > 1 and found[1][0] == BINARY_CHUNK else None


def _parsed(path: Path, text: bytes) -> Any:
    if text.lstrip(b"\xef\xbb\xbf \t\r\n\0")[:1] != b"{":
        raise FileError(f"{path}: it does not look like glTF; export it as .glb or .gltf")
    try:
        return json.loads(text.rstrip(b"\0").decode("utf-8-sig"), parse_constant=_refuse)
    except UnicodeDecodeError as error:
        raise FileError(f"{path}: byte {error.start} of its JSON is not UTF-8; {REMEDY}") from error
    except json.JSONDecodeError as error:
        raise FileError(f"{path}: line {error.lineno}, column {error.colno}: {error.msg}; {REMEDY}") from error
    except ValueError as error:  # NaN, or a number of thousands of digits
        raise FileError(f"{path}: its JSON holds what is no number; {REMEDY}") from error
    except RecursionError as error:
        raise FileError(f"{path}: its JSON is nested too deeply; {REMEDY}") from error


def _refuse(constant: str) -> NoReturn:
    raise ValueError(constant)


def _data(uri: str, item: Item) -> bytes:
    """The bytes of a data URI."""
    head, comma, body = uri.partition(",")
    if not comma:
        raise item.wrong("its data URI has no comma")
    raw = unquote_to_bytes(body)
    if not head.lower().endswith(";base64"):
        return raw
    try:
        return b64decode(raw, validate=True)
    except binascii.Error as error:
        raise item.wrong("its data URI is not base64") from error
