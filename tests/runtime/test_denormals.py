"""Kernels flush denormal numbers to zero, on every thread, and nothing else does."""

import ctypes
import os
import platform
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from llvmlite import binding, ir

from pliant.runtime.instructions import flushing_denormals
from pliant.runtime.jit import kernel
from pliant.runtime.task_list import Call, TaskList
from pliant.runtime.thread_pool import ThreadPool
from pliant.runtime.waiting import make_calls

MACHINE = platform.machine().lower()
UPWARD = {"x86_64": 0x800, "aarch64": 0x400000, "arm64": 0x400000}  # FE_UPWARD of <fenv.h>
pytestmark = pytest.mark.skipif(
    MACHINE not in ("x86_64", "amd64", "aarch64", "arm64"), reason="denormal numbers are left alone on this processor"
)
COUNT = 1003  # whole vectors, and a remainder
# what is multiplied, and by what: a denormal result of normal numbers, and a normal result of a denormal one
RESULT = {np.float32: (1e-30, 1e-10), np.float64: (1e-300, 1e-10)}
OPERAND = {np.float32: (1e-40, 1e20), np.float64: (1e-310, 1e20)}


@kernel("x[] d i i")
def scale(values, factor, first, last):
    """Does not go on after a number that is negative, and raises at infinity."""
    by = values.dtype.type(factor)
    for k in range(first, last):
        if values[k] < 0:
            return k
        if np.isinf(values[k]):
            raise ValueError("infinity")
        values[k] *= by
    return last


@kernel("x[] d")
def scale_all(values, factor):
    """In a loop that is vectorised."""
    by = values.dtype.type(factor)
    for k in range(len(values)):
        values[k] *= by


@kernel("x[] x[] d")
def scale_two(one, other, factor):
    """One by another kernel, then one by itself."""
    scale(one, factor, 0, len(one))
    by = other.dtype.type(factor)
    for k in range(len(other)):
        other[k] *= by


def ieee() -> bool:
    """Whether this thread, outside of kernels, computes with denormal numbers: NumPy one by one and by vectors, and
    Python."""
    single, double = np.float32(1e-30), float("1e-300")
    rows = np.full(COUNT, 1e-40, np.float32) * np.float32(1e20)
    return bool(single * np.float32(1e-10) > 0) and double * 1e-10 > 0 and bool((rows > 0).all())


def numbers(kind: Any, table: dict[Any, tuple[float, float]] = RESULT) -> tuple[Any, float]:
    value, factor = table[kind]
    return np.full(COUNT, value, kind), factor


def test_python_computes_with_denormal_numbers() -> None:
    assert ieee()


@pytest.mark.parametrize("kind", RESULT)
@pytest.mark.parametrize("table", [RESULT, OPERAND])
def test_a_kernel_flushes_results_and_operands(kind: Any, table: dict[Any, tuple[float, float]]) -> None:
    values, factor = numbers(kind, table)
    assert (values * kind(factor) > 0).all()
    scale_all(values, factor)
    assert not values.any()
    assert ieee()


def test_normal_numbers_are_kept() -> None:
    values = np.array([1.25e-38, -1.25e-38, 1e-30, 3.0], np.float32)
    expected = values * np.float32(0.9375)
    expected[:2] = 0  # 1.17e-38 is denormal
    scale_all(values, 0.9375)
    np.testing.assert_array_equal(values, expected)


def test_a_kernel_that_returns_early_restores() -> None:
    values, factor = numbers(np.float32)
    values[5] = -1
    assert scale(values, factor, 0, COUNT) == 5
    assert not values[:5].any() and values[6] == np.float32(1e-30)
    assert ieee()


def test_a_kernel_that_raises_restores() -> None:
    values, factor = numbers(np.float32)
    values[5] = np.inf
    with pytest.raises(ValueError, match="infinity"):
        scale(values, factor, 0, COUNT)
    assert not values[:5].any() and values[6] == np.float32(1e-30)
    assert ieee()


def test_a_kernel_goes_on_flushing_after_another_that_it_called() -> None:
    one, factor = numbers(np.float32)
    other = one.copy()
    scale_two(one, other, factor)
    assert not one.any() and not other.any()
    assert ieee()


@pytest.fixture
def rounding_upward() -> Iterator[None]:
    if MACHINE not in UPWARD:
        pytest.skip("the rounding mode is set by another function here")
    scale_all(*numbers(np.float32))  # nothing is to be compiled meanwhile
    library = ctypes.CDLL(None)
    before = library.fegetround()
    assert library.fesetround(UPWARD[MACHINE]) == 0
    yield
    library.fesetround(before)


def test_all_else_in_the_control_word_stays(rounding_upward: None) -> None:
    one, little = np.float64(1), np.float64(1e-30)
    assert one + little > 1
    values, factor = numbers(np.float32)
    scale_all(values, factor)
    assert not values.any()
    assert one + little > 1


def test_a_thread_of_python() -> None:
    found: list[bool] = []

    def run() -> None:
        values, factor = numbers(np.float32)
        found.append(ieee())
        scale_all(values, factor)
        found.extend((not values.any(), ieee()))

    thread = threading.Thread(target=run)
    thread.start()
    thread.join()
    assert found == [True, True, True]


