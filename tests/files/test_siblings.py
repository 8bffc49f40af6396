"""Poses from further files."""

import numpy as np
import pytest

import meshes
from pliant.body.skin import Skin
from pliant.files.reading import read_asset
from pliant.files.siblings import pose_names, poses_in
from pliant.runtime.errors import FileError

REST, TETS = meshes.box_arrays((1, 1, 2), (2, 2, 2))
HULL = Skin.of_elements(REST, TETS, "solid")
POINTS, FACES = np.round(HULL.vertices, 6), HULL.faces
SQUASHED = np.round(POINTS * (1.5, 0.5, 1) + (0, 0.25, 3), 6)
BENT = np.round(POINTS + np.stack([POINTS[:, 2] ** 2, 0 * POINTS[:, 0], 0 * POINTS[:, 0]], axis=1), 6)


def obj(path, points, faces=FACES, uv=None):
    """uv: by corner (M, 3); written once each, so that vertices split where they differ."""
    lines = [f"v {x:g} {y:g} {z:g}" for x, y, z in points]
    if uv is None:
        lines += ["f " + " ".join(str(k + 1) for k in face) for face in faces]
    else:
        lines += [f"vt {u} 0" for u in range(uv.max() + 1)]
        corners = np.stack([faces, uv], axis=2) + 1
        lines += ["f " + " ".join(f"{k}/{t}" for k, t in row) for row in corners]
    path.write_text("\n".join(lines) + "\n")
    return path


