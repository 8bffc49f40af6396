"""What a helper does (compile_helpers.py)."""

import os
import sys
from contextlib import suppress
from importlib import import_module

from pliant.runtime import jit


def main(nice: int) -> None:
    """Compile the kernels that are named on the input, until it ends. The answer to each is its name."""
    if nice and hasattr(os, "nice"):
        with suppress(OSError):
            os.nice(nice)
    for line in sys.stdin:
        precision, name = line.split()
        import_module(name.rpartition(".")[0])
        jit.make_one_ready(precision, name)
        print(name, flush=True)