def on_every_thread(pool: ThreadPool) -> list[tuple[int, bool]]:
    """Which threads a pool has, and whether they compute with denormal numbers now."""
    found: list[tuple[int, bool]] = []
    barrier = threading.Barrier(pool.threads, timeout=30)  # no thread takes two pieces

    def look(*_piece: int) -> None:
        barrier.wait()
        found.append((threading.get_ident(), ieee()))

    pool.share_out(look, pool.threads)
    return found


def test_pieces_of_a_task() -> None:
    values, factor = numbers(np.float32)
    pool = ThreadPool(3)
    pool.share_out(lambda first, last, _piece: scale(values, factor, first, last), COUNT)
    assert not values.any()
    threads = on_every_thread(pool)
    assert len({thread for thread, _ in threads}) == 3 and all(each for _, each in threads)


@pytest.mark.parametrize("kind", RESULT)
def test_a_call_that_is_written_down(kind: Any) -> None:
    values, factor = numbers(kind)
    call = Call(scale, [values, factor, 0, COUNT])
    make_calls(TaskList(call).written, np.zeros(1, np.int64))
    assert call.results[0] == COUNT and not values.any()
    assert ieee()


def test_jobs_of_several_threads() -> None:
    """Worker threads live on, and do what only Python can do afterwards."""
    pieces = [numbers(np.float32) for _ in range(3)]
    pool = ThreadPool(3)
    pool.make([TaskList(Call(scale, [values, factor, 0, COUNT])) for values, factor in pieces])
    assert not any(values.any() for values, _ in pieces)
    threads = on_every_thread(pool)
    assert len({thread for thread, _ in threads}) == 3 and all(each for _, each in threads)


def test_an_entry_flushes_by_itself() -> None:
    """Also where what calls it does not."""
    values, factor = numbers(np.float32)
    call = Call(scale, [values, factor, 0, COUNT])
    ctypes.CFUNCTYPE(None, ctypes.c_int64)(call.entry)(call.buffer.ctypes.data)
    assert call.results[0] == COUNT and not values.any()
    assert ieee()


@pytest.mark.slow
def test_a_kernel_from_the_cache() -> None:
    """The second process compiles nothing."""
    code = (
        f"import sys; sys.path.insert(0, {str(Path(__file__).parent)!r})\n"
        "import test_denormals as t, numpy as np\n"
        "from pliant.runtime import jit\n"
        "values, factor = t.numbers(np.float32)\n"
        "t.scale_all(values, factor)\n"
        "call = t.Call(t.scale, [values + np.float32(1e-30), factor, 0, t.COUNT])\n"
        "t.make_calls(t.TaskList(call).written, np.zeros(1, np.int64))\n"
        "print(jit.cache_misses(), values.any(), call.arguments[0].any(), t.ieee())"
    )
    for _ in range(2):
        run = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True, env=os.environ)
    assert run.stdout.split() == ["0", "False", "False", "True"]


def assembly(triple: str) -> list[str]:
    """What `flushing_denormals` around a call becomes on a processor: instructions that touch the control word, and the
    call."""
    module = ir.Module()
    module.triple = triple
    kind = ir.FunctionType(ir.VoidType(), [])
    work = ir.Function(module, kind, "work")
    builder = ir.IRBuilder(ir.Function(module, kind, "wrapper").append_basic_block())
    with flushing_denormals(builder):
        builder.call(work, [])
    builder.ret_void()
    binding.initialize_all_targets()
    binding.initialize_all_asmprinters()
    try:
        target = binding.Target.from_triple(triple)
    except RuntimeError:
        pytest.skip(f"this LLVM does not write code for {triple}")
    parsed = binding.parse_assembly(str(module))
    parsed.verify()
    lines = [line.split() for line in target.create_target_machine(opt=3).emit_assembly(parsed).splitlines()]
    words = ("stmxcsr", "ldmxcsr", "mrs", "msr", "orr", "call", "callq", "bl", "blr", "jalr")
    return [" ".join(line) for line in lines if line and line[0] in words]


@pytest.mark.parametrize("triple", ["aarch64-unknown-linux-gnu", "arm64-apple-darwin20"])
def test_arm(triple: str) -> None:
    read, flush, write, call, restore = assembly(triple)
    word = read.split()[1].rstrip(",")
    assert read == f"mrs {word}, FPCR" and flush == f"orr x8, {word}, #0x1000000" and write == "msr FPCR, x8"
    assert call.split()[0] in ("bl", "blr") and restore == f"msr FPCR, {word}"


@pytest.mark.parametrize("triple", ["x86_64-unknown-linux-gnu", "x86_64-pc-windows-msvc", "x86_64-apple-darwin20"])
def test_intel(triple: str) -> None:
    before, inside, call, after = assembly(triple)
    assert before.split()[0] == "stmxcsr" and inside.split()[0] == "ldmxcsr" and call.split()[0] == "callq"
    assert after.split() == ["ldmxcsr", before.split()[1]] and inside.split()[1] != before.split()[1]


def test_other_processors_only_call() -> None:
    assert len(assembly("riscv64-unknown-linux-gnu")) == 1
