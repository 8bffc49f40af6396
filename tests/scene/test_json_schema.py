"""The schema for editors says what the loader takes."""

import json
import tomllib
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings

import random_scenes
from json_schemas import fits, schema_faults
from pliant.models import models
from pliant.scene.json_schema import json_schema

SCENES = sorted((Path(__file__).parents[2] / "docs" / "scenes").glob("*.toml"))
BOUNDS = {"ge": "minimum", "le": "maximum", "gt": "exclusiveMinimum", "lt": "exclusiveMaximum"}


@pytest.fixture(scope="module")
def schema() -> dict:
    return json_schema()


def test_it_is_a_schema(schema):
    assert schema["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    assert list(schema_faults(schema)) == []
    assert json.loads(json.dumps(schema)) == schema


def test_a_fault_would_be_found():
    assert list(schema_faults({"type": "text", "properties": {"a": {"$ref": "#/$defs/b"}}, "$defs": {}})) == [
        "#/type", "#/properties/a/$ref",
    ]  # fmt: skip


@pytest.mark.parametrize("path", SCENES, ids=lambda path: path.stem)
def test_the_scenes_of_the_documentation_fit(path: Path, schema):
    assert fits(tomllib.loads(path.read_text(encoding="utf-8")), schema, schema)


@pytest.mark.slow
@settings(suppress_health_check=list(HealthCheck), max_examples=60)
@given(random_scenes.scenes())
def test_every_scene_fits(schema, data):
    assert fits(data, schema, schema)


@pytest.mark.parametrize(
    "text",
    [
        "wrld = 1",
        "world.fps = 0",
        'world.precision = "duble"',
        "world.gravity = [0, 1]",
        'colliders = [{type = "cube"}]',
        'bodies = [{shape = "tedy"}]',
        'bodies = [{shape = "ball", colour = "red"}]',
        'bodies = [{shape = "ball", model = {stifness = 1}}]',
        'bodies = [{shape = "ball", model = {keys = {stiffness = [[0, 101]]}}}]',
        'bodies = [{shape = "ball", poses = {a = {type = "x"}}}]',
        'bodies = [{shape = "ball", pins = [{where = {side = "up"}}]}]',
        'bodies = [{shape = "ball", pins = [{where = {side = "top", box = [[0, 0, 0], [1, 1, 1]]}}]}]',
    ],
)
def test_what_the_loader_refuses_does_not_fit(text: str, schema):
    assert not fits(tomllib.loads(text), schema, schema)


def test_every_key_is_described(schema):
    for name, table in {"Scene": schema, **schema["$defs"]}.items():
        assert table.get("description"), name
        for key, said in table.get("properties", {}).items():
            assert said.get("description"), f"{name}.{key}"


@pytest.mark.parametrize("model", models().values(), ids=lambda model: model.name)
def test_every_setting_of_every_model_is_there(model, schema):
    table = schema["$defs"][model.settings.__name__]
    assert set(table["properties"]) == {"type", "keys", *model.settings.model_fields}
    for name, info in model.settings.model_fields.items():
        said = table["properties"][name]
        assert said["description"].startswith(info.description)
        for bound in info.metadata:
            for ours, theirs in BOUNDS.items():
                if hasattr(bound, ours):
                    assert said[theirs] == getattr(bound, ours)
    keyed = schema["$defs"][f"{model.settings.__name__}Keys"]["properties"]
    assert {name for name, info in model.settings.model_fields.items() if info.annotation in (int, float)} <= set(keyed)
