"""OBJ and MTL, feature by feature."""

import numpy as np
import pytest

from pliant.files.reading import read_asset
from pliant.runtime.errors import FileError

SQUARE = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\n"
PNG = b"\x89PNG\r\n\x1a\n and so on"


@pytest.fixture
def obj(tmp_path):
    def write(text, name="thing.obj", **others):
        for other, content in others.items():
            path = tmp_path / other.replace("__", ".")
            path.write_bytes(content if isinstance(content, bytes) else content.encode())
        (tmp_path / name).write_bytes(text if isinstance(text, bytes) else text.encode())
        return read_asset(tmp_path / name)

    return write


def areas(asset):
    a, b, c = (asset.vertices[asset.faces[:, k]] for k in range(3))
    return np.cross(b - a, c - a) / 2


def test_a_plain_quad(obj):
    asset = obj(SQUARE + "f 1 2 3 4\n")
    assert asset.name == "thing"
    assert asset.vertices.tolist() == [[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]]
    assert areas(asset)[:, 2].tolist() == [0.5, 0.5]
    assert asset.uv is None and asset.normals is None and asset.look is None and asset.notes == ()
    assert asset.faces.dtype == np.int32


def test_a_hollow_face_is_cut_inside_its_outline(obj):
    # A thick L: the fan from its first corner would cover the notch.
    outline = [(2, 1), (1, 1), (1, 2), (0, 2), (0, 0), (2, 0)]
    asset = obj("".join(f"v {x} {y} 0\n" for x, y in outline) + "f 1 2 3 4 5 6\n")
    assert len(asset.faces) == 4
    assert (areas(asset)[:, 2] > 0).all()
    assert areas(asset)[:, 2].sum() == pytest.approx(3)


def test_numbers_count_back_from_the_line_they_stand_on(obj):
    straight = obj(SQUARE + "f 1 2 3\nf 1 3 4\n", "a.obj")
    back = obj("v 0 0 0\nv 1 0 0\nv 1 1 0\nf -3 -2 -1\nv 0 1 0\nf -4 -2 -1\n", "b.obj")
    assert np.array_equal(straight.faces, back.faces)
    assert np.array_equal(straight.vertices, back.vertices)


def test_vertices_split_where_uv_jump_and_only_there(obj):
    uv = "vt 0 0\nvt 1 0\nvt 1 1\nvt 0 1\nvt 0.5 0.5\nvt 1 1\n"
    smooth = obj(SQUARE + uv + "f 1/1 2/2 3/3\nf 1/1 3/6 4/4\n", "a.obj")  # rows 3 and 6 say the same
    assert len(smooth.vertices) == 4
    seam = obj(SQUARE + uv + "f 1/1 2/2 3/3\nf 1/1 3/5 4/4\n", "b.obj")
    assert len(seam.vertices) == 5
    twice = np.flatnonzero((seam.vertices == (1, 1, 0)).all(axis=1))
    assert sorted(seam.uv[twice].tolist()) == [[0.5, 0.5], [1.0, 0.0]]  # v counts down from the top here


def test_vertices_split_at_hard_edges(obj):
    text = SQUARE + "vn 0 0 2\nvn 0 1 0\nf 1//1 2//1 3//1\nf 1//2 3//2 4//2\n"
    asset = obj(text)
    assert len(asset.vertices) == 6
    assert np.linalg.norm(asset.normals, axis=1) == pytest.approx(1)


def test_drawn_vertices_stand_in_the_order_of_the_points(obj):
    asset = obj(SQUARE + "vt 0 0\nvt 1 1\nf 3/1 4/2 1/1\nf 3/2 1/2 2/1\n")
    order = [SQUARE.split("\n").index(f"v {x:g} {y:g} {z:g}") for x, y, z in asset.vertices]
    assert order == sorted(order) and len(order) == 6


