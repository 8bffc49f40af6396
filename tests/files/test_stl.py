"""STL: loose triangles become a welded surface."""

import numpy as np
import pytest

import surface_checks
from pliant.files.reading import read_asset
from pliant.runtime.errors import FileError

CORNERS = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], dtype=float)
TETRA = np.array([[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]])


def binary(points=CORNERS, faces=TETRA, heading=b"made by hand"):
    row = np.dtype([("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("attribute", "<u2")])
    rows = np.zeros(len(faces), row)
    rows["corners"] = points[faces]
    return heading.ljust(80) + len(faces).to_bytes(4, "little") + rows.tobytes()


def text(points=CORNERS, faces=TETRA, name="tent"):
    lines = [f"solid {name}"]
    for face in points[faces]:
        lines += ["facet normal 0 0 0", "outer loop", *("vertex " + " ".join(f"{x:g}" for x in p) for p in face)]
        lines += ["endloop", "endfacet"]
    return ("\n".join([*lines, f"endsolid {name}"]) + "\n").encode()


@pytest.fixture
def stl(tmp_path):
    def read(data):
        (tmp_path / "thing.stl").write_bytes(data)
        return read_asset(tmp_path / "thing.stl")

    return read


@pytest.mark.parametrize("data", [binary(), text(), binary(heading=b"solid but binary facet")])
def test_corners_are_welded(stl, data):
    asset = stl(data)
    assert len(asset.vertices) == 4
    assert surface_checks.is_closed_manifold(asset.vertices, asset.faces)
    assert np.array_equal(asset.vertices[asset.faces], CORNERS[TETRA])


def test_zeros_of_either_sign_are_one(stl):
    points = CORNERS[TETRA].reshape(-1, 3)
    points[::2] *= -1.0 * (points[::2] == 0) + (points[::2] != 0)
    asset = stl(binary(points, np.arange(12).reshape(-1, 3)))
    assert len(asset.vertices) == 4


def test_several_solids_are_parts_and_groups(stl):
    asset = stl(text(name="foot") + text(CORNERS + 5, name="head") + text(CORNERS + 9, name="foot"))
    assert [part.name for part in asset.look.parts] == ["foot", "head", "foot 3"]
    assert asset.groups["head"].tolist() == [4, 5, 6, 7]


def test_degenerate_triangles_are_left_out(stl):
    asset = stl(binary(faces=np.concatenate([TETRA, [[0, 0, 1]]])))
    assert len(asset.faces) == 4
    assert asset.notes == ("1 faces with fewer than three different corners were left out",)


def test_a_text_without_its_end_is_noted(stl):
    whole = text()
    asset = stl(whole[: whole.rindex(b"facet normal")])
    assert len(asset.faces) == 3
    assert "may be cut off" in asset.notes[0]


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (binary()[:-20], "a binary STL of 4 triangles has 284 bytes, this one 264"),
        (binary()[:80] + b"\xff\xff\xff\xff" + binary()[84:], "a binary STL of 4,294,967,295 triangles"),
        (binary(faces=TETRA[:0]), "there is no triangle in it"),
        (text()[:-45], "there is no whole triangle in it"),
        (text().replace(b"vertex 1 0 0", b"vertex 1 0", 1), "line 6: a vertex has three numbers"),
        (text().replace(b"vertex 1 0 0\n", b"", 1), "a facet has three vertices"),
        (text().replace(b"vertex 1 0 0", b"vertex 1 nan 0", 1), "the position is (1, nan, 0)"),
        (text().replace(b"vertex 1 0 0", b"vertex 1 x 0", 1), "among its numbers is"),
        (b"solid", "a binary STL of 0 triangles has 84 bytes, this one 5"),
    ],
)
def test_broken_files(stl, data, said):
    with pytest.raises(FileError, match=r"thing\.stl: ") as caught:
        stl(data)
    assert said in str(caught.value)
