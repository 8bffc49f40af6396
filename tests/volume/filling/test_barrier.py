import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pliant.volume.filling.barrier import cofactors, derivatives, energy, lifted, positive

STEP = 1e-6
seeds = st.integers(0, 100_000)


def random_gradients(seed, count=6):
    """Some the right way round, some inside out."""
    return np.eye(3) + 0.6 * np.random.default_rng(seed).normal(size=(count, 3, 3))


def differences(function, gradients):
    """Central differences by each of the nine entries, in the last axis."""
    columns = []
    for entry in range(9):
        shift = np.zeros(9)
        shift[entry] = STEP
        shift = shift.reshape(3, 3)
        columns.append((function(gradients + shift) - function(gradients - shift)) / (2 * STEP))
    return np.stack(columns, axis=-1)


@given(seeds, st.sampled_from([0.1, 0.3, 1.0]))
def test_derivatives_are_those_of_the_energy(seed, eps):
    gradients = random_gradients(seed)
    first, second = derivatives(gradients, eps)
    by_difference = differences(lambda f: energy(f, eps), gradients)
    np.testing.assert_allclose(first.reshape(-1, 9), by_difference, atol=1e-5 * (1 + np.abs(first).max()))
    by_difference = differences(lambda f: derivatives(f, eps)[0].reshape(-1, 9), gradients)
    np.testing.assert_allclose(second, by_difference, atol=1e-5 * (1 + np.abs(second).max()))


@given(seeds)
def test_cofactors_are_the_derivative_of_the_determinant(seed):
    gradients = random_gradients(seed)
    np.testing.assert_allclose(cofactors(gradients).reshape(-1, 9), differences(np.linalg.det, gradients), atol=1e-7)


@given(seeds)
def test_turning_changes_nothing(seed):
    gradients = random_gradients(seed)
    turn = np.linalg.qr(np.random.default_rng(seed).normal(size=(3, 3)))[0]
    turn *= np.sign(np.linalg.det(turn))
    for turned in (turn @ gradients, gradients @ turn):
        np.testing.assert_allclose(energy(turned, 0.2), energy(gradients, 0.2), rtol=1e-9)


def test_rest_is_the_minimum_of_the_barrier():
    first, second = derivatives(np.eye(3)[None], 1e-10)
    np.testing.assert_allclose(first, 0, atol=1e-9)
    values = np.linalg.eigvalsh(second[0])
    np.testing.assert_allclose(values[:3], 0, atol=1e-9)  # turning costs nothing
    assert values[3] > 0.1


def test_lifted_follows_positive_determinants_and_never_vanishes():
    det = np.array([2.0, 1.0, 0.0, -1.0, -1e6])
    assert lifted(det, 1e-10)[:2] == pytest.approx(det[:2])
    chi = lifted(det, 1e-3)
    assert (chi > 0).all() and (np.diff(chi) < 0).all()
    assert chi[-1] == pytest.approx(1e-6 / 4e6, rel=1e-9)  # eps^2 / 4 |J|, free of cancellation


@given(seeds)
def test_projected_curvature_is_positive_and_keeps_what_was_so(seed):
    _, second = derivatives(random_gradients(seed), 0.3)
    projected = positive(second)
    assert np.linalg.eigvalsh(projected).min() > 0
    values, vectors = np.linalg.eigh(second)
    kept = np.einsum("tik,tij,tjk->tk", vectors, projected, vectors)
    np.testing.assert_allclose(kept[values > 1e-3], values[values > 1e-3], rtol=1e-6)
