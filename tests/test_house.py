"""The tree keeps its habits: short files, whole packages, nothing in it that is true on one machine only."""

import ast
import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
PLACES = ("src", "tests", "docs", "benchmarks", "blender", ".ci")
LONGEST = 400
UNSORTED = ("world", "models")  # folders whose names are still to be sorted out; this list is to become empty
# An actor, a thread, a page has a name, and is "it".
NO_NAMES = re.compile(r"\b(somebody|someone|whoever|nobody|anybody)\b", re.IGNORECASE)

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


def sorted_sources(*unsorted: str) -> Iterator[tuple[str, str]]:
    """Name and text of each file of the package, but for folders whose names are not in order yet."""
    package = ROOT / "src" / "pliant"
    for path in sorted(package.rglob("*")):
        place = path.relative_to(package)
        if path.suffix in (".py", ".js") and place.parts[0] not in (*UNSORTED, *unsorted):
            yield place.as_posix(), text_of(path)


def constants(text: str) -> Iterator[tuple[str, str]]:
    """Names in capitals that a module gives a value to, and the value as it is written; not those of its own, with an
    underscore before them."""
    for node in ast.parse(text).body:
        if isinstance(node, ast.AnnAssign) and node.value is not None:
            pairs = given(node.target, node.value)
        elif isinstance(node, ast.Assign):
            pairs = [pair for target in node.targets for pair in given(target, node.value)]
        else:
            continue
        for to, value in pairs:
            if isinstance(to, ast.Name) and re.fullmatch("[A-Z][A-Z_0-9]*", to.id):
                yield to.id, value


def given(target: ast.expr, value: ast.expr) -> list[tuple[ast.expr, str]]:
    """Each name of an assignment with its value."""
    if not isinstance(target, ast.Tuple):
        return [(target, ast.unparse(value))]
    if isinstance(value, ast.Tuple):
        return [pair for one, its in zip(target.elts, value.elts, strict=True) for pair in given(one, its)]
    return [(one, f"{ast.unparse(value)}[{place}]") for place, one in enumerate(target.elts)]


def test_constants_are_found() -> None:
    text = "A = 1\nB, C = 2, 3\nD: int = 4\n_E = 5\nF, G = range(2)\nh = 6\n"
    wanted = [("A", "1"), ("B", "2"), ("C", "3"), ("D", "4"), ("F", "range(2)[0]"), ("G", "range(2)[1]")]
    assert list(constants(text)) == wanted


def test_a_constant_has_one_meaning() -> None:
    """A name in capitals stands for one thing, wherever it is read. An exhibit is left out: its figures are those of
    one scene, and no other file asks for them."""
    found: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    for name, text in sorted_sources():
        if name.endswith(".py") and not (name.startswith("gallery/") and "\nEXHIBIT = " in text):
            for constant, value in constants(text):
                found[constant][value].append(name)
    assert len(found) > 500
    assert not {constant: dict(values) for constant, values in found.items() if len(values) > 1}


def test_what_acts_has_a_name() -> None:
    found = [
        f"{name}:{number}: {line.strip()}"
        for name, text in sorted_sources("runtime")
        for number, line in enumerate(text.splitlines(), 1)
        if NO_NAMES.search(line)
    ]
    assert not found, "\n".join(found)
