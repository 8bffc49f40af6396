"""PC2, OBJ folders, NPZ and CSV: read back, byte for byte the same, whole or not at all."""

import csv
import struct
import zipfile
from dataclasses import replace

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import meshes
from pliant.body import Body, Skin
from pliant.body.look import Image, Look, Material, Part
from pliant.files.colour import to_linear
from pliant.files.reading import read_asset
from pliant.files.take import Take, Track
from pliant.files.writing import WRITERS, write_take, writer_of
from pliant.runtime.errors import FileError

FRAMES = 7
PNG = b"\x89PNG\r\n\x1a\n picture"
OWN = ("out.pc2", "out.npz", "out.csv", "obj")


def painted_box():
    """A box whose skin is split along a seam, painted half with a picture and half plain."""
    body = meshes.box(poses={"squash": meshes.box_arrays()[0] * (1.2, 0.7, 1.2)}, name="box")
    hull = body.skin
    seam = np.arange(10)
    faces = hull.faces.copy()
    half = faces[: len(faces) // 2]
    half[half < 10] += len(hull.vertices)
    look = Look(
        parts=(Part("front", 0, len(half), 0), Part("back side", len(half), len(faces), 1)),
        materials=(Material("skin tone", (1, 1, 1, 1), image=0), Material("plain", (0.2, 0.4, 0.6, 0.5), 0.5, 0.25)),
        images=(Image("tone.png", "image/png", PNG),),
    )
    rows = np.concatenate([np.arange(len(hull.vertices)), seam])
    uv = np.stack([np.linspace(0, 1, len(rows)), np.linspace(1, 0.5, len(rows))], axis=1)
    skin = Skin(
        hull.vertices[rows], faces, hull.indices[rows], hull.weights[rows], kind="solid", uv=uv,
        colours=np.linspace(0, 1, 3 * len(hull.vertices)).reshape(-1, 3)[rows], look=look,
    )  # fmt: skip
    return body.with_skin(skin)


def moved(points, frame):
    turn = Rotation.from_euler("z", 10 * frame, degrees=True).as_matrix()
    return points @ turn.T + np.array([0, frame / 10, 0])


def track(body, name, groups=("all",), seed=0):
    """Turning about z by 10 degrees a frame, and rising."""
    positions = np.stack([moved(body.rest, frame) for frame in range(FRAMES)]).astype(np.float32)
    weights = np.random.default_rng(seed).dirichlet(np.ones(1 + len(body.poses)), (FRAMES, len(groups)))
    return Track(name, body, positions, weights.astype(np.float32), groups)


@pytest.fixture
def one():
    return Take("demo", 24.0, (track(painted_box(), "box"),))


@pytest.fixture
def several():
    sheet = meshes.sheet(name="cloth", poses={"fold": meshes.sheet_arrays()[0] * (1, 1, -1)})
    cloth = track(sheet, "a/b: cloth", ("left", "right"), 1)
    return Take("demo", 24.0, (track(painted_box(), "box"), cloth, track(meshes.rope(), "A/B Cloth")))


def cache(path):
    """Points (T, P, 3) of a PC2 file, read by its specification."""
    data = path.read_bytes()
    signature, version, points, start, rate, samples = struct.unpack_from("<12siiffi", data)
    assert signature == b"POINTCACHE2\0" and version == 1 and start == 0 and rate == 1
    assert len(data) == 32 + samples * points * 12
    return np.frombuffer(data, "<f4", offset=32).reshape(samples, points, 3)


def test_pc2_has_the_points_of_the_mesh_beside_it(one, tmp_path):
    write_take(one, tmp_path / "out.pc2")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["out.pc2", "out.rest.obj"]
    points = cache(tmp_path / "out.pc2")
    assert points.shape[0] == FRAMES
    lines = (tmp_path / "out.rest.obj").read_text().splitlines()
    rest = np.array([line.split()[1:4] for line in lines if line.startswith("v ")], float)
    assert len(rest) == points.shape[1] == len(np.unique(one.tracks[0].body.skin.vertices, axis=0))
    assert points[0] == pytest.approx(rest, abs=1e-6)  # the first frame is the rest shape
    assert points[-1] == pytest.approx(moved(rest, FRAMES - 1), abs=1e-5)
    mesh = read_asset(tmp_path / "out.rest.obj")
    skin = one.tracks[0].body.skin
    assert len(mesh.faces) == len(skin.faces)
    assert np.allclose(mesh.vertices[mesh.faces], skin.vertices[skin.faces], atol=1e-6)
    assert np.allclose(mesh.uv[mesh.faces], skin.uv[skin.faces], atol=1e-6)


def test_pc2_of_several_actors(several, tmp_path):
    write_take(several, tmp_path / "out.pc2")
    names = sorted(path.name for path in tmp_path.glob("*.pc2"))
    assert names == ["out-A_B Cloth.pc2", "out-a_b_cloth.pc2", "out-box.pc2"]
    assert cache(tmp_path / "out-a_b_cloth.pc2").shape == (FRAMES, 15, 3)


def test_a_source_in_obj_keeps_its_order_in_pc2(tmp_path):
    """An artist who has the mesh in Blender already can put the cache on it."""
    rest, faces = meshes.sheet_arrays()
    lines = [f"v {x} {y} {z}" for x, y, z in rest] + [f"vt {k} 0" for k in range(5)]
    lines += ["f " + " ".join(f"{v + 1}/{(k + v) % 5 + 1}" for v in face) for k, face in enumerate(faces)]
    (tmp_path / "a.obj").write_text("\n".join(lines))
    asset = read_asset(tmp_path / "a.obj")
    assert len(asset.vertices) > len(rest)
    body = Body(rest, triangles=faces)
    slots = np.array([np.flatnonzero((rest == p).all(axis=1))[0] for p in asset.vertices])
    weights = np.tile([1.0, 0, 0, 0], (len(slots), 1))
    skin = Skin(asset.vertices, asset.faces, np.repeat(slots[:, None], 4, axis=1), weights)
    write_take(Take("a", 24, (track(body.with_skin(skin), "a"),)), tmp_path / "a.pc2")
    assert cache(tmp_path / "a.pc2")[0] == pytest.approx(rest)


def test_obj_folder_is_read_back(several, tmp_path):
    write_take(several, tmp_path / "frames" / "obj")
    folder = tmp_path / "frames" / "obj"
    names = sorted(path.name for path in folder.iterdir())
    assert names == [*(f"frame_{k:04}.obj" for k in range(1, FRAMES + 1)), "materials.mtl", "tone.png"]
    asset = read_asset(folder / "frame_0004.obj")
    surface = np.concatenate([each.surface(3)[each.body.skin.faces].reshape(-1, 3) for each in several.tracks])
    assert np.allclose(asset.vertices[asset.faces].reshape(-1, 3), surface, atol=1e-5)
    assert asset.notes == ()
    assert [part.name for part in asset.look.parts] == ["box", "box", "a/b: cloth", "A/B Cloth"]
    tone, plain = asset.look.materials
    assert (tone.name, asset.look.images[tone.image].data) == ("skin_tone", PNG)
    assert plain.colour == (0.2, 0.4, 0.6, 0.5) and (plain.metallic, plain.roughness) == (0.5, 0.25)
    skin = several.tracks[0].body.skin
    box = slice(0, len(skin.faces))
    assert np.allclose(asset.uv[asset.faces[box]], skin.uv[skin.faces], atol=1e-6)
    normals = skin.normals(several.tracks[0].surface(3))[skin.faces]
    assert np.allclose(asset.normals[asset.faces[box]], normals, atol=1e-3)
    assert np.allclose(asset.colours[asset.faces[box]], to_linear(skin.colours)[skin.faces], atol=1e-3)


def test_obj_folder_leaves_foreign_files_alone(one, tmp_path):
    (tmp_path / "obj").mkdir()
    (tmp_path / "obj" / "thesis.doc").write_text("precious")
    with pytest.raises(FileError, match=r"holds other things too \(thesis\.doc\)"):
        write_take(one, tmp_path / "obj")
    (tmp_path / "obj" / "thesis.doc").unlink()
    write_take(one, tmp_path / "obj")
    short = Take("demo", 24.0, (replace(one.tracks[0], positions=one.tracks[0].positions[:2]),))
    write_take(short, tmp_path / "obj")  # the frames of the earlier take are gone
    assert len(list((tmp_path / "obj").glob("frame_*.obj"))) == 2


def test_npz_has_everything_without_pickles(several, tmp_path):
    write_take(several, tmp_path / "out.npz")
    take = np.load(tmp_path / "out.npz", allow_pickle=False)
    assert take["time"] == pytest.approx(np.arange(FRAMES) / 24) and take["fps"] == 24
    assert take["actors"].tolist() == ["box", "a_b: cloth", "A_B Cloth"]
    for name, each in zip(take["actors"], several.tracks, strict=True):
        body, skin = each.body, each.body.skin
        assert np.array_equal(take[f"{name}/particles"], each.positions)
        assert np.array_equal(take[f"{name}/weights"], each.weights)
        assert take[f"{name}/poses"].tolist() == list(body.poses)
        assert take[f"{name}/groups"].tolist() == list(each.groups)
        assert np.array_equal(take[f"{name}/elements"], body.elements)
        assert np.array_equal(take[f"{name}/masses"], body.masses)
        poses = np.array(list(body.poses.values())).reshape(-1, *body.rest.shape)
        assert np.array_equal(take[f"{name}/pose_particles"], poses)
        x = take[f"{name}/particles"][4].astype(float)
        bound = np.einsum("nk,nkj->nj", take[f"{name}/skin_weights"], x[take[f"{name}/skin_indices"]])
        still = (skin.offsets == 0).all(axis=1)
        assert bound[still] == pytest.approx(each.surface(4)[still])


def test_rotations_in_npz_turn_the_rest_shape(several, tmp_path):
    write_take(several, tmp_path / "out.npz")
    take = np.load(tmp_path / "out.npz")
    for name in take["actors"][:2]:  # a straight rope may turn about itself
        turns = take[f"{name}/rotations"]
        assert np.linalg.norm(turns, axis=2) == pytest.approx(1, abs=1e-6)
        assert (np.einsum("tvk,tvk->tv", turns[1:], turns[:-1]) > 0).all()  # no jumps between q and -q
        angle = Rotation.from_quat(turns.reshape(-1, 4)).as_euler("zyx", degrees=True).reshape(*turns.shape[:2], 3)
        assert angle[..., 0] == pytest.approx(np.tile(10.0 * np.arange(FRAMES)[:, None], turns.shape[1]), abs=0.01)
        assert np.abs(angle[..., 1:]).max() < 0.01


def test_weights_csv(several, tmp_path):
    write_take(several, tmp_path / "weights.csv")
    with open(tmp_path / "weights.csv", newline="") as file:
        rows = list(csv.DictReader(file))
    assert list(rows[0]) == ["time", "actor", "group", "rest", "squash", "fold"]
    assert len(rows) == FRAMES * 4
    assert [(row["actor"], row["group"]) for row in rows[:4]] == [
        ("box", "all"), ("a/b: cloth", "left"), ("a/b: cloth", "right"), ("A/B Cloth", "all"),
    ]  # fmt: skip
    assert rows[0]["fold"] == "" and rows[1]["squash"] == "" and rows[3]["rest"] == "1"
    for row in rows:
        assert sum(float(row[name] or 0) for name in ("rest", "squash", "fold")) == pytest.approx(1, abs=1e-5)
    assert float(rows[4]["time"]) == pytest.approx(1 / 24)


def everything(folder):
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def test_the_same_take_gives_the_same_bytes(several, tmp_path, monkeypatch):
    monkeypatch.setattr("time.time", lambda: 1e9)
    monkeypatch.setattr("time.localtime", lambda *_: (2001, 9, 9, 1, 46, 40, 0, 0, 0))
    for name in OWN:
        write_take(several, tmp_path / "a" / name)
    monkeypatch.undo()
    for name in OWN:
        write_take(several, tmp_path / "b" / name)
    assert everything(tmp_path / "a") == everything(tmp_path / "b")
    with zipfile.ZipFile(tmp_path / "a" / "out.npz") as archive:
        assert {info.date_time for info in archive.infolist()} == {(1980, 1, 1, 0, 0, 0)}


@pytest.mark.parametrize("name", OWN)
def test_progress_goes_up_to_all(several, tmp_path, name):
    told = []
    write_take(several, tmp_path / name, progress=lambda done, of: told.append((done, of)))
    assert [done for done, _ in told] == list(range(1, len(told) + 1))
    assert told[-1][0] == told[-1][1] and len({of for _, of in told}) == 1


@pytest.mark.parametrize("name", OWN)
def test_whole_or_not_at_all(one, tmp_path, name):
    class Fault(Exception):
        pass

    def fail(done, _):
        if done == 3:
            raise Fault

    with pytest.raises(Fault):
        write_take(one, tmp_path / name, progress=fail)
    assert {path.name for path in tmp_path.iterdir()} <= {"out.rest.obj"}  # whole, and of use by itself


@pytest.mark.parametrize("name", OWN)
def test_frames_are_taken_one_by_one(one, tmp_path, name):
    """They may be a map of a file that is larger than memory."""

    class Map:
        """Gives single frames only."""

        def __init__(self, values):
            self.values, self.shape, self.dtype = values, values.shape, values.dtype

        def __len__(self):
            return len(self.values)

        def __getitem__(self, frame):
            assert isinstance(frame, int | np.integer)
            return self.values[frame]

        def __array__(self, *_, **__):
            raise AssertionError("all frames at once")

    one_track = one.tracks[0]
    mapped = replace(one_track, positions=Map(one_track.positions), weights=Map(one_track.weights))
    write_take(Take("demo", 24.0, (mapped,)), tmp_path / "map" / name)
    write_take(one, tmp_path / "plain" / name)
    assert everything(tmp_path / "map") == everything(tmp_path / "plain")


@pytest.mark.parametrize(
    ("path", "options", "said"),
    [
        ("out.obj", {}, "one .obj holds one frame; name a folder `obj`"),
        ("out.gltf", {}, "give .glb"),
        ("out.xyz", {}, ".xyz is not a format that can be written; give .glb"),
        ("out", {}, "a name without ending is not one that can be written"),
        ("png", {}, "pictures are drawn by `pliant bake`"),
        ("out.npz", {"style": "weights"}, 'the style "weights" is for .glb'),
        ("out.npz", {"style": "fast"}, 'the style is "fast"; give "vertices", "weights" or "skeleton"'),
    ],
)
def test_what_cannot_be_written(one, tmp_path, path, options, said):
    with pytest.raises(FileError) as caught:
        write_take(one, tmp_path / path, **options)
    assert said in str(caught.value) and str(tmp_path / path) in str(caught.value)


def test_nothing_to_write(tmp_path):
    with pytest.raises(FileError, match="the take has no actor"):
        write_take(Take("x", 24, ()), tmp_path / "out.npz")
    empty = replace(track(meshes.rope(), "rope"), positions=np.zeros((0, 7, 3), np.float32))
    with pytest.raises(FileError, match="the take has no frame"):
        write_take(Take("x", 24, (empty,)), tmp_path / "out.npz")


def test_a_folder_that_cannot_be(one, tmp_path):
    (tmp_path / "file").write_text("in the way")
    for name in OWN:
        with pytest.raises(FileError, match="cannot be written"):
            write_take(one, tmp_path / "file" / name)


def test_writers_are_named_by_endings():
    assert set(WRITERS) >= {".glb", ".usdc", ".pc2", ".npz", ".csv", "obj"}
    assert writer_of("x/OBJ/") == writer_of("obj") and writer_of("A.GLB") == WRITERS[".glb"]
