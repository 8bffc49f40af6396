"""Instructions of the processor that Numba has no words for: memory that threads share, the stack, waiting, and what is
done with denormal numbers."""

import os
import platform
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic


@intrinsic(prefer_literal=True)
def room(_context: Any, kind: Any, size: Any) -> Any:
    """`room(np.float32, ROWS)`: an array on the stack, with anything in it, of as many numbers as a constant of the
    module says. It is gone when the function returns."""
    if not isinstance(size, types.IntegerLiteral):
        return None
    array, count = types.Array(kind.dtype, 1, "C"), size.literal_value

    def code(context: Any, builder: Any, _signature: Any, _arguments: Any) -> Any:
        number, word = context.get_data_type(array.dtype), ir.IntType(64)
        data = cgutils.alloca_once(builder, number, size=word(count))
        data.align = 64
        view, wide = context.make_array(array)(context, builder), word(context.get_abi_sizeof(number))
        context.populate_array(view, data=data, shape=[word(count)], strides=[wide], itemsize=wide, meminfo=None)
        return view._getvalue()

    return array(kind, size), code


@intrinsic
def prefetch(_context: Any, array: Any, _index: Any) -> Any:
    """`prefetch(array, index)` asks for the cache line that holds a number, to be there when it is needed. It changes
    nothing, and an index outside the array does no harm. Spread such calls over the work: many at once only queue."""

    def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        view = context.make_array(signature.args[0])(context, builder, arguments[0])
        place = builder.bitcast(builder.gep(view.data, [arguments[1]]), ir.IntType(8).as_pointer())
        number = ir.IntType(32)
        kind = ir.FunctionType(ir.VoidType(), [place.type, number, number, number])
        function = builder.module.declare_intrinsic("llvm.prefetch.p0", (), kind)
        builder.call(function, [place, number(0), number(2), number(1)])  # to read; into the second-level cache; data
        return context.get_dummy_value()

    return types.void(array, types.int64), code


@intrinsic
def told(_context: Any, array: Any, _index: Any) -> Any:
    """`told(array, index)`: a whole number as it is now in memory, which another thread may have changed."""

    def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        view = context.make_array(signature.args[0])(context, builder, arguments[0])
        return builder.load_atomic(builder.gep(view.data, [arguments[1]]), "acquire", 8)

    return types.int64(array, types.int64), code


@intrinsic
def tell(_context: Any, array: Any, _index: Any, _value: Any) -> Any:
    """`tell(array, index, value)`: other threads see this number, and all that was written before it."""

    def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        view = context.make_array(signature.args[0])(context, builder, arguments[0])
        builder.store_atomic(arguments[2], builder.gep(view.data, [arguments[1]]), "release", 8)
        return context.get_dummy_value()

    return types.void(array, types.int64, types.int64), code


@intrinsic
def swap(_context: Any, array: Any, _index: Any, _before: Any, _after: Any) -> Any:
    """`swap(array, index, before, after)`: put a whole number there if another one still is, which no thread can do at
    the same time. Returns the number that was there; the thread that does this sees all that was told before."""

    def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        view = context.make_array(signature.args[0])(context, builder, arguments[0])
        place = builder.gep(view.data, [arguments[1]])
        builder.fence("seq_cst")
        both = builder.cmpxchg(place, arguments[2], arguments[3], "seq_cst", "seq_cst")
        builder.fence("seq_cst")
        return builder.extract_value(both, 0)

    return types.int64(array, types.int64, types.int64, types.int64), code


@intrinsic
def call(_context: Any, _entry: Any, _book: Any) -> Any:
    """`call(entry, buffer)`: make a call that was written down (calls.py); both are addresses."""

    def code(context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        kind = ir.FunctionType(ir.VoidType(), [ir.IntType(64)])
        builder.call(builder.inttoptr(arguments[0], kind.as_pointer()), [arguments[1]])
        return context.get_dummy_value()

    return types.void(types.int64, types.int64), code


@intrinsic
def answer_in(_context: Any, _book: Any) -> Any:
    """`answer_in(buffer)`: the first whole number of what such a call has answered."""

    def code(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return builder.load(builder.inttoptr(arguments[0], ir.IntType(64).as_pointer()))

    return types.int64(types.int64), code


@intrinsic
def breathe(_context: Any) -> Any:
    """`breathe()` in a loop that only waits: the processor does less, and its other thread more."""

    def code(context: Any, builder: Any, _signature: Any, _arguments: Any) -> Any:
        if platform.machine().lower() in ("x86_64", "amd64"):
            kind = ir.FunctionType(ir.VoidType(), [])
            builder.call(builder.module.declare_intrinsic("llvm.x86.sse2.pause", (), kind), [])
        return context.get_dummy_value()

    return types.void(), code


@intrinsic
def give_way(_context: Any) -> Any:
    """`give_way()` in a loop that has waited long: the thread it waits for may need this very processor."""

    def code(context: Any, builder: Any, _signature: Any, _arguments: Any) -> Any:
        if os.name == "posix":
            kind = ir.FunctionType(ir.IntType(32), [])
            builder.call(cgutils.get_or_insert_function(builder.module, kind, "sched_yield"), [])
        return context.get_dummy_value()

    return types.void(), code


# Bits of the control word of floating-point arithmetic: results and operands that are denormal count as zero.
X86_FLUSH = 1 << 15 | 1 << 6  # MXCSR: flush to zero, denormals are zero
ARM_FLUSH = 1 << 24  # FPCR: FZ, which is both


@contextmanager
def flushing_denormals(builder: Any) -> Iterator[None]:
    """What is called between the two ends of this treats denormal numbers as zero; then the control word of the thread
    is what it was before, whatever that was. On processors other than x86-64 and AArch64 nothing is changed.

    LLVM does not know that arithmetic depends on the control word and may move it out of here, so this is to enclose
    nothing but the call of a function that is never inlined (see denormals.py)."""
    machine = builder.module.triple.split("-")[0]
    if machine == "x86_64":
        before, inside = builder.alloca(ir.IntType(32)), builder.alloca(ir.IntType(32))
        _control(builder, "llvm.x86.sse.stmxcsr", before)
        builder.store(builder.or_(builder.load(before), ir.IntType(32)(X86_FLUSH)), inside)
        _control(builder, "llvm.x86.sse.ldmxcsr", inside)
        yield
        _control(builder, "llvm.x86.sse.ldmxcsr", before)
    elif machine in ("aarch64", "arm64"):
        word = ir.IntType(64)
        read = builder.module.declare_intrinsic("llvm.aarch64.get.fpcr", (), ir.FunctionType(word, []))
        write = builder.module.declare_intrinsic("llvm.aarch64.set.fpcr", (), ir.FunctionType(ir.VoidType(), [word]))
        was = builder.call(read, [])
        builder.call(write, [builder.or_(was, word(ARM_FLUSH))])
        yield
        builder.call(write, [was])
    else:
        yield


def _control(builder: Any, name: str, place: Any) -> None:
    """Load or store the control word of x86, which goes through memory."""
    kind = ir.FunctionType(ir.VoidType(), [ir.IntType(8).as_pointer()])
    function = builder.module.declare_intrinsic(name, (), kind)
    builder.call(function, [builder.bitcast(place, kind.args[0])])
