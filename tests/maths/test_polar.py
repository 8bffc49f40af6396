"""The rotation nearest to a matrix: `best_rotation` and Newton's method in lanes against singular values."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from pliant.maths.polar import LANES, best_rotation, rotate_block
from pliant.models.shape_matching.solve import PRECISION
from pliant.runtime.jit import kernel

PRECISIONS = {np.float64: 1e-9, np.float32: 3e-5}  # how far an entry of a rotation may be off
IDENTITY = np.array([0.0, 0, 0, 1])


@kernel("x[] x[] x[] x[] d b")  # kernels of their own are kept in the cache
def rotate(a, missing, q, flag, tolerance, thin):
    rotate_block(a, missing, q, flag, tolerance, thin)


@kernel("d[] d[] d[]")
def rotate_one(a, start, out):
    best_rotation(a, start, out)


def by_svd(matrices):
    u, s, vt = np.linalg.svd(matrices)
    sign = np.sign(np.linalg.det(u) * np.linalg.det(vt))
    u[:, :, 2] *= sign[:, None]
    return u @ vt, s * np.stack([np.ones_like(sign), np.ones_like(sign), sign], axis=1)


def matrix_of(quaternions):
    return Rotation.from_quat(quaternions).as_matrix()


def best(matrix, start=IDENTITY):
    out = np.empty(4)
    rotate_one(np.ascontiguousarray(matrix, dtype=float).reshape(9), np.asarray(start, dtype=float), out)
    return out


def in_lanes(matrices, starts, missing=None, dtype=np.float64):
    """(64, 3, 3) and (64, 4) -> quaternions (64, 4)."""
    a = np.ascontiguousarray(matrices.reshape(LANES, 9).T.reshape(-1), dtype=dtype)
    q = np.ascontiguousarray(starts.T.reshape(-1), dtype=dtype)
    p = np.zeros((LANES, 3, 3)) if missing is None else missing
    rows = np.stack([p[:, i, j] for i, j in ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))])
    flag = np.zeros(LANES, dtype)
    thin = missing is not None
    rotate(a, np.ascontiguousarray(rows.reshape(-1), dtype=dtype), q, flag, PRECISION[a.itemsize], thin)
    return q.reshape(4, LANES).T.astype(float)


def rotations(seed, count=LANES):
    return Rotation.random(count, random_state=seed).as_quat()


def stretched(seed, values):
    """Random matrices with these singular values (a negative one mirrors)."""
    left, right = (matrix_of(rotations(seed + k)) for k in (1000, 2000))
    return np.einsum("nij,nj,nkj->nik", left, np.broadcast_to(values, (LANES, 3)), right)


def family(name, seed):
    rng = np.random.default_rng(seed)
    if name == "random":
        return rng.normal(size=(LANES, 3, 3))  # half of them are inverted
    if name == "near rotations":
        return matrix_of(rotations(seed)) @ (np.eye(3) + 0.1 * rng.normal(size=(LANES, 3, 3)))
    if name == "flat":
        return stretched(seed, [1.5, 0.7, 0.0])
    if name == "inverted":
        return stretched(seed, [1.2, 1.0, -0.5])
    if name == "crushed":
        return 1e-6 * stretched(seed, [1.0, 0.8, 0.6])
    return stretched(seed, np.stack([np.ones(LANES), rng.uniform(0.01, 1, LANES), np.full(LANES, 0.01)], axis=1))


FAMILIES = ("random", "near rotations", "flat", "inverted", "crushed", "needles")


@pytest.mark.parametrize("name", FAMILIES)
def test_best_rotation_is_that_of_the_singular_values(name):
    for seed in range(4):
        matrices = family(name, seed)
        expected, values = by_svd(matrices)
        clear = values[:, 1] + values[:, 2] > 1e-6 * values[:, 0]  # else two rotations are as good as each other
        for matrix, want in zip(matrices[clear], expected[clear], strict=True):
            np.testing.assert_allclose(matrix_of(best(matrix)), want, atol=1e-8)


@pytest.mark.parametrize("dtype", PRECISIONS)
@pytest.mark.parametrize("start", ["near", "far"])
@pytest.mark.parametrize("name", FAMILIES)
def test_lanes_find_the_rotation_of_the_singular_values(name, start, dtype):
    """From a warm start a little off, and from anywhere: the wrong way round, inverted, at a saddle."""
    for seed in range(4):
        matrices = family(name, seed).astype(dtype).astype(float)
        expected, values = by_svd(matrices)
        near = Rotation.from_matrix(expected) * Rotation.from_rotvec(
            0.05 * np.random.default_rng(seed).normal(size=(LANES, 3))
        )
        found = matrix_of(in_lanes(matrices, near.as_quat() if start == "near" else rotations(seed + 7), dtype=dtype))
        # how well a rotation is determined is the sum of the two smallest stretches over the largest
        sharpness = (values[:, 1] + values[:, 2]) / values[:, 0]
        clear = sharpness > 1e-2
        error = np.abs(found - expected).max(axis=(1, 2))
        assert clear.sum() > 20
        assert (error * sharpness)[clear].max() < PRECISIONS[dtype]


@pytest.mark.parametrize("dtype", PRECISIONS)
def test_half_turns_from_a_start_at_the_saddle(dtype):
    """R turned by exactly 180 degrees: the moment is symmetric, and Newton sees no reason to turn."""
    axes = np.random.default_rng(1).normal(size=(LANES, 3))
    axes[:3] = np.eye(3)
    axes /= np.linalg.norm(axes, axis=1)[:, None]
    matrices = 2 * axes[:, :, None] * axes[:, None, :] - np.eye(3)
    found = matrix_of(in_lanes(matrices, np.tile(IDENTITY, (LANES, 1)), dtype=dtype))
    np.testing.assert_allclose(found, matrices, atol=PRECISIONS[dtype])
    for matrix in matrices:
        np.testing.assert_allclose(matrix_of(best(matrix)), matrix, atol=1e-8)


@pytest.mark.parametrize("dtype", PRECISIONS)
def test_flat_regions_need_no_third_axis(dtype):
    """A sheet's ring: the matrix has no column along the normal. The third axis follows; also when mirrored in its
    plane, which for a sheet is only turned over."""
    right = matrix_of(rotations(5))
    normals = right[:, :, 2]
    values = np.stack([np.full(LANES, 1.3), np.where(np.arange(LANES) % 2, 0.8, -0.8), np.zeros(LANES)], axis=1)
    matrices = np.einsum("nij,nj,nkj->nik", matrix_of(rotations(6)), values, right)
    expected, _ = by_svd(matrices)
    missing = normals[:, :, None] * normals[:, None, :]
    found = matrix_of(in_lanes(matrices, rotations(8), missing, dtype))
    np.testing.assert_allclose(found, expected, atol=PRECISIONS[dtype])


@pytest.mark.parametrize("dtype", PRECISIONS)
def test_straight_regions_keep_their_spin(dtype):
    """A rope's ring: only one column. The line is followed, and nothing spins about it, however often we ask."""
    lines = matrix_of(rotations(11))[:, :, 0]
    turn = Rotation.from_rotvec(0.2 * np.random.default_rng(3).normal(size=(LANES, 3)))
    targets = turn.apply(lines)
    matrices = 1.4 * targets[:, :, None] * lines[:, None, :]
    missing = np.eye(3) - lines[:, :, None] * lines[:, None, :]
    once = in_lanes(matrices, np.tile(IDENTITY, (LANES, 1)), missing, dtype)
    tolerance = PRECISIONS[dtype]
    np.testing.assert_allclose(np.einsum("nij,nj->ni", matrix_of(once), lines), targets, atol=tolerance)
    assert Rotation.from_quat(once).magnitude().max() < 1.2 * turn.magnitude().max()
    again = once
    for _ in range(20):
        again = in_lanes(matrices, again, missing, dtype)
    # rounding (1e-7, 1e-16) over the trace of stiffness about the line (2.5e-4, 1e-12), twenty times
    np.testing.assert_allclose(matrix_of(again), matrix_of(once), atol=5e-3)


