"""Kernels that are called by compiled code."""

from typing import Any

import numpy as np
import pytest

from pliant.runtime import jit
from pliant.runtime.task_list import Call, TaskList
from pliant.runtime.waiting import make_calls
from pliant.world.kernels import predict


def arguments(dtype: Any, count: int = 5) -> list[Any]:
    """What `predict` takes: rows of four, inverse masses, accelerations, gravity, the step, and whom it is for."""
    random = np.random.default_rng(3)
    x, v, y, p = (random.normal(size=4 * count).astype(dtype) for _ in range(4))
    return [x, v, y, p, np.ones(count, dtype), np.zeros(0, dtype), 0.5, -9.81, 0.25, 0.01, 0, count]


@pytest.mark.parametrize("precision", jit.PRECISIONS)
def test_a_call_does_what_its_kernel_does(precision: str) -> None:
    jit.make_ready(precision, "pliant.world.kernels.")
    plain, written = arguments(jit.PRECISIONS[precision]), arguments(jit.PRECISIONS[precision])
    answer = predict(*plain)
    call = Call(predict, written)
    make_calls(TaskList(call).written, np.zeros(1, np.int64))
    assert call.results[0] == answer
    for one, other in zip(plain[:4], written[:4], strict=True):
        np.testing.assert_array_equal(one, other)
    assert not np.array_equal(written[2], arguments(jit.PRECISIONS[precision])[2])


def test_other_arguments_may_be_written() -> None:
    jit.make_ready("single", "pliant.world.kernels.")
    first, second = arguments(np.float32), arguments(np.float32, 7)
    call = Call(predict, first)
    call.write(second)
    make_calls(TaskList(call, call).written, np.zeros(1, np.int64))
    twin = arguments(np.float32, 7)
    predict(*twin)
    np.testing.assert_array_equal(second[2], twin[2])
    np.testing.assert_array_equal(first[2], arguments(np.float32)[2])  # no longer the one that is meant


def test_what_a_call_needs_stays_alive() -> None:
    jit.make_ready("single", "pliant.world.kernels.")
    twin = arguments(np.float32)
    predict(*twin)
    task_list = TaskList(Call(predict, arguments(np.float32)))
    make_calls(task_list.written, np.zeros(1, np.int64))
    np.testing.assert_array_equal(task_list.calls[0].arguments[2], twin[2])
