"""Compiled kernels that a wheel carries, for processors of a common kind.

Numba's object code travels: it is made to be loaded by another process, names what it calls (Python, Numba, the C
library) instead of their addresses, and does not depend on a path. What ties it to a machine is the processor that it
was made for. So a wheel carries kernels for a level of the x86-64 architecture, which most processors of the last ten
years have, in a folder named after all that has to be the same: the system, Python, Numba, llvmlite and NumPy. Where
one of them differs, or the processor does not have that level, kernels are compiled as ever; and so is one that was
damaged.

Rejected: kernels for x86-64-v4 as well. On a processor that has it none was faster by more than a hundredth than the
best of the others, and they would double the wheel (benchmarks/processor_levels.py).

Carried kernels lie beside the sources of the package, belong to whom these belong, and are trusted as much. Those that
were compiled on the machine itself come first: `pliant compile` makes them for its very processor.
"""

import platform
import shutil
import sys
from pathlib import Path
from typing import Any

import llvmlite
import llvmlite.binding as llvm
import numba
import numpy as np

CARRIED_KERNELS = Path(__file__).parents[1] / "compiled"
COMMON_LEVEL = "x86-64-v3"
# What LLVM calls the instructions of that level that lower ones do not have, and by which it is known.
LEVEL_INSTRUCTIONS = (
    "avx",
    "avx2",
    "bmi",
    "bmi2",
    "f16c",
    "fma",
    "lzcnt",
    "movbe",
    "popcnt",
    "sse4.2",
    "cx16",
    "sahf",
    "xsave",
)
NUMBA_SETTINGS = {
    "NUMBA_CPU_NAME": COMMON_LEVEL,
    "NUMBA_CPU_FEATURES": "",
}  # to compile for the level, whatever is here


def versions() -> str:
    """What has to be the same where kernels were compiled and where they are loaded. Python's own interface stays from
    3.11.1 to 3.11.9, and so does what it makes of a source."""
    python = ".".join(map(str, sys.version_info[:2]))
    system = f"{sys.platform}-{platform.machine().lower()}"
    return f"{system}-python-{python}-numba-{numba.__version__}-llvmlite-{llvmlite.__version__}-numpy-{np.__version__}"


def carried_folder() -> Path | None:
    """Where the kernels are that this process may load; None if there are none."""
    folder = CARRIED_KERNELS / versions() / COMMON_LEVEL
    return folder if folder.is_dir() and _has_level() else None


def _has_level() -> bool:
    try:
        found = llvm.get_host_cpu_features()
    except RuntimeError:  # LLVM does not know how to ask this processor
        return False
    return all(found.get(name, False) for name in LEVEL_INSTRUCTIONS)


def magic(codegen: Any) -> tuple[str, str, str]:
    """What tells code for the level from other code, in the place of Numba's description of this processor."""
    return codegen.magic_tuple()[0], COMMON_LEVEL, ""


def gather(files: list[Path], target: Path) -> Path:
    """Copy compiled kernels to where a wheel has them, below `target`. Returns that folder."""
    folder = target / versions() / COMMON_LEVEL
    folder.mkdir(parents=True, exist_ok=True)
    for file in files:
        shutil.copyfile(file, folder / file.name)
    return folder
