"""Weights on several simplices: checked by the conditions that hold at the minimum and nowhere else."""

import numpy as np
import pytest

from pliant.maths.blends import blend_weights


def minimum(matrix, f, group, caps, start):
    w = start.copy()
    assert blend_weights(matrix.reshape(-1).copy(), f, group, caps, w) > 0
    return w


@pytest.mark.parametrize("seed", range(40))
def test_no_allowed_direction_goes_down_from_the_minimum(seed):
    random = np.random.default_rng(seed)
    count, groups = int(random.integers(1, 9)), int(random.integers(1, 4))
    group = random.integers(0, groups, count)
    caps = random.uniform(0.3, 1.0, groups)
    root = random.normal(size=(max(1, count - seed % 3), count))  # singular in two of three
    matrix, f = root.T @ root, 2 * random.normal(size=count)
    start = random.dirichlet(np.ones(count + 1))[:count] * 0.3 * (random.uniform(size=count) < 0.7)
    w = minimum(matrix, f, group, caps, start)

    sums = np.bincount(group, w, minlength=groups)
    assert w.min() >= 0 and (sums <= caps + 1e-12).all()
    slopes = matrix @ w - f
    small = 1e-6 * (1 + np.abs(f).max())
    for s in range(groups):
        mine = group == s
        inside = mine & (w > 1e-7)
        # what a weight gives way to: another weight of its group, or rest while there is room
        level = 0.0 if sums[s] < caps[s] - 1e-7 else (slopes[inside].max() if inside.any() else 0.0)
        assert (slopes[mine] >= level - small).all()
        assert (slopes[inside] <= level + small).all()
        assert level <= small


@pytest.mark.slow
def test_a_single_simplex_agrees_with_the_walk_from_scratch():
    from pliant.maths.convex import convex_room, nearest_blend

    random = np.random.default_rng(3)
    for _ in range(50):
        root = random.normal(size=(9, 4))
        matrix, f = root.T @ root, 4 * random.normal(size=4)
        theirs = np.zeros(4)
        nearest_blend(matrix.reshape(-1).copy(), f, theirs, 4, np.zeros(convex_room(4)))
        ours = minimum(matrix, f, np.zeros(4, np.int64), np.ones(1), np.zeros(4))
        assert np.allclose(ours, theirs, atol=1e-6)


def test_it_stays_where_the_minimum_is_not_unique():
    ones = np.ones((2, 2))
    w = minimum(ones, np.array([0.5, 0.5]), np.zeros(2, np.int64), np.ones(1), np.array([0.1, 0.4]))
    assert np.allclose(w, [0.1, 0.4], atol=1e-6)
