"""The command line as a whole: help at once, one line for what is wrong, and its exit codes."""

import errno
import subprocess
import sys

import pytest

import pliant
from pliant import cli

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
    assert cli.main(["--version"]) == 0
    assert capsys.readouterr().out == f"pliant {pliant.__version__}\n"


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
        [sys.executable, "-c", "import sys; from pliant.cli import main; sys.exit(main())", "jelly"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 2
    assert run.stderr == "pliant: No such command 'jelly'.\n"
