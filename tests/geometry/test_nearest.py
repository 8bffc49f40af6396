import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from pliant.geometry.nearest import (
    barycentric_in_plane,
    barycentric_in_tet,
    closest_on_segments,
    closest_on_triangles,
)

seeds = st.integers(0, 100_000)


def gap(points, corners, weights):
    return np.linalg.norm(points - np.einsum("nk,nkj->nj", weights, corners), axis=1)


@given(seeds)
def test_no_other_point_of_a_triangle_or_segment_is_closer(seed):
    rng = np.random.default_rng(seed)
    points = 2 * rng.normal(size=(20, 3))
    for corners, closest in ((3, closest_on_triangles), (2, closest_on_segments)):
        shapes = rng.normal(size=(20, corners, 3))
        weights = closest(points, shapes)
        assert (weights >= 0).all()
        np.testing.assert_allclose(weights.sum(axis=1), 1)
        best = gap(points, shapes, weights)
        for _ in range(50):
            assert (best <= gap(points, shapes, rng.dirichlet(np.ones(corners), 20)) + 1e-12).all()


@given(seeds)
def test_barycentric_weights_give_the_point_back(seed):
    rng = np.random.default_rng(seed)
    points, tets, triangles = (
        rng.normal(size=(10, 3)),
        rng.normal(size=(10, 4, 3)),
        rng.normal(size=(10, 3, 3)),
    )
    assert gap(points, tets, barycentric_in_tet(points, tets)).max() < 1e-6
    foot = np.einsum("nk,nkj->nj", barycentric_in_plane(points, triangles), triangles)
    across = points - foot
    for edge in (triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0]):
        assert np.abs(np.einsum("nj,nj->n", across, edge)).max() < 1e-6


def test_flat_triangles_and_points_in_place_of_segments():
    flat = np.array([[[0.0, 0, 0], [1, 0, 0], [2, 0, 0]]])
    np.testing.assert_allclose(
        gap(np.array([[1.5, 1, 0]]), flat, closest_on_triangles(np.array([[1.5, 1, 0]]), flat)), 1
    )
    dot = np.zeros((1, 2, 3))
    np.testing.assert_allclose(
        gap(np.array([[0, 2.0, 0]]), dot, closest_on_segments(np.array([[0, 2.0, 0]]), dot)), 2
    )


def test_a_flat_tet_holds_no_point():
    """Its corners lie in a plane, on a line or in one place."""
    flat = np.array([[0.0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0]])
    line = np.array([[0.0, 0, 0], [1, 2, 3], [2, 4, 6], [3, 6, 9]])
    tets = np.array([flat, flat, 1e-9 * line, line, np.ones((4, 3))])
    points = np.array([[0.3, 0.3, 0], [0.3, 0.3, 1], [0.3, 0.3, 0], [1, 2, 3], [1, 1, 1]])
    weights = barycentric_in_tet(points, tets)
    assert np.isfinite(weights).all() and (weights.min(axis=1) < -0.5).all()
    np.testing.assert_allclose(weights.sum(axis=1), 1)
