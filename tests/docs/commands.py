"""Commands and options that the pages print, found by themselves, and how a test runs each of them.

A command is a line of a block, or code within a sentence, that begins with pliant, make, python, pip or .venv/bin. The
first rule that fits it runs it, shortened where it would take long; one that no rule fits makes a test fail.
"""

import re
import runpy
import shlex
import shutil
import subprocess
import sys
import tomllib
import urllib.request
from collections.abc import Callable, Sequence
from contextlib import chdir, closing
from functools import partial
from itertools import pairwise
from pathlib import Path
from signal import SIGINT
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple
from unittest.mock import patch

from docs import models
from docs.pages import FENCE
from films import small_sheets
from pliant import bench, cli
from pliant.bench.run import BENCHMARKS

ROOT = Path(__file__).parents[2]
TUTORIAL = "docs/tutorial"  # whose blocks need one another: test_tutorial.py runs them all, in their order
SOURCES = (ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md")),
           *sorted((ROOT / "src").rglob("README.md")))  # fmt: skip
PAGES = {name: path for path in SOURCES if TUTORIAL not in (name := path.relative_to(ROOT).as_posix())}
COMMAND = re.compile(r"(pliant|make|python|pip|\.venv/bin/\w+)( |$)")
REMARK = re.compile(r"\s+#|\s{2,}")  # ends a command of a block
START = "import sys; from pliant.cli import main; sys.exit(main())"
QUICKEST = "particle-stiffness"  # of the exhibits, to play and to draw
EVERY = ("pliant bench", "pliant bench --quick")  # mean each benchmark
LONGEST = 600  # seconds that a program may take


def commands(page: str) -> list[str]:
    """The commands of a page, in its order, without remarks."""
    text = PAGES[page].read_text(encoding="utf-8")
    found: list[tuple[int, str]] = []
    for block in FENCE.finditer(text):
        if block[1] in ("", "sh", "bash", "console"):
            found += _lines(block[2], block.start(2))
    prose = _blanked(text)
    indented = re.finditer(r"^(?: {4}|\t)(.*)$", prose, re.MULTILINE)
    found += [(line.start(), REMARK.split(line[1].strip())[0]) for line in indented]
    found += [(code.start(), " ".join(code[1].split())) for code in re.finditer(r"`([^`]+)`", _without_blocks(prose))]
    said = [line for _, line in sorted(found) if COMMAND.match(line)]
    return [each for line in said for each in (_benchmarks() if line in EVERY else [line])]


def options(page: str) -> list[str]:
    """Options that a page speaks of without a whole command."""
    prose = _without_blocks(_blanked(PAGES[page].read_text(encoding="utf-8")))
    return [code for code in re.findall(r"`([^`\n]+)`", prose) if code.startswith("-")]


def _benchmarks() -> list[str]:
    return [f"pliant bench {name}" for name in BENCHMARKS]


def _lines(block: str, start: int) -> list[tuple[int, str]]:
    found = []
    for line in block.splitlines(keepends=True):
        found.append((start, REMARK.split(line.strip())[0]))
        start += len(line)
    return found


def _blanked(text: str) -> str:
    """The text with marks in place of fenced blocks, so that places stay what they are."""
    return FENCE.sub(lambda block: re.sub(r"[^\n]", "#", block[0]), text)


def _without_blocks(prose: str) -> str:
    return re.sub(r"^(?: {4}|\t).*$", lambda line: " " * len(line[0]), prose, flags=re.MULTILINE)


# ---- the folder ---------------------------------------------------------------------------------------------


def furnish(folder: Path) -> None:
    """Every file that a command reads, but for what a command on its own page writes."""
    models.make_all(folder)
    (folder / "scene.toml").write_text('[[bodies]]\nfile = "bear.glb"\nparticles = 100\n')
    (folder / "squash.toml").write_text(squash_scene())
    (folder / "rows.csv").write_text("damping\n1\n2\n")
    for scene in (ROOT / "docs" / "tuning").glob("*.toml"):
        shutil.copy(scene, folder)


def squash_scene() -> str:
    """The scene that docs/how-to/squash-when-it-lands.md has its reader write."""
    page = PAGES["docs/how-to/squash-when-it-lands.md"].read_text(encoding="utf-8")
    (scene,) = [text for kind, text in FENCE.findall(page) if kind == "toml"]
    return scene


