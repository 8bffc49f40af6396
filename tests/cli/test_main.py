"""The command line as a whole: help at once, one line for what is wrong, and its exit codes."""

import errno
import platform
import subprocess
import sys
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import pytest

import pliant
from pliant import cli
from pliant.cli import complete

HEAVY = ("numba", "numpy", "scipy", "nicegui", "moderngl")  # typer itself reads options with pydantic


@pytest.mark.parametrize("command", ["", "view", "bake", "inspect", "scene", "gallery", "bench"])
def test_help_loads_nothing_heavy(command: str) -> None:
    code = "import sys; from pliant.cli import main; code = main(); print(*sys.modules); sys.exit(code)"
    arguments = [*command.split(), "--help"]
    run = subprocess.run([sys.executable, "-c", code, *arguments], capture_output=True, text=True, check=True)
    assert "Usage: pliant" in run.stdout
    assert not set(run.stdout.split()).intersection(HEAVY)


def test_help_names_every_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["--help"]) == 0
    answer = capsys.readouterr().out
    assert all(command in answer for command in ("view", "bake", "inspect", "scene", "gallery", "bench"))


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    """And what a report of a fault should tell of the machine."""
    assert cli.main(["--version"]) == 0
    first, *lines = capsys.readouterr().out.splitlines()
    assert first == f"pliant {pliant.__version__}"
    told = dict(line.split(maxsplit=1) for line in lines)
    assert list(told) == ["python", "numba", "numpy", "processor", "cache"]
    assert told["python"].startswith(platform.python_version()) and told["numba"] == version("numba")
    assert "cores" in told["processor"] and Path(told["cache"]).is_dir()


def test_a_package_that_is_not_there_is_told(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def missing(name: str) -> str:
        raise PackageNotFoundError(name)

    monkeypatch.setattr("pliant.cli.version.version", missing)
    assert cli.main(["--version"]) == 0
    assert "numba     not installed; run: pip install numba\n" in capsys.readouterr().out


# ---- completion ----------------------------------------------------------------------------------------------------

ASKED = """
import io, os, sys
from contextlib import redirect_stdout
from pliant.cli import main
for line in sys.stdin.read().splitlines():
    shell, words = line.split(" ", 1)
    os.environ.update(_PLIANT_COMPLETE=f"complete_{shell}", _TYPER_COMPLETE_ARGS=words,
                      _TYPER_COMPLETE_FISH_ACTION="get-args", COMP_WORDS=words, COMP_CWORD=str(words.count(" ")))
    said = io.StringIO()
    try:
        with redirect_stdout(said):
            main([])
    except SystemExit:
        pass
    print(" ".join(said.getvalue().split()))
print(*sys.modules)
"""


def test_shells_complete_commands_options_and_exhibits() -> None:
    """Without loading anything heavy: it is asked for at each press of a key."""
    asked = {
        "bash pliant ins": ["inspect"],
        "zsh pliant com": ['"compare"', '"compile"'],
        "fish pliant bake --res": ["--resume"],
        "bash pliant gallery twist": ["twist-bar"],
        "zsh pliant view gallery:twist": [r"gallery\\:twist-bar"],
        "fish pliant inspect gallery:twist": ["gallery:twist-bar"],
    }
    run = subprocess.run(
        [sys.executable, "-c", ASKED], input="\n".join(asked), capture_output=True, text=True, check=True
    )
    *lines, modules = run.stdout.splitlines()
    assert len(lines) == len(asked)
    for line, wanted in zip(lines, asked.values(), strict=True):
        assert all(each in line for each in wanted), (wanted, line)
    assert not set(modules.split()).intersection(HEAVY)


def test_all_exhibits_are_completed() -> None:
    from pliant.gallery.listing import list_exhibits

    assert complete.exhibits("") == sorted(exhibit.name for exhibit in list_exhibits())


def test_scripts_for_shells(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("_TYPER_COMPLETE_TEST_DISABLE_SHELL_DETECTION", "1")
    for shell in ("bash", "zsh", "fish"):
        with pytest.raises(SystemExit) as ended:
            cli.main(["--show-completion", shell])
        assert ended.value.code == 0
        assert f"complete_{shell}" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["galery"], "'gallery'"),
        (["gallery", "--jsno"], "--json"),
        (["view", "--port", "70000"], "65535"),
        (["view", "--port", "many"], "--port"),
        (["view", "one", "two"], "two"),
    ],
)
def test_wrong_calls_get_one_line(arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(arguments) == 2
    answer = capsys.readouterr()
    assert answer.out == ""
    assert answer.err.startswith("pliant: ") and answer.err.count("\n") == 1
    assert said in answer.err


def full_disk() -> pliant.FileError:
    error = pliant.FileError("bear.glb: cannot be written")
    error.__cause__ = OSError(errno.ENOSPC, "No space left on device")
    return error


@pytest.mark.parametrize(
    ("error", "code", "line"),
    [
        (pliant.PliantError("the pose\n  is empty"), 2, "pliant: the pose is empty\n"),
        (pliant.BodyError("tet 3 is inside out"), 2, "pliant: tet 3 is inside out\n"),
        (pliant.Diverged("bar at 0.5 s"), 1, "pliant: bar at 0.5 s\n"),
        (FileNotFoundError(2, "No such file", "bear.glb"), 1, "pliant: bear.glb: No such file\n"),
        (OSError("disk gone"), 1, "pliant: disk gone\n"),
        (pliant.FileError("bear.glb: no mesh in it"), 2, "pliant: bear.glb: no mesh in it\n"),
        (full_disk(), 1, "pliant: bear.glb: cannot be written\n"),
        (KeyboardInterrupt(), 130, ""),
    ],
)
def test_errors_of_the_library(
    error: BaseException,
    code: int,
    line: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    def fail(**_: object) -> None:
        raise error

    monkeypatch.setattr(cli, "app", fail)
    assert cli.main([]) == code
    assert capsys.readouterr().err == line


def test_the_process_ends_with_the_code() -> None:
    run = subprocess.run(
        [sys.executable, "-m", "pliant", "jelly"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 2
    assert run.stderr == "pliant: No such command 'jelly'.\n"
