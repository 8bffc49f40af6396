"""With which options kernels are compiled, and for which types: this file, and not jit.py, is part of what a kernel is
made from (kernel_sources.py)."""

import gc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numba
from numba import types

from pliant.runtime.numba_shortcuts import numba_shortcuts
from pliant.runtime.records import fields_of, is_record
from pliant.runtime.typing_memo import typing_memo

# Contraction (fused multiply-add) and reciprocals, but no reordering of sums: results stay the same everywhere
# a kernel is cut into pieces. NaN and infinity keep their meaning, so that divergence can be seen.
FASTMATH = {"contract", "nsz", "arcp"}
# The compiler makes millions of small things that stay: to look through them so seldom saves a fourteenth of its time.
SELDOM = (1_000_000, 20, 20)

_OPTIONS = {"nogil": True, "fastmath": FASTMATH, "boundscheck": False, "error_model": "numpy"}
_MAKERS = {"empty", "zeros", "ones", "full", "eye", "array", "empty_like", "zeros_like", "copy"}  # of arrays


def options_of(function: Callable[..., Any]) -> dict[str, Any]:
    """Who holds an array is counted only in functions that make some: the counting costs more than most slices are
    worth. So a function must not return a slice, unless it is written out where it stands (inline); and one that is
    called often takes what it works in from the stack (`room` in instructions.py)."""
    return {**_OPTIONS, "_nrt": bool(_MAKERS.intersection(function.__code__.co_names))}


def types_of(signature: str, precision: str) -> tuple[Any, ...]:
    """Numba's types for the words of a signature."""
    real = types.float32 if precision == "single" else types.float64
    whole = {"i": types.int64, "u": types.uint32, "h": types.uint16, "b": types.boolean}
    scalars = {"x": real, "d": types.float64, "f": types.float32, **whole}

    def type_of(word: str) -> Any:
        if is_record(word):
            kind, words = fields_of(word)
            return types.BaseTuple.from_types([type_of(each) for each in words], kind)
        return types.Array(scalars[word[0]], 1, "C") if word.endswith("[]") else scalars[word]

    return tuple(map(type_of, signature.split()))


@contextmanager
def settings() -> Iterator[None]:
    """While kernels are compiled."""
    slp, tidying = numba.config.SLP_VECTORIZE, gc.get_threshold()
    numba.config.SLP_VECTORIZE = 1  # rows of 4 and 16 numbers become vector instructions: 1.5 to 2 times faster
    gc.set_threshold(*SELDOM)
    try:
        with typing_memo(), numba_shortcuts():
            yield
    finally:
        numba.config.SLP_VECTORIZE = slp
        gc.set_threshold(*tidying)
