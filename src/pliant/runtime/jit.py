# mypy: disallow-untyped-defs=False, check-untyped-defs=False
"""Compiled kernels: with instructions.py, denormals.py and kernel_cache.py the only file that knows Numba.

A kernel says which arguments it takes, so it can be compiled before it is called, once for each precision:

    @kernel("x[] x[] u[] i i")            # x[]: floats of the world's precision, u[]: uint32, i: int64, d: float64,
                                          # f: float32, h: uint16
    def add(a, b, order, first, last): ...

A word with a capital names a record (records.py).

Compiled code is kept in the user's cache folder (kernel_cache.py) under a name made from the sources of the kernel: an
edit in a function that a kernel calls, in whatever file, makes another kernel of it, and leaves all others.
The first start on a machine compiles and says so; every later start only loads. A kernel is compiled when it is first
called; who knows that several will be needed says so (`make_ready`), and they are compiled on all cores at once.
"""

import atexit
import hashlib
import os
import platform
import threading
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import numba
import numpy as np
from numba.core.compiler_lock import global_compiler_lock as compiling  # noqa: F401, held by who makes code

from pliant.runtime.caches import cache_folder
from pliant.runtime.carried import carried_folder
from pliant.runtime.compile_helpers import BACKGROUND, Helpers, Task, cores
from pliant.runtime.compile_notice import Notice
from pliant.runtime.compile_notice import on_progress as on_progress
from pliant.runtime.compile_options import options_of, settings, types_of
from pliant.runtime.denormals import FlushingCompiler
from pliant.runtime.kernel_cache import KernelCache
from pliant.runtime.parts import Kernel, Part, code_size
from pliant.runtime.records import fields_of, is_record

PRECISIONS = {"single": np.float32, "double": np.float64}
FOLDERS_WITH_KERNELS = ("maths", "elastic", "collision", "dynamics", "models", "world")

_kernels: list[tuple[Any, str]] = []
_compiled: set[tuple[str, str]] = set()
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
CARRIED = carried_folder()


def kernel(signature: str) -> Callable[[Callable[..., Any]], Any]:
    """Mark a function as a kernel with the given argument types (see the head of this file)."""

    def mark(function: Callable[..., Any]) -> Any:
        if numba.config.DISABLE_JIT:
            return function
        dispatcher = Kernel(function, options_of(function), FlushingCompiler, _ready_for)
        dispatcher._cache = KernelCache(function, CACHE, CARRIED)
        _kernels.append((dispatcher, signature))
        return dispatcher

    return mark


def part(function: Callable[..., Any]) -> Any:
    """A function that kernels call; compiled with them."""
    return _part(function, options_of(function))


def inner(function: Callable[..., Any]) -> Any:
    """A part that is compiled into its caller, whatever its size. To hand over a dozen arrays takes longer than
    many a contact, so this is for what is called for each body, couple or contact, from a place or two."""
    return _part(function, {"forceinline": True, **options_of(function)})


def inline(function: Callable[..., Any]) -> Any:
    """A formula that is written out where it stands, so that the loop around it can be vectorised."""
    return numba.njit(inline="always", **options_of(function))(function)


def _part(function: Callable[..., Any], options: dict[str, Any]) -> Any:
    return function if numba.config.DISABLE_JIT else Part(function, options, _whole)


def _whole(function: Callable[..., Any]) -> Any:
    """A part that Python calls."""
    return numba.njit(pipeline_class=FlushingCompiler, **options_of(function))(function)


def signature_of(dispatcher: Any) -> list[str]:
    """The words of a kernel's signature."""
    return next(signature for each, signature in _kernels if each is dispatcher).split()


def compiled(dispatcher: Any, precision: str) -> Any:
    """What Numba knows of a kernel that is ready."""
    return dispatcher.overloads[types_of(" ".join(signature_of(dispatcher)), precision)]


def make_ready(precision: str, *names: str) -> None:
    """Compile or load every kernel known so far, or those whose names, with their modules, begin so. Costs nothing the
    second time; a thread that comes meanwhile waits."""
    wanted = [each for each in _kernels if not names or _name_of(each[0]).startswith(names)]
    _make_ready([(dispatcher, signature, precision) for dispatcher, signature in wanted])


def make_one_ready(precision: str, name: str) -> None:
    """Compile or load one kernel, in this process."""
    _make_ready([(k, s, precision) for k, s in _kernels if _name_of(k) == name], alone=True)


