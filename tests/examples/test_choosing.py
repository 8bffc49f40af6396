"""Which columns are chosen as examples, against what is known of the hull that they came from."""

import numpy as np
import pytest

from pliant.examples import convex_weights
from pliant.examples.choosing import choose_columns, gaps_of

RNG = np.random.default_rng(3)


def blends_of(corners: np.ndarray, count: int) -> np.ndarray:
    """Columns (count, D) inside the hull of the corners and rest."""
    shares = RNG.dirichlet(np.ones(len(corners) + 1), count)
    return shares[:, :-1] @ corners


def test_the_corners_of_a_hull_are_found_again() -> None:
    corners = RNG.standard_normal((4, 12))
    columns = np.concatenate([blends_of(corners, 60), corners, blends_of(corners, 60)])
    choice = choose_columns(columns @ columns.T, 8, 1e-6)
    assert sorted(choice.chosen.tolist()) == [60, 61, 62, 63]
    assert choice.gaps.max() < 1e-6
    assert choice.weights.min() >= 0 and choice.weights.sum(axis=1).max() <= 1 + 1e-9
    assert choice.weights @ corners[choice.chosen - 60] == pytest.approx(columns, abs=1e-6)


def test_gaps_are_those_of_the_reference() -> None:
    columns = RNG.standard_normal((40, 9))
    gram = columns @ columns.T
    gaps, weights = gaps_of(gram, [3, 17, 30])
    few = [3, 17, 30]
    for row in range(40):
        expected = convex_weights(gram[np.ix_(few, few)], gram[row, few])
        assert weights[row] == pytest.approx(expected, abs=1e-7)
        assert gaps[row] == pytest.approx(np.linalg.norm(columns[row] - expected @ columns[few]), abs=1e-6)


def test_the_curve_never_rises_and_ends_below_the_tolerance() -> None:
    columns = blends_of(RNG.standard_normal((5, 20)), 200)
    gram = columns @ columns.T
    choice = choose_columns(gram, 32, 0.2)
    assert (np.diff(choice.curve[:, 0]) <= 1e-9).all() and (np.diff(choice.curve[:, 1]) <= 1e-9).all()
    assert choice.curve[-1, 0] <= 0.2 < choice.curve[-2, 0]
    assert choice.curve[0, 0] == pytest.approx(np.linalg.norm(columns, axis=1).max())


def test_a_choice_that_later_ones_make_up_for_is_left_out() -> None:
    """The tip of a blunt arrow is farthest and comes first; the barbs on both sides of it then hold it between them."""
    columns = np.array([[12.6, 0.0], [12.2, 3.0], [12.2, -3.0]])
    choice = choose_columns(columns @ columns.T, 3, 0.5)
    assert choice.redundant.tolist() == [0] and sorted(choice.chosen.tolist()) == [1, 2]
    assert choice.gaps == pytest.approx([0.4, 0, 0], abs=1e-6)
