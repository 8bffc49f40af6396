"""glTF files made by hand, without pliant.files.gltf, so that a fault there cannot hide one here."""

import base64
import json
import struct
import zlib
from pathlib import Path
from typing import Any

import numpy as np

CODES = {"int8": 5120, "uint8": 5121, "int16": 5122, "uint16": 5123, "uint32": 5125, "float32": 5126}
KINDS = {1: "SCALAR", 2: "VEC2", 3: "VEC3", 4: "VEC4", 16: "MAT4"}

SQUARE = np.array([[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]], np.float32)  # in the x-y plane, seen from +z
SQUARE_FACES = np.array([0, 1, 2, 0, 2, 3], np.uint16)
LIFT = np.array([[0, 0, 0], [0, 0, 0.5], [0, 0, 1], [0, 0, 0.5]], np.float32)  # a morph target of it
SHEAR = np.array([[0, 0, 0], [0, 0, 0], [1, 0, 0], [1, 0, 0]], np.float32)


class Making:
    """A file that grows: tables of the JSON are attributes to change at will, `data` is the one buffer."""

    def __init__(self) -> None:
        self.data = bytearray()
        self.json: dict[str, Any] = {"asset": {"version": "2.0"}}

    def add(self, table: str, **entry: Any) -> int:
        rows = self.json.setdefault(table, [])
        rows.append(entry)
        return len(rows) - 1

    def view(self, data: bytes, **entry: Any) -> int:
        self.data += b"\0" * (-len(self.data) % 4)
        start = len(self.data)
        self.data += data
        return self.add("bufferViews", buffer=0, byteOffset=start, byteLength=len(data), **entry)

    def accessor(self, values: np.ndarray, **entry: Any) -> int:
        """Rows of numbers, packed."""
        table = np.ascontiguousarray(values).reshape(len(values), -1)
        known: dict[str, Any] = {
            "bufferView": self.view(table.tobytes()), "componentType": CODES[str(table.dtype)],
            "count": len(table), "type": KINDS[table.shape[1]],
        }  # fmt: skip
        return self.add("accessors", **{**known, **entry})

    def positions(self, points: np.ndarray) -> int:
        """Positions or displacements, whose bounds have to be told."""
        finite = np.nan_to_num(points)
        return self.accessor(points, min=finite.min(axis=0).tolist(), max=finite.max(axis=0).tolist())

    def sparse(self, rows: np.ndarray, values: np.ndarray, count: int, **entry: Any) -> int:
        """Zeros, or what `entry` has, with some rows changed."""
        changed = {
            "count": len(rows),
            "indices": {"bufferView": self.view(rows.tobytes()), "componentType": CODES[str(rows.dtype)]},
            "values": {"bufferView": self.view(np.ascontiguousarray(values).tobytes())},
        }
        known = {"componentType": CODES[str(values.dtype)], "count": count, "type": KINDS[values.shape[1]]}
        return self.add("accessors", **{**known, "sparse": changed, **entry})

    def mesh(
        self, points: np.ndarray = SQUARE, faces: np.ndarray | None = SQUARE_FACES, targets: Any = (), **entry: Any
    ) -> int:
        """A mesh of one primitive; keys in capitals are attributes, targets displacements or accessor numbers."""
        attributes = {"POSITION": self.positions(points)}
        for key in [key for key in entry if key.isupper() or key.startswith("_")]:
            value = entry.pop(key)
            attributes[key] = value if isinstance(value, int) else self.accessor(value)
        primitive: dict[str, Any] = {"attributes": attributes}
        if faces is not None:
            primitive["indices"] = self.accessor(faces)
        if len(targets):
            numbers = [each if isinstance(each, int) else self.positions(each) for each in targets]
            primitive["targets"] = [{"POSITION": number} for number in numbers]
        for key in ("material", "mode"):
            if key in entry:
                primitive[key] = entry.pop(key)
        return self.add("meshes", primitives=[primitive], **entry)

    def node(self, **entry: Any) -> int:
        return self.add("nodes", **entry)

    def scene(self, *nodes: int) -> None:
        self.json["scene"] = self.add("scenes", nodes=list(nodes))

    def animate(
        self, node: int, path: str, times: Any, values: Any, interpolation: str = "LINEAR", new: bool = False
    ) -> None:
        """One more channel of the (last) animation."""
        if new or "animations" not in self.json:
            self.add("animations", channels=[], samplers=[])
        animation = self.json["animations"][-1]
        outputs = np.asarray(values, np.float32)
        sampler = {
            "input": self.accessor(np.asarray(times, np.float32), min=[float(min(times))], max=[float(max(times))]),
            "output": self.accessor(outputs.reshape(-1) if path == "weights" else outputs),
            "interpolation": interpolation,
        }
        animation["samplers"].append(sampler)
        animation["channels"].append(
            {"sampler": len(animation["samplers"]) - 1, "target": {"node": node, "path": path}}
        )

    def glb(self, path: Path) -> Path:
        """One binary file."""
        self.json["buffers"] = [{"byteLength": len(self.data)}]
        return packed(path, self.json, bytes(self.data))

    def gltf(self, path: Path, uri: str | None = None) -> Path:
        """JSON with the buffer in a data URI, or under `uri`, which the caller writes."""
        inside = "data:application/octet-stream;base64," + base64.b64encode(self.data).decode()
        self.json["buffers"] = [{"byteLength": len(self.data), "uri": inside if uri is None else uri}]
        path.write_text(json.dumps(self.json))
        return path


def packed(path: Path, content: Any, data: bytes) -> Path:
    """A .glb of JSON and data."""
    text = content if isinstance(content, bytes) else json.dumps(content).encode()
    text += b" " * (-len(text) % 4)
    data += b"\0" * (-len(data) % 4)
    chunks = struct.pack("<II", len(text), 0x4E4F534A) + text + struct.pack("<II", len(data), 0x004E4942) + data
    path.write_bytes(struct.pack("<III", 0x46546C67, 2, 12 + len(chunks)) + chunks)
    return path


def square(targets: Any = (), **entry: Any) -> Making:
    """A file of one square."""
    making = Making()
    making.scene(making.node(mesh=making.mesh(targets=targets, **entry)))
    return making


def png(red: int, green: int, blue: int, size: int = 2) -> bytes:
    """A small picture of one colour."""
    row = b"\0" + bytes((red, green, blue)) * size

    def chunk(kind: bytes, body: bytes) -> bytes:
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))

    header = struct.pack(">IIBBBBB", size, size, 8, 2, 0, 0, 0)
    pixels = zlib.compress(row * size)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", pixels) + chunk(b"IEND", b"")
