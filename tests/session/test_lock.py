"""One bake at a time, also where locks and open files are those of Windows."""

import os
import sys
import types
from pathlib import Path

import pytest

from pliant.runtime.errors import FileError
from pliant.session.lock import LOCK, held

fcntl = pytest.importorskip("fcntl")  # stands in for the locks of Windows


@pytest.fixture(params=["this system", "Windows"])
def system(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    if request.param == "Windows":
        locks = types.ModuleType("msvcrt")

        def locking(handle: int, mode: int, count: int) -> None:
            assert (mode, count) == (2, 1)
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError as error:
                raise PermissionError(13, "Permission denied") from error

        vars(locks).update(LK_NBLCK=2, locking=locking)
        monkeypatch.setitem(sys.modules, "msvcrt", locks)
        monkeypatch.setitem(sys.modules, "fcntl", None)
        monkeypatch.setattr(sys, "platform", "win32")
    return str(request.param)


def test_a_second_bake_is_refused(system: str, tmp_path: Path) -> None:
    folder, out = tmp_path / "out.glb.part", tmp_path / "out.glb"
    with held(folder, out):
        with pytest.raises(FileError, match="another bake is writing it"), held(folder, out):
            pass
        (folder / "recording").touch()
    assert (folder / "recording").exists() and (folder / LOCK).exists()  # to be gone on with
    with held(folder, out):
        pass


def test_a_folder_that_was_discarded_is_gone(system: str, tmp_path: Path) -> None:
    """An open file cannot be removed on Windows: the lock goes when it has been let go."""
    folder = tmp_path / "out.glb.part"
    with held(folder, tmp_path / "out.glb"):
        if system != "Windows":
            os.unlink(folder / LOCK)
            folder.rmdir()
    assert not folder.exists()


def test_a_folder_that_is_on_its_way_out_is_made_anew(
    system: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Windows says "permission denied" of a file that another process is removing."""
    folder, opened, tries = tmp_path / "out.glb.part", os.open, [0]

    def late(*given: object) -> int:
        tries[0] += 1
        if tries[0] == 1:
            folder.rmdir()
            raise PermissionError(13, "Permission denied") if system == "Windows" else FileNotFoundError
        return opened(*given)  # type: ignore[arg-type]

    monkeypatch.setattr(os, "open", late)
    with held(folder, tmp_path / "out.glb"):
        assert (folder / LOCK).exists() and tries == [2]


def test_a_folder_that_may_not_be_written_is_told(system: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> int:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(os, "open", refuse)
    with pytest.raises(PermissionError), held(tmp_path / "out.glb.part", tmp_path / "out.glb"):
        pass
