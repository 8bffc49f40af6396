"""Every row of a table over time has keys of its own, and straight lines between them give it back."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pliant.files.gltf.keying import Keys, keyed
from pliant.files.gltf.thinning import thinned


def rebuilt(keys: Keys, frames: int) -> np.ndarray:
    return np.stack([np.interp(np.arange(frames), keys.frames, column) for column in keys.values.T], axis=1)


@given(seed=st.integers(0, 10**6), frames=st.integers(1, 40), roughness=st.floats(0, 1), rows=st.integers(1, 6))
def test_all_frames_are_within_reach(seed: int, frames: int, roughness: float, rows: int) -> None:
    random = np.random.default_rng(seed)
    smooth = np.cumsum(np.cumsum(random.normal(size=(frames, rows, 4)), axis=0), axis=0) * 0.01
    tables = smooth + roughness * random.normal(size=smooth.shape)
    reach = random.uniform(0, 0.5, rows)
    found = keyed(tables, reach)
    assert len(found) == rows
    for row, keys in enumerate(found):
        assert keys.frames[0] == 0
        assert keys.frames[-1] == frames - 1
        assert (np.diff(keys.frames) > 0).all()
        off = np.abs(rebuilt(keys, frames) - tables[:, row]).max()
        assert off <= reach[row] + 1e-6 * (1 + np.abs(tables).max())


def test_it_keeps_what_thinning_row_by_row_keeps() -> None:
    random = np.random.default_rng(1)
    tables = np.cumsum(np.cumsum(random.normal(size=(60, 5, 3)), axis=0), axis=0) * 0.01
    tables[20:40, 2] = tables[20, 2]
    found = keyed(tables, np.full(5, 0.02 / np.sqrt(3)))
    for row, keys in enumerate(found):
        alone = list(thinned(tables[:, row : row + 1], 0.02))
        assert keys.frames.tolist() == [key.frame for key in alone]
    assert len({len(keys.frames) for keys in found}) > 1


def test_a_pause_repeats_its_value() -> None:
    (keys,) = keyed([np.array([[x]]) for x in (0.0, 1, 2, 3, 3.01, 3, 3.01, 2, 1, 0)], np.array([0.02]))
    assert keys.frames.tolist() == [0, 3, 6, 9]
    assert keys.values[1] == keys.values[2]


def test_what_stands_still_says_so() -> None:
    moved, still = keyed([np.array([[time], [2.0]]) for time in (0.0, 1.0, 2.0)], np.zeros(2))
    assert (moved.is_still, still.is_still) == (False, True)
    assert still.frames.tolist() == [0, 2]


@pytest.mark.parametrize("frames", [0, 1])
def test_short_motions(frames: int) -> None:
    found = keyed([np.ones((2, 3))] * frames, np.zeros(2))
    assert [keys.frames.tolist() for keys in found] == [[0]] * (2 * frames)
