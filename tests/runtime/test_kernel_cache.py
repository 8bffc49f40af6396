"""Compiled code on disk: what is damaged is made anew, what cannot be written is done without, and nothing that another
user could have written is ever loaded."""

import hashlib
import os
import pickle
import stat
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

KERNELS = 6  # in the script below, one for each way in which a file can be damaged
SCRIPT = (
    """
from pliant.runtime import jit

"""
    + "".join(
        f"""
@jit.kernel("x[] x[]")
def add_{number}(a, b):
    for i in range(len(a)):
        a[i] += b[i]
"""
        for number in range(KERNELS)
    )
    + """
if __name__ == "__main__":
    import numpy as np
    jit.make_ready("single", *(name for name in NAMES))
    a = np.ones(3, np.float32)
    add_0(a, a)
    print(jit.cache_misses(), a.sum(), jit.CACHE)
"""
)


@pytest.fixture
def start(tmp_path: Path) -> Callable[..., tuple[int, str, Path]]:
    """Starts a process with small kernels, of which it makes some ready: how many were compiled, what was told, and
    where they are kept."""
    script = tmp_path / "kernels.py"
    script.write_text(SCRIPT)

    def run(before: str = "", kernels: int = 1, **variables: str | None) -> tuple[int, str, Path]:
        given = {"PLIANT_CACHE": str(tmp_path / "cache"), **variables}
        environment = {key: value for key, value in {**os.environ, **given}.items() if value is not None}
        names = {"NAMES": tuple(f"__main__.add_{number}" for number in range(kernels))}
        code = f"{before}\nimport runpy; runpy.run_path({str(script)!r}, {names!r}, run_name='__main__')"
        command = [sys.executable, "-c", code]
        done = subprocess.run(command, capture_output=True, text=True, env=environment, timeout=300)
        assert done.returncode == 0, done.stderr
        misses, total, folder = done.stdout.split(maxsplit=2)
        assert float(total) == 6
        return int(misses), done.stderr, Path(folder.strip())

    return run


def files_in(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if path.is_file()]


def checked(data: bytes) -> bytes:
    """As the cache would write it."""
    return hashlib.sha256(data).digest() + data


DAMAGES: dict[str, Callable[[bytes], bytes]] = {
    "cut to 100": lambda whole: whole[:100],
    "cut to 0": lambda _: b"",
    "cut by 1": lambda whole: whole[:-1],
    "flipped": lambda whole: whole[:2000] + bytes([whole[2000] ^ 255]) + whole[2001:],
    "other": lambda _: b"no code at all" * 100,
    # The check fits, the code does not: as another version of the compiler would leave it.
    "whole, but no code": lambda _: checked(pickle.dumps(("not", "code"))),
}


@pytest.mark.slow
def test_damaged_files_are_compiled_anew(start: Callable[..., tuple[int, str, Path]]) -> None:
    """At the next start, and whole from then on."""
    assert len(DAMAGES) == KERNELS
    misses, _, folder = start(kernels=KERNELS)
    files = sorted(files_in(folder))
    assert misses == len(files) == KERNELS
    for path, damage in zip(files, DAMAGES.values(), strict=True):
        path.write_bytes(damage(path.read_bytes()))
    misses, told, _ = start(kernels=KERNELS)
    assert misses == KERNELS and told == ""
    assert start(kernels=KERNELS)[:2] == (0, "")
    assert sorted(files_in(folder)) == files


FULL = """
import errno, os
def full(*_, **__): raise OSError(errno.{reason}, os.strerror(errno.{reason}))
import pliant.runtime.kernel_cache
pliant.runtime.kernel_cache.mkstemp = full
"""
TOO_SMALL = """
import resource, signal
import pliant.runtime.jit
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (1000, resource.getrlimit(resource.RLIMIT_FSIZE)[1]))
"""


@pytest.mark.slow
def test_a_full_disk_is_told_once_and_kernels_live_in_memory(start: Callable[..., tuple[int, str, Path]]) -> None:
    """Also where a file can be begun and not ended: none is left half written."""
    ways = [FULL.format(reason="ENOSPC"), FULL.format(reason="EROFS"), *([TOO_SMALL] if os.name == "posix" else [])]
    for before in ways:
        misses, told, folder = start(before, kernels=2)
        assert misses == 2
        warnings = [line for line in told.splitlines() if "cannot be kept" in line]
        assert len(warnings) == 1 and "PLIANT_CACHE" in warnings[0], told
        assert "Traceback" not in told
        assert files_in(folder) == []
    assert start()[0] == 1  # there is room again
    assert start()[:2] == (0, "")


@pytest.mark.slow
def test_without_any_folder_kernels_live_in_memory(start: Callable[..., tuple[int, str, Path]], tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    nowhere = "import tempfile; tempfile.tempdir = " + repr(str(tmp_path / "file" / "temporary"))
    misses, told, folder = start(nowhere, PLIANT_CACHE=str(tmp_path / "file" / "cache"))
    assert misses == 1 and str(folder) == "None"
    assert "no folder can be written" in told and "Traceback" not in told


@pytest.mark.slow
def test_files_are_private_from_the_start(start: Callable[..., tuple[int, str, Path]], tmp_path: Path) -> None:
    """Whatever the habits of this system are."""
    if not hasattr(os, "getuid"):
        return
    folder = start("import os; os.umask(0)")[2]
    for place in (tmp_path / "cache", tmp_path / "cache" / "kernels", folder):
        assert stat.S_IMODE(place.stat().st_mode) == 0o700
    assert all(stat.S_IMODE(path.stat().st_mode) == 0o600 for path in files_in(folder))