def compile_all(*names: str, precisions: Iterable[str] = PRECISIONS) -> list[Path]:
    """Compile every kernel known so far, or those whose names begin so, for this very processor, whatever the package
    carries. Returns the files; none if nothing can be kept."""
    wanted = [(k, s, each) for each in precisions for k, s in _kernels if not names or _name_of(k).startswith(names)]
    for dispatcher, _, _ in wanted:
        dispatcher._cache.carried = None
    _make_ready(_missing(wanted))
    return sorted({path for each in wanted for path in _paths(each)})


def compile_in_background(precision: str) -> Helpers:
    """Have the kernels known so far compiled when nothing else is to be done; they are loaded when they are needed."""
    fresh = _missing((k, s, precision) for k, s in _kernels)
    tasks = [(each, _name_of(k)) for k, _, each in fresh if _for_helpers(k)]
    helpers = Helpers(tasks, min(1, len(tasks)), lambda _name: None, lambda: None, BACKGROUND)
    atexit.register(helpers.stop)
    return helpers


def missing(precision: str) -> list[str]:
    """Names of the kernels known so far that are not in the cache yet."""
    return [_name_of(k) for k, _, _ in _missing((k, s, precision) for k, s in _kernels)]


def cache_misses() -> int:
    """How many kernels this process had to compile because they were not in the cache."""
    return sum(sum(k.stats.cache_misses.values()) for k, _ in _kernels)


Wanted = tuple[Any, str, str]  # a kernel, its signature, and a precision


def _ready_for(dispatcher: Any, args: tuple[Any, ...]) -> bool:
    """Make a kernel ready that is called with these. Returns whether it was not."""
    signature = " ".join(signature_of(dispatcher))
    precision = precision_of(signature.split(), args) or "single"
    if (_name_of(dispatcher), precision) in _compiled:
        return False
    _make_ready([(dispatcher, signature, precision)])
    return True


def precision_of(words: Iterable[str], args: Iterable[Any]) -> str | None:
    """The precision of a world whose arrays these are; None if they do not tell."""
    for word, arg in zip(words, args, strict=False):
        if is_record(word):
            found = precision_of(fields_of(word)[1], arg)
            if found is not None:
                return found
        elif word[0] == "x" and hasattr(arg, "dtype"):
            return "double" if arg.dtype == np.float64 else "single"
    return None


def _name_of(dispatcher: Any) -> str:
    return f"{dispatcher.__module__}.{dispatcher.__name__}"


def _for_helpers(dispatcher: Any) -> bool:
    """Whether another process can import it."""
    return CACHE is not None and dispatcher.__module__.startswith("pliant.")


def _missing(wanted: Iterable[Wanted]) -> list[Wanted]:
    """Those that are not in the cache, each once, the largest first: the others then fill in what is left of the
    time."""
    kept = {folder / name for folder in (CACHE, CARRIED) if folder and folder.is_dir() for name in os.listdir(folder)}
    found: dict[Any, Wanted] = {}
    for each in wanted:
        paths = _paths(each)
        if kept.isdisjoint(paths):
            found[paths[0] if paths else (each[0], each[2])] = each
    return sorted(found.values(), key=lambda each: -code_size(each[0]))


def _paths(wanted: Wanted) -> list[Path]:
    """Where the code of a kernel may be."""
    dispatcher, signature, precision = wanted
    found: list[Path] = dispatcher._cache.paths(types_of(signature, precision), dispatcher.targetctx.codegen())
    return found


def _make_ready(wanted: list[Wanted], alone: bool = False) -> None:
    """alone: without helpers, and without a word."""
    if all((_name_of(k), precision) in _compiled for k, _, precision in wanted):
        return
    with _one_at_a_time:
        wanted = [each for each in wanted if (_name_of(each[0]), each[2]) not in _compiled]
        with settings():
            if not alone:
                _share_out(_missing(wanted))
            for each in wanted:
                _compile(each)


def _share_out(fresh: list[Wanted]) -> None:
    """Compile on all cores: here, and in helpers where there are several."""
    tasks: dict[Task, Wanted] = {(precision, _name_of(k)): (k, s, precision) for k, s, precision in fresh}
    shared = [task for task, each in tasks.items() if _for_helpers(each[0])]
    own = [task for task in tasks if task not in shared]
    notice = Notice(len(tasks))
    helpers = Helpers(shared, min(len(shared), cores()) - 1, notice.begin, notice.end)
    try:
        while (task := own.pop() if own else helpers.take()) is not None:
            notice.begin(tasks[task][0].__name__)
            _compile(tasks[task])
            notice.end()
        helpers.wait()
    finally:
        helpers.stop()
        notice.close()


def _compile(wanted: Wanted) -> None:
    """Compile or load a kernel."""
    dispatcher, signature, precision = wanted
    dispatcher.compile(types_of(signature, precision))
    _compiled.add((_name_of(dispatcher), precision))
