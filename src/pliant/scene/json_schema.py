"""The JSON schema of scene files, for editors."""

from collections.abc import Mapping
from typing import Any

from pliant.scene.schema import Scene

DRAFT = "https://json-schema.org/draft/2020-12/schema"
NAMED = ("properties", "patternProperties", "$defs")  # tables of schemas by name, where any name may stand


def json_schema() -> dict[str, Any]:
    """The schema of a scene (JSON Schema, draft 2020-12). Units stand in the descriptions as well as by themselves."""
    made = _cleaned(Scene.model_json_schema())
    return {"$schema": DRAFT, "title": "Pliant scene", **made}


def _cleaned(node: Any) -> Any:
    """Without what TOML cannot say (null) and what only our own messages and panels need."""
    if isinstance(node, list):
        return [_cleaned(each) for each in node if each != {"type": "null"}]
    if not isinstance(node, Mapping):
        return node
    kept: dict[str, Any] = {}
    for key, value in node.items():
        if key in ("wording", "title", "usual", "panel") or (key == "default" and value is None):
            continue
        if key in NAMED:
            kept[key] = {name: _cleaned(each) for name, each in value.items()}
        else:
            kept[key] = value if key == "default" else _cleaned(value)
    for several in ("anyOf", "oneOf"):
        if len(kept.get(several, ())) == 1:  # what may be left out is not a choice
            kept = {**kept.pop(several)[0], **kept}
    if "unit" in kept:
        kept["description"] = f"{kept.get('description', '')} ({kept['unit']})".strip()
    return kept
