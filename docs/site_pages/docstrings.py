"""Docstrings are plain text with `names` in backticks; autodoc wants reStructuredText."""

import ast
import inspect
import re
import textwrap
from pathlib import Path
from typing import Any

from pydantic import BaseModel
from sphinx.application import Sphinx

NAME = re.compile(r"(?<!`)`([^`]+)`(?!`)")
MARKUP = re.compile(r"([*|\\]|(?<=\w)_(?!\w))")  # what means something to reStructuredText
ITEM = re.compile(r"[*-] ")
PATH = re.compile(r"\bPath\b")  # of the standard library, where it is not ours
GAPS = re.compile(r"(?<=[.)])\s{2,}(?=[\w/]+:)")  # between "name: meaning." and the next


def as_rst(app: Sphinx, what: str, name: str, thing: Any, options: Any, lines: list[str]) -> None:
    """Sphinx calls it with the lines of each docstring, and takes what they are afterwards."""
    lines[:] = converted(lines)
    if inspect.isclass(thing) and issubclass(thing, BaseModel):
        lines += ["", *settings_list(thing)]


def converted(lines: list[str]) -> list[str]:
    """Names in backticks are code, indented blocks are code, and all else is text.

    >>> converted(["A `Body` has x_ and |x|.", "", "    bar = 1"])
    ['A ``Body`` has x\\\\_ and \\\\|x\\\\|.', '', '::', '', '    bar = 1']
    """
    made: list[str] = []
    doctest = False
    for line in lines:
        doctest = line.startswith((">>>", "...")) or (doctest and bool(line.strip()))
        if doctest:
            made.append(line)
        elif line.startswith("    "):
            opens = not made or (not made[-1].strip() and not _in_block(made))
            made += ["::", "", line] if opens else [line]
        else:
            pieces = NAME.split(ITEM.sub("- ", line) if ITEM.match(line) else line)
            text = [f"``{piece}``" if odd % 2 else plain(piece) for odd, piece in enumerate(pieces)]
            made.append(GAPS.sub(" ", "".join(text)))
    return made


def plain(text: str) -> str:
    """Text that means nothing to reStructuredText."""
    return MARKUP.sub(r"\\\1", text)


def _in_block(made: list[str]) -> bool:
    last = next((line for line in reversed(made) if line.strip()), "")
    return last.startswith("    ")


def settings_list(settings: type[BaseModel]) -> list[str]:
    """Every setting of a model with its default, its unit and its meaning."""
    lines = [".. rubric:: Settings", ""]
    for name, field in settings.model_fields.items():
        extra = field.json_schema_extra
        unit = extra.get("unit", "") if isinstance(extra, dict) else ""
        default = field.get_default(call_default_factory=True)
        said = f"{name}{'' if default is None else f' = {default!r}'}{f' {unit}' if unit else ''}"
        lines += [f"``{said}``", f"    {plain(field.description or '')}", ""]
    return lines


def as_written(
    app: Sphinx, what: str, name: str, thing: Any, options: Any, signature: str | None, returned: str | None
) -> tuple[str | None, str | None]:
    """Signatures with the types that the sources have: `ArrayLike`, not the twenty types that it stands for."""
    if inspect.isclass(thing):
        if issubclass(thing, BaseModel):
            return "", None  # the settings are listed below
        thing = thing.__init__
    try:
        (definition,) = ast.parse(textwrap.dedent(inspect.getsource(thing))).body
    except (TypeError, OSError, SyntaxError, ValueError):
        return signature, returned
    if not isinstance(definition, ast.FunctionDef):
        return signature, returned
    arguments = definition.args
    if arguments.args and arguments.args[0].arg in ("self", "cls"):
        del arguments.args[0]
    result = ast.unparse(definition.returns) if definition.returns and what != "class" else "None"
    known = getattr(thing, "__globals__", {})
    told = [
        PATH.sub("pathlib.Path", text) if known.get("Path") is Path else text
        for text in (ast.unparse(arguments), result)
    ]
    return f"({told[0]})", None if result == "None" else told[1]
