"""`pliant compile`: the kernels, before they are needed."""

import os
import sys

WINDOWS_WAITS = 61  # what ProcessPoolExecutor takes there
SLOW_KERNELS = ("meet_bodies", "settle_contacts", "run", "batched_step", "advance")


def compile_kernels() -> None:
    """Compile all kernels for this machine now, so that every first run starts at once. Costs nothing the second
    time."""
    from concurrent.futures import ProcessPoolExecutor
    from multiprocessing import get_context

    from pliant.runtime import jit

    _import_all()
    missing = sorted(((name, each) for each in jit.PRECISIONS for name in jit.missing(each)), key=_in_turn)
    if len(missing) > 1 and (os.cpu_count() or 1) > 1:
        count = len({name for name, _ in missing})
        print(f"compiling {count} kernels for this machine, once …", flush=True)
        with ProcessPoolExecutor(_workers(len(missing)), get_context("spawn"), _import_all) as pool:
            list(pool.map(_compile, missing))
    for precision in jit.PRECISIONS:
        jit.make_ready(precision)
    print(f"kernels are in {jit.CACHE or 'memory'}")


def _workers(tasks: int) -> int:
    """How many processes: Windows lets a program wait for so many at most."""
    most = WINDOWS_WAITS if sys.platform == "win32" else tasks
    return min(tasks, os.cpu_count() or 1, most)


def _in_turn(task: tuple[str, str]) -> tuple[int, str, str]:
    """Those first that take longest: the others fill in what is left of the time."""
    name, precision = task
    place = {each: number for number, each in enumerate(SLOW_KERNELS)}.get(name.rpartition(".")[2], len(SLOW_KERNELS))
    return place, name, precision


def _import_all() -> None:
    """Every file that may hold a kernel."""
    from importlib import import_module
    from pkgutil import walk_packages

    from pliant.runtime.jit import FOLDERS_WITH_KERNELS

    for name in ("runtime", *FOLDERS_WITH_KERNELS):
        package = import_module(f"pliant.{name}")
        for each in walk_packages(package.__path__, f"{package.__name__}."):
            import_module(each.name)


def _compile(task: tuple[str, str]) -> None:
    from pliant.runtime import jit

    name, precision = task
    jit.make_ready(precision, name, quiet=True)
