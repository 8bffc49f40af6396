"""Which reader a file takes, and what is said when it cannot be read."""

import numpy as np
import pytest

from made_models import FIELD, MADE, every_model, write_obj
from pliant.files import limits, reading
from pliant.files.asset import Asset
from pliant.files.checks import checked
from pliant.files.reading import READ_ENDINGS, READERS, read_asset
from pliant.runtime.errors import FileError

TRIANGLE = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n"

# Vertices, points and faces of the models of the field.
KNOWN = {
    "spot": (3225, 2930, 5856),
    "suzanne": (507, 505, 968),
    "cheburashka": (6669, 6669, 13334),
    "cow": (2903, 2903, 5804),
    "beetle": (1254, 1148, 2053),
    "teapot": (3644, 3241, 6320),
}


@every_model
def test_whole_models_are_read(name, tmp_path):
    """As they are: what is wrong with them is for others to mend. Those of the field where they are at hand."""
    if name in MADE:
        vertices, faces = MADE[name]()
        asset = read_asset(write_obj(tmp_path / f"{name}.obj", (vertices, faces)))
        used = np.unique(faces)
        assert len(asset.faces) == len(faces) and len(used) <= len(asset.vertices) <= len(vertices)
        np.testing.assert_allclose(asset.vertices[asset.faces], vertices[faces], rtol=0, atol=1e-12)
        assert asset.uv is None and len(asset.notes) == (len(used) < len(vertices))  # told what was left out
        return
    asset = read_asset(FIELD / f"{name}.obj")
    assert (len(asset.vertices), len(np.unique(asset.vertices, axis=0)), len(asset.faces)) == KNOWN[name]
    assert (asset.uv is not None) == (name == "spot")
    assert len(asset.notes) == (name == "beetle")  # its materials are missing


@pytest.mark.parametrize("name", ["thing.obj", "THING.OBJ", "two.words here.Obj"])
def test_endings_in_any_case(tmp_path, name):
    (tmp_path / name).write_text(TRIANGLE)
    assert read_asset(str(tmp_path / name)).source == tmp_path / name


def test_every_format_has_a_reader():
    for ending in READ_ENDINGS:
        module, _, function = READERS[ending].partition(":")
        assert function == "read" and module.startswith("pliant.files.")


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("gone.obj", "gone.obj: there is no such file; check the name"),
        ("bera.obj", "bera.obj: there is no such file; did you mean bear.obj?"),
        ("bear.glb", "bear.glb: there is no such file; did you mean bear.obj?"),
        ("nowhere/bear.obj", "there is no such file; nor is there a folder"),
        ("empty.obj", "empty.obj: the file is empty"),
        ("bear.fbx", "bear.fbx: .fbx files cannot be read; import it into Blender and export it as glTF"),
        ("bear.xyz", ".xyz is not a format that can be read; give .glb, .gltf, .usd"),
        ("bear", "a name without ending is not a format that can be read"),
        ("folder.obj", "folder.obj: this is a folder"),
        ("folder", "folder: this is a folder; name a file in it (.glb"),
    ],
)
def test_paths_that_lead_nowhere(tmp_path, name, said):
    (tmp_path / "bear.obj").write_text(TRIANGLE)
    (tmp_path / "empty.obj").touch()
    (tmp_path / "folder.obj").mkdir()
    (tmp_path / "folder").mkdir()
    with pytest.raises(FileError) as caught:
        read_asset(tmp_path / name)
    assert said in str(caught.value)
    assert str(caught.value).startswith(str(tmp_path / name))


def test_a_name_that_no_system_takes(tmp_path):
    with pytest.raises(FileError):
        read_asset(tmp_path / ("x" * 5000 + ".obj"))
    with pytest.raises(FileError):
        read_asset("a\0b.obj")


def test_a_file_that_may_not_be_read(tmp_path, monkeypatch):
    path = tmp_path / "bear.obj"
    path.write_text(TRIANGLE)

    def refuse(*_):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("pliant.files.obj.reading.Parser", refuse)
    with pytest.raises(FileError, match=r"bear.obj: cannot be read: Permission denied"):
        read_asset(path)


def test_too_large_a_file(tmp_path, monkeypatch):
    (tmp_path / "bear.obj").write_text(TRIANGLE)
    monkeypatch.setattr(reading, "MOST_BYTES", 10)
    with pytest.raises(FileError, match=r"the file has 0\.0 GB, at most"):
        read_asset(tmp_path / "bear.obj")


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (IndexError("list index\nout of range"), "it may be damaged (list index out of range)"),
        (MemoryError(), "not enough memory"),
        (RecursionError(), "nested too deeply"),
        (UnicodeDecodeError("utf-8", b"\xff", 0, 1, "invalid start byte"), "it may be damaged ('utf-8' codec"),
        (AssertionError(), "it may be damaged (AssertionError)"),
    ],
)
def test_whatever_goes_wrong_in_a_reader_is_one_line(tmp_path, monkeypatch, error, said):
    (tmp_path / "bear.obj").write_text(TRIANGLE)

    def fail(*_):
        raise error

    monkeypatch.setattr("pliant.files.obj.read", fail)
    with pytest.raises(FileError) as caught:
        read_asset(tmp_path / "bear.obj")
    assert said in str(caught.value) and "\n" not in str(caught.value)


def test_nothing_to_sample(tmp_path):
    (tmp_path / "bear.obj").write_text(TRIANGLE)
    with pytest.raises(FileError, match=r"\.obj files have no animation to sample"):
        read_asset(tmp_path / "bear.obj", sample=[0.5])


def asset(tmp_path, **changes):
    square = np.array([[0.0, 0, 0], [1, 0, 0], [0, 1, 0]])
    values = {"vertices": square, "faces": np.array([[0, 1, 2]], np.int32)} | changes
    return Asset(name="x", source=tmp_path / "x.glb", **values)


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"faces": np.array([[0, 1, 3]], np.int32)}, "face 0 names vertices 0, 1, 3; they run from 0 to 2"),
        ({"faces": np.zeros((0, 3), np.int32)}, "there is no face in it"),
        ({"vertices": np.full((3, 3), np.nan)}, "vertex 0 is at (nan, nan, nan)"),
        ({"poses": {"smile": np.zeros((4, 3))}}, 'pose "smile" has 4 vertices, the rest shape 3'),
        ({"poses": {"smile": np.full((3, 3), np.inf)}}, 'pose "smile", vertex 0 is at (inf, inf, inf)'),
        ({"groups": {"nose": np.array([7])}}, 'group "nose" 0 names vertices 7'),
        ({"segments": np.array([[0, -1]])}, "segment 0 names vertices 0, -1"),
        ({"poses": {str(k): np.zeros((3, 3)) for k in range(1001)}}, "1,001 poses, at most 1,000"),
    ],
)
def test_every_asset_is_checked(tmp_path, changes, said):
    with pytest.raises(FileError) as caught:
        checked(asset(tmp_path, **changes))
    assert said in str(caught.value)


def test_looks_are_mended(tmp_path):
    wrong = np.array([[0.0, np.nan], [1, 1], [1, 1]])
    mended = checked(asset(tmp_path, uv=wrong, normals=np.full((3, 3), np.nan), colours=np.zeros((2, 3))))
    assert mended.uv.tolist() == [[0, 0], [1, 1], [1, 1]]
    assert mended.normals is None and mended.colours is None
    assert len(mended.notes) == 3


def test_limits_name_the_number():
    with pytest.raises(FileError, match=r"x.obj: -1 faces"):
        limits.check("x.obj", "faces", -1, 10)
