"""The client that docs/serve.md shows, as a module."""

import importlib.util
from pathlib import Path
from typing import Any

PATH = Path(__file__).parents[1] / "docs" / "clients" / "pliant_client.py"


def _loaded() -> Any:
    spec = importlib.util.spec_from_file_location("pliant_client", PATH)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


PliantClient = _loaded().PliantClient
