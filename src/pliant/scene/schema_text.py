"""The schema as text: what a key may be, which keys there are. For messages and for the reference page."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from pliant.scene.locate import Key

Node = Mapping[str, Any]
JSON_TYPES: dict[str, tuple[type, ...]] = {
    "object": (dict,),
    "array": (list, tuple),
    "string": (str,),
    "boolean": (bool,),
    "integer": (int,),
    "number": (int, float),
}
COUNTS = ("no", "one", "two", "three", "four")


class SchemaGuide:
    """Finds its way in a JSON schema."""

    def __init__(self, schema: Node) -> None:
        self.root = schema

    def ways(self, node: Node) -> list[Node]:
        """The ways in which a value may be written. A reference is followed; what is said beside it counts more."""
        if "$ref" in node:
            target = self.root["$defs"][node["$ref"].rsplit("/", 1)[1]]
            beside = {key: value for key, value in node.items() if key != "$ref"}
            return self.ways({**target, **beside, "about": target.get("description", "")})
        for several in ("anyOf", "oneOf"):
            if several in node:
                return [way for each in node[several] for way in self.ways(each) if way.get("type") != "null"]
        return [node]

    def find(self, data: Any, path: Key) -> list[Node]:
        """What may stand at a path, as far as what stands around it decides that."""
        nodes: list[Node] = [self.root]
        for part in path:
            around = self.fitting(nodes, data)
            nodes = [inner for node in around if (inner := child(node, part)) is not None]
            data = item(data, part)
        return nodes

    def fitting(self, nodes: Iterable[Node], data: Any) -> list[Node]:
        """Of all ways those that are meant by what is there; all of them if nothing tells."""
        ways = [way for node in nodes for way in self.ways(node)]
        ways = [way for way in ways if isinstance(data, JSON_TYPES.get(way.get("type", ""), ()))] or ways
        if isinstance(data, Mapping):
            ways = [way for way in ways if self._is_named(way, data)] or ways
            ways = [way for way in ways if not way.get("required") or way["required"][0] in data] or ways
        return ways

    def _is_named(self, way: Node, data: Mapping[str, Any]) -> bool:
        kind = way.get("properties", {}).get("type", {})
        return "const" in kind and data.get("type", kind.get("default")) == kind["const"]

    def describe(self, nodes: Iterable[Node]) -> str:
        """What may be given, such as "a number from 0 to 1, or a table"."""
        found: dict[str, None] = {}
        names: dict[str, None] = {}
        for way in (way for node in nodes for way in self._worded(node)):
            if "wording" not in way and ("const" in way or "enum" in way):
                names |= dict.fromkeys(_quoted(value) for value in way.get("enum", [way.get("const")]))
            else:
                found[self._describe(way)] = None
        if names:
            found = {one_of(list(names)): None} | found
        return ", or ".join(found)

    def _worded(self, node: Node) -> list[Node]:
        """The ways of a node, where they have no wording in common."""
        if "wording" in node:
            return [node]
        for several in ("anyOf", "oneOf"):
            if several in node:
                return [way for each in node[several] for way in self._worded(each) if way.get("type") != "null"]
        return self.ways(node)

    def _describe(self, node: Node) -> str:
        if "wording" in node:
            return str(node["wording"])
        match node.get("type"):
            case "number":
                return f"a number{_range(node)}"
            case "integer":
                return f"a whole number{_range(node)}"
            case "string":
                return "a name" if "pattern" in node else "text"
            case "boolean":
                return "true or false"
            case "array" if "prefixItems" in node:
                items = node["prefixItems"]
                count = COUNTS[len(items)] if len(items) < len(COUNTS) else str(len(items))
                return f"{count} {'numbers' if items[0].get('type') == 'number' else 'items'}"
            case "array":
                return f"a list of {plural(self.describe([node['items']]))}"
            case "object" if (value := values_of(node)) is not None:
                return f"a table: name = {self.describe([value]).removesuffix(', or the name of a group')}"
        return "a table"


def child(node: Node, part: str | int) -> Node | None:
    if isinstance(part, int):
        items = node.get("prefixItems", ())
        return items[part] if part < len(items) else node.get("items")
    if part in node.get("properties", {}):
        return node["properties"][part]
    return values_of(node)


def values_of(node: Node) -> Node | None:
    """What a table of free names holds."""
    for value in (*node.get("patternProperties", {}).values(), node.get("additionalProperties")):
        if isinstance(value, Mapping):
            return value
    return None


def item(data: Any, part: str | int) -> Any:
    """What stands behind a key or a number in plain data, None if nothing does."""
    try:
        return data[part]
    except (KeyError, IndexError, TypeError):
        return None


def _range(node: Node) -> str:
    low, above = node.get("minimum"), node.get("exclusiveMinimum")
    high, below = node.get("maximum"), node.get("exclusiveMaximum")
    if low is not None and high is not None:
        return f" from {number(low)} to {number(high)}"
    if low is not None and below is not None:
        return f" from {number(low)} to below {number(below)}"
    parts = [f"above {number(above)}"] if above is not None else []
    parts += [f"from {number(low)} up"] if low is not None else []
    parts += [f"up to {number(high)}"] if high is not None else []
    parts += [f"below {number(below)}"] if below is not None else []
    return f" {' and '.join(parts)}" if parts else ""


def number(value: float) -> str:
    """As people write it.

    >>> number(0.5), number(4.0), number(1e9)
    ('0.5', '4', '1e+09')
    """
    return f"{value:,.0f}".replace(",", " ") if value == int(value) and abs(value) < 1e9 else f"{value:g}"


def plural(text: str) -> str:
    """
    >>> plural("a whole number from 0 up"), plural("a table")
    ('whole numbers from 0 up', 'tables')
    """
    if text.startswith("a selection"):
        return "selections"
    for one, many in (("a whole number", "whole numbers"), ("a number", "numbers"), ("a table", "tables")):
        if text.startswith(one):
            return many + text[len(one) :]
    return {"a name": "names", "a path": "paths"}.get(text, text)


def one_of(names: Sequence[str]) -> str:
    """
    >>> one_of(["x"]), one_of(["x", "y", "z"])
    ('x', 'x, y or z')
    """
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} or {names[-1]}"


def _quoted(value: Any) -> str:
    return f'"{value}"' if isinstance(value, str) else str(value)