def furnish_all(folder: Path) -> None:
    """Also what other commands would have written."""
    furnish(folder)
    run_here(["scene", "--new", "bear.glb", "-o", "bear.toml"])


# ---- rules --------------------------------------------------------------------------------------------------


def run_here(words: Sequence[str]) -> None:
    """In this process and this folder; what is to be written is there afterwards."""
    assert cli.main(list(words)) == 0, words
    for path in (Path(after) for word, after in pairwise(words) if word in ("-o", "--picture")):
        assert any(path.iterdir()) if path.is_dir() else path.stat().st_size, words


def brief(words: list[str]) -> None:
    """A few frames, small pictures."""
    words = words[1:]
    if words[0] in ("bake", "compare"):
        words += ["--frames", "3"] if "--frames" not in words else []
        words += ["--size", "64x48"] if any(word.endswith((".mp4", "/png")) for word in words) else []
    with small_sheets():
        run_here(words)


def swept(words: list[str]) -> None:
    """A few frames, one worker; films are drawn by tests/sweeps."""
    run_here([*from_sources(words[1:]), "--frames", "12", "--workers", "1", "--no-films"])


def from_sources(words: Sequence[str]) -> list[str]:
    """Scenes of the sources by their whole path."""
    return [str(ROOT / word) if word.startswith("docs/") else word for word in words]


def planned(words: list[str]) -> None:
    """Up to where the cluster would be asked, which tests/sweeps starts for real."""
    out = words.index("-o")
    words = [word for word in [*words[1:out], *words[out + 2 :]] if word != "--dry-run"]
    run_here([*from_sources(words), "--frames", "3", "--no-films", "--dry-run", "-o", "."])


def plain(words: list[str]) -> None:
    run_here(words[1:])


def named(words: list[str]) -> None:
    """The bare name of a command: there is one."""
    run_here([*words[1:], "--help"])


def one_exhibit(words: list[str]) -> None:
    """Of all exhibits the one that is played soonest, in small pictures; tests of the gallery play them all."""
    from pliant.gallery import pictures

    small = partial(pictures.exhibit_picture, width=160, passes=1)
    with patch.object(pictures, "exhibit_picture", small):
        run_here([*words[1:], QUICKEST])
    if "--pictures" in words:
        assert Path(words[-1], f"{QUICKEST}.png").stat().st_size


def quickest(words: list[str]) -> None:
    """There is an exhibit of that name; the one that is played soonest is checked instead."""
    from pliant.gallery.listing import find

    assert find(words[-1]).name == words[-1]
    run_here([*words[1:-1], QUICKEST])


def timed(words: list[str]) -> None:
    """With the small budget. It is small: of sizes that grow, the first one is taken."""
    rows: list[dict[str, Any]] = []

    def kept(*given: Any, **options: Any) -> list[dict[str, Any]]:
        rows.extend(timings(*given, **options))
        return rows

    timings = bench.run
    with patch.object(bench, "run", kept):
        run_here(list(dict.fromkeys([*words[1:], "--quick"])))
    assert rows
    if words[2] in ("scaling", "threads", "crowd"):
        assert max(row["particles"] for row in rows) < 3000


def timed_elsewhere(words: list[str]) -> None:
    """There is such a benchmark; tests/bench/ runs it with the small budget and looks at its rows."""
    assert words[2] in BENCHMARKS
    run_here(["bench", "--help"])


