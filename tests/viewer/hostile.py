"""Messages that no page should send: made from the commands themselves, so that new ones are covered as they come."""

import json
from collections.abc import Iterator
from typing import Any

from hypothesis import strategies as st

from pliant.viewer.protocol.commands import Balance, Compare, OnSecond, Transport
from pliant.viewer.protocol.message import Message

Json = dict[str, Any]

WORDS = ("bar", "twist", "all", "rest", "nobody", "stiffness", "example_strength", "examples", "forced", "gravity",
         "shape_matching", "left", "", "A", "B", "../x", "__class__", "\0", "🐻" * 30, "x" * 201)  # fmt: skip
MEANT = {
    "actor": ("bar",),
    "pose": ("twist", "rest"),
    "field": ("stiffness", "example_strength", "examples", "forced", "gravity", "friction", "substeps", "damping"),
    "model": ("shape_matching",),
}  # words that lead deeper than a look into a dictionary
NUMBERS = (0, 1, 2, 3, 7, 44, -1, 0.5, 1e-300, -0.0, 100, 1e5, 1e9, 1e308, 2**31 - 1, 2**31, 2**63, 10**400)
ODDITIES = (None, True, [], {}, [[]], [None] * 3, [0, 0, 0], {"do": "reset"}, float("nan"), float("inf"), "NaN", "1")


def classes() -> dict[str, type[Message]]:
    """Every command there is, by what it is called in a message."""
    found = {}
    waiting = list(Message.__subclasses__())
    while waiting:
        kind = waiting.pop()
        waiting += kind.__subclasses__()
        if "do" in kind.model_fields:
            found[str(kind.model_fields["do"].default)] = kind
    return dict(sorted(found.items()))


def fitting(schema: Json, defs: Json) -> st.SearchStrategy[Any]:
    """Values that a JSON schema allows, at its edges as often as between them."""
    if "$ref" in schema:
        return fitting(defs[schema["$ref"].rsplit("/", 1)[-1]], defs)
    if "anyOf" in schema:
        return st.one_of([fitting(each, defs) for each in schema["anyOf"]])
    if "const" in schema or "enum" in schema:
        return st.sampled_from(schema.get("enum", [schema.get("const")]))
    kind = schema.get("type")
    if kind in ("number", "integer"):
        low = schema.get("minimum", schema.get("exclusiveMinimum", -1e12))
        high = schema.get("maximum", schema.get("exclusiveMaximum", 1e12))
        small = [each for each in NUMBERS if low <= each <= high and (kind == "number" or isinstance(each, int))]
        wide = st.integers(int(low), int(high)) if kind == "integer" else st.floats(low, high)
        return st.sampled_from(small) | wide if small else wide
    if kind == "string":
        longest = schema.get("maxLength", 50)
        words = [each for each in WORDS if schema.get("minLength", 0) <= len(each) <= longest]
        return st.sampled_from(words) | st.text(min_size=schema.get("minLength", 0), max_size=longest)
    if kind == "array" and "prefixItems" in schema:
        return st.tuples(*(fitting(each, defs) for each in schema["prefixItems"])).map(list)
    if kind == "array":
        least, most = schema.get("minItems", 0), schema.get("maxItems", 4)
        return st.lists(fitting(schema.get("items", {}), defs), min_size=least, max_size=most)
    return {"boolean": st.booleans(), "null": st.none()}.get(kind or "", anything())


def anything() -> st.SearchStrategy[Any]:
    """Any JSON, with numbers and words that matter here."""
    leaves = st.sampled_from([*WORDS, *NUMBERS, *ODDITIES]) | st.floats() | st.text(max_size=20)
    return st.recursive(
        leaves, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
        max_leaves=6,
    )  # fmt: skip


def fields_of(kind: type[Message]) -> st.SearchStrategy[Json]:
    """All fields of a command, as they should be."""
    schema = kind.model_json_schema()
    defs = schema.get("$defs", {})
    properties = {name: fitting(each, defs) for name, each in schema["properties"].items() if name != "do"}
    for name, words in MEANT.items():
        if name in properties:
            properties[name] = st.sampled_from(words) | properties[name]
    return st.fixed_dictionaries(properties)


def right() -> st.SearchStrategy[Json]:
    """Any command as JSON: well formed, whatever it means."""
    made = [fields_of(kind).map(lambda fields, do=do: {"do": do, **fields}) for do, kind in classes().items()]
    return st.one_of(made)


@st.composite
def nearly_right(draw: st.DrawFn) -> Json:
    """A command with something wrong: a field of another kind, one that is missing, one too many."""
    message = dict(draw(right()))
    key = draw(st.sampled_from([*message, "more"]))
    if draw(st.booleans()):
        message.pop(key, None)
    else:
        message[key] = draw(anything())
    return message


def texts() -> st.SearchStrategy[str]:
    """What may come as text: commands right and wrong, other JSON, deep nesting, no JSON at all, too much of it."""
    deep = st.builds(lambda word, n: word * n, st.sampled_from(["[", '{"do":', '[{"a":', '"', "-", "1", "{}"]),
                     st.integers(0, 1900))  # fmt: skip
    return st.one_of(
        right().map(json.dumps), nearly_right().map(json.dumps), anything().map(json.dumps), st.text(max_size=200),
        deep, st.integers(1990, 60_000).map(lambda n: '{"do": "play"}' + " " * n),
    )  # fmt: skip


def commands_of(messages: list[Json]) -> Iterator[Message]:
    """Those that are commands, as panels make them in Python; of two copies that are compared, the second gets some."""
    for message in messages:
        try:
            command = classes()[message["do"]].model_validate_json(json.dumps(message))
        except ValueError:
            continue
        if not isinstance(command, OnSecond):
            yield command
            if not isinstance(command, Transport | Compare | Balance):
                yield OnSecond(command=command)
