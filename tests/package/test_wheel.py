"""The wheel, installed where nothing else is than what it says it needs, does what the README shows."""

import os
import platform
import re
import subprocess
import sys
import tarfile
import urllib.request
import venv
import zipfile
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from importlib.metadata import distribution
from pathlib import Path

import pytest
from packaging.requirements import Requirement

import pliant

ROOT = Path(__file__).parents[2]
SCRIPTS, ENDING = ("Scripts", ".exe") if os.name == "nt" else ("bin", "")
# What the eight lines need: to compile all kernels for the wheel would take a minute.
CARRIED = {
    "PLIANT_WHEEL_KERNELS": "single pliant.dynamics.predict. pliant.dynamics.alone. pliant.models.shape_m "
    "pliant.runtime.waiting.make_calls"
}
ON_X86 = platform.machine().lower() in ("x86_64", "amd64")


def run(*words: object, folder: Path | None = None, **variables: str) -> "subprocess.CompletedProcess[str]":
    done = subprocess.run([*map(str, words)], cwd=folder, env=environment(variables), capture_output=True, text=True)
    assert done.returncode == 0, f"{words}: {done.stdout}\n{done.stderr}"
    return done


def environment(variables: dict[str, str] | None = None) -> dict[str, str]:
    """Nothing leads back to the sources."""
    kept = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "VIRTUAL_ENV")}
    return {**kept, **(variables or {})}


def build(source: Path, target: str, folder: Path, **variables: str) -> Path:
    """What `make wheel` does."""
    words = ("-m", "hatchling", "build", "--target", target, "--directory", folder)
    told = run(sys.executable, *words, folder=source, **(variables or CARRIED))
    assert ("carries no compiled kernels" in told.stdout + told.stderr) == (
        target == "wheel" and (bool(variables) or not ON_X86)
    )
    (made,) = folder.iterdir()
    return made


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(ROOT, "wheel", tmp_path_factory.mktemp("wheel"))


def needed(requirements: list[str]) -> Iterator[str]:
    """The packages that these ask for, and those that they ask for, each once."""
    waiting, seen = [Requirement(each) for each in requirements], set()
    while waiting:
        requirement = waiting.pop()
        for extra in requirement.extras or {""}:
            if (requirement.name, extra) not in seen:
                seen.add((requirement.name, extra))
                asked = [Requirement(each) for each in distribution(requirement.name).requires or ()]
                waiting += [each for each in asked if each.marker is None or each.marker.evaluate({"extra": extra})]
    yield from {name for name, _ in seen}


@dataclass(frozen=True)
class Installed:
    """An environment with the wheel in it."""

    scripts: Path

    def command(self, name: str) -> Path:
        return self.scripts / f"{name}{ENDING}"


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Installed:
    """Packages are links to those that the tests run with, since to copy them would take half a minute."""
    place = tmp_path_factory.mktemp("environment")
    venv.create(place, symlinks=os.name != "nt")
    python = place / SCRIPTS / f"python{ENDING}"
    site = Path(run(python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))").stdout.strip())
    for name in needed(requirements_of(wheel)):
        found = distribution(name)
        for top in {file.parts[0] for file in found.files or () if file.parts[0] != ".."}:
            if not (site / top).exists():
                (site / top).symlink_to(Path(str(found.locate_file(top))).resolve())
    pip = (sys.executable, "-m", "pip", "--python", python, "--disable-pip-version-check")
    run(*pip, "install", "--quiet", "--no-index", "--no-compile", wheel)
    run(*pip, "check")
    return Installed(place / SCRIPTS)


def requirements_of(wheel: Path) -> list[str]:
    """Without extras."""
    with zipfile.ZipFile(wheel) as files:
        (name,) = (name for name in files.namelist() if name.endswith(".dist-info/METADATA"))
        text = files.read(name).decode()
    found = re.findall(r"^Requires-Dist: (.*)$", text, re.MULTILINE)
    assert found
    return [each for each in found if "extra ==" not in each]


@pytest.mark.slow
def test_the_sdist_builds_the_same_wheel(wheel: Path, tmp_path: Path) -> None:
    (tmp_path / "sdist").mkdir()
    with tarfile.open(build(ROOT, "sdist", tmp_path / "sdist")) as files:
        files.extractall(tmp_path, filter="data")
    source = tmp_path / f"pliant-{pliant.__version__}"
    (tmp_path / "again").mkdir()
    again = build(source, "wheel", tmp_path / "again")
    assert again.name == wheel.name and again.read_bytes() == wheel.read_bytes()
    for name in (
        "hatch_build.py",
        "CHANGELOG.md",
        "CITATION.cff",
        "SECURITY.md",
        "LICENSE",
        "Makefile",
        "constraints.txt",
        "tests",
    ):
        assert (source / name).exists(), name


