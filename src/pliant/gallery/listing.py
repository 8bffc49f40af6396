"""The exhibits of this folder: every file that has an EXHIBIT is one."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from difflib import get_close_matches
from functools import cache
from importlib import import_module
from pathlib import Path

from pliant.errors import PliantError
from pliant.gallery.exhibit import Check, Exhibit, play

FOLDER = Path(__file__).parent


def list_exhibits() -> tuple[Exhibit, ...]:
    """All exhibits, in the order of the papers' figures.

    >>> [exhibit.name for exhibit in list_exhibits()][:2]
    ['twist-bar', 'strength-sweep']
    """
    return _found()


@cache
def _found() -> tuple[Exhibit, ...]:
    # Looked for in the text: importing everything here, the renderer too, would make a mere list slow.
    files = [file for file in FOLDER.glob("*.py") if "\nEXHIBIT = " in file.read_text(encoding="utf-8")]
    modules = [import_module(f"pliant.gallery.{file.stem}") for file in files]
    return tuple(sorted((module.EXHIBIT for module in modules), key=_figure))


def _figure(exhibit: Exhibit) -> tuple[str, float, str]:
    """Paper, figure, name: "Koyama+12 Fig. 10" comes after "Koyama+12 Fig. 9"."""
    paper, _, figure = exhibit.paper.partition(" Fig. ")
    number = re.match(r"\d+", figure)
    return paper, float(number[0]) if number else float("inf"), exhibit.name


def find(name: str) -> Exhibit:
    """The exhibit of that name.

    >>> find("twist-bar").paper
    'Koyama+12 Fig. 1'
    """
    for exhibit in list_exhibits():
        if exhibit.name == name:
            return exhibit
    names = [exhibit.name for exhibit in list_exhibits()]
    close = get_close_matches(name, names, n=1)
    hint = f'did you mean "{close[0]}"?' if close else f"there are: {', '.join(names)}"
    raise PliantError(f'there is no exhibit "{name}"; {hint}')


def check_exhibits(names: Iterable[str] = ()) -> Iterator[tuple[Exhibit, Sequence[Check]]]:
    """Plays the named exhibits (all, if none is named), each when it is asked for, and measures them."""
    chosen = [find(name) for name in names] or list_exhibits()
    for exhibit in chosen:
        yield exhibit, exhibit.check(play(exhibit))
