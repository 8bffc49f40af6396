import numpy as np
import pytest

from pliant.geometry.selection import select
from pliant.runtime.errors import BodyError

REST = np.arange(12.0).reshape(4, 3)


@pytest.mark.parametrize(
    "selection",
    [
        [1, 3],
        np.array([3, 1, 1]),
        (False, True, False, True),
        lambda x: np.isin(x[:, 0], (3, 9)),
        lambda x: [3, 1],
    ],
)
def test_all_ways_of_selecting_agree(selection):
    assert select(selection, REST).tolist() == [1, 3]
    assert select(selection, REST).dtype == np.int32


def test_one_number_selects_one_particle():
    assert select(2, REST).tolist() == [2]


@pytest.mark.parametrize(
    ("selection", "says"),
    [
        ([], "holds no particle"),
        ([4], "holds particle 4; there are 4"),
        ([-1], "holds particle -1"),
        ([0.5], "whole-number"),
        ([True, False], "mask of 2 values"),
        ([[0, 1]], "shape"),
        (lambda x: x[:, 0] > 100, "holds no particle; widen"),
    ],
)
def test_bad_selections_are_named(selection, says):
    with pytest.raises(BodyError, match=says) as error:
        select(selection, REST, 'group "left"')
    assert str(error.value).startswith('group "left"')
