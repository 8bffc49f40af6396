"""The parts of the Blender extension that need no Blender, as modules of a package whose own file is not run."""

import importlib
import sys
import types
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parents[1] / "blender" / "extension"
PACKAGE = "pliant_extension_parts"


def part(name: str) -> Any:
    if PACKAGE not in sys.modules:
        package = types.ModuleType(PACKAGE)
        package.__path__ = [str(FOLDER)]
        sys.modules[PACKAGE] = package
    return importlib.import_module(f"{PACKAGE}.{name}")
