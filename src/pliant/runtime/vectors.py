"""Rows of four and eight numbers that a kernel adds and multiplies at once, each in one vector instruction.

LLVM finds such rows by itself only where it can prove them apart, and only as wide as the narrowest thing around them.
Here they are said:

    a = fill8(zero)
    for j in range(first, last):
        a = a + spread8(load4(x, 4 * j), 1) * load8(rows, 8 * j)      # the second number of four, times eight
    store(out, 0, a)

Numbers are of the array's own precision; products that are added are contracted as everywhere (jit.py). Where a
processor has shorter vectors LLVM takes several. Every sum has its order, so results do not depend on the width.
"""

import operator
from typing import Any

from llvmlite import ir
from numba import types
from numba.core import typing
from numba.core.typing.templates import AbstractTemplate, infer_global
from numba.extending import intrinsic, lower_builtin, models, register_model


class Vector(types.Type):
    """So many numbers of one kind."""

    def __init__(self, number: Any, width: int) -> None:
        self.number, self.width = number, width
        super().__init__(name=f"Vector({number}, {width})")


@register_model(Vector)
class VectorModel(models.PrimitiveModel):
    def __init__(self, manager: Any, kind: Vector) -> None:
        super().__init__(manager, kind, ir.VectorType(manager[kind.number].get_data_type(), kind.width))


def _register(operation: Any, instruction: str) -> None:
    """Vector with vector of the same kind, number by number."""

    class Both(AbstractTemplate):
        def generic(self, arguments: Any, _keywords: Any) -> Any:
            if len(arguments) == 2 and isinstance(arguments[0], Vector) and arguments[0] == arguments[1]:
                return typing.signature(arguments[0], *arguments)
            return None

    infer_global(operation)(Both)

    @lower_builtin(operation, Vector, Vector)
    def code(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return getattr(builder, instruction)(*arguments)


_register(operator.add, "fadd")
_register(operator.sub, "fsub")
_register(operator.mul, "fmul")


def _place(context: Any, builder: Any, array: Any, value: Any, index: Any, width: int) -> Any:
    """A pointer to `width` numbers of an array, and what their address is a multiple of."""
    view = context.make_array(array)(context, builder, value)
    number = context.get_data_type(array.dtype)
    pointer = builder.gep(view.data, [index])
    return builder.bitcast(pointer, ir.VectorType(number, width).as_pointer()), context.get_abi_sizeof(number)


def _loading(width: int) -> Any:
    def load(_context: Any, array: Any, index: Any) -> Any:
        def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            array_, at = arguments
            place, align = _place(context, builder, signature.args[0], array_, at, width)
            return builder.load(place, align=align)

        return Vector(array.dtype, width)(array, index), code

    return intrinsic(load)


load4, load8 = _loading(4), _loading(8)  # load4(array, index): the numbers from `index` on


@intrinsic
def store(_context: Any, array: Any, index: Any, vector: Any) -> Any:
    """`store(array, index, vector)`: its numbers from `index` on."""

    def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        array_, at, value = arguments
        place, align = _place(context, builder, signature.args[0], array_, at, signature.args[2].width)
        builder.store(value, place, align=align)
        return context.get_dummy_value()

    return types.void(array, index, vector), code


def _mixed(builder: Any, vector: Any, order: Any, other: Any = None) -> Any:
    mask = ir.Constant(ir.VectorType(ir.IntType(32), len(order)), list(order))
    return builder.shuffle_vector(vector, vector if other is None else other, mask)


def _filling(width: int) -> Any:
    def fill(_context: Any, number: Any) -> Any:
        def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            one = ir.VectorType(context.get_data_type(signature.args[0]), 1)
            alone = builder.insert_element(ir.Constant(one, ir.Undefined), arguments[0], ir.IntType(32)(0))
            return _mixed(builder, alone, [0] * width)

        return Vector(number, width)(number), code

    return intrinsic(fill)


fill4, fill8 = _filling(4), _filling(8)  # fill4(number): that number everywhere


def _choosing(width: int, order: Any) -> Any:
    def choose(_context: Any, vector: Any, first: Any) -> Any:
        if not isinstance(first, types.IntegerLiteral):
            return None
        chosen = order(first.literal_value)

        def code(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
            return _mixed(builder, arguments[0], chosen)

        return Vector(vector.number, width)(vector, first), code

    return intrinsic(prefer_literal=True)(choose)


spread4 = _choosing(4, lambda i: [i] * 4)  # spread4(vector, i): its number i everywhere; i a constant
spread8 = _choosing(8, lambda i: [i] * 8)
pair8 = _choosing(8, lambda i: [i] * 4 + [i + 1] * 4)  # pair8(vector, i): number i four times, then the next
half4 = _choosing(4, lambda i: list(range(4 * i, 4 * i + 4)))  # half4(vector, i): the first (0) or second (1) four


@intrinsic
def transpose8(_context: Any, source: Any, first: Any, step: Any, target: Any, to: Any, stride: Any) -> Any:
    """`transpose8(source, first, step, target, to, stride)`: eight rows of eight numbers, the rows `step` apart from
    `first` on, become the columns of eight rows that are `stride` apart from `to` on."""

    def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        table, at, step_, out, to_, stride_ = arguments
        index = at.type
        rows = []
        for i in range(8):
            here = builder.add(at, builder.mul(step_, index(i)))
            place, align = _place(context, builder, signature.args[0], table, here, 8)
            rows.append(builder.load(place, align=align))
        # Neighbours in rows, then in pairs of rows, then in halves: each stage is one instruction for eight numbers.
        for apart, low, high in (
            (1, [0, 8, 1, 9, 4, 12, 5, 13], [2, 10, 3, 11, 6, 14, 7, 15]),
            (2, [0, 1, 8, 9, 4, 5, 12, 13], [2, 3, 10, 11, 6, 7, 14, 15]),
            (4, [0, 1, 2, 3, 8, 9, 10, 11], [4, 5, 6, 7, 12, 13, 14, 15]),
        ):
            for i in [i for i in range(8) if not i & apart]:
                first_, second = rows[i], rows[i + apart]
                rows[i], rows[i + apart] = (_mixed(builder, first_, order, second) for order in (low, high))
        for i, column in enumerate((0, 2, 1, 3, 4, 6, 5, 7)):  # the order in which they come out
            there = builder.add(to_, builder.mul(stride_, index(i)))
            place, align = _place(context, builder, signature.args[3], out, there, 8)
            builder.store(rows[column], place, align=align)
        return context.get_dummy_value()

    return types.void(source, types.uint64, types.uint64, target, types.uint64, types.uint64), code


def _unit(width: int) -> Any:
    def unit(_context: Any, number: Any, place: Any) -> Any:
        if not isinstance(place, types.IntegerLiteral):
            return None
        chosen = place.literal_value

        def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            zeros = ir.Constant(ir.VectorType(context.get_data_type(signature.args[0]), width), None)
            return builder.insert_element(zeros, arguments[0], ir.IntType(32)(chosen))

        return Vector(number, width)(number, place), code

    return intrinsic(prefer_literal=True)(unit)


unit4, unit8 = _unit(4), _unit(8)  # unit4(number, i): that number at place i, a constant, else zeros
