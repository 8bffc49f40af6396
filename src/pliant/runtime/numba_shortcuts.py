"""What Numba does most often while it compiles, done with less.

It lists the variables of every statement a dozen times, and asks, wherever an array is indexed, how many bytes a number
of it takes, for which LLVM reads a text. Both are a part in twenty of the time to compile a kernel; the code that comes
out is the same.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from llvmlite.ir.types import Type
from numba.core import ir

_sizes: dict[str, int] = {}
_size = Type.get_abi_size
_list = ir.Inst._rec_list_vars
NO_VARIABLES = (str, int, float, bool, type(None), ir.Loc, ir.Const, ir.Global, ir.FreeVar)


def _listed(self: Any, value: Any) -> list[Any]:
    """The variables in a value: most are one, or none, or hold a handful of such."""
    kind = type(value)
    if kind is ir.Var:
        return [value]
    if kind in NO_VARIABLES:
        return []
    if kind is not dict and kind is not list and kind is not tuple:
        return list(_list(self, value))
    found = []
    for each in value.values() if kind is dict else value:
        if type(each) is ir.Var:
            found.append(each)
        elif type(each) not in NO_VARIABLES:
            found += _listed(self, each)
    return found


def _sized(self: Any, target: Any, context: Any = None) -> int:
    """Bytes of a type: one processor is compiled for."""
    name = str(self)
    found = _sizes.get(name)
    if found is None:
        found = _sizes[name] = int(_size(self, target, context))
    return found


@contextmanager
def numba_shortcuts() -> Iterator[None]:
    """While kernels are compiled."""
    Type.get_abi_size, ir.Inst._rec_list_vars = _sized, _listed
    try:
        yield
    finally:
        Type.get_abi_size, ir.Inst._rec_list_vars = _size, _list
