"""The gallery from its registry: of each exhibit its picture, what there is to see, its code and its check."""

import ast
import inspect
from html import escape
from itertools import groupby
from pathlib import Path
from types import ModuleType

from pliant.gallery.exhibit import Exhibit
from pliant.gallery.listing import list_exhibits

PAPERS = {"Koyama+12": "Shape matching", "Choi+17": "Oriented particles", "Martin+11": "Finite elements"}


def page() -> str:
    """The exhibits, paper by paper.

    >>> "### A bar that twists when it lands" in page()
    True
    """
    lines: list[str] = []
    for paper, alike in groupby(list_exhibits(), key=lambda exhibit: exhibit.paper.split(" ")[0]):
        lines += [f"## {PAPERS.get(paper, 'Beyond the papers')}", ""]
        for exhibit in alike:
            lines += _exhibit(exhibit)
    return "\n".join(lines)


def thumbnails() -> str:
    """Small pictures that lead to each exhibit, as HTML.

    >>> thumbnails().count("<a ") == len(list_exhibits())
    True
    """
    return "\n".join(["<div class='thumbnails'>", *map(_thumbnail, list_exhibits()), "</div>"])


def _thumbnail(exhibit: Exhibit) -> str:
    picture = f"<img src='_images/{exhibit.name}.png' alt='' loading='lazy'>"
    return f"<a href='#{exhibit.name}'>{picture}<span>{escape(exhibit.title)}</span></a>"


def _exhibit(exhibit: Exhibit) -> list[str]:
    module = inspect.getmodule(exhibit.build)
    assert module is not None and module.__file__ is not None
    code = Path(module.__file__).read_text(encoding="utf-8").rstrip()
    return [
        f"({exhibit.name})=", f"### {exhibit.title}", "",
        f"![{exhibit.title}](/pictures/{exhibit.name}.png)", "",
        f"{exhibit.about} *{exhibit.paper.replace('+', ' et al. 20')}.*", "",
        "```sh", f"pliant view {exhibit.name}", f"pliant bake gallery:{exhibit.name} -o {exhibit.name}.mp4",
        f"pliant gallery --check {exhibit.name}", "```", "",
        "The check measures:", "", *(f"* {text}" for text in measured(module)), "",
        "<details><summary>Code and check</summary>", "",
        "```python", code, "```", "",
        "</details>", "",
    ]  # fmt: skip


def measured(module: ModuleType) -> list[str]:
    """What its checks are called, in their order; a part that is filled in while it plays is shown as an ellipsis.

    >>> from pliant.gallery import twist_bar
    >>> measured(twist_bar)[2]
    'degrees of twist at the impact'
    """
    calls = [node for node in ast.walk(ast.parse(inspect.getsource(module))) if isinstance(node, ast.Call)]
    named = [call for call in calls if isinstance(call.func, ast.Name) and call.func.id == "Check"]
    return [_text(call.args[0]) for call in sorted(named, key=lambda call: call.lineno)]


def _text(node: ast.expr) -> str:
    if isinstance(node, ast.JoinedStr):
        return "".join(_text(part) for part in node.values)
    return str(node.value) if isinstance(node, ast.Constant) else "…"
