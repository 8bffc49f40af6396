"""What is wrong with a scene, in one line: where, which key, what was given, what is allowed and what was meant."""

from collections.abc import Mapping
from difflib import get_close_matches
from functools import cache
from typing import Any

from pydantic import ValidationError

from pliant.runtime.errors import SceneError
from pliant.scene.choices import is_tag
from pliant.scene.locate import Key
from pliant.scene.origin import Origin
from pliant.scene.schema import Scene
from pliant.scene.schema_text import SchemaGuide, item

UNKNOWN, MISSING = "extra_forbidden", "missing"
UNDECIDED = ("union_tag_invalid", "union_tag_not_found")
OF_A_NAME = "[key]"  # the end of the place of an error in a name of a table of free names
SAID = "said"  # in a message of our own


@cache
def guide() -> SchemaGuide:
    return SchemaGuide(Scene.model_json_schema())


def scene_error(error: ValidationError, data: Any, origin: Origin) -> SceneError:
    """The mistake that stands first in the file; how many more there are is told, too."""
    told: dict[Key, SceneError] = {}
    for each in error.errors(include_url=False):
        path = tuple(part for part in each["loc"] if not is_tag(part))
        if path and path[-1] == OF_A_NAME:
            path, message = path[:-1], f"{shown(path[-2])} is no name; give one line of up to 200 letters"
        elif each["type"] == SAID:
            path, message = (*path, *each["ctx"]["key"]), str(each["ctx"]["said"])
        else:
            path, message = _message(each["type"], path, data)
        told.setdefault(path, origin.error(path, message))
    order = sorted(told, key=lambda path: (origin.line(path) or 0))  # stable: else as they were found
    first, more = told[order[0]], len(told) - 1
    return SceneError(f"{first} (and {more} more mistake{'s'[: more - 1]})") if more else first


def _message(kind: str, path: Key, data: Any) -> tuple[Key, str]:
    """The path that is to blame, and what is wrong there."""
    if kind == UNKNOWN:
        return path, unknown_key(path, data)
    if kind == MISSING and not isinstance(path[-1], int):
        return path[:-1], f"`{path[-1]}` is missing; give {guide().describe(guide().find(data, path))}"
    if kind == MISSING:
        path = path[:-1]  # a list is too short
    given = _at(data, path)
    nodes = guide().find(data, path)
    ways = [way for node in nodes for way in guide().ways(node)]
    if kind in UNDECIDED and isinstance(given, Mapping):
        return _undecided(path, given, ways)
    close = _close(given, ways)
    return path, f"{shown(given)} given; {close}give {guide().describe(nodes)}"


def _undecided(path: Key, given: Mapping[str, Any], nodes: list[Any]) -> tuple[Key, str]:
    """A table of which it cannot be told what it is."""
    tables = [node for node in nodes if "properties" in node]
    names = [node["properties"]["type"]["const"] for node in tables if "const" in node["properties"].get("type", {})]
    if "type" in given:
        close = _meant(str(given["type"]), names)
        return (*path, "type"), f"{shown(given['type'])} given; {close}give {', '.join(_quoted(names))}"
    keys = [node["required"][0] for node in tables if node.get("required") and node["required"][0] != "type"]
    if not keys:
        return path, f"`type` is missing; give {', '.join(_quoted(names))}"
    keys += ["type"] if names else []
    if not given:
        return path, f"an empty table; give one of the keys {', '.join(keys)}"
    wrong = next(iter(given))
    return (*path, wrong), _no_key(wrong, keys)


def unknown_key(path: Key, data: Any) -> str:
    """For a key that is not there: what was meant, where it belongs, or which there are."""
    *around, key = path
    here = guide().fitting(guide().find(data, tuple(around)), _at(data, tuple(around)))
    valid = list(dict.fromkeys(name for node in here for name in node.get("properties", {})))
    return _no_key(str(key), valid, _place(str(key), here))


def _no_key(key: str, valid: list[str], place: str = "") -> str:
    hint = place or _meant(key, valid)
    said = key if key.isprintable() else repr(key)[1:-1]  # on one line, whatever it is
    return f'there is no key "{said}"; {hint}valid are {", ".join(valid)}'


def _place(key: str, nodes: list[Any]) -> str:
    """A key that stands one table too high."""
    for node in nodes:
        for name, child in node.get("properties", {}).items():
            for way in guide().ways(child):
                inner = guide().ways(way["items"]) if way.get("type") == "array" and "items" in way else [way]
                if any(key in each.get("properties", {}) and key != "type" for each in inner):
                    return f"it belongs in `{name}`; "
    return ""


def _meant(key: str, valid: list[str]) -> str:
    close = get_close_matches(key, valid, n=1)
    return f'did you mean "{close[0]}"? ' if close else ""


def _close(given: Any, nodes: list[Any]) -> str:
    if not isinstance(given, str):
        return ""
    names = [str(name) for node in nodes for name in node.get("enum", [node["const"]] if "const" in node else [])]
    return _meant(given, names)


def _quoted(names: list[str]) -> list[str]:
    return [f'"{name}"' for name in names]


def _at(data: Any, path: Key) -> Any:
    for part in path:
        data = item(data, part)
    return data


def shown(value: Any) -> str:
    """A value as TOML would have it, on one line and not a long one."""
    if value is None:
        return "nothing"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, Mapping):
        return "a table"
    text = " ".join(repr(value).split())
    text = f'"{value}"' if isinstance(value, str) and value.isprintable() else text
    return text if len(text) <= 60 else text[:57] + "..."