def stl(path, points, faces=FACES):
    rows = np.zeros(len(faces), [("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("attribute", "<u2")])
    rows["corners"] = points[faces]
    path.write_bytes(bytes(80) + len(faces).to_bytes(4, "little") + rows.tobytes())
    return path


def ply(path, points, faces=FACES):
    text = f"ply\nformat ascii 1.0\nelement vertex {len(points)}\n"
    text += "property float x\nproperty float y\nproperty float z\n"
    text += f"element face {len(faces)}\nproperty list uchar int vertex_indices\nend_header\n"
    text += "".join(f"{x:g} {y:g} {z:g}\n" for x, y, z in points)
    path.write_text(text + "".join(f"3 {a} {b} {c}\n" for a, b, c in faces))
    return path


def test_a_pose_with_other_uv_is_the_same_mesh(tmp_path):
    seams = np.arange(FACES.size).reshape(-1, 3) % 3
    other = np.arange(FACES.size).reshape(-1, 3) % 2
    rest = obj(tmp_path / "bear.obj", POINTS, uv=seams)
    asset = read_asset(rest, poses={"squash": obj(tmp_path / "s.obj", SQUASHED, uv=other)})
    assert len(asset.vertices) > len(POINTS)  # it is split
    back = {tuple(p): tuple(q) for p, q in zip(POINTS, SQUASHED, strict=True)}
    assert [tuple(q) for q in asset.poses["squash"]] == [back[tuple(p)] for p in asset.vertices]


def test_a_folder_of_poses(tmp_path):
    rest = obj(tmp_path / "bear.obj", POINTS)
    for name in ("bear_pose10", "bear_pose2", "bear_big_smile"):
        obj(tmp_path / f"{name}.obj", SQUASHED)
    (tmp_path / "bear_notes.txt").write_text("no pose")
    asset = read_asset(rest, poses={"bend": obj(tmp_path / "elsewhere.OBJ", BENT)}, pose_folder=tmp_path / ".")
    assert list(asset.poses) == ["bend", "bear_big_smile", "bear_pose2", "bear_pose10", "elsewhere"]
    (tmp_path / "elsewhere.OBJ").unlink()
    assert list(read_asset(rest, pose_folder=tmp_path).poses) == ["big_smile", "pose2", "pose10"]


@pytest.mark.parametrize(
    ("stems", "rest", "names"),
    [
        (["bear_rest2", "bear_smile"], "bear_rest", ["rest2", "smile"]),
        (["pose-1", "pose-2"], "bear", ["1", "2"]),
        (["smile", "smirk"], "bear", ["smile", "smirk"]),
        (["bear"], "bear", ["bear"]),
        (["bear smile", "bear"], "Bear", ["smile", "bear"]),
    ],
)
def test_names_of_poses(stems, rest, names):
    assert pose_names(stems, rest) == names


@pytest.mark.parametrize(("write", "ending"), [(ply, "ply"), (stl, "stl")])
def test_a_pose_in_another_format(tmp_path, write, ending):
    rest = obj(tmp_path / "bear.obj", POINTS)
    # STL has the points in the order of its faces: number the rest in that order, too.
    if ending == "stl":
        order = list(dict.fromkeys(FACES.ravel().tolist()))
        places = np.argsort(order)
        obj(rest, POINTS[order], places[FACES])
        pose = stl(tmp_path / "pose.stl", BENT[order], places[FACES])
        wanted = BENT[order]
    else:
        pose, wanted = write(tmp_path / "pose.ply", BENT), BENT
    assert read_asset(rest, poses={"bend": pose}).poses["bend"] == pytest.approx(wanted, abs=1e-6)


def test_loose_triangles_may_come_together_in_a_pose(tmp_path):
    rest = stl(tmp_path / "bear.stl", POINTS)
    flat = POINTS * (1, 0, 1)
    asset = read_asset(rest, poses={"flat": stl(tmp_path / "flat.stl", flat)})
    assert asset.poses["flat"] == pytest.approx(asset.vertices * (1, 0, 1))


def test_different_numbers_of_vertices_are_both_named(tmp_path):
    rest = obj(tmp_path / "bear.obj", POINTS)
    pose = obj(tmp_path / "s.obj", np.concatenate([SQUASHED, [[9, 9, 9]]]))
    with pytest.raises(FileError, match=r"the pose has 27 vertices, the rest shape bear\.obj has 26; export both"):
        read_asset(rest, poses={"s": pose})


def test_another_order_of_vertices_is_seen(tmp_path):
    rest = obj(tmp_path / "bear.obj", POINTS)
    order = np.random.default_rng(0).permutation(len(POINTS))
    pose = obj(tmp_path / "s.obj", SQUASHED[order], np.argsort(order)[FACES])
    with pytest.raises(FileError, match=r"s.obj: the pose has 26 vertices as bear.obj has, but in another order"):
        read_asset(rest, poses={"s": pose})


def test_another_way_to_cut_faces_is_no_other_mesh(tmp_path):
    square = "v 0 0 0\nv 2 0 0\nv 2 1 0\nv 0 1 0\n"
    (tmp_path / "a.obj").write_text(square + "f 1 2 3 4\n")
    (tmp_path / "b.obj").write_text(square.replace("2", "3") + "f 2 3 4\nf 2 4 1\n")
    (tmp_path / "c.obj").write_text(square.replace("2", "5"))  # points only
    asset = read_asset(tmp_path / "a.obj", poses={"b": tmp_path / "b.obj", "c": tmp_path / "c.obj"})
    assert asset.poses["b"].max() == 3 and asset.poses["c"].max() == 5


def test_split_and_whole_points_match_by_place(tmp_path):
    """As between an OBJ file and a PLY file that repeats points on its seams."""
    rest = obj(tmp_path / "bear.obj", POINTS)
    twice = np.concatenate([POINTS, POINTS[:5]])
    faces = FACES.copy()
    faces[: len(faces) // 4][faces[: len(faces) // 4] < 5] += len(POINTS)
    pose = ply(tmp_path / "s.ply", np.concatenate([SQUASHED, SQUASHED[:5]]), faces)
    assert len(read_asset(ply(tmp_path / "r.ply", twice, faces)).vertices) > len(POINTS)
    assert read_asset(rest, poses={"s": pose}).poses["s"] == pytest.approx(SQUASHED)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"poses": {"s": "gone.obj"}}, "gone.obj: there is no such file"),
        ({"poses": {"s": "broken.obj"}}, "broken.obj: line 1"),
        ({"poses": {"s": "pose.xyz"}}, ".xyz is not a format"),
        ({"pose_folder": "empty"}, "empty: there is no .obj file in it that could be a pose of bear.obj"),
        ({"pose_folder": "gone"}, "gone: the folder of poses cannot be read"),
        ({"poses": {"one": "f/one.obj"}, "pose_folder": "f"}, 'there is a pose "one" already'),
    ],
)
def test_what_cannot_be_a_pose(tmp_path, options, said):
    rest = obj(tmp_path / "bear.obj", POINTS)
    (tmp_path / "broken.obj").write_text("v 1 2\n")
    (tmp_path / "empty").mkdir()
    (tmp_path / "f").mkdir()
    obj(tmp_path / "f" / "one.obj", SQUASHED)
    poses = {name: tmp_path / file for name, file in options.get("poses", {}).items()}
    folder = tmp_path / options["pose_folder"] if "pose_folder" in options else None
    with pytest.raises(FileError) as caught:
        read_asset(rest, poses=poses, pose_folder=folder)
    assert said in str(caught.value)


def test_the_rest_shape_is_no_pose_of_itself(tmp_path):
    rest = obj(tmp_path / "bear.obj", POINTS)
    obj(tmp_path / "bear_s.obj", SQUASHED)
    assert list(poses_in(tmp_path, rest)) == ["s"]
