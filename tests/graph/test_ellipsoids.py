import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import meshes
from pliant import shapes
from pliant.graph import Ellipsoids, graph_of
from pliant.graph.drawing import drawn_ellipsoids
from pliant.runtime.errors import BodyError


@given(st.integers(0, 100_000))
def test_the_covariance_of_an_ellipsoid_gives_it_back(seed):
    rng = np.random.default_rng(seed)
    radii = np.sort(rng.uniform(0.2, 2, size=(5, 3)), axis=1)[:, ::-1]
    axes = np.stack([meshes.rotation(seed + k) for k in range(5)])
    covariances = (axes * radii[:, None, :] ** 2 / 5) @ np.swapaxes(axes, 1, 2)
    volumes = 4 / 3 * np.pi * radii.prod(axis=1)
    found = Ellipsoids.of_covariances(covariances, volumes)
    np.testing.assert_allclose(found.radii, radii, rtol=1e-6)
    np.testing.assert_allclose(found.volumes, volumes, rtol=1e-12)
    np.testing.assert_allclose(np.linalg.det(found.axes), 1)
    shape = (found.axes * found.radii[:, None, :] ** 2 / 5) @ np.swapaxes(found.axes, 1, 2)
    np.testing.assert_allclose(shape, covariances, atol=1e-9)
    np.testing.assert_allclose(found.moments, volumes[:, None, None] * covariances, atol=1e-9)


def test_the_shares_of_bricks_are_bricks():
    graph = graph_of(shapes.cuboid((1, 1, 2), (4, 4, 8)), 16)
    covariances = graph.shares.covariances
    np.testing.assert_allclose(covariances, np.tile(np.eye(3) * 0.5**2 / 12, (16, 1, 1)), atol=2e-3)
    np.testing.assert_allclose(graph.ellipsoids.volumes, 0.125, rtol=0.02)


def test_one_share_is_the_whole_body():
    ball = graph_of(shapes.ball(radius=0.5), 1)
    np.testing.assert_allclose(ball.ellipsoids.radii, 0.5, rtol=0.05)
    assert len(ball.edges) == 0
    sheet = graph_of(shapes.sheet(thickness=0.1), 1)
    np.testing.assert_allclose(np.sort(np.linalg.eigvalsh(sheet.shares.covariances[0])), [0.1**2 / 12, 1 / 12, 1 / 12])
    rope = graph_of(shapes.rope(length=2, radius=0.1), 1)
    across, length = 0.2**2 / 16, 4 / 12
    np.testing.assert_allclose(np.sort(np.linalg.eigvalsh(rope.shares.covariances[0])), [across, across, length])
    np.testing.assert_allclose(np.abs(rope.ellipsoids.axes[0, :, 0]), [1, 0, 0], atol=1e-9)


def test_drawn_ellipsoids_are_closed_and_of_their_volume():
    ellipsoids = Ellipsoids([np.eye(3), meshes.rotation(3)], [[1.0, 0.5, 0.2], [0.3, 0.2, 0.1]])
    skin = drawn_ellipsoids(np.array([[0.0, 0, 0], [3, 0, 0]]), ellipsoids)
    corners = skin.vertices[skin.faces]
    volume = np.einsum("fi,fi->f", np.cross(corners[:, 0], corners[:, 1]), corners[:, 2]).sum() / 6
    assert 0.9 * ellipsoids.volumes.sum() < volume < ellipsoids.volumes.sum()
    edges = np.concatenate([skin.faces[:, [0, 1]], skin.faces[:, [1, 2]], skin.faces[:, [2, 0]]])
    assert {tuple(e) for e in edges.tolist()} == {tuple(e) for e in edges[:, ::-1].tolist()}


def test_pickled_scaled_and_read_only():
    one = Ellipsoids([np.eye(3)], [[0.3, 0.2, 0.1]])
    again = pickle.loads(pickle.dumps(one))
    np.testing.assert_array_equal(again.radii, one.radii)
    np.testing.assert_allclose(one.scaled(2).volumes, 8 * one.volumes)
    with pytest.raises(ValueError, match="read-only"):
        again.axes[0] = 0


@pytest.mark.parametrize(
    ("axes", "radii", "says"),
    [
        ([np.eye(3)], [[1, 1, 0]], "radii of number 0"),
        ([np.eye(3)], [[1, 1, 1], [1, 1, 1]], "axes have shape"),
        ([np.diag([1, 1, -1])], [[1, 1, 1]], "no rotation"),
        ([np.eye(3) * 2], [[1, 1, 1]], "no rotation"),
        ([np.full((3, 3), np.nan)], [[1, 1, 1]], "no rotation"),
    ],
)
def test_bad_ellipsoids_are_named(axes, radii, says):
    with pytest.raises(BodyError, match=says):
        Ellipsoids(axes, radii)
