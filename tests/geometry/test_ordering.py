"""The order of particles in memory."""

import numpy as np

from pliant.geometry.ordering import ordered_if_large, sweep_order


def test_it_is_a_permutation():
    points = np.random.default_rng(0).normal(size=(1000, 3))
    assert sorted(sweep_order(points)) == list(range(1000))


def test_neighbours_are_within_a_slab_of_each_other():
    """A shuffled grid 12 x 10 x 40: numbered by the sweep, no neighbour is farther than two layers of 120 away."""
    grid = np.stack(np.meshgrid(range(12), range(10), range(40), indexing="ij"), axis=-1).reshape(-1, 3) * 0.1
    grid = np.random.default_rng(1).permutation(grid)
    order = sweep_order(grid)
    place = {tuple(np.round(grid[i] * 10).astype(int)): n for n, i in enumerate(order)}
    for (x, y, z), n in place.items():
        for step in ((1, 0, 0), (0, 1, 0), (0, 0, 1)):
            other = place.get((x + step[0], y + step[1], z + step[2]), n)
            assert abs(other - n) <= 240


def test_nothing_and_one_place():
    assert sweep_order(np.zeros((0, 3))).tolist() == []
    assert sweep_order(np.ones((4, 3))).tolist() == [0, 1, 2, 3]


def test_only_large_meshes_are_renumbered_and_stay_the_same_mesh():
    rest = np.random.default_rng(0).normal(size=(6000, 3))
    chain = np.stack([np.arange(5999), np.arange(1, 6000)], axis=1).astype(np.int32)
    small = ordered_if_large(rest[:100], chain[:99])
    assert small[0] is not None and np.array_equal(small[0], rest[:100])
    moved, links = ordered_if_large(rest, chain)
    np.testing.assert_array_equal(moved[links], rest[chain])
    assert not np.array_equal(moved, rest)
