"""Vertices that a file splits are one point for a body and stay several for drawing."""

import numpy as np
import pytest

from made_assets import ball_at, bent, split_everywhere
from pliant.geometry.normals import face_normals
from pliant.volume.welding import NEAR, twins, weld


def test_a_split_ball_is_welded_to_the_ball() -> None:
    points, faces = ball_at((0, 0, 0), 0.5, 0.2)
    vertices, split = split_everywhere(points, faces)
    welded = weld(vertices, split.astype(np.int32), {"bent": bent(vertices, 40)})
    assert len(welded.vertices) == len(points)
    np.testing.assert_array_equal(vertices[welded.vertices][welded.points], vertices)
    np.testing.assert_array_equal(vertices[welded.vertices][welded.faces], points[faces])


@pytest.mark.parametrize(("gap", "one"), [(0.3, True), (10.0, False)])
def test_rounding_does_not_keep_points_apart(gap: float, one: bool) -> None:
    size = 2.0
    vertices = np.array([[0.0, 0, 0], [size, 0, 0], [gap * NEAR * size, 0, 0]])
    welded = weld(vertices, np.zeros((0, 3), np.int32), {})
    assert (welded.points[0] == welded.points[2]) is np.bool_(one)


def test_lips_that_part_in_a_pose_stay_two() -> None:
    vertices = np.array([[0.0, 0, 0], [1, 0, 0], [0, 0, 0], [1, 0, 0]])
    opened = vertices.copy()
    opened[[0, 2], 1] += (0.1, -0.1)
    welded = weld(vertices, np.zeros((0, 3), np.int32), {"open": opened})
    assert welded.points.tolist() == [0, 1, 2, 1]


def test_minus_zero_is_zero() -> None:
    assert weld(np.array([[0.0, 1, 0], [-0.0, 1, 0]]), np.zeros((0, 3), np.int32), {}).points.tolist() == [0, 0]


def test_a_crowd_in_one_place_is_one_point() -> None:
    crowd = np.concatenate([np.random.default_rng(0).normal(size=(5000, 3)) * 1e-9, [[1.0, 0, 0]]])
    assert len(weld(crowd, np.zeros((0, 3), np.int32), {}).vertices) == 2


def test_twins_keep_hard_edges_hard() -> None:
    """A cube with three vertices in each corner: one a side, so no two are twins; with seams as well, these are."""
    normals = np.repeat(np.eye(3), 2, axis=0)
    points = np.zeros(6, dtype=np.int32)
    assert twins(points, normals).tolist() == [0, 0, 2, 2, 4, 4]
    assert twins(points, None).tolist() == [0] * 6


def test_twins_of_a_smooth_surface_are_all_of_a_point() -> None:
    points, faces = ball_at((0, 0, 0), 0.5, 0.2)
    vertices, split = split_everywhere(points, faces)
    number = weld(vertices, split.astype(np.int32), {}).points
    smooth = vertices / np.linalg.norm(vertices, axis=1, keepdims=True)
    assert len(np.unique(twins(number, smooth))) == len(points)
    flat = face_normals(vertices, split.astype(np.int32)).repeat(3, axis=0)
    assert len(np.unique(twins(number, flat))) == len(vertices)
