"""Weights of the examples: the exact convex ones against every face of the simplex, the paper's against its text."""

import numpy as np
import pytest

from pliant.bench.twin import clamped, nearest_convex
from pliant.maths.polar import LANES
from pliant.maths.simplex import clamped_weights, convex_weights
from pliant.runtime.jit import kernel

CLOSE = {np.float64: 1e-12, np.float32: 2e-6}  # the gap that the kernels tolerate
TOLERANCE = {np.float64: 1e-8, np.float32: 2e-4}


@kernel("x[] x[] x[] x[] x[] x[] i d")  # a kernel of its own is kept in the cache: it takes long to compile
def exact_weights(constants, z, faces, w, blend, scratch, count, close):
    convex_weights(constants, z, count, faces, w, blend, scratch, count, close, 0, 1, LANES)


@kernel("x[] x[] x[] i")
def paper_weights(inverse, z, w, count):
    clamped_weights(inverse, z, w, count)


def rows_of(values, dtype):
    """(64, ...) -> flat rows of 64 lanes."""
    return np.ascontiguousarray(values.reshape(LANES, -1).T.reshape(-1), dtype=dtype)


class Block:
    """64 sets of weights that remember their faces from one call to the next."""

    def __init__(self, bases, dtype=np.float64):
        count = bases.shape[1]
        self.count, self.dtype, self.faces = count, dtype, np.zeros((count * count + count) * LANES, dtype)
        # the kernel's constants: U, its inverse, and the strength that it does not use itself
        whole = [bases.reshape(LANES, -1), np.linalg.inv(bases).reshape(LANES, -1), np.ones((LANES, 1))]
        self.constants = rows_of(np.concatenate(whole, axis=1), dtype)

    def exact(self, z):
        k = self.count
        w, blend, scratch = (np.zeros(n * LANES, self.dtype) for n in (k, k, 2 * k + 4))
        rows = rows_of(z, self.dtype)
        exact_weights(self.constants, rows, self.faces, w, blend, scratch, k, CLOSE[self.dtype])
        return w.reshape(k, LANES).T.astype(float), blend.reshape(k, LANES).T.astype(float)

    def paper(self, z):
        k = self.count
        w = np.zeros(k * LANES, self.dtype)
        paper_weights(self.constants[k * k * LANES :], rows_of(z, self.dtype), w, k)
        return w.reshape(k, LANES).T.astype(float)


def random_bases(rng, count, condition):
    """(64, K, K) with condition numbers up to the given one."""
    left, _ = np.linalg.qr(rng.normal(size=(LANES, count, count)))
    right, _ = np.linalg.qr(rng.normal(size=(LANES, count, count)))
    values = condition ** -rng.uniform(0, 1, (LANES, count)) * rng.uniform(0.05, 20, (LANES, 1))
    return left @ (values[:, :, None] * right)


def targets(rng, bases, spread):
    """z = U w for weights in and far outside the simplex."""
    count = bases.shape[1]
    w = rng.dirichlet(np.ones(count + 1), LANES)[:, :count] + spread * rng.normal(size=(LANES, count))
    return np.einsum("nij,nj->ni", bases, w)


def squared_distance(bases, z, w):
    return ((np.einsum("nij,nj->ni", bases, w) - z) ** 2).sum(axis=1)


