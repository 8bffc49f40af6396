"""Compiled kernels are kept, and not kept too long."""

import ast
import subprocess
import sys
import threading
from pathlib import Path

import pliant
from pliant.cli.compile import import_all
from pliant.runtime import jit


def test_the_second_start_compiles_nothing():
    """The first process, which is this one, may have to compile; the second only loads, and says nothing."""
    pliant.World()
    code = "import pliant, pliant.runtime.jit; pliant.World(); print(pliant.runtime.jit.cache_misses())"
    second = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert second.stdout.strip() == "0"
    assert second.stderr == ""


def test_an_edit_in_any_kernel_gives_another_digest(tmp_path: Path, monkeypatch):
    """A bake that is resumed asks whether all kernels are as they were."""
    monkeypatch.setattr(jit, "__file__", str(tmp_path / "runtime" / "jit.py"))
    for name in ("runtime/jit.py", "maths/polar.py", "runtime/waiting.py"):
        source = tmp_path / name
        source.parent.mkdir(exist_ok=True)
        before = jit.sources_digest()
        source.write_text("other")
        assert jit.sources_digest() != before, name
        assert jit.sources_digest() == jit.sources_digest()


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
    for path in sorted(Path(jit.__file__).parents[1].rglob("*.py")):
        for function in ast.walk(ast.parse(path.read_text())):
            if not isinstance(function, ast.FunctionDef):
                continue
            marks = {ast.unparse(mark).split("(")[0] for mark in function.decorator_list}
            if marks & kinds:
                returned = [each.value for each in ast.walk(function) if isinstance(each, ast.Return) and each.value]
                for each in returned:
                    assert not (isinstance(each, ast.Subscript) and isinstance(each.slice, ast.Slice)), function.name


def test_compile_leaves_nothing_for_later():
    command = [sys.executable, "-m", "pliant", "compile"]
    subprocess.run(command, check=True, capture_output=True)
    import_all()
    missing = [name for precision in jit.PRECISIONS for name in jit.missing(precision)]
    ours = tuple(f"pliant.{folder}." for folder in ("runtime", *jit.FOLDERS_WITH_KERNELS))
    assert [name for name in missing if name.startswith(ours)] == []  # tests and benchmarks have kernels too
