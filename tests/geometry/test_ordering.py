import numpy as np
import pytest

from pliant.geometry.ordering import ordered_if_large, space_filling_order


def test_every_point_once() -> None:
    points = np.random.default_rng(1).normal(size=(1000, 3))
    assert sorted(space_filling_order(points)) == list(range(1000))


@pytest.mark.parametrize("side", [2, 4, 8, 16])
def test_consecutive_points_of_a_cubic_grid_are_neighbours(side: int) -> None:
    grid = np.stack(np.meshgrid(*[np.arange(side, dtype=float)] * 3, indexing="ij"), axis=-1).reshape(-1, 3)
    path = grid[space_filling_order(grid)]
    np.testing.assert_array_equal(np.linalg.norm(np.diff(path, axis=0), axis=1), 1.0)


def test_degenerate_input_keeps_its_order() -> None:
    assert space_filling_order(np.zeros((0, 3))).tolist() == []
    assert space_filling_order(np.ones((4, 3))).tolist() == [0, 1, 2, 3]


def test_only_large_meshes_are_renumbered() -> None:
    rest = np.random.default_rng(2).normal(size=(6000, 3))
    chain = np.stack([np.arange(5999), np.arange(1, 6000)], axis=1).astype(np.int32)
    small = ordered_if_large(rest[:100], chain[:99])
    np.testing.assert_array_equal(small[0], rest[:100])
    moved, links = ordered_if_large(rest, chain)
    assert not np.array_equal(moved, rest)
    np.testing.assert_array_equal(moved[links], rest[chain])
