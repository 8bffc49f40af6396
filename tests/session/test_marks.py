"""Where handles pulled, frame by frame."""

from pathlib import Path

import numpy as np
import pytest

import pliant
from pliant.session.marks import Marks
from pliant.world import Frame

ONE = (np.array([0.1, 1 / 3, 0.0]), np.array([1.0, 2.0, 3.0]))


def frame(number: int, fps: float) -> Frame:
    return Frame(number / fps, {})


def test_they_come_back_bit_by_bit(tmp_path: Path) -> None:
    marks = Marks(tmp_path)
    marks.begin()
    for grips in ([], [ONE], [ONE, ONE]):
        marks.append(grips)
    marks.close()
    at = marks.grips(29.97)
    assert at(frame(0, 29.97)) == []
    ((held, target),) = at(frame(1, 29.97))
    np.testing.assert_array_equal(held, ONE[0])
    np.testing.assert_array_equal(target, ONE[1])
    assert len(at(frame(2, 29.97))) == 2


def test_what_comes_after_the_checkpoint_is_cut_off(tmp_path: Path) -> None:
    marks = Marks(tmp_path)
    marks.begin()
    for grips in ([ONE], [], [ONE]):
        marks.append(grips)
    marks.close()
    with open(marks.path, "a") as file:
        file.write("[[[0.1, 0")  # torn
    marks.go_on(2)
    marks.append([ONE, ONE])
    marks.close()
    assert [len(marks.grips(1.0)(frame(number, 1.0))) for number in range(3)] == [1, 0, 2]
    with pytest.raises(pliant.FileError, match="2 frames are missing"):
        marks.go_on(5)
