"""Docstrings are plain text with `names` in backticks; autodoc wants reStructuredText."""

import ast
import inspect
import re
import textwrap
from dataclasses import is_dataclass
from pathlib import Path
from typing import Any

from docutils import nodes
from numpy.typing import ArrayLike
from pydantic import BaseModel
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.util.typing import stringify_annotation

NAME = re.compile(r"(?<!`)`([^`]+)`(?!`)")
MARKUP = re.compile(r"([*|\\]|(?<=\w)_(?!\w))")  # what means something to reStructuredText
ITEM = re.compile(r"[*-] ")
PATH = re.compile(r"\bPath\b")  # of the standard library, where it is not ours
ARRAY = re.compile(r"(?:numpy\.)?ndarray\[tuple\[(?:typing\.)?Any, \.\.\.\], (?:numpy\.)?dtype\[(?:\w+\.)?(\w+)\]\]")
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
    made_by = thing
    if inspect.isclass(thing):
        if issubclass(thing, BaseModel):
            return "", None  # settings are listed below
        made_by = thing.__init__
    try:
        (definition,) = ast.parse(textwrap.dedent(inspect.getsource(made_by))).body
    except (TypeError, OSError, SyntaxError, ValueError):
        return (_of_fields(thing), None) if is_dataclass(thing) else (signature, returned)
    if not isinstance(definition, ast.FunctionDef):
        return signature, returned
    definition = Unquoted().visit(definition)
    arguments = definition.args
    if arguments.args and arguments.args[0].arg in ("self", "cls"):
        del arguments.args[0]
    result = ast.unparse(definition.returns) if definition.returns and what != "class" else "None"
    ours = getattr(made_by, "__globals__", {}).get("Path") is not Path
    told = [text if ours else PATH.sub("pathlib.Path", text) for text in (ast.unparse(arguments), result)]
    return f"({told[0]})", None if result == "None" else told[1]


class Unquoted(ast.NodeTransformer):
    """Types that are written in quotes, without them."""

    def visit_arg(self, node: ast.arg) -> ast.arg:
        node.annotation = _unquoted(node.annotation)
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.FunctionDef:
        node.returns = _unquoted(node.returns)
        self.visit(node.args)
        return node


def _unquoted(node: ast.expr | None) -> ast.expr | None:
    quoted = isinstance(node, ast.Constant) and isinstance(node.value, str)
    return ast.parse(node.value, mode="eval").body if quoted else node  # type: ignore[union-attr,arg-type]


def _of_fields(kind: type) -> str:
    """The signature of a dataclass."""
    public = [each for name, each in inspect.signature(kind).parameters.items() if not name.startswith("_")]
    parameters = [each.replace(annotation=Told(each.annotation)) for each in public]
    return str(inspect.Signature(parameters))


class Told:
    """A type as it would be written."""

    __module__ = "builtins"  # so that it is printed without a module

    def __init__(self, kind: Any) -> None:
        self.kind = kind

    def __repr__(self) -> str:
        text = self.kind if isinstance(self.kind, str) else stringify_annotation(self.kind, "smart")
        return shortened(text.replace(stringify_annotation(ArrayLike, "smart"), "ArrayLike").replace("~", ""))


def shortened(text: str) -> str:
    """
    >>> shortened("dict[str, numpy.ndarray[tuple[typing.Any, ...], numpy.dtype[numpy.float64]]]")
    'dict[str, NDArray[float64]]'
    """
    return ARRAY.sub(r"NDArray[\1]", text).replace("collections.abc.", "")


def shorten_properties(app: Sphinx, page: nodes.document, docname: str) -> None:
    """The types of properties, which Sphinx spells out; it calls this when all links of a page are found."""
    for node in page.findall(addnodes.desc_annotation):
        text = node.astext()
        if shortened(text) != text:
            node.children = [nodes.Text(shortened(text))]
