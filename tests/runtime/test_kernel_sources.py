"""A kernel is compiled anew when something that it is made from has changed, and only then."""

import ast
import os
from pathlib import Path

import pytest

from pliant.runtime import kernel_cache, kernel_sources
from pliant.runtime.kernel_cache import KernelCache

FILES = {
    "maths/leaf.py": "def square(x): return x * x",
    "maths/other.py": "def cube(x): return x ** 3",
    "models/one.py": "from pliant.maths.leaf import square",
    "models/two.py": "from pliant.maths import other",
    "models/three.py": "def f():\n    import pliant.models.one",
    **{f"runtime/{name}.py": "" for name in kernel_sources.COMPILER},
}


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    return write_package(tmp_path / "here" / "pliant", monkeypatch)


def write_package(root: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name, text in FILES.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    monkeypatch.setattr(kernel_sources, "PACKAGE", root)
    return root


def digests(package: Path) -> dict[str, bytes]:
    for remembered in (kernel_sources.digest_of, kernel_sources._imported, kernel_sources._text):
        remembered.cache_clear()
    return {name: kernel_sources.digest_of(str(package / "models" / f"{name}.py")) for name in ("one", "two", "three")}


@pytest.mark.parametrize(
    ("edited", "changed"),
    [
        ("maths/leaf.py", {"one", "three"}),
        ("maths/other.py", {"two"}),
        ("models/one.py", {"one", "three"}),
        *((f"runtime/{name}.py", {"one", "two", "three"}) for name in kernel_sources.COMPILER),
    ],
)
def test_an_edit_changes_what_is_made_from_it(package: Path, edited: str, changed: set[str]) -> None:
    """Also in a file that another one imports, which the cache of the compiler would not see."""
    before = digests(package)
    (package / edited).write_text(FILES[edited] + "\n# edited")
    after = digests(package)
    assert {name for name in before if before[name] != after[name]} == changed


@pytest.mark.slow
def test_no_import_is_overlooked() -> None:
    """Imports are found by their text; the syntax tree of every file knows no others."""
    files = sorted(kernel_sources.PACKAGE.rglob("*.py"))
    assert len(files) > 300
    for path in files:
        names = set()
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom):
                assert node.level == 0, f"{path}: imports are absolute"
                names |= {node.module or "", *(f"{node.module}.{alias.name}" for alias in node.names)}
            elif isinstance(node, ast.Import):
                names |= {alias.name for alias in node.names}
        wanted = {file for name in names for file in kernel_sources._files_of(name)}
        assert wanted <= set(kernel_sources._imported(path)), path


@pytest.mark.parametrize(
    "line",
    [
        "from pliant.maths import other",
        "from pliant.maths import leaf, other as this",
        "from pliant.maths import (\n    leaf,\n    other,  # why\n)",
        "def f():\n\timport pliant.maths.other",
    ],
)
def test_every_form_of_an_import_is_found(package: Path, line: str) -> None:
    path = package / "models" / "four.py"
    path.write_text(f"import os\n{line}\n")
    assert package / "maths" / "other.py" in kernel_sources._imported(path)


def test_the_place_does_not_matter(package: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    here = digests(package)
    assert digests(write_package(tmp_path / "elsewhere" / "pliant", monkeypatch)) == here


def test_old_files_of_a_kernel_are_forgotten(tmp_path: Path) -> None:
    """Those first that were not used for longest; other kernels keep theirs."""
    cache = KernelCache(lambda: None, tmp_path)
    for number in range(kernel_cache.KEEP + 5):
        path = tmp_path / f"{cache._name()}.{number:04}{kernel_cache.ENDING}"
        path.touch()
        os.utime(path, (number, number))
    other = tmp_path / f"another{kernel_cache.ENDING}"
    other.touch()
    cache._forget_old(tmp_path)
    kept = sorted(path.name for path in tmp_path.iterdir() if path != other)
    assert len(kept) == kernel_cache.KEEP and "0005" in kept[0] and other.exists()
