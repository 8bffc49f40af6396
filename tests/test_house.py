"""The tree keeps its habits: short files, whole packages, nothing in it that is true on one machine only."""

import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
PLACES = ("src", "tests", "docs", "benchmarks", ".ci")
LONGEST = 400

# Folders of one machine, and the servers that packages come from (mirrors differ, package names do not).
MACHINE_PATH = re.compile(r"(^|[^.A-Za-z0-9_])/(work|root|farm|tmp|home|Users)/")
PACKAGE_HOST = re.compile(r"\b(pypi|pythonhosted|npmjs|debian|conda|anaconda)\.(org|com|io)\b", re.IGNORECASE)

# What runtime/jit.py marks functions with that Numba compiles; such files cannot be typed for mypy too.
KERNEL = re.compile(r"^\s*@(kernel\(|(part|inner|inline)$)", re.MULTILINE)
UNTYPED = "# mypy: disallow-untyped-defs=False, check-untyped-defs=False"


def project_files() -> Iterator[Path]:
    """Every file of the project, without asking git: it may be absent, and new files count too."""
    yield from (path for path in ROOT.iterdir() if path.is_file() and path.name != ".git")  # a file in a work tree
    for place in PLACES:
        for path in (ROOT / place).rglob("*"):
            if path.is_file() and "__pycache__" not in path.parts:
                yield path


def text_of(path: Path) -> str:
    """The text of a file; nothing for pictures and other binaries."""
    try:
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        return ""


def test_nothing_of_one_machine() -> None:
    found = [
        f"{path.relative_to(ROOT)}:{number}: {line.strip()}"
        for path in project_files()
        for number, line in enumerate(text_of(path).splitlines(), 1)
        if MACHINE_PATH.search(line) or PACKAGE_HOST.search(line)
    ]
    assert not found, "\n".join(found)


def test_the_patterns_find_what_they_should() -> None:
    slash = "/"
    assert MACHINE_PATH.search(f"open('{slash}tmp{slash}x')")
    assert not MACHINE_PATH.search("src/work/x and ./root/y")
    assert PACKAGE_HOST.search("https://pypi" + ".org/simple")


def test_every_package_folder_has_an_init() -> None:
    folders = {path.parent for path in (ROOT / "src" / "pliant").rglob("*.py")}
    assert folders
    assert not [str(folder.relative_to(ROOT)) for folder in folders if not (folder / "__init__.py").exists()]


def test_kernel_files_and_no_others_leave_types_to_numba() -> None:
    told, kernels = set(), set()
    for path in (ROOT / "src" / "pliant").rglob("*.py"):
        text, name = text_of(path), str(path.relative_to(ROOT))
        if UNTYPED in text:
            told.add(name)
            assert text.startswith(f"{UNTYPED}\n"), f"{name}: `{UNTYPED}` belongs into its first line"
        if KERNEL.search(text):
            kernels.add(name)
    assert kernels
    assert not kernels - told, f"files with kernels begin with `{UNTYPED}`"
    assert not told - kernels, "files without kernels are typed"


def test_the_pattern_finds_kernels() -> None:
    assert KERNEL.search('x = 1\n\n\n@kernel("x[] i")\ndef f(x, n):\n') and KERNEL.search("    @part\n    def f(x):\n")
    assert not KERNEL.search('"""Say @part and @kernel("x[]")."""\n') and not KERNEL.search("@partial\ndef f(): ...\n")


def test_files_fit_in_the_head() -> None:
    lengths = {
        str(path.relative_to(ROOT)): len(text_of(path).splitlines())
        for path in project_files()
        if path.suffix in (".py", ".js")
    }
    assert lengths
    assert not {path: length for path, length in lengths.items() if length > LONGEST}
