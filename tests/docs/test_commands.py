"""Every command and every option that a page prints runs, in a folder with the files that it names."""

import re
from pathlib import Path

import numpy as np
import pytest

import browser
from docs.commands import (
    ALONE,
    OF_OTHERS,
    PAGES,
    ROOT,
    WITH_OPTION,
    commands,
    furnish,
    furnish_all,
    options,
    played,
    rule_for,
    run,
)
from docs.pages import blocks
from pliant import cli

ALL = {page: commands(page) for page in PAGES}
SLOW = dict.fromkeys(line for page in ALL.values() for line in page if (rule := rule_for(line)) and rule.slow)
PROGRAMS = sorted(path for path in (ROOT / "benchmarks").glob("*.py") if "__main__" in path.read_text(encoding="utf-8"))
WITH_A_BROWSER = ("viewer_lag.py",)
LONG_PAGES = ("README.md", "docs/formats/ply.md", "docs/tuning/index.md")  # have many commands, or play whole scenes
# tests/bench/test_golden.py plays all of its scenes
IN_PART = {"golden.py": ("--scene", "impacts")}


ELSEWHERE = {  # run there with --quick
    "python benchmarks/contact_soak.py": "tests/bench/test_contact_soak.py",
    "python benchmarks/forced_poses.py --meshes FOLDER --write docs/forced-poses.md --kept rows.jsonl": (
        "tests/bench/test_forced_poses.py"
    ),
}


def runs_within(line: str) -> bool:
    """Whether another command runs the same program with all of these options and more, or another test does. Each is
    given --quick."""
    words = {*line.split(), "--quick"}
    within = line.startswith("python ") and any(words < {*other.split(), "--quick"} for other in SLOW)
    return within or line in ELSEWHERE


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_rule_says_how_each_is_run() -> None:
    """A new command on a page is found here: give it a rule in commands.py."""
    unknown = [f"{page}: {line}" for page, lines in ALL.items() for line in lines if rule_for(line) is None]
    assert not unknown


def test_what_is_run_elsewhere_is() -> None:
    for line, test in ELSEWHERE.items():
        text = (ROOT / test).read_text(encoding="utf-8")
        assert line in SLOW and f'"{Path(line.split()[1]).name}", ' in text and '"--quick"' in text


def test_what_is_no_command_fails() -> None:
    """Names and options that there are not, and lines that no rule foresees."""
    assert rule_for("pliant gallery --dance") is None and rule_for("pip install something") is None
    for line in ("pliant dance", "pliant scene --dance", "make dance", "make test SHOES=red"):
        with pytest.raises(AssertionError):
            run(line)


def test_commands_are_found() -> None:
    """In fenced and indented blocks and in sentences, in their order and without remarks."""
    assert ALL["README.md"][:3] == ["make run", "make test", "make"]
    assert "pliant inspect bear.glb" in ALL["README.md"] and "pliant bench oriented" in ALL["README.md"]
    assert ALL["docs/scene-files.md"][:4] == [
        "pliant scene --new bear.glb -o bear.toml", "pliant scene bear.toml", "pliant view bear.toml",
        "pliant bake bear.toml -o bear_falls.glb",
    ]  # fmt: skip
    assert 'pliant bake bear.stl -o bear.glb --set "bodies.bear.rotation=[-90,0,0]"' in ALL["docs/formats/README.md"]
    assert ALL["docs/all-models.md"] == [
        "pliant gallery --check all-models", "python benchmarks/all_models.py", "python benchmarks/convergence.py",
    ]  # fmt: skip
    assert sum(map(len, ALL.values())) > 80
    to_do = re.compile(
        r"docs/(formats|how-to|tuning)/(?!index)|docs/[a-z-]*(blender|files|poses|material|contact|skin)"
    )
    assert [page for page in ALL if to_do.match(page) and not ALL[page]] == []


