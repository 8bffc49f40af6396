"""Inertias that lack an axis, or nearly."""

import numpy as np
import pytest

from pliant.maths.symmetric import pseudo_inverse, solve_turn
from pliant.runtime.jit import kernel


@kernel("d[] d[]")
def inverse_of(matrix, out):  # type: ignore[no-untyped-def]
    pseudo_inverse(matrix, out)


@kernel("d[] d[] d[]")
def turn_of(matrix, momentum, out):  # type: ignore[no-untyped-def]
    out[0], out[1], out[2] = solve_turn(matrix, momentum[0], momentum[1], momentum[2])


def inertia(bent: float) -> np.ndarray:
    """Of a rope along a slanting line, bent a little."""
    t = np.linspace(-1, 1, 9)
    x = np.outer(t, (0.6, 0.0, 0.8)) + bent * np.outer(t**2 - 0.4, (0.0, 1.0, 0.0))
    x -= x.mean(axis=0)
    q = x.T @ x
    return np.trace(q) * np.eye(3) - q


@pytest.mark.parametrize("bent", [0.0, 1e-8, 1e-5, 1e-4, 1e-2, 0.5])
def test_a_rope_turns_across_its_line_and_keeps_its_momentum(bent: float) -> None:
    matrix, out = inertia(bent), np.zeros(9)
    inverse_of(matrix.reshape(-1), out)
    across = np.array([-0.8, 0.0, 0.6])
    assert matrix @ out.reshape(3, 3) @ across == pytest.approx(across, abs=1e-10)
    values = np.linalg.eigvalsh(matrix)
    if values[0] > 1e-6 * np.trace(matrix):
        assert matrix @ out.reshape(3, 3) == pytest.approx(np.eye(3), abs=1e-15 / values[0])
    else:
        assert np.abs(out).max() < 2 / values[1]
    w, momentum = np.zeros(3), matrix @ np.array([0.3, 1.0, -2.0])
    turn_of(matrix.reshape(-1), momentum, w)
    assert matrix @ w == pytest.approx(momentum, abs=1e-13)


def test_a_point_does_not_turn() -> None:
    out, w = np.ones(9), np.ones(3)
    inverse_of(np.zeros(9), out)
    turn_of(np.zeros(9), np.ones(3), w)
    assert not out.any() and not w.any()
