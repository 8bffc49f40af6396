"""Tubes as rods along their centre lines, and edges as rods."""

from pathlib import Path

import numpy as np
import pytest

from made_assets import asset, ball_at, bar, bent, two_legs
from pliant.files.asset import Asset
from pliant.geometry import distance as d
from pliant.geometry.isosurface import isosurface
from pliant.runtime.errors import FileError
from pliant.volume import embody
from surface_checks import pieces


def degrees_of(body):
    return np.bincount(np.bincount(body.segments.ravel()), minlength=4)


def long_bar():
    vertices, faces = bar()
    return vertices * (0.3, 1, 0.3), faces


def test_the_line_runs_through_the_middle() -> None:
    vertices, faces = long_bar()
    body = embody(asset(vertices, faces), kind="rod", particles=30).body
    assert body.kind == "rod" and len(body.rest) == pytest.approx(30, abs=3)
    assert degrees_of(body)[1:3].tolist() == [2, len(body.rest) - 2]
    assert np.hypot(body.rest[:, 0], body.rest[:, 2]).max() < 0.01
    assert np.ptp(body.rest[:, 1]) > 1.75
    assert body.thickness == pytest.approx(0.12, rel=0.1)
    np.testing.assert_allclose(body.skin.deform(body.rest), vertices, atol=1e-9)


def test_segments_are_never_much_shorter_than_the_tube_is_wide() -> None:
    body = embody(asset(*long_bar()), kind="rod", particles=5000).body
    steps = np.linalg.norm(np.diff(body.rest[body.segments], axis=1), axis=2)
    assert 0.01 < np.median(steps) < 0.06


def test_poses_follow_the_line() -> None:
    vertices, faces = long_bar()
    pose = bent(vertices, 150)
    made = embody(asset(vertices, faces, poses={"bend": pose}), kind="rod", particles=60)
    (fit,) = made.fits
    assert fit.verdict == "reached" and fit.smallest_j > 0.8
    np.testing.assert_allclose(
        bent(made.body.rest, 150 * np.ptp(made.body.rest[:, 1]) / 2), made.body.poses["bend"], atol=0.02
    )


def test_branches_and_rings() -> None:
    """A letter Y has one fork; a ring with a tail has one, and a loop."""
    y = d.union(*(d.capsule((0, 0, 0), end, 0.06) for end in ((0, -1, 0), (0.7, 0.7, 0), (-0.7, 0.7, 0))), blend=0.02)
    body = embody(asset(*isosurface(y, (-1, -1.2, -0.2), (1, 1, 0.2), 0.03)), kind="rod", particles=60).body
    assert degrees_of(body)[[1, 3]].tolist() == [3, 1]
    assert pieces(body.segments, len(body.rest)) == 1 and len(body.segments) == len(body.rest) - 1
    ring = d.union(d.torus((0, 0, 0), 0.6, 0.07), d.capsule((0.6, 0, 0), (1.4, 0, 0), 0.07), blend=0.02)
    body = embody(asset(*isosurface(ring, (-0.8, -0.2, -0.8), (1.6, 0.2, 0.8), 0.03)), kind="rod", particles=60).body
    assert degrees_of(body)[[1, 3]].tolist() == [1, 1]
    assert len(body.segments) == len(body.rest)


@pytest.mark.slow
def test_legs_a_hair_apart_have_a_line_each() -> None:
    vertices, faces = two_legs()
    body = embody(asset(vertices, faces), kind="rod", particles=60).body
    low = body.rest[body.rest[:, 1] < -0.2]
    assert (np.abs(np.abs(low[:, 0]) - 0.215) < 0.08).all()
    bound = body.rest[body.skin.indices[:, :2]][:, :, 0]
    leg = vertices[:, 1] < -0.4
    assert (np.sign(bound[leg]) == np.sign(vertices[leg, :1])).all()


def test_a_ball_is_no_rod() -> None:
    try:
        body = embody(asset(*ball_at((0, 0, 0))), kind="rod").body
    except FileError as error:
        assert "--as solid" in str(error)
    else:
        assert len(body.rest) < 10  # a stub, if anything


def wire(**more) -> Asset:
    vertices = np.array([[0.0, 0, 0], [1, 0, 0], [2, 0, 0], [1, 1, 0], [5, 5, 5], [1, 1, 0]])
    segments = np.array([[0, 1], [1, 2], [2, 1], [1, 3], [3, 5]], dtype=np.int32)
    return Asset("wire", Path("wire.obj"), vertices, np.zeros((0, 3), np.int32), segments=segments, **more)


def test_edges_of_a_file_are_a_rod() -> None:
    lifted = wire().vertices.copy()
    lifted[1, 2] += 0.5
    groups = {"end": np.array([2, 4], dtype=np.int32), "none": np.array([4], dtype=np.int32)}
    made = embody(wire(poses={"lift": lifted}, groups=groups), thickness=0.1)
    body = made.body
    assert body.kind == "rod" and len(body.rest) == 4 and len(body.segments) == 3 and body.thickness == 0.1
    np.testing.assert_array_equal(body.poses["lift"], lifted[:4])
    assert body.groups["end"].tolist() == [2] and "none" not in body.groups
    assert len(body.skin.faces) > 0
    assert len(made.notes) == 2 and made.fits[0].verdict == "reached"


def test_edges_are_no_solid() -> None:
    with pytest.raises(FileError, match="load it as a rod"):
        embody(wire(), kind="solid")
    points = np.eye(2, 3)
    nothing = Asset("w", Path("w.obj"), points, np.zeros((0, 3), np.int32), segments=np.array([[0, 0]], np.int32))
    with pytest.raises(FileError, match="no edge in it has a length"):
        embody(nothing)
