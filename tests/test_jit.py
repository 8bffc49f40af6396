"""Compiled kernels are kept, and not kept too long."""

import subprocess
import sys
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


def test_old_stamps_are_forgotten(tmp_path: Path):
    for name in "abcdef":
        (tmp_path / name).mkdir()
        jit._forget_old_stamps(tmp_path / name)
    assert len(list(tmp_path.iterdir())) == 4
    assert (tmp_path / "f").is_dir()