@pytest.mark.parametrize("dtype", CLOSE)
@pytest.mark.parametrize("condition", [3.0, 1e3], ids=["well", "badly"])
@pytest.mark.parametrize("count", [2, 3, 4, 5, 6])
def test_exact_weights_are_the_best_of_all_faces(count, condition, dtype):
    """1e3 is the worst condition that examples are allowed to have: U^T U has its square."""
    rng = np.random.default_rng(count)
    bases = random_bases(rng, count, condition).astype(dtype).astype(float)
    block = Block(bases, dtype)
    grams = np.swapaxes(bases, 1, 2) @ bases
    for spread in (0.0, 0.1, 1.0, 10.0, 0.3):  # the faces remembered are those of the call before
        z = targets(rng, bases, spread).astype(dtype).astype(float)
        w, blend = block.exact(z)
        assert w.min() > -1e-5 and w.sum(axis=1).max() < 1 + 1e-5
        np.testing.assert_allclose(blend, np.einsum("nij,nj->ni", bases, w), atol=1e-5 * np.abs(bases).max())
        expected = nearest_convex(grams, np.einsum("nji,nj->ni", bases, z))
        # as good as the best; the weights themselves are determined only as well as the basis is conditioned
        scale = (bases**2).sum(axis=(1, 2)) + (z**2).sum(axis=1)
        worse = squared_distance(bases, z, w) - squared_distance(bases, z, expected)
        assert (worse / scale).max() < 10 * CLOSE[dtype]
        if dtype is np.float64 or condition < 10:
            np.testing.assert_allclose(w, expected, atol=TOLERANCE[dtype] * (condition if dtype is np.float64 else 10))


def test_equal_examples_share_their_weight():
    """Two equal poses: what `constants.py` makes of L^T L = [[g, g], [g, g]] lifts the eigenvalue 0 to 1e-6 of 2 g."""
    lifted = np.sqrt(1e-6)
    basis = np.array([[lifted, -lifted], [1.0, 1.0]])  # rows: singular value times axis
    block = Block(np.tile(basis, (LANES, 1, 1)))
    w, _ = block.exact(np.tile([0.0, 0.6], (LANES, 1)))
    np.testing.assert_allclose(w, np.full((LANES, 2), 0.3), atol=1e-9)
    w, _ = block.exact(np.tile([0.0, 5.0], (LANES, 1)))
    np.testing.assert_allclose(w, np.full((LANES, 2), 0.5), atol=1e-9)


def test_corners_and_edges_are_hit_exactly():
    rng = np.random.default_rng(0)
    bases = random_bases(rng, 3, 10.0)
    block = Block(bases)
    for corner in (np.zeros(3), *np.eye(3)):
        w, _ = block.exact(np.einsum("nij,j->ni", bases, corner))
        np.testing.assert_allclose(w, np.tile(corner, (LANES, 1)), atol=1e-9)


@pytest.mark.parametrize("dtype", CLOSE)
@pytest.mark.parametrize("count", [2, 3, 4, 5, 6])
def test_paper_weights_are_those_of_the_text(count, dtype):
    rng = np.random.default_rng(count)
    bases = random_bases(rng, count, 3.0)
    block = Block(bases, dtype)
    for spread in (0.0, 0.3, 3.0):
        z = targets(rng, bases, spread)
        w = block.paper(z)
        assert w.min() >= 0 and w.sum(axis=1).max() < 1 + 1e-5
        expected = [clamped(row) for row in np.linalg.solve(bases, z[:, :, None])[:, :, 0]]
        np.testing.assert_allclose(w, expected, atol=TOLERANCE[dtype] * (1 + spread))


def as_printed(w, most=1000):
    """The paper's procedure to the letter: the amount is taken from all the others. None if it does not end."""
    whole = np.append(w, 1 - w.sum())
    for _ in range(most):
        worst = whole.argmin()
        if whole[worst] >= 0:
            return whole[:-1]
        others = np.arange(len(whole)) != worst
        whole[others] += whole[worst] / (len(whole) - 1)
        whole[worst] = 0
    return None


@pytest.mark.slow
def test_clamping_always_ends_and_is_the_printed_one_where_that_takes_one_round():
    rng = np.random.default_rng(1)
    endless = 0
    for _ in range(500):
        w = rng.normal(size=rng.integers(1, 7))
        kept = clamped(w)
        assert kept.min() >= 0 and kept.sum() <= 1 + 1e-12
        printed = as_printed(w)
        if printed is None:
            endless += 1
            continue
        # once a weight set to zero has been made negative again the two part; if that never happens they agree
        zeros_once = (np.append(kept, 1 - kept.sum()) <= 1e-15).sum() <= 1
        if zeros_once:
            np.testing.assert_allclose(kept, printed, atol=1e-9)
    assert endless > 50  # why the amount is shared by the weights still in play
