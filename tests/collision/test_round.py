"""Balls and ellipsoids: the gap along the best direction."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pliant.collision.narrow_phase.round import FIRST_ROUNDS, gap_of_round

SEEDS = st.integers(0, 10_000)


def hull(radii: np.ndarray, turn: np.ndarray) -> np.ndarray:
    h = turn @ np.diag(radii**2) @ turn.T
    return h[[0, 1, 2, 0, 0, 1], [0, 1, 2, 1, 2, 2]]


def separation(matrices: list[np.ndarray], d: np.ndarray, n: np.ndarray) -> np.ndarray:
    return n @ d - sum(np.sqrt(np.einsum("ki,ij,kj->k", n, m, n)) for m in matrices)


@given(SEEDS)
@settings(max_examples=60, deadline=None)
def test_the_gap_of_two_ellipsoids_is_that_of_the_best_direction(seed: int) -> None:
    """Against a search over directions; those that are not much longer than wide, as particles are."""
    rng = np.random.default_rng(seed)
    hulls, matrices = [], []
    for _ in range(2):
        turn, _ = np.linalg.qr(rng.normal(size=(3, 3)))
        radii = rng.uniform(0.5, 1.0, 3)
        hulls.append(hull(radii, turn))
        matrices.append(turn @ np.diag(radii**2) @ turn.T)
    d = rng.normal(size=3)
    d *= rng.uniform(1.2, 3.0) / np.linalg.norm(d)
    gap, *n = gap_of_round(np.concatenate(hulls), 0, -1.0, 1, -1.0, *d, *(d / np.linalg.norm(d)), FIRST_ROUNDS, np.inf)
    directions = rng.normal(size=(20_000, 3))
    directions /= np.linalg.norm(directions, axis=1, keepdims=True)
    best = separation(matrices, d, directions).max()
    assert np.linalg.norm(n) == pytest.approx(1.0)
    assert best - 0.02 < gap < best + 0.01


def test_two_balls() -> None:
    gap, *n = gap_of_round(np.zeros(0), 0, 0.5, 1, 0.25, 0.0, 2.0, 0.0, 1.0, 0.0, 0.0, FIRST_ROUNDS, np.inf)
    assert gap == pytest.approx(1.25) and n == [0.0, 1.0, 0.0]
