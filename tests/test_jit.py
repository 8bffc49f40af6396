"""Compiled kernels are kept, and not kept too long."""

import ast
import subprocess
import sys
import threading
from pathlib import Path

from pliant import jit


def test_the_second_start_compiles_nothing():
    """The first process may have to compile; the second only loads, and says nothing."""
    code = "import pliant, pliant.jit; pliant.World(); print(pliant.jit.cache_misses())"
    subprocess.run([sys.executable, "-c", code], check=True, capture_output=True)
    second = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert second.stdout.strip() == "0"
    assert second.stderr == ""


def test_an_edit_in_any_kernel_gives_a_new_stamp(tmp_path: Path, monkeypatch):
    """Also in a file that another one imports, which the cache of the compiler would not see."""
    monkeypatch.setattr(jit, "__file__", str(tmp_path / "jit.py"))
    (tmp_path / "jit.py").write_text("")
    (tmp_path / "maths").mkdir()
    leaf = tmp_path / "maths" / "polar.py"
    leaf.write_text("one")
    before = jit._stamp()
    assert jit._stamp() == before
    leaf.write_text("two")
    assert jit._stamp() != before
    # what decides how all of them are compiled
    for name in ("jit.py", "denormals.py", "instructions.py", "kernel_cache.py"):
        before = jit._stamp()
        (tmp_path / name).write_text("other")
        assert jit._stamp() != before, name


def test_old_stamps_are_forgotten(tmp_path: Path):
    for name in "abcdef":
        (tmp_path / name).mkdir()
        jit._forget_old_stamps(tmp_path / name)
    assert len(list(tmp_path.iterdir())) == 4
    assert (tmp_path / "f").is_dir()


def test_kernels_of_several_threads_are_kept_in_the_same_place(monkeypatch):
    """Modules with kernels are imported when they are needed, perhaps by several threads at once."""
    monkeypatch.setattr(jit, "_kernels", [])

    def mark() -> None:
        for _ in range(100):
            jit.kernel("i")(lambda number: number)

    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        threads = [threading.Thread(target=mark) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    finally:
        sys.setswitchinterval(before)
    assert len(jit._kernels) == 400
    for dispatcher, _ in jit._kernels:
        assert dispatcher._cache.cache_path.startswith(str(jit.CACHE))


def test_no_kernel_returns_a_slice():
    """Who holds an array is not counted where none is made: a slice that is returned would be let go once too often."""
    kinds = {"part", "kernel"}
    for path in sorted(Path(jit.__file__).parent.rglob("*.py")):
        for function in ast.walk(ast.parse(path.read_text())):
            if not isinstance(function, ast.FunctionDef):
                continue
            marks = {ast.unparse(mark).split("(")[0] for mark in function.decorator_list}
            if marks & kinds:
                returned = [each.value for each in ast.walk(function) if isinstance(each, ast.Return) and each.value]
                for each in returned:
                    assert not (isinstance(each, ast.Subscript) and isinstance(each.slice, ast.Slice)), function.name


def test_compile_leaves_nothing_for_later():
    command = [sys.executable, "-c", "from pliant.cli import main; main()", "compile"]
    subprocess.run(command, check=True, capture_output=True)
    code = "from pliant.cli.compile import _import_all; from pliant import jit; _import_all(); "
    code += "print(*[name for precision in jit.PRECISIONS for name in jit.missing(precision)])"
    told = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert told.stdout.strip() == ""