def served(words: list[str]) -> None:
    """On a free port and without a browser, until its page has been read."""
    line = [sys.executable, "-c", START, *words[1:], "--port", "0", "--no-browser"]
    with subprocess.Popen(line, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            told = (re.search(r"http://127\.0\.0\.1:\d+", each) for each in process.stdout)
            address = next((found[0] for found in told if found), None)
            assert address is not None, f"{words}: ended before it served"
            with closing(urllib.request.urlopen(address, timeout=LONGEST)) as answer:
                assert answer.status == 200
        finally:
            process.send_signal(SIGINT)


def offered(words: list[str]) -> None:
    """A server that another program starts: it has these options. tests/serve/ speaks with it."""
    told = finished([sys.executable, "-m", "pliant", words[1], "--help"])
    assert all(word in told for word in words[2:] if word.startswith("-")), words


def opened(words: list[str]) -> None:
    """Up to where the server would begin: the file is read, and what the page is to show is known. Pages of files are
    opened by tests of the viewer."""
    from pliant.viewer import app

    with patch.object(app, "run") as begin:
        run_here(words[1:])
    (shown,), _ = begin.call_args
    assert (shown if isinstance(shown, str) else str(shown.path)) == words[2].removeprefix("gallery:"), words


def program(words: list[str]) -> None:
    """A program of benchmarks/ or docs/, with its small budget: without what is optional, [in brackets]; a page that it
    writes into is a copy."""
    given = re.sub(r"\[[^\]]*\]", "", " ".join(words[2:])).split()
    with TemporaryDirectory() as folder:
        for word in given:
            if (ROOT / word).is_file():
                (Path(folder) / word).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(ROOT / word, Path(folder) / word)
        played(ROOT / words[1], [*given, "--quick"], Path(folder))


def played(path: Path, options: Sequence[str], folder: Path | None = None) -> None:
    """A program of ours, in this process: that takes less than to start another one and to load the kernels there.
    Those that measure another process start it themselves; those with a browser need a process that has none."""
    line = [str(path), *options]
    if "playwright" in path.read_text(encoding="utf-8"):
        finished([sys.executable, *line], folder)
        return
    places = [str(path.parent), *sys.path]
    with chdir(folder or "."), patch.object(sys, "argv", line), patch.object(sys, "path", places):
        try:
            runpy.run_path(str(path), run_name="__main__")
        except SystemExit as ended:
            assert not ended.code, line


def finished(line: Sequence[str], folder: Path | None = None) -> str:
    done = subprocess.run(line, capture_output=True, text=True, timeout=LONGEST, cwd=folder)
    assert done.returncode == 0, f"{line}: {done.stdout}\n{done.stderr}"
    return done.stdout


def dry(words: list[str]) -> None:
    """make, which would set up and test everything: its targets and variables are there, and it knows what to do.
    (`test` calls make itself, which a dry run would really do; these tests are what it runs.)"""
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    given, targets = ([word for word in words[1:] if ("=" in word) is wanted] for wanted in (True, False))
    assert all(f"$({word.partition('=')[0]})" in makefile for word in given), words
    assert all(re.search(rf"^{target}:", makefile, re.MULTILINE) for target in targets), words
    goals = [target for target in targets if target != "test"]
    if goals or not targets:
        assert finished(["make", "--dry-run", "--no-print-directory", *goals, *given], ROOT)


def example(words: list[str]) -> None:
    """The first lines of Python of the README, saved under that name."""
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    (code, *_) = [body for kind, body in FENCE.findall(text) if kind == "python"]
    Path(words[1]).write_text(code)
    assert finished([sys.executable, *words[1:]])


def collected(words: list[str]) -> None:
    """Tests that are named are found."""
    finished([sys.executable, "-m", "pytest", *words[1:], "--collect-only", "-q", "-p", "no:cacheprovider"], ROOT)


def packages(words: list[str]) -> None:
    assert finished([sys.executable, "-m", "pip", *words[1:], "--disable-pip-version-check"])


def extra(words: list[str]) -> None:
    """What is to be installed with it is among its extras."""
    (name,) = re.findall(r"pliant\[(\w+)\]", words[2])
    assert (
        name in tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]
    )


class Rule(NamedTuple):
    """How a command is run; slow: it takes seconds."""

    pattern: str
    run: Callable[[list[str]], None]
    slow: bool = False


