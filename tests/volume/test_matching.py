"""Poses from other meshes: the same shape cut into other faces, elsewhere, posed; and what is refused."""

import json
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import pliant
from made_assets import asset, ball_at, bent
from pliant import cli
from pliant.files.gltf.shapes import write_asset_shapes
from pliant.geometry import distance as d
from pliant.geometry.isosurface import isosurface
from pliant.geometry.measures import diagonal
from pliant.runtime.errors import FileError, SettingsError
from pliant.volume.filling.rotations import rigid_motion
from pliant.volume.from_mesh import pairs_of, poses_from_meshes
from pliant.volume.matching import match_surfaces

TURN = Rotation.from_euler("xyz", [20, 130, -15], degrees=True).as_matrix()
AWAY = np.array([3.0, 1.0, -2.0])


def creature(turn: np.ndarray, cell: float) -> tuple[np.ndarray, np.ndarray]:
    """A body with a head to one side and two arms that are not alike, sampled on a grid that is turned against it."""
    field = d.union(
        d.capsule((0, -0.6, 0), (0, 0.4, 0), 0.3),
        d.capsule((0.25, 0.75, 0.1), (0.3, 0.75, 0.1), 0.22),
        d.capsule((0.2, 0.3, 0), (0.9, 0.6, 0.1), 0.12),
        d.capsule((-0.2, 0.2, 0), (-0.8, -0.1, 0.3), 0.14),
        blend=0.05,
    )
    points, faces = isosurface(lambda x: field(x @ turn), (-1.5, -1.5, -1.5), (1.5, 1.5, 1.5), cell)
    return points @ turn, faces


@cache
def pair() -> tuple[tuple[np.ndarray, np.ndarray], tuple[np.ndarray, np.ndarray]]:
    """The same surface twice, cut into different faces."""
    return creature(np.eye(3), 0.075), creature(
        Rotation.from_euler("xyz", [31, 17, 44], degrees=True).as_matrix(), 0.06
    )


def off(found: np.ndarray, wanted: np.ndarray) -> float:
    """The 99th percentile of the distance, as a part of the diagonal."""
    return float(np.quantile(np.linalg.norm(found - wanted, axis=1), 0.99) / diagonal(wanted))


@pytest.mark.slow
def test_the_same_shape_with_other_faces_elsewhere_is_found_within_one_per_cent() -> None:
    (points, faces), (others, other_faces) = pair()
    assert len(points) != len(others)
    match = match_surfaces(points, faces, others @ TURN.T + AWAY, other_faces)
    assert off(match.positions, points @ TURN.T + AWAY) < 0.01
    assert not match.problem and match.scale == 1.0
    assert max(match.forward, match.backward) < 0.005 and match.turned < 0.001


@pytest.mark.slow
def test_a_posed_and_larger_mesh_is_found_by_points(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Bent, ten times as large, in another place; and the pose comes out as large as the rest shape, in the volume."""
    (points, faces), (others, other_faces) = pair()
    write_asset_shapes(asset(points, faces, "rest"), tmp_path / "rest.glb")
    there = 10 * bent(others, 35) @ TURN.T + AWAY
    write_asset_shapes(asset(there, other_faces, "sculpt"), tmp_path / "sculpt.glb")
    true = bent(points, 35)
    named = []
    for place in np.eye(3) * 0.8 + 0.05:
        k = int(np.argmin(np.linalg.norm(points - place, axis=1)))
        sides = (points[k], 10 * true[k] @ TURN.T + AWAY)
        named += ["--point", "bent:" + "=".join(",".join(f"{x:.5f}" for x in side) for side in sides)]
    call = ["poses", str(tmp_path / "rest.glb"), "--match", f"bent={tmp_path / 'sculpt.glb'}", "--particles", "150"]
    assert cli.main([*call, *named, "--json", "-o", str(tmp_path / "posed.npz")]) == 0
    told = json.loads(capsys.readouterr().out)
    (match,) = told["matches"]
    assert match["scale"] == pytest.approx(10, rel=0.05) and max(match["forward"], match["backward"]) < 0.02
    assert [fit["verdict"] for fit in told["fits"]] in (["reached"], ["coarse"])
    body = pliant.load(tmp_path / "posed.npz")
    wanted, reached = bent(body.skin.vertices, 35), body.surface("bent")
    turn, shift = rigid_motion(reached, wanted, np.ones(len(wanted)))
    assert off(reached @ turn.T + shift, wanted) < 0.03
    assert off(reached, body.skin.vertices) > 0.04  # it is a pose


@pytest.mark.slow
def test_what_is_something_else_is_refused_with_the_reason(tmp_path: Path) -> None:
    ring = pliant.shapes.torus()
    write_asset_shapes(asset(ring.skin.vertices, ring.skin.faces, "ring"), tmp_path / "ring.glb")
    write_asset_shapes(asset(*ball_at((0, 0, 0), 0.5, 0.12), "ball"), tmp_path / "ball.glb")
    with pytest.raises(
        FileError, match=r"cannot be matched to ball.glb: .*(reached by nothing|finds nothing|inside out)"
    ):
        poses_from_meshes(tmp_path / "ball.glb", {"ring": tmp_path / "ring.glb"})


def test_points_are_checked() -> None:
    points, faces = ball_at((0, 0, 0), 0.5, 0.2)
    with pytest.raises(SettingsError, match="at least three"):
        match_surfaces(points, faces, points, faces, (np.eye(3)[:2], np.eye(3)[:2]))
    with pytest.raises(SettingsError, match="on one line"):
        match_surfaces(points, faces, points, faces, (np.outer(range(4), [1, 0, 0]), np.outer(range(4), [1, 0, 0])))
    for wrong in ("0,1,0=1,1,1", "a:0,1=1,1,1", "a:0,1,x=1,1,1"):
        with pytest.raises(SettingsError, match="NAME:x,y,z=x,y,z"):
            pairs_of([wrong])