def test_where_many_are_best_the_nearest_to_the_start_is_taken():
    start = rotations(3, 1)[0]
    np.testing.assert_allclose(np.abs(best(np.zeros((3, 3)), start) @ start), 1)  # a point: keep what there was
    line = np.outer([0.0, 0, 2], [1.0, 0, 0])  # x goes to z, the spin is free
    found = best(line, start)
    np.testing.assert_allclose(matrix_of(found) @ [1, 0, 0], [0, 0, 1], atol=1e-9)
    angle = (Rotation.from_quat(found).inv() * Rotation.from_quat(start)).magnitude()
    others = [Rotation.from_rotvec([0, 0, turn]) * Rotation.from_quat(found) for turn in np.linspace(0, 2 * np.pi, 50)]
    assert all(angle <= (other.inv() * Rotation.from_quat(start)).magnitude() + 1e-9 for other in others)


@pytest.mark.parametrize("dtype", PRECISIONS)
def test_nothing_at_all_keeps_the_start(dtype):
    starts = rotations(4)
    found = in_lanes(np.zeros((LANES, 3, 3)), starts, dtype=dtype)
    np.testing.assert_allclose(np.abs(np.einsum("ni,ni->n", found, starts)), 1, atol=1e-6)
    found = in_lanes(1e-30 * matrix_of(rotations(5)), starts, dtype=dtype)
    assert np.isfinite(found).all()
    np.testing.assert_allclose(np.linalg.norm(found, axis=1), 1, atol=1e-5)