@pytest.fixture
def example(tmp_path: Path) -> Path:
    """The eight lines; the last line that they print says where the package lies and how many kernels were compiled."""
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    code = re.findall(r"```python\n(.*?)```", readme, flags=re.DOTALL)[0]
    code += "\nfrom pliant.runtime import jit\nprint(pliant.__file__, jit.cache_misses())"
    (tmp_path / "example.py").write_text(code, encoding="utf-8")
    return tmp_path / "example.py"


def played(installed: Installed, example: Path, **variables: str) -> tuple[int, str]:
    """How many kernels were compiled, and what was told about it."""
    done = run(installed.command("python"), example.name, folder=example.parent, **variables)
    *lines, last = done.stdout.splitlines()
    assert len(lines) == 120 and all(line.endswith("% twist") for line in lines)
    file, misses = last.rsplit(maxsplit=1)
    assert not Path(file).is_relative_to(ROOT / "src")
    return int(misses), done.stderr


@pytest.mark.slow
def test_the_kernels_that_the_wheel_carries(installed: Installed, example: Path, tmp_path: Path) -> None:
    """Nothing is compiled where nothing ever was, and nothing of where it was built is in the wheel. Those that were
    damaged are compiled anew, once, which one line tells with the remedy; others are not used where a version
    differs."""
    if not ON_X86:
        return
    cache = tmp_path / "cache"
    assert played(installed, example, PLIANT_CACHE=str(cache)) == (0, "")
    assert list(cache.rglob("*.nbc")) == []
    found = run(installed.command("python"), "-c", "from pliant.runtime import jit; print(jit.CARRIED)").stdout.strip()
    files = sorted(Path(found).glob("*.nbc"))
    assert len(files) == 5 and not any(str(ROOT).encode() in file.read_bytes() for file in files)
    damaged = {file: file.read_bytes() for file in files if "predict" in file.name or ".tell." in file.name}
    for file, whole in damaged.items():
        file.write_bytes(whole[:1000] + bytes([whole[1000] ^ 255]) + whole[1001:])
    try:
        misses, told = played(installed, example, PLIANT_CACHE=str(cache))
        assert misses == len(damaged) == 2
        assert told.count("\n") == 1 and told.startswith("pliant: kernels that came with the package are damaged")
        assert found in told and "pip install --force-reinstall --no-deps" in told
        assert played(installed, example, PLIANT_CACHE=str(cache)) == (0, "")
    finally:
        for file, whole in damaged.items():
            file.write_bytes(whole)
    other = "from pliant.runtime import carried; import numpy; numpy.__version__ = '0'; print(carried.carried_folder())"
    assert run(installed.command("python"), "-c", other).stdout.strip() == "None"
    weak = "from pliant.runtime import carried as c; c.LEVEL_INSTRUCTIONS += ('none',); print(c.carried_folder())"
    assert run(installed.command("python"), "-c", weak).stdout.strip() == "None"


@pytest.mark.slow
def test_a_wheel_without_kernels_says_so(tmp_path: Path) -> None:
    """As where pip builds one from an sdist, with nothing installed."""
    with zipfile.ZipFile(build(ROOT, "wheel", tmp_path, PLIANT_WHEEL_KERNELS="none")) as files:
        assert not any("compiled" in name for name in files.namelist())
        assert "pliant/runtime/carried.py" in files.namelist()


@pytest.mark.slow
def test_the_eight_lines_and_an_exhibit(installed: Installed, example: Path, tmp_path: Path) -> None:
    """With kernels that were compiled for the sources: where the package lies does not matter."""
    assert played(installed, example)[0] == 0
    told = run(installed.command("pliant"), "gallery", "--check", "twist-bar", folder=tmp_path).stdout
    assert told.startswith("twist-bar\n  ok  ") and "FAIL" not in told


@pytest.mark.slow
def test_the_viewer_answers(installed: Installed, tmp_path: Path) -> None:
    words = [installed.command("python"), "-m", "pliant", "view", "--port", "0", "--no-browser"]
    with subprocess.Popen(
        [*map(str, words)], cwd=tmp_path, env=environment(), stdout=subprocess.PIPE, text=True
    ) as process:
        try:
            assert process.stdout is not None
            told = (re.search(r"http://127\.0\.0\.1:\d+", each) for each in process.stdout)
            address = next((found[0] for found in told if found), None)
            assert address is not None, "it ended before it served"
            for path in ("/", "/exhibit/twist-bar"):
                with closing(urllib.request.urlopen(address + path, timeout=120)) as answer:
                    assert answer.status == 200
        finally:
            process.terminate()
