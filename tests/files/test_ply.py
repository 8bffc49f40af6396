"""PLY: text and both binary orders, colours, uv, strips."""

import struct

import numpy as np
import pytest

from pliant.files.reading import read_asset
from pliant.runtime.errors import FileError

POINTS = [(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0), (2, 2, 1)]
FACES = [[0, 1, 2, 3], [2, 3, 4]]
VERTEX = "property float x\nproperty double y\nproperty float z\n"
FACE = "property list uchar int vertex_indices\n"


def header(form, *elements):
    return f"ply\nformat {form} 1.0\ncomment by hand\n{''.join(elements)}end_header\n".encode()


def binary(order, points=POINTS, faces=FACES):
    rows = b"".join(struct.pack(order + "fdf", *p) for p in points)
    rows += b"".join(struct.pack(f"{order}B{len(f)}i", len(f), *f) for f in faces)
    return rows


def text(points=POINTS, faces=FACES):
    lines = [" ".join(map(str, p)) for p in points] + [" ".join(map(str, [len(f), *f])) for f in faces]
    return ("\n".join(lines) + "\n").encode()


def file(form, body, count=5, faces=2):
    return header(form, f"element vertex {count}\n{VERTEX}", f"element face {faces}\n{FACE}") + body


FORMS = {
    "ascii": text(),
    "binary_little_endian": binary("<"),
    "binary_big_endian": binary(">"),
}


@pytest.fixture
def ply(tmp_path):
    def read(data):
        (tmp_path / "thing.ply").write_bytes(data)
        return read_asset(tmp_path / "thing.ply")

    return read


@pytest.mark.parametrize("form", FORMS)
def test_faces_of_any_size_in_every_form(ply, form):
    asset = ply(file(form, FORMS[form]))
    assert asset.vertices.tolist() == [list(map(float, p)) for p in POINTS]
    assert asset.faces.tolist() == [[0, 1, 2], [0, 2, 3], [2, 3, 4]]


@pytest.mark.parametrize("form", FORMS)
def test_faces_of_one_size_in_every_form(ply, form):
    body = {"ascii": text(faces=[[0, 1, 2], [2, 3, 4]])}.get(form) or binary(
        "<" if "little" in form else ">", faces=[[0, 1, 2], [2, 3, 4]]
    )
    assert ply(file(form, body)).faces.tolist() == [[0, 1, 2], [2, 3, 4]]


def test_lines_may_end_as_on_windows(ply):
    assert len(ply(file("ascii", text()).replace(b"\n", b"\r\n")).faces) == 3


def test_colours_normals_and_uv_of_vertices(ply):
    columns = "".join(f"property float {name}\n" for name in ("x", "y", "z", "nx", "ny", "nz"))
    columns += "".join(f"property uchar {name}\n" for name in ("red", "green", "blue", "alpha"))
    columns += "property float s\nproperty float t\n"
    rows = "0 0 0 0 0 2 255 0 0 255 0 0\n1 0 0 0 0 2 0 255 0 255 1 0\n1 1 0 0 0 2 128 128 128 255 1 1\n3 0 1 2\n"
    asset = ply(header("ascii", f"element vertex 3\n{columns}", f"element face 1\n{FACE}") + rows.encode())
    assert asset.colours[0].tolist() == [1, 0, 0]
    assert asset.colours[2] == pytest.approx(0.2159, abs=1e-3)
    assert asset.normals.tolist() == [[0, 0, 1]] * 3
    assert asset.uv.tolist() == [[0, 1], [1, 1], [1, 0]]
    assert len(asset.vertices) == 3


def test_uv_of_faces_split_vertices_and_bring_a_picture(ply, tmp_path):
    (tmp_path / "skin.jpg").write_bytes(b"\xff\xd8\xff\xe0 jpeg")
    face = FACE + "property list uchar float texcoord\nproperty int texnumber\n"
    head = header(
        "ascii", "comment TextureFile skin.jpg\n", f"element vertex 4\n{VERTEX}", f"element face 2\n{face}"
    )
    rows = b"0 0 0\n1 0 0\n1 1 0\n0 1 0\n3 0 1 2 6 0 0 1 0 1 1 0\n3 0 2 3 6 0.5 0 1 1 0 1 0\n"
    asset = ply(head + rows)
    assert len(asset.vertices) == 5  # the corner at the origin has two uv
    assert sorted(asset.uv[(asset.vertices == 0).all(axis=1)].tolist()) == [[0, 1], [0.5, 1]]
    assert asset.look.materials[0].image == 0 and asset.look.images[0].mime == "image/jpeg"


def test_strips_are_cut(ply):
    strip = "element tristrips 1\nproperty list int int vertex_indices\n"
    asset = ply(header("ascii", f"element vertex 5\n{VERTEX}", strip) + text(faces=[[0, 1, 3, 2, -1, 2, 3, 4]]))
    assert asset.faces.tolist() == [[0, 1, 3], [1, 2, 3], [2, 3, 4]]
    assert any("strips" in note for note in asset.notes)


def test_edges_where_there_are_no_faces(ply):
    edges = "element edge 2\nproperty int vertex1\nproperty int vertex2\n"
    asset = ply(header("ascii", f"element vertex 5\n{VERTEX}", edges) + text(faces=[]) + b"0 1\n1 2\n")
    assert asset.segments.tolist() == [[0, 1], [1, 2]]


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"plyformat", "does not begin as a PLY file"),
        (header("ascii", "element vertex 0\n" + VERTEX), "there is no face in it"),
        (header("ascii", "element face 0\n" + FACE), "no vertices with x, y and z"),
        (header("text", "element vertex 1\n" + VERTEX), "line 2: 'format text 1.0' is not understood"),
        (file("ascii", text()[:-5]), "ends before the 2 rows of its element face"),
        (file("binary_little_endian", binary("<")[:-3]), "ends before the 2 rows of its element face"),
        (file("binary_big_endian", binary(">"), count=4_000_000_000), "ends before the 4,000,000,000 rows"),
        (file("ascii", text(faces=[[0, 1, 7], [2, 3, 4]])), "face 0: a face names vertex 8, counted from 1"),
        (file("ascii", text(points=[*POINTS[:4], (1, "nan", 2)])), "vertex 4: the position is (1, nan, 2)"),
        (file("ascii", text().replace(b"2", b"two", 1)), "among its numbers is"),
    ],
)
def test_broken_files(ply, data, said):
    with pytest.raises(FileError, match=r"thing\.ply: ") as caught:
        ply(data)
    assert said in str(caught.value)


def test_large_and_mixed_is_quick_enough_to_read(ply):
    rng = np.random.default_rng(1)
    points = rng.uniform(size=(3000, 3)).tolist()
    faces = [rng.choice(3000, rng.integers(3, 5), replace=False).tolist() for _ in range(6000)]
    asset = ply(file("binary_little_endian", binary("<", points, faces), 3000, 6000))
    assert len(asset.faces) == sum(len(face) - 2 for face in faces)
    assert np.abs(asset.vertices[:, 1] - np.array(points)[:, 1][np.unique(np.concatenate(faces))]).max() == 0
