"""`pliant --version`: all that a report of a fault should say of the machine, without loading any of it."""

import platform
from importlib.metadata import PackageNotFoundError, version

import typer

from pliant import __version__


def print_version(wanted: bool) -> None:
    """The option: a line for each thing, the version first."""
    if wanted:
        print(f"pliant {__version__}")
        for name, value in _facts():
            print(f"{name:<9} {value}")
        raise typer.Exit


def _facts() -> list[tuple[str, str]]:
    from pliant.runtime.caches import cache_folder
    from pliant.runtime.processor import machine

    system = f"{platform.system()} {platform.release()}"
    return [
        ("python", f"{platform.python_version()} ({platform.python_implementation()}, {system})"),
        ("numba", _version("numba")),
        ("numpy", _version("numpy")),
        ("processor", machine()),
        ("cache", str(cache_folder() or "none: no folder can be written; set PLIANT_CACHE")),
    ]


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return f"not installed; run: pip install {package}"
