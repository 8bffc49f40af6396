"""`import pliant` is for everyone and costs nothing; what it promises is there when asked for."""

import subprocess
import sys

import pytest

import pliant

HEAVY = ("numba", "numpy", "scipy", "pydantic", "nicegui", "typer", "rich")


def modules_after(code: str) -> set[str]:
    """The names of all modules that a new Python has loaded after running the code."""
    code += "\nimport sys\nprint(*sys.modules)"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return set(run.stdout.split())


def test_import_loads_nothing_heavy() -> None:
    loaded = modules_after("import pliant")
    assert "pliant" in loaded
    assert not loaded.intersection(HEAVY)


def test_errors_load_nothing_heavy() -> None:
    assert not modules_after("import pliant; pliant.PliantError").intersection(HEAVY)


@pytest.mark.parametrize("name", pliant.__all__)
def test_promised_name_exists(name: str) -> None:
    assert getattr(pliant, name) is not None
    assert name in dir(pliant)


def test_unknown_name() -> None:
    with pytest.raises(AttributeError, match="'pliant' has no attribute 'Jelly'"):
        pliant.Jelly  # noqa: B018


def test_star_import() -> None:
    space: dict[str, object] = {}
    exec("from pliant import *", space)
    assert space["PliantError"] is pliant.PliantError
