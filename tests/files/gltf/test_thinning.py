"""Frames that straight lines give back are left out, and no others."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pliant.files.gltf.thinning import Key, cost, thinned


def rebuilt(keys: list[Key], frames: int) -> np.ndarray:
    """The shape of every frame, by straight lines between keys."""
    shapes: list[np.ndarray] = []
    for key in keys:
        shapes.append(shapes[-1] if key.shape is None else key.shape)
    times = [key.frame for key in keys]
    flat = np.reshape(shapes, (len(shapes), -1))
    columns = [np.interp(np.arange(frames), times, column) for column in flat.T]
    return np.stack(columns, axis=1).reshape(frames, -1, 3)


@given(seed=st.integers(0, 10**6), frames=st.integers(1, 40), roughness=st.floats(0, 1), tolerance=st.floats(0, 0.5))
def test_all_frames_are_within_the_tolerance(seed: int, frames: int, roughness: float, tolerance: float) -> None:
    random = np.random.default_rng(seed)
    smooth = np.cumsum(np.cumsum(random.normal(size=(frames, 5, 3)), axis=0), axis=0) * 0.01
    shapes = smooth + roughness * random.normal(size=smooth.shape)
    keys = list(thinned(shapes, tolerance))
    assert keys[0].frame == 0
    assert keys[-1].frame == frames - 1
    assert [key.frame for key in keys] == sorted({key.frame for key in keys})
    assert np.linalg.norm(rebuilt(keys, frames) - shapes, axis=2).max() <= tolerance * (1 + 1e-9) + 1e-12


def test_a_curve_needs_more_keys_the_closer_it_is_followed() -> None:
    time = np.linspace(0, 1, 101)
    shapes = np.stack([time, np.sin(6 * time), 0 * time], axis=1)[:, None]
    counts = [len(list(thinned(shapes, tolerance))) for tolerance in (1e-1, 1e-2, 1e-3, 1e-4)]
    assert counts == sorted(counts)
    # The error of a chord grows with the square of its length: a tenth of it takes about three times the keys.
    assert counts[2] / counts[1] == pytest.approx(np.sqrt(10), rel=0.35)


def test_a_pause_repeats_its_shape() -> None:
    places = [0, 1, 2, 3, 3, 3, 3, 2, 1, 0]
    keys = list(thinned([np.array([[x, 0.0, 0.0]]) for x in places], 1e-9))
    assert [(key.frame, key.shape is None) for key in keys] == [(0, False), (3, False), (6, True), (9, False)]


def test_cost_counts_what_moves() -> None:
    shapes = np.zeros((3, 10, 3))
    shapes[2, :4, 0] = 1
    assert cost(shapes, 1e-6, 1e-6) == 4 + 1
    assert cost(np.zeros((3, 10, 3)), 1e-6, 1e-6) == 0
