"""Kernels that are called by compiled code, with arguments that were written down before.

To call a kernel from Python a thread has to hold the interpreter, and a second thread that wants to call one too sleeps
until it is let go: in the middle of a sub-step that takes longer than many a task. So the arguments of a call are
written into a buffer, and a few instructions made for the kernel, its entry, read them from there: what has the
addresses of both can make the call, interpreter or not (see `serve` in runtime/waiting.py)."""

from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Any

import numpy as np
from llvmlite import ir
from numpy.typing import NDArray

from pliant.runtime import jit
from pliant.runtime.records import is_record

WORD, NUMBER = ir.IntType(64), ir.IntType(32)
RESULTS = 4  # words for what a kernel returns
MOST_CALLS = 15  # in one task list
_entries: dict[tuple[Any, str], tuple[int, str]] = {}


class Call:
    """A kernel and the buffer of its arguments. The kernel returns whole numbers, or nothing."""

    def __init__(self, kernel: Any, arguments: Sequence[Any]) -> None:
        signature = jit.signature_of(kernel)
        self.entry, layout = entry_of(kernel, jit.precision_of(signature, arguments) or "single")
        self.records = [is_record(word) for word in signature]
        self.kinds = [kind == "a" for kind in layout]
        self.whole = [kind == "i" for kind in layout]
        self.buffer = np.zeros(RESULTS + sum(2 if kind == "a" else 1 for kind in layout), np.int64)
        self.reals = self.buffer.view(np.float64)
        self.answer = self.buffer.data[:1]  # the first number of it; read and set in no time
        self.arguments: list[Any] = [None] * len(layout)
        self.places = RESULTS + np.cumsum([0, *(2 if kind == "a" else 1 for kind in layout)])[:-1]
        self.write(arguments)

    def write(self, arguments: Sequence[Any]) -> None:
        """Other arguments. Arrays are kept alive, and must not move."""
        known, places = self.arguments, self.places
        for k, argument in enumerate(self._flat(arguments)):
            if argument is known[k]:
                continue
            known[k] = argument
            at = places[k]
            if self.kinds[k]:
                self.buffer[at], self.buffer[at + 1] = argument.ctypes.data, len(argument)
            elif self.whole[k]:
                self.buffer[at] = argument
            else:
                self.reals[at] = argument

    def _flat(self, arguments: Sequence[Any]) -> Iterator[Any]:
        """Records as the arrays that they hold."""
        for argument, record in zip(arguments, self.records, strict=True):
            if record:
                yield from argument
            else:
                yield argument

    @property
    def results(self) -> NDArray[np.int64]:
        """What the kernel returned the last time."""
        return self.buffer[:RESULTS]


class TaskList:
    """Calls that one thread makes, one after the other; all of them once, or so often as is written (`run_task_list` in
    runtime/waiting.py)."""

    def __init__(self, *calls: Call) -> None:
        assert len(calls) <= MOST_CALLS
        self.calls = calls
        addresses = [(call.entry, call.buffer.ctypes.data) for call in calls]
        self.written = np.array([1, *chain.from_iterable(addresses)], np.int64)


def entry_of(kernel: Any, precision: str) -> tuple[int, str]:
    """The address of a kernel's entry, which takes that of a buffer; and how arguments stand in buffers: "a" for an
    array, its address and its length, "i" and "d" for numbers; a record is its arrays one after the other."""
    key = kernel, precision
    if key not in _entries:
        jit.make_ready(precision, f"{kernel.__module__}.{kernel.__name__}")
        with jit.compiling:
            _entries[key] = _made(jit.compiled(kernel, precision))
    return _entries[key]


def _made(compiled: Any) -> tuple[int, str]:
    """The entry of one kernel: loads its arguments and calls it as Numba's own code would."""
    context, kinds = compiled.target_context, compiled.fndesc.argtypes
    library = compiled.library.codegen.create_library("entry")
    name = f"entry_of_{compiled.fndesc.mangled_name}"
    module = library.create_ir_module(name)
    function = ir.Function(module, ir.FunctionType(ir.VoidType(), [WORD]), name)
    builder = ir.IRBuilder(function.append_basic_block())
    buffer = builder.inttoptr(function.args[0], WORD.as_pointer())
    layout, values, at = "", [], RESULTS

    def word(place: int) -> Any:
        return builder.load(builder.gep(buffer, [WORD(place)]))

    def value_of(kind: Any) -> Any:
        nonlocal layout, at
        if hasattr(kind, "layout"):
            layout, at = layout + "a", at + 2
            return _array(context, builder, kind, word(at - 2), word(at - 1))
        if hasattr(kind, "types"):  # a record
            return context.make_tuple(builder, kind, [value_of(each) for each in kind.types])
        target = context.get_value_type(kind)
        whole = isinstance(target, ir.IntType)
        layout, at = layout + ("i" if whole else "d"), at + 1
        return builder.trunc(word(at - 1), target) if whole else _real(builder, word(at - 1), target)

    for kind in kinds:
        values.append(value_of(kind))
    target = context.call_conv.get_function_type(compiled.fndesc.restype, kinds)
    failure = builder.alloca(target.args[1].pointee)
    builder.store(ir.Constant(target.args[1].pointee, None), failure)
    place = compiled.library.get_pointer_to_function(compiled.fndesc.llvm_func_name)
    callee = builder.inttoptr(WORD(place), target.as_pointer())
    packed = context.get_arg_packer(kinds).as_arguments(builder, values)
    builder.call(callee, [builder.bitcast(buffer, target.args[0]), failure, *packed])
    builder.ret_void()
    library.add_ir_module(module)
    library.finalize()
    _libraries.append(library)
    return library.get_pointer_to_function(name), layout


def _array(context: Any, builder: Any, kind: Any, address: Any, length: Any) -> Any:
    """A contiguous row of numbers that lives elsewhere."""
    array = context.make_array(kind)(context, builder)
    size = WORD(context.get_abi_sizeof(context.get_data_type(kind.dtype)))
    for name in ("meminfo", "parent"):
        setattr(array, name, ir.Constant(getattr(array, name).type, None))
    array.nitems, array.itemsize = length, size
    array.data = builder.inttoptr(address, array.data.type)
    array.shape = builder.insert_value(ir.Constant(ir.ArrayType(WORD, 1), ir.Undefined), length, 0)
    array.strides = builder.insert_value(ir.Constant(ir.ArrayType(WORD, 1), ir.Undefined), size, 0)
    return array._getvalue()


def _real(builder: Any, word: Any, target: Any) -> Any:
    """A number from the bits of a double."""
    value = builder.bitcast(word, ir.DoubleType())
    return value if isinstance(target, ir.DoubleType) else builder.fptrunc(value, target)


_libraries: list[Any] = []  # kept, because entries live in them
