"""Faces of any number of corners, cut into triangles that cover them once."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import meshes
from pliant.files.numbering import first_of_equal_rows, following, of_elements, outlines
from pliant.files.polygons import triangulate


def star(rng, count):
    """Corners (count, 3) of an outline round the origin, hollow here and there, turned about in space."""
    angle = (np.arange(count) + rng.uniform(0, 0.9, count)) * 2 * np.pi / count
    radius = rng.uniform(0.2, 1.0, count)
    return np.stack([radius * np.cos(angle), radius * np.sin(angle), 0 * radius], axis=1)


def doubled_areas(points, triangles):
    a, b, c = (points[triangles[:, k]] for k in range(3))
    return np.cross(b - a, c - a)


@given(st.integers(0, 1000), st.integers(4, 40))
def test_a_flat_outline_is_covered_once(seed, count):
    rng = np.random.default_rng(seed)
    flat = star(rng, count)
    turn = meshes.rotation(seed)
    triangles, face = triangulate(flat @ turn.T + rng.normal(size=3), np.array([count]), np.arange(count))
    assert len(triangles) == count - 2 and not face.any()
    parts = doubled_areas(flat, triangles)[:, 2]
    after = np.roll(flat, -1, axis=0)
    whole = (flat[:, 0] * after[:, 1] - flat[:, 1] * after[:, 0]).sum()
    assert parts.sum() == pytest.approx(whole)
    if count > 4 or parts.min() > 0:  # an outline that sees the origin from each corner is never turned inside out
        assert parts.min() > -1e-12


@given(st.integers(0, 1000))
def test_quads_of_every_shape(seed):
    flat = star(np.random.default_rng(seed), 4)
    triangles, _ = triangulate(flat, np.array([4]), np.arange(4))
    assert doubled_areas(flat, triangles)[:, 2].min() >= 0


def test_faces_keep_their_order():
    points = np.concatenate([star(np.random.default_rng(k), n) for k, n in enumerate((5, 3, 4, 5))])
    sizes = np.array([5, 3, 4, 5])
    triangles, face = triangulate(points, sizes, np.arange(17))
    assert face.tolist() == [0, 0, 0, 1, 2, 2, 3, 3, 3]
    first = np.concatenate([[0], np.cumsum(sizes)[:-1]])
    assert ((triangles >= first[face][:, None]) & (triangles < (first + sizes)[face][:, None])).all()


@pytest.mark.parametrize(
    "outline",
    [
        [(0, 0), (1, 0), (2, 0), (2, 1), (1, 1), (0, 1)],  # corners in a line
        [(0, 0), (1, 0), (1, 0), (1, 1), (0, 1)],  # a corner twice
        [(0, 0), (2, 2), (2, 0), (0, 2), (1, 3)],  # crosses itself
        [(0, 0)] * 6,  # a point
    ],
)
def test_odd_outlines_come_to_an_end(outline):
    points = np.array([(x, y, 0) for x, y in outline], float)
    triangles, _ = triangulate(points, np.array([len(points)]), np.arange(len(points)))
    assert len(triangles) == len(points) - 2


def test_nothing_gives_nothing():
    none = np.zeros(0, np.int64)
    triangles, face = triangulate(np.zeros((0, 3)), none, none)
    assert triangles.shape == (0, 3) and len(face) == 0


def test_edges_of_faces_and_tets():
    assert following(np.array([3, 0, 2])).tolist() == [1, 2, 0, 4, 3]
    assert outlines(np.array([3, 3]), np.array([0, 1, 2, 2, 1, 3])).tolist() == [[0, 1], [0, 2], [1, 2], [1, 3], [2, 3]]
    assert len(of_elements(np.array([[0, 1, 2, 3]]))) == 6


@given(st.lists(st.tuples(st.integers(-2, 2), st.integers(-2, 2)), max_size=30))
def test_equal_rows(rows):
    table = np.array(rows, float).reshape(-1, 2) * -1.0
    assert first_of_equal_rows(table).tolist() == [rows.index(row) for row in rows]
