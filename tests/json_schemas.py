"""A small validator of JSON Schema, draft 2020-12: the keywords that the scene's schema uses, and no others."""

import re

TYPES = {"object": dict, "array": list, "string": str, "boolean": bool, "integer": int, "number": (int, float)}
# keyword -> what its value must be
KEYWORDS = {
    "$schema": str, "$defs": dict, "$ref": str, "title": str, "description": str, "default": object, "unit": str,
    "type": str, "const": object, "enum": list, "properties": dict, "patternProperties": dict,
    "additionalProperties": (bool, dict), "required": list, "items": dict, "prefixItems": list, "minItems": int,
    "maxItems": int, "minLength": int, "maxLength": int, "pattern": str, "minimum": (int, float),
    "maximum": (int, float), "exclusiveMinimum": (int, float), "exclusiveMaximum": (int, float), "anyOf": list,
    "oneOf": list, "propertyNames": dict,
}  # fmt: skip
MAPS = ("$defs", "properties", "patternProperties")
LISTS = ("prefixItems", "anyOf", "oneOf")
SINGLE = ("items", "propertyNames")


def schema_faults(schema, root=None, where="#"):
    """What is wrong with a schema: words that there are not, values of another kind, references to nothing."""
    root = schema if root is None else root
    for word, value in schema.items():
        here = f"{where}/{word}"
        wrong = (
            word not in KEYWORDS
            or not isinstance(value, KEYWORDS[word])
            or (word == "type" and value not in TYPES)
            or (word == "$ref" and not (value.startswith("#/$defs/") and value[8:] in root["$defs"]))
            or (word == "required" and not set(value) <= set(schema.get("properties", ())))
        )
        if wrong:
            yield here
        elif word == "pattern":
            re.compile(value)
        elif word in MAPS:
            for name, inner in value.items():
                yield from schema_faults(inner, root, f"{here}/{name}")
        elif word in LISTS:
            for number, inner in enumerate(value):
                yield from schema_faults(inner, root, f"{here}/{number}")
        elif word in SINGLE or (word == "additionalProperties" and isinstance(value, dict)):
            yield from schema_faults(value, root, here)


def fits(data, schema, root):
    """Whether data are as a schema wants them."""
    if "$ref" in schema and not fits(data, root["$defs"][schema["$ref"][8:]], root):
        return False
    if "anyOf" in schema and not any(fits(data, each, root) for each in schema["anyOf"]):
        return False
    if "oneOf" in schema and sum(fits(data, each, root) for each in schema["oneOf"]) != 1:
        return False
    if ("const" in schema and data != schema["const"]) or ("enum" in schema and data not in schema["enum"]):
        return False
    kind = schema.get("type")
    if kind and (not isinstance(data, TYPES[kind]) or (isinstance(data, bool) and kind != "boolean")):
        return False
    if isinstance(data, bool):
        return True
    if isinstance(data, int | float):
        return _number(data, schema)
    if isinstance(data, str):
        long = schema.get("minLength", 0) <= len(data) <= schema.get("maxLength", len(data))
        return long and re.search(schema.get("pattern", ""), data) is not None
    if isinstance(data, list):
        first = schema.get("prefixItems", [])
        count = schema.get("minItems", 0) <= len(data) <= schema.get("maxItems", len(data))
        inner = [*first, *[schema.get("items", {})] * max(len(data) - len(first), 0)]
        return count and all(fits(item, each, root) for item, each in zip(data, inner, strict=False))
    return not isinstance(data, dict) or _table(data, schema, root)


def _number(data, schema):
    return (
        schema.get("minimum", data) <= data <= schema.get("maximum", data)
        and ("exclusiveMinimum" not in schema or data > schema["exclusiveMinimum"])
        and ("exclusiveMaximum" not in schema or data < schema["exclusiveMaximum"])
    )


def _table(data, schema, root):
    if any(name not in data for name in schema.get("required", ())):
        return False
    if not all(fits(name, schema.get("propertyNames", {}), root) for name in data):
        return False
    for name, value in data.items():
        inner = [schema["properties"][name]] if name in schema.get("properties", {}) else []
        inner += [each for pattern, each in schema.get("patternProperties", {}).items() if re.search(pattern, name)]
        more = schema.get("additionalProperties", True)
        if not inner and more is False:
            return False
        if not all(fits(value, each, root) for each in inner or ([more] if isinstance(more, dict) else [])):
            return False
    return True
