"""Rows of numbers that are added and multiplied at once, against NumPy."""

import numpy as np
import pytest

from pliant.runtime.jit import part
from pliant.runtime.vectors import (
    fill4,
    fill8,
    half4,
    load4,
    load8,
    pair8,
    spread4,
    spread8,
    store,
    transpose8,
    unit4,
    unit8,
)

U = np.uint64


@part
def eights(a, out):
    """From an odd place, so that no row begins where a register would like it to."""
    v = load4(a, U(1))
    w = load8(a, U(7))
    store(out, U(0), fill8(a[2]) + spread8(v, 3) * w)
    store(out, U(8), pair8(v, 1) - w)
    store(out, U(16), unit8(a[3], 5) * w)


@part
def fours(a, out):
    v = load4(a, U(1))
    w = load8(a, U(7))
    store(out, U(0), spread4(v, 2) * half4(w, 1) + fill4(a[0]))
    store(out, U(4), half4(w, 0) - unit4(a[5], 3))


@part
def turned(a, first, step, out, to, stride):
    transpose8(a, first, step, out, to, stride)


@pytest.fixture(params=[np.float32, np.float64])
def numbers(request):
    return np.random.default_rng(3).normal(size=900).astype(request.param)


def test_eights(numbers):
    out = np.zeros(24, numbers.dtype)
    eights(numbers, out)
    v, w = numbers[1:5], numbers[7:15]
    unit = np.zeros(8)
    unit[5] = numbers[3]
    expected = [numbers[2] + v[3] * w, np.repeat(v[1:3], 4) - w, unit * w]
    np.testing.assert_allclose(out, np.concatenate(expected), rtol=1e-6)


def test_fours(numbers):
    out = np.zeros(8, numbers.dtype)
    fours(numbers, out)
    v, w = numbers[1:5], numbers[7:15]
    expected = [v[2] * w[4:] + numbers[0], w[:4] - [0, 0, 0, numbers[5]]]
    np.testing.assert_allclose(out, np.concatenate(expected), rtol=1e-6)


def test_rows_become_columns_and_nothing_else_changes(numbers):
    out = np.full(900, 7, numbers.dtype)
    turned(numbers, U(5), U(64), out, U(3), U(24))
    rows = np.stack([numbers[5 + 64 * i : 13 + 64 * i] for i in range(8)])
    expected = np.full(900, 7, numbers.dtype)
    for i in range(8):
        expected[3 + 24 * i : 11 + 24 * i] = rows[:, i]
    np.testing.assert_array_equal(out, expected)
