"""Skins that ride on particles which turn."""

import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import meshes
from pliant.body import Skin
from pliant.geometry.turning import quaternions
from pliant.runtime.errors import BodyError

COUNT = 6


def skin(seed=0, vertices=40):
    rng = np.random.default_rng(seed)
    points = rng.normal(size=(vertices, 3))
    faces = np.stack([rng.permutation(vertices)[:3] for _ in range(30)])
    weights = rng.random((vertices, 4)) ** 2
    weights /= weights.sum(axis=1, keepdims=True)
    indices = rng.integers(COUNT, size=(vertices, 4))
    return Skin(points, faces, indices, weights, kind="oriented", pivots=rng.normal(size=(COUNT, 3)))


def turns(seed):
    return np.stack([meshes.rotation(seed * 10 + k) for k in range(COUNT)])


@given(st.integers(0, 10_000))
def test_every_vertex_is_the_blend_of_the_paper(seed):
    one, matrices = skin(seed), turns(seed)
    x = np.random.default_rng(seed).normal(size=(COUNT, 3))
    found = one.deform(x, quaternions(matrices))
    for n in range(0, 40, 7):
        wanted = sum(
            w * (matrices[k] @ (one.vertices[n] - one.pivots[k]) + x[k])
            for k, w in zip(one.indices[n], one.weights[n], strict=True)
        )
        np.testing.assert_allclose(found[n], wanted, atol=1e-12)


@given(st.integers(0, 10_000))
def test_rest_and_rigid_motions_are_exact(seed):
    one, turn = skin(seed), meshes.rotation(seed)
    still = np.tile([0.0, 0, 0, 1], (COUNT, 1))
    np.testing.assert_allclose(one.deform(one.pivots, still), one.vertices, atol=1e-13)
    same = np.tile(quaternions(turn[None]), (COUNT, 1))
    moved = one.deform(one.pivots @ turn.T + 5, same)
    np.testing.assert_allclose(moved, one.vertices @ turn.T + 5, atol=1e-12)
    np.testing.assert_allclose(one.blended_normals(same), one.normals(one.vertices) @ turn.T, atol=1e-12)


def test_quaternions_of_single_precision_and_either_sign_do():
    one, q = skin(), quaternions(turns(3))
    single = one.deform(one.pivots.astype(np.float32), q.astype(np.float32))
    assert single.dtype == np.float64
    np.testing.assert_allclose(single, one.deform(one.pivots, -q), atol=1e-5)


def test_blended_normals_are_of_length_one():
    one = skin(2)
    normals = one.blended_normals(quaternions(turns(4)))
    np.testing.assert_allclose(np.linalg.norm(normals, axis=1), 1)


def test_scaled_and_pickled():
    one, q = skin(), quaternions(turns(1))
    x = np.random.default_rng(1).normal(size=(COUNT, 3))
    np.testing.assert_allclose(one.scaled(2).deform(2 * x, q), 2 * one.deform(x, q), atol=1e-12)
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(one)).deform(x, q), one.deform(x, q))
    assert not one.pivots.flags.writeable


def test_other_skins_have_no_use_for_rotations():
    body = meshes.box()
    still = np.tile([0.0, 0, 0, 1], (len(body.rest), 1))
    np.testing.assert_array_equal(body.skin.deform(body.rest, still), body.skin.deform(body.rest))


def test_mistakes_are_named():
    one, still = skin(), np.tile([0.0, 0, 0, 1], (COUNT, 1))
    with pytest.raises(BodyError, match="give their rotations"):
        one.deform(one.pivots)
    with pytest.raises(BodyError, match=r"rotations have shape \(5, 4\); give \(6, 4\)"):
        one.deform(one.pivots, still[:5])
    with pytest.raises(BodyError, match=r"positions have shape \(5, 3\); give \(6, 3\)"):
        one.deform(one.pivots[:5], still)
    with pytest.raises(BodyError, match="give their rotations"):
        meshes.box().skin.blended_normals(still)
    given = (one.vertices, one.faces, one.indices, one.weights)
    with pytest.raises(BodyError, match="give both or neither"):
        Skin(*given, kind="oriented")
    with pytest.raises(BodyError, match="give both or neither"):
        Skin(*given, pivots=one.pivots)
    with pytest.raises(BodyError, match="indices run from 0 to 1"):
        Skin(*given, kind="oriented", pivots=one.pivots[:2])
