"""A gallery of two small exhibits in place of the real one, so that the commands are tested by themselves."""

import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from types import ModuleType

import pytest


@dataclass
class Check:
    text: str
    value: float
    passed: bool


@dataclass
class Exhibit:
    name: str
    title: str
    paper: str
    seconds: float
    checks: list[Check] = field(default_factory=list)


EXHIBITS = [
    Exhibit("twist-bar", "A twisting bar", "Koyama+12 Fig. 1", 4.0, [Check("twist weight", 0.91234, True)]),
    Exhibit("cars", "A wall", "Koyama+12 Fig. 9", 2.5, [Check("dent", 0.1, True), Check("roof", 3.0, False)]),
]

Install = Callable[..., None]


@pytest.fixture
def install(monkeypatch: pytest.MonkeyPatch) -> Install:
    """Puts a module with the given functions in place of the real one: install("pliant.bench", run=...)."""

    def put(module: str, **functions: object) -> None:
        fake = ModuleType(module)
        vars(fake).update(functions)
        package, _, _ = module.rpartition(".")
        if package != "pliant":
            monkeypatch.setitem(sys.modules, package, ModuleType(package))
        monkeypatch.setitem(sys.modules, module, fake)

    return put


@pytest.fixture
def small_gallery(install: Install) -> None:
    def check_exhibits(names: Sequence[str]) -> Iterator[tuple[Exhibit, list[Check]]]:
        return ((exhibit, exhibit.checks) for exhibit in EXHIBITS if not names or exhibit.name in names)

    install("pliant.gallery.listing", list_exhibits=lambda: EXHIBITS, check_exhibits=check_exhibits)
