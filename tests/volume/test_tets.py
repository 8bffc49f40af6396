"""Tets that come with a file."""

from pathlib import Path

import numpy as np
import pytest

from meshes import box_arrays
from pliant.files.asset import Asset
from pliant.geometry.boundary import boundary_triangles
from pliant.geometry.measures import volumes
from pliant.runtime.errors import FileError
from pliant.volume import embody


def tet_asset(rest=None, tets=None, faces=None, **more) -> Asset:
    nodes, cells = box_arrays()
    rest, tets = nodes if rest is None else rest, cells if tets is None else tets
    faces = np.zeros((0, 3), np.int32) if faces is None else faces
    return Asset("block", Path("block.vtk"), np.asarray(rest, float), faces, tets=np.asarray(tets, np.int32), **more)


def test_nodes_become_particles() -> None:
    rest, tets = box_arrays()
    groups = {"low": np.flatnonzero(rest[:, 2] < -0.9).astype(np.int32)}
    pose = rest * (1, 1, 0.5)
    made = embody(tet_asset(poses={"flat": pose, "same": rest}, groups=groups))
    np.testing.assert_array_equal(made.body.rest, rest)
    np.testing.assert_array_equal(made.body.tets, tets)
    np.testing.assert_array_equal(made.body.poses["flat"], pose)
    np.testing.assert_array_equal(made.body.groups["low"], groups["low"])
    assert len(made.body.skin.faces) == len(boundary_triangles(tets))
    np.testing.assert_array_equal(made.body.skin.deform(pose), pose[np.unique(boundary_triangles(tets))])
    (fit,) = made.fits
    assert fit.verdict == "reached" and fit.largest == 0 and fit.smallest_j == pytest.approx(0.5)
    assert made.notes == ('pose "same" was left out: it is the rest shape',)
    assert made.mesh.closed


def test_tets_inside_out_are_turned() -> None:
    _, tets = box_arrays()
    mixed = tets.copy()
    mixed[::3] = mixed[::3][:, [1, 0, 2, 3]]
    made = embody(tet_asset(tets=mixed))
    assert volumes(made.body.rest, made.body.tets).min() > 0
    assert f"{len(mixed[::3])} of {len(tets)} tets were inside out" in made.notes[0]


def test_a_tet_without_volume_is_named_with_the_remedy() -> None:
    rest, tets = box_arrays()
    flat = np.concatenate([rest, (rest[tets[7, :1]] + rest[tets[7, 1:2]]) / 2])
    wrong = np.concatenate([tets, [[*tets[7, :3], len(rest)]]])
    with pytest.raises(FileError, match=rf"block.vtk: tet {len(tets)} .* has no volume.*remove"):
        embody(tet_asset(flat, wrong))


def test_lonely_nodes_are_left_out_and_numbers_follow() -> None:
    rest, tets = box_arrays()
    nodes = np.concatenate([[[9.0, 9, 9]], rest])
    pose = nodes + nodes[:, 2:] * (0.2, 0, 0)
    made = embody(tet_asset(nodes, tets + 1, poses={"shear": pose}, groups={"g": np.array([0, 3], np.int32)}))
    np.testing.assert_array_equal(made.body.rest, rest)
    np.testing.assert_array_equal(made.body.poses["shear"], pose[1:])
    assert made.body.groups["g"].tolist() == [2]
    assert "1 of" in made.notes[0]


def test_the_faces_of_the_file_are_the_skin() -> None:
    rest, tets = box_arrays()
    nodes = np.concatenate([rest, [[0.1, 0.1, 0.2], [0.3, 0.1, 0.2], [0.1, 0.3, 0.7]]])
    faces = np.array([np.arange(3) + len(rest), tets[0, :3]], dtype=np.int32)
    body = embody(tet_asset(nodes, tets, faces)).body
    assert len(body.rest) == len(rest) and len(body.skin.faces) == 2
    np.testing.assert_allclose(body.skin.deform(body.rest), nodes[np.unique(faces)], atol=1e-12)


def test_bad_poses_are_left_out() -> None:
    rest, _ = box_arrays()
    folded = rest.copy()
    folded[0] += (2, 2, 3)
    made = embody(tet_asset(poses={"mirrored": rest * (-1, 1, 1.2), "folded": folded}))
    assert made.body.pose_names == ()
    assert [fit.verdict for fit in made.fits] == ["mirrored", "folded"]


def test_tets_as_a_shell() -> None:
    body = embody(tet_asset(), kind="shell", particles=60, cache=False).body
    assert body.kind == "shell"


def test_no_tets() -> None:
    with pytest.raises(FileError, match="no tet in it"):
        embody(tet_asset(tets=np.zeros((0, 4))))
