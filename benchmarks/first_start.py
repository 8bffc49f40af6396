"""What a first start costs, and what it is spent on: `python benchmarks/first_start.py [--quick]`.

Compiles the kernels of the README's eight lines with an empty cache, in one process, in three ways:

    numba   every function as Numba compiles it by itself
    parts   parts go into their kernels without having been compiled on their own (src/pliant/runtime/parts.py)
    ours    and what operators make of their types is remembered (src/pliant/runtime/typing_memo.py)

and tells for each how much processor time went into LLVM and into Numba's own work, how many functions were compiled,
and in how many versions for other types; then, for `ours`, each kernel, and the functions with several versions. At the
end the eight lines themselves, on all cores: the first time, and the second, with what the first has left in the cache.

Times are processor seconds of this machine, while it does what else it does; the ratios are within this run. --quick
compiles two small kernels, and does not play the eight lines.
"""

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from pathlib import Path
from typing import Any

WAYS = ("numba", "parts", "ours")
STEP = ("pliant.models.shape_matching.kernels.", "pliant.dynamics.predict.", "pliant.dynamics.alone.")
SMALL = ("pliant.models.shape_matching.kernels.tell", "pliant.dynamics.predict.")
MOST = 12  # functions with several versions that are listed


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split(":")[0])
    parser.add_argument("--quick", action="store_true", help="two small kernels only")
    parser.add_argument("--way", choices=WAYS, help=argparse.SUPPRESS)  # what this program starts itself with
    asked = parser.parse_args()
    names = SMALL if asked.quick else STEP
    if asked.way:
        print(json.dumps(compiled(asked.way, names)))
        return
    found = {way: started(way, asked.quick) for way in WAYS}
    first = found[WAYS[0]]["total"]
    print(f"{'':8}{'total':>8}{'LLVM':>8}{'Numba':>8}{'functions':>11}{'versions':>10}{'ratio':>8}")
    for way, told in found.items():
        sums = f"{told['total']:8.1f}{told['llvm']:8.1f}{told['total'] - told['llvm']:8.1f}"
        print(f"{way:8}{sums}{told['functions']:11}{told['versions']:10}{told['total'] / first:8.2f}")
    print("\nkernels, in processor seconds")
    for name, seconds in found["ours"]["kernels"].items():
        print(f"{seconds:8.1f}  {name}")
    print("\nversions of one function")
    for name, kinds in found["ours"]["several"].items():
        print(f"{len(kinds):8}  {name}: {'; '.join(kinds)}")
    if not asked.quick:
        eight_lines()


def started(way: str, quick: bool) -> dict[str, Any]:
    """One way, in a process of its own with an empty cache."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, __file__, "--way", way, *(["--quick"] if quick else [])]
        environment = {**os.environ, "PLIANT_CACHE": folder}
        done = subprocess.run(command, env=environment, stdout=subprocess.PIPE, text=True, check=True)
    return dict(json.loads(done.stdout))


def compiled(way: str, names: tuple[str, ...]) -> dict[str, Any]:
    """Compile some kernels in this process, and count."""
    from numba.core import event
    from numba.core.codegen import CPUCodeLibrary

    from pliant.runtime import jit
    from pliant.runtime.parts import PartLibrary

    if way == "numba":
        by_numba(jit)
    if way != "ours":
        from pliant.runtime import typing_memo

        typing_memo._remembered = typing_memo._ask
    llvm = [0.0]
    inside = [False]
    for kind, name in ((CPUCodeLibrary, "finalize"), (CPUCodeLibrary, "add_ir_module"), (PartLibrary, "finalize")):
        timed(kind, name, llvm, inside)
    kinds: dict[str, list[str]] = defaultdict(list)

    class Listener(event.Listener):  # type: ignore[misc]
        def on_start(self, event: Any) -> None:
            function = event.data["dispatcher"].py_func
            kinds[f"{function.__module__}.{function.__qualname__}"].append(str(event.data["args"]))

        def on_end(self, event: Any) -> None:
            pass

    event.register("numba:compile", Listener())
    from pliant.models import models

    models()
    import pliant.world  # noqa: F401

    seconds = {}
    begun = time.process_time()
    for kernel, _ in list(jit._kernels):
        name = jit._name_of(kernel)
        if name.startswith(names):
            before = time.process_time()
            jit.make_one_ready("single", name)
            seconds[name] = time.process_time() - before
    total = time.process_time() - begun
    several = sorted((name for name, each in kinds.items() if len(set(each)) > 1), key=lambda name: -len(kinds[name]))
    return {
        "total": total,
        "llvm": llvm[0],
        "functions": len(kinds),
        "versions": sum(len(set(each)) for each in kinds.values()),
        "kernels": dict(sorted(seconds.items(), key=lambda each: -each[1])),
        "several": {name: differing(sorted(set(kinds[name]))) for name in several[:MOST]},
    }


def by_numba(jit: Any) -> None:
    """Parts and kernels are functions like any other. Before a file with kernels is imported."""
    import numba
    from numba.core.compiler import Compiler

    jit.part = lambda function: numba.njit(**jit.options_of(function))(function)
    jit.inner = lambda function: numba.njit(forceinline=True, **jit.options_of(function))(function)
    jit.FlushingCompiler = Compiler


def timed(kind: Any, name: str, total: list[float], inside: list[bool]) -> None:
    """Add up the processor time of a method, once where one of them calls another."""
    method = getattr(kind, name)

    def measured(*args: Any) -> Any:
        if inside[0]:
            return method(*args)
        inside[0], before = True, time.process_time()
        try:
            return method(*args)
        finally:
            inside[0] = False
            total[0] += time.process_time() - before

    setattr(kind, name, measured)


def differing(kinds: list[str]) -> list[str]:
    """Of several rows of types the places where they differ."""
    rows = [re.findall(r"(?:\w+\((?:[^()]|\([^()]*\))*\)|[\w\[\]()]+)", kind[1:-1]) for kind in kinds]
    if len({len(row) for row in rows}) != 1:
        return kinds
    places = [k for k in range(len(rows[0])) if len({row[k] for row in rows}) > 1]
    return [" ".join(row[k] for k in places) for row in rows]


def eight_lines() -> None:
    """Those of the README, from nothing and once more."""
    readme = (Path(__file__).parents[1] / "README.md").read_text(encoding="utf-8")
    code = re.findall(r"```python\n(.*?)```", readme, flags=re.DOTALL)[0]
    with tempfile.TemporaryDirectory() as folder:
        took = []
        for _ in range(2):
            before = time.perf_counter()
            environment = {**os.environ, "PLIANT_CACHE": folder}
            subprocess.run([sys.executable, "-c", code], env=environment, stdout=subprocess.DEVNULL, check=True)
            took.append(time.perf_counter() - before)
    print(
        f"\nthe eight lines: {took[0]:.1f} s the first time, {took[1]:.1f} s the second, {took[0] / took[1]:.1f} times"
    )


if __name__ == "__main__":
    main()
