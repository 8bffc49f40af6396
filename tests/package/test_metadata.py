"""What goes with the code: versions agree, and files that packages and people look for are there."""

import re
import tomllib
from pathlib import Path

import pliant

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def text_of(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def test_one_version() -> None:
    assert f"\nversion: {pliant.__version__}\n" in text_of("CITATION.cff")
    assert f"\n## {pliant.__version__}\n" in text_of("CHANGELOG.md")


def test_one_licence() -> None:
    assert PROJECT["license"] == "Apache-2.0" and "\nlicense: Apache-2.0\n" in text_of("CITATION.cff")
    assert "Apache License" in text_of("LICENSE")


def test_changes_are_told_newest_first() -> None:
    heads = re.findall(r"^## (.*)$", text_of("CHANGELOG.md"), re.MULTILINE)
    assert heads[0] == "Not released yet"
    numbers = [tuple(map(int, head.split("."))) for head in heads[1:]]
    assert numbers and numbers == sorted(numbers, reverse=True)


def test_links_are_those_of_papers() -> None:
    """The project has no server of its own."""
    assert PROJECT["urls"]
    assert all(link.startswith("https://doi.org/") for link in PROJECT["urls"].values())


def test_every_python_that_is_promised_is_allowed() -> None:
    least = tuple(map(int, PROJECT["requires-python"].removeprefix(">=").split(".")))
    named = [each.rsplit(" ", 1)[1] for each in PROJECT["classifiers"] if re.search(r"Python :: 3\.\d+$", each)]
    assert min(tuple(map(int, each.split("."))) for each in named) == least
