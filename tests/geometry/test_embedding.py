import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import meshes
from pliant.geometry.boundary import boundary_triangles
from pliant.geometry.embedding import locate
from pliant.geometry.nearest import barycentric_in_tet, closest_on_segments, closest_on_triangles


def all_pairs(points, corners, closest):
    """Distance of each point to its nearest element, by trying all."""
    best = np.full(len(points), np.inf)
    for element in corners:
        shape = np.broadcast_to(element, (len(points), *element.shape))
        away = points - np.einsum("nk,nkj->nj", closest(points, shape), shape)
        best = np.minimum(best, np.linalg.norm(away, axis=1))
    return best


def shaken_box(rng, cells=(3, 3, 3)):
    """A box whose cells differ tenfold in size and are sheared, so that centres mislead."""
    rest, tets = meshes.box_arrays((1, 1, 1), cells)
    rest = np.sign(rest) * np.abs(rest) ** rng.uniform(0.5, 2.0, 3)
    return rest @ (np.eye(3) + np.triu(rng.uniform(-1, 1, (3, 3)), 1)).T, tets


@pytest.mark.slow
@settings(max_examples=20)
@given(st.integers(0, 100_000), st.sampled_from([0.3, 1.0, 10.0]))
def test_tets_agree_with_trying_all(seed, spread):
    rng = np.random.default_rng(seed)
    rest, tets = shaken_box(rng)
    points = rng.normal(size=(60, 3)) * spread
    at = locate(points, rest, tets)
    inside = np.zeros(len(points), dtype=bool)
    for tet in tets:
        shape = np.broadcast_to(rest[tet], (len(points), 4, 3))
        inside |= barycentric_in_tet(points, shape).min(axis=1) >= -1e-10
    expected = np.where(inside, 0.0, all_pairs(points, rest[boundary_triangles(tets)], closest_on_triangles))
    np.testing.assert_allclose(at.distances, expected, atol=1e-12)
    found = np.einsum("nk,nkj->nj", at.weights, rest[tets[at.elements]])
    np.testing.assert_allclose(np.linalg.norm(points - found, axis=1), expected, atol=1e-9)
    np.testing.assert_allclose(at.weights.sum(axis=1), 1)
    assert at.weights.min() >= -1e-9


@settings(max_examples=20)
@given(st.integers(0, 100_000))
def test_triangles_and_segments_agree_with_trying_all(seed):
    rng = np.random.default_rng(seed)
    points = rng.normal(size=(50, 3)) * 2
    flat, triangles = meshes.sheet_arrays(cells=(6, 5))
    curved = flat + 0.3 * np.sin(3 * flat[:, [2, 0, 1]])
    expected = all_pairs(points, curved[triangles], closest_on_triangles)
    np.testing.assert_allclose(locate(points, curved, triangles).distances, expected, atol=1e-12)
    knot = np.cumsum(rng.normal(size=(40, 3)) * rng.uniform(0.01, 1, (40, 1)), axis=0)
    segments = np.stack([np.arange(39), np.arange(1, 40)], axis=1).astype(np.int32)
    expected = all_pairs(points, knot[segments], closest_on_segments)
    np.testing.assert_allclose(locate(points, knot, segments).distances, expected, atol=1e-12)


def test_one_long_sliver_among_small_cells_is_found():
    rest, tets = meshes.box_arrays((1, 1, 1), (5, 5, 5))
    far = np.array([[40.0, 0.0, 0.0]])
    face = boundary_triangles(tets)
    face = face[np.argmax(rest[face].mean(axis=1)[:, 0])]
    sliver = np.array([[face[0], face[1], face[2], len(rest)]], dtype=np.int32)
    at = locate(np.array([[12.0, 0.0, 0.0]]), np.concatenate([rest, far]), np.concatenate([tets, sliver]))
    assert at.elements[0] == len(tets)


@pytest.mark.parametrize("corners", [2, 3, 4])
def test_corners_and_no_points(corners):
    rest, elements = np.eye(4, 3, -1), np.arange(corners, dtype=np.int32)[None]
    at = locate(rest[:corners], rest, elements)
    np.testing.assert_allclose(at.weights, np.eye(corners), atol=1e-12)
    assert locate(np.empty((0, 3)), rest, elements).weights.shape == (0, corners)
