"""The wheel, installed where nothing else is than what it says it needs, does what the README shows."""

import os
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


def run(*words: object, folder: Path | None = None) -> "subprocess.CompletedProcess[str]":
    done = subprocess.run([*map(str, words)], cwd=folder, env=environment(), capture_output=True, text=True)
    assert done.returncode == 0, f"{words}: {done.stdout}\n{done.stderr}"
    return done


def environment() -> dict[str, str]:
    """Nothing leads back to the sources."""
    return {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "VIRTUAL_ENV")}


def build(source: Path, target: str, folder: Path) -> Path:
    """What `make wheel` does."""
    run(sys.executable, "-m", "hatchling", "build", "--target", target, "--directory", folder, folder=source)
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
    for name in ("CHANGELOG.md", "CITATION.cff", "SECURITY.md", "LICENSE", "Makefile", "constraints.txt", "tests"):
        assert (source / name).exists(), name


@pytest.mark.slow
def test_the_eight_lines_and_an_exhibit(installed: Installed, tmp_path: Path) -> None:
    """With kernels that were compiled for the sources: where the package lies does not matter."""
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    code = re.findall(r"```python\n(.*?)```", readme, flags=re.DOTALL)[0]
    code += "\nfrom pliant.runtime import jit\nprint(pliant.__file__, jit.cache_misses())"
    (tmp_path / "example.py").write_text(code, encoding="utf-8")
    *lines, last = run(installed.command("python"), "example.py", folder=tmp_path).stdout.splitlines()
    assert len(lines) == 120 and all(line.endswith("% twist") for line in lines)
    file, misses = last.rsplit(maxsplit=1)
    assert not Path(file).is_relative_to(ROOT / "src") and int(misses) == 0
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
