"""Compiled kernels for the wheel (src/pliant/runtime/carried.py says what they are).

They are compiled by this Python with what is installed beside it. Where that is not enough, as in the empty environment
in which pip builds a wheel from an sdist, the wheel carries none, says so, and compiles at its first start.
PLIANT_WHEEL_KERNELS names those to carry, by the beginnings of their names, and their precision ("single"); "none"
carries none.
"""

import os
import platform
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

VARIABLE = "PLIANT_WHEEL_KERNELS"
TARGET = Path("build", "kernels")  # in the folder of the sources
CODE = """
import sys
from pathlib import Path
from pliant.cli.compile import import_all
from pliant.runtime import carried, jit
import_all()
precisions = [word for word in sys.argv[2:] if word in jit.PRECISIONS]
names = [word for word in sys.argv[2:] if word not in precisions]
files = jit.compile_all(*names, precisions=precisions or jit.PRECISIONS)
carried.gather(files, Path(sys.argv[1]))
"""
NEEDED = ("numba", "numpy", "scipy", "pydantic", "qdldl")  # by files with kernels, and those that they import


class CustomBuildHook(BuildHookInterface):  # type: ignore[type-arg]
    """Called by hatchling for wheels."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """An editable install runs from the sources and compiles as they change."""
        if version == "editable":
            return
        folder = Path(self.root) / TARGET
        reason = self._reason() or self._compile(folder)
        if reason:
            self.app.display_warning(f"the wheel carries no compiled kernels: {reason}; it compiles at its first start")
            return
        build_data["force_include"][str(folder)] = "pliant/compiled"

    def _reason(self) -> str:
        """Why nothing can be compiled; empty if it can."""
        if os.environ.get(VARIABLE) == "none":
            return f"{VARIABLE} says so"
        if platform.machine().lower() not in ("x86_64", "amd64"):
            return f"there is no common level of {platform.machine()} to compile for"
        missing = [name for name in NEEDED if find_spec(name) is None]
        return f"{', '.join(missing)} not installed here" if missing else ""

    def _compile(self, folder: Path) -> str:
        """Returns what went wrong; empty if nothing did."""
        import shutil

        from_sources = str(Path(self.root) / "src")
        sys.path.insert(0, from_sources)
        try:
            from pliant.runtime.carried import NUMBA_SETTINGS
        finally:
            sys.path.remove(from_sources)
        shutil.rmtree(folder, ignore_errors=True)
        names = os.environ.get(VARIABLE, "").split()
        command = [sys.executable, "-c", CODE, str(folder), *names]
        environment = {**os.environ, **NUMBA_SETTINGS, "PYTHONPATH": from_sources}
        done = subprocess.run(command, env=environment, stdout=sys.stderr)
        return "" if done.returncode == 0 else "they could not be compiled"