RULES = (
    Rule(r"pliant (bake|compare|inspect) .*(\.mp4|/png|--picture)", brief, slow=True),
    Rule(r"pliant (bake|compare|inspect) \S", brief),
    Rule(r"pliant poses \S", plain),
    Rule(r"pliant sweep .*(scheduler|--dry-run)", planned),
    Rule(r"pliant sweep \S", swept, slow=True),
    Rule(r"pliant scene \S", plain),
    Rule(r"pliant view \S", opened, slow=True),
    Rule(r"pliant bench (cuboid|contact)$", timed_elsewhere),
    Rule(r"pliant bench [a-z][a-z-]*( --quick)?$", timed, slow=True),
    Rule(r"pliant gallery$", plain),
    Rule(r"pliant gallery --check [a-z-]+$", quickest, slow=True),
    Rule(r"pliant gallery --(check|pictures \S+)$", one_exhibit, slow=True),
    Rule(r"pliant --help$", plain),
    Rule(r"pliant serve --", offered, slow=True),
    Rule(r"pliant$", lambda words: served([*words, "view"]), slow=True),
    Rule(r"pliant [a-z]+$", named),
    Rule(r"\.venv/bin/pliant$", named),
    Rule(r"\.venv/bin/python example\.py$", example, slow=True),
    Rule(r"\.venv/bin/pytest \S", collected, slow=True),
    Rule(r"\.venv/bin/pip freeze\b", packages, slow=True),
    Rule(r"python (benchmarks|docs/concepts)/\w+\.py\b", program, slow=True),
    Rule(r'pip install "pliant\[\w+\]"$', extra),
    Rule(r"make\b", dry),
)


def rule_for(line: str) -> Rule | None:
    return next((rule for rule in RULES if re.match(rule.pattern, line)), None)


def run(line: str) -> None:
    rule = rule_for(line)
    assert rule is not None, f"no rule says how to run: {line}"
    rule.run(shlex.split(line))


# ---- options ------------------------------------------------------------------------------------------------

# What a page says of an option alone, as a whole command.
WITH_OPTION = {
    "--count": "pliant poses bear.glb --from-animation --count 2 -o counted.glb",
    "--tolerance": "pliant poses bear.glb --from-animation --tolerance 0.1 -o near.glb",
    "--fps": "pliant poses bear.glb --from-animation --fps 12 -o seldom.glb",
    "--resume": "pliant bake bear.glb -o resumed.npz --resume",
    "--set young=1e5": "pliant bake bear.glb -o hard.npz --frames 2 --set young=1e5",
    "--as rod": "pliant inspect bear.obj --as rod",
    "--as shell": "pliant inspect bear.obj --as shell",
    "--as vertices": "pliant bake bear.glb -o out.glb --as vertices",
    "--as weights": "pliant bake bear.glb -o out.glb --as weights",
    "--as skeleton": "pliant bake bear.glb -o out.glb --as skeleton "
    "--set \"bodies.bear.model={type='oriented_particles'}\"",
    "--fps 24": "pliant bake bear.glb -o out.npz --fps 24",
    "--fps 1000": "pliant bake bear.glb -o out.npz --fps 1000",
    "--particles 2000": "pliant inspect bear.glb --particles 2000",
    "--sample 0.5,1": "pliant inspect bear.glb --sample 0.5,1",
    "--set damping=4": "pliant bake buzzes.toml -o still.npz --set damping=4",
    "--set example_strength=0.8": "pliant bake bear.glb -o out.npz --set example_strength=0.8",
    "--set stiffness=4": "pliant bake bear.glb -o out.npz --set stiffness=4",
    "--quick": "pliant bench scaling --quick",
    "--frames 3": "pliant bake bear.glb -o out.npz --frames 3",
    "--keep .npz": "pliant sweep scene.toml --set stiffness=2,3 -o kept --keep .npz --dry-run",
    "--seed 1..5": "pliant sweep scene.toml --seed 1..5 -o chance --dry-run",
    "--zip": "pliant sweep scene.toml --set drag=2,3 --rows rows.csv --zip -o z --workers 1 --memory 2GB --dry-run",
    '--best "near(squash) < 0.05, rest_time"': "pliant sweep docs/scenes/squash-sweep.toml --set stiffness=2,3 -o best "
    '--best "near(squash) < 0.05, rest_time" --dry-run',
    "--scheduler": "pliant sweep scene.toml --set stiffness=2,3 -o far --scheduler tcp://10.0.0.1:8786",
    "-o frames/obj": "pliant bake bear.glb -o frames/obj",
    "-o shots/png": "pliant bake bear.glb -o shots/png",
}  # fmt: skip
ALONE = re.compile(r"--[a-z]+(-[a-z]+)*( key=value)?$")  # a name, of which other commands give the value
OF_OTHERS = {"-o2"}  # TetGen's
