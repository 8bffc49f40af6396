import numpy as np
from hypothesis import given
from hypothesis import strategies as st

import meshes
from pliant.geometry.normals import unit
from pliant.geometry.regions import smallest_rotation
from pliant.geometry.turning import quaternions, rotation_matrices, turned


@given(st.integers(0, 100_000))
def test_turning_is_the_smallest_rotation(seed):
    rng = np.random.default_rng(seed)
    start, end = unit(rng.normal(size=(8, 3))), unit(rng.normal(size=(8, 3)))
    vectors = rng.normal(size=(8, 3))
    np.testing.assert_allclose(turned(start, start, end), end, atol=1e-9)
    np.testing.assert_allclose(
        np.linalg.norm(turned(vectors, start, end), axis=1), np.linalg.norm(vectors, axis=1)
    )
    for a, b, v, moved in zip(start, end, vectors, turned(vectors, start, end), strict=True):
        matrix = smallest_rotation(a, b)
        np.testing.assert_allclose(matrix @ v, moved, atol=1e-9)
        assert abs(np.trace(matrix) - 1 - 2 * a @ b) < 1e-9


def test_half_a_turn():
    axis = meshes.rotation(4)[:1]
    across = meshes.rotation(4)[1:2]
    np.testing.assert_allclose(turned(axis, axis, -axis), -axis)
    np.testing.assert_allclose(turned(across, axis, -axis), across)
    matrix = smallest_rotation(axis[0], -axis[0])
    np.testing.assert_allclose(matrix @ axis[0], -axis[0], atol=1e-12)
    np.testing.assert_allclose(np.linalg.det(matrix), 1)


@given(st.integers(0, 100_000))
def test_quaternions_and_matrices_are_the_same_rotations(seed):
    matrices = np.stack([meshes.rotation(seed + k) for k in range(4)])
    q = quaternions(matrices)
    np.testing.assert_allclose(np.linalg.norm(q, axis=1), 1)
    assert (q[:, 3] >= 0).all()
    np.testing.assert_allclose(rotation_matrices(q), matrices, atol=1e-12)
    np.testing.assert_allclose(rotation_matrices(-3 * q), matrices, atol=1e-12)


def test_half_turns_have_quaternions():
    for axis in range(3):
        matrix = -np.eye(3)
        matrix[axis, axis] = 1
        np.testing.assert_allclose(np.abs(quaternions(matrix[None])[0]), np.eye(4)[axis], atol=1e-12)
