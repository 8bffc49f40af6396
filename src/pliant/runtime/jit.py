# mypy: disallow-untyped-defs=False, check-untyped-defs=False
"""Compiled kernels: with instructions.py, denormals.py and kernel_cache.py the only file that knows Numba.

A kernel says which arguments it takes, so it can be compiled before it is called, once for each precision:

    @kernel("x[] x[] u[] i i")            # x[]: floats of the world's precision, u[]: uint32, i: int64, d: float64,
                                          # f: float32, h: uint16
    def add(a, b, order, first, last): ...

A word with a capital names a record (records.py).

Compiled code is kept in the user's cache folder (kernel_cache.py) under a name made from the sources of the kernel: an
edit in a function that a kernel calls, in whatever file, makes another kernel of it, and leaves all others.
The first start on a machine compiles and says so; every later start only loads.
"""

import gc
import hashlib
import os
import platform
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numba
import numpy as np
from numba import types
from numba.core.compiler_lock import global_compiler_lock as compiling  # noqa: F401, held by who makes code

from pliant.runtime.caches import cache_folder
from pliant.runtime.denormals import FlushingCompiler
from pliant.runtime.kernel_cache import KernelCache
from pliant.runtime.records import fields_of, is_record

# Contraction (fused multiply-add) and reciprocals, but no reordering of sums: results stay the same everywhere
# a kernel is cut into pieces. NaN and infinity keep their meaning, so that divergence can be seen.
FASTMATH = {"contract", "nsz", "arcp"}
# The compiler makes millions of small things that stay: Python need not look through them all so often meanwhile.
SELDOM = (100_000, 20, 20)
PRECISIONS = {"single": np.float32, "double": np.float64}

_OPTIONS = {"nogil": True, "fastmath": FASTMATH, "boundscheck": False, "error_model": "numpy"}
_MAKERS = {"empty", "zeros", "ones", "full", "eye", "array", "empty_like", "zeros_like", "copy"}  # of arrays
FOLDERS_WITH_KERNELS = ("maths", "elastic", "collision", "dynamics", "models", "world")

_kernels: list[tuple[Any, str]] = []
_compiled: set[tuple[str, str]] = set()
_listeners: list[Callable[[int, int, str], None]] = []
_one_at_a_time = threading.Lock()


def sources_digest() -> str:
    """A name for exactly these sources of all kernels, with this compiler: what the bits of a result depend on."""
    package = Path(__file__).parents[1]
    digest = hashlib.sha256(VERSIONS.encode())
    for folder in (package / "runtime", *(package / name for name in FOLDERS_WITH_KERNELS)):
        for source in sorted(folder.rglob("*.py")):
            digest.update(source.relative_to(package).as_posix().encode())
            digest.update(source.read_bytes())
    return digest.hexdigest()[:16]


VERSIONS = f"numba-{numba.__version__}-python-{platform.python_version()}-{platform.machine()}"
CACHE = cache_folder("kernels", VERSIONS)


def _options(function: Callable[..., Any]) -> dict[str, Any]:
    """Who holds an array is counted only in functions that make some: the counting costs more than most slices are
    worth. So a function must not return a slice, unless it is written out where it stands (inline); and one that is
    called often takes what it works in from the stack (`room` in instructions.py)."""
    return {**_OPTIONS, "_nrt": bool(_MAKERS.intersection(function.__code__.co_names))}


def kernel(signature: str) -> Callable[[Callable[..., Any]], Any]:
    """Mark a function as a kernel with the given argument types (see the head of this file)."""

    def mark(function: Callable[..., Any]) -> Any:
        dispatcher = numba.njit(pipeline_class=FlushingCompiler, **_options(function))(function)
        dispatcher._cache = KernelCache(function, CACHE)
        _kernels.append((dispatcher, signature))
        return dispatcher

    return mark


def part(function: Callable[..., Any]) -> Any:
    """A function that kernels call; compiled with them."""
    return numba.njit(**_options(function))(function)


def inner(function: Callable[..., Any]) -> Any:
    """A part that is compiled into its caller, whatever its size. To hand over a dozen arrays takes longer than
    many a contact, so this is for what is called for each body, couple or contact, from a place or two."""
    return numba.njit(forceinline=True, **_options(function))(function)


def inline(function: Callable[..., Any]) -> Any:
    """A formula that is written out where it stands, so that the loop around it can be vectorised."""
    return numba.njit(inline="always", **_options(function))(function)


