"""Broken files: whatever is wrong in one, the answer is an asset or a FileError of one line that names it."""

import copy
import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from files.gltf.making import LIFT, Making, packed, png
from files.gltf.test_poses import skinned
from pliant.files.gltf import read
from pliant.runtime.errors import FileError

JUNK = [
    None, True, -1, 0, 1, 2, 7, 255, 65535, 2**31, 2**32, 2**63, 10**400, 0.5, -1e-9, 1e308, "", "x", "VEC3", "MAT4",
    "../x", "data:,", "data:;base64,@", "\ud800", [], [0], [0, 0], [-1], [[1]], [None], ["a"] * 3, [1e300] * 3, {},
    {"index": 0}, {"a": {"b": []}}, {"extensions": 3},
]  # fmt: skip
patient = settings(max_examples=300, suppress_health_check=[HealthCheck.function_scoped_fixture])


def rich() -> Making:
    """A file with something of everything that is read."""
    making, root, tip = skinned()
    making.add("images", bufferView=making.view(png(1, 2, 3)), mimeType="image/png", name="dots")
    making.add("samplers", wrapS=33071)
    making.add("textures", source=0, sampler=0, extensions={"EXT_texture_webp": {"source": 0}})
    making.add(
        "materials", name="felt", doubleSided=True, normalTexture={"index": 0},
        pbrMetallicRoughness={"baseColorTexture": {
            "index": 0, "texCoord": 0, "extensions": {"KHR_texture_transform": {"scale": [2, 2], "rotation": 1}}}},
        extensions={"KHR_materials_sheen": {"sheenColorTexture": {"index": 0}}},
    )  # fmt: skip
    sparse = making.sparse(np.array([1, 2], np.uint8), LIFT[1:3], 4)
    mesh = making.mesh(
        targets=[LIFT, sparse], material=0, name="plate", weights=[0, 0.5], extras={"targetNames": ["a", "b"]},
        TEXCOORD_0=np.zeros((4, 2), np.float32), COLOR_0=np.ones((4, 4), np.float32), _HELD=np.ones(4, np.float32),
        NORMAL=np.tile(np.float32([0, 0, 1]), (4, 1)),
    )  # fmt: skip
    node = making.node(mesh=mesh, translation=[0, 0, 1], rotation=[0, 0, 0, 1], scale=[1, -1, 1])
    making.json["scenes"][0]["nodes"].append(node)
    making.animate(tip, "rotation", [0, 1], [[0, 0, 0, 1], [0, 0, 0.8, 0.6]])
    making.animate(root, "translation", [0, 1], np.zeros((6, 3)), "CUBICSPLINE")
    making.animate(node, "weights", [0, 1], [[0, 0], [1, 1]])
    making.json["extensionsUsed"] = ["KHR_texture_transform"]
    making.json["buffers"] = [{"byteLength": len(making.data)}]
    return making


RICH = rich()


def places(value: Any, path: tuple = ()) -> list[tuple]:
    """The way to every value in JSON."""
    found = [path] if path else []
    pairs = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, each in pairs:
        found += places(each, (*path, key))
    return found


PLACES = places(RICH.json)


def try_to_read(path: Path) -> None:
    try:
        asset = read(path, sample=[0.5])
    except FileError as error:
        assert str(error).startswith(f"{path}: ")
        assert "\n" not in str(error)
        assert len(str(error)) < 500
        return
    assert np.isfinite(asset.vertices).all()
    assert asset.faces.max() < len(asset.vertices)
    for name, pose in asset.poses.items():
        assert name and pose.shape == asset.vertices.shape and np.isfinite(pose).all()
    assert [part.first for part in asset.look.parts] == [0, *(part.last for part in asset.look.parts[:-1])]
    assert asset.look.parts[-1].last == len(asset.faces)


def test_the_unbroken_file_is_read(tmp_path: Path) -> None:
    asset = read(packed(tmp_path / "x.glb", RICH.json, bytes(RICH.data)), sample=[0.5])
    assert list(asset.poses) == ["target_0", "a", "b", "at 0.5 s"]


@pytest.mark.slow
@patient
@given(data=st.data())
def test_wrong_values(tmp_path: Path, data: st.DataObject) -> None:
    content = copy.deepcopy(RICH.json)
    for _ in range(data.draw(st.integers(1, 3))):
        way = data.draw(st.sampled_from(PLACES))
        junk = data.draw(st.sampled_from([*JUNK, "gone"]))
        holder: Any = content
        try:
            for step in way[:-1]:
                holder = holder[step]
            if junk == "gone":
                del holder[way[-1]]
            else:
                holder[way[-1]] = junk
        except (KeyError, IndexError, TypeError):
            continue  # an earlier change took it away
    text = json.dumps(content).encode()
    try_to_read(packed(tmp_path / "x.glb", text, bytes(RICH.data)))


@pytest.mark.slow
def test_every_value_wrong_in_turn(tmp_path: Path) -> None:
    for way in PLACES:
        for junk in (None, -1, 2**40, "x", [], {}, [{}], 1.5):
            content = copy.deepcopy(RICH.json)
            holder: Any = content
            for step in way[:-1]:
                holder = holder[step]
            holder[way[-1]] = junk
            try_to_read(packed(tmp_path / "x.glb", content, bytes(RICH.data)))


@patient
@given(data=st.data())
def test_wrong_bytes(tmp_path: Path, data: st.DataObject) -> None:
    path = packed(tmp_path / "x.glb", RICH.json, bytes(RICH.data))
    content = bytearray(path.read_bytes())
    for _ in range(data.draw(st.integers(1, 8))):
        content[data.draw(st.integers(0, len(content) - 1))] = data.draw(st.integers(0, 255))
    path.write_bytes(content[: data.draw(st.integers(0, len(content)))] if data.draw(st.booleans()) else content)
    try_to_read(path)


@pytest.mark.slow
@patient
@given(data=st.binary(min_size=len(RICH.data), max_size=len(RICH.data)))
def test_wrong_numbers(tmp_path: Path, data: bytes) -> None:
    try_to_read(packed(tmp_path / "x.glb", RICH.json, data))


@pytest.mark.parametrize("number", [math.inf, -math.inf, math.nan])
def test_json_that_python_takes_and_others_do_not(tmp_path: Path, number: float) -> None:
    content = copy.deepcopy(RICH.json)
    content["nodes"][-1]["translation"] = [number, 0, 0]
    with pytest.raises(FileError, match="its JSON holds what is no number"):
        read(packed(tmp_path / "x.glb", content, bytes(RICH.data)))
