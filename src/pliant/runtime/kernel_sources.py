"""What a kernel is made from: its own file, and every file of this package that it imports from, and so on.

Compiled code is good for as long as none of these changed. A change in one model leaves the kernels of the others as
they are, and where the package is installed does not matter: only what the files say, and their names in the package.
"""

import hashlib
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

PACKAGE = Path(__file__).parents[1]
# `import pliant.a` and `from pliant.a import b, c as d`, in one line or in parentheses.
IMPORT = re.compile(
    r"^[ \t]*(?:import|from)[ \t]+(pliant[\w.]*)(?:[ \t]+import[ \t]*(\([^)]*\)|[^\n]*))?", re.MULTILINE
)
NAME = re.compile(r"\w+")
# How a kernel is compiled: part of every one. jit.py, which marks and finds kernels, is not, nor what only it imports,
# such as the cache: a file in another form than it expects is compiled anew.
COMPILER = ("compile_options", "denormals", "instructions", "numba_shortcuts", "parts", "typing_memo")
NO_PART = PACKAGE / "runtime" / "jit.py"


@cache
def digest_of(filename: str) -> bytes:
    """A hash of all sources of the kernels in a file; of that file alone where it lies outside of this package."""
    path = Path(filename)
    digest = hashlib.sha256()
    files = [path]
    if path.is_relative_to(PACKAGE):
        files = sorted({path, *(PACKAGE / "runtime" / f"{name}.py" for name in COMPILER)})
        files = sorted({each for file in files for each in (file, *_closure(file))})
    for file in files:
        if file.is_relative_to(PACKAGE):
            digest.update(file.relative_to(PACKAGE).as_posix().encode())
        digest.update(_text(file))
    return digest.digest()


def _closure(start: Path) -> set[Path]:
    """Every file that is imported from `start` on."""
    found, waiting = set(), [start]
    while waiting:
        for path in _imported(waiting.pop()):
            if path not in found and path != NO_PART:
                found.add(path)
                waiting.append(path)
    return found


@cache
def _imported(path: Path) -> tuple[Path, ...]:
    """The files of this package that names in a file come from. Imports within functions count too, and so would those
    in a text: a file too many is no harm, and the syntax tree of a hundred files would take half of every start."""
    found = []
    for line in IMPORT.finditer(_text(path).decode("utf-8", "replace")):
        module = line[1]
        names = [module, *(f"{module}.{name}" for name in NAME.findall(line[2] or ""))]
        found += [file for name in names for file in _files_of(name)]
    return tuple(dict.fromkeys(found))


def _files_of(module: str) -> Iterator[Path]:
    """The file of a module of this package. `pliant` itself holds no code that a kernel could call."""
    first, *rest = module.split(".")
    if first != PACKAGE.name or not rest:
        return
    place = PACKAGE.joinpath(*rest)
    for path in (place.with_suffix(".py"), place / "__init__.py"):
        if path.is_file():
            yield path


@cache
def _text(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError:  # typed in
        return b""