def _types(signature: str, precision: str) -> tuple[Any, ...]:
    real = types.float32 if precision == "single" else types.float64
    whole = {"i": types.int64, "u": types.uint32, "h": types.uint16, "b": types.boolean}
    scalars = {"x": real, "d": types.float64, "f": types.float32, **whole}

    def type_of(word: str) -> Any:
        if is_record(word):
            kind, words = fields_of(word)
            return types.BaseTuple.from_types([type_of(each) for each in words], kind)
        return types.Array(scalars[word[0]], 1, "C") if word.endswith("[]") else scalars[word]

    return tuple(map(type_of, signature.split()))


def signature_of(dispatcher: Any) -> list[str]:
    """The words of a kernel's signature."""
    return next(signature for each, signature in _kernels if each is dispatcher).split()


def compiled(dispatcher: Any, precision: str) -> Any:
    """What Numba knows of a kernel that is ready."""
    return dispatcher.overloads[_types(" ".join(signature_of(dispatcher)), precision)]


def on_progress(listener: Callable[[int, int, str], None]) -> None:
    """Be told `(done, total, kernel)` while kernels are compiled for the first time; the viewer's progress bar."""
    _listeners.append(listener)


def make_ready(precision: str, *names: str, quiet: bool = False) -> None:
    """Compile or load every kernel known so far, or those whose names, with their modules, begin so. Costs nothing the
    second time; a thread that comes meanwhile waits."""
    if all((k.__name__ + k.__module__, precision) in _compiled for k, _ in _kernels if _within(k, names)):
        return
    with _one_at_a_time:
        _make_ready(precision, names, quiet)


def missing(precision: str) -> list[str]:
    """Names of the kernels known so far that are not in the cache yet."""
    kept = _kept()
    return [f"{k.__module__}.{k.__name__}" for k, s in _kernels if _file_of(k, s, precision) not in kept]


def _kept() -> set[str]:
    return set(os.listdir(CACHE)) if CACHE is not None and CACHE.is_dir() else set()


def _file_of(dispatcher: Any, signature: str, precision: str) -> str:
    return dispatcher._cache.file_of(_types(signature, precision), dispatcher.targetctx.codegen())


def _within(dispatcher: Any, names: tuple[str, ...]) -> bool:
    return not names or f"{dispatcher.__module__}.{dispatcher.__name__}".startswith(names)


def _make_ready(precision: str, modules: tuple[str, ...], quiet: bool) -> None:
    wanted = [
        (k, s) for k, s in _kernels if _within(k, modules) and (k.__name__ + k.__module__, precision) not in _compiled
    ]
    kept = _kept()
    fresh = {k for k, s in wanted if _file_of(k, s, precision) not in kept}
    notice = _Notice(0 if quiet else len(fresh), precision)
    slp, tidying = numba.config.SLP_VECTORIZE, gc.get_threshold()
    numba.config.SLP_VECTORIZE = 1  # rows of 4 and 16 numbers become vector instructions: 1.5 to 2 times faster
    if fresh:
        gc.set_threshold(*SELDOM)
    try:
        for dispatcher, signature in wanted:
            is_fresh = dispatcher in fresh
            if is_fresh:
                notice.say(dispatcher.__name__)
            dispatcher.compile(_types(signature, precision))
            _compiled.add((dispatcher.__name__ + dispatcher.__module__, precision))
            notice.done += is_fresh
    finally:
        numba.config.SLP_VECTORIZE = slp
        gc.set_threshold(*tidying)
        notice.close()


def cache_misses() -> int:
    """How many kernels this process had to compile because they were not in the cache."""
    return sum(sum(k.stats.cache_misses.values()) for k, _ in _kernels)


class _Notice:
    """One line on standard error: a bar where a person looks, a single sentence where a file does."""

    def __init__(self, total: int, precision: str) -> None:
        self.total, self.done, self.precision = total, 0, precision
        self.live = sys.stderr.isatty()
        if total and not self.live:
            print(f"pliant: compiling {total} kernels for this machine, once …", file=sys.stderr, flush=True)

    def say(self, name: str) -> None:
        if not self.total:
            return
        for listener in _listeners:
            listener(self.done, self.total, name)
        if self.live:
            filled = 24 * self.done // self.total
            bar = "█" * filled + "░" * (24 - filled)
            line = f"\rpliant: compiling kernels for this machine, once  {bar} {self.done}/{self.total} {name}"
            print(line.ljust(100)[:100], end="", file=sys.stderr, flush=True)

    def close(self) -> None:
        if not self.total:
            return
        for listener in _listeners:
            listener(self.done, self.total, "")
        if self.live:
            print("\r" + " " * 100 + "\r", end="", file=sys.stderr, flush=True)
