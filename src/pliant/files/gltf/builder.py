"""A .glb file in the making: its JSON in memory, its numbers in a file of their own until all are known."""

from __future__ import annotations

import json
import shutil
import struct
import sys
from pathlib import Path
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from pliant.files.gltf.container import BINARY_CHUNK, GLB, JSON_CHUNK
from pliant.runtime.errors import FileError

VERTICES, TRIANGLES = 34962, 34963  # what a buffer view is for
CODES = {"u1": 5121, "u2": 5123, "u4": 5125, "f4": 5126}
ACCESSOR_TYPES = {1: "SCALAR", 2: "VEC2", 3: "VEC3", 4: "VEC4", 16: "MAT4"}
MOST_GLB_BYTES = 2**32 - 1  # the header has no room for more

Numbers = NDArray[np.generic]


class Builder:
    """Objects are added to tables of the JSON and known by their numbers; `bin` receives the data, in order."""

    def __init__(self, bin: IO[bytes]) -> None:
        self._bin = bin
        self._zeros: dict[tuple[int, bool], int] = {}
        self.tables: dict[str, list[dict[str, Any]]] = {}
        self.size = 0

    def add(self, table: str, entry: dict[str, Any]) -> int:
        """The number of a new object."""
        rows = self.tables.setdefault(table, [])
        rows.append(entry)
        return len(rows) - 1

    def view(self, data: bytes, target: int | None = None) -> int:
        """Bytes in the buffer, aligned for numbers of any kind."""
        padding = -self.size % 4
        self._bin.write(b"\0" * padding)
        self._bin.write(data)
        entry: dict[str, Any] = {"buffer": 0, "byteOffset": self.size + padding, "byteLength": len(data)}
        if target is not None:
            entry["target"] = target
        self.size += padding + len(data)
        return self.add("bufferViews", entry)

    def accessor(
        self, values: Numbers, target: int | None = None, bounds: bool = False, normalised: bool = False
    ) -> int:
        """A table of numbers (rows, width) or (rows,), in the type they have; `bounds` adds the least and largest."""
        table = np.ascontiguousarray(values.reshape(len(values), -1))
        table = table.astype(table.dtype.newbyteorder("<"), copy=False)
        entry = self._entry(table.dtype, len(table), table.shape[1])
        entry["bufferView"] = self.view(table.tobytes(), target)
        if normalised:
            entry["normalized"] = True
        if bounds:
            entry |= {"min": table.min(axis=0).tolist(), "max": table.max(axis=0).tolist()}
        return self.add("accessors", entry)

    def displacements(self, values: NDArray[np.float32], bounds: bool) -> int:
        """Displacements (N, 3): only rows that are not zero, where that is smaller."""
        count = len(values)
        rows = np.flatnonzero(values.any(axis=1))
        if len(rows) == 0:
            return self._nothing(count, bounds)
        dtype = np.dtype("<u2" if count <= 2**16 else "<u4")
        if len(rows) * (dtype.itemsize + 12) >= 12 * count:
            return self.accessor(values, VERTICES, bounds)
        changed = np.ascontiguousarray(values[rows])
        entry = self._entry(np.dtype("<f4"), count, 3)
        entry["sparse"] = {
            "count": len(rows),
            "indices": {"bufferView": self.view(rows.astype(dtype).tobytes()), "componentType": CODES[dtype.str[1:]]},
            "values": {"bufferView": self.view(changed.astype("<f4").tobytes())},
        }
        if bounds:
            entry |= {
                "min": np.minimum(changed.min(axis=0), 0).tolist(),
                "max": np.maximum(changed.max(axis=0), 0).tolist(),
            }
        return self.add("accessors", entry)

    def _nothing(self, count: int, bounds: bool) -> int:
        """Displacements that are all zero: a length and no data, one for all that are as long."""
        if (count, bounds) not in self._zeros:
            entry = self._entry(np.dtype("<f4"), count, 3)
            if bounds:
                entry |= {"min": [0.0] * 3, "max": [0.0] * 3}
            self._zeros[count, bounds] = self.add("accessors", entry)
        return self._zeros[count, bounds]

    @staticmethod
    def _entry(dtype: np.dtype[Any], count: int, width: int) -> dict[str, Any]:
        return {"componentType": CODES[dtype.str[1:]], "count": count, "type": ACCESSOR_TYPES[width]}

    def finish(self, path: Path, shown_as: Path) -> None:
        """The whole file at `path`; messages name it `shown_as`."""
        # The package knows its version, and stands above this folder: it is looked up, not imported.
        version = sys.modules["pliant"].__version__
        content: dict[str, Any] = {"asset": {"version": "2.0", "generator": f"Pliant {version}"}}
        used, required = _extensions(self.tables)
        if used:
            content["extensionsUsed"] = used
        if required:
            content["extensionsRequired"] = required
        if "scenes" in self.tables:
            content["scene"] = 0
        content |= self.tables
        if self.size:
            content["buffers"] = [{"byteLength": self.size}]
        text = json.dumps(content, separators=(",", ":"), allow_nan=False).encode()
        text += b" " * (-len(text) % 4)
        padding = -self.size % 4
        total = 12 + 8 + len(text) + (8 + self.size + padding if self.size else 0)
        if total > MOST_GLB_BYTES:
            raise FileError(
                f"{shown_as}: it would have {total / 1e9:.1f} GB, a .glb holds 4.3; write fewer frames, give a larger "
                f'tolerance or the style "weights", or write .usdc or .pc2'
            )
        with open(path, "wb") as file:
            file.write(struct.pack("<III", GLB, 2, total))
            file.write(struct.pack("<II", len(text), JSON_CHUNK) + text)
            if self.size:
                file.write(struct.pack("<II", self.size + padding, BINARY_CHUNK))
                self._bin.seek(0)
                shutil.copyfileobj(self._bin, file, 1 << 20)
                file.write(b"\0" * padding)


def _extensions(tables: dict[str, list[dict[str, Any]]]) -> tuple[list[str], list[str]]:
    """The names of all extensions in use, and of those without which a texture has no picture."""
    used: dict[str, None] = {}
    waiting: list[Any] = [*tables.get("materials", []), *tables.get("textures", [])]
    while waiting:
        value = waiting.pop()
        if isinstance(value, dict):
            used |= dict.fromkeys(value.get("extensions", {}))
            waiting += [each for key, each in value.items() if key != "extras"]
    required = [texture for texture in tables.get("textures", []) if "source" not in texture]
    return sorted(used), sorted({name for texture in required for name in texture.get("extensions", {})})
