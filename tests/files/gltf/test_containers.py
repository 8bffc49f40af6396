"""Where the bytes of a glTF file may lie, and where not."""

import json
import struct
from pathlib import Path

import numpy as np
import pytest

from files.gltf.making import SQUARE, packed, square
from pliant.files.gltf import read
from pliant.runtime.errors import FileError


def test_embedded(tmp_path: Path) -> None:
    asset = read(square().glb(tmp_path / "plate.glb"))
    assert asset.name == "plate"
    assert np.array_equal(asset.vertices, SQUARE)
    assert asset.faces.tolist() == [[0, 1, 2], [0, 2, 3]]
    assert asset.faces.dtype == np.int32
    assert asset.notes == ()


def test_data_uri(tmp_path: Path) -> None:
    assert np.array_equal(read(square().gltf(tmp_path / "plate.gltf")).vertices, SQUARE)


def test_data_uri_without_base64(tmp_path: Path) -> None:
    making = square()
    uri = "data:application/octet-stream," + "".join(f"%{byte:02x}" for byte in making.data)
    assert np.array_equal(read(making.gltf(tmp_path / "plate.gltf", uri)).vertices, SQUARE)


@pytest.mark.parametrize(
    ("name", "uri"), [("plate.bin", "plate.bin"), ("my plate ü.bin", "my%20plate%20%C3%BC.bin"), ("a.bin", "./a.bin")]
)
def test_external(tmp_path: Path, name: str, uri: str) -> None:
    making = square()
    path = making.gltf(tmp_path / "plate.gltf", uri)
    (tmp_path / name).write_bytes(making.data)
    assert np.array_equal(read(path).vertices, SQUARE)


def test_external_in_a_folder_below(tmp_path: Path) -> None:
    making = square()
    path = making.gltf(tmp_path / "plate.gltf", "buffers/plate.bin")
    (tmp_path / "buffers").mkdir()
    (tmp_path / "buffers" / "plate.bin").write_bytes(making.data)
    assert np.array_equal(read(path).vertices, SQUARE)


@pytest.mark.parametrize("uri", ["../secret.bin", "below/../../secret.bin", "%2e%2e/secret.bin", "..\\secret.bin"])
def test_external_may_not_leave_the_folder(tmp_path: Path, uri: str) -> None:
    making = square()
    (tmp_path / "secret.bin").write_bytes(making.data)
    (tmp_path / "below").mkdir()
    with pytest.raises(FileError, match=r"plate\.gltf: buffers\[0\]: .* leads out of the folder"):
        read(making.gltf(tmp_path / "below" / "plate.gltf", uri))


def test_external_may_not_follow_a_link_out_of_the_folder(tmp_path: Path) -> None:
    making = square()
    (tmp_path / "secret.bin").write_bytes(making.data)
    (tmp_path / "below").mkdir()
    (tmp_path / "below" / "link.bin").symlink_to(tmp_path / "secret.bin")
    with pytest.raises(FileError, match="leads out of the folder"):
        read(making.gltf(tmp_path / "below" / "plate.gltf", "link.bin"))


def test_external_may_not_be_an_address(tmp_path: Path) -> None:
    (tmp_path / "x.bin").write_bytes(square().data)
    for uri in ("https://example.com/x.bin", f"file://{tmp_path}/x.bin", str(tmp_path / ".." / "x.bin")):
        with pytest.raises(FileError, match=r"not a file beside this one|leads out of the folder"):
            read(square().gltf(tmp_path / "plate.gltf", uri))


def test_external_missing(tmp_path: Path) -> None:
    with pytest.raises(FileError, match=r"buffers\[0\]: the file 'gone\.bin' is missing; put it back"):
        read(square().gltf(tmp_path / "plate.gltf", "gone.bin"))


def test_external_too_short(tmp_path: Path) -> None:
    path = square().gltf(tmp_path / "plate.gltf", "short.bin")
    (tmp_path / "short.bin").write_bytes(b"1234")
    with pytest.raises(FileError, match=r"buffers\[0\]: \d+ bytes are announced, 4 are there"):
        read(path)


def test_the_ending_does_not_matter(tmp_path: Path) -> None:
    assert len(read(square().glb(tmp_path / "binary.gltf")).vertices) == 4
    assert len(read(square().gltf(tmp_path / "text.glb")).vertices) == 4