def test_objects_groups_and_materials(obj):
    text = (
        "mtllib paint.mtl\n" + SQUARE + "v 5 0 0\nv 6 0 0\nv 5 1 0\n"
        "o body\ng chest left_side\nusemtl red\nf 1 2 3\ng default\nusemtl blue\nf 1 3 4\nusemtl red\nf 2 3 4\n"
        "o hat\nf 5 6 7\n"
    )
    mtl = (
        "newmtl red\nKd 1 0 0\nNs 250\nd 0.5\n\nnewmtl blue\nKd 0 0 1\nTr 0.25\nPr 0.9\nPm 1\n"
        "map_Kd -s 2 2 1 -o 0.5 -clamp on textures\\my picture.png\n"
    )
    asset = obj(text, paint__mtl=mtl, **{"my picture__png": PNG})
    assert [(part.name, part.first, part.last, part.material) for part in asset.look.parts] == [
        ("body", 0, 2, 0), ("body", 2, 3, 1), ("hat", 3, 4, 0),
    ]  # fmt: skip
    assert {name: members.tolist() for name, members in asset.groups.items()} == {
        "body": [0, 1, 2, 3], "chest": [0, 1, 2], "left_side": [0, 1, 2], "hat": [4, 5, 6],
    }  # fmt: skip
    red, blue = asset.look.materials
    assert red.colour == (1, 0, 0, 0.5) and red.roughness == 0.5 and red.image is None
    assert blue.colour == (0, 0, 1, 0.75) and blue.roughness == 0.9 and blue.metallic == 1
    assert asset.look.images[blue.image].data == PNG
    assert asset.look.images[blue.image].mime == "image/png"
    assert asset.notes == ()


def test_what_is_missing_is_noted(obj):
    asset = obj("mtllib gone.mtl\nusemtl red\n" + SQUARE + "v 9 9 9\nf 1 2 3\nf 1 1 2\n")
    assert [note.split()[0] for note in asset.notes] == ["gone.mtl", "1", "2"]
    assert "gone.mtl was not found" in asset.notes[0]
    assert "fewer than three different corners" in asset.notes[1]
    assert "2 of 5 vertices belong to no face" in asset.notes[2]
    assert asset.look.materials[0].name == "red"


@pytest.mark.parametrize(
    ("content", "said"), [(None, "was not found"), (b"BM a bitmap", "is not a PNG, JPEG or WebP file")]
)
def test_a_picture_that_cannot_be_had_is_noted(obj, content, said):
    others = {"p__mtl": "newmtl m\nKd 0.2 0.2 0.2\nmap_Kd wood.bmp\n"}
    if content:
        others["wood__bmp"] = content
    asset = obj("mtllib p.mtl\nusemtl m\n" + SQUARE + "f 1 2 3\n", **others)
    assert asset.look.materials[0].image is None
    assert asset.look.materials[0].colour[:3] == (0.2, 0.2, 0.2)
    assert any("wood.bmp" in note and said in note for note in asset.notes)


def test_colours_behind_positions(obj):
    asset = obj("v 0 0 0 1 0 0\nv 1 0 0 0.5 0.5 0.5\nv 1 1 0\nf 1 2 3\n", "a.obj")
    assert asset.colours[0].tolist() == [1, 0, 0]
    assert asset.colours[1] == pytest.approx(0.214, abs=1e-3)  # sRGB to light
    assert asset.colours[2].tolist() == [1, 1, 1]
    of_bytes = obj("v 0 0 0 255 0 0\nv 1 0 0 0 0 0\nv 1 1 0 0 0 0\nf 1 2 3\n", "b.obj")
    assert of_bytes.colours[0].tolist() == [1, 0, 0]


def test_polylines_where_there_are_no_faces(obj):
    asset = obj(SQUARE + "l 1 2 3\nl 3 4\n")
    assert asset.segments.tolist() == [[0, 1], [1, 2], [2, 3]]
    assert len(asset.faces) == 0


@pytest.mark.parametrize("ends", ["\n", "\r\n", "\r"])
def test_lines_of_every_kind(obj, ends):
    text = "\ufeff# made by hand\nv 0 0 0 # origin\nv 1 0 0\n\nv 1 1 \\\n 0\n  f 1 2 3  # done\ns off\nvp 1 2\n"
    asset = obj(text.replace("\n", ends))
    assert asset.vertices.tolist() == [[0, 0, 0], [1, 0, 0], [1, 1, 0]]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("v 0 0 0\nv 1 0 nan\nv 1 1 0\nf 1 2 3\n", "line 2: the position is (1, 0, nan)"),
        ("v 0 0 0\n\nv 1 inf 0\nv 1 1 0\nf 1 2 3\n", "line 3: the position is (1, inf, 0)"),
        (SQUARE + "f 1 2 9\n", "line 5: a face names vertex 9, counted from 1; there are 4"),
        (SQUARE + "f 1 2 -9\n", "line 5: the corner '-9' names nothing"),
        (SQUARE + "f 0 1 2\n", "line 5: the corner '0' names nothing"),
        (SQUARE + "f 1/7 2/7 3/7\n", "line 5: a face names uv 7, there are 0"),
        (SQUARE + "vn 0 0 1\nf 1//1 2//1 3//2\n", "line 6: a face names normal 2, there are 1"),
        ("v 0 0\n", "line 1: a vertex has three numbers"),
        (SQUARE + "f 1 two 3\n", "line 5: 'f 1 two 3' is not understood"),
        (SQUARE + f"f 1 2 {2**70}\n", "line 5: 'f 1 2 1180591620717411303424' is not understood"),
        (SQUARE, "there is no face in it"),
        ("hello\n", "there is no face in it"),
        ("v 1 1 1\nv 1 1 1\nv 1 1 1\nf 1 2 3\n", "all 3 vertices are at one place"),
        ("v 0 0 0\nv 1e30 0 0\nv 1 1 1\nf 1 2 3\n", "vertex 1 is at (1e+30, 0, 0)"),
    ],
)
def test_broken_files_say_where(obj, text, said):
    with pytest.raises(FileError) as caught:
        obj(text)
    message = str(caught.value)
    assert said in message
    assert "thing.obj: " in message and "\n" not in message


