"""Scenes as TOML: the same scene gives the same text. Only what was said is written; defaults stay unsaid."""

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from pliant.files.whole import whole_file
from pliant.scene.locate import BARE
from pliant.scene.schema import Scene

LINE_WIDTH = 100
# Tables of a body that get a heading of their own; others stand in one line as long as they fit.
SECTIONS = ("model", "poses", "groups")
ESCAPES = {"\b": "\\b", "\t": "\\t", "\n": "\\n", "\f": "\\f", "\r": "\\r", '"': '\\"', "\\": "\\\\"}


def save_scene(scene: Scene, path: str | Path) -> None:
    """Write a scene to a file. Paths in it are kept as they are said, relative to the scene file."""
    with whole_file(Path(path)) as temporary:
        temporary.write_text(scene_text(scene), encoding="utf-8", newline="\n")


def scene_text(scene: Scene) -> str:
    """The TOML text of a scene.

    >>> from pliant.scene.load import scene_from_text
    >>> print(scene_text(scene_from_text('bodies=[{shape="teddy", position=[0,1,0], model={stiffness=2.5}}]')))
    [[bodies]]
    shape = "teddy"
    position = [0, 1, 0]
    <BLANKLINE>
    [bodies.model]
    stiffness = 2.5
    <BLANKLINE>
    """
    return document(plain(scene))


def plain(scene: Scene) -> dict[str, Any]:
    """What was said, as plain data."""
    return scene.model_dump(mode="json", exclude_unset=True)


def document(data: Mapping[str, Any]) -> str:
    """Any plain data as a TOML document."""
    return "\n".join(_lines(data, ())).strip("\n") + "\n"


def _lines(table: Mapping[str, Any], path: tuple[str, ...]) -> list[str]:
    """The lines of a table: first what fits behind a key, then tables with headings."""
    lines, later = [], []
    for key, item in table.items():
        if _has_heading(key, item, path):
            later.append((key, item))
        else:
            lines.append(_pair(key, item))
    for key, item in later:
        below = (*path, key)
        heading = ".".join(name(part) for part in below)
        if isinstance(item, Mapping):
            lines += ["", f"[{heading}]", *_lines(item, below)]
        else:
            for each in item:
                lines += ["", f"[[{heading}]]", *_lines(each, below)]
    return lines


def _has_heading(key: str, item: Any, path: tuple[str, ...]) -> bool:
    if isinstance(item, Mapping):
        return bool(item) and (not path or key in SECTIONS or len(_pair(key, item)) > LINE_WIDTH)
    return bool(item) and _is_list(item) and all(isinstance(each, Mapping) for each in item)


def _is_list(item: Any) -> bool:
    return isinstance(item, Sequence) and not isinstance(item, str)


def _pair(key: str, item: Any) -> str:
    line = f"{name(key)} = {value(item)}"
    if len(line) > LINE_WIDTH and _is_list(item):
        inner = "".join(f"    {value(each)},\n" for each in item)
        return f"{name(key)} = [\n{inner}]"
    return line


def value(item: Any) -> str:
    """A value on one line.

    >>> value({"where": {"side": "top"}, "at": [0.0, 2.5]})
    '{ where = { side = "top" }, at = [0, 2.5] }'
    """
    if isinstance(item, bool):
        return str(item).lower()
    if isinstance(item, str):
        return text(item)
    if isinstance(item, int):
        return str(item)
    if isinstance(item, float):
        return _number(item)
    if isinstance(item, Mapping):
        inner = ", ".join(f"{name(key)} = {value(each)}" for key, each in item.items())
        return f"{{ {inner} }}" if inner else "{}"
    return f"[{', '.join(value(each) for each in item)}]"


def _number(number: float) -> str:
    """Whole numbers without a point, as people write them: scenes take 2 for 2.0."""
    whole = number.is_integer() and abs(number) < 1e15 and str(number) != "-0.0"
    return str(int(number)) if whole else repr(number)


def name(key: str) -> str:
    """A key, in quotes if it needs them."""
    return key if BARE.fullmatch(key) else text(key)


def text(string: str) -> str:
    """A string in quotes."""
    escaped = re.sub(r'["\\\x00-\x1f\x7f]', lambda found: ESCAPES.get(found[0], f"\\u{ord(found[0]):04x}"), string)
    return f'"{escaped}"'