def test_byte_order_mark(tmp_path: Path) -> None:
    path = square().gltf(tmp_path / "plate.gltf")
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes())
    assert len(read(path).vertices) == 4


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "does not look like glTF"),
        (b"solid cube", "does not look like glTF"),
        (b"[1, 2]", "does not look like glTF"),
        (b'{"asset": ', "line 1, column 11"),
        (b'{"asset": {"version": "2.0"}, "x": NaN}', "no number"),
        (b'{"asset": {"version": "2.0"}, "x": \xff}', "not UTF-8"),
        (b"{" + b'"a":{' * 100_000, "nested too deeply"),
        (b'{"asset": {"version": "1.0"}}', "version '1.0'"),
        (b'{"nodes": []}', "no version"),
        (b'{"asset": {"version": "2.0"}}', "shows no triangle"),
        (b'{"asset": {"version": "2.0"}, "x": ' + b"9" * 10_000 + b"}", "no number"),
    ],
)
def test_bad_text(tmp_path: Path, content: bytes, said: str) -> None:
    path = tmp_path / "bad.gltf"
    path.write_bytes(content)
    with pytest.raises(FileError) as caught:
        read(path)
    assert str(caught.value).startswith(f"{path}: ")
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


def test_bad_binary(tmp_path: Path) -> None:
    good = square().glb(tmp_path / "good.glb").read_bytes()
    cases = {
        good[:15]: "ends within its header",
        good[:200]: "cut off",
        b"glTF" + struct.pack("<I", 1) + good[8:]: "version 1",
        good[:16] + b"BIN\0" + good[20:]: "first chunk is not JSON",
        good[:12] + struct.pack("<I", 2**31) + good[16:]: "beyond the end",
    }
    for content, said in cases.items():
        (tmp_path / "bad.glb").write_bytes(content)
        with pytest.raises(FileError, match=said):
            read(tmp_path / "bad.glb")


def test_no_binary_chunk(tmp_path: Path) -> None:
    making = square()
    making.json["buffers"] = [{"byteLength": len(making.data)}]
    path = tmp_path / "bad.gltf"
    path.write_text(json.dumps(making.json))
    with pytest.raises(FileError, match=r"buffers\[0\]: neither a uri nor a binary chunk"):
        read(path)


def test_unreadable(tmp_path: Path) -> None:
    with pytest.raises(FileError, match=r"gone\.glb: cannot be read: No such file"):
        read(tmp_path / "gone.glb")


DRACO = {"KHR_draco_mesh_compression": {"bufferView": 0, "attributes": {"POSITION": 0}}}


def test_draco_is_refused_with_a_remedy(tmp_path: Path) -> None:
    making = square()
    making.json["extensionsRequired"] = ["KHR_draco_mesh_compression"]
    with pytest.raises(FileError, match=r"Draco compression .* export again from Blender with Data > Compression off"):
        read(making.glb(tmp_path / "draco.glb"))


def test_draco_without_a_word_of_warning(tmp_path: Path) -> None:
    making = square()
    primitive = making.json["meshes"][0]["primitives"][0]
    primitive["extensions"] = DRACO
    assert len(read(making.glb(tmp_path / "with_fallback.glb")).vertices) == 4
    for number in (primitive["attributes"]["POSITION"], primitive["indices"]):
        del making.json["accessors"][number]["bufferView"]
    with pytest.raises(FileError, match=r"meshes\[0\]\.primitives\[0\]: it uses Draco"):
        read(making.glb(tmp_path / "without.glb"))


def test_meshopt_is_refused_with_a_remedy(tmp_path: Path) -> None:
    making = square()
    for view in making.json["bufferViews"]:
        view["extensions"] = {"EXT_meshopt_compression": {"buffer": 0, "byteOffset": 0, "byteLength": 4, "count": 1}}
        view["buffer"] = 1
    making.json["buffers"] = [{"byteLength": 4}, {"byteLength": len(making.data)}]
    with pytest.raises(FileError, match=r"bufferViews\[\d\]: it uses meshopt .*gltfpack"):
        read(packed(tmp_path / "meshopt.glb", making.json, b"1234"))
    making.json["extensionsRequired"] = ["EXT_meshopt_compression"]
    with pytest.raises(FileError, match=r"glb: it uses meshopt"):
        read(packed(tmp_path / "meshopt.glb", making.json, b"1234"))


def test_strange_requirements_are_refused_by_name(tmp_path: Path) -> None:
    making = square()
    making.json["extensionsRequired"] = ["ACME_secret"]
    with pytest.raises(FileError, match=r"needs the extension ACME_secret, which Pliant lacks"):
        read(making.glb(tmp_path / "acme.glb"))
    making.json["extensionsRequired"] = ["KHR_materials_unlit", "KHR_mesh_quantization", "KHR_texture_transform"]
    assert len(read(making.glb(tmp_path / "known.glb")).vertices) == 4
