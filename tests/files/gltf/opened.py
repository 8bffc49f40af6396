"""A .glb file opened by hand, to look at what was written."""

import json
import struct
from pathlib import Path
from typing import Any

import numpy as np

TYPES = {5121: np.uint8, 5123: np.uint16, 5125: np.uint32, 5126: np.float32}
WIDTHS = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT4": 16}


class Opened:
    def __init__(self, path: Path) -> None:
        content = path.read_bytes()
        magic, version, length, size, kind = struct.unpack_from("<4sIII4s", content)
        assert (magic, version, length, kind) == (b"glTF", 2, len(content), b"JSON")
        self.json: dict[str, Any] = json.loads(content[20 : 20 + size])
        self.data = content[20 + size + 8 :]

    def values(self, number: int) -> np.ndarray:
        """All rows of an accessor."""
        accessor = self.json["accessors"][number]
        width, dtype = WIDTHS[accessor["type"]], TYPES[accessor["componentType"]]
        rows = np.zeros((accessor["count"], width), dtype)
        if "bufferView" in accessor:
            rows[:] = self._view(accessor["bufferView"], dtype).reshape(-1, width)
        if "sparse" in accessor:
            sparse = accessor["sparse"]
            places = self._view(sparse["indices"]["bufferView"], TYPES[sparse["indices"]["componentType"]])
            rows[places] = self._view(sparse["values"]["bufferView"], dtype).reshape(-1, width)
        return rows

    def _view(self, number: int, dtype: Any) -> np.ndarray:
        view = self.json["bufferViews"][number]
        start = view["byteOffset"]
        assert start % 4 == 0
        return np.frombuffer(self.data[start : start + view["byteLength"]], dtype)

    def targets(self, mesh: int = 0, primitive: int = 0) -> list[dict[str, int]]:
        return self.json["meshes"][mesh]["primitives"][primitive].get("targets", [])

    def channels(self) -> dict[tuple[int, str], tuple[np.ndarray, np.ndarray]]:
        """Times and values by node and path."""
        (animation,) = self.json.get("animations", [{"channels": [], "samplers": []}])
        found = {}
        for channel in animation["channels"]:
            sampler = animation["samplers"][channel["sampler"]]
            assert sampler["interpolation"] == "LINEAR"
            key = channel["target"]["node"], channel["target"]["path"]
            found[key] = self.values(sampler["input"])[:, 0], self.values(sampler["output"])
        return found
