"""Where caches lie: in a folder that is this user's alone, or in a fresh one."""

import os
import stat
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from pliant.runtime import caches
from pliant.runtime.caches import cache_folder

pytestmark = pytest.mark.skipif(not hasattr(os, "getuid"), reason="files have no owners on this system")
OTHER = 12345  # another user
ROOT = hasattr(os, "getuid") and os.getuid() == 0


@pytest.fixture(autouse=True)
def places(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home and a folder for temporary files, both empty. Those above belong to the user who runs the tests."""
    home, temporary = tmp_path / "home", tmp_path / "temporary"
    home.mkdir()
    temporary.mkdir()
    temporary.chmod(0o1777)
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setattr(tempfile, "tempdir", str(temporary))
    monkeypatch.setattr(sys, "platform", "linux")
    for variable in ("PLIANT_CACHE", "XDG_CACHE_HOME"):
        monkeypatch.setenv(variable, "")
    caches._warn.cache_clear()
    return tmp_path


def give_away(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a file belong to another user: truly where this may be done, else as far as the library can see."""
    if ROOT:
        os.chown(path, OTHER, OTHER, follow_symlinks=False)
        return
    seen = os.lstat, os.stat

    def as_if(look):
        def found(place, *arguments, **options):
            result = look(place, *arguments, **options)
            mine = os.path.abspath(place) == str(path)
            return os.stat_result([*result[:4], OTHER, OTHER, *result[6:]]) if mine else result

        return found

    monkeypatch.setattr(os, "lstat", as_if(seen[0]))
    monkeypatch.setattr(os, "stat", as_if(seen[1]))


def is_private(folder: Path) -> bool:
    found = os.lstat(folder)
    return stat.S_ISDIR(found.st_mode) and found.st_uid == os.getuid() and stat.S_IMODE(found.st_mode) == 0o700


def test_the_usual_place(places: Path) -> None:
    folder = cache_folder("kernels", "stamp")
    assert folder == places / "home" / ".cache" / "pliant" / "kernels" / "stamp"
    assert is_private(folder) and is_private(folder.parent)
    assert cache_folder("kernels", "stamp") == folder


def test_named_places(places: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(places / "xdg"))
    assert cache_folder("a") == places / "xdg" / "pliant" / "a"
    monkeypatch.setenv("PLIANT_CACHE", str(places / "chosen" / "deep"))
    assert cache_folder("a") == places / "chosen" / "deep" / "a"
    monkeypatch.chdir(places)
    monkeypatch.setenv("PLIANT_CACHE", "here")
    assert cache_folder("a") == places / "here" / "a"
    monkeypatch.setenv("PLIANT_CACHE", "")
    monkeypatch.setenv("XDG_CACHE_HOME", "relative")  # counts as unset
    assert cache_folder("a") == places / "home" / ".cache" / "pliant" / "a"


def test_without_a_home_a_temporary_folder_will_do(places: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def unknown() -> Path:
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.setattr(Path, "home", unknown)
    assert cache_folder("a") == places / "temporary" / f"pliant-{os.getuid()}" / "a"


UNKNOWN = """
import pwd
def unknown(number): raise KeyError(number)
pwd.getpwuid = unknown
from pliant.runtime import jit
print(jit.CACHE)
"""


def test_a_user_without_home_or_name(places: Path) -> None:
    """As in containers: `docker run --user 12345`."""
    environment = {"PYTHONPATH": os.pathsep.join(sys.path), "PLIANT_CACHE": str(places / "chosen")}
    done = subprocess.run([sys.executable, "-c", UNKNOWN], env=environment, capture_output=True, text=True)
    assert done.stdout.startswith(str(places / "chosen" / "kernels")) and done.stderr == ""


BAD = {
    "of another": lambda folder, monkeypatch: give_away(folder, monkeypatch),
    "group": lambda folder, _: folder.chmod(0o770),
    "others": lambda folder, _: folder.chmod(0o777),
}


@pytest.mark.parametrize("variable", ["PLIANT_CACHE", "XDG_CACHE_HOME"])
@pytest.mark.parametrize("how", BAD)
def test_a_named_place_that_others_can_write_is_not_used(
    places: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], how: str, variable: str
) -> None:
    chosen = places / "chosen"
    (chosen / "kernels").mkdir(parents=True)
    (chosen / "kernels" / "planted").write_text("code")
    BAD[how](chosen, monkeypatch)
    monkeypatch.setenv(variable, str(chosen))
    folder = cache_folder("kernels")
    assert folder == places / "temporary" / f"pliant-{os.getuid()}" / "kernels" and is_private(folder)
    cache_folder("kernels")
    told = capsys.readouterr().err.splitlines()
    assert len(told) == 1 and str(chosen) in told[0] and "PLIANT_CACHE" in told[0]


@pytest.mark.parametrize("how", ["of another", "link", "file"])
def test_the_predictable_folder_is_not_taken_from_another(
    places: Path, monkeypatch: pytest.MonkeyPatch, how: str
) -> None:
    """Another user can make it before this one does; then a fresh one is used, for as long as the process lasts."""
    monkeypatch.setenv("HOME", os.devnull)
    taken = places / "temporary" / f"pliant-{os.getuid()}"
    trap = places / "trap"
    (trap / "kernels").mkdir(parents=True)
    if how == "link":
        taken.symlink_to(trap)
    elif how == "file":
        taken.write_text("")
    else:
        trap.rename(taken)
        give_away(taken, monkeypatch)
    folder = cache_folder("kernels")
    assert folder is not None and is_private(folder) and is_private(folder.parent)
    assert folder.parent.parent == places / "temporary" and folder.parent != taken
    assert cache_folder("kernels") == folder  # and not another one each time
    assert cache_folder("volumes") == folder.parent / "volumes"


def test_a_fresh_folder_is_gone_with_its_process(places: Path) -> None:
    (places / "temporary" / f"pliant-{os.getuid()}").write_text("in the way")
    code = "from pliant.runtime.caches import cache_folder; print(cache_folder('kernels'))"
    environment = {**os.environ, "HOME": os.devnull, "TMPDIR": str(places / "temporary")}
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    assert Path(done.stdout.strip()).parent.parent == places / "temporary"
    assert len(list((places / "temporary").iterdir())) == 1


def test_own_folders_that_were_left_open_are_emptied(places: Path) -> None:
    """Of an old version, or made where everything is open to a group."""
    kernels = places / "home" / ".cache" / "pliant" / "kernels"
    kernels.mkdir(parents=True)
    (kernels / "stamp").mkdir()
    (kernels / "stamp" / "planted").write_text("code")
    (kernels / "link").symlink_to(places)
    kernels.chmod(0o775)
    folder = cache_folder("kernels", "stamp")
    assert folder == kernels / "stamp" and is_private(kernels) and is_private(folder)
    assert list(kernels.iterdir()) == [folder] and not list(folder.iterdir())
    assert places.is_dir()  # what a link points to stays


def test_own_folders_that_others_could_only_read_are_kept(places: Path) -> None:
    kernels = places / "home" / ".cache" / "pliant" / "kernels"
    kernels.mkdir(parents=True)
    kernels.chmod(0o755)
    (kernels / "code").write_text("mine")
    assert cache_folder("kernels") == kernels and is_private(kernels) and (kernels / "code").exists()


def test_ways_that_another_user_can_turn(places: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    mine = places / "mine"
    mine.mkdir()
    shared = places / "shared"
    shared.mkdir()
    (shared / "mine").mkdir()
    for mode, trusted in ((0o777, False), (0o1777, True), (0o755, True)):
        shared.chmod(mode)
        monkeypatch.setenv("PLIANT_CACHE", str(shared / "mine"))
        assert (cache_folder("a") == shared / "mine" / "a") is trusted, oct(mode)
    own, foreign = places / "own", places / "foreign"
    own.symlink_to(mine)
    foreign.symlink_to(mine)
    relative = shared / "relative"
    relative.symlink_to(Path("..") / "own" / "deep")
    (mine / "deep").mkdir()
    monkeypatch.setenv("PLIANT_CACHE", str(relative))
    assert cache_folder("a") == relative / "a"  # links of one's own lead on
    give_away(foreign, monkeypatch)
    monkeypatch.setenv("PLIANT_CACHE", str(foreign / "deep"))
    assert cache_folder("a") != foreign / "deep" / "a"
    chain = places / "chain"
    chain.symlink_to(foreign)  # one's own, to another's
    monkeypatch.setenv("PLIANT_CACHE", str(chain))
    assert cache_folder("a") != chain / "a"


def test_links_in_a_circle(places: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (places / "one").symlink_to(places / "two")
    (places / "two").symlink_to(places / "one")
    monkeypatch.setenv("PLIANT_CACHE", str(places / "one"))
    assert cache_folder("a") == places / "temporary" / f"pliant-{os.getuid()}" / "a"


def test_a_place_without_write_access_is_told(
    places: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Once, with the remedy; and on it goes."""
    (places / "file").write_text("in the way")
    may, closed = os.access, places / "chosen"
    monkeypatch.setattr(os, "access", lambda path, mode: closed not in Path(path).parents and may(path, mode))
    for chosen, reason in ((closed, "it may not be written"), (places / "file" / "deep", "Not a directory")):
        monkeypatch.setenv("PLIANT_CACHE", str(chosen))
        for _ in range(2):
            assert cache_folder("a") == places / "temporary" / f"pliant-{os.getuid()}" / "a"
        told = capsys.readouterr().err
        assert told.count("\n") == 1 and f"{chosen} is not used as a cache ({reason})" in told
        assert "PLIANT_CACHE" in told


def test_nothing_at_all_can_be_written(places: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (places / "file").write_text("")
    monkeypatch.setenv("PLIANT_CACHE", str(places / "file" / "cache"))
    monkeypatch.setattr(tempfile, "tempdir", str(places / "file"))
    assert cache_folder("a") is None


def test_systems_without_owners(places: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(os, "getuid")
    monkeypatch.setenv("PLIANT_CACHE", str(places / "chosen"))
    assert cache_folder("a") == places / "chosen" / "a"
    monkeypatch.setenv("PLIANT_CACHE", "")
    monkeypatch.setattr(sys, "platform", "win32")
    monkeypatch.setenv("LOCALAPPDATA", str(places / "local"))
    assert cache_folder("a") == places / "local" / "pliant" / "a"