def test_a_face_with_too_many_hollow_corners(obj):
    angle = np.linspace(0, 2 * np.pi, 1200, endpoint=False)
    radius = 1 + 0.5 * (np.arange(1200) % 2)
    points = "".join(f"v {r * np.cos(a)} {r * np.sin(a)} 0\n" for a, r in zip(angle, radius, strict=True))
    with pytest.raises(FileError, match=r"line 1201: a face has 1,200 corners and is hollow; triangulate"):
        obj(points + "f " + " ".join(map(str, range(1, 1201))) + "\n")


def test_many_parts_fall_back_to_materials(obj):
    count = 400
    text = "".join(f"v {k} 0 0\nv {k} 1 0\nv {k} 0 1\n" for k in range(count))
    text += "".join(f"g piece{k}\nusemtl m{k % 2}\nf {3 * k + 1} {3 * k + 2} {3 * k + 3}\n" for k in range(count))
    asset = obj(text)
    assert [(part.name, part.first, part.last) for part in asset.look.parts] == [("m0", 0, 200), ("m1", 200, 400)]
    assert len(asset.groups) == count


def long_text(rows=60):
    """Runs of lines that are read together, with odd ones among them."""
    rng = np.random.default_rng(3)
    lines = [f"v {x:.3f} {y:.3f} {z:.3f}" for x, y, z in rng.normal(size=(rows, 3))]
    lines += [f"vt {u:.3f} {v:.3f}" for u, v in rng.uniform(size=(rows, 2))]
    lines += ["vn 0 0 1"] * 20 + ["vn 0 1 0 # up"]
    triangles = [rng.choice(rows, 3, replace=False) + 1 for _ in range(2 * rows)]
    lines += [f"f {a}/{b}/1 {b}/{c}/2 {c}/{a}/21" for a, b, c in triangles]
    lines += ["g tail", *(f"f {a - rows - 1} {b} {c}" for a, b, c in triangles)]
    lines += [f"f {a} {b} {c} {max(a, b, c) % rows + 1}" for a, b, c in triangles]
    return "\n".join(lines) + "\n"


def test_lines_read_together_or_one_by_one_say_the_same(obj, monkeypatch):
    together = obj(long_text(), "a.obj")
    one_by_one = obj(long_text() + "# a \\ makes all lines be looked at\n", "b.obj")
    monkeypatch.setattr("pliant.files.obj.parsing.TEXT_BLOCK", 100)
    in_blocks = obj(long_text(), "c.obj")
    for other in (one_by_one, in_blocks):
        for field in ("vertices", "faces", "uv"):
            assert np.array_equal(getattr(together, field), getattr(other, field)), field
        assert np.array_equal(together.groups["tail"], other.groups["tail"])
    assert len(together.faces) > 300


@pytest.mark.parametrize("block", [100, 1 << 20])
@pytest.mark.parametrize(
    ("line", "wrong"), [(30, "v 1 2 three"), (30, "v 1 2"), (100, "vt x 0"), (200, "f 1 2 3.5"), (170, "f 1 2 9999")]
)
def test_the_line_is_named_in_a_run_too(obj, monkeypatch, block, line, wrong):
    monkeypatch.setattr("pliant.files.obj.parsing.TEXT_BLOCK", block)
    lines = long_text().splitlines()
    lines[line - 1] = wrong
    with pytest.raises(FileError, match=f"line {line}: "):
        obj("\n".join(lines))
