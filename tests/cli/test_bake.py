"""`pliant bake`."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from pliant import cli
from pliant.cli.targets import kind_and_style, named_files, numbers
from pliant.runtime.errors import PliantError

BAR = "gallery:twist-bar"


def lines(text: str) -> list[str]:
    return text.splitlines()


def test_an_exhibit(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "bar.npz"
    assert cli.main(["bake", BAR, "-o", str(out), "--frames", "4", "--fps", "30"]) == 0
    answer = capsys.readouterr()
    first, second = lines(answer.out)
    assert first.startswith(f"{out}: 4 frames, 0.1 s, ")
    assert second.startswith("simulated in 0 s (")
    assert lines(answer.err) == ["pliant: simulating, 4 frames", "pliant: writing bar.npz, 4 frames"]
    assert [path.name for path in tmp_path.iterdir()] == ["bar.npz"]


def test_for_programs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    outputs = [tmp_path / "bar.npz", tmp_path / "weights.csv"]
    call = ["bake", BAR, "--json", "--quiet", "--seconds", "0.1", *(f"-o{path}" for path in outputs)]
    assert cli.main(call) == 0
    answer = capsys.readouterr()
    summary = json.loads(answer.out)
    assert answer.err == ""
    assert (summary["frames"], summary["fps"], summary["resumed_from"], summary["stopped"]) == (7, 60.0, 0, False)
    assert summary["outputs"] == [{"path": str(path), "bytes": path.stat().st_size} for path in outputs]


@pytest.mark.slow
def test_settings_change_the_bytes_and_threads_do_not(tmp_path: Path) -> None:
    def baked(name: str, *options: str) -> bytes:
        out = tmp_path / f"{name}.npz"
        assert cli.main(["bake", BAR, "-q", "-o", str(out), "--frames", "40", *options]) == 0
        return out.read_bytes()

    plain = baked("a")
    assert baked("b", "--threads", "2") == plain
    assert baked("c", "--set", "stiffness=3") == baked("d", "--set", "bodies.bar.model.stiffness=3") != plain
    assert baked("e", "--set", "gravity=[0, -3, 0]") != plain
    assert baked("f", "--substeps", "5") != plain


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["gallery:twistbar", "-o", "x.npz"], 'did you mean "twist-bar"?'),
        (["nowhere.glb", "-o", "x.npz"], "nowhere.glb"),
        (["nowhere.toml", "-o", "x.npz"], "nowhere.toml"),
        ([BAR], "-o"),
        ([BAR, "-o", "x.xyz"], "x.xyz"),
        ([BAR, "-o", "x.npz", "--frames", "0"], "--frames"),
        ([BAR, "-o", "x.npz", "--seconds", "1e12"], "--seconds"),
        ([BAR, "-o", "x.npz", "--fps", "0"], "fps"),
        ([BAR, "-o", "x.npz", "--as", "jelly"], '--as "jelly"; give solid, shell or rod for the body'),
        ([BAR, "-o", "x.npz", "--as", "weights"], ".glb"),
        ([BAR, "-o", "x.npz", "--size", "big"], '--size "big"; give 2 numbers with "x" between them'),
        ([BAR, "-o", "x.npz", "--camera", "1,2"], '--camera "1,2"; give 3 numbers'),
        ([BAR, "-o", "x.npz", "--pose", "smile"], "name=file"),
        ([BAR, "-o", "x.npz", "--particles", "900"], "an exhibit is built in and takes no --particles"),
        ([BAR, "-o", "x.npz", "--set", "stifness=3"], 'did you mean "stiffness"?'),
        ([BAR, "-o", "x.npz", "--set", "car.stiffness=3"], 'there is no body "car" in twist-bar'),
    ],
)
def test_wrong_calls_get_one_line(
    arguments: list[str], said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert cli.main(["bake", *arguments]) == 2
    answer = capsys.readouterr()
    assert answer.out == "" and len(lines(answer.err)) == 1
    assert answer.err.startswith("pliant: ") and said in answer.err
    assert not list(tmp_path.iterdir())


def test_the_input_is_never_overwritten(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    asset = tmp_path / "bear.glb"
    asset.write_bytes(b"all I have")
    assert cli.main(["bake", str(asset), "-o", str(tmp_path / "." / "bear.glb")]) == 2
    assert "is what is read; choose another name for the output" in capsys.readouterr().err
    assert asset.read_bytes() == b"all I have"


@pytest.mark.slow
def test_interrupted_and_gone_on_with(tmp_path: Path) -> None:
    code = "import sys; from pliant.cli import main; sys.exit(main())"
    out = tmp_path / "bar.npz"
    bake = ["bake", BAR, "--frames", "40", "--substeps", "400"]  # slow enough to be interrupted
    call = [sys.executable, "-c", code, *bake, "-o", str(out), "--json"]
    run = subprocess.Popen(call, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert run.stderr is not None
    for line in run.stderr:
        if "simulating" in line:
            break
    os.kill(run.pid, signal.SIGINT)
    answer, told = run.communicate(timeout=60)
    assert run.returncode == 130
    summary = json.loads(answer)
    count = summary["frames"]
    assert summary["stopped"] and summary["outputs"] == [] and 1 <= count < 40
    assert told == f"pliant: stopped at frame {count} of 40; the same command with --resume goes on\n"
    assert [path.name for path in tmp_path.iterdir()] == ["bar.npz.part"]
    done = subprocess.run([*call, "--resume", "-q"], capture_output=True, text=True, check=True)
    assert json.loads(done.stdout)["resumed_from"] == count and done.stderr == ""
    whole = tmp_path / "whole.npz"
    assert cli.main([*bake, "-q", "-o", str(whole)]) == 0
    assert out.read_bytes() == whole.read_bytes()


def test_options_that_are_read_by_value() -> None:
    assert kind_and_style([]) == (None, None)
    assert kind_and_style(["weights", "shell"]) == ("shell", "weights")
    assert kind_and_style(["skeleton"]) == (None, "skeleton")
    with pytest.raises(PliantError, match="exclude each other"):
        kind_and_style(["rod", "shell"])
    with pytest.raises(PliantError, match=r'--as "bones"; give .* vertices, weights or skeleton for a \.glb'):
        kind_and_style(["bones"])
    assert named_files(["smile=a=b.obj", "frown=c.obj"]) == {"smile": Path("a=b.obj"), "frown": Path("c.obj")}
    with pytest.raises(PliantError, match="given twice"):
        named_files(["smile=a.obj", "smile=b.obj"])
    assert numbers("0.5,1", "--sample") == (0.5, 1)
    with pytest.raises(PliantError, match="give numbers"):
        numbers("0.5,nan", "--sample")
