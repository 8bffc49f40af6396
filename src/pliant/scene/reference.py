"""Every key of a scene file as tables, made from the schema: for `pliant scene --keys` and the site's reference."""

from collections.abc import Callable, Iterable
from typing import Any

from pliant.scene.mistakes import guide
from pliant.scene.save import value
from pliant.scene.schema_text import Node, child

TABLE_HEAD = "| key | type | default | unit | meaning |\n| --- | --- | --- | --- | --- |"
HEAD_OF = "| of | key | type | default | unit | meaning |\n| --- | --- | --- | --- | --- | --- |"


def tables() -> dict[str, str]:
    """The tables of the reference, by name, as Markdown."""
    return {name: make() for name, make in _sections().items()}


def _sections() -> dict[str, Callable[[], str]]:
    def table(*path: str) -> Callable[[], str]:
        return lambda: _table(_node(*path))

    def catalogue(*path: str) -> Callable[[], str]:
        return lambda: _catalogue(_ways(*path))

    body = ("bodies", "*")
    return {
        "scene": table(),
        "world": table("world"),
        "world.keys": table("world", "keys"),
        "colliders": lambda: _table(_common(_ways("colliders", "*"))),
        "collider.types": lambda: _catalogue(_ways("colliders", "*"), _common(_ways("colliders", "*"))["properties"]),
        "collider.keys": table("colliders", "*", "keys"),
        "bodies": table(*body),
        "shapes": catalogue(*body, "shape"),
        "poses": catalogue(*body, "poses", "*"),
        "models": catalogue(*body, "model"),
        "model.keys": lambda: _catalogue([_keys(way) for way in _ways(*body, "model")]),
        "copies": table(*body, "copies"),
        "jitter": table(*body, "jitter"),
        "pins": table(*body, "pins", "*"),
        "handles": table(*body, "handles", "*"),
        "selections": catalogue(*body, "groups", "*"),
        "wind": table("world", "wind"),
        "fields": catalogue("world", "fields", "*"),
        "keys": table("world", "keys", "gravity"),
        "path": table(*body, "pins", "*", "path"),
        "output": table("output"),
    }  # fmt: skip


def _ways(*path: str) -> list[Node]:
    """The tables that may stand at a path; `*` is any item."""
    nodes: list[Node] = [guide().root]
    for part in path:
        around = [way for node in nodes for way in guide().ways(node)]
        nodes = [inner for node in around if (inner := child(node, 0 if part == "*" and "items" in node else part))]
    return [way for node in nodes for way in guide().ways(node) if "properties" in way]


def _node(*path: str) -> Node:
    return _ways(*path)[0]


def _keys(model: Node) -> Node:
    """The table `keys` of a model, under the model's name."""
    (keys,) = (way for way in guide().ways(model["properties"]["keys"]) if "properties" in way)
    return {**keys, "required": [model["properties"]["type"]["const"]]}


def _common(nodes: Iterable[Node]) -> dict[str, Any]:
    """What all of several tables have."""
    first, *others = nodes
    shared = {k: v for k, v in first["properties"].items() if all(k in other["properties"] for other in others)}
    return {**first, "properties": {name: node for name, node in shared.items() if name != "type"}}


def _table(node: Node) -> str:
    return "\n".join([TABLE_HEAD, *(f"| {row} |" for row in _rows(node))])


def _catalogue(nodes: Iterable[Node], shared: Iterable[str] = ()) -> str:
    lines = [HEAD_OF]
    for node in nodes:
        kind = node["properties"].get("type", {})
        name = kind.get("const") or node.get("required", [node.get("title", "")])[0]
        lines.append(f"| **`{name}`** | | | | | {_cell(node.get('about') or node.get('description', ''))} |")
        without = {"type"} if "const" in kind else set()
        lines += [f"| | {row} |" for row in _rows(node, without | set(shared))]
    return "\n".join(lines)


def _rows(node: Node, without: Iterable[str] = ()) -> list[str]:
    rows = []
    for name, said in node["properties"].items():
        if name in without:
            continue
        given = said.get("default")
        default = "" if given is None or given == "" or isinstance(given, dict) else f"`{value(given)}`"
        default = "required" if name in node.get("required", ()) else default
        about = said.get("description", "")
        cells = (f"`{name}`", guide().describe([said]), default, said.get("unit", ""), about)
        rows.append(" | ".join(_cell(cell) for cell in cells))
    return rows


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")