@pytest.mark.parametrize(
    "leaf",
    [
        pytest.param(page, marks=pytest.mark.slow if page in LONG_PAGES else ())
        for page, lines in ALL.items()
        if set(lines) - set(SLOW)
    ],
)
def test_the_commands_of_a_page_run(leaf: str, folder: Path) -> None:
    """One after the other: some read what others have written."""
    furnish(folder)
    for line in dict.fromkeys(ALL[leaf]):
        if line not in SLOW:
            run(line)


@pytest.mark.slow
@pytest.mark.parametrize("line", [line for line in SLOW if not runs_within(line)])
def test_commands_that_take_seconds_run(line: str, folder: Path) -> None:
    furnish_all(folder)
    run(line)


@pytest.mark.slow
@pytest.mark.parametrize(
    "path",
    [
        pytest.param(path, marks=pytest.mark.browser if path.name in WITH_A_BROWSER else (), id=path.name)
        for path in PROGRAMS
        if not any(line.startswith(f"python benchmarks/{path.name}") for line in SLOW)
    ],
)
def test_programs_that_no_page_names_run_too(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if path.name in WITH_A_BROWSER and (found := browser.find()):
        monkeypatch.setenv("PLIANT_BROWSER", found)
    played(path, ["--quick", *IN_PART.get(path.name, ())])


def known_options() -> set[str]:
    from typer.main import get_command

    every = get_command(cli.app).commands.values()
    return {option for command in every for parameter in command.params for option in parameter.opts}


def test_every_option_that_is_named_is_one() -> None:
    """Wherever it stands; make's and pip's commands have their own."""
    others = (line for lines in ALL.values() for line in lines if not line.startswith("pliant"))
    own = {word for line in others for word in line.split()}
    named = {page: set(re.findall(r"(?<![\w-])--[a-z]+(?:-[a-z]+)*", PAGES[page].read_text("utf-8"))) for page in PAGES}
    assert {"--pose", "--as", "--fps", "--set", "--sample"} <= set().union(*named.values())
    unknown = {page: found - known_options() - own - {"--help"} for page, found in named.items()}
    assert {page: found for page, found in unknown.items() if found} == {}


def test_options_that_stand_alone_have_a_command() -> None:
    """A new one is found here: give it one in commands.py. One without a value is given a value by some command."""
    said = {option for page in PAGES for option in options(page)} - OF_OTHERS
    given = [*WITH_OPTION.values(), *(line for lines in ALL.values() for line in lines)]
    for option in said:
        if ALONE.match(option):
            name = option.split()[0]
            assert any(name in line.split() for line in given), f"no command that is run has {name}"
        else:
            assert option in WITH_OPTION, f"no command says how to run {option}"


def slowly(option: str) -> bool:
    """Whether it takes seconds: pictures, many particles."""
    rule = rule_for(WITH_OPTION[option])
    return (rule is not None and rule.slow) or option == "--particles 2000"


@pytest.mark.parametrize(
    "option", [pytest.param(each, marks=pytest.mark.slow if slowly(each) else ()) for each in WITH_OPTION]
)
def test_options_that_stand_alone_run(option: str, folder: Path) -> None:
    furnish(folder)
    run(WITH_OPTION[option])


def test_the_npz_example(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    furnish(folder)
    run("pliant bake bear.glb -o bear.npz")
    assert "pliant bake bear.glb -o bear.npz" in ALL["docs/formats/npz.md"]
    (code,) = blocks("npz.md", "python")
    names: dict[str, object] = {}
    capsys.readouterr()
    exec(compile(code, "npz.md", "exec"), names)
    said = capsys.readouterr().out.splitlines()
    assert [line.split()[-1] for line in said[1:3]] == ["squash", "twist"]
    surface, bear = names["surface"], names["bear"]
    assert isinstance(surface, np.ndarray) and isinstance(bear, dict)
    # Two frames after it was let go it has fallen by less than a centimetre, and nothing has touched it.
    moved = surface - bear["skin_rest"]
    assert np.ptp(moved, axis=0) == pytest.approx(0, abs=1e-4)


def test_the_script_for_blender_is_python() -> None:
    (code,) = blocks("weights-csv.md", "python")
    compile(code, "weights-csv.md", "exec")
