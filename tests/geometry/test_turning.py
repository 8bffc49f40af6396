import numpy as np
from hypothesis import given
from hypothesis import strategies as st

import meshes
from pliant.geometry.normals import unit
from pliant.geometry.regions import smallest_rotation
from pliant.geometry.turning import turned


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
