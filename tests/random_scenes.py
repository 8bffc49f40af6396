"""Random scenes, as plain data, made from the schema: whatever a scene may say, some of them say."""

from functools import cache

from hypothesis import strategies as st

from pliant.scene.mistakes import guide
from pliant.scene.schema_text import values_of

NAMES = st.one_of(
    st.sampled_from(["bear", "big bear", "a.b", "Körper", "x", '"', "'", "\\", "1"]),
    st.text(st.characters(min_codepoint=33, exclude_categories=["Cs"]), min_size=1, max_size=8),
)
FREE_TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
COLOURS = st.from_regex(r"#[0-9a-f]{6}", fullmatch=True)
CHECKS = st.sampled_from(["near(squash) < 0.02", "rest_time<=3", "weight(big bear.twist) > 1e-1"])
EVENTS = st.sampled_from(["landing", "touching big bear"])
COMBINED = ("all_of", "any_of", "none_of")
DEEPEST = 12


@cache
def scenes():
    return st.deferred(lambda: made(guide().root))  # the schema is made when the first test asks


def made(node, depth=0):
    """Data that fit a node of the schema."""
    ways = guide().ways(node)
    if depth > DEEPEST:
        ways = [way for way in ways if way.get("required", [""])[0] not in COMBINED]
    return st.one_of([_made(way, depth) for way in ways])


def _made(node, depth):
    kind = node.get("type")
    if "const" in node:
        return st.just(node["const"])
    if "enum" in node:
        return st.sampled_from(node["enum"])
    if kind == "boolean":
        return st.booleans()
    if kind == "integer":
        return st.integers(node.get("minimum", 0), node.get("maximum", 10**6))
    if kind == "number":
        return _number(node)
    if kind == "string":
        if "<" in node.get("pattern", ""):
            return CHECKS
        if "landing" in node.get("pattern", ""):
            return EVENTS
        named = NAMES if {"pattern", "minLength"} & set(node) else FREE_TEXT
        return COLOURS if "#" in node.get("pattern", "") else named
    if kind == "array" and "prefixItems" in node:
        items = st.tuples(*(made(item, depth + 1) for item in node["prefixItems"])).map(list)
        return items.map(_some_length) if len(node["prefixItems"]) == 4 else items
    if kind == "array":
        each = st.deferred(lambda: made(node["items"], depth + 1))
        items = st.lists(each, min_size=node.get("minItems", 0), max_size=3)
        return items.map(_rising) if node.get("wording", "").startswith("keys") else items
    if "properties" in node:
        return _table(node, depth)
    return st.dictionaries(NAMES, made(values_of(node), depth + 1), min_size=1, max_size=2)


def _number(node):
    low, high = node.get("minimum", node.get("exclusiveMinimum")), node.get("maximum", node.get("exclusiveMaximum"))
    outside = {"exclude_min": "exclusiveMinimum" in node, "exclude_max": "exclusiveMaximum" in node}
    numbers = st.floats(low, high, allow_nan=False, allow_infinity=False, **outside)
    if high is not None and high - (low or 0) <= 3:
        return numbers
    return st.one_of(numbers, st.integers(int(low or 0) + 1, int(high) - 1 if high else 10**6))


def _some_length(quaternion):
    return quaternion if max(map(abs, quaternion)) > 1e-6 else [0, 0, 0, 1]


def _rising(keys):
    return sorted({key[0]: key for key in keys}.values(), key=lambda key: key[0])


def _playable(scene):
    """No more frames, nor steps of each, than a scene may have."""
    world, output = scene.get("world", {}), scene.get("output", {})
    if "fps" in output:
        output["fps"] = max(output["fps"], 1)
        world.pop("substeps", None)
    if "seconds" in world:
        world["seconds"] = min(world["seconds"], 100)


@st.composite
def _table(draw, node, depth):
    required = node.get("required", [])
    optional = [name for name in node["properties"] if name not in required]
    chosen = draw(st.lists(st.sampled_from(optional), unique=True, max_size=6)) if optional else []
    if node.get("title") == "SceneBody":
        source = draw(st.sampled_from(["file", "shape"]))
        others = {"file": {"shape"}, "shape": {"file", "kind", "mesher", "pose_folder"}}[source]
        chosen = [*(name for name in chosen if name not in others and name != source), source]
    data = {name: draw(made(node["properties"][name], depth + 1)) for name in [*required, *chosen]}
    if node.get("title") in ("Pin", "Handle") and "end" in data:
        waits = "begin_on" in data and "end_on" not in data
        if waits or data["end"] <= data.get("begin", 0):
            del data["end"]
    if "type" in node["properties"] and "forced" in data:  # the weights, not their keys
        data["forced"] = {name: weight / len(data["forced"]) for name, weight in data["forced"].items()}
    if node.get("title") == "Copies":
        data["count"] = data["count"] % 20 + 1 if isinstance(data["count"], int) else [n % 4 + 1 for n in data["count"]]
    if "shape" in data and "poses" in data:
        data["poses"] = {name: pose for name, pose in data["poses"].items() if "type" in pose}
    if node.get("title") == "SceneOutput" and "size" in data:
        data["size"] = [n % 8000 + 16 for n in data["size"]]
    if node.get("title") == "Scene":
        _playable(data)
        for kind in ("colliders", "bodies"):
            for number, each in enumerate(data.get(kind, [])):
                each["name"] = f"{each.get('name', kind)} {number}"
    return data
