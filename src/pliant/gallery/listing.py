"""The exhibits of this folder: every file that has an EXHIBIT is one."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from difflib import get_close_matches
from functools import cache
from importlib import import_module
from pathlib import Path

from pliant.gallery.exhibit import Check, Exhibit, play
from pliant.runtime.errors import PliantError

FOLDER = Path(__file__).parent
PAPERS = ("Koyama+12", "Choi+17", "Martin+11", "Nealen+06", "Mueller+05", "Choi+05")  # in the order of the list


def list_exhibits() -> tuple[Exhibit, ...]:
    """All exhibits, paper by paper, in the order of the figures.

    >>> [exhibit.name for exhibit in list_exhibits()][:2]
    ['twist-bar', 'slope']
    """
    return _found()


@cache
def _found() -> tuple[Exhibit, ...]:
    # Looked for in the text: importing everything here, the renderer too, would make a mere list slow.
    files = [file for file in FOLDER.glob("*.py") if "\nEXHIBIT = " in file.read_text(encoding="utf-8")]
    modules = [import_module(f"pliant.gallery.{file.stem}") for file in files]
    return tuple(sorted((module.EXHIBIT for module in modules), key=_figure))


def _figure(exhibit: Exhibit) -> tuple[int, str, float, str, str]:
    """Paper, figure, name: "Koyama+12 Fig. 10" comes after "Koyama+12 Fig. 9", what has no figure after those that
    have, and papers that are not in the list come last."""
    paper = exhibit.paper.split(" ")[0]
    place = PAPERS.index(paper) if paper in PAPERS else len(PAPERS)
    number = re.search(r" Fig\. (\d+)", exhibit.paper)
    return place, paper, float(number[1]) if number else float("inf"), exhibit.paper, exhibit.name


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
